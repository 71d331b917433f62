/* reduce.c - see reduce.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A sum of floats is exact and judged by its number of roundings, a product
 * likewise by its relative error; integers and extremes come out the same in
 * every order.  A computation of several operands may apply such operations to
 * each alone.  Any other computation is bracket.h's.
 */
#include "interp/ops/reduce.h"

#include "gen/policy/reduce_init.h"
#include "interp/ops/bracket.h"
#include "interp/ops/overflow.h"
#include "interp/ops/product.h"
#include "interp/ops/total.h"
#include "interp/program/attribute.h"
#include "interp/program/op_way.h"
#include "interp/program/uses.h"
#include "interp/specification/flush.h"

enum kind {
    KIND_SUM,     /* floats, complex too */
    KIND_PRODUCT, /* the same */
    KIND_FOLD,    /* one operation on patterns */
    KIND_PARTS,   /* each of several operands for itself */
    KIND_BODY,    /* a computation */
};

struct reduce {
    struct eval *ev;
    const struct computation *c;
    enum kind kind;
    int n;
    struct goal **goals;
    struct total *totals; /* one a unit of an element */
    struct product *product;
    monoid_fold *fold;
    struct overflow overflow; /* of a fold of integers */
    struct bracket *bracket;
    struct reduce **parts; /* one an operand */
    bool any_init;         /* policy reduce.init */
    enum dtype accumulator;
    enum machine_flush flush; /* of what a maximum or minimum compares */
};

static enum kind choose_kind(struct reduce *r, const struct op *op,
                             enum dtype type)
{
    if (!op || !op->monoid)
        return KIND_BODY;
    if (monoid_rounds(op, type, MONOID_SUM))
        return KIND_SUM;
    if (monoid_rounds(op, type, MONOID_PRODUCT))
        return KIND_PRODUCT;
    r->fold = monoid_find(op->monoid, type);
    r->overflow = overflow_open(r->ev, type, op->monoid->kind);
    return r->fold ? KIND_FOLD : KIND_BODY;
}

/* May the initial value be used more than once? */
static bool any_init(const struct profile *p)
{
    switch (profile_reduce_init(p)) {
    case REDUCE_INIT_ANY:
    case REDUCE_INIT_ANYWHERE:
        return true;
    case REDUCE_INIT_ONCE:
        break;
    }
    return false;
}

/* For operand k, to which op is applied; NULL: another computation. */
static struct reduce *new_reduce(struct eval *ev, const struct computation *c,
                                 int n, const struct op *op, enum dtype type)
{
    struct reduce *r = arena_new(ev->arena, struct reduce, 1);
    r->ev = ev;
    r->c = c;
    r->n = n;
    r->goals = arena_new(ev->arena, struct goal *, (size_t)n);
    r->any_init = any_init(ev->machine->profile);
    r->accumulator = total_accumulator(ev, dtype_unit(type));
    r->kind = choose_kind(r, op, type);
    return r;
}

static void open_kind(struct reduce *r, const struct shape *const *results)
{
    struct eval *ev = r->ev;
    enum dtype type = results[0]->dtype;
    if (r->kind == KIND_SUM)
        r->totals =
            arena_new(ev->arena, struct total, (size_t)dtype_units(type));
    if (r->kind == KIND_PRODUCT)
        r->product = product_open(ev, type);
    if (r->kind == KIND_BODY)
        r->bracket = bracket_open(ev, r->c, r->n);
    if (r->kind == KIND_FOLD) {
        r->flush = uses_way_all(ev);
        ev->spreads =
            ev->spreads
            || (uses_spread(ev->machine) && dtype_class(type) == DTYPE_FLOAT);
    }
    bool sum = r->kind == KIND_SUM || r->kind == KIND_PRODUCT;
    for (int i = 0; i < r->n; i++)
        r->goals[i] = eval_goal(ev, results[i], sum ? GOAL_SUM : GOAL_BITS,
                                ev->want_exact && sum);
}

