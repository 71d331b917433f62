/* verify.c - see pack.h.  Tests: pack.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each record of the worker is judged as in the run, by the same function, and
 * its verdict compared with the row of the case: status, units, wrong units and
 * the largest error.  The last record of a case counts, unless its inputs had
 * been overwritten.  A case that crashed or hung left no result; such a row is
 * counted and named, not verified.
 */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/program/evaluate.h"
#include "report/format.h"
#include "runner/process/bits.h"
#include "runner/process/judge.h"
#include "runner/record.h"
#include "tools/verbs/pack.h"

/* A record, and the one of the same case before it. */
struct kept {
    const void *record;
    uint64_t length;
    int64_t before; /* in the list; -1: none */
};

struct verifying {
    struct verify *v;
    struct job_context context;
    struct arena one;    /* of a case */
    const char **names;  /* by number, sorted with places */
    int64_t *places;     /* numbers of plan cases, by name */
    int64_t count, room; /* records */
    struct kept *kept;
    int64_t *last; /* by plan case: its last record; -1: none */
};

/* ---- Names --------------------------------------------------------------- */

static const char **sorting; /* qsort has no context */

static int by_name(const void *a, const void *b)
{
    return strcmp(sorting[*(const int64_t *)a], sorting[*(const int64_t *)b]);
}

static void index_plan(struct verifying *x)
{
    const struct plan *p = x->v->plan;
    struct arena *a = x->v->arena;
    x->names = arena_new(a, const char *, (size_t)p->count + 1);
    x->places = arena_new(a, int64_t, (size_t)p->count + 1);
    x->last = arena_new(a, int64_t, (size_t)p->count + 1);
    int64_t *pending = arena_new(a, int64_t, (size_t)p->count + 1);
    for (int64_t i = 0; i < p->count; i++) {
        x->names[i] = plan_name(a, &p->cases[i]);
        x->places[i] = pending[i] = i;
        x->last[i] = -1;
    }
    sorting = x->names;
    if (p->count > 0)
        qsort(x->places, (size_t)p->count, sizeof *x->places, by_name);
    x->context = (struct job_context){.plan = p,
                                      .pending = pending,
                                      .pending_count = p->count,
                                      .limits = x->v->limits,
                                      .profile = x->v->profile};
}

