/* bracket_span.c - see bracket.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each run of terms has a value between two ends, which follow from the ends of
 * its parts: the computation is followed as a program is (interval.h).
 */
#include "interp/ops/bracket.h"
#include "interp/program/evaluate.h"
#include "interp/program/interval_goal.h"

/* Ends of N operands; low NULL: no value yet. */
struct span {
    struct literal **low, **high;
};

/* A run of terms, and with the initial value among them. */
struct run {
    struct span without, with;
};

struct spans {
    struct bracket_fold *f;
    struct arena *arena;
    bool any;
    struct span init;
    struct run runs[BRACKET_SPAN_LEAVES][BRACKET_SPAN_LEAVES];
};

/* A row of patterns as scalars. */
static struct literal **scalars_of(const struct spans *s, const uint64_t *row)
{
    struct literal **to =
        arena_new(s->arena, struct literal *, (size_t)s->f->n);
    for (int w = 0; w < s->f->n; w++) {
        to[w] = literal_new(s->arena, s->f->left[w]->shape);
        for (int64_t u = 0; u < literal_units(to[w]); u++)
            literal_set(to[w], u, *row++);
    }
    return to;
}

/* Term k, or the initial values (-1). */
static struct span span_of(const struct spans *s, int64_t k)
{
    uint64_t *low = bracket_fold_row(s->f), *high = bracket_fold_row(s->f);
    struct span to;
    bracket_fold_ends(s->f, k, low, high);
    to.low = to.high = scalars_of(s, low);
    if (s->f->ev->low)
        to.high = scalars_of(s, high);
    return to;
}

static void copy_span(const struct spans *s, struct span *to,
                      const struct span *from)
{
    to->low = arena_new(s->arena, struct literal *, (size_t)s->f->n);
    to->high = arena_new(s->arena, struct literal *, (size_t)s->f->n);
    for (int w = 0; w < s->f->n; w++) {
        to->low[w] = literal_copy(s->arena, from->low[w]);
        to->high[w] = literal_copy(s->arena, from->high[w]);
    }
}

static bool fail_ends(const struct spans *s, const char *why, struct status *st)
{
    return FAIL(st, UNSUPPORTED,
                "inadmissible: %s: a result of computation '%s' %s",
                s->f->ev->in->op->name, s->f->c->name, why);
}

/* Extend `to` to an outcome. */
static bool take_in(const struct spans *s, struct span *to,
                    const struct outcome *from, struct status *st)
{
    struct arena *a = s->arena;
    if (!to->low) {
        to->low = arena_new(a, struct literal *, (size_t)s->f->n);
        to->high = arena_new(a, struct literal *, (size_t)s->f->n);
    }
    for (int w = 0; w < s->f->n; w++) {
        struct outcome by = interval_goal_part(from, s->f->n, w);
        const char *why;
        if (!interval_goal_widen(a, s->f->ev->machine->profile, &by,
                                 &to->low[w], &to->high[w],
                                 "is discrete and depends on a rounding", &why))
            return fail_ends(s, why, st);
    }
    return true;
}

/* Add f(x, y), if both have values. */
static bool add_call(const struct spans *s, struct span *to,
                     const struct span *x, const struct span *y,
                     struct status *st)
{
    int n = s->f->n;
    struct outcome *with = arena_new(s->arena, struct outcome, 2 * (size_t)n),
                   out = {0};
    if (!x->low || !y->low)
        return true;
    for (int w = 0; w < n; w++) {
        with[w] =
            interval_goal_outcome(s->arena, x->low[w], x->low[w], x->high[w]);
        with[n + w] =
            interval_goal_outcome(s->arena, y->low[w], y->low[w], y->high[w]);
    }
    TRY(eval_call_followed(s->f->ev, s->arena, s->f->c, with, &out, st));
    return take_in(s, to, &out, st);
}

/* Add f(init, x) for a row of ends.  *kept: it is x, correctly rounded. */
static bool add_end(const struct spans *s, struct span *to,
                    struct literal **ends, bool *kept, struct status *st)
{
    int n = s->f->n;
    struct outcome *with = arena_new(s->arena, struct outcome, 2 * (size_t)n),
                   out = {0};
    for (int w = 0; w < n; w++) {
        with[w].value = s->init.low[w];
        with[n + w].value = ends[w];
    }
    TRY(eval_call_followed(s->f->ev, s->arena, s->f->c, with, &out, st));
    for (int w = 0; w < n; w++)
        *kept = *kept
                && literal_equal(n == 1 ? out.value : out.value->elements[w],
                                 ends[w]);
    return take_in(s, to, &out, st);
}

/* Add f(init, x).  Where the initial value is an identity of both ends it is
 * treated as an identity of all values between: the result lies between those
 * of the ends. To follow all between at once would widen it. */
static bool add_init(const struct spans *s, struct span *to,
                     const struct span *x, struct status *st)
{
    struct span ends = *to;
    bool kept = true;
    if (!s->init.low || !x->low)
        return true;
    if (to->low)
        copy_span(s, &ends, to);
    TRY(add_end(s, &ends, x->low, &kept, st));
    TRY(add_end(s, &ends, x->high, &kept, st));
    if (!kept)
        return add_call(s, to, &s->init, x, st);
    *to = ends;
    return true;
}

