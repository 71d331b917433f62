/* bracket.c - see bracket.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The initial value should be an identity (004:1234).  If it is not, policy
 * reduce.init says whether it enters once, in any place, or any number of
 * times; then a result that depends on it is not judged.
 */
#include "interp/ops/bracket.h"

#include <string.h>

#include "interp/program/evaluate.h"

enum {
    SAMPLES = 24 /* triples that a declaration is tried on, at most */
};

struct bracket {
    struct bracket_fold f;
    uint64_t *acc, *term, *other, *trial, *init;
    int samples;
    bool associative;           /* by its name */
    struct bracket_seen *proof; /* associative for such values, by its law */
};

struct bracket *bracket_open(struct eval *ev, const struct computation *c,
                             int n)
{
    struct bracket *b = arena_new(ev->arena, struct bracket, 1);
    bracket_fold_open(&b->f, ev, c, n);
    b->acc = bracket_fold_row(&b->f);
    b->term = bracket_fold_row(&b->f);
    b->other = bracket_fold_row(&b->f);
    b->trial = bracket_fold_row(&b->f);
    b->init = bracket_fold_row(&b->f);
    b->samples = SAMPLES;
    b->associative = c->builtin
                     && (strcmp(c->builtin, "first") == 0
                         || strcmp(c->builtin, "second") == 0);
    return b;
}

/* ---- Goals --------------------------------------------------------------- */

static int units_of(const struct bracket *b, int which)
{
    return dtype_units(b->f.left[which]->shape->dtype);
}

/* The value of the current element; its ends are the same, so far. */
static void store(const struct bracket *b, struct goal **goals,
                  const uint64_t *row)
{
    for (int w = 0; w < b->f.n; w++)
        for (int u = 0; u < units_of(b, w); u++) {
            int64_t at = b->f.i * units_of(b, w) + u;
            literal_set(goals[w]->value, at, *row++);
            if (goals[w]->rule != GOAL_RANGE)
                continue;
            literal_set(goals[w]->range.low, at, row[-1]);
            literal_set(goals[w]->range.high, at, row[-1]);
        }
}

/* Another result that is right too. */
static void allow(const struct bracket *b, struct goal **goals,
                  const uint64_t *row)
{
    for (int w = 0; w < b->f.n; w++)
        for (int u = 0; u < units_of(b, w); u++, row++) {
            int64_t at = b->f.i * units_of(b, w) + u;
            if (literal_get(goals[w]->value, at) != *row)
                goal_or(goals[w], at, *row);
        }
}

static void free_all(const struct bracket *b, struct goal **goals)
{
    for (int w = 0; w < b->f.n; w++)
        for (int u = 0; u < units_of(b, w); u++)
            goal_free_unit(goals[w], b->f.i * units_of(b, w) + u);
}

static void store_ends(const struct bracket *b, struct goal **goals,
                       const uint64_t *low, const uint64_t *high)
{
    for (int w = 0; w < b->f.n; w++)
        for (int u = 0; u < units_of(b, w); u++, low++, high++) {
            struct goal *g = goals[w];
            int64_t at = b->f.i * units_of(b, w) + u;
            if (*low == *high)
                continue;
            if (g->rule != GOAL_RANGE)
                goal_make_range(g);
            literal_set(g->range.low, at, *low);
            literal_set(g->range.high, at, *high);
        }
}

/* ---- From one end to the other ------------------------------------------- */

/* acc = the fold from the first value on; each: with the initial value before
 * every term, and behind it where it may be anywhere. */
static bool fold_left(struct bracket *b, bool each, uint64_t *acc,
                      struct status *st)
{
    struct bracket_fold *f = &b->f;
    int64_t k = 0;
    if (f->list->init)
        bracket_fold_init(f, acc);
    else
        bracket_fold_term(f, k++, acc);
    for (; k < f->list->count; k++) {
        bracket_fold_term(f, k, b->term);
        if (each)
            TRY(bracket_fold_apply(f, b->term, b->init, b->term, st));
        if (each && f->anywhere)
            TRY(bracket_fold_apply(f, b->term, b->term, b->init, st));
        TRY(bracket_fold_apply(f, acc, acc, b->term, st));
    }
    return true;
}

static bool fold_right(struct bracket *b, uint64_t *acc, struct status *st)
{
    struct bracket_fold *f = &b->f;
    int64_t k = f->list->count - 1;
    bracket_fold_term(f, k, acc);
    while (--k >= 0) {
        bracket_fold_term(f, k, b->term);
        TRY(bracket_fold_apply(f, acc, b->term, acc, st));
    }
    if (f->list->init)
        TRY(bracket_fold_apply(f, acc, b->init, acc, st));
    return true;
}

/* ---- Is it associative? -------------------------------------------------- */

