/* Iota - numbers that count along a dimension.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "gen/policy/iota_overflow.h"
#include "interp/ops/overflow.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    int64_t d = attribute_int(in->in, ATTRIBUTE_IOTA_DIMENSION, 0);
    if (s->kind != SHAPE_ARRAY || s->rank == 0)
        return FAIL(st, SHAPE, "Iota: %s; expected an array of rank 1 or more",
                    shape_text(in->arena, s));
    if (dtype_class(s->dtype) == DTYPE_PRED)
        return FAIL(st, TYPE, "Iota: the element type cannot be pred");
    if (d < 0 || d >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "Iota: iota_dimension is %" PRId64
                    " for a shape of rank %d",
                    d, s->rank);
    if (s->dynamic)
        return FAIL(st, SHAPE, "Iota: %s has a dynamic dimension",
                    shape_text(in->arena, s));
    return infer_array(in, s->dtype, s->rank, s->dims, st);
}

/* n as a unit of that type; *fits is false if no such number is there. */
static uint64_t convert(const struct eval *ev, enum dtype unit, int64_t n,
                        bool *fits)
{
    const struct dtype_info *d = &dtype_table[unit];
    struct real r = real_from_int(n);
    if (d->class != DTYPE_FLOAT) {
        int bits = d->bits - (d->class == DTYPE_SINT);
        *fits = bits >= 63 || n >> bits == 0;
        return (uint64_t)n & dtype_mask(unit);
    }
    uint64_t bits = real_round(&r, unit, eval_overflow(ev, unit));
    struct real most = real_from_bits(unit, real_max(unit, false));
    bool decided;
    *fits = real_compare(&r, &most, &decided) <= 0 && !real_is_nan(unit, bits);
    return bits;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape;
    int64_t d = attribute_int(ev->in, ATTRIBUTE_IOTA_DIMENSION, 0);
    int units = dtype_units(s->dtype);
    enum dtype unit = dtype_unit(s->dtype);
    bool any = profile_iota_overflow_is_any(ev->machine->profile)
               || (dtype_is_integer(unit) && overflow_is_any(ev));
    struct goal *g = goal_new(ev->arena, s, GOAL_BITS, ev->want_exact);
    int64_t n = shape_elements(s), inner = 1;
    if (n == 0)
        return eval_return_one(ev, g);
    for (int i = (int)d + 1; i < s->rank; i++)
        inner *= s->dims[i];
    for (int64_t i = 0; i < n; i++) {
        bool fits;
        uint64_t bits = convert(ev, unit, i / inner % s->dims[d], &fits);
        literal_set(g->value, i * units, bits);
        if (!fits && any)
            goal_free_unit(g, i * units);
    }
    return eval_return_one(ev, g);
}

const struct op op_Iota = {
    .name = "Iota", .spreads = true, .infer = infer, .eval = eval};
