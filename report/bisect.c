/* bisect.c - see bisect.h: what is known, and what to run next.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * tools/test/bisect.t tests it with planted changes.
 */
#include "report/bisect.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"

/* ---- The table ----------------------------------------------------------- */

struct bisect_case *bisect_add(struct bisect *b, const char *name)
{
    ARENA_GROW(b->arena, b->cases, b->case_count, b->case_room);
    struct bisect_case *c = &b->cases[b->case_count++];
    c->name = arena_text(b->arena, name);
    c->cells =
        arena_new(b->arena, struct bisect_cell, (size_t)b->version_count);
    return c;
}

static int by_name(const void *x, const void *y)
{
    const struct bisect_case *a = x, *b = y;
    return strcmp(a->name, b->name);
}

void bisect_sort(struct bisect *b)
{
    if (b->case_count > 0)
        qsort(b->cases, (size_t)b->case_count, sizeof *b->cases, by_name);
}

static void fill_cell(struct bisect *b, struct bisect_cell *cell,
                      const struct report_case *now)
{
    cell->status = arena_text(b->arena, now->status);
    cell->verdict = compare_verdict_of(now->status);
    cell->has_error = now->has_error;
    cell->error = llabs(now->error);
}

/* Both lists are in order of their names; *at is where the last one was. */
static struct bisect_case *find_case(struct bisect *b, const char *name,
                                     int sorted, int *at, bool add)
{
    while (*at < sorted && strcmp(b->cases[*at].name, name) < 0)
        ++*at;
    if (*at < sorted && strcmp(b->cases[*at].name, name) == 0)
        return &b->cases[*at];
    return add && glob_match_any(b->globs, name) ? bisect_add(b, name) : NULL;
}

bool bisect_read(struct bisect *b, struct report *r,
                 const struct report_run *run, int version, bool add,
                 struct status *st)
{
    int sorted = b->case_count, at = 0, more;
    struct report_case now;
    sqlite3_stmt *q = report_query(r, "names", run->id, st);
    if (!q)
        return false;
    while ((more = report_case_next(r, q, &now, st)) > 0) {
        /* Planned, but never run: nothing is known. */
        if (strcmp(now.status, verdict_name(VERDICT_MISSING)) == 0)
            continue;
        struct bisect_case *c = find_case(b, now.name, sorted, &at, add);
        if (c)
            fill_cell(b, &c->cells[version], &now);
    }
    sqlite3_reset(q);
    if (b->case_count > sorted)
        bisect_sort(b);
    return more == 0;
}

/* ---- The search ---------------------------------------------------------- */

/* The next known version after `from`; version_count if there is none. */
static int next_known(const struct bisect *b, const struct bisect_case *c,
                      int from)
{
    do
        from++;
    while (from < b->version_count && !c->cells[from].status);
    return from;
}

/* Mark the versions to run the case on, none of which has a result yet: all, if
 * `every`; else the ends, and the middle between two unlike verdicts. */
static void want(const struct bisect *b, const struct bisect_case *c,
                 bool every, bool *versions)
{
    int last = b->version_count - 1;
    memset(versions, 0, (size_t)b->version_count * sizeof *versions);
    if (every) {
        for (int v = 0; v <= last; v++)
            versions[v] = !c->cells[v].status;
        return;
    }
    versions[0] = !c->cells[0].status;
    versions[last] = !c->cells[last].status;
    for (int v = next_known(b, c, -1), w; v < last; v = w) {
        w = next_known(b, c, v);
        if (w <= last && c->cells[w].verdict != c->cells[v].verdict
            && w - v > 1)
            versions[(v + w) / 2] = true;
    }
}

/* The ends first; then the version that most cases want, so that one run serves
 * many. */
static int choose_version(const struct bisect *b, const int *counts)
{
    int best = 0, last = b->version_count - 1;
    if (counts[0] > 0)
        return 0;
    if (counts[last] > 0)
        return last;
    for (int v = 1; v < last; v++)
        if (counts[v] > counts[best])
            best = v;
    return counts[best] > 0 ? best : -1;
}

int bisect_wanted(const struct bisect *b, bool every, bool *wanted)
{
    struct arena a = ARENA_INIT;
    size_t n = (size_t)b->version_count;
    bool *of_case = arena_new(&a, bool, n);
    int *counts = arena_new(&a, int, n);
    for (int i = 0; i < b->case_count; i++) {
        want(b, &b->cases[i], every, of_case);
        for (size_t v = 0; v < n; v++)
            counts[v] += of_case[v];
    }
    int version = choose_version(b, counts);
    for (int i = 0; version >= 0 && i < b->case_count; i++) {
        want(b, &b->cases[i], every, of_case);
        wanted[i] = of_case[version];
    }
    arena_free(&a);
    return version;
}

int bisect_changes(const struct bisect *b, const struct bisect_case *c,
                   struct bisect_change *list)
{
    int count = 0;
    for (int v = next_known(b, c, -1), w; v < b->version_count; v = w) {
        w = next_known(b, c, v);
        if (w == b->version_count || c->cells[w].verdict == c->cells[v].verdict)
            continue;
        if (list)
            list[count] = (struct bisect_change){v, w};
        count++;
    }
    return count;
}

bool bisect_broke(const struct bisect *b)
{
    for (int i = 0; i < b->case_count; i++) {
        bool was_right = false;
        for (int v = 0; v < b->version_count; v++) {
            const struct bisect_cell *x = &b->cases[i].cells[v];
            was_right |= x->status && x->verdict == COMPARE_RIGHT;
            if (was_right && x->status && x->verdict == COMPARE_WRONG)
                return true;
        }
    }
    return false;
}
