/* judge_ways.c - see judge_ways.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/judge_ways.h"

#include <stdio.h>
#include <string.h>

#include "interp/bound/bound.h"
#include "interp/program/uses.h"

enum {
    COMBINATIONS = 512, /* of uses that are flushed, each evaluated */
    FEW = 4,            /* of them: after so many, can one help at all? */
    STEPS = 1 << 20     /* of the interpreter for all of them, about */
};

/* A search: what is left to explain, and by whose goals. */
struct search {
    const struct judge_value *j;
    const struct test_case *c; /* with parameters, not constants */
    struct verdict_leaf *leaves;
    const struct goal **plain; /* of each leaf */
    bool *whole;               /* its bits only move: its inputs keep theirs */
    /* The units whose inputs alone keep their bits; or NULL. */
    const unsigned char **kept;
    int count;
    struct status *refusal; /* of the last evaluation that was refused */
    /* The first refusal of choices that are permitted: where these leave a
     * decision of the program open, nothing says that a result is wrong. */
    struct status *open;
};

const struct goal *judge_ways_goal(struct arena *a,
                                   const struct judge_reference *ref,
                                   int replica, int leaf)
{
    const struct outcome *o = &ref->outcomes[replica];
    if (leaf >= o->count) {
        const struct judge_fed *fed = &ref->fed[replica][leaf - o->count];
        return leaf - o->count >= ref->fed_count[replica] ? NULL
               : fed->goal                                ? fed->goal
                           : goal_of(a, fed->value, GOAL_MOVED);
    }
    return o->goals[leaf]
               ? o->goals[leaf]
               : goal_of(a, literal_leaf(o->value, leaf), GOAL_MOVED);
}

static size_t units_of(const struct verdict_leaf *leaf)
{
    return (size_t)literal_units(leaf->got);
}

static bool is_pending(const struct verdict_leaf *leaf)
{
    return memchr(leaf->state, VERDICT_PENDING, units_of(leaf)) != NULL;
}

static bool any_pending(const struct search *s)
{
    for (int i = 0; i < s->count; i++)
        if (is_pending(&s->leaves[i]))
            return true;
    return false;
}

/* ---- By the goals of one evaluation -------------------------------------- */

static int64_t count_pending(const struct verdict_leaf *leaf)
{
    int64_t n = 0;
    for (size_t i = 0; i < units_of(leaf); i++)
        n += leaf->state[i] == VERDICT_PENDING;
    return n;
}

/* Are two arrays results of one predicate, here or by the plain goals? */
static bool belong(const struct search *s, int i, int k)
{
    return s->leaves[i].replica == s->leaves[k].replica
           && (goal_same_check(s->leaves[i].goal, s->leaves[k].goal)
               || goal_same_check(s->plain[i], s->plain[k]));
}

/* The arrays that are explained together: their numbers, the first being one
 * that is not in done. */
struct group {
    int *at, count;
};

static struct group group_of(const struct search *s, int first, bool *done)
{
    struct group g = {arena_new(s->j->arena, int, (size_t)s->count), 1};
    g.at[0] = first;
    done[first] = true;
    for (int i = 0; i < g.count; i++)
        for (int k = 0; k < s->count; k++)
            if (!done[k] && belong(s, g.at[i], k)) {
                done[k] = true;
                g.at[g.count++] = k;
            }
    return g;
}

/* The member that is result `place` of the instruction of like, and is not
 * used yet; NULL if there is none. */
static struct verdict_leaf *find_result(const struct search *s,
                                        const struct group *g, const bool *used,
                                        const struct goal *like, int place,
                                        int *member)
{
    for (*member = 0; *member < g->count; ++*member) {
        struct verdict_leaf *leaf = &s->leaves[g->at[*member]];
        if (!used[*member] && goal_same_check(leaf->goal, like)
            && leaf->goal->check.place == place)
            return leaf;
    }
    return NULL;
}

/* Do results of one predicate agree with it, in its order?  A program may pass
 * them on in another order, or twice, and a predicate has no more than its
 * own. */
static bool agrees(const struct search *s, struct verdict *v,
                   const struct group *g, bool *used, const struct goal *like)
{
    const struct literal **got =
        arena_new(s->j->arena, const struct literal *, (size_t)g->count);
    const struct goal *goal = like;
    struct verdict_leaf *next;
    struct goal_finding found = {.leaf = 0};
    int first = 0, n = 0, member;
    while (!find_result(s, g, used, like, first, &member))
        first++; /* at most to that of like itself */
    while ((next = find_result(s, g, used, like, first + n, &member))) {
        used[member] = true;
        goal = n == 0 ? next->goal : goal;
        got[n++] = next->got;
        v->branch[next->branch] += count_pending(next);
        memset(next->state, next->branch, units_of(next));
    }
    return goal->check.holds(goal, got, n, &found);
}

