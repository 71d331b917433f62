/* dot.c - see dot.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Floats: the exact sum of exact products, rounded once, judged by as many
 * roundings as any order can make.  Integers wrap modulo 2^n in the result's
 * type; for truth values a product is And and a sum Or.
 */
#include "interp/ops/dot.h"

#include <inttypes.h>
#include <string.h>

#include "gen/policy/accumulate_type.h"
#include "gen/policy/precision_config_count.h"
#include "gen/policy/precision_default.h"
#include "gen/policy/preferred_element_type_kind.h"
#include "interp/exact/fast_dot.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/overflow.h"
#include "interp/ops/total.h"
#include "interp/program/attribute.h"

bool dot_infer_type(struct infer *in, enum dtype *type, struct status *st)
{
    enum dtype a = in->operands[0]->dtype, b = in->operands[1]->dtype;
    const struct attribute *config =
        attribute_find(in->in, ATTRIBUTE_PRECISION_CONFIG);
    const struct attribute *preferred =
        attribute_find(in->in, ATTRIBUTE_PREFERRED_ELEMENT_TYPE);
    if (config && config->count > 2)
        return FAIL(st, ATTRIBUTE,
                    "%s: precision_config has %d entries; expected 2",
                    in->op->name, config->count);
    if (a != b)
        return FAIL(st, TYPE, "%s: lhs is %s, rhs %s; expected the same type",
                    in->op->name, dtype_table[a].name, dtype_table[b].name);
    *type = preferred ? preferred->dtype : a;
    return true;
}

/* Are the types of different kinds? */
static bool other_kind(enum dtype from, enum dtype to)
{
    bool whole = dtype_class(from) <= DTYPE_UINT && dtype_is_integer(to);
    return dtype_class(from) != dtype_class(to) && !whole;
}

static bool check_config(const struct eval *ev, struct status *st)
{
    const struct attribute *config =
        attribute_find(ev->in, ATTRIBUTE_PRECISION_CONFIG);
    if (!config || config->count != 1)
        return true;
    if (profile_precision_config_count_is_accept(ev->machine->profile))
        return true;
    return FAIL(st, ATTRIBUTE, "%s: precision_config has 1 entry; expected 2",
                ev->in->op->name);
}

bool dot_open(struct eval *ev, bool *done, struct status *st)
{
    enum dtype from = ev->operands[0]->shape->dtype, to = ev->in->shape->dtype;
    TRY(check_config(ev, st));
    *done = other_kind(from, to);
    if (!*done)
        return true;
    if (profile_preferred_element_type_kind_is_reject(ev->machine->profile))
        return FAIL(
            st, TYPE, "%s: preferred_element_type %s for operands of type %s",
            ev->in->op->name, dtype_table[to].name, dtype_table[from].name);
    return eval_return_one(
        ev, goal_new(ev->arena, ev->in->shape, GOAL_FREE, false));
}

/* Pairs of one kind: as many on both sides, of equal sizes. */
static bool check_pairs(const struct infer *in, const struct dimnums *n,
                        struct status *st)
{
    if (n[0].count != n[1].count)
        return FAIL(st, ATTRIBUTE, "%s: %s has %d entries, %s %d", in->op->name,
                    n[0].name, n[0].count, n[1].name, n[1].count);
    for (int i = 0; i < n[0].count; i++) {
        int64_t l = in->operands[0]->dims[n[0].at[i]];
        int64_t r = in->operands[1]->dims[n[1].at[i]];
        if (l != r)
            return FAIL(st, SHAPE,
                        "%s: dimension %" PRId64 " of lhs has size %" PRId64
                        ", dimension %" PRId64 " of rhs %" PRId64,
                        in->op->name, n[0].at[i], l, n[1].at[i], r);
    }
    return true;
}

struct dot_numbers dot_get(const struct instruction *in)
{
    return (struct dot_numbers){
        .batch = {dimnums_get(in, ATTRIBUTE_LHS_BATCH_DIMENSIONS),
                  dimnums_get(in, ATTRIBUTE_RHS_BATCH_DIMENSIONS)},
        .contracting = {dimnums_get(in, ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS),
                        dimnums_get(in, ATTRIBUTE_RHS_CONTRACTING_DIMENSIONS)}};
}

