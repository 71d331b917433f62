/* deviation_step.h - what an environment does to one number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_STEP_H
#define INTERP_DEVIATION_DEVIATION_STEP_H

#include "interp/exact/real.h"

/* From the exact value, and the pattern that is its correct rounding, to
 * another pattern. */
typedef uint64_t deviation_step_body(enum dtype unit, const struct real *y,
                                     uint64_t bits, enum dtype via);

struct deviation_step {
    const char *name; /* "flush" */
    deviation_step_body *body;
    enum dtype via;
};

/* The step of that name; NULL if there is none. */
const struct deviation_step *deviation_step_find(const char *name);

#endif
