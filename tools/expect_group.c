/* expect_group.c - see expect_group.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A greedy cover: each failure proposes patterns, from all operations with its
 * element type down to its own name; a pattern that would also match what is
 * right is dropped; then the one that explains most failures is taken, the
 * more specific one of equals, until nothing is left.
 */
#include "tools/expect_group.h"

#include <stdlib.h>
#include <string.h>

#include "interp/base/dtype.h"
#include "runner/plan.h"

enum {
    FORMS = 16
};

struct candidate {
    const char *pattern;
    int rank; /* more is more specific */
    enum verdict_status status;
    int count, *matched; /* failures */
    const struct expect_group_case *example;
};

struct grouping {
    struct arena *arena;
    const struct expect_group_case *cases;
    int count;
    unsigned char *covered;
    struct candidate *candidates;
    int candidate_count, room;
};

static bool is_right(enum verdict_status s)
{
    return s == VERDICT_PASS || s == VERDICT_WARN;
}

/* ---- Proposals
 * ------------------------------------------------------------------ */

static void propose(struct grouping *g, const struct expect_group_case *c,
                    const char *pattern, int rank)
{
    if (g->candidate_count == g->room) {
        g->room = g->room ? 2 * g->room : 1024;
        struct candidate *more =
            arena_new(g->arena, struct candidate, (size_t)g->room);
        if (g->candidate_count > 0)
            memcpy(more, g->candidates,
                   (size_t)g->candidate_count * sizeof *more);
        g->candidates = more;
    }
    g->candidates[g->candidate_count++] =
        (struct candidate){pattern, rank, c->status, 0, NULL, c};
}

/* The first element type among the bindings of a name, or NULL. */
static const char *type_of(struct arena *a, const char *name)
{
    for (const char *p = strchr(name, '@'); p && (p = strchr(p, '='));) {
        size_t n = strcspn(++p, ",#");
        enum dtype t;
        if (dtype_parse(p, n, &t))
            return arena_printf(a, "%.*s", (int)n, p);
    }
    return NULL;
}

static void propose_all(struct grouping *g, const struct expect_group_case *c)
{
    struct arena *a = g->arena;
    const char *name = c->name, *slash = strchr(name, '/');
    const char *second = slash ? strchr(slash + 1, '/') : NULL;
    const char *type = type_of(a, name);
    int op = slash ? (int)(slash - name) : (int)strlen(name);
    int file = second ? (int)(second - name) : op;
    int id = (int)strcspn(name, "@#");
    const char *heads[] = {"*", arena_printf(a, "%.*s/*", op, name),
                           arena_printf(a, "%.*s/*", file, name),
                           arena_printf(a, "%.*s", id, name)};
    bool constant = strstr(name, "#constant") != NULL;
    for (int i = 0; i < 4; i++) {
        if (i > 0)
            propose(g, c, arena_printf(a, "%s%s", heads[i], i == 3 ? "*" : ""),
                    4 * i);
        if (constant && i > 0)
            propose(
                g, c,
                arena_printf(a, "%s%s#constant", heads[i], i == 3 ? "*" : ""),
                4 * i + 1);
        const char *typed = type ? arena_printf(a, "%s%s=%s*", heads[i],
                                                i == 3 ? "@*" : "", type)
                                 : NULL;
        if (typed)
            propose(g, c, typed, 4 * i + 2);
        if (typed && constant)
            propose(g, c, arena_printf(a, "%s#constant", typed), 4 * i + 3);
    }
    propose(g, c, name, FORMS);
}

static int by_pattern(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    int order = strcmp(x->pattern, y->pattern);
    return order ? order : (int)x->status - (int)y->status;
}

static void drop_doubles(struct grouping *g)
{
    int kept = 0;
    qsort(g->candidates, (size_t)g->candidate_count, sizeof *g->candidates,
          by_pattern);
    for (int i = 0; i < g->candidate_count; i++)
        if (kept == 0
            || strcmp(g->candidates[i].pattern, g->candidates[kept - 1].pattern)
                   != 0)
            g->candidates[kept++] = g->candidates[i];
    g->candidate_count = kept;
}

/* ---- The cover
 * ------------------------------------------------------------------ */

/* Fill in what it matches; none if that has something right in it. */
static void match(struct grouping *g, struct candidate *c)
{
    size_t op = strcspn(c->pattern, "/*");
    bool any = c->pattern[0] == '*';
    int room = 0;
    for (int i = 0; i < g->count; i++) {
        const struct expect_group_case *x = &g->cases[i];
        if (!any
            && (strncmp(x->name, c->pattern, op) != 0 || x->name[op] != '/'))
            continue;
        bool failure = verdict_is_failure(x->status);
        if ((!failure && !is_right(x->status))
            || !plan_match(c->pattern, x->name))
            continue;
        if (!failure || x->status != c->status) {
            c->count = 0;
            return;
        }
        if (c->count == room) {
            room = room ? 2 * room : 8;
            int *more = arena_new(g->arena, int, (size_t)room);
            if (c->count > 0)
                memcpy(more, c->matched, (size_t)c->count * sizeof *more);
            c->matched = more;
        }
        c->matched[c->count++] = i;
    }
}

static int gain(const struct grouping *g, const struct candidate *c)
{
    int n = 0;
    for (int i = 0; i < c->count; i++)
        n += !g->covered[c->matched[i]];
    return n;
}

static struct candidate *best(struct grouping *g)
{
    struct candidate *most = NULL;
    int most_gain = 0;
    for (int i = 0; i < g->candidate_count; i++) {
        struct candidate *c = &g->candidates[i];
        if (c->count < most_gain)
            continue;
        int n = gain(g, c);
        if (n > most_gain || (most && n == most_gain && c->rank > most->rank)) {
            most = c;
            most_gain = n;
        }
    }
    return most_gain > 0 ? most : NULL;
}

static int by_group(const void *a, const void *b)
{
    const struct expect_group *x = a, *y = b;
    return strcmp(x->pattern, y->pattern);
}

int expect_group(struct arena *a, const struct expect_group_case *cases,
                 int count, struct expect_group **groups)
{
    struct grouping g = {.arena = a, .cases = cases, .count = count};
    int n = 0, room = 0;
    g.covered = arena_alloc(a, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        if (verdict_is_failure(cases[i].status)) {
            propose_all(&g, &cases[i]);
            room++;
        }
    drop_doubles(&g);
    for (int i = 0; i < g.candidate_count; i++)
        match(&g, &g.candidates[i]);
    *groups = arena_new(a, struct expect_group, (size_t)room + 1);
    for (struct candidate *c; n < room && (c = best(&g));) {
        for (int i = 0; i < c->count; i++)
            g.covered[c->matched[i]] = 1;
        (*groups)[n++] = (struct expect_group){c->pattern, c->status, c->count,
                                               &cases[c->matched[0]]};
    }
    qsort(*groups, (size_t)n, sizeof **groups, by_group);
    return n;
}
