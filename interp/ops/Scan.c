/* Scan - a computation carried along a dimension.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The computation runs once an index, on slices of the inputs and the carries.
 * Where it rounds, each step is followed as an interval.  A scan that is
 * declared associative may be bracketed in any way: running sums and products
 * are then judged as accumulations, and other computations must not round.
 */
#include <inttypes.h>
#include <string.h>

#include "interp/goal/goal_gather.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/overflow.h"
#include "interp/ops/product.h"
#include "interp/ops/total.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"
#include "interp/program/interval_goal.h"
#include "interp/program/op_way.h"

/* ---- Inference ----------------------------------------------------------- */

static const struct shape *slice_of(struct arena *a, const struct shape *s,
                                    int64_t dimension)
{
    int64_t dims[SHAPE_RANK_MAX];
    int rank = 0;
    for (int i = 0; i < s->rank; i++)
        if (i != dimension)
            dims[rank++] = s->dims[i];
    return shape_array(a, s->dtype, rank, dims);
}

static bool check_inputs(const struct infer *in, int inputs, int64_t dimension,
                         struct status *st)
{
    const struct shape *first = in->operands[0];
    for (int i = 0; i < inputs; i++) {
        const struct shape *s = in->operands[i];
        if (dimension < 0 || dimension >= s->rank)
            return FAIL(st, ATTRIBUTE,
                        "Scan: scan_dimension is %" PRId64 "; an input is %s",
                        dimension, shape_text(in->arena, s));
        if (s->dims[dimension] != first->dims[dimension])
            return FAIL(st, SHAPE,
                        "Scan: input %d is %s, input 0 %s: dimension %" PRId64
                        " differs",
                        i, shape_text(in->arena, s),
                        shape_text(in->arena, first), dimension);
    }
    return true;
}

/* The shape of an output whose slices are s. */
static bool add_output(struct infer *in, const struct shape *s,
                       int64_t dimension, struct status *st)
{
    int64_t dims[SHAPE_RANK_MAX];
    if (s->kind != SHAPE_ARRAY)
        return FAIL(st, COMPUTATION, "Scan: an output is %s, not an array",
                    shape_text(in->arena, s));
    if (dimension > s->rank)
        return FAIL(st, COMPUTATION,
                    "Scan: an output is %s, whose rank is less than "
                    "scan_dimension %" PRId64,
                    shape_text(in->arena, s), dimension);
    if (s->rank >= SHAPE_RANK_MAX)
        return FAIL(st, SHAPE, "Scan: an output has too many dimensions");
    for (int i = 0; i < s->rank; i++)
        dims[i + (i >= dimension)] = s->dims[i];
    dims[dimension] = in->operands[0]->dims[dimension];
    return infer_array(in, s->dtype, s->rank + 1, dims, st);
}

static bool infer(struct infer *in, struct status *st)
{
    int64_t n = attribute_int(in->in, ATTRIBUTE_NUM_INPUTS, 0);
    int64_t dimension = attribute_int(in->in, ATTRIBUTE_SCAN_DIMENSION, 0);
    const struct computation *c;
    TRY(dimnums_static(in, st));
    if (n < 1 || n >= in->count)
        return FAIL(st, ATTRIBUTE,
                    "Scan: num_inputs is %" PRId64
                    "; expected at least 1, and less than %d operands",
                    n, in->count);
    int inputs = (int)n, carries = in->count - inputs;
    TRY(check_inputs(in, inputs, dimension, st));
    const struct shape **shapes =
        arena_new(in->arena, const struct shape *, (size_t)in->count);
    for (int i = 0; i < in->count; i++)
        shapes[i] = i < inputs ? slice_of(in->arena, in->operands[i], dimension)
                               : in->operands[i];
    TRY(infer_computation(in, ATTRIBUTE_COMPUTATION, 0, in->count, shapes, &c,
                          st));
    if (c->result->kind != SHAPE_TUPLE || c->result->rank < carries)
        return FAIL(
            st, COMPUTATION,
            "Scan: computation '%s' gives %s, not a tuple of outputs and "
            "%d carries",
            c->name, shape_text(in->arena, c->result), carries);
    int outputs = c->result->rank - carries;
    const struct shape **results =
        arena_new(in->arena, const struct shape *, (size_t)c->result->rank);
    for (int i = 0; i < c->result->rank; i++) {
        const struct shape *s = c->result->elements[i];
        if (i < outputs) {
            TRY(add_output(in, s, dimension, st));
            results[i] = in->result;
            continue;
        }
        results[i] = in->operands[inputs + i - outputs];
        if (!shape_equal(s, results[i]))
            return FAIL(st, COMPUTATION, "Scan: carry %d is %s, expected %s",
                        i - outputs, shape_text(in->arena, s),
                        shape_text(in->arena, results[i]));
    }
    in->result = shape_tuple(in->arena, c->result->rank, results);
    return true;
}

