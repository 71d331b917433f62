/* bracket.c - see bracket.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/bracket.h"

#include <string.h>

enum {
    LEAVES_MAX = 6,  /* values whose brackets are all tried */
    SET_MAX = 20000, /* results that this may give */
    SAMPLES = 24     /* triples that associativity is tried on, at most */
};

/* A value of N operands is a row of patterns, one a unit. */
struct bracket {
    struct eval *ev;
    const struct computation *c;
    int n, units;
    struct literal **left, **right; /* arguments, N scalars each */
    struct literal *result;         /* one scalar, or a tuple of N */
    const struct literal **arguments;
    uint64_t *acc, *term, *other, *trial;
    int samples;
    bool known; /* the order of brackets does not matter */
};

struct bracket *bracket_open(struct eval *ev, const struct computation *c,
                             int n)
{
    struct arena *a = ev->arena;
    struct bracket *b = arena_new(a, struct bracket, 1);
    b->ev = ev;
    b->c = c;
    b->n = n;
    b->left = arena_new(a, struct literal *, (size_t)n);
    b->right = arena_new(a, struct literal *, (size_t)n);
    b->arguments = arena_new(a, const struct literal *, 2 * (size_t)n);
    b->result = literal_new(a, c->result);
    for (int i = 0; i < n; i++) {
        const struct shape *s = n == 1 ? c->result : c->result->elements[i];
        b->left[i] = literal_new(a, s);
        b->right[i] = literal_new(a, s);
        b->arguments[i] = b->left[i];
        b->arguments[n + i] = b->right[i];
        b->units += dtype_units(s->dtype);
    }
    b->acc = arena_new(a, uint64_t, (size_t)b->units);
    b->term = arena_new(a, uint64_t, (size_t)b->units);
    b->other = arena_new(a, uint64_t, (size_t)b->units);
    b->trial = arena_new(a, uint64_t, 2 * (size_t)b->units);
    b->samples = SAMPLES;
    b->known = c->builtin
               && (strcmp(c->builtin, "first") == 0
                   || strcmp(c->builtin, "second") == 0);
    return b;
}

static void load(struct bracket *b, struct literal **to, const uint64_t *value)
{
    for (int i = 0; i < b->n; i++)
        for (int u = 0; u < dtype_units(to[i]->shape->dtype); u++)
            literal_set(to[i], u, *value++);
}

/* to = f(x, y); to may be one of them. */
static bool apply(struct bracket *b, uint64_t *to, const uint64_t *x,
                  const uint64_t *y, struct status *st)
{
    load(b, b->left, x);
    load(b, b->right, y);
    TRY(eval_call_into(b->ev, b->c, b->arguments, b->result, st));
    for (int i = 0; i < b->n; i++) {
        const struct literal *l =
            b->n == 1 ? b->result : b->result->elements[i];
        for (int u = 0; u < dtype_units(l->shape->dtype); u++)
            *to++ = literal_get(l, u);
    }
    return true;
}

static void get_init(const struct bracket *b, const struct reduce_list *list,
                     uint64_t *to)
{
    for (int w = 0; w < b->n; w++)
        for (int u = 0; u < dtype_units(b->left[w]->shape->dtype); u++)
            *to++ = literal_get(list->init[w], u);
}

static void get_term(const struct bracket *b, const struct reduce_list *list,
                     int64_t i, int64_t k, uint64_t *to)
{
    for (int w = 0; w < b->n; w++) {
        const struct literal *from;
        int64_t at;
        int units = dtype_units(b->left[w]->shape->dtype);
        list->term(list->context, i, k, w, &from, &at);
        if (!from) {
            from = list->init[w];
            at = 0;
        }
        for (int u = 0; u < units; u++)
            *to++ = literal_get(from, at * units + u);
    }
}

/* Equal bits; any NaN is like any other. */
static bool same(const struct bracket *b, const uint64_t *x, const uint64_t *y)
{
    for (int w = 0; w < b->n; w++) {
        enum dtype unit = dtype_unit(b->left[w]->shape->dtype);
        for (int u = 0; u < dtype_units(b->left[w]->shape->dtype);
             u++, x++, y++)
            if (*x != *y
                && !(dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, *x)
                     && real_is_nan(unit, *y)))
                return false;
    }
    return true;
}

