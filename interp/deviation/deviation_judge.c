/* deviation_judge.c - see deviation_judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_judge.h"

#include <string.h>

#include "interp/bound/bound.h"
#include "interp/deviation/deviation_explain.h"
#include "interp/deviation/deviation_private.h"
#include "interp/judge/judge_ways.h"
#include "interp/judge/verdict.h"

enum {
    STEPS_ONE = 1 << 22,  /* of one evaluation under a deviation */
    STEPS_CASE = 1 << 24, /* of all that explain one case */
    UNITS_CASE = 1 << 24, /* that are computed for all of them */
    PARTS = 8,            /* deviations that are joined to pairs */
    PART_UNITS = 1 << 20, /* of a case, for that */
    TEXT = 320
};

/* ---- A case under a deviation -------------------------------------------- */

static bool may_search(struct deviation_search *s)
{
    s->ended = s->ended || (s->goes_on && !s->goes_on(s->context));
    return !s->ended;
}

/* Is it as the specification says, of the case's own inputs, with goals? */
static bool is_plain_exact(const struct deviation_hook *h,
                           const struct machine *m,
                           struct literal *const *const *inputs)
{
    return !h->use && h->by && m->want_exact && m->flush == MACHINE_KEEP
           && !m->uses && m->sources == MACHINE_KEEP
           && m->profile == h->by->mode.profile
           && inputs == (struct literal *const *const *)h->by->made->inputs;
}

/* Judging one deviation evaluates the program for each way in which a result
 * may be right, so time is checked here, and not between deviations only.
 */
bool deviation_judge_evaluate(void *context, struct arena *a, struct machine *m,
                              struct literal *const *const *inputs,
                              struct outcome *outcomes, struct status *st)
{
    struct deviation_hook *h = context;
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
                   : bound_program(a, m, inputs, outcomes, st);
    h->steps += m->steps;
    return good;
}

/* The mode in which a case is evaluated under the hook's deviation. */
static struct judge_mode mode_under(const struct judge_value *by,
                                    struct deviation_hook *hook,
                                    struct limits *limits)
{
    struct judge_mode mode = by->mode;
    *limits = *mode.limits;
    if (limits->steps > STEPS_ONE)
        limits->steps = STEPS_ONE;
    mode.limits = limits;
    mode.evaluate = deviation_judge_evaluate;
    mode.context = hook;
    return mode;
}

bool deviation_judge_same(const struct judge_reference *a,
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

bool deviation_judge_values(const struct judge_value *by,
                            const struct judge_reference *r, struct verdict *v,
                            enum verdict_status *status)
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

enum deviation_result deviation_judge_under(const struct judge_value *by,
                                            struct deviation_shared *shared,
                                            const struct deviation_use *use,
                                            struct deviation_judged *to)
{
    struct deviation_hook hook = {.use = use, .shared = shared};
    struct limits limits;
    const struct judge_mode mode = mode_under(by, &hook, &limits);
    struct status st = {0};
    enum verdict_status status;
    *to =
        (struct deviation_judged){.v = arena_new(by->arena, struct verdict, 1)};
    if (!judge_reference(by->arena, by->made, &mode, &to->other, &st))
        return DEVIATION_NONE;
    if (deviation_judge_same(by->plain, &to->other))
        return DEVIATION_SAME;
    to->outfed = true;
    for (int r = 0; r < to->other.replicas; r++)
        if (by->plain->outfeed_count[r] != to->other.outfeed_count[r])
            return DEVIATION_REJECTED;
    if (!deviation_judge_values(by, &to->other, to->v, &status))
        return DEVIATION_NONE;
    to->outfed = !verdict_is_failure(status);
    if (!to->outfed || !judge_outfeed(by, &to->other, to->v))
        return DEVIATION_REJECTED;
    if (to->v->remark_count > 0)
        to->policy = to->v->remarks[0].name;
    else if (to->v->branch[VERDICT_RESULTS] + to->v->branch[VERDICT_OPERANDS]
             > 0)
        to->policy = "flush";
    return to->policy ? DEVIATION_PERMITTED : DEVIATION_ACCEPTED;
}

enum deviation_result deviation_judge(const struct judge_value *by,
                                      const struct deviation_use *use,
                                      const char **policy,
                                      const struct verdict **wrong)
{
    struct deviation_judged j;
    enum deviation_result result = deviation_judge_under(by, NULL, use, &j);
    *policy = j.policy;
    if (wrong)
        *wrong = result == DEVIATION_REJECTED && !j.outfed ? j.v : NULL;
    return result;
}

/* ---- Explaining a wrong result ------------------------------------------- */

const struct literal *deviation_judge_leaf(const struct deviation_explaining *e,
                                           const struct verdict_leaf *leaf)
{
    return literal_leaf(e->other->outcomes[leaf->replica].value, leaf->leaf);
}

/* Is every wrong unit what the deviation gives?  In *moved how many units it
 * changes, in e->open which of them are other right values. */
static bool matches_all(struct deviation_explaining *e, int64_t *moved)
{
    *moved = 0;
    e->open[0] = e->open[1] = -1;
    for (int i = 0; i < e->v->leaf_count; i++) {
        const struct verdict_leaf *leaf = &e->v->leaves[i];
        const struct literal *other = deviation_judge_leaf(e, leaf);
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
            int last = e->open[0] >= 0;
            for (int k = last; k < 2; k++) {
                e->open[k] = u;
                e->open_leaf[k] = leaf;
            }
        }
    }
    return true;
}