/* One after the other; false if one of them is not explained, as they are only
 * right together. */
static bool explain_members(const struct search *s, struct verdict *v,
                            const struct profile *p, const struct group *g)
{
    bool *used = arena_new(s->j->arena, bool, (size_t)g->count);
    for (int i = 0; i < g->count; i++) {
        struct verdict_leaf *leaf = &s->leaves[g->at[i]];
        bool whole = s->plain[g->at[i]]->rule == GOAL_CHECK;
        while (!used[i] && leaf->goal->rule == GOAL_CHECK)
            if (!agrees(s, v, g, used, leaf->goal))
                return false;
        if (leaf->goal->rule == GOAL_CHECK)
            continue;
        verdict_units(v, p, leaf);
        if (whole && is_pending(leaf))
            return false;
    }
    return true;
}

/* Explain some arrays, or leave everything as it is.  Where the plain goal was
 * a predicate, all units are to be explained and not only the one it named. */
static void explain_group(const struct search *s, struct verdict *v,
                          const struct profile *p, const struct group *g)
{
    struct verdict trial = *v;
    unsigned char **own =
        arena_new(s->j->arena, unsigned char *, (size_t)g->count);
    for (int i = 0; i < g->count; i++) {
        struct verdict_leaf *leaf = &s->leaves[g->at[i]];
        own[i] = leaf->state;
        leaf->state = arena_alloc(s->j->arena, units_of(leaf) + 1);
        if (s->plain[g->at[i]]->rule != GOAL_CHECK)
            memcpy(leaf->state, own[i], units_of(leaf));
        else
            memset(leaf->state, VERDICT_PENDING, units_of(leaf));
    }
    if (explain_members(s, &trial, p, g)) {
        *v = trial;
        return;
    }
    for (int i = 0; i < g->count; i++)
        s->leaves[g->at[i]].state = own[i];
}

/* Is there something to explain, which flushed inputs may explain? */
static bool is_open(const struct search *s, const struct judge_mode *mode,
                    const struct group *g)
{
    bool pending = false;
    for (int i = 0; i < g->count; i++)
        pending = pending || is_pending(&s->leaves[g->at[i]]);
    return pending && !((mode->inputs || mode->sources) && s->whole[g->at[0]]);
}

/* The goals of an evaluation; false if it wrote something else to the outfeed
 * than the plain one. */
static bool find_goals(const struct search *s,
                       const struct judge_reference *ref,
                       const struct goal **goals)
{
    for (int i = 0; i < s->count; i++) {
        const struct verdict_leaf *leaf = &s->leaves[i];
        goals[i] = judge_ways_goal(s->j->arena, ref, leaf->replica, leaf->leaf);
        if (!goals[i] || !shape_equal(goals[i]->value->shape, leaf->got->shape))
            return false;
    }
    return true;
}

/* What was given for an array, and which units are still to be explained: both
 * parts of a complex number together, and all of a predicate's
 * (explain_group). */
static struct bound_result result_of(const struct search *s, int i)
{
    const struct verdict_leaf *leaf = &s->leaves[i];
    size_t n = units_of(leaf);
    size_t other = (size_t)dtype_units(leaf->got->shape->dtype) - 1;
    bool *open = arena_new(s->j->arena, bool, n + 1);
    for (size_t k = 0; k < n; k++)
        open[k] = leaf->state[k] == VERDICT_PENDING
                  || leaf->state[k ^ other] == VERDICT_PENDING
                  || s->plain[i]->rule == GOAL_CHECK;
    return (struct bound_result){leaf->got, open};
}

/* For each array of the one replica's result; or NULL. */
static const struct bound_result *find_given(const struct search *s)
{
    int count = s->j->plain->outcomes->count;
    if (s->j->plain->replicas != 1)
        return NULL;
    struct bound_result *given =
        arena_new(s->j->arena, struct bound_result, (size_t)count + 1);
    for (int i = 0; i < s->count; i++)
        if (!s->leaves[i].fed)
            given[s->leaves[i].leaf] = result_of(s, i);
    return given;
}

