/* deviation_transform.h - exact results that are stored wrongly.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_TRANSFORM_H
#define INTERP_DEVIATION_DEVIATION_TRANSFORM_H

#include "interp/deviation/deviation.h"

const struct deviation_shuffle *deviation_transform_find(const char *name);

/* The array that a transform makes of one array of a result, in the arena; NULL
 * if it does not apply.  inputs are those of its replica. */
struct literal *deviation_transform(struct arena *a, const struct deviation *d,
                                    const struct literal *result, int count,
                                    struct literal *const *inputs);

/* The bits of one unit of that; false if the transform does not apply. */
bool deviation_transform_unit(const struct deviation *d,
                              const struct literal *result, int count,
                              struct literal *const *inputs, int64_t unit,
                              uint64_t *bits);

#endif
