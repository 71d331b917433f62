/* rng.c - see rng.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/rng.h"

#include "interp/ops/dimnums.h"
#include "interp/ops/random123.h"
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

struct rng *rng_open(struct eval *ev)
{
    struct rng *r = arena_new(ev->arena, struct rng, 1);
    r->type = ev->in->shape->dtype;
    r->is_float = dtype_class(r->type) == DTYPE_FLOAT;
    r->width = number(ev->arena, RNG_PRECISION);
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

bool rng_below(const struct rng *r, uint64_t a, uint64_t b)
{
    /* Zeros of both signs are one number. */
    if (r->is_float && real_is_zero(r->type, a) && real_is_zero(r->type, b))
        return false;
    return real_key(r->type, a) < real_key(r->type, b);
}

int rng_bin(const struct rng *r, uint64_t x, int bins)
{
    if (!r->is_float) {
        uint64_t mask = dtype_mask(r->type);
        real_u128 at = (x - r->bits[0]) & mask;
        uint64_t range = (r->bits[1] - r->bits[0]) & mask;
        return (int)(at * (unsigned)bins / range);
    }
    /* 64 bits hold the bounds of the parts wherever the interval is no wider
     * than that, and rounding down leaves them in the upper one. */
    MPFR_DECL_INIT(at, 64);
    MPFR_DECL_INIT(value, 64);
    real_bits_to_mpfr(value, r->type, x);
    mpfr_sub(at, value, r->value[0], MPFR_RNDD);
    mpfr_mul_ui(at, at, (unsigned)bins, MPFR_RNDD);
    mpfr_div(at, at, r->width, MPFR_RNDD);
    long part = mpfr_get_si(at, MPFR_RNDD);
    return part < 0 ? 0 : part >= bins ? bins - 1 : (int)part;
}

int64_t rng_place(const struct rng *r, uint64_t x, int bits)
{
    int64_t one = INT64_C(1) << bits;
    if (!r->is_float) {
        uint64_t mask = dtype_mask(r->type);
        real_u128 at = (x - r->bits[0]) & mask;
        uint64_t range = (r->bits[1] - r->bits[0]) & mask;
        return (int64_t)((at << (bits + 1)) / range) - one;
    }
    MPFR_DECL_INIT(at, 64);
    MPFR_DECL_INIT(value, 64);
    real_bits_to_mpfr(value, r->type, x);
    mpfr_sub(at, value, r->value[0], MPFR_RNDD);
    mpfr_div(at, at, r->width, MPFR_RNDD);
    mpfr_mul_2ui(at, at, (unsigned)bits + 1, MPFR_RNDD);
    return mpfr_get_si(at, MPFR_RNDD) - one;
}

int64_t rng_share(int64_t range, int bins, int which)
{
    /* x * bins / range == which */
    int64_t first = (which * range + bins - 1) / bins;
    int64_t next = ((which + 1) * range + bins - 1) / bins;
    return next - first;
}

int64_t rng_numbers(const struct rng *r)
{
    /* The width over the distance of the numbers at the larger end. */
    const struct dtype_info *d = &dtype_table[r->type];
    int64_t most = INT64_C(1) << 40, top = d->emin;
    mpfr_t width;
    mpfr_init2(width, RNG_PRECISION);
    for (int i = 0; i < 2; i++)
        if (!mpfr_zero_p(r->value[i]) && mpfr_get_exp(r->value[i]) - 1 > top)
            top = mpfr_get_exp(r->value[i]) - 1;
    mpfr_mul_2si(width, r->width, d->precision - 1 - top, MPFR_RNDN);
    int64_t n = mpfr_cmp_ui_2exp(width, 1, 40) < 0
                    ? mpfr_get_si(width, MPFR_RNDZ)
                    : most;
    mpfr_clear(width);
    return n;
}