/* kept: where the mode's reference is, or will be, kept, which judges other
 * results, too; or NULL.  False if a decision of the program depends on what a
 * result may be. */
static bool explain(const struct search *s, struct verdict *v,
                    const struct judge_mode *mode, enum verdict_branch branch,
                    struct judge_reference *kept)
{
    struct judge_reference ref;
    struct status *st = s->refusal;
    struct verdict_leaf *leaves = s->leaves;
    const struct goal **goals =
        arena_new(s->j->arena, const struct goal *, (size_t)s->count);
    struct judge_mode own = *mode;
    own.given = kept ? NULL : find_given(s);
    memset(st, 0, sizeof *st);
    if (!judge_reference_kept(s->j->arena, s->c, &own, kept, &ref, st)) {
        if (mode->uses && st->code == STATUS_UNSUPPORTED)
            mode->uses->refused = true;
        return st->code != STATUS_UNSUPPORTED;
    }
    if (!find_goals(s, &ref, goals))
        return true;
    for (int i = 0; i < s->count; i++) {
        leaves[i].goal = goals[i];
        leaves[i].branch = branch;
        leaves[i].closed = mode->inputs || mode->sources ? s->kept[i] : NULL;
    }
    bool *done = arena_new(s->j->arena, bool, (size_t)s->count);
    for (int i = 0; i < s->count; i++) {
        if (done[i])
            continue;
        struct group g = group_of(s, i, done);
        if (is_open(s, mode, &g))
            explain_group(s, v, mode->profile, &g);
    }
    return true;
}

/* ---- Flushed operands ---------------------------------------------------- */

/* Is it one operation, and no computation that it calls? */
static bool is_single(const struct program *p)
{
    return p->computation_count == 1
           && p->entry->count == p->entry->parameter_count + 1;
}

static struct judge_mode exact_mode(const struct search *s,
                                    const struct profile *p)
{
    struct judge_mode mode = s->j->mode;
    mode.profile = p;
    mode.want_exact = true;
    return mode;
}

/* By each way of flushing data that p allows, evaluated as mode says. */
static void explain_inputs(const struct search *s, struct verdict *v,
                           const struct profile *p, struct judge_mode mode,
                           enum verdict_branch branch)
{
    bool changes;
    for (int way = 0;
         any_pending(s)
         && judge_flush_way(s->j->arena, s->c, p, way, &mode, &changes);
         way++)
        if (changes)
            explain(s, v, &mode, branch, NULL);
}

/* Is there nothing that could be flushed before something computes?  So it is
 * where each result is a function of real numbers, none of them subnormal:
 * whether it is flushed itself is a matter of the plain goals. */
static bool has_none(const struct search *s, const struct profile *p)
{
    if (s->j->mode.evaluate || !judge_flush_of_parameters(s->c->program))
        return false;
    for (int i = 0; i < s->count; i++)
        if (s->plain[i]->rule != GOAL_REAL
            || dtype_units(s->plain[i]->value->shape->dtype) > 1)
            return false;
    return !judge_flush_any(s->j->arena, s->c, p);
}

/* Is each way of flushing uses one of flushing data?  Those of up to three
 * parameters are flushed in each combination, of more all together: then no
 * function may have a second operand, which would keep its number. */
static bool uses_data(const struct program *p)
{
    bool once = judge_flush_of_parameters(p), one = true;
    for (int i = 0; once && i < p->entry->count; i++) {
        const struct instruction *in = p->entry->instructions[i];
        one = one && (!in->op->elementwise || in->operand_count == 1);
        for (int k = 1; k < in->operand_count; k++)
            for (int n = 0; n < k; n++)
                once = once && in->operands[n] != in->operands[k];
    }
    return once && (one || p->entry->parameter_count <= 3);
}

/* Does all that lies between what combinations give explain nothing?  Then none
 * of them does. */
static bool is_hopeless(const struct search *s, const struct verdict *v,
                        struct judge_mode mode, enum verdict_branch branch)
{
    struct uses all = {.spread = true};
    struct search copy = *s;
    struct verdict trial = *v;
    copy.leaves = verdict_layout_copy(s->j->arena, s->leaves, s->count);
    mode.uses = &all;
    bool none = uses_all_spread(s->c->program)
                && explain(&copy, &trial, &mode, branch, NULL);
    for (int i = 0; none && i < s->count; i++)
        none =
            s->plain[i]->rule != GOAL_CHECK
            && count_pending(&copy.leaves[i]) == count_pending(&s->leaves[i]);
    return none;
}

