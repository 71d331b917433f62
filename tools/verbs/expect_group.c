/* expect_group.c - see expect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A greedy cover: each failure proposes patterns, from all of its operation
 * down to its own name; a pattern that would also match what is right or failed
 * in another way is dropped; then the one that explains most failures is taken,
 * the more specific one of equals, until nothing is left.
 *
 * Nothing here compares all with all.  Names come sorted, so a pattern is tried
 * only on those that begin as it does; what a pattern still gains is counted
 * down as failures are covered, and a heap knows the best.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/dtype.h"
#include "interp/base/glob.h"
#include "interp/base/hash.h"
#include "tools/verbs/expect.h"

enum {
    FORMS = 16
};

struct candidate {
    const char *pattern;
    int rank; /* more is more specific */
    const char *kind;
    int count, *matched; /* failures */
    int gain;            /* of which not covered yet */
    int key;             /* gain when the heap was last put in order */
};

struct grouping {
    struct arena *arena;
    const struct expect_group_case *cases;
    int count;
    unsigned char *covered;
    struct candidate *candidates;
    int candidate_count, room;
    int *slots; /* candidate + 1 by hash of its pattern; 0: none */
    size_t slot_count;
    int *start, *of; /* candidates of case i: of[start[i]] to of[start[i+1]] */
    int *heap, heap_count;
    int64_t work;
};

/* ---- Proposals ----------------------------------------------------------- */

/* Where the pattern is in the table, or may be put. */
static int *slot_of(struct grouping *g, const char *pattern)
{
    struct hash h = {{7, 8}};
    hash_text(&h, pattern);
    size_t at = h.h[0] & (g->slot_count - 1);
    while (g->slots[at]
           && strcmp(g->candidates[g->slots[at] - 1].pattern, pattern) != 0)
        at = (at + 1) & (g->slot_count - 1);
    return &g->slots[at];
}

static void grow(struct grouping *g)
{
    ARENA_GROW(g->arena, g->candidates, g->candidate_count, g->room);
    g->slot_count = 4 * (size_t)g->room;
    g->slots = arena_new(g->arena, int, g->slot_count);
    for (int i = 0; i < g->candidate_count; i++)
        *slot_of(g, g->candidates[i].pattern) = i + 1;
}

