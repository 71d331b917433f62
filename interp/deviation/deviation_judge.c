/* deviation_judge.c - see deviation_judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_judge.h"

#include <string.h>

#include "interp/deviation/deviation_open.h"
#include "interp/deviation/deviation_run.h"
#include "interp/deviation/deviation_unit.h"
#include "interp/judge/judge_ways.h"
#include "interp/judge/verdict_set.h"

enum {
    STEPS_ONE = 1 << 22,  /* of one evaluation under a deviation */
    STEPS_CASE = 1 << 24, /* of all that explain one case */
    UNITS_CASE = 1 << 24, /* that are computed for all of them */
    SAMPLES = 8,          /* wrong units, and right ones, tried alone */
    TEXT = 320
};

/* ---- A case under a deviation -------------------------------------------- */

struct hook {
    const struct deviation_use *use; /* NULL: as the specification says */
    int64_t steps;                   /* of all evaluations so far */
    struct deviation_search *search; /* what it is part of, or NULL */
    /* While the plain goals are evaluated under one of many deviations; without
     * a deviation, what is by's own evaluation is evaluated once. */
    struct deviation_shared *shared;
    const struct judge_value *by;
};

static bool may_search(struct deviation_search *s)
{
    s->ended = s->ended || (s->goes_on && !s->goes_on(s->context));
    return !s->ended;
}

/* Is it as the specification says, of the case's own inputs, with goals? */
static bool is_plain_exact(const struct hook *h, const struct machine *m,
                           struct literal *const *const *inputs)
{
    return !h->use && h->by && m->want_exact && m->flush == MACHINE_KEEP
           && m->sources == MACHINE_KEEP && m->profile == h->by->mode.profile
           && inputs == (struct literal *const *const *)h->by->made->inputs;
}

/* Judging one deviation evaluates the program for each way in which a result
 * may be right, so time is checked here, and not between deviations only.
 */
static bool evaluate(void *context, struct arena *a, struct machine *m,
                     struct literal *const *const *inputs,
                     struct outcome *outcomes, struct status *st)
{
    struct hook *h = context;
    if (h->search && !may_search(h->search))
        return FAIL(st, UNSUPPORTED, "the search for causes takes too long");
    bool good;
    if (h->use)
        good = h->shared ? deviation_run_shared(a, h->shared, h->use, m, inputs,
                                                outcomes, st)
                         : deviation_run(a, h->use, m, inputs, outcomes, st);
    else
        good = is_plain_exact(h, m, inputs)
                   ? deviation_run_goals(h->shared, m, inputs, outcomes, st)
                   : evaluate_program(a, m, inputs, outcomes, st);
    h->steps += m->steps;
    return good;
}

/* The mode in which a case is evaluated under the hook's deviation. */
static struct judge_mode mode_under(const struct judge_value *by,
                                    struct hook *hook, struct limits *limits)
{
    struct judge_mode mode = by->mode;
    *limits = *mode.limits;
    if (limits->steps > STEPS_ONE)
        limits->steps = STEPS_ONE;
    mode.limits = limits;
    mode.evaluate = evaluate;
    mode.context = hook;
    return mode;
}

static bool same(const struct judge_reference *a,
                 const struct judge_reference *b)
{
    for (int r = 0; r < a->replicas; r++) {
        if (!literal_equal(a->outcomes[r].value, b->outcomes[r].value)
            || a->outfeed_count[r] != b->outfeed_count[r])
            return false;
        for (int i = 0; i < a->outfeed_count[r]; i++)
            if (!literal_equal(a->outfeed[r][i], b->outfeed[r][i]))
                return false;
    }
    return true;
}

/* Judge values that were computed under a deviation. */
static bool judge(const struct judge_value *by, const struct judge_reference *r,
                  struct verdict *v, enum verdict_status *status)
{
    int count;
    char text[TEXT];
    struct judge_given *given = judge_value_returned(by->arena, r, &count);
    return judge_value(by, given, count, v, status, text, sizeof text);
}