/* Is each operand combined for itself?  Inexact ones only where an end of the
 * result follows from ends of theirs: ev->low is NULL. */
static bool open_parts(struct reduce *r, const struct shape *const *results)
{
    struct eval *ev = r->ev;
    if (r->n == 1 || ev->low || ev->terms)
        return false;
    r->parts = arena_new(ev->arena, struct reduce *, (size_t)r->n);
    for (int k = 0; k < r->n; k++) {
        const struct instruction *in = program_pair(r->c, r->n, k);
        r->parts[k] =
            new_reduce(ev, r->c, 1, in ? in->op : NULL, results[k]->dtype);
        if (r->parts[k]->kind == KIND_BODY)
            return false;
    }
    r->kind = KIND_PARTS;
    for (int k = 0; k < r->n; k++) {
        open_kind(r->parts[k], &results[k]);
        r->goals[k] = r->parts[k]->goals[0];
    }
    return true;
}

struct reduce *reduce_open(struct eval *ev, const struct computation *c, int n,
                           const struct shape *const *results)
{
    const struct op *op = n == 1 ? program_monoid(c) : NULL;
    struct reduce *r = new_reduce(ev, c, n, op, results[0]->dtype);
    if (!open_parts(r, results))
        open_kind(r, results);
    return r;
}

struct goal **reduce_goals(struct reduce *r)
{
    return r->goals;
}

/* Term k, with the initial value for padding. */
static const struct literal *get_term(const struct reduce_list *list, int64_t i,
                                      int64_t k, int64_t *at)
{
    const struct literal *from;
    list->term(list->context, i, k, 0, &from, at);
    if (from)
        return from;
    *at = 0;
    return list->init[0];
}

static bool is_zero(const struct literal *l, int unit)
{
    return real_is_zero(dtype_unit(l->shape->dtype), literal_get(l, unit));
}

static void sum_element(struct reduce *r, const struct reduce_list *list,
                        int64_t i)
{
    const struct shape *s = r->goals[0]->value->shape;
    enum dtype unit = dtype_unit(s->dtype);
    enum dtype accumulator = r->accumulator;
    int units = dtype_units(s->dtype);
    for (int u = 0; u < units; u++) {
        struct total *t = &r->totals[u];
        int64_t at, roundings = list->count;
        total_start(t, r->ev, unit, accumulator);
        for (int64_t k = 0; k < list->count; k++) {
            const struct literal *from = get_term(list, i, k, &at);
            total_add(t, unit, literal_get(from, at * units + u));
        }
        if (list->init)
            total_add(t, unit, literal_get(list->init[0], u));
        if (!list->init || is_zero(list->init[0], u))
            roundings--; /* adding to zero is exact */
        total_finish(t, r->ev, r->goals[0], i * units + u,
                     roundings > 0 ? roundings : 0, accumulator);
        bool counts = list->init && r->any_init
                      && real_is_finite(unit, literal_get(list->init[0], u))
                      && !is_zero(list->init[0], u);
        if (counts && r->ev->want_exact)
            goal_free_unit(r->goals[0], i * units + u);
    }
}

static void product_element(struct reduce *r, const struct reduce_list *list,
                            int64_t i)
{
    struct goal *g = r->goals[0];
    enum dtype type = g->value->shape->dtype;
    int units = dtype_units(type);
    int64_t at;
    product_start(r->product);
    for (int64_t k = 0; k < list->count; k++) {
        const struct literal *from = get_term(list, i, k, &at);
        product_multiply(r->product, from, at);
    }
    if (list->init)
        product_multiply(r->product, list->init[0], 0);
    product_finish(r->product, g, i, r->accumulator);
    if (!list->init || !r->any_init || !r->ev->want_exact
        || product_is_one(list->init[0], 0)
        || (is_zero(list->init[0], 0) && is_zero(list->init[0], units - 1)))
        return;
    for (int u = 0; u < units; u++)
        goal_free_unit(g, i * units + u);
}