/* ---- Slices -------------------------------------------------------------- */

struct scan {
    struct eval *ev;
    const struct computation *c;
    int inputs, carries, outputs;
    int64_t dimension, length;
    bool reverse;
    struct literal *const *low, *const *high; /* of the operands, if inexact */
    struct goal **goals;                      /* outputs, then carries */
    struct goal_gather **gathers;             /* of outputs whose steps round */
    struct total *totals; /* running sums: one, and its copy */
};

/* Elements before and after the scanned dimension of an array. */
static void extents(const struct scan *s, const struct shape *shape,
                    int64_t *before, int64_t *behind)
{
    *before = *behind = 1;
    for (int i = 0; i < shape->rank; i++) {
        if (i < s->dimension)
            *before *= shape->dims[i];
        if (i > s->dimension)
            *behind *= shape->dims[i];
    }
}

/* Copy slice t of whole to slice, or the other way. */
static void copy_slice(const struct scan *s, const struct literal *whole,
                       const struct literal *slice, int64_t t, bool back)
{
    int64_t before, behind;
    extents(s, whole->shape, &before, &behind);
    size_t size = (size_t)behind * (size_t)dtype_bytes(whole->shape->dtype);
    for (int64_t i = 0; i < before && size > 0; i++) {
        unsigned char *a = whole->data + (size_t)(i * s->length + t) * size;
        unsigned char *b = slice->data + (size_t)i * size;
        memcpy(back ? a : b, back ? b : a, size);
    }
}

/* Where lane i of the slices, of behind elements each, is at index t. */
static int64_t lane_at(const struct scan *s, int64_t lane, int64_t behind,
                       int64_t t)
{
    return (lane / behind * s->length + t) * behind + lane % behind;
}

static void load_inputs(const struct scan *s, struct literal **slices,
                        int64_t t)
{
    for (int i = 0; i < s->inputs; i++)
        copy_slice(s, s->ev->operands[i], slices[i], t, false);
}

/* Room for the inputs' slices, and copies of the initial values. */
static struct literal **make_arguments(const struct scan *s)
{
    struct arena *a = s->ev->arena;
    struct literal **to =
        arena_new(a, struct literal *, (size_t)(s->inputs + s->carries));
    for (int i = 0; i < s->inputs; i++)
        to[i] = literal_new(
            a, slice_of(a, s->ev->operands[i]->shape, s->dimension));
    for (int i = s->inputs; i < s->inputs + s->carries; i++)
        to[i] = literal_copy(a, s->ev->operands[i]);
    return to;
}

static int64_t place(const struct scan *s, int64_t step)
{
    return s->reverse ? s->length - 1 - step : step;
}

/* ---- Steps that do not round, or are not judged -------------------------- */

/* *exact: each step has one result; else the goals are of no use. */
static bool run_exact(struct scan *s, bool *exact, struct status *st)
{
    struct literal **arguments = make_arguments(s);
    struct literal *result = literal_new(s->ev->arena, s->c->result);
    for (int64_t step = 0; step < s->length; step++) {
        int64_t t = place(s, step);
        load_inputs(s, arguments, t);
        TRY(eval_call_exact(s->ev, s->c,
                            (const struct literal *const *)arguments, result,
                            exact, NULL, st));
        if (!*exact)
            return true;
        for (int i = 0; i < s->outputs; i++)
            copy_slice(s, s->goals[i]->value, result->elements[i], t, true);
        for (int i = 0; i < s->carries; i++)
            eval_copy(s->ev->arena, arguments[s->inputs + i],
                      result->elements[s->outputs + i]);
    }
    for (int i = 0; i < s->carries; i++)
        eval_copy(s->ev->arena, s->goals[s->outputs + i]->value,
                  arguments[s->inputs + i]);
    return true;
}

/* ---- Steps that round ---------------------------------------------------- */