/* The same for what they wrote to the outfeed. */
static bool judge_outfeed(const struct judge_value *by,
                          const struct judge_reference *r, struct verdict *v)
{
    int count;
    char text[TEXT];
    enum verdict_status status;
    struct judge_given *fed = judge_value_fed(by->arena, r, &count);
    return judge_value_outfeed(by, fed, count, v, &status, text, sizeof text);
}

enum deviation_result deviation_judge(const struct judge_value *by,
                                      const struct deviation_use *use,
                                      const char **policy,
                                      const struct verdict **wrong)
{
    struct hook hook = {.use = use};
    struct limits limits;
    const struct judge_mode mode = mode_under(by, &hook, &limits);
    struct judge_reference other;
    struct status st = {0};
    enum verdict_status status;
    *policy = NULL;
    if (wrong)
        *wrong = NULL;
    if (!judge_reference(by->arena, by->made, &mode, &other, &st))
        return DEVIATION_NONE;
    if (same(by->plain, &other))
        return DEVIATION_SAME;
    for (int r = 0; r < other.replicas; r++)
        if (by->plain->outfeed_count[r] != other.outfeed_count[r])
            return DEVIATION_REJECTED;
    struct verdict *v = arena_new(by->arena, struct verdict, 1);
    if (!judge(by, &other, v, &status))
        return DEVIATION_NONE;
    if (verdict_is_failure(status)) {
        if (wrong)
            *wrong = v;
        return DEVIATION_REJECTED;
    }
    if (!judge_outfeed(by, &other, v))
        return DEVIATION_REJECTED;
    if (v->remark_count > 0)
        *policy = v->remarks[0].name;
    else if (v->branch[VERDICT_RESULTS] + v->branch[VERDICT_OPERANDS] > 0)
        *policy = "flush";
    return *policy ? DEVIATION_PERMITTED : DEVIATION_ACCEPTED;
}

/* ---- Explaining a wrong result ------------------------------------------- */

/* The case with one wrong unit's element alone, what was given there, and which
 * part of it the unit is. */
struct sample {
    struct test_case *one;
    bool right; /* as the deviation must leave it */
    const struct literal *got;
    int part;
    struct deviation_shared shared;
};

struct explaining {
    const struct judge_value *by;
    const struct verdict *v;
    const struct judge_given *given;
    int given_count;
    const struct deviation_use *use;
    const struct judge_reference *other; /* under the deviation */
    bool contradicted;                   /* by a unit that is right */
    /* The first and the last unit where a right value is another one than the
     * deviation gives; -1: none. */
    int64_t open[2];
    int sample_count; /* 0 if none can be made */
    struct sample samples[2 * SAMPLES];
};

static const struct literal *other_leaf(const struct explaining *e,
                                        const struct verdict_leaf *leaf)
{
    return literal_leaf(e->other->outcomes[leaf->replica].value, leaf->leaf);
}

/* Is every wrong unit what the deviation gives?  In *moved how many units it
 * changes, in e->open which of them are other right values. */
static bool matches_all(struct explaining *e, int64_t *moved)
{
    *moved = 0;
    e->open[0] = e->open[1] = -1;
    for (int i = 0; i < e->v->leaf_count; i++) {
        const struct verdict_leaf *leaf = &e->v->leaves[i];
        const struct literal *other = other_leaf(e, leaf);
        bool whole = leaf->goal->rule == GOAL_CHECK;
        int64_t n = literal_units(leaf->got);
        for (int64_t u = 0; u < n; u++) {
            uint64_t bits = literal_get(other, u);
            bool wrong = leaf->state[u] == VERDICT_PENDING;
            if (leaf->state[u] == VERDICT_UNUSED)
                continue;
            *moved += bits != literal_get(leaf->goal->value, u);
            if (deviation_open_matches(leaf->goal, literal_get(leaf->got, u),
                                       bits))
                continue;
            if (wrong || whole)
                return false;
            e->open[0] = e->open[0] < 0 ? u : e->open[0];
            e->open[1] = u;
        }
    }
    return true;
}

