/* deviation_sample.c - a few units of a result refute most deviations.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where every operation of a program is element-wise, one unit can be evaluated
 * alone.  Elsewhere a unit still shows what a deviation does that takes it from
 * another place, or changes its pattern.  interp/test/test_deviation.c and
 * tools/test/explain.t test this.
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

/* Unit u of a leaf alone, or (placed) where it is; false if its program is not
 * of elements. */
static bool take_sample(const struct deviation_explaining *e, struct arena *a,
                        const struct verdict_leaf *leaf, int64_t u,
                        struct deviation_sample *s)
{
    int parts = dtype_units(leaf->got->shape->dtype);
    const struct test_case *c = e->by->made;
    *s = (struct deviation_sample){.leaf = leaf};
    s->one = e->placed
                 ? deviation_unit_leaf(a, c, leaf->leaf)
                 : deviation_unit(a, c, leaf->leaf, u / parts, &s->spread);
    if (!s->one && !e->placed)
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

static void take_all(struct deviation_explaining *e, struct arena *a,
                     bool right)
{
    int leaves = e->v->leaf_count, left = DEVIATION_SAMPLES;
    for (int i = 0; i < leaves && left > 0; i++) {
        int most = (left + leaves - i - 1) / (leaves - i);
        if (e->v->leaves[i].goal->rule != GOAL_CHECK)
            left -= take_samples(e, a, &e->v->leaves[i], right, most);
    }
}

void deviation_sample_take(struct deviation_explaining *e, struct arena *a)
{
    const struct test_case *c = e->by->made;
    take_all(e, a, false);
    take_all(e, a, true);
    if (e->sample_count > 0 || e->by->plain->replicas > 1
        || c->input_count != c->program->entry->parameter_count)
        return;
    e->placed = true;
    take_all(e, a, false);
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
    const struct literal *got = e->placed ? s->leaf->got : s->got;
    int64_t at = e->placed ? s->unit : s->part;
    const struct deviation *d = e->use->what;
    /* Operands of different shapes are not exchanged, but scalars are. */
    if (!s->one || (s->spread && (d->change || d->swap)))
        return false;
    hook->shared = &s->shared;
    bool good = judge_reference(e->by->arena, s->one, mode, &ref, &st);
    hook->shared = NULL;
    if (!good)
        return false;
    if (s->right)
        return rules_out(e, denies(s, e, ref.outcomes[0].value));
    const struct goal *goal = judge_ways_goal(e->by->arena, &ref, 0, 0);
    const struct goal *own = s->leaf->goal;
    uint64_t other = literal_get(ref.outcomes[0].value, at);
    bool matches = deviation_open_matches(own, literal_get(got, at), other);
    e->matched = e->matched || matches;
    if (goal->rule == GOAL_CHECK || matches)
        return false;
    bool changed = rules_out(e, !deviation_open_matches(own, s->want, other));
    if (e->partly || !deviation_judge_has_sets(e))
        return !e->partly || changed;
    struct rule_basis basis = rule_basis(mode->profile, goal);
    return !verdict_set_has(&basis, goal, got, at);
}

/* Do its results follow from the right ones?  Data that only move have exact
 * values. */
static bool is_of_results(const struct deviation *d, const struct program *p,
                          const struct deviation_sample *s)
{
    const struct goal *g = s->leaf->goal;
    return d->kind == DEVIATION_ENVIRONMENT && d->on_results && d->step
           && (!d->step->exact || (g->rule == GOAL_MOVED && !g->sources))
           && deviation_run_single(p);
}

/* What the deviation makes of the unit of a sample, known without an evaluation
 * under it; false if it does not apply to that array. */
static bool find_unit(const struct deviation_sample *s,
                      const struct deviation_explaining *e,
                      const struct literal *plain, uint64_t *bits)
{
    const struct deviation *d = e->use->what;
    const struct test_case *c = e->by->made;
    if (d->kind == DEVIATION_TRANSFORM)
        return deviation_transform_unit(d, plain, c->input_count, c->inputs[0],
                                        s->unit, bits);
    *bits = deviation_environment_unit(d, deviation_run_single(c->program)->op,
                                       plain, s->unit);
    return true;
}

/* The same of a deviation that takes a unit from another place, or changes its
 * pattern. */
static bool refutes_placed(const struct deviation_sample *s,
                           struct deviation_explaining *e)
{
    const struct goal *g = s->leaf->goal;
    const struct literal *plain =
        literal_leaf(e->by->plain->outcomes[0].value, s->leaf->leaf);
    uint64_t got = literal_get(s->got, s->part), other;
    if (!find_unit(s, e, plain, &other)) {
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
    const struct program *p = e->by->made->program;
    struct judge_mode mode = *under;
    mode.want_exact = true;
    e->matched = e->from > 1;
    for (int i = e->from; i < e->sample_count; i++)
        if (d->kind == DEVIATION_TRANSFORM
                    || (e->placed && is_of_results(d, p, &e->samples[i]))
                ? refutes_placed(&e->samples[i], e)
                : refutes(&e->samples[i], e, hook, &mode)) {
            e->at = i;
            return true;
        }
    return e->partly && !e->placed && e->sample_count > 0 && !e->matched;
}

bool deviation_sample_denies(const struct deviation_explaining *e)
{
    struct deviation_sample s;
    for (int i = 0; i < 2 && e->sample_count > 0 && !e->placed; i++) {
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