/* Put a slice into an output. */
static bool store_output(struct scan *s, int i, const struct outcome *out,
                         int64_t t, struct status *st)
{
    const struct literal *value = out->value->elements[i];
    const struct goal *from = out->goals ? out->goals[i] : NULL;
    const char *why;
    if (from
        && !(from = interval_goal_by_unit(s->ev->arena, s->ev->machine->profile,
                                          from, &why)))
        return FAIL(st, UNSUPPORTED, "inadmissible: an output of Scan %s", why);
    int64_t before, behind;
    extents(s, s->ev->in->shape->elements[i], &before, &behind);
    behind *= dtype_units(value->shape->dtype);
    for (int64_t k = 0; k < before * behind; k++)
        goal_gather_unit(s->gathers[i], lane_at(s, k, behind, t), value, from,
                         k);
    return true;
}

/* An operand, or its slice at index t, between its ends. */
static struct outcome argument_of(const struct scan *s, int i, int64_t t)
{
    struct arena *a = s->ev->arena;
    const struct literal *value = s->ev->operands[i];
    const struct literal *from[] = {value, s->low ? s->low[i] : value,
                                    s->high ? s->high[i] : value};
    struct literal *to[3];
    for (int k = 0; k < 3; k++) {
        to[k] = k > 0 && from[k] == value ? to[0]
                : i < s->inputs
                    ? literal_new(a, slice_of(a, value->shape, s->dimension))
                    : literal_copy(a, from[k]);
        if (i < s->inputs)
            copy_slice(s, from[k], to[k], t, false);
    }
    return interval_goal_outcome(a, to[0], to[1], to[2]);
}

static void open_gathers(struct scan *s)
{
    const struct shape *result = s->ev->in->shape;
    struct arena *a = s->ev->arena;
    s->goals = arena_new(a, struct goal *, (size_t)result->rank);
    s->gathers = arena_new(a, struct goal_gather *, (size_t)s->outputs + 1);
    for (int i = 0; i < s->outputs; i++)
        s->gathers[i] = goal_gather_open(a, result->elements[i]);
}

static bool run_inexact(struct scan *s, struct status *st)
{
    struct eval *ev = s->ev;
    struct arena *a = ev->arena;
    int count = s->inputs + s->carries;
    struct outcome *with = arena_new(a, struct outcome, (size_t)count);
    struct outcome out = {0};
    open_gathers(s);
    for (int i = s->inputs; i < count; i++)
        with[i] = argument_of(s, i, 0);
    for (int64_t step = 0; step < s->length; step++) {
        int64_t t = place(s, step);
        /* A slice may go on as a carry: each step has its own. */
        for (int i = 0; i < s->inputs; i++)
            with[i] = argument_of(s, i, t);
        TRY(eval_call_followed(ev, a, s->c, with, &out, st));
        for (int i = 0; i < s->outputs; i++)
            TRY(store_output(s, i, &out, t, st));
        for (int i = 0; i < s->carries; i++) {
            int k = s->outputs + i;
            struct outcome *carry = &with[s->inputs + i];
            carry->value = out.value->elements[k];
            carry->goals = out.goals ? &out.goals[k] : NULL;
            carry->count = 1;
        }
    }
    for (int i = 0; i < s->outputs; i++)
        s->goals[i] = goal_gather_close(s->gathers[i]);
    for (int i = 0; i < s->carries; i++) {
        const struct outcome *carry = &with[s->inputs + i];
        s->goals[s->outputs + i] = carry->goals
                                       ? carry->goals[0]
                                       : goal_of(a, carry->value, GOAL_BITS);
    }
    return true;
}

/* ---- Running sums and products in any bracketing ------------------------- */

/* The operation on the one input and the one carry that every result is, or
 * NULL. */
static const struct op *running(const struct scan *s)
{
    const struct computation *c = s->c;
    const struct instruction *root = c->instructions[c->root];
    if (s->inputs != 1 || s->carries != 1 || c->count != 4
        || root->op->role != OP_ROLE_TUPLE)
        return NULL;
    for (int i = 1; i < root->operand_count; i++)
        if (root->operands[i] != root->operands[0])
            return NULL;
    const struct instruction *in = c->instructions[root->operands[0]];
    int p = c->parameters[0], q = c->parameters[1];
    if (in->operand_count != 2
        || !((in->operands[0] == p && in->operands[1] == q)
             || (in->operands[0] == q && in->operands[1] == p))
        || !shape_equal(c->instructions[p]->shape, c->instructions[q]->shape))
        return NULL;
    return in->op;
}

