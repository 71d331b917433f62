/* ConvertElementType.c - each element as a value of another type.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Integers are truncated to the new width, floats towards zero to integers,
 * and everything is rounded once to a float.  A number that is not 0 is true.
 * A complex element loses its imaginary part when the new type is real.
 */
#include "gen/policy/convert_float_to_int_out_of_range.h"
#include "gen/policy/convert_nan_to_finite.h"
#include "interp/ops/elementwise.h"
#include "interp/program/attribute.h"
#include "interp/program/uses.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct attribute *a =
        attribute_find(in->in, ATTRIBUTE_NEW_ELEMENT_TYPE);
    if (in->operands[0]->kind != SHAPE_ARRAY)
        return FAIL(st, TYPE,
                    "ConvertElementType: the operand is %s, not an array",
                    shape_text(in->arena, in->operands[0]));
    return elementwise_infer_as(in, a->dtype, st);
}

struct conversion {
    const struct literal *from;
    struct goal *goal;
    enum dtype source, target; /* units */
    bool saturate, free_integer, free_nan;
};

static void to_float(struct conversion *c, int64_t i, uint64_t bits)
{
    struct real r = real_from_bits(c->source, bits);
    if (r.kind == REAL_NAN) {
        goal_bits(c->goal, i, real_nan(c->target, r.negative));
        /* To its own type it may be a copy, which does not quiet NaNs (IEEE
         * 754-2019 5.5.1). */
        if (c->source == c->target && real_is_signalling(c->source, bits))
            goal_or(c->goal, i, bits);
        if (c->free_nan && !real_has_nan(c->target))
            goal_free_unit(c->goal, i);
        return;
    }
    goal_real(c->goal, i, &r);
    if (!c->saturate)
        return;
    uint64_t max = real_round(&r, c->target, REAL_OVERFLOW_SATURATE);
    if (literal_get(c->goal->value, i) != max)
        goal_bits(c->goal, i, max);
}

static void to_integer(struct conversion *c, int64_t i, uint64_t bits)
{
    if (dtype_class(c->source) != DTYPE_FLOAT) {
        uint64_t wide = (uint64_t)dtype_sign_extend(c->source, bits);
        goal_bits(c->goal, i, wide & dtype_mask(c->target));
        return;
    }
    struct real r = real_from_bits(c->source, bits);
    uint64_t value;
    bool fits = real_to_int(&r, c->target, &value);
    goal_bits(c->goal, i, value);
    if (!fits && c->free_integer)
        goal_free_unit(c->goal, i);
}

static void convert_unit(struct conversion *c, int64_t i, uint64_t bits)
{
    bool is_float = dtype_class(c->source) == DTYPE_FLOAT;
    if (dtype_class(c->target) == DTYPE_FLOAT)
        to_float(c, i, bits);
    else if (dtype_class(c->target) == DTYPE_PRED)
        goal_bits(c->goal, i,
                  is_float ? !real_is_zero(c->source, bits) : bits != 0);
    else
        to_integer(c, i, bits);
}

static void give_budgets(const struct eval *ev, const struct conversion *c)
{
    int units = dtype_units(c->from->shape->dtype);
    int64_t count = shape_elements(c->from->shape);
    for (int64_t i = 0; i < count; i++) {
        uint64_t x[2];
        for (int u = 0; u < units; u++)
            x[u] = literal_get(c->from, units * i + u);
        elementwise_budget_at(
            ev, c->goal, i, &(struct profile_element){c->source, units, 1, x});
    }
}

static bool eval(struct eval *ev, struct status *st)
{
    enum dtype from = ev->operands[0]->shape->dtype;
    enum dtype to = ev->in->shape->dtype;
    bool is_float = dtype_class(dtype_unit(to)) == DTYPE_FLOAT;
    struct conversion c = {
        /* To its own type it may be a copy. */
        .from = from == to ? ev->operands[0] : uses_taken(ev, 0),
        .source = dtype_unit(from),
        .target = dtype_unit(to),
        .goal = goal_new(ev->arena, ev->in->shape,
                         is_float ? GOAL_REAL : GOAL_BITS, ev->want_exact),
        /* Infinity is no overflow of a type that has it. */
        .saturate = profile_rules(ev->machine->profile, dtype_unit(to)).overflow
                    == REAL_OVERFLOW_SATURATE,
        .free_integer = profile_convert_float_to_int_out_of_range_is_any(
            ev->machine->profile),
        .free_nan = profile_convert_nan_to_finite_is_any(ev->machine->profile),
    };
    ev->spreads = from != to && uses_spread(ev->machine);
    if (is_float)
        c.goal->real.accuracy = "arithmetic";
    TRY(elementwise_sizes(ev, c.goal->value, st));

    int source_units = dtype_units(from), units = dtype_units(to);
    int64_t count = shape_elements(ev->in->shape);
    for (int64_t i = 0; i < count; i++)
        for (int u = 0; u < units; u++) {
            if (u < source_units)
                convert_unit(&c, units * i + u,
                             literal_get(c.from, source_units * i + u));
            else
                goal_bits(c.goal, units * i + u, real_zero(c.target, false));
        }
    if (elementwise_has_domains(ev, c.goal))
        give_budgets(ev, &c);
    return eval_return_one(ev, c.goal);
}

/* Any number but zero is true: the ends do not determine the values between
 * them. */
static int monotone(const struct instruction *in, int operand)
{
    return in->shape->dtype == DT_pred ? OP_NEITHER : OP_RISING;
}

const struct op op_ConvertElementType = {
    .name = "ConvertElementType",
    .spreads = true,
    .infer = infer,
    .eval = eval,
    .monotone_of = monotone,
    .slope = slope_identity,
};
