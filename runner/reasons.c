/* reasons.c - see reasons.h; tools/test/reasons.t tests this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "runner/reasons.h"

#include <inttypes.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "interp/deviation/deviation_judge.h"
#include "interp/deviation/deviation_pair.h"
#include "interp/ops/custom.h"
#include "runner/plugin/custom_call.h"

enum {
    FIRST = 24,      /* passing cases, which refute most of what is wrong */
    STEPS = 1 << 18, /* of one evaluation of one of them */
    GROUP_MS = 1000, /* of processor time, for all causes of a group */
    KEPT = 3,        /* causes of a case, when they are settled */
    JOBS_MAX = 64
};

/* The finding of the passing cases; written by another process. */
struct finding {
    int64_t held, last; /* how many, and the number of the last one */
    uint64_t places;    /* that all failed cases have, and none that refutes */
    bool refuted;
};

struct reason {
    struct deviation_pair pair;
    const char *name, *op;
    int claims;        /* cases that it explains */
    int64_t open;      /* ... and that have no first cause */
    int64_t elsewhere; /* cases of other groups of the operation */
};

/* A cause of one case. */
struct claim {
    int64_t number; /* of the case in the plan */
    int n;
    const char *name;
    int64_t units, moved;
    bool exact;
    int reason; /* of the whole run */
};

struct group {
    int first, count;               /* claims */
    int first_reason, reason_count; /* reasons */
};

struct settling {
    struct record *r;
    const struct deviation_table *table;
    const char **types; /* by plan case; NULL: not known yet, or none */
    int claim_count, claim_room, reason_count, reason_room;
    int group_count, group_room;
    struct claim *claims;
    struct reason *reasons;
    struct group *groups;
    struct finding *findings; /* by reason */
};

/* ---- Groups -------------------------------------------------------------- */

static void add_claim(struct settling *s, const struct claim *claim)
{
    struct arena *a = s->r->arena;
    int64_t i = claim->number;
    if (s->claim_count == 0)
        s->types = arena_new(a, const char *, (size_t)s->r->plan->count + 1);
    if (!s->types[i]) {
        const char *type = plan_type(a, s->r->plan->cases[i].stub);
        s->types[i] = type ? type : "";
    }
    ARENA_GROW(a, s->claims, s->claim_count, s->claim_room);
    s->claims[s->claim_count++] = *claim;
}

static bool read_store(struct settling *s, struct status *st)
{
    struct record *r = s->r;
    sqlite3_stmt *q =
        store_prepare(r->store,
                      "SELECT plan, n, name, units, moved, exact FROM cause"
                      " WHERE plan >= ? AND plan < ?",
                      st);
    if (!q)
        return false;
    int rc;
    sqlite3_bind_int64(q, 1, r->first);
    sqlite3_bind_int64(q, 2, r->first + r->plan->count);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW)
        add_claim(s, &(struct claim){
                         .number = sqlite3_column_int64(q, 0) - r->first,
                         .n = sqlite3_column_int(q, 1),
                         .name = arena_text(
                             r->arena, (const char *)sqlite3_column_text(q, 2)),
                         .units = sqlite3_column_int64(q, 3),
                         .moved = sqlite3_column_int64(q, 4),
                         .exact = sqlite3_column_int(q, 5) != 0});
    bool good =
        rc == SQLITE_DONE || store_sql_fail(r->store, "reading causes", st);
    sqlite3_reset(q);
    return good;
}

static void read_held(struct settling *s)
{
    const struct record *r = s->r;
    for (int64_t i = 0; i < r->plan->count; i++) {
        const struct job_cause *c = r->held[i] ? job_causes(r->held[i]) : NULL;
        for (int n = 0; c && n < r->held[i]->cause_count; n++)
            add_claim(s,
                      &(struct claim){.number = i,
                                      .n = n,
                                      .name = arena_text(r->arena, c[n].name),
                                      .units = c[n].units,
                                      .moved = c[n].moved,
                                      .exact = c[n].exact != 0});
    }
}

static const struct settling *sorting; /* qsort has no context */

static const char *form_of(const struct settling *s, int64_t number)
{
    const char *form = s->r->plan->cases[number].form;
    return form ? form : "";
}