/* By each combination that uses starts with; false if some are left. */
static bool explain_combinations(const struct search *s, struct verdict *v,
                                 const struct judge_mode *mode,
                                 enum verdict_branch branch)
{
    struct uses *u = mode->uses;
    int left = COMBINATIONS;
    do {
        explain(s, v, mode, branch, NULL);
        if (!any_pending(s))
            return true;
        if (left == COMBINATIONS - FEW && !u->keeping
            && is_hopeless(s, v, *mode, branch))
            return true;
        left = u->steps < STEPS ? left - 1 : 0;
    } while (uses_next(u) && left > 0);
    return u->decided == 0 && !u->over;
}

/* By each result that may be flushed, flushed or not, of the data as they are
 * and flushed in each way. */
static void explain_results(const struct search *s, struct verdict *v,
                            struct judge_mode mode, enum verdict_branch branch)
{
    struct arena *a = s->j->arena;
    const struct profile *p = mode.profile;
    const struct profile *flushing = profile_flushing_results(a, p);
    struct uses uses = {.keeping = profile_keeping_results(a, p),
                        .flushing = flushing ? flushing : p};
    struct uses first = uses;
    bool changes = true;
    mode.uses = &uses;
    int way = 0;
    do {
        if (changes)
            explain_combinations(s, v, &mode, branch);
        first.steps = uses.steps;
        uses = first;
    } while (any_pending(s)
             && judge_flush_way(a, s->c, p, way++, &mode, &changes));
}

/* By each combination of uses that are flushed; where there are too many, also
 * by all that lies between what they give.  Where a result of the program
 * decides (refused: it does where no operand is flushed), each result is also
 * flushed or not. */
static void explain_uses(const struct search *s, struct verdict *v,
                         struct judge_mode mode, enum verdict_branch branch,
                         bool refused)
{
    struct uses uses = {.refused = refused};
    mode.uses = &uses;
    if (!explain_combinations(s, v, &mode, branch)) {
        uses.spread = true;
        explain(s, v, &mode, branch, NULL);
    }
    if (!any_pending(s) || !uses.refused)
        return;
    explain_results(s, v, mode, branch);
}

static void explain_flushed(const struct search *s, struct verdict *v,
                            const struct profile *p, enum verdict_branch branch)
{
    if (has_none(s, p))
        return;
    static const enum machine_flush modes[] = {MACHINE_FLUSH,
                                               MACHINE_FLUSH_POSITIVE};
    struct judge_mode mode = exact_mode(s, p);
    struct judge_reference *kept = p == s->j->mode.profile ? s->j->kept : NULL;
    explain_inputs(s, v, p, mode, branch);
    /* Results that are an operand, or its negative, are flushed only where the
     * next operation does not do that. */
    mode.profile = profile_flushing_results(s->j->arena, p);
    bool refused =
        mode.profile && any_pending(s)
        && !explain(s, v, &mode,
                    branch == VERDICT_OPERANDS ? VERDICT_RESULTS : branch,
                    kept ? &kept[JUDGE_VALUE_RESULTS] : NULL);
    if (mode.profile)
        explain_inputs(s, v, p, mode, branch);
    mode.profile = p;
    for (int i = 0; i < 2 && any_pending(s); i++) {
        mode.flush = modes[i];
        if (judge_flush_possible(s->c, p, modes[i]))
            explain(s, v, &mode, branch,
                    kept ? &kept[JUDGE_VALUE_FLUSHED + i] : NULL);
    }
    mode.flush = MACHINE_KEEP;
    if (any_pending(s) && !s->j->unremarked && !uses_data(s->c->program)
        && judge_flush_possible(s->c, p, MACHINE_FLUSH))
        explain_uses(s, v, mode, branch, refused);
}

/* ---- Choices that are permitted ------------------------------------------ */

static int64_t explain_permitted(const struct search *s, struct verdict *v,
                                 const struct profile_permit *list, int count)
{
    const struct profile *p =
        profile_taking(s->j->arena, s->j->mode.profile, list, count);
    const struct judge_mode mode = exact_mode(s, p);
    int64_t before = v->branch[VERDICT_REMARKED];
    if (!explain(s, v, &mode, VERDICT_REMARKED, NULL)
        && s->open->code == STATUS_OK)
        *s->open = *s->refusal;
    if (any_pending(s))
        explain_flushed(s, v, p, VERDICT_REMARKED);
    return v->branch[VERDICT_REMARKED] - before;
}