/* The first leaf whose unit is found, of those that were judged another time.
 */
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
    struct deviation_explaining *e = context;
    int n = count < e->v->leaf_count ? count : e->v->leaf_count;
    e->contradicted = any_unit(e->v->leaves, leaves, n, is_made_wrong);
    return ended || !e->contradicted;
}

/* Would the deviation make a unit wrong that is right? */
static bool is_contradicted(struct deviation_explaining *e)
{
    struct judge_value by = *e->by;
    const struct judge_reference open =
        deviation_open(e->by->arena, e->v, e->by->plain, e->other);
    struct verdict *w = arena_new(by.arena, struct verdict, 1);
    enum verdict_status status;
    by.enough = knows_wrong;
    by.context = e;
    e->contradicted = true; /* unless units say otherwise */
    return deviation_judge_values(&by, &open, w, &status)
                   && !verdict_is_failure(status)
               ? false
               : e->contradicted;
}

bool deviation_judge_has_sets(const struct deviation_explaining *e)
{
    const struct deviation *d = e->use->what;
    bool inexact = false;
    for (int i = 0; i < e->v->leaf_count; i++)
        inexact = inexact || goal_is_rounded(e->v->leaves[i].goal);
    return inexact
           && (d->kind == DEVIATION_REWRITE
               || (d->kind == DEVIATION_ENVIRONMENT && !d->on_results));
}

