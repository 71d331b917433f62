/* check_updates.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/check/check.h"

bool check_updates_alike(enum dtype unit, uint64_t x, uint64_t y)
{
    return x == y
           || (dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, x)
               && real_is_nan(unit, y));
}

/* Are arrays first to last of a part like that result?  got[0] is array which.
 */
static bool is_result(const struct check_updates *w,
                      const struct check_updates_part *p, int64_t result,
                      const struct literal *const *got, int which, int first,
                      int last)
{
    const uint64_t *row = p->results + result * p->slots * w->width;
    for (int64_t i = 0; i < p->slots; i++)
        for (int k = 0; k < w->n; k++) {
            enum dtype type = w->values[k]->shape->dtype;
            int units = dtype_units(type);
            for (int u = 0; u < units; u++, row++)
                if (k >= first && k <= last
                    && !check_updates_alike(
                        dtype_unit(type), *row,
                        literal_get(got[k - which],
                                    p->elements[i] * units + u)))
                    return false;
        }
    return true;
}

static bool has_result(const struct check_updates *w,
                       const struct check_updates_part *p,
                       const struct literal *const *got, int which, int first,
                       int last)
{
    for (int64_t i = 0; i < p->count; i++)
        if (is_result(w, p, i, got, which, first, last))
            return true;
    return false;
}

static bool check_rest(const struct check_updates *w, const struct literal *got,
                       int k, int64_t *unit)
{
    enum dtype type = got->shape->dtype;
    int units = dtype_units(type);
    for (int64_t i = 0, n = literal_units(got); i < n; i++) {
        uint64_t x = literal_get(got, i), y = literal_get(w->values[k], i);
        *unit = i;
        if (w->open[i / units] || x == y)
            continue;
        if (!w->hit[i / units] || !check_updates_alike(dtype_unit(type), x, y))
            return false;
    }
    return true;
}

bool check_updates(const struct goal *goal, const struct literal *const *got,
                   int n, struct goal_finding *found)
{
    const struct check_updates *w = goal->check.data;
    /* A program may pass on only some of the results. */
    int which = goal->check.place;
    for (found->leaf = 0; found->leaf < n; found->leaf++)
        if (!check_rest(w, got[found->leaf], which + found->leaf,
                        &found->unit)) {
            snprintf(found->why, sizeof found->why,
                     "an element differs from every result of its updates");
            return false;
        }
    for (int64_t i = 0; i < w->part_count; i++) {
        const struct check_updates_part *p = &w->parts[i];
        for (int k = 0; k < (w->one_order ? 1 : n); k++) {
            int last = which + (w->one_order ? n - 1 : k);
            if (has_result(w, p, got, which, which + k, last))
                continue;
            found->leaf = k;
            found->unit = p->elements[0] * dtype_units(got[k]->shape->dtype);
            snprintf(found->why, sizeof found->why,
                     "no order of the updates explains element %" PRId64 "%s",
                     p->elements[0],
                     w->one_order ? " and those updated with it" : "");
            return false;
        }
    }
    return true;
}
