/* deviation_sample.c - a few units of a result refute most deviations.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where every operation of a program is element-wise, one unit can be evaluated
 * alone.  interp/test/test_deviation.c and tools/test/explain.t test this.
 */
#include "interp/deviation/deviation_explain.h"
#include "interp/deviation/deviation_private.h"
#include "interp/judge/judge_ways.h"
#include "interp/judge/verdict.h"

/* The first unit from u on that is wrong, or right, or n. */
static int64_t next_unit(const struct verdict_leaf *leaf, bool right, int64_t u,
                         int64_t n)
{
    while (u < n
           && (leaf->state[u] == VERDICT_UNUSED
               || (leaf->state[u] != VERDICT_PENDING) != right))
        u++;
    return u;
}

/* Unit u of a leaf alone; false if its program is not of elements. */
static bool take_sample(const struct deviation_explaining *e, struct arena *a,
                        const struct verdict_leaf *leaf, int64_t u,
                        struct deviation_sample *s)
{
    int parts = dtype_units(leaf->got->shape->dtype);
    *s = (struct deviation_sample){
        .leaf = leaf,
        .one = deviation_unit(a, e->by->made, leaf->leaf, u / parts)};
    if (!s->one)
        return false;
    s->right = leaf->state[u] != VERDICT_PENDING;
    s->got = deviation_unit_of(a, leaf->got, u / parts);
    s->part = (int)(u % parts);
    s->unit = u;
    s->want = literal_get(leaf->goal->value, u);
    return true;
}

/* At most so many of a leaf; how many. */
static int take_samples(struct deviation_explaining *e, struct arena *a,
                        const struct verdict_leaf *leaf, bool right, int most)
{
    int64_t n = literal_units(leaf->got), last = -1;
    for (int i = 0; i < most; i++) {
        int64_t from = n / most * i;
        int64_t u = next_unit(leaf, right, from > last ? from : last + 1, n);
        if (u == n || !take_sample(e, a, leaf, u, &e->samples[e->sample_count]))
            return i;
        e->sample_count++;
        last = u;
    }
    return most;
}

void deviation_sample_take(struct deviation_explaining *e, struct arena *a,
                           bool right)
{
    int leaves = e->v->leaf_count, left = DEVIATION_SAMPLES;
    for (int i = 0; i < leaves && left > 0; i++) {
        int most = (left + leaves - i - 1) / (leaves - i);
        if (e->v->leaves[i].goal->rule != GOAL_CHECK)
            left -= take_samples(e, a, &e->v->leaves[i], right, most);
    }
}

/* Is a value under the deviation, of a unit that is right, wrong in every way?
 * Then the deviation would be contradicted, at the price of judging all. */
static bool denies(const struct deviation_sample *s,
                   const struct deviation_explaining *e,
                   const struct literal *value)
{
    struct judge_value by = *e->by;
    struct judge_reference plain, ref;
    struct outcome out;
    struct status st = {0};
    enum verdict_status status;
    if (deviation_open_matches(s->leaf->goal, literal_get(s->got, s->part),
                               literal_get(value, s->part))
        || !judge_reference(by.arena, s->one, &by.mode, &plain, &st))
        return false;
    by.made = s->one;
    by.plain = &plain;
    out = plain.outcomes[0];
    out.value = literal_copy(by.arena, value);
    ref = plain;
    ref.outcomes = &out;
    struct verdict *w = arena_new(by.arena, struct verdict, 1);
    return deviation_judge_values(&by, &ref, w, &status)
           && verdict_is_failure(status) && w->leaf_count == 1
           && w->leaves[0].state[s->part] == VERDICT_PENDING;
}

static bool rules_out(struct deviation_explaining *e, bool shown)
{
    e->may_be_part = e->may_be_part && !shown;
    return shown;
}

/* Does that unit alone show that the deviation is no cause?  Where the program
 * of scalars is none it shows nothing. */
static bool refutes(struct deviation_sample *s, struct deviation_explaining *e,
                    struct deviation_hook *hook, const struct judge_mode *mode)
{
    struct judge_reference ref;
    struct status st = {0};
    hook->shared = &s->shared;
    bool good = judge_reference(e->by->arena, s->one, mode, &ref, &st);
    hook->shared = NULL;
    if (!good)
        return false;
    if (s->right)
        return rules_out(e, denies(s, e, ref.outcomes[0].value));
    const struct goal *goal = judge_ways_goal(e->by->arena, &ref, 0, 0);
    const struct goal *own = s->leaf->goal;
    uint64_t other = literal_get(ref.outcomes[0].value, s->part);
    bool matches =
        deviation_open_matches(own, literal_get(s->got, s->part), other);
    e->matched = e->matched || matches;
    if (goal->rule == GOAL_CHECK || matches)
        return false;
    bool changed = rules_out(e, !deviation_open_matches(own, s->want, other));
    if (e->partly || !deviation_judge_has_sets(e))
        return !e->partly || changed;
    struct rule_basis basis = rule_basis(mode->profile, goal);
    return !verdict_set_has(&basis, goal, s->got, s->part);
}

/* The same of a transform, which takes a unit from another place. */
static bool refutes_transform(const struct deviation_sample *s,
                              struct deviation_explaining *e)
{
    const struct test_case *c = e->by->made;
    const struct goal *g = s->leaf->goal;
    const struct literal *plain =
        literal_leaf(e->by->plain->outcomes[0].value, s->leaf->leaf);
    uint64_t got = literal_get(s->got, s->part), other;
    if (!deviation_transform_unit(e->use->what, plain, c->input_count,
                                  c->inputs[0], s->unit, &other)) {
        if (e->v->leaf_count == 1)
            return rules_out(e, true);
        other = literal_get(plain, s->unit); /* it may apply to another array */
    }
    if (s->right) {
        struct literal *value = literal_copy(e->by->arena, s->got);
        literal_set(value, s->part, other);
        return rules_out(e, denies(s, e, value));
    }
    bool matches = deviation_open_matches(g, got, other);
    e->matched = e->matched || matches;
    return !matches
           && (rules_out(e, !deviation_open_matches(g, s->want, other))
               || !e->partly);
}

bool deviation_sample_refutes(struct deviation_explaining *e,
                              struct deviation_hook *hook,
                              const struct judge_mode *under)
{
    const struct deviation *d = e->use->what;
    struct judge_mode mode = *under;
    mode.want_exact = true;
    e->matched = e->from > 1;
    for (int i = e->from; i < e->sample_count; i++)
        if (d->kind == DEVIATION_TRANSFORM
                ? refutes_transform(&e->samples[i], e)
                : refutes(&e->samples[i], e, hook, &mode)) {
            e->at = i;
            return true;
        }
    return e->partly && e->sample_count > 0 && !e->matched;
}

bool deviation_sample_denies(const struct deviation_explaining *e)
{
    struct deviation_sample s;
    for (int i = 0; i < 2 && e->sample_count > 0; i++) {
        int64_t u = e->open[i];
        const struct verdict_leaf *leaf = e->open_leaf[i];
        if (!take_sample(e, e->by->arena, leaf, u, &s))
            break;
        const struct literal *other = deviation_judge_leaf(e, leaf);
        int parts = dtype_units(other->shape->dtype);
        if (denies(&s, e, deviation_unit_of(e->by->arena, other, u / parts)))
            return true;
    }
    return false;
}
