/* report_diff.c - two runs, case by case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Both are read in the order of their names and merged, so that neither their
 * number nor whether they are in one database matters.
 */
#include <sqlite3.h>
#include <string.h>

#include "report/format.h"
#include "report/report.h"

struct side {
    struct report *report;
    sqlite3_stmt *query;
    struct report_case now;
    int more;
};

struct state {
    FILE *out;
    int64_t left;   /* lines that may still be written */
    bool lost_only; /* which they are for */
    struct report_change *change;
};

static void begin_line(struct state *s, const char *what, const char *name)
{
    fprintf(s->out, "%-12s ", what);
    format_plain(s->out, name);
}

static bool may_write(struct state *s, bool lost)
{
    if (!s->out || s->left == 0 || (s->lost_only && !lost))
        return false;
    s->left--;
    return true;
}

static void write_change(struct state *s, const char *what, const char *name,
                         const char *before, const char *after)
{
    if (!may_write(s, strcmp(what, "lost") == 0))
        return;
    begin_line(s, what, name);
    fprintf(s->out, ": %s -> %s\n", before, after);
}

static int64_t size_of(const struct report_case *c)
{
    return !c->has_error ? 0 : c->error < 0 ? -c->error : c->error;
}

static void compare_accuracy(struct state *s, struct side *before,
                             struct side *after)
{
    struct report_change *c = s->change;
    const struct report_case *x = &before->now, *y = &after->now;
    if (x->units > 0 && x->units == y->units && y->correct >= 0
        && y->correct < x->correct)
        c->less_correct++;
    if (!x->has_error || !y->has_error)
        return;
    int64_t drift = size_of(y) - size_of(x);
    c->better += drift < 0;
    if (drift <= 0)
        return;
    c->worse++;
    if (drift > c->worst_drift)
        c->worst_drift = drift;
    if (!may_write(s, false))
        return;
    begin_line(s, "accuracy", y->name);
    fprintf(s->out, ": worst error %s -> %s ulp\n",
            format_ulps(&after->report->row, x->error),
            format_ulps(&after->report->row, y->error));
}

static bool is_missing(const char *status)
{
    return strcmp(status, "missing") == 0;
}

static void compare(struct state *s, struct side *before, struct side *after)
{
    struct report_change *c = s->change;
    const char *was = before->now.status, *is = after->now.status;
    const struct report_status *x = report_status_find(was),
                               *y = report_status_find(is);
    bool failed = x->failure, fails = y->failure;
    if (!failed && fails) {
        c->new_failures++;
        c->missing += is_missing(is);
        write_change(s, "new failure", after->now.name, was, is);
    } else if (x->tap == REPORT_OK && y->tap == REPORT_OK_SKIP) {
        c->lost++;
        write_change(s, "lost", after->now.name, was, is);
    } else if (failed && y->tap == REPORT_OK) {
        c->fixed++;
        write_change(s, "fixed", after->now.name, was, is);
    } else if (strcmp(was, is) != 0) {
        c->other++;
        write_change(s, "changed", after->now.name, was, is);
    } else {
        c->same++;
    }
    compare_accuracy(s, before, after);
}

static void only_after(struct state *s, struct side *after)
{
    s->change->added++;
    if (report_status_find(after->now.status)->failure) {
        s->change->new_failures++;
        s->change->missing += is_missing(after->now.status);
        write_change(s, "new failure", after->now.name, "not planned",
                     after->now.status);
    }
}

static void only_before(struct state *s, struct side *before)
{
    s->change->removed++;
    write_change(s, "removed", before->now.name, before->now.status,
                 "not planned");
}

static void next(struct side *side, struct status *st)
{
    side->more = report_case_next(side->report, side->query, &side->now, st);
}

static bool open_side(struct side *side, struct report *r, struct status *st)
{
    *side = (struct side){.report = r};
    side->query = report_query(r, "names", r->runs[0].id, st);
    if (!side->query)
        return false;
    next(side, st);
    return true;
}

static void merge(struct state *s, struct side *before, struct side *after,
                  struct status *st)
{
    while (before->more >= 0 && after->more >= 0
           && (before->more || after->more)) {
        int order = !before->more  ? 1
                    : !after->more ? -1
                                   : strcmp(before->now.name, after->now.name);
        if (order == 0)
            compare(s, before, after);
        else if (order < 0)
            only_before(s, before);
        else
            only_after(s, after);
        if (order <= 0)
            next(before, st);
        if (order >= 0)
            next(after, st);
    }
}

static bool diff(struct state *s, struct report *before, struct report *after,
                 struct status *st)
{
    struct side x = {0}, y = {0};
    *s->change = (struct report_change){0};
    if (open_side(&x, before, st) && open_side(&y, after, st))
        merge(s, &x, &y, st);
    sqlite3_reset(x.query);
    sqlite3_reset(y.query);
    return st->code == STATUS_OK;
}

bool report_diff(struct report *before, struct report *after, FILE *out,
                 int64_t limit, struct report_change *change, struct status *st)
{
    struct state s = {out, limit, false, change};
    return diff(&s, before, after, st);
}

bool report_diff_lost(struct report *before, struct report *after, FILE *out,
                      int64_t limit, struct report_change *change,
                      struct status *st)
{
    struct state s = {out, limit, true, change};
    return diff(&s, before, after, st);
}

void report_diff_json(const struct report_change *c, FILE *out)
{
    struct arena a = ARENA_INIT;
    fprintf(out,
            "{\"format\": \"assay-diff/1\", \"same\": %lld,"
            " \"new_failures\": %lld, \"lost\": %lld, \"fixed\": %lld,"
            " \"changed\": %lld,"
            " \"added\": %lld, \"removed\": %lld, \"less_accurate\": %lld,"
            " \"more_accurate\": %lld, \"less_correctly_rounded\": %lld,"
            " \"worst_drift_ulps\": %s}\n",
            (long long)c->same, (long long)c->new_failures, (long long)c->lost,
            (long long)c->fixed, (long long)c->other, (long long)c->added,
            (long long)c->removed, (long long)c->worse, (long long)c->better,
            (long long)c->less_correct, format_micro(&a, c->worst_drift));
    arena_free(&a);
}
