/* bracket_fold.c - see bracket.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "gen/policy/reduce_init.h"
#include "interp/ops/bracket.h"

void bracket_fold_open(struct bracket_fold *f, struct eval *ev,
                       const struct computation *c, int n)
{
    struct arena *a = ev->arena;
    *f = (struct bracket_fold){.ev = ev, .arena = a, .c = c, .n = n};
    switch (profile_reduce_init(ev->machine->profile)) {
    case REDUCE_INIT_ANYWHERE:
        f->any_init = f->anywhere = true;
        break;
    case REDUCE_INIT_ANY:
        f->any_init = true;
        break;
    case REDUCE_INIT_ONCE:
        break;
    }
    f->left = arena_new(a, struct literal *, (size_t)n);
    f->right = arena_new(a, struct literal *, (size_t)n);
    f->arguments = arena_new(a, const struct literal *, 2 * (size_t)n);
    f->result = literal_new(a, c->result);
    for (int w = 0; w < n; w++) {
        const struct shape *s = n == 1 ? c->result : c->result->elements[w];
        f->left[w] = literal_new(a, s);
        f->right[w] = literal_new(a, s);
        f->arguments[w] = f->left[w];
        f->arguments[n + w] = f->right[w];
        f->units += dtype_units(s->dtype);
    }
    f->any = arena_new(a, unsigned char, (size_t)f->units);
}

void bracket_fold_start(struct bracket_fold *f, const struct reduce_list *list,
                        int64_t i)
{
    f->list = list;
    f->i = i;
    f->rounds = false;
    memset(f->any, 0, (size_t)f->units);
    f->calls = 0;
}

uint64_t *bracket_fold_row(const struct bracket_fold *f)
{
    return arena_new(f->arena, uint64_t, (size_t)f->units);
}

static int units_of(const struct bracket_fold *f, int which)
{
    return dtype_units(f->left[which]->shape->dtype);
}

static void load(struct bracket_fold *f, struct literal **to,
                 const uint64_t *value)
{
    for (int w = 0; w < f->n; w++)
        for (int u = 0; u < units_of(f, w); u++)
            literal_set(to[w], u, *value++);
}

bool bracket_fold_apply(struct bracket_fold *f, uint64_t *to, const uint64_t *x,
                        const uint64_t *y, struct status *st)
{
    bool exact;
    f->calls++;
    load(f, f->left, x);
    load(f, f->right, y);
    TRY(eval_call_exact(f->ev, f->c, f->arguments, f->result, &exact, f->any,
                        st));
    f->rounds = f->rounds || !exact;
    for (int w = 0; w < f->n; w++) {
        const struct literal *l =
            f->n == 1 ? f->result : f->result->elements[w];
        for (int u = 0; u < units_of(f, w); u++)
            *to++ = literal_get(l, u);
    }
    return true;
}

void bracket_fold_init(const struct bracket_fold *f, uint64_t *to)
{
    for (int w = 0; w < f->n; w++)
        for (int u = 0; u < units_of(f, w); u++)
            *to++ = literal_get(f->list->init[w], u);
}

void bracket_fold_term(const struct bracket_fold *f, int64_t k, uint64_t *to)
{
    for (int w = 0; w < f->n; w++) {
        const struct literal *from;
        int64_t at;
        int units = units_of(f, w);
        f->list->term(f->list->context, f->i, k, w, &from, &at);
        if (!from) {
            from = f->list->init[w];
            at = 0;
        }
        for (int u = 0; u < units; u++)
            *to++ = literal_get(from, at * units + u);
    }
}

/* The array of the list of which `from` is an end. */
static const struct literal *end_of(const struct bracket_fold *f,
                                    const struct literal *from,
                                    struct literal *const *ends)
{
    for (int k = 0; ends && k < f->ev->count; k++)
        if (from == f->ev->operands[k])
            return ends[k];
    return from;
}

void bracket_fold_ends(const struct bracket_fold *f, int64_t k, uint64_t *low,
                       uint64_t *high)
{
    for (int w = 0; w < f->n; w++) {
        const struct literal *from = NULL;
        int64_t at = 0;
        int units = units_of(f, w);
        if (k >= 0)
            f->list->term(f->list->context, f->i, k, w, &from, &at);
        if (!from) {
            from = f->list->init[w];
            at = 0;
        }
        const struct literal *l = end_of(f, from, f->ev->low);
        const struct literal *h = end_of(f, from, f->ev->high);
        for (int u = 0; u < units; u++) {
            *low++ = literal_get(l, at * units + u);
            *high++ = literal_get(h, at * units + u);
        }
    }
}

bool bracket_fold_same(const struct bracket_fold *f, const uint64_t *x,
                       const uint64_t *y)
{
    for (int w = 0; w < f->n; w++) {
        enum dtype unit = dtype_unit(f->left[w]->shape->dtype);
        bool real = dtype_class(unit) == DTYPE_FLOAT;
        for (int u = 0; u < units_of(f, w); u++, x++, y++)
            if (*x != *y
                && !(real && real_is_nan(unit, *x) && real_is_nan(unit, *y)))
                return false;
    }
    return true;
}