bool dot_infer(struct infer *in, const struct dot_numbers *n, struct status *st)
{
    int64_t dims[2 * SHAPE_RANK_MAX];
    bool flags[2 * SHAPE_RANK_MAX];
    enum dtype type;
    int rank = n->batch[0].count;
    TRY(dot_infer_type(in, &type, st));
    for (int side = 0; side < 2; side++) {
        int own = in->operands[side]->rank;
        TRY(dimnums_check(in, &n->batch[side], own, false, st));
        TRY(dimnums_check(in, &n->contracting[side], own, false, st));
        for (int i = 0; i < n->batch[side].count; i++)
            if (dimnums_find(&n->contracting[side], n->batch[side].at[i]) >= 0)
                return FAIL(
                    st, ATTRIBUTE,
                    "%s: dimension %" PRId64
                    " of %s is both a batch and a contracting dimension",
                    in->op->name, n->batch[side].at[i], side ? "rhs" : "lhs");
    }
    TRY(check_pairs(in, n->batch, st));
    TRY(check_pairs(in, n->contracting, st));
    for (int i = 0; i < rank; i++) {
        dims[i] = in->operands[0]->dims[n->batch[0].at[i]];
        flags[i] = dynamic_is(in->operands[0], n->batch[0].at[i]);
    }
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < in->operands[side]->rank; d++)
            if (dimnums_find(&n->batch[side], d) < 0
                && dimnums_find(&n->contracting[side], d) < 0) {
                flags[rank] = dynamic_is(in->operands[side], d);
                dims[rank++] = in->operands[side]->dims[d];
            }
    TRY(infer_array(in, type, rank, dims, st));
    dynamic_mark(in, flags);
    return true;
}

/* ---- One element --------------------------------------------------------- */

enum {
    DOT_ACCUMULATORS = 3
};

struct dot_accumulator {
    enum dtype type;
    int64_t roundings; /* that each product can meet */
};

struct dot_sum {
    struct eval *ev;
    struct goal *goal;
    enum dtype type, unit; /* of the operands */
    enum dtype result;
    int64_t terms;
    uint64_t bits; /* integers */
    struct overflow overflow;
    /* By the first the value is found; the others are as right.  Of complex
     * numbers there is one, and totals for the real and imaginary part. */
    int accumulator_count;
    struct dot_accumulator accumulators[DOT_ACCUMULATORS];
    struct total totals[DOT_ACCUMULATORS];
    bool special; /* complex: an infinity or NaN took part */
    bool tf32;    /* f32 operands may be taken as TF32 */
    bool trims;   /* ... and these are such */
    bool lost;    /* ... by no relative bound */
};

struct goal *dot_sum_goal(struct eval *ev, const struct shape *result)
{
    bool exact = dtype_class(result->dtype) < DTYPE_FLOAT;
    return eval_goal(ev, result, exact ? GOAL_BITS : GOAL_SUM,
                     ev->want_exact && !exact);
}

/* Policy precision.default, unless an operand asks for HIGHEST. */
static bool takes_tf32(const struct eval *ev)
{
    const struct attribute *config =
        attribute_find(ev->in, ATTRIBUTE_PRECISION_CONFIG);
    bool highest =
        config && config->string && strstr(config->string, "HIGHEST");
    if (profile_precision_default_is_tf32(ev->machine->profile))
        return ev->want_exact && !highest;
    return false;
}

static void add_accumulator(struct dot_sum *s, enum dtype type)
{
    int64_t roundings =
        2 * dtype_table[s->unit].precision > dtype_table[type].precision;
    s->accumulators[s->accumulator_count++] =
        (struct dot_accumulator){type, roundings};
}

/* preferred_element_type recommends a type for the sum, and guarantees none: an
 * implementation may add up in another type and convert (XLA's operation
 * semantics, DotGeneral).  So where an element's own type is enough, the
 * operands' is; but no document names an accumulator of less than 16 bits for a
 * wider result.  Of f16 and bf16 neither is the narrower one.  Every order of
 * few terms is another one in f32, which is then as right, and so is in f16
 * than in bf16.  The largest errors come first. */
static void choose_accumulators(struct dot_sum *s)
{
    enum dtype result = dtype_unit(s->result), own = s->unit;
    int bits = dtype_table[own].bits, wide = dtype_table[result].bits;
    bool narrow = !profile_accumulate_type_is_f32(s->ev->machine->profile)
                  && dtype_class(own) == DTYPE_FLOAT
                  && (bits < wide || (bits == 16 && wide == 16));
    bool pair = narrow && bits == 16 && wide == 16 && own != result;
    bool several = narrow && s->ev->want_exact;
    s->accumulator_count = 0;
    if (!narrow || (bits < 16 && wide == 16))
        own = result;
    else if (bits < 16 || pair)
        own = DT_bf16;
    add_accumulator(s, total_accumulator(s->ev, own));
    if (several && own == DT_bf16 && (pair || s->unit != DT_bf16))
        add_accumulator(s, DT_f16);
    if (several && (pair || own != result) && dtype_table[own].bits == 16)
        add_accumulator(s, DT_f32);
}

