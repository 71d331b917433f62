/* expect_measure.c - see expect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/exact/real.h"
#include "tools/verbs/expect.h"

enum {
    ROOM_MAX = 1 << 20 /* cases: a database may say anything */
};

static struct expect_measure *add(struct arena *a, struct expect_measures *to)
{
    ARENA_GROW(a, to->list, to->count, to->room);
    struct expect_measure *m = &to->list[to->count++];
    memset(m, 0, sizeof *m);
    return m;
}

static bool is_right(enum verdict_status s)
{
    return s == VERDICT_PASS || s == VERDICT_WARN || s == VERDICT_XPASS;
}

/* Was it wrong in one execution and right in another, within one attempt
 * (judge.c)? */
static bool is_mixed(const char *message)
{
    static const char wrong[] = "wrong at first", right[] = "right at first";
    return strncmp(message, wrong, strlen(wrong)) == 0
           || strncmp(message, right, strlen(right)) == 0;
}

/* Both attempts of "fail at first (...), then pass". */
static void read_flake(struct expect_measure *m)
{
    static const char refusal[] = "right at first, then refused";
    bool mixed = is_mixed(m->message);
    bool refused = strncmp(m->message, refusal, strlen(refusal)) == 0;
    enum verdict_status first = refused ? VERDICT_REFUSED
                                : mixed ? VERDICT_FAIL
                                        : verdict_find_first(m->message);
    const char *then = strstr(m->message, "), then ");
    enum verdict_status second =
        then ? verdict_find_first(then + strlen("), then ")) : VERDICT_COUNT;
    m->right = mixed || is_right(first) || is_right(second);
    if (first < VERDICT_COUNT && verdict_is_failure(first))
        m->statuses |= 1U << first;
    if (second < VERDICT_COUNT && verdict_is_failure(second))
        m->statuses |= 1U << second;
    if (m->statuses & 1U << VERDICT_FAIL)
        m->found.status = VERDICT_FAIL;
    m->varies = true;
}

static void read_status(struct expect_measure *m, enum verdict_status s)
{
    enum verdict_status first = verdict_find_first(m->message);
    if (s == VERDICT_XFAIL && first < VERDICT_COUNT) {
        const char *rest = strstr(m->message, "): ");
        m->message = rest ? rest + 3 : "";
        s = first;
    }
    m->found.status = s;
    m->right = is_right(s);
    if (!verdict_is_failure(s) || s == VERDICT_XPASS)
        return;
    m->statuses = 1U << s;
    if (s == VERDICT_FLAKE)
        read_flake(m);
}

/* The texts of a unit are the report's, until its next case. */
static const struct store_wrong *copy(struct arena *a,
                                      const struct store_wrong *w)
{
    struct store_wrong *to = arena_new(a, struct store_wrong, 1);
    *to = *w;
    to->type = arena_text(a, w->type);
    to->operands = arena_new(a, struct store_operand, (size_t)w->operand_count);
    for (int i = 0; i < w->operand_count; i++) {
        to->operands[i] = w->operands[i];
        to->operands[i].type = arena_text(a, w->operands[i].type);
    }
    to->place = to->accept = NULL;
    return to;
}

bool expect_measure_beyond(const struct store_wrong *w)
{
    return w->has_error
           && (w->error >= REAL_ERROR_MAX || w->error <= -REAL_ERROR_MAX);
}

static void read_unit(struct arena *a, struct expect_measure *m,
                      const struct store_wrong *w)
{
    enum dtype t;
    if (!dtype_parse(w->type, strlen(w->type), &t))
        return;
    enum verdict_nature n =
        verdict_nature(t, w->got, w->want, w->has_error, w->has_share);
    expect_found_unit(&m->found, n, w->error, w->share);
    const struct store_wrong *one = m->example[n];
    if (!one || (expect_measure_beyond(w) && !expect_measure_beyond(one)))
        m->example[n] = copy(a, w);
}

static bool read_units(struct arena *a, struct report *r,
                       struct expect_measure *m, int64_t plan, int64_t error,
                       int64_t share, struct status *st)
{
    enum {
        UNITS = 1 << 10
    };
    struct store_wrong *w;
    int count = 0;
    if (expect_by_units(m->message))
        TRY(report_case_wrongs(r, plan, UNITS, &w, &count, st));
    for (int i = 0; i < count; i++)
        read_unit(a, m, &w[i]);
    expect_found_end(&m->found, count < m->bad, error, share);
    arena_reset(&r->row);
    return true;
}