/* acc = the fold from the first value on; each = true: with the initial value
 * before every term. */
static bool fold_left(struct bracket *b, const struct reduce_list *list,
                      int64_t i, bool each, uint64_t *acc, struct status *st)
{
    int64_t k = 0;
    if (list->init)
        get_init(b, list, acc);
    else
        get_term(b, list, i, k++, acc);
    for (; k < list->count; k++) {
        get_term(b, list, i, k, b->term);
        if (each) {
            get_init(b, list, b->other);
            TRY(apply(b, b->term, b->other, b->term, st));
        }
        TRY(apply(b, acc, acc, b->term, st));
    }
    return true;
}

static bool fold_right(struct bracket *b, const struct reduce_list *list,
                       int64_t i, uint64_t *acc, struct status *st)
{
    int64_t k = list->count - 1;
    if (k < 0) {
        get_init(b, list, acc);
        return true;
    }
    get_term(b, list, i, k, acc);
    while (--k >= 0) {
        get_term(b, list, i, k, b->term);
        TRY(apply(b, acc, b->term, acc, st));
    }
    if (list->init) {
        get_init(b, list, b->term);
        TRY(apply(b, acc, b->term, acc, st));
    }
    return true;
}

/* f(f(x, y), z) = f(x, f(y, z)) for neighbours, all over the list. */
static bool try_samples(struct bracket *b, const struct reduce_list *list,
                        int64_t i, bool *equal, struct status *st)
{
    uint64_t *x = b->trial, *y = b->trial + b->units;
    int64_t last = list->count - 3;
    int64_t step = last > 8 ? last / 8 : 1;
    *equal = true;
    for (int64_t k = 0; k <= last && b->samples > 0 && *equal; k += step) {
        b->samples--;
        get_term(b, list, i, k, x);
        get_term(b, list, i, k + 1, y);
        get_term(b, list, i, k + 2, b->term);
        TRY(apply(b, b->other, x, y, st));
        TRY(apply(b, b->other, b->other, b->term, st));
        TRY(apply(b, y, y, b->term, st));
        TRY(apply(b, x, x, y, st));
        *equal = same(b, x, b->other);
    }
    return true;
}

/* ---- Every way ------------------------------------------------------------
 */

struct set {
    int count, room;
    uint64_t *values;
};

static bool set_add(struct bracket *b, struct set *s, const uint64_t *value,
                    struct status *st)
{
    size_t width = (size_t)b->units;
    for (int i = 0; i < s->count; i++)
        if (memcmp(s->values + (size_t)i * width, value, width * sizeof *value)
            == 0)
            return true;
    if (s->count == SET_MAX)
        return FAIL(st, UNSUPPORTED,
                    "%s: computation '%s' is not associative, and has more "
                    "than %d results",
                    b->ev->in->op->name, b->c->name, SET_MAX);
    if (s->count == s->room) {
        int room = s->room ? 2 * s->room : 8;
        uint64_t *more =
            arena_new(b->ev->arena, uint64_t, (size_t)room * width);
        if (s->count)
            memcpy(more, s->values, (size_t)s->count * width * sizeof *more);
        s->values = more;
        s->room = room;
    }
    memcpy(s->values + (size_t)s->count++ * width, value,
           width * sizeof *value);
    return true;
}

static bool add_products(struct bracket *b, struct set *to, const struct set *x,
                         const struct set *y, struct status *st)
{
    size_t width = (size_t)b->units;
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++) {
            TRY(apply(b, b->other, x->values + (size_t)i * width,
                      y->values + (size_t)k * width, st));
            TRY(set_add(b, to, b->other, st));
        }
    return true;
}