static const char *op_of(const struct settling *s, int64_t number)
{
    const char *op = s->r->plan->cases[number].stub->op;
    return op ? op : "";
}

/* Operation, type and form. */
static int compare_keys(const struct settling *s, int64_t x, int64_t y)
{
    int op = strcmp(op_of(s, x), op_of(s, y));
    int type = op ? op : strcmp(s->types[x], s->types[y]);
    return type ? type : strcmp(form_of(s, x), form_of(s, y));
}

static int compare_claims(const void *a, const void *b)
{
    const struct claim *x = a, *y = b;
    int key = compare_keys(sorting, x->number, y->number);
    if (key)
        return key;
    return x->number != y->number ? (x->number < y->number ? -1 : 1)
                                  : x->n - y->n;
}

static bool add_reason(struct settling *s, struct group *g, struct claim *c,
                       struct status *st)
{
    struct deviation_pair pair;
    for (int i = 0; i < g->reason_count; i++)
        if (strcmp(s->reasons[g->first_reason + i].name, c->name) == 0) {
            c->reason = g->first_reason + i;
            s->reasons[c->reason].claims++;
            return true;
        }
    TRY(deviation_pair_find(s->r->arena, s->table, c->name, &pair, st));
    ARENA_GROW(s->r->arena, s->reasons, s->reason_count, s->reason_room);
    c->reason = s->reason_count;
    s->reasons[s->reason_count++] =
        (struct reason){pair, c->name, op_of(s, c->number), .claims = 1};
    g->reason_count++;
    return true;
}

static bool make_groups(struct settling *s, struct status *st)
{
    sorting = s;
    qsort(s->claims, (size_t)s->claim_count, sizeof *s->claims, compare_claims);
    for (int i = 0; i < s->claim_count; i++) {
        struct claim *c = &s->claims[i];
        if (i == 0 || compare_keys(s, c[-1].number, c->number) != 0) {
            ARENA_GROW(s->r->arena, s->groups, s->group_count, s->group_room);
            s->groups[s->group_count++] =
                (struct group){.first = i, .first_reason = s->reason_count};
        }
        struct group *g = &s->groups[s->group_count - 1];
        g->count++;
        TRY(add_reason(s, g, c, st));
    }
    return true;
}

/* ---- Holding ------------------------------------------------------------- */

static bool passes(struct settling *s, const struct group *g, int64_t i)
{
    const struct record *r = s->r;
    int64_t own = s->claims[g->first].number;
    if (strcmp(op_of(s, i), op_of(s, own)) != 0
        || (r->status[i] != VERDICT_PASS && r->status[i] != VERDICT_WARN))
        return false;
    if (!s->types[i]) {
        const char *type = plan_type(r->arena, r->plan->cases[i].stub);
        s->types[i] = type ? type : "";
    }
    return compare_keys(s, i, own) == 0;
}

/* A step through n things that meets each of them once, those beside each other
 * at different times. */