/* f(f(x, y), z) = f(x, f(y, z)) for neighbours, all over the list. */
static bool try_samples(struct bracket *b, bool *equal, struct status *st)
{
    struct bracket_fold *f = &b->f;
    uint64_t *x = b->trial, *y = bracket_fold_row(f);
    int64_t last = f->list->count - 3;
    int64_t step = last > 8 ? last / 8 : 1;
    *equal = true;
    for (int64_t k = 0; k <= last && b->samples > 0 && *equal; k += step) {
        b->samples--;
        bracket_fold_term(f, k, x);
        bracket_fold_term(f, k + 1, y);
        bracket_fold_term(f, k + 2, b->term);
        TRY(bracket_fold_apply(f, b->other, x, y, st));
        TRY(bracket_fold_apply(f, b->other, b->other, b->term, st));
        TRY(bracket_fold_apply(f, y, y, b->term, st));
        TRY(bracket_fold_apply(f, x, x, y, st));
        *equal = bracket_fold_same(f, x, b->other);
    }
    return true;
}

/* The case says so; samples may show that it is wrong. */
static bool check_declaration(struct bracket *b, struct status *st)
{
    bool equal;
    TRY(try_samples(b, &equal, st));
    if (equal) {
        TRY(fold_right(b, b->trial, st));
        equal = bracket_fold_same(&b->f, b->trial, b->acc);
    }
    return equal || b->f.rounds
           || FAIL(st, UNSUPPORTED,
                   "%s: computation '%s' is declared associative, but is not",
                   b->f.ev->in->op->name, b->f.c->name);
}

/* More values than all trees are tried of: by a law, which holds for all
 * elements with the same special values. */
static bool try_law(struct bracket *b, bool *proven, struct status *st)
{
    struct bracket_fold *f = &b->f;
    size_t n = (size_t)f->n;
    struct bracket_seen *seen = arena_new(f->ev->arena, struct bracket_seen, n);
    for (int64_t k = f->list->init ? -1 : 0; k < f->list->count; k++) {
        bracket_fold_ends(f, k, b->term, b->other);
        for (int w = 0; w < f->n && units_of(b, w) == 1; w++)
            bracket_law_see(&seen[w], f->left[w]->shape->dtype, b->term[w],
                            b->other[w]);
    }
    *proven = b->proof && memcmp(b->proof, seen, n * sizeof *seen) == 0;
    if (*proven)
        return true;
    TRY(bracket_law(f, BRACKET_ASSOCIATES, seen, proven, st));
    if (*proven)
        b->proof = seen;
    return true;
}

/* *equal: there is one result, without the initial value. */
static bool is_associative(struct bracket *b, bool *equal, struct status *st)
{
    *equal = true;
    if (b->associative)
        return true;
    if (b->f.c->associative)
        return check_declaration(b, st);
    *equal = false;
    return b->f.list->count <= BRACKET_TREE_LEAVES || try_law(b, equal, st);
}

/* ---- An associative computation ------------------------------------------ */

/* f(init, x) = x for all terms, and so for their combinations?  Also f(x, init)
 * where it may be a right argument. */
static bool is_identity(struct bracket *b, bool *identity, struct status *st)
{
    struct bracket_fold *f = &b->f;
    *identity = true;
    for (int64_t k = 0; k < f->list->count && *identity; k++) {
        bracket_fold_term(f, k, b->term);
        TRY(bracket_fold_apply(f, b->other, b->init, b->term, st));
        *identity =
            memcmp(b->other, b->term, (size_t)f->units * sizeof *b->term) == 0;
        if (!f->anywhere || !*identity)
            continue;
        TRY(bracket_fold_apply(f, b->other, b->term, b->init, st));
        *identity =
            memcmp(b->other, b->term, (size_t)f->units * sizeof *b->term) == 0;
    }
    return true;
}

/* The initial value once, before each of the terms in turn; the first place has
 * been tried.  *depends: one of the results is another. */
static bool try_places(struct bracket *b, struct goal **goals, bool *depends,
                       struct status *st)
{
    struct bracket_fold *f = &b->f;
    size_t units = (size_t)f->units;
    int64_t n = f->list->count;
    uint64_t *rest = arena_new(f->ev->arena, uint64_t, (size_t)n * units);
    for (int64_t k = n - 1; k >= 0; k--) {
        uint64_t *row = rest + (size_t)k * units;
        bracket_fold_term(f, k, row);
        if (k + 1 < n)
            TRY(bracket_fold_apply(f, row, row, row + units, st));
    }
    bracket_fold_term(f, 0, b->trial);
    for (int64_t k = 1; k < n; k++) {
        TRY(bracket_fold_apply(f, b->other, b->init, rest + (size_t)k * units,
                               st));
        TRY(bracket_fold_apply(f, b->other, b->trial, b->other, st));
        if (!bracket_fold_same(f, b->other, b->acc)) {
            *depends = true;
            if (!b->f.any_init)
                allow(b, goals, b->other);
        }
        bracket_fold_term(f, k, b->term);
        TRY(bracket_fold_apply(f, b->trial, b->trial, b->term, st));
    }
    return true;
}

static bool place_init(struct bracket *b, struct goal **goals,
                       struct status *st)
{
    bool identity, depends = false;
    if (!b->f.list->init || !b->f.ev->want_exact)
        return true;
    TRY(is_identity(b, &identity, st));
    if (identity)
        return true;
    TRY(try_places(b, goals, &depends, st));
    if (!b->f.any_init)
        return true;
    TRY(fold_left(b, true, b->trial, st));
    if (depends || !bracket_fold_same(&b->f, b->trial, b->acc))
        free_all(b, goals);
    return true;
}