struct dot_sum *dot_sum_open(struct eval *ev, struct goal *goal)
{
    struct dot_sum *s = arena_new(ev->arena, struct dot_sum, 1);
    s->ev = ev;
    s->goal = goal;
    s->type = ev->operands[0]->shape->dtype;
    s->unit = dtype_unit(s->type);
    s->result = goal->value->shape->dtype;
    s->overflow = overflow_open(ev, s->result, MONOID_SUM);
    choose_accumulators(s);
    /* XLA takes TF32 where operands and result have one type. */
    s->tf32 = takes_tf32(ev);
    s->trims = s->tf32 && s->unit == DT_f32 && s->type == s->result;
    return s;
}

void dot_sum_start(struct dot_sum *s)
{
    s->bits = 0;
    s->terms = 0;
    overflow_start(&s->overflow);
    s->special = s->lost = false;
    if (dtype_class(s->type) < DTYPE_FLOAT)
        return;
    for (int k = 0; k < s->accumulator_count; k++)
        total_start(&s->totals[k], s->ev, s->unit, s->accumulators[k].type);
    if (dtype_class(s->type) == DTYPE_COMPLEX)
        total_start(&s->totals[1], s->ev, s->unit, s->accumulators[0].type);
}

/* An integer or truth value of the operands, in 64 bits. */
static uint64_t extend(const struct dot_sum *s, uint64_t bits)
{
    return (uint64_t)dtype_sign_extend(s->type, bits);
}

static void add_complex(struct dot_sum *s, const struct literal *lhs, int64_t i,
                        const struct literal *rhs, int64_t j)
{
    uint64_t a = literal_get(lhs, 2 * i), b = literal_get(lhs, 2 * i + 1);
    uint64_t c = literal_get(rhs, 2 * j), d = literal_get(rhs, 2 * j + 1);
    total_add_product(&s->totals[0], s->unit, a, c, false);
    total_add_product(&s->totals[0], s->unit, b, d, true);
    total_add_product(&s->totals[1], s->unit, a, d, false);
    total_add_product(&s->totals[1], s->unit, b, c, false);
    s->special = s->special || !real_is_finite(s->unit, a)
                 || !real_is_finite(s->unit, b) || !real_is_finite(s->unit, c)
                 || !real_is_finite(s->unit, d);
}

enum {
    TF32_LOST = (1 << 13) - 1,  /* bits of f32's fraction that TF32 lacks */
    TF32_OVERFLOW = 0x7f7ff000, /* from here on f32 rounds to infinity */
    F32_INFINITY = 0x7f800000,
    TF32_DIGITS = 11,
};

/* Note an element that is not a number of TF32.  A relative bound holds for
 * normal numbers only: a subnormal one may be truncated to 0, and one that
 * rounds to infinity may give infinity or NaN. */
static void trim(struct dot_sum *s, const struct literal *from, int64_t i)
{
    int units = dtype_units(s->type);
    for (int u = 0; u < units; u++) {
        uint64_t bits = literal_get(from, i * units + u);
        if (!(bits & TF32_LOST))
            continue;
        uint64_t magnitude = bits & INT32_MAX;
        s->totals[0].trimmed = s->totals[1].trimmed = true;
        s->lost = s->lost || real_is_subnormal(DT_f32, bits)
                  || (magnitude >= TF32_OVERFLOW && magnitude < F32_INFINITY);
    }
}

void dot_sum_add(struct dot_sum *s, const struct literal *lhs, int64_t i,
                 const struct literal *rhs, int64_t j)
{
    const struct eval_terms *walk = s->ev->terms;
    if (walk) {
        walk->term(walk->context, i, j);
        return;
    }
    s->terms++;
    if (s->trims) {
        trim(s, lhs, i);
        trim(s, rhs, j);
    }
    switch (dtype_class(s->type)) {
    case DTYPE_COMPLEX:
        add_complex(s, lhs, i, rhs, j);
        break;
    case DTYPE_FLOAT:
        for (int k = 0; k < s->accumulator_count; k++)
            total_add_product(&s->totals[k], s->unit, literal_get(lhs, i),
                              literal_get(rhs, j), false);
        break;
    case DTYPE_PRED:
    case DTYPE_SINT:
    case DTYPE_UINT: {
        uint64_t x = extend(s, literal_get(lhs, i));
        uint64_t y = extend(s, literal_get(rhs, j));
        if (dtype_class(s->result) == DTYPE_PRED)
            s->bits |= x & y;
        else
            s->bits += x * y;
        overflow_product(&s->overflow, s->type, literal_get(lhs, i),
                         literal_get(rhs, j));
        break;
    }
    }
}