static int64_t step_through(int64_t n)
{
    for (int64_t step = n * 5 / 8; step > 1; step--) {
        int64_t a = n, b = step;
        while (b > 0) {
            int64_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step;
    }
    return 1;
}

/* Its passing cases.  Their number. */
static int64_t choose(struct settling *s, const struct group *g,
                      int64_t **chosen)
{
    int64_t count = 0;
    *chosen = arena_new(s->r->arena, int64_t, (size_t)s->r->plan->count + 1);
    for (int64_t i = 0; i < s->r->plan->count; i++)
        if (passes(s, g, i))
            (*chosen)[count++] = i;
    return count;
}

/* Has the pair that deviation, with its place left out? */
static bool lists(const struct deviation_pair *pair, const char *name)
{
    for (int i = 0; i < pair->count; i++) {
        size_t n = strcspn(pair->uses[i].name, "@");
        if (strncmp(pair->uses[i].name, name, n) == 0 && !name[n])
            return true;
    }
    return false;
}

/* The first reason of a group, from reason i on, that may still be a cause,
 * there or at a place, and that lists the deviation (NULL: any); or -1. */
static int next_open(const struct settling *s, const struct group *g, int i,
                     const char *name)
{
    for (; i < g->first_reason + g->reason_count; i++) {
        const struct finding *f = &s->findings[i];
        if ((!f->refuted || f->places)
            && (!name || lists(&s->reasons[i].pair, name)))
            return i;
    }
    return -1;
}

/* A case that contradicts one of two deviations contradicts the pair.  places:
 * that the case has; there it refutes the deviation as well. */
static void hold_one(struct settling *s, const struct group *g,
                     const struct judge_value *by,
                     struct deviation_shared *shared, int64_t number,
                     uint64_t places, const struct deviation_use *use)
{
    struct deviation_places none = {0};
    const char *policy;
    int i = next_open(s, g, g->first_reason, use->name);
    if (i < 0)
        return;
    enum deviation_result result =
        deviation_located_judge(by, shared, use, NULL, &none, &policy);
    for (; i >= 0; i = next_open(s, g, i + 1, use->name)) {
        struct finding *f = &s->findings[i];
        if (result == DEVIATION_REJECTED) {
            f->refuted = true;
            f->places &= ~places;
        }
        if (result != DEVIATION_NONE && (f->held == 0 || f->last != number))
            f->held++;
        f->last = number;
    }
}

/* Make a case of the plan, and say which places it has, partly at least: all,
 * where that is not known.  False if it has no value. */
static bool make(struct settling *s, struct arena *a, int64_t number,
                 const struct limits *limits, bool partly,
                 struct test_case **made, uint64_t *places)
{
    const struct plan_case *p = &s->r->plan->cases[number];
    struct deviation_located at;
    struct status st = {0};
    if (!case_make(a, p->stub, p->form, limits, made, &st) || (*made)->rejected
        || (*made)->error_count > 0)
        return false;
    bool known = deviation_located_at(a, *made, NULL, &at, &st);
    *places = !known ? UINT64_MAX : partly ? at.some : at.all;
    return true;
}

/* Finds, for each refuted cause, the places that all of its cases have.  The
 * claims of a case follow one another. */
static void find_places(struct settling *s, const struct group *g,
                        struct arena *a)
{
    int64_t last = -1;
    uint64_t places = 0;
    for (int i = g->first; i < g->first + g->count; i++) {
        const struct claim *c = &s->claims[i];
        struct finding *f = &s->findings[c->reason];
        struct test_case *made;
        if (!f->refuted || !f->places)
            continue;
        if (s->r->options->interrupted) {
            f->places = 0;
            continue;
        }
        if (c->number != last
            && (!make(s, a, c->number, &s->r->options->limits, false, &made,
                      &places)
                || places == UINT64_MAX))
            places = 0;
        last = c->number;
        f->places &= places;
        arena_reset(a);
    }
}

/* Would a cause of the group make this case wrong? */
static void hold_case(struct settling *s, const struct group *g,
                      struct arena *a, int64_t number)
{
    const struct record *r = s->r;
    struct limits limits = r->options->limits;
    struct test_case *made;
    struct judge_reference plain;
    struct deviation_shared shared = {0};
    struct deviation_use *uses;
    struct status st = {0};
    const struct profile *profile = r->profile;
    uint64_t places;
    bool any = false;
    if (limits.steps > STEPS)
        limits.steps = STEPS;
    if (!make(s, a, number, &limits, true, &made, &places)
        || (made->policies
            && !profile_with(a, r->profile, made->policies, &profile, &st)))
        return;
    int n = deviation_uses(a, s->table, made->program, made->op, &uses);
    for (int i = 0; i < n && !any; i++)
        any = next_open(s, g, g->first_reason, uses[i].name) >= 0;
    struct judge_value by = {.arena = a,
                             .mode = {.profile = profile,
                                      .limits = &limits,
                                      .custom_calls = custom_call_lookup()},
                             .made = made};
    if (!any || !judge_reference(a, made, &by.mode, &plain, &st))
        return;
    by.plain = &plain;
    for (int i = 0; i < n; i++)
        hold_one(s, g, &by, &shared, number, places, &uses[i]);
    deviation_run_free(&shared);
}

static void hold_group(struct settling *s, const struct group *g)
{
    struct arena a = ARENA_INIT;
    int64_t *chosen, count = choose(s, g, &chosen);
    int64_t step = step_through(count);
    clock_t since = clock();
    for (int64_t i = 0; i < count && !s->r->options->interrupted; i++) {
        if ((clock() - since) / (CLOCKS_PER_SEC / 1000) >= GROUP_MS)
            break;
        if (i == FIRST)
            find_places(s, g, &a);
        if (next_open(s, g, g->first_reason, NULL) < 0)
            break;
        hold_case(s, g, &a, chosen[i * step % count]);
        arena_reset(&a);
    }
    find_places(s, g, &a);
    arena_free(&a);
}

/* In processes: no evaluation can end the run, and each has a share. */
static bool hold_all(struct settling *s, int jobs, struct status *st)
{
    pid_t children[JOBS_MAX];
    size_t bytes = (size_t)s->reason_count * sizeof *s->findings;
    s->findings = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s->findings == MAP_FAILED)
        return FAIL(st, SYSTEM, "out of memory");
    for (int i = 0; i < s->reason_count; i++) {
        const struct deviation_pair *pair = &s->reasons[i].pair;
        const struct place *place = pair->uses[0].place;
        s->findings[i].places = pair->count > 1 ? 0
                                : place         ? UINT64_C(1) << place->number
                                                : UINT64_MAX;
    }
    jobs = jobs < 1 ? 1 : jobs > JOBS_MAX ? JOBS_MAX : jobs;
    for (int k = 0; k < jobs; k++) {
        children[k] = fork();
        if (children[k] != 0)
            continue;
        for (int i = k; i < s->group_count; i += jobs)
            hold_group(s, &s->groups[i]);
        _exit(0);
    }
    for (int k = 0; k < jobs; k++)
        if (children[k] > 0)
            waitpid(children[k], NULL, 0);
    return true;
}