/* Set a unit of all results at step: the last one is the carry too. */
static void run_sum(struct scan *s, int64_t lane, int64_t behind, int u)
{
    const struct literal *from = s->ev->operands[0], *init = s->ev->operands[1];
    enum dtype type = from->shape->dtype, unit = dtype_unit(type);
    enum dtype accumulator = total_accumulator(s->ev, unit);
    int units = dtype_units(type);
    uint64_t first = literal_get(init, lane * units + u);
    int64_t zero = real_is_zero(unit, first) ? 1 : 0;
    struct total *t = s->totals;
    total_start(&t[0], s->ev, unit, accumulator);
    total_add(&t[0], unit, first);
    for (int64_t step = 0; step < s->length; step++) {
        int64_t at = lane_at(s, lane, behind, place(s, step)) * units + u;
        bool last = step == s->length - 1;
        total_add(&t[0], unit, literal_get(from, at));
        for (int i = 0; i < s->outputs + last; i++) {
            t[1] = t[0]; /* finishing changes it */
            total_finish(&t[1], s->ev, s->goals[i],
                         i < s->outputs ? at : lane * units + u,
                         step + 1 - zero, accumulator);
        }
    }
    if (s->length == 0)
        goal_bits(s->goals[s->outputs], lane * units + u, first);
}

static void run_product(struct scan *s, struct product *p, int64_t lane,
                        int64_t behind)
{
    const struct literal *from = s->ev->operands[0], *init = s->ev->operands[1];
    enum dtype accumulator =
        total_accumulator(s->ev, dtype_unit(from->shape->dtype));
    product_start(p);
    product_multiply(p, init, lane);
    for (int64_t step = 0; step < s->length; step++) {
        int64_t at = lane_at(s, lane, behind, place(s, step));
        bool last = step == s->length - 1;
        product_multiply(p, from, at);
        for (int i = 0; i < s->outputs + last; i++)
            product_finish(p, s->goals[i], i < s->outputs ? at : lane,
                           accumulator);
    }
    int units = dtype_units(from->shape->dtype);
    for (int u = 0; s->length == 0 && u < units; u++)
        goal_bits(s->goals[s->outputs], lane * units + u,
                  literal_get(init, lane * units + u));
}

/* The same in every association, unless integers overflow. */
static void run_fold(struct scan *s, const struct monoid *monoid, int64_t lane,
                     int64_t behind)
{
    const struct literal *from = s->ev->operands[0];
    enum dtype type = from->shape->dtype;
    monoid_fold *f = monoid_find(monoid, type);
    struct overflow over = overflow_open(s->ev, type, monoid->kind);
    uint64_t acc = literal_get(s->ev->operands[1], lane);
    overflow_start(&over);
    overflow_term(&over, acc);
    literal_set(s->goals[s->outputs]->value, lane, acc);
    for (int64_t step = 0; step < s->length; step++) {
        int64_t at = lane_at(s, lane, behind, place(s, step));
        bool last = step == s->length - 1;
        uint64_t x = literal_get(from, at);
        overflow_term(&over, x);
        acc = f(type, acc, x);
        for (int i = 0; i < s->outputs + last; i++) {
            int64_t to = i < s->outputs ? at : lane;
            literal_set(s->goals[i]->value, to, acc);
            if (over.found)
                goal_free_unit(s->goals[i], to);
        }
    }
}

static void run_free(struct scan *s, const struct monoid *monoid,
                     enum monoid_kind kind)
{
    const struct shape *shape = s->ev->operands[0]->shape;
    bool mul = kind == MONOID_PRODUCT;
    struct product *p = mul ? product_open(s->ev, shape->dtype) : NULL;
    int64_t before, behind;
    extents(s, shape, &before, &behind);
    s->totals = arena_new(s->ev->arena, struct total, 2);
    for (int64_t lane = 0; lane < before * behind; lane++) {
        if (mul)
            run_product(s, p, lane, behind);
        if (kind == MONOID_EXACT)
            run_fold(s, monoid, lane, behind);
        for (int u = 0; kind == MONOID_SUM && u < dtype_units(shape->dtype);
             u++)
            run_sum(s, lane, behind, u);
    }
}

static void open_goals(struct scan *s, enum goal_rule rule, bool want_exact)
{
    const struct shape *result = s->ev->in->shape;
    struct arena *a = s->ev->arena;
    s->goals = arena_new(a, struct goal *, (size_t)result->rank);
    for (int i = 0; i < result->rank; i++)
        s->goals[i] = eval_goal(s->ev, result->elements[i], rule, want_exact);
}

