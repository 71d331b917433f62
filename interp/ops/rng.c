/* rng.c - see rng.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/rng.h"

#include "interp/base/random.h"
#include "interp/ops/dimnums.h"
#include "interp/program/attribute.h"

bool rng_infer(struct infer *in, struct status *st)
{
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    TRY(dimnums_static(in, st));
    if (s->kind != SHAPE_ARRAY || s->dynamic)
        return FAIL(st, SHAPE, "%s: %s is not an array", in->op->name,
                    shape_text(in->arena, s));
    for (int i = 0; i < 2; i++) {
        const struct shape *o = in->operands[i];
        if (o->dtype != s->dtype)
            return FAIL(st, TYPE, "%s: operand %d is %s, the shape %s",
                        in->op->name, i, dtype_table[o->dtype].name,
                        dtype_table[s->dtype].name);
        if (!shape_is_scalar(o))
            return FAIL(st, SHAPE, "%s: operand %d is %s, not a scalar",
                        in->op->name, i, shape_text(in->arena, o));
    }
    return infer_array(in, s->dtype, s->rank, s->dims, st);
}

/* An MPFR number that lives as long as the arena. */
static mpfr_ptr number(struct arena *a, mpfr_prec_t precision)
{
    struct {
        mpfr_t x;
    } *n = arena_alloc(a, sizeof *n);
    void *limbs = arena_alloc(a, mpfr_custom_get_size(precision));
    mpfr_custom_init(limbs, precision);
    mpfr_custom_init_set(n->x, MPFR_ZERO_KIND, 0, precision, limbs);
    return n->x;
}

struct distribution *rng_open(struct eval *ev)
{
    struct distribution *r = arena_new(ev->arena, struct distribution, 1);
    r->type = ev->in->shape->dtype;
    r->is_float = dtype_class(r->type) == DTYPE_FLOAT;
    r->width = number(ev->arena, DISTRIBUTION_PRECISION);
    for (int i = 0; i < 2; i++) {
        r->bits[i] = literal_get(ev->operands[i], 0);
        r->value[i] = number(ev->arena, 64);
        if (!r->is_float)
            continue;
        if (real_is_finite(r->type, r->bits[i]))
            real_bits_to_mpfr(r->value[i], r->type, r->bits[i]);
        else
            r->special = true;
    }
    mpfr_sub(r->width, r->value[1], r->value[0], MPFR_RNDN);
    return r;
}

void rng_pair(int64_t i, int k, uint64_t pair[2])
{
    static const uint32_t key[2] = {UINT32_C(0x41737361), UINT32_C(0x79)};
    const uint32_t counter[4] = {(uint32_t)i, (uint32_t)((uint64_t)i >> 32),
                                 (uint32_t)k, 0};
    uint32_t out[4];
    random123_philox(counter, key, out);
    pair[0] = (uint64_t)out[1] << 32 | out[0];
    pair[1] = (uint64_t)out[3] << 32 | out[2];
}

uint64_t rng_word(int64_t i, int k)
{
    uint64_t pair[2];
    rng_pair(i, k, pair);
    return pair[0];
}