/* May a maximum or minimum give the other of two, of which one is a NaN? */
static bool drops_nan(const struct eval *ev, enum dtype type, uint64_t a,
                      uint64_t b)
{
    return dtype_class(type) == DTYPE_FLOAT
           && (real_is_nan(type, a) || real_is_nan(type, b))
           && monoid_drops_nan(ev);
}

enum {
    OTHERS_MAX = 4096, /* terms of all units that a goal lists as results */
    CHOICES_MAX = 8    /* terms of which each is chosen alone (uses_choice) */
};

static uint64_t flushed_term(const struct reduce *r, enum dtype type,
                             uint64_t bits)
{
    bool keeps = r->flush == MACHINE_FLUSH;
    return real_is_subnormal(type, bits)
               ? real_zero(type, keeps && real_is_negative(type, bits))
               : bits;
}

/* The terms that a maximum or minimum may also give. */
enum others {
    OTHERS_NUMBERS, /* all but NaN */
    OTHERS_ZEROS,
    OTHERS_SUBNORMAL
};

/* The result may also be such a term, or the initial value. */
static void add_others(struct reduce *r, const struct reduce_list *list,
                       int64_t i, enum others which)
{
    struct goal *g = r->goals[0];
    enum dtype type = g->value->shape->dtype;
    int64_t at;
    for (int64_t k = list->init ? -1 : 0; k < list->count; k++) {
        const struct literal *from =
            k < 0 ? list->init[0] : get_term(list, i, k, &at);
        uint64_t bits = literal_get(from, k < 0 ? 0 : at);
        bool right = which == OTHERS_NUMBERS ? !real_is_nan(type, bits)
                     : which == OTHERS_ZEROS ? real_is_zero(type, bits)
                                             : real_is_subnormal(type, bits);
        if (right)
            goal_or(g, i, bits);
    }
}

/* Of a few terms each is a choice (uses_choice); 0 chooses the zero that they
 * come to, and k + 1 term k, if that is subnormal.  False: they are many. */
static bool choose_flushed(struct reduce *r, const struct reduce_list *list,
                           int64_t i, uint64_t zero)
{
    int64_t at = 0, n = list->count + (list->init ? 1 : 0);
    enum dtype type = r->goals[0]->value->shape->dtype;
    if (!r->ev->machine->uses || n > CHOICES_MAX)
        return false;
    int choice = uses_choice(r->ev, (int)n);
    const struct literal *from = choice == 0 ? NULL
                                 : choice > list->count
                                     ? list->init[0]
                                     : get_term(list, i, choice - 1, &at);
    uint64_t bits = from ? literal_get(from, choice > list->count ? 0 : at) : 0;
    goal_bits(r->goals[0], i,
              from && real_is_subnormal(type, bits) ? bits : zero);
    return true;
}

/* Operands are compared as zeros: the result is the zero that they come to, or
 * one of those that were flushed, which keeps its bits. */
static void add_flushed(struct reduce *r, const struct reduce_list *list,
                        int64_t i)
{
    struct goal *g = r->goals[0];
    enum dtype type = g->value->shape->dtype;
    uint64_t acc = 0;
    int64_t at;
    bool first = true;
    for (int64_t k = list->init ? -1 : 0; k < list->count; k++) {
        const struct literal *from =
            k < 0 ? list->init[0] : get_term(list, i, k, &at);
        uint64_t term =
            flushed_term(r, type, literal_get(from, k < 0 ? 0 : at));
        acc = first ? term : r->fold(type, acc, term);
        first = false;
    }
    if (first || !real_is_zero(type, acc) || choose_flushed(r, list, i, acc))
        return;
    add_others(r, list, i, OTHERS_SUBNORMAL);
    if (monoid_swaps_zeros(r->ev))
        add_others(r, list, i, OTHERS_ZEROS);
    goal_or(g, i, acc);
}

/* Adds what else a maximum or minimum of floats may be: where a NaN may be
 * dropped, so may what it met before, and any term may be left; of zeros either
 * may be. */