/* Is it one operation that gives the same in every association? */
static bool is_monoid(const struct scan *s)
{
    const struct op *op = running(s);
    return op && op->monoid
           && monoid_find(op->monoid, s->ev->operands[0]->shape->dtype);
}

static bool scan_all(struct scan *s, struct status *st)
{
    bool free = attribute_bool(s->ev->in, ATTRIBUTE_IS_ASSOCIATIVE, false);
    bool exact = s->c->exact;
    const struct op *op = !exact && free ? running(s) : NULL;
    enum dtype type = s->ev->operands[0]->shape->dtype;
    bool mul = monoid_rounds(op, type, MONOID_PRODUCT);
    if (mul || monoid_rounds(op, type, MONOID_SUM)) {
        open_goals(s, GOAL_SUM, s->ev->want_exact);
        run_free(s, op->monoid, mul ? MONOID_PRODUCT : MONOID_SUM);
        return true;
    }
    op = free ? running(s) : NULL;
    if (op && op->monoid && dtype_is_integer(type)
        && overflow_open(s->ev, type, op->monoid->kind).open) {
        open_goals(s, GOAL_BITS, false);
        run_free(s, op->monoid, MONOID_EXACT);
        return true;
    }
    exact = exact || !s->ev->want_exact;
    if (exact) {
        open_goals(s, GOAL_BITS, false);
        TRY(run_exact(s, &exact, st));
    }
    if (free && s->ev->want_exact && !(exact && is_monoid(s)))
        return FAIL(
            st, UNSUPPORTED,
            "inadmissible: Scan may associate '%s' in any way, and only "
            "a single operation on the input and the carry is known to "
            "be associative",
            s->c->name);
    if (exact)
        return true;
    return run_inexact(s, st);
}

static void open_scan(struct scan *s, struct eval *ev)
{
    s->ev = ev;
    s->c = eval_computation(ev, ATTRIBUTE_COMPUTATION, 0);
    s->inputs = (int)attribute_int(ev->in, ATTRIBUTE_NUM_INPUTS, 1);
    s->carries = ev->count - s->inputs;
    s->outputs = ev->in->shape->rank - s->carries;
    s->dimension = attribute_int(ev->in, ATTRIBUTE_SCAN_DIMENSION, 0);
    s->length = ev->operands[0]->shape->dims[s->dimension];
    s->reverse = attribute_bool(ev->in, ATTRIBUTE_IS_REVERSE, false);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct scan s = {0};
    open_scan(&s, ev);
    TRY(scan_all(&s, st));
    return eval_return(ev, ev->in->shape, s.goals);
}

/* In order: the only one, unless the scan is associative. */
static bool eval_ranges(struct eval *ev, struct status *st)
{
    struct literal *const *low = ev->low, *const *high = ev->high;
    struct scan s = {.low = low, .high = high};
    open_scan(&s, ev);
    if (attribute_bool(ev->in, ATTRIBUTE_IS_ASSOCIATIVE, false))
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: Scan may associate '%s' in any way, and "
                    "operands are inexact",
                    s.c->name);
    TRY(run_inexact(&s, st));
    return eval_return(ev, ev->in->shape, s.goals);
}

/* Running sums, products and extremes in any association. */
static int monotone(const struct instruction *in, int operand)
{
    const struct attribute *c = attribute_find(in, ATTRIBUTE_COMPUTATION);
    int inputs = (int)attribute_int(in, ATTRIBUTE_NUM_INPUTS, 1);
    struct scan s = {.c = c ? c->computations[0] : NULL,
                     .inputs = inputs,
                     .carries = in->operand_count - inputs};
    const struct op *op =
        s.c && attribute_bool(in, ATTRIBUTE_IS_ASSOCIATIVE, false) ? running(&s)
                                                                   : NULL;
    enum dtype type = in->shape->elements[0]->dtype;
    if (monoid_rounds(op, type, MONOID_PRODUCT))
        return dtype_class(type) == DTYPE_FLOAT ? OP_WAY_PRODUCT : OP_NEITHER;
    return op && op->monoid && op->monotone[0] == OP_RISING
                   && op->monotone[1] == OP_RISING
               ? OP_RISING
               : OP_NEITHER;
}

const struct op op_Scan = {.name = "Scan",
                           .infer = infer,
                           .eval = eval,
                           .monotone_of = monotone,
                           .ranges = eval_ranges};