/* ---- Choosing ------------------------------------------------------------ */

/* A cause that passing cases refute, but none at a place that all of its cases
 * have: then it is one there. */
static bool locate(struct settling *s, struct status *st)
{
    const struct place_table *places;
    TRY(place_read(&places, st));
    for (int i = 0; i < s->reason_count; i++) {
        struct finding *f = &s->findings[i];
        struct deviation_use *use = &s->reasons[i].pair.uses[0];
        /* Later places of the table say more than a rank. */
        for (int k = places->count - 1; f->refuted && k >= 0; k--)
            if (f->places >> k & 1) {
                f->refuted = false;
                use->place = &places->rows[k];
                s->reasons[i].name = arena_printf(s->r->arena, "%.*s@%s",
                                                  (int)strcspn(use->name, "@"),
                                                  use->name, use->place->id);
            }
    }
    return true;
}

/* Reasons of one operation are beside each other. */
static void look_elsewhere(struct settling *s)
{
    for (int i = 0; i < s->reason_count; i++) {
        struct reason *x = &s->reasons[i], *end = s->reasons + s->reason_count;
        for (struct reason *y = x + 1; y < end && strcmp(x->op, y->op) == 0;
             y++)
            if (strcmp(x->name, y->name) == 0) {
                bool refuted = s->findings[y - s->reasons].refuted;
                x->elsewhere += refuted ? 0 : y->claims;
                y->elsewhere += s->findings[i].refuted ? 0 : x->claims;
            }
    }
}

/* The cause of most cases that have none yet, or -1.  Of two that explain as
 * many, the one that explains more of the operation elsewhere; then the one
 * that is narrower in the smallest case: claims are in order. */
static int most_open(struct settling *s, const struct group *g,
                     const struct claim *first)
{
    static const struct reason none = {.elsewhere = INT64_MAX};
    int best = -1;
    for (int i = 0; i < g->reason_count; i++)
        s->reasons[g->first_reason + i].open = 0;
    for (int i = 0; i < g->count; i++)
        if (!s->findings[first[i].reason].refuted && first[i].n >= 0)
            s->reasons[first[i].reason].open++;
    for (int i = 0; i < g->reason_count; i++) {
        const struct reason *own = &s->reasons[g->first_reason + i];
        const struct reason *than = best < 0 ? &none : &s->reasons[best];
        if (own->open > than->open
            || (own->open == than->open && own->elsewhere > than->elsewhere))
            best = g->first_reason + i;
    }
    return best;
}