static bool is_rounded(const struct goal *g, int64_t unit)
{
    return goal_is_rounded(goal_source(g, &unit));
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
                    && (!is_rounded(g, u)
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
    const struct deviation_explaining *e = context;
    return count != e->v->leaf_count
           || any_unit(e->v->leaves, leaves, count, is_not_made_right);
}

/* Do a few wrong units, far from each other, lie in their sets under the
 * deviation?  To judge all of them takes far longer. */
static bool some_inside(const struct deviation_explaining *e,
                        const struct verdict_leaf *leaf,
                        const struct profile *profile,
                        const struct judge_reference *exact)
{
    const struct goal *g =
        judge_ways_goal(e->by->arena, exact, leaf->replica, leaf->leaf);
    int64_t n = literal_units(leaf->got), next = 0;
    if (!g || g->rule == GOAL_CHECK || leaf->goal->rule == GOAL_CHECK
        || !shape_equal(g->value->shape, leaf->got->shape))
        return true; /* not known */
    struct rule_basis basis = rule_basis(profile, g);
    for (int64_t u = 0; u < n; u++)
        if (u >= next && leaf->state[u] == VERDICT_PENDING) {
            if (!verdict_set_has(&basis, g, leaf->got, u))
                return false;
            next = u + n / DEVIATION_SAMPLES;
        }
    return true;
}

/* Is the result right as a whole where the rule is what the program gives under
 * the deviation? */
static bool is_right_under(struct deviation_explaining *e,
                           const struct judge_mode *mode)
{
    struct judge_value under = *e->by;
    struct judge_reference kept[JUDGE_VALUE_KEPT] = {{.outcomes = NULL}};
    struct judge_reference *exact = &kept[JUDGE_VALUE_PLAIN];
    struct judge_mode own = *mode;
    struct status st = {0};
    own.want_exact = true;
    if (!judge_reference(e->by->arena, e->by->made, &own, exact, &st))
        return false;
    for (int i = 0; i < e->v->leaf_count; i++)
        if (!some_inside(e, &e->v->leaves[i], mode->profile, exact))
            return false;
    struct verdict *w = arena_new(e->by->arena, struct verdict, 1);
    enum verdict_status status;
    char text[TEXT];
    under.mode = *mode;
    under.plain = e->other;
    under.kept = kept;
    under.unremarked = true;
    under.enough = knows_outside;
    under.context = e;
    return judge_value(&under, e->given, e->given_count, w, &status, text,
                       sizeof text)
           && !verdict_is_failure(status) && all_inside(e->v, w)
           && !is_contradicted(e);
}

/* ---- Each deviation ------------------------------------------------------ */

/* Evaluate the case under the hook's deviation, with *mode; false if that shows
 * nothing.  In *units how many were computed. */
static bool evaluate_under(struct deviation_explaining *e,
                           struct deviation_hook *hook,
                           const struct judge_mode *mode,
                           struct judge_reference *other, int64_t *units)
{
    struct status st = {0};
    e->use = hook->use;
    e->other = other;
    e->may_be_part = true;
    e->at = -1;
    *units = 1;
    if (deviation_sample_refutes(e, hook, mode))
        return false;
    *units = e->v->units;
    hook->shared = e->shared;
    bool good = judge_reference(e->by->arena, e->by->made, mode, other, &st);
    hook->shared = NULL;
    good = good && !deviation_judge_same(e->by->plain, other);
    e->may_be_part = e->may_be_part && good;
    return good;
}

static bool explains(struct deviation_explaining *e,
                     struct deviation_hook *hook, struct deviation_cause *cause,
                     int64_t *units)
{
    struct limits limits;
    const struct judge_mode mode = mode_under(e->by, hook, &limits);
    struct judge_reference other;
    if (!evaluate_under(e, hook, &mode, &other, units))
        return false;
    *cause = (struct deviation_cause){.name = hook->use->name,
                                      .text = hook->use->what->text,
                                      .units = e->v->bad};
    bool matches = matches_all(e, &cause->moved);
    if (matches && e->open[0] >= 0 && deviation_sample_denies(e))
        return false;
    cause->exact = matches && !(e->open[0] >= 0 && is_contradicted(e));
    return cause->exact
           || (deviation_judge_has_sets(e) && is_right_under(e, &mode));
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

/* The search for the causes of one case. */
struct explain_case {
    struct arena *arena, *scratch; /* the latter is free after each deviation */
    struct deviation_search *search;
    struct deviation_hook hook;
    struct deviation_explaining e;
    int use_count;
    struct deviation_use *uses;
    int64_t units; /* computed so far */
};

/* May another deviation be evaluated? */
static bool may_go_on(struct explain_case *x)
{
    x->search->ended = x->search->ended || x->hook.steps >= STEPS_CASE
                       || x->units >= UNITS_CASE;
    return may_search(x->search);
}

/* Reuses what the judge has evaluated, unless there is an outfeed. */
static void share_plain(struct deviation_shared *shared,
                        const struct judge_reference *plain)
{
    for (int r = 0; r < plain->replicas; r++)
        if (plain->outfeed_count[r] > 0)
            return;
    shared->plain.made = shared->plain.good = true;
    shared->plain.outcomes = plain->outcomes;
    shared->plain.after.outfeed = plain->outfeed;
    shared->plain.after.outfeed_count = plain->outfeed_count;
}

/* Formulas first: they are few for an operation, and explain most. */
static void sort_uses(struct arena *a, struct deviation_use *uses, int n)
{
    struct deviation_use *old =
        arena_new(a, struct deviation_use, (size_t)n + 1);
    int to = 0;
    memcpy(old, uses, (size_t)n * sizeof *old);
    for (int formulas = 1; formulas >= 0; formulas--)
        for (int i = 0; i < n; i++)
            if ((old[i].what->ops != NULL) == formulas)
                uses[to++] = old[i];
}

/* Each deviation alone.  In from the first sample that may show whether it is
 * one of two, -1 if it is not. */
static int explain_alone(struct explain_case *x, struct deviation_cause *causes,
                         int *from)
{
    int count = 0;
    int64_t more;
    for (int i = 0; i < x->use_count; i++) {
        struct deviation_cause cause;
        x->hook.use = &x->uses[i];
        if (!may_go_on(x))
            break;
        if (explains(&x->e, &x->hook, &cause, &more) && !x->search->ended)
            count = keep(causes, count, &cause);
        from[i] = x->e.may_be_part ? x->e.at + 1 : -1;
        x->units += more;
        arena_reset(x->scratch);
    }
    return count;
}

/* ---- Two deviations ------------------------------------------------------ */

/* Under the hook's deviation; in *part what it explains, unless that is NULL:
 * then whether no unit that is right contradicts it. */
static bool is_part(struct explain_case *x, struct deviation_part *part)
{
    struct limits limits;
    const struct judge_mode mode = mode_under(x->e.by, &x->hook, &limits);
    struct judge_reference other;
    int64_t more;
    bool good = evaluate_under(&x->e, &x->hook, &mode, &other, &more)
                && (part ? deviation_pair_part(x->scratch, &x->e, part)
                         : !is_contradicted(&x->e));
    if (good && part) {
        const unsigned char *units = part->units;
        part->units = arena_alloc(x->arena, (size_t)part->count + 1);
        memcpy(part->units, units, (size_t)part->count);
    }
    x->units += more;
    arena_reset(x->scratch);
    return good && !x->search->ended;
}

static bool holds(struct explain_case *x, struct deviation_part *part)
{
    if (!part->checked) {
        x->hook.use = part->use;
        x->e.from = 0;
        part->checked = true;
        part->contradicted = !may_go_on(x) || !is_part(x, NULL);
    }
    return !part->contradicted;
}

/* A value or a place in memory decides which units are concerned.  An operand
 * or an attribute is that of all, so it is no reason for some of them. */
static bool is_of_some(const struct deviation *d)
{
    return !d->operand && !d->swap && !d->change;
}

/* Pairs of which each explains a part, bit for bit; those that share no unit
 * first.  Most cases that nothing explains have no two such deviations, and end
 * after their samples. */
static int explain_paired(struct explain_case *x,
                          struct deviation_cause *causes, const int *from)
{
    struct deviation_part parts[PARTS];
    struct deviation_cause cause;
    int n = 0, count = 0;
    x->e.partly = true;
    for (int i = 0; i < x->use_count && n < PARTS; i++) {
        x->hook.use = &x->uses[i];
        x->e.from = from[i];
        if (from[i] >= 0 && is_of_some(x->uses[i].what) && may_go_on(x)
            && is_part(x, &parts[n]))
            n++;
    }
    for (int overlap = 0; overlap < 2; overlap++)
        for (int i = 0; i < n; i++)
            for (int k = i + 1; k < n; k++)
                if (deviation_pair_join(x->arena, x->e.v, &parts[i], &parts[k],
                                        overlap, &cause)
                    && holds(x, &parts[i]) && holds(x, &parts[k]))
                    count = keep(causes, count, &cause);
    return count;
}

int deviation_judge_explain(const struct judge_value *by,
                            const struct deviation_table *table,
                            const struct judge_given *given, int given_count,
                            const struct verdict *v,
                            struct deviation_search *search,
                            struct deviation_cause *causes)
{
    struct judge_value own = *by;
    if (v->leaf_count == 0 || v->bad == 0)
        return 0;
    own.bins = false;
    /* Memory of one deviation is reused for the next one. */
    struct arena scratch = ARENA_INIT;
    struct deviation_shared shared = {0};
    own.arena = &scratch;
    struct deviation_hook none = {
        .search = search, .shared = &shared, .by = &own};
    own.mode.evaluate = deviation_judge_evaluate;
    own.mode.context = &none;
    struct explain_case x = {.arena = by->arena,
                             .scratch = &scratch,
                             .search = search,
                             .hook = {.search = search},
                             .e = {.by = &own,
                                   .v = v,
                                   .given = given,
                                   .given_count = given_count,
                                   .shared = &shared}};
    x.use_count = deviation_uses(x.arena, table, own.made->program,
                                 own.made->op, &x.uses);
    share_plain(&shared, by->plain);
    sort_uses(x.arena, x.uses, x.use_count);
    deviation_sample_take(&x.e, x.arena);
    int *from = arena_new(x.arena, int, (size_t)x.use_count + 1);
    int count = explain_alone(&x, causes, from);
    if (count == 0 && !search->ended && v->units <= PART_UNITS)
        count = explain_paired(&x, causes, from);
    for (int i = 0; i < x.e.sample_count; i++)
        deviation_run_free(&x.e.samples[i].shared);
    deviation_run_free(&shared);
    arena_free(&scratch);
    return count;
}
