/* deviation_start.h - other ways of reading a start index.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_START_H
#define INTERP_DEVIATION_DEVIATION_START_H

#include <stdint.h>

#include "interp/base/dtype.h"

/* From the bits of an index of that type, of which 0 to most fit into a
 * dimension of that size, to another index; the operation clamps what it gets.
 */
typedef int64_t deviation_start_body(enum dtype type, uint64_t bits,
                                     int64_t most, int64_t size);

struct deviation_start {
    const char *name; /* "modulo" */
    deviation_start_body *body;
};

/* The way of that name; NULL if there is none. */
const struct deviation_start *deviation_start_find(const char *name);

#endif