/* Of leaves that were judged another time: the first whose unit is found. */
static bool any_unit(const struct verdict_leaf *own,
                     const struct verdict_leaf *other, int count,
                     bool (*found)(unsigned own, unsigned other))
{
    for (int i = 0; i < count; i++) {
        int64_t n = literal_units(own[i].got);
        for (int64_t u = 0; u < n; u++)
            if (found(own[i].state[u], other[i].state[u]))
                return true;
    }
    return false;
}

static bool is_made_wrong(unsigned own, unsigned other)
{
    return other == VERDICT_PENDING && own != VERDICT_PENDING;
}

static bool is_not_made_right(unsigned own, unsigned other)
{
    return own == VERDICT_PENDING
           && (other == VERDICT_PENDING || other > VERDICT_INSIDE);
}

/* Which of the values under a deviation are wrong?  No other way makes a right
 * unit wrong, and what all ways leave is known without a list of it. */
static bool knows_wrong(void *context, const struct verdict_leaf *leaves,
                        int count, bool ended)
{
    struct explaining *e = context;
    int n = count < e->v->leaf_count ? count : e->v->leaf_count;
    e->contradicted = any_unit(e->v->leaves, leaves, n, is_made_wrong);
    return ended || !e->contradicted;
}

/* Would the deviation make a unit wrong that is right? */
static bool is_contradicted(struct explaining *e)
{
    struct judge_value by = *e->by;
    const struct judge_reference open =
        deviation_open(e->by->arena, e->v, e->by->plain, e->other);
    struct verdict *w = arena_new(by.arena, struct verdict, 1);
    enum verdict_status status;
    by.enough = knows_wrong;
    by.context = e;
    e->contradicted = true; /* unless units say otherwise */
    return judge(&by, &open, w, &status) && !verdict_is_failure(status)
               ? false
               : e->contradicted;
}

/* Can the deviation's own acceptance set decide more than its bits? */
static bool has_sets(const struct explaining *e)
{
    const struct deviation *d = e->use->what;
    bool inexact = false;
    for (int i = 0; i < e->v->leaf_count; i++)
        inexact = inexact || goal_is_rounded(e->v->leaves[i].goal);
    return inexact
           && (d->kind == DEVIATION_REWRITE
               || (d->kind == DEVIATION_ENVIRONMENT && !d->on_results));
}

/* Does a wrong unit lie in the set of the same unit under the deviation?  A
 * rule that takes anything there, or a permitted choice, explains nothing. */
static bool all_inside(const struct verdict *v, const struct verdict *w)
{
    if (w->leaf_count != v->leaf_count)
        return false;
    for (int i = 0; i < v->leaf_count; i++) {
        const struct goal *g = w->leaves[i].goal;
        int64_t n = literal_units(w->leaves[i].got);
        for (int64_t u = 0; u < n; u++)
            if (is_not_made_right(v->leaves[i].state[u], w->leaves[i].state[u])
                || (v->leaves[i].state[u] == VERDICT_PENDING
                    && (!goal_is_rounded(g)
                        || (g->free_units && g->free_units[u]))))
                return false;
    }
    return true;
}

/* Other ways explain a unit that the plain goals under a deviation leave, but
 * not inside its set. */
static bool knows_outside(void *context, const struct verdict_leaf *leaves,
                          int count, bool ended)
{
    const struct explaining *e = context;
    return count != e->v->leaf_count
           || any_unit(e->v->leaves, leaves, count, is_not_made_right);
}

/* Is the result right as a whole where the rule is what the program gives under
 * the deviation? */
static bool is_right_under(struct explaining *e, const struct judge_mode *mode)
{
    struct judge_value under = *e->by;
    struct verdict *w = arena_new(e->by->arena, struct verdict, 1);
    enum verdict_status status;
    char text[TEXT];
    under.mode = *mode;
    under.plain = e->other;
    under.unremarked = true;
    under.enough = knows_outside;
    under.context = e;
    return judge_value(&under, e->given, e->given_count, w, &status, text,
                       sizeof text)
           && !verdict_is_failure(status) && all_inside(e->v, w)
           && !is_contradicted(e);
}

/* ---- By one unit --------------------------------------------------------- */

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