/* The same of an element times its scale: that is the operand of the product
 * (of 48 bits at most) which may be taken as TF32. */
static void trim_scaled(struct dot_sum *s, const struct total_factor *factors)
{
    struct real x = real_from_bits(factors[0].unit, factors[0].bits);
    struct real y = real_from_bits(factors[1].unit, factors[1].bits);
    if (x.kind != REAL_FINITE || y.kind != REAL_FINITE)
        return;
    uint64_t product =
        (uint64_t)(x.significand >> 96) * (uint64_t)(y.significand >> 96);
    int64_t e = x.exponent + y.exponent + (int64_t)(product >> 63);
    product <<= product >> 63 ? 0 : 1;
    if (product << TF32_DIGITS == 0)
        return;
    const struct dtype_info *f32 = &dtype_table[DT_f32];
    bool rounds_up = ~product >> (63 - TF32_DIGITS) == 0;
    for (int k = 0; k < s->accumulator_count; k++)
        s->totals[k].trimmed = true;
    s->lost = s->lost || e < f32->emin || e + rounds_up > f32->emax;
}

void dot_sum_add_factors(struct dot_sum *s, const struct total_factor *factors,
                         int count)
{
    int bits = 0;
    bool wide = false;
    for (int i = 0; i < count; i++) {
        bits += dtype_table[factors[i].unit].precision;
        wide = wide || factors[i].unit == DT_f32;
    }
    for (int i = 0; s->tf32 && wide && s->result == DT_f32 && i < count; i += 2)
        trim_scaled(s, &factors[i]);
    s->terms++;
    for (int k = 0; k < s->accumulator_count; k++) {
        struct dot_accumulator *to = &s->accumulators[k];
        to->roundings = bits > dtype_table[to->type].precision ? count - 1 : 0;
        total_add_factors(&s->totals[k], factors, count);
    }
}

/* Roundings that a term can meet: its product's, where two significands do
 * not fit the accumulator, and the additions except the first, to zero. */
static int64_t roundings(const struct dot_sum *s, int accumulator)
{
    int64_t terms = s->terms * dtype_units(s->type);
    return terms > 0 ? terms - 1 + s->accumulators[accumulator].roundings : 0;
}

void dot_sum_finish(struct dot_sum *s, int64_t element)
{
    const struct eval_terms *walk = s->ev->terms;
    int units = dtype_units(s->result);
    if (walk) {
        walk->end(walk->context, element);
        return;
    }
    if (dtype_class(s->type) < DTYPE_FLOAT) {
        literal_set(s->goal->value, element, s->bits & dtype_mask(s->result));
        if (s->overflow.found)
            goal_free_unit(s->goal, element);
        return;
    }
    for (int u = 0; u < units; u++) {
        total_finish(&s->totals[u], s->ev, s->goal, element * units + u,
                     roundings(s, 0), s->accumulators[0].type);
        for (int k = 1; k < s->accumulator_count && s->ev->want_exact; k++)
            total_finish_also(&s->totals[k], s->goal, element, roundings(s, k),
                              s->accumulators[k].type);
        /* Which infinities and NaN a complex product gives is open; and what
         * a term is of which some factors overflow. */
        bool open =
            (s->special && units == 2) || s->lost || s->totals[u].unbounded;
        if (open && s->ev->want_exact)
            goal_free_unit(s->goal, element * units + u);
        if (s->totals[u].unbounded)
            s->goal->note = "order_dependent_overflow";
    }
}

/* ---- Contractions -------------------------------------------------------- */

bool dot_next(struct dot_steps *s, int64_t *at)
{
    for (int d = s->rank - 1; d >= 0; d--) {
        bool more = ++s->index[d] < s->dims[d];
        int64_t by = more ? 1 : 1 - s->dims[d];
        for (int side = 0; side < DOT_SIDES; side++)
            at[side] += s->strides[side][d] * by;
        if (more)
            return true;
        s->index[d] = 0;
    }
    return false;
}

void dot_step(struct dot_steps *s, int64_t size, int64_t left, int64_t right,
              int64_t other)
{
    s->dims[s->rank] = size;
    s->strides[0][s->rank] = left;
    s->strides[1][s->rank] = right;
    s->strides[2][s->rank++] = other;
}

