/* scatter_last.c - see scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/check.h"
#include "interp/ops/scatter.h"

/* Do two hits of one element differ? */
static bool has_conflict(const struct scatter *s)
{
    if (s->unique)
        return s->optional;
    for (int64_t i = 1; i < s->count; i++)
        for (int k = 0; k < s->n; k++)
            if (s->hits[i].key == s->hits[i - 1].key
                && !literal_same(scatter_updates(s, k), s->hits[i].place,
                                 scatter_updates(s, k), s->hits[i - 1].place))
                return true;
    return s->optional;
}

static const struct check_last *what_may_be_last(const struct scatter *s)
{
    struct arena *a = s->ev->arena;
    struct check_last *l = arena_new(a, struct check_last, 1);
    struct check_last_hit *hits =
        arena_new(a, struct check_last_hit, (size_t)s->count);
    for (int64_t i = 0; i < s->count; i++)
        hits[i] = (struct check_last_hit){
            .element = s->hits[i].key,
            .update = s->hits[i].place,
            .window = scatter_window(s, i),
            .optional = scatter_is_optional(s, i),
        };
    *l = (struct check_last){
        .n = s->n,
        .one_order = scatter_in_one_order(s),
        .elements = s->elements,
        .windows = s->windows,
        .count = s->count,
        .hits = hits,
        .operands = arena_new(a, const struct literal *, (size_t)s->n),
        .updates = arena_new(a, const struct literal *, (size_t)s->n),
    };
    for (int k = 0; k < s->n; k++) {
        l->operands[k] = scatter_operand(s, k);
        l->updates[k] = scatter_updates(s, k);
    }
    return l;
}

void scatter_last_eval(struct scatter *s, struct goal **goals)
{
    for (int k = 0; k < s->n; k++)
        for (int64_t i = 0; i < s->count; i++)
            literal_move(goals[k]->value, s->hits[i].key, scatter_updates(s, k),
                         s->hits[i].place);
    if (!s->ev->want_exact || !has_conflict(s))
        return;
    const struct check_last *l = what_may_be_last(s);
    for (int k = 0; k < s->n; k++)
        goal_make_check(goals[k], check_last, l, k);
}