static bool enter_init(const struct spans *s, struct run *r, struct status *st)
{
    struct span had = r->with;
    if (s->any)
        TRY(add_init(s, &r->with, &had, st));
    return add_init(s, &r->with, &r->without, st);
}

static bool join(const struct spans *s, struct run *to, const struct run *x,
                 const struct run *y, struct status *st)
{
    TRY(add_call(s, &to->without, &x->without, &y->without, st));
    TRY(add_call(s, &to->with, &x->with, &y->without, st));
    TRY(add_call(s, &to->with, &x->without, &y->with, st));
    return !s->any || add_call(s, &to->with, &x->with, &y->with, st);
}

static bool find_spans(struct spans *s, struct status *st)
{
    int n = (int)s->f->list->count;
    if (s->f->list->init)
        s->init = span_of(s, -1);
    for (int k = 0; k < n; k++) {
        s->runs[k][k].without = span_of(s, k);
        TRY(enter_init(s, &s->runs[k][k], st));
    }
    for (int length = 2; length <= n; length++)
        for (int from = 0; from + length <= n; from++) {
            struct run *to = &s->runs[from][from + length - 1];
            for (int cut = from; cut < from + length - 1; cut++)
                TRY(join(s, to, &s->runs[from][cut],
                         &s->runs[cut + 1][from + length - 1], st));
            TRY(enter_init(s, to, st));
        }
    return true;
}

bool bracket_span_ends(struct bracket_fold *f, bool any, uint64_t *low,
                       uint64_t *high, struct status *st)
{
    struct machine *m = f->ev->machine;
    int64_t bytes = m->bytes;
    struct spans s = {.f = f, .arena = evaluate_frame(m), .any = any};
    bool ok = find_spans(&s, st);
    const struct run *all = &s.runs[0][f->list->count - 1];
    const struct span *ends = f->list->init ? &all->with : &all->without;
    for (int w = 0; ok && w < f->n; w++)
        for (int64_t u = 0; u < literal_units(ends->low[w]); u++) {
            *low++ = literal_get(ends->low[w], u);
            *high++ = literal_get(ends->high[w], u);
        }
    evaluate_release(m);
    m->bytes = bytes;
    return ok;
}

bool bracket_span_fold(struct bracket_fold *f, uint64_t *low, uint64_t *high,
                       struct status *st)
{
    struct machine *m = f->ev->machine;
    int64_t bytes = m->bytes;
    struct spans s = {.f = f, .arena = evaluate_frame(m)};
    struct span acc = span_of(&s, f->list->init ? -1 : 0);
    bool ok = true;
    for (int64_t k = f->list->init ? 0 : 1; ok && k < f->list->count; k++) {
        struct span x = span_of(&s, k), sum = {NULL, NULL};
        ok = add_call(&s, &sum, &acc, &x, st);
        acc = sum;
    }
    for (int w = 0; ok && w < f->n; w++)
        for (int64_t u = 0; u < literal_units(acc.low[w]); u++) {
            *low++ = literal_get(acc.low[w], u);
            *high++ = literal_get(acc.high[w], u);
        }
    evaluate_release(m);
    m->bytes = bytes;
    return ok;
}

/* Does each unit of a row lie between the ends? */
static bool lies_between(const struct spans *s, const struct span *row,
                         const struct span *ends)
{
    for (int w = 0; w < s->f->n; w++) {
        enum dtype unit = dtype_unit(row->low[w]->shape->dtype);
        bool real = dtype_class(unit) == DTYPE_FLOAT;
        for (int64_t u = 0; u < literal_units(row->low[w]); u++) {
            uint64_t x = literal_get(row->low[w], u);
            uint64_t low = literal_get(ends->low[w], u);
            uint64_t high = literal_get(ends->high[w], u);
            if (x == low
                || (real && real_is_nan(unit, x) && real_is_nan(unit, low)))
                continue;
            if (!real || real_is_nan(unit, x) || real_is_nan(unit, low)
                || real_key(unit, x) < real_key(unit, low)
                || real_key(unit, x) > real_key(unit, high))
                return false;
        }
    }
    return true;
}

bool bracket_span_keeps(struct bracket_fold *f, bool *keeps, struct status *st)
{
    struct machine *m = f->ev->machine;
    int64_t bytes = m->bytes;
    struct spans s = {.f = f, .arena = evaluate_frame(m)};
    struct status why = {.code = STATUS_OK};
    s.init = span_of(&s, -1);
    *keeps = true;
    for (int64_t k = 0; *keeps && k < f->list->count; k++) {
        struct span ends = {NULL, NULL};
        struct span x = span_of(&s, k);
        *keeps = add_call(&s, &ends, &s.init, &x, &why)
                 && lies_between(&s, &x, &ends);
    }
    evaluate_release(m);
    m->bytes = bytes;
    if (why.code == STATUS_OK || why.code == STATUS_UNSUPPORTED)
        return true;
    *st = why;
    return false;
}