/* ---- Any other ----------------------------------------------------------- */

static bool allow_trees(struct bracket *b, struct goal **goals,
                        struct status *st)
{
    struct bracket_fold *f = &b->f;
    struct bracket_set without, with;
    TRY(bracket_tree_all(f, b->f.any_init, &without, &with, st));
    const struct bracket_set *all = f->list->init ? &with : &without;
    bool depends = false;
    for (int k = 0; k < all->count; k++) {
        const uint64_t *row = bracket_tree_row(f, all, k);
        allow(b, goals, row);
        depends = depends || !bracket_tree_has(f, &without, row);
    }
    if (f->list->init && b->f.any_init && depends && all->count > 1)
        free_all(b, goals);
    return true;
}

static bool try_trees(struct bracket *b, struct goal **goals, struct status *st)
{
    struct bracket_fold *f = &b->f;
    struct machine *m = f->ev->machine;
    if (f->list->count > BRACKET_RUN_LEAVES)
        return FAIL(st, UNSUPPORTED,
                    "%s: computation '%s' is not known to be associative "
                    "(algebra); at most %d values can be reduced by it",
                    f->ev->in->op->name, f->c->name, BRACKET_RUN_LEAVES);
    f->arena = evaluate_frame(m);
    bool ok = allow_trees(b, goals, st);
    f->arena = f->ev->arena;
    evaluate_release(m);
    return ok;
}

/* The computation rounds on these values: every result lies between two ends.
 */
static bool find_ends(struct bracket *b, struct goal **goals, struct status *st)
{
    struct bracket_fold *f = &b->f;
    bool identity = true;
    if (f->list->init)
        TRY(is_identity(b, &identity, st));
    if (!identity && b->f.any_init) {
        if (!f->anywhere)
            TRY(bracket_span_keeps(f, &identity, st));
        if (!identity) {
            free_all(b, goals);
            return true;
        }
    }
    if (f->list->count > BRACKET_SPAN_LEAVES)
        return FAIL(st, UNSUPPORTED,
                    "%s: computation '%s' rounds; the results of at most %d "
                    "values can be bounded",
                    f->ev->in->op->name, f->c->name, BRACKET_SPAN_LEAVES);
    TRY(bracket_span_ends(f, b->f.any_init, b->trial, b->other, st));
    store_ends(b, goals, b->trial, b->other);
    return true;
}

/* Operands are inexact.  Of a computation that is associative for all that they
 * may be, one order says what all say. */
static bool follow_ends(struct bracket *b, struct goal **goals,
                        struct status *st)
{
    struct bracket_fold *f = &b->f;
    bool associative, identity = true;
    if (f->list->init)
        TRY(is_identity(b, &identity, st));
    if (f->list->count <= BRACKET_SPAN_LEAVES) {
        TRY(bracket_span_ends(f, b->f.any_init, b->trial, b->other, st));
    } else {
        associative = b->associative || f->c->associative;
        if (!associative)
            TRY(try_law(b, &associative, st));
        if (!associative || !identity)
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: %s: '%s' is not known to be associative "
                        "(algebra), and operands are inexact",
                        f->ev->in->op->name, f->c->name);
        TRY(bracket_span_fold(f, b->trial, b->other, st));
    }
    if (!identity && b->f.any_init)
        free_all(b, goals);
    store_ends(b, goals, b->trial, b->other);
    return true;
}

/* Units that may be anything in some order. */
static void free_some(const struct bracket *b, struct goal **goals)
{
    const unsigned char *any = b->f.any;
    for (int w = 0; w < b->f.n; w++)
        for (int u = 0; u < units_of(b, w); u++)
            if (*any++)
                goal_free_unit(goals[w], b->f.i * units_of(b, w) + u);
}

static bool fold_element(struct bracket *b, const struct reduce_list *list,
                         int64_t i, struct goal **goals, struct status *st)
{
    bool equal;
    bracket_fold_start(&b->f, list, i);
    if (list->init)
        bracket_fold_init(&b->f, b->init);
    TRY(fold_left(b, false, b->acc, st));
    store(b, goals, b->acc);
    if (list->count == 0 || (b->f.units == 1 && b->f.any[0]))
        return true;
    if (b->f.ev->low)
        return follow_ends(b, goals, st);
    if (!b->f.rounds)
        TRY(is_associative(b, &equal, st));
    if (b->f.rounds)
        return find_ends(b, goals, st);
    if (equal)
        TRY(place_init(b, goals, st));
    else
        TRY(try_trees(b, goals, st));
    /* Only one of the ways may round. */
    return !b->f.rounds || find_ends(b, goals, st);
}

bool bracket_element(struct bracket *b, const struct reduce_list *list,
                     int64_t i, struct goal **goals, struct status *st)
{
    TRY(fold_element(b, list, i, goals, st));
    free_some(b, goals);
    return true;
}
