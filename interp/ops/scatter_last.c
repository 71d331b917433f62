/* scatter_last.c - see scatter_last.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An order of windows that explains a result is searched from its end: a window
 * may be the last one if the result agrees with it everywhere except where a
 * later window has written.  Taking any such window is never wrong, because it
 * only explains more of the result.
 */
#include "interp/ops/scatter_last.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct last {
    struct scatter s;
    bool one_order; /* of policy scatter.duplicates */
    struct arena *arena;
    const struct literal **operands, **updates, **values;
};

static bool same(const struct literal *a, int64_t i, const struct literal *b,
                 int64_t k)
{
    size_t n = (size_t)dtype_bytes(a->shape->dtype);
    return memcmp(a->data + (size_t)i * n, b->data + (size_t)k * n, n) == 0;
}

/* Do two hits of one element differ? */
static bool has_conflict(const struct scatter *s)
{
    if (s->unique)
        return s->optional;
    for (int64_t i = 1; i < s->count; i++)
        for (int k = 0; k < s->n; k++)
            if (s->hits[i].key == s->hits[i - 1].key
                && !same(scatter_updates(s, k), s->hits[i].place,
                         scatter_updates(s, k), s->hits[i - 1].place))
                return true;
    return s->optional;
}

/* ---- Each element separately --------------------------------------------- */

/* May array k have got that where those hits go? */
static bool explained(const struct last *l, int64_t first, int64_t run, int k,
                      const struct literal *got)
{
    const struct pair *hit = l->s.hits + first;
    bool optional = true;
    for (int64_t i = 0; i < run; i++) {
        if (same(got, hit->key, l->updates[k], hit[i].place))
            return true;
        optional = optional && scatter_is_optional(&l->s, first + i);
    }
    return optional && same(got, hit->key, l->operands[k], hit->key);
}

/* The first element without an explanation, or -1. */
static int64_t find_wrong(const struct last *l, const struct literal *got,
                          int k)
{
    const struct scatter *s = &l->s;
    for (int64_t e = 0, i = 0; e < s->elements; e++) {
        if (i == s->count || s->hits[i].key != e) {
            if (!same(got, e, l->operands[k], e))
                return e;
            continue;
        }
        int64_t run = scatter_run(s, i);
        if (!explained(l, i, run, k, got))
            return e;
        i += run;
    }
    return -1;
}

/* ---- One order ----------------------------------------------------------- */

struct search {
    const struct last *l;
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
    const struct pair *hit = &x->l->s.hits[i];
    for (int k = 0; k < x->l->s.n; k++)
        if (!same(x->got[k], hit->key, x->l->updates[k], hit->place))
            return false;
    return true;
}

static void open_search(struct search *x)
{
    const struct scatter *s = &x->l->s;
    struct arena *a = x->l->arena;
    size_t hits = (size_t)s->count, windows = (size_t)s->windows;
    x->first = arena_new(a, int64_t, windows + 1);
    x->by_window = arena_new(a, int64_t, hits);
    x->start = arena_new(a, int64_t, hits);
    x->misses = arena_new(a, int64_t, windows);
    x->miss = arena_new(a, unsigned char, hits);
    x->settled = arena_new(a, unsigned char, hits);
    x->ready = arena_new(a, int64_t, windows);
    x->placed = arena_new(a, bool, windows);
    for (int64_t i = 0; i < s->count; i++) {
        const struct pair *hit = &s->hits[i];
        bool again = i > 0 && hit[-1].key == hit->key;
        x->start[i] = again ? x->start[i - 1] : i;
        x->miss[i] = !agrees(x, i);
        int64_t window = scatter_window(s, i);
        x->misses[window] += x->miss[i];
        x->first[window + 1]++;
    }
    for (int64_t w = 0; w < s->windows; w++)
        x->first[w + 1] += x->first[w];
    int64_t *next = arena_new(a, int64_t, windows);
    for (int64_t i = 0; i < s->count; i++) {
        int64_t w = scatter_window(s, i);
        x->by_window[x->first[w] + next[w]++] = i;
    }
    for (int64_t w = 0; w < s->windows; w++)
        if (x->misses[w] == 0)
            x->ready[x->ready_count++] = w;
}

/* The element whose hits begin at i has its last update. */
static void settle(struct search *x, int64_t i)
{
    const struct scatter *s = &x->l->s;
    x->settled[i] = 1;
    for (int64_t k = i; k < s->count && x->start[k] == i; k++) {
        int64_t w = scatter_window(s, k);
        if (x->miss[k] && --x->misses[w] == 0)
            x->ready[x->ready_count++] = w;
    }
}

/* An element that no order explains together with the others, or -1. */
static int64_t find_disorder(const struct last *l,
                             const struct literal *const *got)
{
    struct search x = {.l = l, .got = got};
    const struct scatter *s = &l->s;
    open_search(&x);
    while (x.ready_count > 0) {
        int64_t w = x.ready[--x.ready_count];
        x.placed[w] = true;
        for (int64_t k = x.first[w]; k < x.first[w + 1]; k++)
            if (!x.settled[x.start[x.by_window[k]]])
                settle(&x, x.start[x.by_window[k]]);
    }
    for (int64_t i = 0; i < s->count; i++) {
        const struct pair *hit = &s->hits[i];
        if (!x.placed[scatter_window(s, i)] && !scatter_is_optional(s, i))
            return hit->key;
        for (int k = 0; k < s->n && !x.settled[x.start[i]]; k++)
            if (!same(got[k], hit->key, l->operands[k], hit->key))
                return hit->key;
    }
    return -1;
}

static bool check(const struct goal *goal, const struct literal *const *got,
                  int n, struct goal_finding *found)
{
    const struct last *l = goal->check.data;
    /* A program may pass on only some of the results. */
    int which = 0;
    while (which + n < l->s.n && l->values[which] != goal->value)
        which++;
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
    int64_t e = l->one_order && n == l->s.n ? find_disorder(l, got) : -1;
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

void scatter_last_eval(struct scatter *s, struct goal **goals)
{
    struct arena *a = s->ev->arena;
    for (int k = 0; k < s->n; k++)
        for (int64_t i = 0; i < s->count; i++)
            literal_move(goals[k]->value, s->hits[i].key, scatter_updates(s, k),
                         s->hits[i].place);
    if (!s->ev->want_exact || !has_conflict(s))
        return;
    struct last *l = arena_new(a, struct last, 1);
    l->s = *s;
    l->arena = a;
    l->one_order = eval_policy_is(s->ev, CHOICE_SCATTER_DUPLICATES_ONE_ORDER);
    l->operands = arena_new(a, const struct literal *, (size_t)s->n);
    l->updates = arena_new(a, const struct literal *, (size_t)s->n);
    l->values = arena_new(a, const struct literal *, (size_t)s->n);
    for (int k = 0; k < s->n; k++) {
        l->values[k] = goals[k]->value;
        l->operands[k] = scatter_operand(s, k);
        l->updates[k] = scatter_updates(s, k);
        goal_make_check(goals[k], check, l, k);
    }
}