/* A leaf alone; and, if the initial value may enter anywhere, with it. */
static bool add_leaf(struct bracket *b, const struct reduce_list *list,
                     int64_t i, int64_t k, bool any, struct set *to,
                     struct status *st)
{
    get_term(b, list, i, k, b->term);
    TRY(set_add(b, to, b->term, st));
    if (!any || !list->init)
        return true;
    get_init(b, list, b->trial);
    TRY(apply(b, b->other, b->trial, b->term, st));
    TRY(set_add(b, to, b->other, st));
    TRY(apply(b, b->other, b->term, b->trial, st));
    return set_add(b, to, b->other, st);
}

/* All results of all brackets around at most LEAVES_MAX values. */
static bool every_way(struct bracket *b, const struct reduce_list *list,
                      int64_t i, struct set *all, struct status *st)
{
    struct set sets[LEAVES_MAX + 2][LEAVES_MAX + 2] = {0};
    bool any = eval_policy_is(b->ev, "reduce.init", "any");
    int n = 0;
    if (list->init && !any) {
        get_init(b, list, b->term);
        TRY(set_add(b, &sets[n][n], b->term, st));
        n++;
    }
    for (int64_t k = 0; k < list->count; k++, n++)
        TRY(add_leaf(b, list, i, k, any, &sets[n][n], st));
    for (int length = 2; length <= n; length++)
        for (int from = 0; from + length <= n; from++)
            for (int cut = from; cut < from + length - 1; cut++)
                TRY(add_products(b, &sets[from][from + length - 1],
                                 &sets[from][cut],
                                 &sets[cut + 1][from + length - 1], st));
    *all = sets[0][n - 1];
    return true;
}

/* ---- One element ----------------------------------------------------------
 */

static void store(const struct bracket *b, struct goal **goals, int64_t i,
                  const uint64_t *value, bool other)
{
    for (int w = 0; w < b->n; w++) {
        int units = dtype_units(b->left[w]->shape->dtype);
        for (int u = 0; u < units; u++, value++) {
            int64_t at = i * units + u;
            if (!other)
                literal_set(goals[w]->value, at, *value);
            else if (literal_get(goals[w]->value, at) != *value)
                goal_or(goals[w], at, *value);
        }
    }
}

static bool depends(struct bracket *b, const struct reduce_list *list,
                    int64_t i, struct goal **goals, struct status *st)
{
    struct set all;
    if (b->c->associative)
        return FAIL(st, UNSUPPORTED,
                    "%s: computation '%s' is declared associative and is not",
                    b->ev->in->op->name, b->c->name);
    if (list->count > LEAVES_MAX)
        return FAIL(st, UNSUPPORTED,
                    "%s: computation '%s' is not associative; at most %d "
                    "values can be reduced by it",
                    b->ev->in->op->name, b->c->name, LEAVES_MAX);
    TRY(every_way(b, list, i, &all, st));
    for (int k = 0; k < all.count; k++)
        store(b, goals, i, all.values + (size_t)k * (size_t)b->units, true);
    return true;
}

/* Does it show that the initial value is no identity? */
static bool check_init(struct bracket *b, const struct reduce_list *list,
                       int64_t i, struct goal **goals, struct status *st)
{
    if (!list->init || !b->ev->want_exact
        || !eval_policy_is(b->ev, "reduce.init", "any"))
        return true;
    uint64_t *again = b->trial;
    TRY(fold_left(b, list, i, true, again, st));
    if (same(b, again, b->acc))
        return true;
    for (int w = 0; w < b->n; w++) {
        int units = dtype_units(b->left[w]->shape->dtype);
        for (int u = 0; u < units; u++)
            goal_free_unit(goals[w], i * units + u);
    }
    return true;
}

bool bracket_element(struct bracket *b, const struct reduce_list *list,
                     int64_t i, struct goal **goals, struct status *st)
{
    bool equal = true;
    TRY(fold_left(b, list, i, false, b->acc, st));
    store(b, goals, i, b->acc, false);
    if (list->count == 0 || b->known)
        return true;
    TRY(try_samples(b, list, i, &equal, st));
    if (equal && !b->c->associative) {
        TRY(fold_right(b, list, i, b->trial, st));
        equal = same(b, b->trial, b->acc);
    }
    if (!equal)
        return depends(b, list, i, goals, st);
    return check_init(b, list, i, goals, st);
}
