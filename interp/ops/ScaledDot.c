/* ScaledDot - DotGeneral of operands that carry block scales.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each size of an operand is a multiple of its scale's: an element of the scale
 * holds for a block.  A term is the exact product of both elements and both
 * scales.
 */
#include <inttypes.h>

#include "interp/ops/dot.h"

enum {
    LHS,
    LHS_SCALE,
    RHS,
    RHS_SCALE,
    SIGNIFICANDS_MAX = 128 /* bits of the four together */
};

static bool check_scale(const struct infer *in, int which, struct status *st)
{
    const struct shape *s = in->operands[which];
    const struct shape *scale = in->operands[which + 1];
    const char *name = which == LHS ? "lhs" : "rhs";
    if (s->rank != scale->rank)
        return FAIL(st, SHAPE,
                    "ScaledDot: %s is %s, its scale %s; expected equal ranks",
                    name, shape_text(in->arena, s),
                    shape_text(in->arena, scale));
    for (int i = 0; i < s->rank; i++)
        if (scale->dims[i] == 0 ? s->dims[i] != 0
                                : s->dims[i] % scale->dims[i] != 0)
            return FAIL(st, SHAPE,
                        "ScaledDot: size %" PRId64 " of dimension %d of %s is "
                        "not a multiple of its scale's, %" PRId64,
                        s->dims[i], i, name, scale->dims[i]);
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *two[] = {in->operands[LHS], in->operands[RHS]};
    struct infer dot = *in;
    struct dot_numbers n = dot_get(in->in);
    int bits = 0;
    TRY(dimnums_static(in, st));
    dot.count = 2;
    dot.operands = two;
    TRY(dot_infer(&dot, &n, st));
    TRY(check_scale(in, LHS, st));
    TRY(check_scale(in, RHS, st));
    for (int i = 0; i < in->count; i++) {
        const struct dtype_info *d = &dtype_table[in->operands[i]->dtype];
        bits += d->precision;
        if (d->bits > 32)
            return FAIL(st, UNSUPPORTED, "ScaledDot: operand %d is %s", i,
                        d->name);
    }
    if (bits > SIGNIFICANDS_MAX)
        return FAIL(st, UNSUPPORTED,
                    "ScaledDot: products of %d bits are not supported", bits);
    in->result = dot.result;
    return true;
}

/* For each element of an operand, the element of its scale. */
static int64_t *scale_places(struct arena *a, const struct shape *s,
                             const struct shape *scale)
{
    int64_t n = shape_elements(s), index[SHAPE_RANK_MAX] = {0};
    int64_t *places = arena_new(a, int64_t, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++) {
        for (int d = 0; d < s->rank; d++)
            places[i] = places[i] * scale->dims[d]
                        + index[d] / (s->dims[d] / scale->dims[d]);
        shape_next_index(s->rank, s->dims, index);
    }
    return places;
}

struct scaled {
    const struct literal *const *operands;
    const int64_t *places[2];
};

static void add_term(void *context, struct dot_sum *sum, int64_t i, int64_t j)
{
    const struct scaled *s = context;
    const int64_t at[] = {i, s->places[0][i], j, s->places[1][j]};
    struct total_factor factors[4];
    for (int k = 0; k < 4; k++) {
        factors[k].unit = s->operands[k]->shape->dtype;
        factors[k].bits = literal_get(s->operands[k], at[k]);
    }
    dot_sum_add_factors(sum, factors, 4);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *two[] = {ev->operands[LHS], ev->operands[RHS]};
    struct eval dot = *ev;
    struct scaled s = {.operands = ev->operands};
    struct dot_numbers n = dot_get(ev->in);
    dot.count = 2;
    dot.operands = two;
    for (int i = 0; i < 2; i++)
        s.places[i] = scale_places(ev->arena, ev->operands[2 * i]->shape,
                                   ev->operands[2 * i + 1]->shape);
    TRY(dot_eval_terms(&dot, &n, add_term, &s, st));
    ev->out = dot.out;
    return true;
}

const struct op op_ScaledDot = {
    .name = "ScaledDot", .infer = infer, .eval = eval};
