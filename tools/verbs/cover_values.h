/* cover_values.h - assay cover --values: which values each operation is tried
 * with, where.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For each operation a matrix of classes of values and of the places where an
 * operand with such a value may be: an array of rank 0, 1, 2 or more, a scalar
 * beside an array, a constant.  A cell counts cases of the plan, in any form.
 */
#ifndef TOOLS_COVER_VALUES_H
#define TOOLS_COVER_VALUES_H

#include <stdio.h>

#include "interp/base/limits.h"
#include "interp/base/status.h"

struct cover_values {
    const char *tier;
    int filter_count;
    const char *const *filters;
    const struct limits *limits;
    bool json;
    FILE *to;
    int64_t cells, empty; /* set: cells that an operation can fill, */
};

bool cover_values(struct cover_values *x, struct status *st);

#endif
