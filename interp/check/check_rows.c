/* check_rows.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interp/check/check.h"

static bool same_row(const struct literal *a, const struct literal *b,
                     int64_t row, int64_t k)
{
    size_t size = (size_t)(k * dtype_bytes(a->shape->dtype));
    return memcmp(a->data + (size_t)row * size, b->data + (size_t)row * size,
                  size)
           == 0;
}

bool check_rows(const struct goal *goal, const struct literal *const *got,
                int n, struct goal_finding *found)
{
    const struct check_rows *e = goal->check.data;
    bool indices = goal->check.place == 1; /* alone */
    int64_t rows = shape_elements(got[0]->shape) / e->k;
    for (int64_t row = 0; row < rows; row++) {
        bool right = false;
        for (int w = 0; w < 2 && !right; w++) {
            const struct check_rows_way *f = &e->way[w];
            right =
                same_row(got[0], indices ? f->indices : f->values, row, e->k)
                && (n < 2 || same_row(got[1], f->indices, row, e->k));
        }
        if (right)
            continue;
        found->leaf = 0;
        found->unit = row * e->k;
        snprintf(found->why, sizeof found->why,
                 "row %" PRId64 " is wrong, however zeros are ordered", row);
        return false;
    }
    return true;
}
