/* check_compact.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/check.h"

int64_t *check_compact_places(struct arena *a, const struct shape *compact,
                              const struct shape *s)
{
    int64_t n = shape_elements(compact), index[SHAPE_RANK_MAX] = {0};
    int64_t *places = arena_new(a, int64_t, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++) {
        places[i] = shape_linear(s->rank, s->dims, index);
        shape_next_index(s->rank, compact->dims, index);
    }
    return places;
}

/* The returned values, compact; the expected ones where they do not count. */
static const struct literal *compact(struct arena *a,
                                     const struct literal *expected,
                                     const struct literal *got)
{
    struct literal *to = literal_copy(a, expected);
    const struct shape *s = expected->shape;
    int64_t index[SHAPE_RANK_MAX] = {0};
    for (int64_t i = 0, n = shape_elements(s); i < n; i++) {
        if (literal_counts(got, index))
            literal_move(to, i, got,
                         shape_linear(s->rank, got->shape->dims, index));
        shape_next_index(s->rank, s->dims, index);
    }
    return to;
}

/* The unit of an array of shape s that is that unit of the compact one. */
static int64_t unit_in(struct arena *a, const struct shape *compact,
                       const struct shape *s, int64_t unit)
{
    int units = dtype_units(s->dtype);
    if (shape_elements(compact) == 0)
        return unit;
    return check_compact_places(a, compact, s)[unit / units] * units
           + unit % units;
}

bool check_compact(const struct goal *goal, const struct literal *const *got,
                   int n, struct goal_finding *found)
{
    struct goal *const *own = goal->check.data;
    struct arena *a = goal->arena;
    int first = goal->check.place;
    const struct literal **small =
        arena_new(a, const struct literal *, (size_t)n);
    for (int i = 0; i < n; i++)
        small[i] = compact(a, own[first + i]->value, got[i]);
    bool right = own[first]->check.holds(own[first], small, n, found);
    found->unit = unit_in(a, small[found->leaf]->shape, got[found->leaf]->shape,
                          found->unit);
    found->share_unit =
        unit_in(a, small[0]->shape, got[0]->shape, found->share_unit);
    return right;
}
