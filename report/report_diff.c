/* report_diff.c - two runs, case by case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * gate.def says what counts.
 */
#include <string.h>

#include "report/format.h"
#include "report/report.h"

struct state {
    FILE *out;
    int64_t left; /* lines that may still be written */
    struct report_change *change;
    struct status *st;
};

static void begin_line(struct state *s, const char *what, const char *name)
{
    fprintf(s->out, "%-12s ", what);
    format_plain(s->out, name);
}

static bool may_write(struct state *s)
{
    if (!s->out || s->left == 0)
        return false;
    s->left--;
    return true;
}

static int64_t size_of(const struct report_case *c)
{
    return !c->has_error ? 0 : c->error < 0 ? -c->error : c->error;
}

static void compare_accuracy(struct state *s, struct report_side *before,
                             struct report_side *after)
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
    if (!may_write(s))
        return;
    begin_line(s, "accuracy", y->name);
    fprintf(s->out, ": worst error %s -> %s ulp\n",
            format_ulps(&after->report->row, x->error),
            format_ulps(&after->report->row, y->error));
}

/* VERDICT_COUNT: it is not planned. */
static enum verdict_status status_of(const struct report_side *side)
{
    return side ? verdict_find(side->now.status) : VERDICT_COUNT;
}

/* Returns what it is known to fail as: the first word of "crash (REASON):
 * ...". */
static enum verdict_status known_as(const struct report_side *side,
                                    enum verdict_status status)
{
    enum verdict_status word = status == VERDICT_XFAIL && side->now.message
                                   ? verdict_find_first(side->now.message)
                                   : VERDICT_COUNT;
    return word == VERDICT_COUNT ? status : word;
}

static const char *status_text(struct arena *a, const struct report_side *side)
{
    if (!side)
        return "not planned";
    enum verdict_status status = status_of(side), as = known_as(side, status);
    return as == status
               ? arena_text(a, side->now.status)
               : arena_printf(a, "%s (%s)", side->now.status, verdict_name(as));
}

/* Does another expectations file say that a case is wrong in a worse way than
 * it was? */
static bool is_worse_known(const struct report_change *c,
                           const struct report_side *before,
                           const struct report_side *after)
{
    enum verdict_status was = status_of(before), is = status_of(after);
    return is == VERDICT_XFAIL && before && c->identity[IDENTITY_EXPECTED_FILE]
           && gate_fate(known_as(before, was), known_as(after, is))
                  == GATE_WORSE;
}

/* No result is news of a case that its own expectations call unsteady, before
 * and now. */
static bool is_unsteady(const struct report_side *before,
                        const struct report_side *after)
{
    return before && after
           && before->now.flags & after->now.flags & STORE_UNSTEADY;
}

/* Is the accuracy of a case news?  Not where its failure is counted under a
 * name of its own, nor where its results differ from run to run. */
static bool is_compared(enum gate_fate fate, const struct report_side *before,
                        const struct report_side *after)
{
    return before && after && fate != GATE_NEW && fate != GATE_WORSE
           && fate != GATE_KNOWN && !is_unsteady(before, after);
}

/* Cases come in the order of their names, so those of an operation together. */
static void add_op(struct report_change *c, const char *op)
{
    struct report_names *n = &c->ops;
    if (!c->arena || (n->count > 0 && strcmp(n->list[n->count - 1], op) == 0))
        return;
    ARENA_GROW(c->arena, n->list, n->count, n->room);
    n->list[n->count++] = arena_text(c->arena, op);
}

/* Why it is wrong: the deviation that explains it, else its message. */
static bool keep(struct state *s, enum gate_fate fate,
                 struct report_side *before, struct report_side *after)
{
    struct report_change *c = s->change;
    const struct report_case *of = after ? &after->now : &before->now;
    int64_t n = c->fate[fate]++;
    if (!c->arena || n >= REPORT_CHANGES)
        return true;
    const char *why = NULL;
    if (after) {
        TRY(report_explain_text(after->report, of, &why, s->st));
        if (!why)
            why = of->message;
    }
    c->first[fate][n] = (struct report_changed){
        arena_text(c->arena, of->name), status_text(c->arena, before),
        status_text(c->arena, after), why ? arena_text(c->arena, why) : NULL};
    return true;
}

