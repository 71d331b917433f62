/* bracket_tree.c - see bracket.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/ops/bracket.h"

enum {
    ROWS_MAX = 20000,    /* results of one element */
    CALLS_MAX = 1 << 17, /* for one element of more than BRACKET_TREE_LEAVES */
};

/* The results of the terms of a run, without and with the initial value. */
struct run {
    struct bracket_set without, with;
};

const uint64_t *bracket_tree_row(const struct bracket_fold *f,
                                 const struct bracket_set *s, int i)
{
    return s->rows + (size_t)i * (size_t)f->units;
}

bool bracket_tree_has(const struct bracket_fold *f, const struct bracket_set *s,
                      const uint64_t *row)
{
    size_t bytes = (size_t)f->units * sizeof *row;
    for (int i = 0; i < s->count; i++)
        if (memcmp(bracket_tree_row(f, s, i), row, bytes) == 0)
            return true;
    return false;
}

static bool add_row(const struct bracket_fold *f, struct bracket_set *s,
                    const uint64_t *row, struct status *st)
{
    size_t width = (size_t)f->units;
    if (bracket_tree_has(f, s, row))
        return true;
    if (s->count == ROWS_MAX)
        return FAIL(st, UNSUPPORTED,
                    "%s: computation '%s' is not associative, and has more "
                    "than %d results",
                    f->ev->in->op->name, f->c->name, ROWS_MAX);
    ARENA_GROW_ROWS(f->arena, s->rows, s->count, s->room, width);
    memcpy(s->rows + (size_t)s->count++ * width, row, width * sizeof *row);
    return true;
}

/* Add f(x, y) for all x and y. */
static bool add_calls(struct bracket_fold *f, struct bracket_set *to,
                      const struct bracket_set *x, const struct bracket_set *y,
                      struct status *st)
{
    uint64_t *row = bracket_fold_row(f);
    if (f->list->count > BRACKET_TREE_LEAVES && f->calls > CALLS_MAX)
        return FAIL(st, UNSUPPORTED,
                    "%s: computation '%s' is not known to be associative "
                    "(algebra), and %d values have too many results",
                    f->ev->in->op->name, f->c->name, (int)f->list->count);
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++) {
            TRY(bracket_fold_apply(f, row, bracket_tree_row(f, x, i),
                                   bracket_tree_row(f, y, k), st));
            TRY(add_row(f, to, row, st));
        }
    return true;
}

/* The run is complete without the initial value: now apply it. */
static bool enter_init(struct bracket_fold *f, bool any, struct run *r,
                       struct status *st)
{
    if (!f->list->init)
        return true;
    struct bracket_set init = {0}, had = r->with;
    uint64_t *row = bracket_fold_row(f);
    bracket_fold_init(f, row);
    TRY(add_row(f, &init, row, st));
    TRY(add_calls(f, &r->with, &init, &r->without, st));
    if (f->anywhere) {
        TRY(add_calls(f, &r->with, &r->without, &init, st));
        TRY(add_calls(f, &r->with, &had, &init, st));
    }
    return !any || add_calls(f, &r->with, &init, &had, st);
}

static bool join(struct bracket_fold *f, bool any, struct run *to,
                 const struct run *x, const struct run *y, struct status *st)
{
    TRY(add_calls(f, &to->without, &x->without, &y->without, st));
    TRY(add_calls(f, &to->with, &x->with, &y->without, st));
    TRY(add_calls(f, &to->with, &x->without, &y->with, st));
    return !any || add_calls(f, &to->with, &x->with, &y->with, st);
}

bool bracket_tree_all(struct bracket_fold *f, bool any,
                      struct bracket_set *without, struct bracket_set *with,
                      struct status *st)
{
    struct run runs[BRACKET_RUN_LEAVES][BRACKET_RUN_LEAVES] = {0};
    int n = (int)f->list->count;
    uint64_t *row = bracket_fold_row(f);
    for (int k = 0; k < n; k++) {
        bracket_fold_term(f, k, row);
        TRY(add_row(f, &runs[k][k].without, row, st));
        TRY(enter_init(f, any, &runs[k][k], st));
    }
    for (int length = 2; length <= n; length++)
        for (int from = 0; from + length <= n; from++) {
            struct run *to = &runs[from][from + length - 1];
            for (int cut = from; cut < from + length - 1; cut++)
                TRY(join(f, any, to, &runs[from][cut],
                         &runs[cut + 1][from + length - 1], st));
            TRY(enter_init(f, any, to, st));
        }
    *without = runs[0][n - 1].without;
    *with = runs[0][n - 1].with;
    return true;
}