/* How much these choices together would explain, changing nothing. */
static int64_t would_explain(const struct search *s, const struct verdict *v,
                             const struct profile_permit *list, int count)
{
    struct search copy = *s;
    struct verdict trial = *v;
    copy.leaves = verdict_layout_copy(s->j->arena, s->leaves, s->count);
    return explain_permitted(&copy, &trial, list, count);
}

/* Together, without those that add nothing; each that stays is named. */
static void explain_together(const struct search *s, struct verdict *v,
                             struct profile_permit *list, int count)
{
    int64_t most = would_explain(s, v, list, count);
    for (int i = 0; most > 0 && i < count;) {
        struct profile_permit without = list[i];
        memmove(&list[i], &list[i + 1], (size_t)(count - i - 1) * sizeof *list);
        if (would_explain(s, v, list, count - 1) == most) {
            count--;
            continue;
        }
        memmove(&list[i + 1], &list[i], (size_t)(count - i - 1) * sizeof *list);
        list[i++] = without;
    }
    if (most == 0)
        return;
    int64_t units = explain_permitted(s, v, list, count);
    for (int i = 0; i < count; i++)
        verdict_remark(v, list[i].policy, units);
}

static void explain_by_permits(const struct search *s, struct verdict *v)
{
    struct profile_permit *list;
    int count = judge_permit_values(s->j->arena, s->c->program,
                                    s->j->mode.profile, &list);
    if (count == 0
        || (would_explain(s, v, list, count) == 0
            && s->open->code == STATUS_OK))
        return;
    for (int i = 0; i < count && any_pending(s); i++)
        verdict_remark(v, list[i].policy, explain_permitted(s, v, &list[i], 1));
    if (count > 1 && any_pending(s))
        explain_together(s, v, list, count);
}

/* ---- All of it ----------------------------------------------------------- */

/* The finding of a predicate is void once another way explains its arrays. */
static void settle(const struct search *s, struct verdict *v)
{
    bool wrong = false;
    for (int i = 0; i < s->count; i++) {
        s->leaves[i].goal = s->plain[i];
        s->leaves[i].branch = VERDICT_PENDING;
        s->leaves[i].closed = NULL;
        wrong =
            wrong
            || (s->plain[i]->rule == GOAL_CHECK && is_pending(&s->leaves[i]));
    }
    if (!wrong && v->bad == 0)
        v->why[0] = '\0';
}

/* The units of a leaf that were given to the program, and those that its
 * operation left alone where it has nothing else to leave. */
static const unsigned char *find_kept(const struct search *s,
                                      const struct verdict_leaf *leaf)
{
    const struct goal *g = leaf->goal;
    if (!g->sources)
        return g->kept_units && !leaf->fed
                       && judge_moved_sources(s->j->arena, s->c->program,
                                              leaf->replica, leaf->leaf)
                   ? g->kept_units
                   : NULL;
    size_t n = units_of(leaf);
    unsigned char *kept = arena_new(s->j->arena, unsigned char, n + 1);
    for (size_t i = 0; i < n; i++)
        kept[i] = !g->sources[i].goal;
    return kept;
}

bool judge_ways(const struct judge_value *j, struct verdict *v,
                struct verdict_leaf *leaves, int count, char *text, size_t size)
{
    struct status refusal = {0}, open = {0};
    struct search s = {.j = j,
                       .c = j->made,
                       .leaves = leaves,
                       .count = count,
                       .refusal = &refusal,
                       .open = &open};
    if (!any_pending(&s))
        return true;
    s.plain = arena_new(j->arena, const struct goal *, (size_t)count);
    s.whole = arena_new(j->arena, bool, (size_t)count);
    s.kept = arena_new(j->arena, const unsigned char *, (size_t)count);
    for (int i = 0; i < count; i++) {
        s.plain[i] = leaves[i].goal;
        s.whole[i] =
            leaves[i].moved
            || (leaves[i].goal->rule == GOAL_MOVED && is_single(s.c->program));
        s.kept[i] = find_kept(&s, &leaves[i]);
    }
    explain_flushed(&s, v, j->mode.profile, VERDICT_OPERANDS);
    if (any_pending(&s) && !j->unremarked)
        explain_by_permits(&s, v);
    settle(&s, v);
    if (open.code == STATUS_OK || !any_pending(&s))
        return true;
    snprintf(text, size, "by a choice that the profile permits: %.200s",
             open.text);
    return false;
}