/* The number of the case of that name; -1: the plan has none. */
static int64_t number_of(const struct verifying *x, const char *name)
{
    int64_t low = 0, high = x->v->plan->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int way = strcmp(x->names[x->places[middle]], name);
        if (way == 0)
            return x->places[middle];
        if (way < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static bool read_bits(struct verifying *x, const struct archive_member *from,
                      struct status *st)
{
    struct bits_reader r;
    struct bits_record one;
    int more;
    TRY(bits_read(&r, from->bytes, from->length, st));
    while ((more = bits_next(&r, &one)) == 1) {
        int64_t number = number_of(x, one.name);
        if (number < 0)
            return FAIL(st, INPUT, "%s: '%.100s' is no case of the suite",
                        from->name, one.name);
        ARENA_GROW(x->v->arena, x->kept, x->count, x->room);
        x->kept[x->count] =
            (struct kept){one.record, one.length, x->last[number]};
        x->last[number] = x->count++;
    }
    return more == 0 || FAIL(st, INPUT, "%s: ends within a record", from->name);
}

/* ---- Judging ------------------------------------------------------------- */

static const struct job_result *judged(struct verifying *x, int64_t number,
                                       const struct kept *k)
{
    struct job_record *own = arena_alloc(&x->one, k->length + sizeof *own);
    memset(own, 0, sizeof *own);
    memcpy(own, k->record, k->length);
    own->position = number;
    return judge_record(&x->one, &x->context, own, k->length);
}

/* The last result that is one of the case; NULL: there is none. */
static const struct job_result *last_of(struct verifying *x, int64_t number)
{
    for (int64_t i = x->last[number]; i >= 0; i = x->kept[i].before) {
        const struct job_result *r = judged(x, number, &x->kept[i]);
        if (!r->disturbed)
            return r;
    }
    return NULL;
}

static bool are_alike(struct verifying *x, int64_t number)
{
    int32_t status = -1;
    for (int64_t i = x->last[number]; i >= 0; i = x->kept[i].before) {
        const struct job_result *r = judged(x, number, &x->kept[i]);
        if (status >= 0 && r->status != status)
            return false;
        status = r->status;
    }
    return true;
}

/* ---- Comparing ----------------------------------------------------------- */

/* Did a row's case end without a result?  Its status says so, or that of a
 * known failure: "crash (REASON)". */
static bool has_ended(const struct report_case *c)
{
    static const char *const ends[] = {"crash", "timeout", "missing"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        size_t n = strlen(ends[i]);
        if (strcmp(c->status, ends[i]) == 0)
            return true;
        if (strcmp(c->status, "xfail") == 0 && c->message
            && strncmp(c->message, ends[i], n) == 0 && c->message[n] == ' ')
            return true;
    }
    return false;
}

static bool same_figures(const struct report_case *c,
                         const struct job_result *r)
{
    int64_t units = r->units < 0 ? 0 : r->units;
    bool rated = r->units >= 0 && r->correct >= 0;
    return c->units == units && (units == 0 || c->bad == r->bad)
           && (!rated || c->correct == r->correct)
           && (r->units < 0 || c->has_error == r->has_error)
           && (!c->has_error || c->error == r->error);
}

static void tell(struct verifying *x, const struct report_case *c,
                 const char *got, const char *text)
{
    if (x->v->differs++ >= x->v->shown)
        return;
    printf("differs      ");
    format_plain(stdout, c->name);
    printf(": recorded %s, the bits give %s%s", c->status, got,
           *text ? ": " : "");
    format_plain(stdout, text);
    putchar('\n');
}

static void ended(struct verifying *x, const struct report_case *c)
{
    x->v->ended[report_status_find(c->status) - report_statuses]++;
}

static void compare_verdict(struct verifying *x, const struct report_case *c)
{
    int64_t number = number_of(x, c->name);
    const struct expect_line *line;
    if (number < 0) {
        tell(x, c, "nothing", "no such case in the suite");
        return;
    }
    if (has_ended(c)) {
        ended(x, c);
        return;
    }
    const struct job_result *r = last_of(x, number);
    bool flake = strcmp(c->status, "flake") == 0;
    if (flake && (!r || are_alike(x, number))) {
        ended(x, c); /* one of its attempts */
        return;
    }
    if (!r) {
        tell(x, c, "nothing", "there are no bits of it");
        return;
    }
    struct expect_found found = record_detail_found(r);
    found.searched = false; /* for causes: that takes the whole run */
    enum verdict_status status =
        expect_apply(x->v->expect, c->name, &found, &line);
    if (flake
        || (strcmp(verdict_name(status), c->status) == 0 && same_figures(c, r)))
        x->v->derived++;
    else
        tell(x, c,
             strcmp(verdict_name(status), c->status) == 0
                 ? "other figures"
                 : verdict_name(status),
             r->text);
}

bool verify_run(struct verify *v, struct status *st)
{
    struct verifying x = {.v = v};
    struct report_case c;
    int more;
    index_plan(&x);
    for (int i = 0; i < v->bits_count; i++)
        TRY(read_bits(&x, &v->bits[i], st));
    sqlite3_stmt *q =
        report_query(v->report, "cases", v->report->runs[0].id, st);
    if (!q)
        return false;
    while ((more = report_case_next(v->report, q, &c, st)) == 1) {
        compare_verdict(&x, &c);
        arena_reset(&x.one);
    }
    sqlite3_reset(q);
    evaluate_end();
    arena_free(&x.one);
    return more == 0;
}