/* Unit u of the one array alone; false if its program is not of elements. */
static bool take_sample(const struct explaining *e, struct arena *a, int64_t u,
                        struct sample *s)
{
    const struct verdict_leaf *leaf = &e->v->leaves[0];
    int parts = dtype_units(leaf->got->shape->dtype);
    *s = (struct sample){.one = deviation_unit(a, e->by->made, u / parts)};
    if (!s->one)
        return false;
    s->right = leaf->state[u] != VERDICT_PENDING;
    s->got = deviation_unit_of(a, leaf->got, u / parts);
    s->part = (int)(u % parts);
    return true;
}

/* Some units alone, wrong or right, if the result is one array: the first one,
 * and others far from it, as operands beside each other are often alike. */
static void take_samples(struct explaining *e, struct arena *a, bool right)
{
    const struct verdict_leaf *leaf = &e->v->leaves[0];
    if (e->v->leaf_count != 1 || leaf->goal->rule == GOAL_CHECK)
        return;
    int64_t n = literal_units(leaf->got), last = -1;
    for (int i = 0; i < SAMPLES; i++) {
        int64_t from = n / SAMPLES * i;
        int64_t u = next_unit(leaf, right, from > last ? from : last + 1, n);
        if (u == n || !take_sample(e, a, u, &e->samples[e->sample_count]))
            return;
        e->sample_count++;
        last = u;
    }
}

/* Is a value under the deviation, of a unit that is right, wrong in every way?
 * Then the deviation would be contradicted, at the price of judging all. */