static void relax_fold(struct reduce *r, const struct reduce_list *list,
                       int64_t i, bool nan)
{
    struct goal *g = r->goals[0];
    const struct shape *s = g->value->shape;
    enum dtype type = s->dtype;
    bool flushes =
        r->flush != MACHINE_KEEP
        && flush_allowed(r->ev->machine->profile, s, r->flush == MACHINE_FLUSH);
    if (nan && list->count > OTHERS_MAX / (literal_units(g->value) + 1))
        goal_free_unit(g, i);
    else if (nan)
        add_others(r, list, i, OTHERS_NUMBERS);
    if (flushes)
        add_flushed(r, list, i);
    else if (real_is_zero(type, literal_get(g->value, i))
             && monoid_swaps_zeros(r->ev))
        add_others(r, list, i, OTHERS_ZEROS);
}

static bool fold_element(struct reduce *r, const struct reduce_list *list,
                         int64_t i)
{
    struct goal *g = r->goals[0];
    enum dtype type = g->value->shape->dtype;
    uint64_t acc = 0;
    int64_t at, k = 0;
    bool free = false;
    overflow_start(&r->overflow);
    if (list->init) {
        acc = literal_get(list->init[0], 0);
        uint64_t twice = r->fold(type, acc, acc);
        free = twice != acc && r->any_init;
    } else if (list->count > 0) {
        const struct literal *from = get_term(list, i, k++, &at);
        acc = literal_get(from, at);
    }
    overflow_term(&r->overflow, acc);
    bool nan = false;
    for (; k < list->count; k++) {
        const struct literal *from = get_term(list, i, k, &at);
        uint64_t term = literal_get(from, at);
        nan = nan || drops_nan(r->ev, type, acc, term);
        acc = r->fold(type, acc, term);
        overflow_term(&r->overflow, term);
    }
    literal_set(g->value, i, acc);
    if ((free || r->overflow.found) && r->ev->want_exact)
        goal_free_unit(g, i);
    else if (r->ev->want_exact && dtype_class(type) == DTYPE_FLOAT)
        relax_fold(r, list, i, nan);
    return true;
}

bool reduce_init_is_idle(const struct reduce *r,
                         const struct literal *const *init)
{
    enum dtype type = r->goals[0]->value->shape->dtype;
    uint64_t bits = literal_get(init[0], 0);
    switch (r->kind) {
    case KIND_SUM:
        return is_zero(init[0], 0) && is_zero(init[0], dtype_units(type) - 1);
    case KIND_PRODUCT:
        return product_is_one(init[0], 0);
    case KIND_FOLD:
        return r->fold(type, bits, bits) == bits;
    case KIND_PARTS:
        for (int k = 0; k < r->n; k++)
            if (!reduce_init_is_idle(r->parts[k], init + k))
                return false;
        return true;
    case KIND_BODY:
        break;
    }
    return false;
}

/* The list of one operand. */
struct part {
    const struct reduce_list *list;
    int which;
};

static void part_term(void *context, int64_t i, int64_t k, int which,
                      const struct literal **from, int64_t *at)
{
    const struct part *p = context;
    p->list->term(p->list->context, i, k, p->which + which, from, at);
}

static bool part_elements(struct reduce *r, const struct reduce_list *list,
                          int64_t i, struct status *st)
{
    for (int k = 0; k < r->n; k++) {
        struct part p = {list, k};
        struct reduce_list own = {.term = part_term,
                                  .context = &p,
                                  .count = list->count,
                                  .operands = 1,
                                  .init = list->init ? list->init + k : NULL};
        TRY(reduce_element(r->parts[k], &own, i, st));
    }
    return true;
}

static void walk_terms(const struct eval_terms *walk,
                       const struct reduce_list *list, int64_t i)
{
    for (int64_t k = 0; k < list->count; k++) {
        const struct literal *from;
        int64_t at;
        list->term(list->context, i, k, 0, &from, &at);
        walk->term(walk->context, from ? at : -1, 0);
    }
    walk->end(walk->context, i);
}