static bool read_causes(struct arena *a, struct report *r,
                        struct expect_found *to, int64_t plan,
                        struct status *st)
{
    struct store_cause *list;
    int count;
    TRY(report_explain_causes(r, plan, &list, &count, st));
    for (int i = 0; i < count && i < EXPECT_CAUSES; i++)
        to->causes[to->cause_count++] = arena_text(a, list[i].name);
    arena_reset(&r->row);
    return true;
}

static bool read_case(struct arena *a, struct report *r, sqlite3_stmt *q,
                      struct expect_measures *to, struct status *st)
{
    enum verdict_status s =
        verdict_find((const char *)sqlite3_column_text(q, 4));
    if (s == VERDICT_MISSING || s == VERDICT_COUNT)
        return true;
    struct expect_measure *m = add(a, to);
    m->name = arena_text(a, report_column_text(q, 1));
    m->op = arena_text(a, report_column_text(q, 2));
    m->type = arena_text(a, report_column_text(q, 3));
    const char *message = report_column_text(q, 5);
    m->message = arena_printf(a, "%.*s", (int)expect_own(message), message);
    m->units = sqlite3_column_int64(q, 6);
    m->bad = sqlite3_column_int64(q, 7);
    read_status(m, s);
    if (!expect_by_units(m->message))
        m->found.message = m->message;
    if (m->found.status != VERDICT_FAIL)
        return true;
    const char *input = arena_text(a, report_column_text(q, 10));
    m->input = *input ? input : NULL;
    m->found.searched = !(sqlite3_column_int64(q, 11) & VERDICT_SEARCH_ENDED);
    TRY(read_causes(a, r, &m->found, sqlite3_column_int64(q, 0), st));
    return read_units(a, r, m, sqlite3_column_int64(q, 0),
                      sqlite3_column_int64(q, 8), sqlite3_column_int64(q, 9),
                      st);
}

bool expect_measure_read(struct arena *a, struct report *r,
                         struct expect_measures *to, struct status *st)
{
    const struct report_run *run = &r->runs[r->run_count - 1];
    sqlite3_stmt *q = store_prepare(
        r->store,
        "SELECT plan, outcome.name, op, type, outcome.status, message, units,"
        " bad, error, share, worst_input, flags"
        " FROM outcome LEFT JOIN detail USING (plan)"
        " WHERE run = ?1 ORDER BY plan",
        st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, run->id);
    if (!to->list && run->planned > 0 && run->planned < ROOM_MAX) {
        to->room = (int)run->planned;
        to->list = arena_new(a, struct expect_measure, (size_t)to->room);
    }
    int rc;
    bool ok = true;
    while (ok && (rc = sqlite3_step(q)) == SQLITE_ROW)
        ok = read_case(a, r, q, to, st);
    ok =
        ok
        && (rc == SQLITE_DONE || store_sql_fail(r->store, "reading cases", st));
    sqlite3_finalize(q);
    return ok;
}

static int by_name(const void *a, const void *b)
{
    const struct expect_measure *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* The same case of another run. */
static void join(struct expect_measure *to, const struct expect_measure *from)
{
    bool worse = !to->statuses
                 || (from->statuses
                     && (from->found.error > to->found.error
                         || from->found.share > to->found.share));
    bool varies = to->varies || from->varies
                  || (to->found.natures && from->found.natures
                      && (to->found.natures != from->found.natures
                          || to->found.error != from->found.error
                          || to->found.share != from->found.share));
    struct expect_measure other = worse ? *to : *from;
    /* A cause must explain it in each run. */
    bool same_cause =
        to->found.cause_count > 0 && from->found.cause_count > 0
        && strcmp(to->found.causes[0], from->found.causes[0]) == 0;
    if (worse)
        *to = *from;
    to->found.cause_count = same_cause ? 1 : 0;
    to->found.searched = to->found.searched && other.found.searched;
    to->right = to->right || other.right;
    to->varies = varies;
    to->statuses |= other.statuses;
    to->found.natures |= other.found.natures;
    for (int i = 0; i < VERDICT_NATURES; i++)
        if (!to->example[i])
            to->example[i] = other.example[i];
}

void expect_measure_merge(struct expect_measures *m)
{
    int kept = 0;
    if (m->count > 0)
        qsort(m->list, (size_t)m->count, sizeof *m->list, by_name);
    for (int i = 0; i < m->count; i++) {
        struct expect_measure *last = kept > 0 ? &m->list[kept - 1] : NULL;
        if (!last || strcmp(last->name, m->list[i].name) != 0)
            m->list[kept++] = m->list[i];
        else
            join(last, &m->list[i]);
    }
    m->count = kept;
}
