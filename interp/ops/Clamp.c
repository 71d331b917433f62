/* Clamp.c - min(max(min, x), max) of each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/ieee.h"
#include "interp/ops/integer.h"
#include "interp/ops/monoid.h"
#include "interp/stablehlo/stablehlo_form.h"

/* The bounds are scalars or have the operand's shape; the operand is never
 * broadcast (004:332), although XlaBuilder does that. */
static bool infer(struct infer *in, struct status *st)
{
    const struct shape *x = in->operands[1];
    for (int i = 0; i < 3; i++) {
        const struct shape *s = in->operands[i];
        if (s->kind != SHAPE_ARRAY || s->dtype != x->dtype)
            return FAIL(
                st, TYPE,
                "Clamp: operand %d is %s; expected the type of operand 1, %s",
                i, shape_text(in->arena, s), shape_text(in->arena, x));
        if (!shape_is_scalar(s) && !shape_equal(s, x))
            return FAIL(
                st, SHAPE,
                "Clamp: %s is %s; expected a scalar, or the operand's shape %s",
                i == 0 ? "min" : "max", shape_text(in->arena, s),
                shape_text(in->arena, x));
    }
    in->result = x;
    return true;
}

static uint64_t clamp_integer(struct elementwise_job *j, const uint64_t *x)
{
    uint64_t two[2] = {integer_max(j, x), x[2]};
    return integer_min(j, two);
}

/* min > max gives max, by the formula.  Where a policy leaves the sign of zero
 * open or lets NaN be dropped, any operand concerned may be the result. */
static uint64_t clamp_float(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    uint64_t y = monoid_min.real(t, monoid_max.real(t, x[0], x[1]), x[2]);
    bool nan = elementwise_any_nan(t, x, 3) && monoid_drops_nan(j->ev);
    bool zero = real_is_zero(t, y) && monoid_swaps_zeros(j->ev);
    for (int i = 0; i < 3; i++)
        if (nan || (zero && real_is_zero(t, x[i])))
            goal_or(j->goal, j->index, x[i]);
    return y;
}

static uint64_t clamp_complex(struct elementwise_job *j, const uint64_t *x,
                              int part)
{
    uint64_t two[4] = {0, 0, x[4], x[5]}, other[2], y;
    bool also[2];
    for (int k = 0; k < 2; k++) {
        two[k] = ieee_complex_max(j, x, k);
        also[k] = j->also;
        other[k] = j->also_bits;
    }
    y = ieee_complex_min(j, two, part);
    if (!j->also && also[part] && y == two[part]) {
        j->also = true;
        j->also_bits = other[part];
    }
    return y;
}

static const struct elementwise row = {
    .arity = 3,
    .pred = clamp_integer,
    .integer = clamp_integer,
    .exact = clamp_float,
    .parts = clamp_complex,
    .ordered = true,
    .slope = slope_clamp,
    .open = true,
};

const struct op op_Clamp = {.name = "Clamp",
                            .infer = infer,
                            .eval = elementwise_eval,
                            .elementwise = &row,
                            .monotone = {1, 1, 1},
                            .stablehlo = STABLEHLO_FORM(.like = 2)};
