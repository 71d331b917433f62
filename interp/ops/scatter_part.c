/* scatter_part.c - see scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/scatter.h"

/* The instruction is x - y, and negatives are of its type: the number of each
 * pattern but 0 changes its sign, and x - 0 is x + -0 or has no -0. */
static bool is_difference(const struct scatter *s, const struct instruction *in,
                          int which)
{
    enum dtype type = scatter_operand(s, which)->shape->dtype;
    enum dtype unit = dtype_unit(type);
    return in->op->monoid_of_negative && !s->update_first
           && in->operands[0] == s->c->parameters[which]
           && (dtype_class(unit) == DTYPE_FLOAT ? real_formats[unit].sign != 0
                                                : dtype_is_integer(unit));
}

static uint64_t negative_of(enum dtype unit, uint64_t bits)
{
    if (dtype_class(unit) != DTYPE_FLOAT)
        return (0 - bits) & dtype_mask(unit);
    bool keep = real_is_nan(unit, bits)
                || (real_is_zero(unit, bits) && !real_has_negative_zero(unit));
    return keep ? bits : bits ^ real_formats[unit].sign;
}

static struct literal *negatives(struct arena *a, const struct literal *of)
{
    struct literal *to = literal_copy(a, of);
    enum dtype unit = dtype_unit(of->shape->dtype);
    for (int64_t i = 0, n = literal_units(of); i < n; i++)
        literal_set(to, i, negative_of(unit, literal_get(of, i)));
    return to;
}

/* The same Scatter with operand which and its updates only. */
static void take_alone(struct scatter_part *p, int which)
{
    const struct scatter *s = &p->s;
    struct arena *a = s->ev->arena;
    struct eval *ev = arena_new(a, struct eval, 1);
    const struct literal **operands = arena_new(a, const struct literal *, 3);
    operands[0] = scatter_operand(s, which);
    operands[1] = s->ev->operands[s->n];
    operands[2] = scatter_updates(s, which);
    if (p->negative)
        operands[2] = negatives(a, operands[2]);
    *ev = *s->ev;
    ev->count = 3;
    ev->operands = operands;
    p->s.ev = ev;
    p->s.n = 1;
}

struct scatter_part *scatter_part_split(const struct scatter *s)
{
    size_t n = (size_t)s->n;
    struct scatter_part *parts =
        arena_new(s->ev->arena, struct scatter_part, n);
    for (int k = 0; k < s->n; k++) {
        struct scatter_part *p = &parts[k];
        enum dtype type = scatter_operand(s, k)->shape->dtype;
        const struct instruction *in = program_pair(s->c, s->n, k);
        *p = (struct scatter_part){.s = *s};
        if (!in)
            return NULL;
        p->negative = is_difference(s, in, k);
        p->monoid = p->negative ? in->op->monoid_of_negative : in->op->monoid;
        if (!p->monoid)
            return NULL;
        bool folds = monoid_find(p->monoid, type) != NULL;
        p->sum = !folds && p->monoid->kind == MONOID_SUM;
        p->product =
            !folds && p->monoid->kind == MONOID_PRODUCT && !s->optional;
        if (!folds && !p->sum && !p->product)
            return NULL;
    }
    for (int k = 0; k < s->n; k++)
        take_alone(&parts[k], k);
    return parts;
}