static bool denies(const struct sample *s, const struct explaining *e,
                   const struct literal *value)
{
    struct judge_value by = *e->by;
    struct judge_reference plain, ref;
    struct outcome out;
    struct status st = {0};
    enum verdict_status status;
    if (deviation_open_matches(e->v->leaves[0].goal,
                               literal_get(s->got, s->part),
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
    return judge(&by, &ref, w, &status) && verdict_is_failure(status)
           && w->leaf_count == 1
           && w->leaves[0].state[s->part] == VERDICT_PENDING;
}

/* Does that unit alone show that the deviation is no cause?  Where the program
 * of scalars is none it shows nothing. */
static bool refutes(struct sample *s, const struct explaining *e,
                    struct hook *hook, const struct judge_mode *mode)
{
    struct judge_reference ref;
    struct status st = {0};
    hook->shared = &s->shared;
    bool good = judge_reference(e->by->arena, s->one, mode, &ref, &st);
    hook->shared = NULL;
    if (!good)
        return false;
    if (s->right)
        return denies(s, e, ref.outcomes[0].value);
    const struct goal *goal = judge_ways_goal(e->by->arena, &ref, 0, 0);
    uint64_t other = literal_get(ref.outcomes[0].value, s->part);
    if (goal->rule == GOAL_CHECK
        || deviation_open_matches(e->v->leaves[0].goal,
                                  literal_get(s->got, s->part), other))
        return false;
    if (!has_sets(e))
        return true;
    struct rule_basis basis = rule_basis(mode->profile, goal);
    return !verdict_set_has(&basis, goal, s->got, s->part);
}

/* A deviation of places shows nothing in one unit. */
static bool is_refuted(struct explaining *e, struct hook *hook,
                       const struct judge_mode *under)
{
    const struct deviation *d = e->use->what;
    struct judge_mode mode = *under;
    mode.want_exact = true;
    if (d->change || d->kind == DEVIATION_TRANSFORM)
        return false;
    for (int i = 0; i < e->sample_count; i++)
        if (refutes(&e->samples[i], e, hook, &mode))
            return true;
    return false;
}

/* Do units that the deviation changes, although they are right, show alone that
 * it is no cause?  To judge all units is dear. */
static bool is_denied(const struct explaining *e)
{
    struct sample s;
    for (int i = 0; i < 2 && e->sample_count > 0; i++) {
        int64_t u = e->open[i];
        if (!take_sample(e, e->by->arena, u, &s))
            break;
        const struct verdict_leaf *leaf = &e->v->leaves[0];
        const struct literal *other = other_leaf(e, leaf);
        int parts = dtype_units(other->shape->dtype);
        if (denies(&s, e, deviation_unit_of(e->by->arena, other, u / parts)))
            return true;
    }
    return false;
}

/* ---- Each deviation ------------------------------------------------------ */

/* In *units how many were computed. */
static bool explains(struct explaining *e, struct hook *hook,
                     struct deviation_shared *shared,
                     struct deviation_cause *cause, int64_t *units)
{
    struct limits limits;
    const struct judge_mode mode = mode_under(e->by, hook, &limits);
    struct judge_reference other;
    struct status st = {0};
    e->use = hook->use;
    e->other = &other;
    *units = 1;
    if (is_refuted(e, hook, &mode))
        return false;
    *units = e->v->units;
    hook->shared = shared;
    bool good = judge_reference(e->by->arena, e->by->made, &mode, &other, &st);
    hook->shared = NULL;
    if (!good || same(e->by->plain, &other))
        return false;
    *cause = (struct deviation_cause){.name = hook->use->name,
                                      .text = hook->use->what->text,
                                      .units = e->v->bad};
    bool matches = matches_all(e, &cause->moved);
    if (matches && e->open[0] >= 0 && is_denied(e))
        return false;
    cause->exact = matches && !(e->open[0] >= 0 && is_contradicted(e));
    return cause->exact || (has_sets(e) && is_right_under(e, &mode));
}

/* Bit for bit before inside a set; then what changes less. */
static bool is_narrower(const struct deviation_cause *a,
                        const struct deviation_cause *b)
{
    return a->exact != b->exact ? a->exact : a->moved < b->moved;
}

static int keep(struct deviation_cause *causes, int count,
                const struct deviation_cause *cause)
{
    int at = count;
    while (at > 0 && is_narrower(cause, &causes[at - 1]))
        at--;
    if (at == DEVIATION_CAUSES)
        return count;
    count += count < DEVIATION_CAUSES;
    memmove(&causes[at + 1], &causes[at],
            (size_t)(count - 1 - at) * sizeof *causes);
    causes[at] = *cause;
    return count;
}

/* May another deviation be evaluated? */
static bool may_go_on(struct deviation_search *s, const struct hook *hook,
                      int64_t units)
{
    s->ended = s->ended || hook->steps >= STEPS_CASE || units >= UNITS_CASE;
    return may_search(s);
}

int deviation_judge_explain(const struct judge_value *by,
                            const struct deviation_table *table,
                            const struct judge_given *given, int given_count,
                            const struct verdict *v,
                            struct deviation_search *search,
                            struct deviation_cause *causes)
{
    struct judge_value own = *by;
    struct deviation_use *uses;
    int count = 0;
    if (v->leaf_count == 0 || v->bad == 0)
        return 0;
    own.bins = false;
    /* What one deviation takes is free for the next one. */
    struct arena scratch = ARENA_INIT;
    struct deviation_shared shared = {0};
    struct judge_value one = own;
    one.arena = &scratch;
    struct explaining e = {
        .by = &one, .v = v, .given = given, .given_count = given_count};
    struct hook hook = {.search = search};
    struct hook none = {.search = search, .shared = &shared, .by = &one};
    one.mode.evaluate = evaluate;
    one.mode.context = &none;
    int n = deviation_uses(own.arena, table, own.made->program, own.made->op,
                           &uses);
    int64_t units = 0, more;
    take_samples(&e, own.arena, false);
    take_samples(&e, own.arena, true);
    /* Formulas first: they are few for an operation, and explain most. */
    for (int i = 0; i < 2 * n; i++) {
        struct deviation_cause cause;
        hook.use = &uses[i % n];
        if ((hook.use->what->ops != NULL) != (i < n))
            continue;
        if (!may_go_on(search, &hook, units))
            break;
        if (explains(&e, &hook, &shared, &cause, &more) && !search->ended)
            count = keep(causes, count, &cause);
        units += more;
        arena_reset(&scratch);
    }
    for (int i = 0; i < e.sample_count; i++)
        deviation_run_free(&e.samples[i].shared);
    deviation_run_free(&shared);
    arena_free(&scratch);
    return count;
}
