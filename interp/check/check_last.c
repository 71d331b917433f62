/* check_last.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An order of windows that explains a result is searched from its end: a window
 * may be the last one if the result agrees with it everywhere except where a
 * later window has written.  Taking any such window is never wrong, because it
 * only explains more of the result.
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/check/check.h"

/* ---- Each element separately --------------------------------------------- */

/* The number of hits from i on that go to one element. */
static int64_t run_length(const struct check_last *l, int64_t i)
{
    int64_t end = i + 1;
    while (end < l->count && l->hits[end].element == l->hits[i].element)
        end++;
    return end - i;
}

/* May array k have got that where those hits go? */
static bool explained(const struct check_last *l, int64_t first, int64_t run,
                      int k, const struct literal *got)
{
    const struct check_last_hit *hit = l->hits + first;
    bool optional = true;
    for (int64_t i = 0; i < run; i++) {
        if (literal_same(got, hit->element, l->updates[k], hit[i].update))
            return true;
        optional = optional && hit[i].optional;
    }
    return optional
           && literal_same(got, hit->element, l->operands[k], hit->element);
}

/* The first element without an explanation, or -1. */
static int64_t find_wrong(const struct check_last *l, const struct literal *got,
                          int k)
{
    for (int64_t e = 0, i = 0; e < l->elements; e++) {
        if (i == l->count || l->hits[i].element != e) {
            if (!literal_same(got, e, l->operands[k], e))
                return e;
            continue;
        }
        int64_t run = run_length(l, i);
        if (!explained(l, i, run, k, got))
            return e;
        i += run;
    }
    return -1;
}

/* ---- One order ----------------------------------------------------------- */

struct search {
    const struct check_last *l;
    const struct literal *const *got;
    int64_t *first; /* of each window, in by_window */
    int64_t *by_window;
    int64_t *start;  /* of each hit: the first one of its element */
    int64_t *misses; /* of each window: hits that the result is against */
    unsigned char *miss, *settled; /* of each hit; of its element, at start */
    int64_t *ready, ready_count;   /* windows that may come last */
    bool *placed;
};

static bool agrees(const struct search *x, int64_t i)
{
    const struct check_last_hit *hit = &x->l->hits[i];
    for (int k = 0; k < x->l->n; k++)
        if (!literal_same(x->got[k], hit->element, x->l->updates[k],
                          hit->update))
            return false;
    return true;
}

static void open_search(struct search *x, struct arena *a)
{
    const struct check_last *l = x->l;
    size_t hits = (size_t)l->count, windows = (size_t)l->windows;
    x->first = arena_new(a, int64_t, windows + 1);
    x->by_window = arena_new(a, int64_t, hits);
    x->start = arena_new(a, int64_t, hits);
    x->misses = arena_new(a, int64_t, windows);
    x->miss = arena_new(a, unsigned char, hits);
    x->settled = arena_new(a, unsigned char, hits);
    x->ready = arena_new(a, int64_t, windows);
    x->placed = arena_new(a, bool, windows);
    for (int64_t i = 0; i < l->count; i++) {
        const struct check_last_hit *hit = &l->hits[i];
        bool again = i > 0 && hit[-1].element == hit->element;
        x->start[i] = again ? x->start[i - 1] : i;
        x->miss[i] = !agrees(x, i);
        x->misses[hit->window] += x->miss[i];
        x->first[hit->window + 1]++;
    }
    for (int64_t w = 0; w < l->windows; w++)
        x->first[w + 1] += x->first[w];
    int64_t *next = arena_new(a, int64_t, windows);
    for (int64_t i = 0; i < l->count; i++) {
        int64_t w = l->hits[i].window;
        x->by_window[x->first[w] + next[w]++] = i;
    }
    for (int64_t w = 0; w < l->windows; w++)
        if (x->misses[w] == 0)
            x->ready[x->ready_count++] = w;
}

/* The element whose hits begin at i has its last update. */
static void settle(struct search *x, int64_t i)
{
    const struct check_last *l = x->l;
    x->settled[i] = 1;
    for (int64_t k = i; k < l->count && x->start[k] == i; k++) {
        int64_t w = l->hits[k].window;
        if (x->miss[k] && --x->misses[w] == 0)
            x->ready[x->ready_count++] = w;
    }
}

/* An element that no order explains together with the others, or -1. */
static int64_t find_disorder(const struct check_last *l, struct arena *a,
                             const struct literal *const *got)
{
    struct search x = {.l = l, .got = got};
    open_search(&x, a);
    while (x.ready_count > 0) {
        int64_t w = x.ready[--x.ready_count];
        x.placed[w] = true;
        for (int64_t k = x.first[w]; k < x.first[w + 1]; k++)
            if (!x.settled[x.start[x.by_window[k]]])
                settle(&x, x.start[x.by_window[k]]);
    }
    for (int64_t i = 0; i < l->count; i++) {
        const struct check_last_hit *hit = &l->hits[i];
        if (!x.placed[hit->window] && !hit->optional)
            return hit->element;
        for (int k = 0; k < l->n && !x.settled[x.start[i]]; k++)
            if (!literal_same(got[k], hit->element, l->operands[k],
                              hit->element))
                return hit->element;
    }
    return -1;
}

bool check_last(const struct goal *goal, const struct literal *const *got,
                int n, struct goal_finding *found)
{
    const struct check_last *l = goal->check.data;
    /* A program may pass on only some of the results. */
    int which = goal->check.place;
    for (int k = 0; k < n; k++) {
        int64_t e = find_wrong(l, got[k], which + k);
        if (e < 0)
            continue;
        found->leaf = k;
        found->unit = e * dtype_units(got[k]->shape->dtype);
        snprintf(found->why, sizeof found->why,
                 "element %" PRId64 " is the value of no update", e);
        return false;
    }
    int64_t e =
        l->one_order && n == l->n ? find_disorder(l, goal->arena, got) : -1;
    if (e < 0)
        return true;
    found->leaf = 0;
    found->unit = e * dtype_units(got[0]->shape->dtype);
    snprintf(found->why, sizeof found->why,
             "no single order of the updates explains element %" PRId64
             " and the others",
             e);
    return false;
}
