/* deviation_located_judge.c - would a deviation be rejected at each place?  See
 * deviation_judge.h; interp/test/test_place.c tests this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_explain.h"

/* Finds the units of one array that decide about the places they are at. */
static void find_units(const struct judge_value *by,
                       const struct deviation_judged *j,
                       const struct verdict_leaf *leaf,
                       const struct deviation_located *at,
                       struct deviation_places *p)
{
    const struct literal *right =
        literal_leaf(by->plain->outcomes[0].value, leaf->leaf);
    const struct literal *other =
        literal_leaf(j->other.outcomes[0].value, leaf->leaf);
    int parts = dtype_units(right->shape->dtype);
    int64_t n = literal_units(right);
    for (int64_t u = 0; u < n && (p->wanted & ~p->rejected); u++) {
        unsigned state = leaf->state[u];
        if (state == VERDICT_UNUSED
            || literal_get(right, u) == literal_get(other, u))
            continue;
        uint64_t found =
            p->wanted & deviation_located_element(at, leaf->leaf, u / parts);
        p->differs |= found;
        p->permitted |= state > VERDICT_INSIDE ? found : 0;
        p->rejected |= state == VERDICT_PENDING ? found : 0;
    }
}

/* A result that is judged as a whole, at a place: mixed, and judged. */
static void find_mixed(const struct judge_value *by,
                       const struct deviation_judged *j,
                       const struct deviation_located *at,
                       const struct place *place, struct deviation_places *p)
{
    uint64_t bit = UINT64_C(1) << place->number;
    struct judge_reference mixed = j->other;
    struct outcome out = j->other.outcomes[0];
    struct verdict *v = arena_new(by->arena, struct verdict, 1);
    enum verdict_status status;
    out.value = deviation_located_mix(by->arena, at, place,
                                      by->plain->outcomes[0].value, out.value);
    mixed.outcomes = &out;
    if (deviation_judge_same(by->plain, &mixed)
        || !deviation_judge_values(by, &mixed, v, &status))
        return;
    p->differs |= bit;
    p->rejected |= verdict_is_failure(status) ? bit : 0;
    p->permitted |= v->remark_count > 0 ? bit : 0;
}

static bool has_whole(const struct verdict *v)
{
    for (int i = 0; i < v->leaf_count; i++)
        if (v->leaves[i].goal->rule == GOAL_CHECK)
            return true;
    return false;
}

/* Are units wrong in every way?  Which, and how, is not asked for. */
static bool is_rejected(void *context, const struct verdict_leaf *leaves,
                        int count, bool ended)
{
    for (int i = 0; i < count && ended; i++) {
        int64_t n = literal_units(leaves[i].got);
        if (memchr(leaves[i].state, VERDICT_PENDING, (size_t)n))
            return true;
    }
    return false;
}

enum deviation_result deviation_located_judge(
    const struct judge_value *of, struct deviation_shared *shared,
    const struct deviation_use *use, const struct deviation_located *at,
    struct deviation_places *p, const char **policy)
{
    struct deviation_judged j;
    struct judge_value own = *of;
    const struct judge_value *by = &own;
    struct deviation_hook none = {.shared = shared, .by = by};
    own.mode.evaluate = deviation_judge_evaluate;
    own.mode.context = &none;
    if (!p->wanted)
        own.enough = is_rejected;
    enum deviation_result result = deviation_judge_under(by, shared, use, &j);
    *policy = j.policy;
    p->differs = p->permitted = p->rejected = 0;
    if (result <= DEVIATION_SAME || !p->wanted)
        return result;
    const struct place_table *places = at->places;
    uint64_t all = at->all & p->wanted;
    p->differs = all;
    p->permitted = result == DEVIATION_PERMITTED ? all : 0;
    p->rejected = result == DEVIATION_REJECTED ? all : 0;
    for (int i = 0; i < places->count && has_whole(j.v); i++)
        if (p->wanted & places->of_elements & ~p->rejected & UINT64_C(1) << i)
            find_mixed(by, &j, at, &places->rows[i], p);
    for (int i = 0; i < j.v->leaf_count && !has_whole(j.v); i++)
        if (!j.v->leaves[i].fed)
            find_units(by, &j, &j.v->leaves[i], at, p);
    return result;
}