bool reduce_element(struct reduce *r, const struct reduce_list *list, int64_t i,
                    struct status *st)
{
    if (r->ev->terms && r->n == 1) {
        walk_terms(r->ev->terms, list, i);
        return true;
    }
    switch (r->kind) {
    case KIND_SUM:
        sum_element(r, list, i);
        return true;
    case KIND_PRODUCT:
        product_element(r, list, i);
        return true;
    case KIND_FOLD:
        return fold_element(r, list, i);
    case KIND_PARTS:
        return part_elements(r, list, i, st);
    case KIND_BODY:
        break;
    }
    return bracket_element(r->bracket, list, i, r->goals, st);
}

bool reduce_infer_pairs(const struct infer *in, struct status *st)
{
    int n = in->count / 2;
    const struct shape *first = in->operands[0];
    if (in->count % 2 != 0)
        return FAIL(st, STRUCTURE,
                    "%s: %d operands; expected pairs of an array and an "
                    "initial value",
                    in->op->name, in->count);
    for (int i = 0; i < n; i++) {
        const struct shape *s = in->operands[i], *init = in->operands[n + i];
        if (!shape_same_dims(s, first))
            return FAIL(st, SHAPE,
                        "%s: operand %d is %s; expected the dimensions of "
                        "operand 0, %s",
                        in->op->name, i, shape_text(in->arena, s),
                        shape_text(in->arena, first));
        if (!shape_is_scalar(init) || init->dtype != s->dtype)
            return FAIL(st, TYPE,
                        "%s: initial value %d is %s, not a scalar of type %s",
                        in->op->name, i, shape_text(in->arena, init),
                        dtype_table[s->dtype].name);
    }
    return true;
}

bool reduce_infer_computation(struct infer *in, enum attribute_name attribute,
                              int n, const enum dtype *types, struct status *st)
{
    const struct computation *c;
    const struct shape **scalars =
        arena_new(in->arena, const struct shape *, 2 * (size_t)n);
    for (int i = 0; i < n; i++)
        scalars[i] = scalars[n + i] = shape_scalar(in->arena, types[i]);
    TRY(infer_computation(in, attribute, 0, 2 * n, scalars, &c, st));
    const struct shape *want =
        n == 1 ? scalars[0] : shape_tuple(in->arena, n, scalars);
    if (!shape_equal(c->result, want))
        return FAIL(st, COMPUTATION,
                    "%s: computation '%s' returns %s, expected %s",
                    in->op->name, c->name, shape_text(in->arena, c->result),
                    shape_text(in->arena, want));
    return true;
}

/* Does the result for each operand rise with it?  Several must be sums: what a
 * maximum gives of flushed operands is found for one operand (interval_pick).
 */
static bool all_rise(const struct computation *c)
{
    int n = c->parameter_count / 2;
    for (int k = 0; k < n; k++) {
        const struct instruction *in = program_pair(c, n, k);
        const struct op *op = in && in->op->monoid ? in->op : NULL;
        if (!op || op->monotone[0] != OP_RISING || op->monotone[1] != OP_RISING
            || (n > 1 && op->monoid->kind != MONOID_SUM))
            return false;
    }
    return n > 0;
}

int reduce_monotone(const struct instruction *in, enum attribute_name attribute)
{
    const struct attribute *a = attribute_find(in, attribute);
    const struct computation *c = a ? a->computations[0] : NULL;
    const struct op *op = c ? program_monoid(c) : NULL;
    if (op && monoid_rounds(op, c->result->dtype, MONOID_PRODUCT))
        return dtype_class(c->result->dtype) == DTYPE_FLOAT ? OP_WAY_PRODUCT
                                                            : OP_NEITHER;
    return c && all_rise(c) ? OP_RISING : OP_NEITHER;
}

int reduce_monotone_of(const struct instruction *in, int operand)
{
    return reduce_monotone(in, ATTRIBUTE_COMPUTATION);
}