/* The same pattern from failures of two kinds is dropped later. */
static void propose(struct grouping *g, const struct expect_group_case *c,
                    const char *pattern, int rank)
{
    if (g->candidate_count == g->room)
        grow(g);
    int *slot = slot_of(g, pattern);
    if (*slot != 0)
        return;
    g->candidates[g->candidate_count++] =
        (struct candidate){.pattern = pattern, .rank = rank, .kind = c->kind};
    *slot = g->candidate_count;
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
    const char *heads[] = {arena_printf(a, "%.*s/*", op, name),
                           arena_printf(a, "%.*s/*", file, name),
                           arena_printf(a, "%.*s", id, name)};
    bool constant = strstr(name, "#constant") != NULL;
    for (int i = 0; i < 3; i++) {
        const char *rest = i == 2 ? "*" : "";
        propose(g, c, arena_printf(a, "%s%s", heads[i], rest), 4 * i);
        if (constant)
            propose(g, c, arena_printf(a, "%s%s#constant", heads[i], rest),
                    4 * i + 1);
        const char *typed = type ? arena_printf(a, "%s%s=%s*", heads[i],
                                                i == 2 ? "@*" : "", type)
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
    return strcmp(x->pattern, y->pattern);
}

/* ---- What a pattern matches ---------------------------------------------- */

/* The first case whose name does not precede the first n bytes of text. */
static int first_from(const struct grouping *g, const char *text, size_t n)
{
    int low = 0, high = g->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strncmp(g->cases[middle].name, text, n) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_match(struct grouping *g, struct candidate *c, int *room, int i)
{
    ARENA_GROW(g->arena, c->matched, c->count, *room);
    c->matched[c->count++] = i;
}

/* Fill in what it matches; none if something else is in it. */
static void match(struct grouping *g, struct candidate *c)
{
    size_t plain = glob_plain(c->pattern);
    int room = 0;
    for (int i = first_from(g, c->pattern, plain); i < g->count; i++) {
        const struct expect_group_case *x = &g->cases[i];
        if (strncmp(x->name, c->pattern, plain) != 0)
            break;
        g->work++;
        if (!glob_match(c->pattern, x->name))
            continue;
        if (!x->kind || strcmp(x->kind, c->kind) != 0) {
            c->count = 0;
            break;
        }
        add_match(g, c, &room, i);
    }
    c->gain = c->key = c->count;
}

/* The candidates of each case. */
static void turn_around(struct grouping *g)
{
    g->start = arena_new(g->arena, int, (size_t)g->count + 2);
    for (int i = 0; i < g->candidate_count; i++)
        for (int k = 0; k < g->candidates[i].count; k++)
            g->start[g->candidates[i].matched[k] + 2]++;
    for (int i = 0; i < g->count; i++)
        g->start[i + 2] += g->start[i + 1];
    g->of = arena_new(g->arena, int, (size_t)g->start[g->count + 1] + 1);
    for (int i = 0; i < g->candidate_count; i++)
        for (int k = 0; k < g->candidates[i].count; k++)
            g->of[g->start[g->candidates[i].matched[k] + 1]++] = i;
}

/* ---- The cover ----------------------------------------------------------- */

/* Does candidate i go before candidate j?  Keys never grow, so what is at
 * the top with its key true is the best. */
static bool ahead(const struct grouping *g, int i, int j)
{
    const struct candidate *x = &g->candidates[i], *y = &g->candidates[j];
    if (x->key != y->key)
        return x->key > y->key;
    return x->rank != y->rank ? x->rank > y->rank : i < j;
}

static void sink(struct grouping *g, int at)
{
    for (;;) {
        int best = at;
        for (int k = 2 * at + 1; k <= 2 * at + 2 && k < g->heap_count; k++)
            if (ahead(g, g->heap[k], g->heap[best]))
                best = k;
        g->work++;
        if (best == at)
            return;
        int moved = g->heap[at];
        g->heap[at] = g->heap[best];
        g->heap[best] = moved;
        at = best;
    }
}

static void make_heap(struct grouping *g)
{
    g->heap = arena_new(g->arena, int, (size_t)g->candidate_count + 1);
    for (int i = 0; i < g->candidate_count; i++)
        if (g->candidates[i].count > 0)
            g->heap[g->heap_count++] = i;
    for (int i = g->heap_count / 2; i-- > 0;)
        sink(g, i);
}

static struct candidate *best(struct grouping *g)
{
    while (g->heap_count > 0) {
        struct candidate *c = &g->candidates[g->heap[0]];
        if (c->key == c->gain && c->gain > 0)
            return c;
        c->key = c->gain;
        if (c->gain == 0)
            g->heap[0] = g->heap[--g->heap_count];
        sink(g, 0);
    }
    return NULL;
}

static void cover(struct grouping *g, const struct candidate *c)
{
    for (int k = 0; k < c->count; k++) {
        int i = c->matched[k];
        if (g->covered[i])
            continue;
        g->covered[i] = 1;
        for (int n = g->start[i]; n < g->start[i + 1]; n++)
            g->candidates[g->of[n]].gain--;
    }
}

static int by_group(const void *a, const void *b)
{
    const struct expect_group *x = a, *y = b;
    return strcmp(x->pattern, y->pattern);
}

int expect_group(struct arena *a, const struct expect_group_case *cases,
                 int count, struct expect_group **groups, int64_t *work)
{
    struct grouping g = {.arena = a, .cases = cases, .count = count};
    int n = 0, failures = 0;
    g.covered = arena_alloc(a, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        if (cases[i].kind) {
            propose_all(&g, &cases[i]);
            failures++;
        }
    if (g.candidate_count > 0)
        qsort(g.candidates, (size_t)g.candidate_count, sizeof *g.candidates,
              by_pattern);
    for (int i = 0; i < g.candidate_count; i++)
        match(&g, &g.candidates[i]);
    turn_around(&g);
    make_heap(&g);
    *groups = arena_new(a, struct expect_group, (size_t)failures + 1);
    for (struct candidate *c; (c = best(&g));) {
        cover(&g, c);
        (*groups)[n++] =
            (struct expect_group){c->pattern, c->count, c->matched};
    }
    qsort(*groups, (size_t)n, sizeof **groups, by_group);
    if (work)
        *work = g.work;
    return n;
}