/* Steps over the result's elements, and over the terms of each. */
static void plan(const struct eval *ev, const struct dot_numbers *n,
                 struct dot_steps *outer, struct dot_steps *inner)
{
    int64_t own[2][SHAPE_RANK_MAX];
    const struct shape *s[2] = {ev->operands[0]->shape, ev->operands[1]->shape};
    for (int side = 0; side < 2; side++)
        shape_strides(s[side]->rank, s[side]->dims, own[side]);
    for (int i = 0; i < n->batch[0].count; i++)
        dot_step(outer, s[0]->dims[n->batch[0].at[i]],
                 own[0][n->batch[0].at[i]], own[1][n->batch[1].at[i]], 0);
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < s[side]->rank; d++)
            if (dimnums_find(&n->batch[side], d) < 0
                && dimnums_find(&n->contracting[side], d) < 0)
                dot_step(outer, s[side]->dims[d], side ? 0 : own[side][d],
                         side ? own[side][d] : 0, 0);
    for (int i = 0; i < n->contracting[0].count; i++)
        dot_step(inner, s[0]->dims[n->contracting[0].at[i]],
                 own[0][n->contracting[0].at[i]],
                 own[1][n->contracting[1].at[i]], 0);
}

static int64_t terms_of(const struct dot_steps *inner)
{
    int64_t terms = 1;
    for (int i = 0; i < inner->rank; i++)
        terms *= inner->dims[i];
    return terms;
}

/* One element by the certified path: only its rounding is
 * known, so not where a judge asks for more. */
static bool add_fast(const struct eval *ev, const struct dot_steps *inner,
                     const int64_t *from, struct goal *g, int64_t i)
{
    const struct literal *lhs = ev->operands[0], *rhs = ev->operands[1];
    int bytes = dtype_bytes(lhs->shape->dtype);
    uint64_t bits;
    if (ev->want_exact || ev->terms || ev->machine->environment
        || inner->rank != 1)
        return false;
    struct fast_dot_side l = {lhs->data + bytes * from[0],
                              inner->strides[0][0]};
    struct fast_dot_side r = {rhs->data + bytes * from[1],
                              inner->strides[1][0]};
    if (!fast_dot(lhs->shape->dtype, l, r, inner->dims[0],
                  g->value->shape->dtype, &bits))
        return false;
    literal_set(g->value, i, bits);
    return true;
}

bool dot_eval_terms(struct eval *ev, const struct dot_numbers *n,
                    dot_term *term, void *context, struct status *st)
{
    const struct literal *lhs = ev->operands[0], *rhs = ev->operands[1];
    bool done;
    TRY(dot_open(ev, &done, st));
    if (done)
        return true;
    struct goal *g = dot_sum_goal(ev, ev->in->shape);
    struct dot_sum *sum = dot_sum_open(ev, g);
    struct dot_steps outer = {0}, inner = {0};
    int64_t elements = shape_elements(ev->in->shape), at[DOT_SIDES] = {0};
    /* Without elements on one side every sum is empty. */
    bool empty =
        shape_elements(lhs->shape) == 0 || shape_elements(rhs->shape) == 0;
    if (!empty)
        plan(ev, n, &outer, &inner);
    TRY(eval_charge(ev, elements, terms_of(&inner), st));
    for (int64_t i = 0; i < elements; i++) {
        int64_t from[DOT_SIDES] = {at[0], at[1]};
        if (!empty)
            dot_next(&outer, at);
        if (!empty && !term && add_fast(ev, &inner, from, g, i))
            continue;
        dot_sum_start(sum);
        if (!empty)
            do
                if (term)
                    term(context, sum, from[0], from[1]);
                else
                    dot_sum_add(sum, lhs, from[0], rhs, from[1]);
            while (dot_next(&inner, from));
        dot_sum_finish(sum, i);
    }
    return eval_return_one(ev, g);
}

/* Factors without a partner are not used. */
static bool eval_dynamic(struct eval *ev, const struct dot_numbers *n,
                         struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    for (int i = 0; i < n->batch[0].count; i++)
        TRY(dynamic_follow(&p, 0, n->batch[0].at[i], 1, n->batch[1].at[i], st));
    for (int i = 0; i < n->contracting[0].count; i++)
        TRY(dynamic_pair(&p, 0, n->contracting[0].at[i], 1,
                         n->contracting[1].at[i], st));
    return dynamic_eval(&p, st);
}

bool dot_eval(struct eval *ev, const struct dot_numbers *n, struct status *st)
{
    if (dynamic_any(ev))
        return eval_dynamic(ev, n, st);
    return dot_eval_terms(ev, n, NULL, NULL, st);
}