/* Its claims get n = -1, the chosen one of each case -2. */
static void choose_first(struct settling *s, const struct group *g)
{
    struct claim *claims = &s->claims[g->first];
    for (int best; (best = most_open(s, g, claims)) >= 0;)
        for (int i = 0; i < g->count; i++) {
            if (claims[i].reason != best || claims[i].n < 0)
                continue;
            for (int k = 0; k < g->count; k++)
                if (claims[k].number == claims[i].number)
                    claims[k].n = -1;
            claims[i].n = -2;
        }
}

static const char *statement(struct settling *s, const struct claim *c)
{
    const struct plan_case *p = &s->r->plan->cases[c->number];
    int64_t held = s->findings[c->reason].held;
    const char *op = p->stub->op ? p->stub->op : "programs";
    const char *type = s->types[c->number];
    const char *form = form_of(s, c->number);
    const struct deviation_pair *pair = &s->reasons[c->reason].pair;
    const char *text = deviation_pair_text(s->r->arena, pair);
    int own = s->reasons[c->reason].claims;
    if (pair->uses[0].place)
        text = arena_printf(s->r->arena, "%.*s: %d of %d.",
                            (int)strlen(text) - 1, text, own, own);
    return arena_printf(
        s->r->arena, "%s Held against %" PRId64 " passing %s of %s%s%s%s%s.",
        text, held, text_plural(held, "case", "cases"), op, *type ? " " : "",
        type, *form ? " in the form " : "", form);
}

/* The n-th cause of its case from now on. */
static bool put_reason(struct settling *s, const struct claim *c, int n,
                       struct status *st)
{
    struct record *r = s->r;
    const char *text = statement(s, c), *name = s->reasons[c->reason].name;
    struct job_result *held = r->held[c->number];
    if (held) {
        struct job_cause *to = &((struct job_cause *)job_causes(held))[n];
        *to = (struct job_cause){.units = c->units,
                                 .moved = c->moved,
                                 .exact = c->exact,
                                 .held = s->findings[c->reason].held};
        snprintf(to->name, sizeof to->name, "%s", name);
        snprintf(to->text, sizeof to->text, "%s", text);
    }
    return !r->store
           || store_add(r->store, STORE_CAUSE,
                        &(struct store_cause){.plan = r->first + c->number,
                                              .n = n,
                                              .name = name,
                                              .text = text,
                                              .units = c->units,
                                              .moved = c->moved,
                                              .exact = c->exact},
                        st);
}

/* The claims of one case, the chosen one first. */
static bool put_case(struct settling *s, const struct claim *c, int count,
                     struct status *st)
{
    int n = 0;
    struct record *r = s->r;
    if (r->store)
        TRY(store_remove(r->store, STORE_CAUSE, r->first + c->number, st));
    for (int pass = -2; pass <= -1; pass++)
        for (int i = 0; i < count && n < KEPT; i++)
            if (c[i].n == pass && !s->findings[c[i].reason].refuted)
                TRY(put_reason(s, &c[i], n++, st));
    if (r->held[c->number])
        r->held[c->number]->cause_count = n;
    return true;
}

bool reasons_settle(struct record *r, const struct deviation_table *table,
                    int jobs, struct status *st)
{
    struct settling s = {.r = r, .table = table};
    if (r->store)
        TRY(read_store(&s, st));
    else
        read_held(&s);
    if (s.claim_count == 0)
        return true;
    TRY(make_groups(&s, st) && hold_all(&s, jobs, st) && locate(&s, st));
    look_elsewhere(&s);
    for (int i = 0; i < s.group_count; i++)
        choose_first(&s, &s.groups[i]);
    bool good = true;
    /* All claims of a case are put together: a run that goes on would leave out
     * a case that was put in part. */
    for (int i = 0, n; good && i < s.claim_count && !r->options->interrupted;
         i += n) {
        for (n = 1; i + n < s.claim_count
                    && s.claims[i + n].number == s.claims[i].number;)
            n++;
        good = put_case(&s, &s.claims[i], n, st);
    }
    munmap(s.findings, (size_t)s.reason_count * sizeof *s.findings);
    return good;
}