/* One of the two may be NULL: it is not planned there. */
static bool compare_case(struct state *s, struct report_side *before,
                         struct report_side *after)
{
    struct report_change *c = s->change;
    enum verdict_status was = status_of(before), is = status_of(after);
    enum gate_fate fate =
        is_worse_known(c, before, after) ? GATE_KNOWN : gate_fate(was, is);
    if (fate == GATE_KNOWN && is_unsteady(before, after))
        fate = GATE_SAME;
    c->added += !before;
    c->same += was == is && fate == GATE_SAME;
    bool told = fate != GATE_SAME || (before && was != is);
    if (told)
        TRY(keep(s, fate, before, after));
    if (told || !before)
        add_op(c, (after ? after : before)->now.op);
    if (told && may_write(s)) {
        begin_line(s, gate_word(fate), (after ? after : before)->now.name);
        struct arena *a = &(after ? after : before)->report->row;
        fprintf(s->out, ": %s -> %s\n", status_text(a, before),
                status_text(a, after));
    }
    if (is_compared(fate, before, after))
        compare_accuracy(s, before, after);
    return true;
}

static void compare_identities(struct report_change *c, struct report *before,
                               struct report *after)
{
    const struct identity *x = &before->runs[0].identity,
                          *y = &after->runs[0].identity;
    for (int m = 0; m < IDENTITY_COUNT; m++)
        c->identity[m] =
            (int)identity_differs(x, y, (enum identity_member)m) == m;
}

bool report_diff(struct report *before, struct report *after, FILE *out,
                 int64_t limit, struct arena *a, struct report_change *change,
                 struct status *st)
{
    struct state s = {out, limit, change, st};
    struct report_side sides[2] = {{.report = before, .run = &before->runs[0]},
                                   {.report = after, .run = &after->runs[0]}};
    *change = (struct report_change){.arena = a};
    compare_identities(change, before, after);
    while (report_join(sides, 2, st)
           && compare_case(&s, sides[0].here ? &sides[0] : NULL,
                           sides[1].here ? &sides[1] : NULL))
        ;
    report_join_end(sides, 2);
    return st->code == STATUS_OK;
}

void report_diff_identity(const struct report_change *c,
                          const struct report *before,
                          const struct report *after, const char *verb,
                          FILE *out)
{
    for (int m = 0; m < IDENTITY_COUNT; m++) {
        enum identity_member i = (enum identity_member)m;
        if (!c->identity[m])
            continue;
        fprintf(out, "%s: %s changed: ", verb, identity_label(i));
        format_plain(out, identity_value(&before->runs[0].identity, i));
        fputs(" -> ", out);
        format_plain(out, identity_value(&after->runs[0].identity, i));
        putc('\n', out);
    }
}

void report_diff_json(const struct report_change *c, FILE *out)
{
    struct arena a = ARENA_INIT;
    fputs("{\"format\": \"assay-diff/1\"", out);
#define GATE_SUM(member, key, class, one, many) \
    fprintf(out, ", \"%s\": %lld", key, (long long)c->member);
#include "report/gate.def"
#undef GATE_SUM
    fputs(", ", out);
    format_json_ulps(out, &a, "worst_drift_ulps", true, c->worst_drift);
    fputs(", \"identity_differs\": [", out);
    const char *comma = "";
    for (int m = 0; m < IDENTITY_COUNT; m++)
        if (c->identity[m]) {
            fprintf(out, "%s\"%s\"", comma,
                    identity_key((enum identity_member)m));
            comma = ", ";
        }
    fputs("]}\n", out);
    arena_free(&a);
}
