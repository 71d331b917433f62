/* deviation_open.c - see deviation_private.h; interp/test/test_deviation.c and
 * tools/test/reasons.t test this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_private.h"

bool deviation_open_matches(const struct goal *g, uint64_t got, uint64_t other)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    return got == other
           || ((g->rule != GOAL_MOVED || g->sources)
               && dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, got)
               && real_is_nan(unit, other));
}

/* Does the deviation leave element i of a leaf as it is to be judged: wrong, or
 * as it was returned? */
static bool is_left(const struct verdict_leaf *leaf,
                    const struct literal *other, int64_t i)
{
    int parts = dtype_units(other->shape->dtype);
    for (int64_t u = i * parts; u < (i + 1) * parts; u++)
        if (leaf->state[u] != VERDICT_UNUSED
            && leaf->state[u] != VERDICT_PENDING
            && !deviation_open_matches(leaf->goal, literal_get(leaf->got, u),
                                       literal_get(other, u)))
            return false;
    return true;
}

struct judge_reference deviation_open(struct arena *a, const struct verdict *v,
                                      const struct judge_reference *reference,
                                      const struct judge_reference *other)
{
    struct judge_reference masked = *other;
    masked.outcomes = arena_new(a, struct outcome, (size_t)masked.replicas);
    for (int r = 0; r < masked.replicas; r++) {
        masked.outcomes[r] = other->outcomes[r];
        masked.outcomes[r].value = literal_copy(a, masked.outcomes[r].value);
    }
    for (int i = 0; i < v->leaf_count; i++) {
        const struct verdict_leaf *leaf = &v->leaves[i];
        struct literal *to =
            literal_leaf(masked.outcomes[leaf->replica].value, leaf->leaf);
        const struct literal *plain =
            literal_leaf(reference->outcomes[leaf->replica].value, leaf->leaf);
        int64_t n = literal_units(to) / dtype_units(to->shape->dtype);
        for (int64_t k = 0; leaf->goal->rule != GOAL_CHECK && k < n; k++)
            if (is_left(leaf, to, k))
                literal_move(to, k, plain, k);
    }
    return masked;
}
