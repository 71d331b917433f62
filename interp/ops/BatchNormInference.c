/* BatchNormInference - normalization by given statistics.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/batchnorm.h"
#include "interp/ops/complex.h"
#include "interp/ops/dynamic.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    X,
    SCALE,
    OFFSET,
    MEAN,
    VARIANCE,
    /* A difference, a sum, a root, a quotient, a product, a sum; and the form
     * scale / root times x, plus offset - mean scale / root, has two more. */
    ROUNDINGS = 8
};

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    TRY(batchnorm_infer(in, 0, st));
    TRY(infer_array(in, s->dtype, s->rank, s->dims, st));
    in->result = s;
    return true;
}

/* Constants of one feature. */
struct feature {
    mpfr_t scale, offset, mean, w, one; /* exact; w: variance + epsilon */
    mpfr_t inverse;                     /* 1 / sqrt(w), rounded up */
    mpfr_t factor;                      /* |scale| / sqrt(w), rounded up */
    mpfr_t m, lost, t;
    enum batchnorm_class class;
    bool singular, negative, overflow;
};

static void feature_set(const struct batchnorm *b, struct feature *p, int64_t f)
{
    p->class = BATCHNORM_FINITE;
    for (int k = SCALE; k <= VARIANCE; k++) {
        enum batchnorm_class c = batchnorm_look(b, k, f);
        p->class = c > p->class ? c : p->class;
    }
    p->singular = p->negative = false;
    if (p->class != BATCHNORM_FINITE)
        return;
    batchnorm_load(b, p->scale, SCALE, f);
    batchnorm_load(b, p->offset, OFFSET, f);
    batchnorm_load(b, p->mean, MEAN, f);
    batchnorm_load(b, p->t, VARIANCE, f);
    complex_exact_add(p->w, p->t, b->epsilon);
    p->negative = mpfr_sgn(p->w) < 0;
    p->singular = mpfr_zero_p(p->w);
    p->overflow = batchnorm_is_infinite(b, p->w);
    if (p->negative || p->singular)
        return;
    mpfr_sqrt(p->factor, p->w, MPFR_RNDD);
    mpfr_div(p->factor, p->scale, p->factor, MPFR_RNDA);
    mpfr_abs(p->factor, p->factor, MPFR_RNDU);
    mpfr_rec_sqrt(p->inverse, p->w, MPFR_RNDU);
}

static void element(struct batchnorm *b, struct feature *p, struct goal *g,
                    int64_t i)
{
    enum batchnorm_class class = batchnorm_look(b, X, i);
    class = class > p->class ? class : p->class;
    if (class == BATCHNORM_NAN || (class == BATCHNORM_FINITE && p->negative)) {
        batchnorm_nan(b, g, i);
        return;
    }
    if (class == BATCHNORM_INFINITE || p->singular) {
        batchnorm_free(b, g, i);
        return;
    }
    batchnorm_load(b, b->x, X, i);
    complex_exact_sub(b->s, b->x, p->mean);
    /* Of scale (x - mean) / sqrt(w), each may be the first step. */
    bool far = batchnorm_is_infinite(b, b->s)
               || batchnorm_product_overflows(b, b->s, p->scale)
               || batchnorm_product_overflows(b, b->s, p->inverse);
    complex_exact_mul(b->t, b->s, p->scale);
    struct real y =
        batchnorm_real(b, p->offset, b->t, p->one, p->w, &g->undecided);
    /* factor (|x| + |mean|) + |offset|; each number may be off by a tiny one
     * before it is multiplied. */
    mpfr_abs(p->m, b->x, MPFR_RNDU);
    mpfr_abs(p->t, p->mean, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    mpfr_div(p->lost, p->m, p->w, MPFR_RNDU);
    mpfr_add_ui(p->lost, p->lost, 2, MPFR_RNDU);
    mpfr_mul(p->lost, p->lost, p->factor, MPFR_RNDU);
    mpfr_add_ui(p->lost, p->lost, 4, MPFR_RNDU);
    mpfr_add(p->lost, p->lost, p->m, MPFR_RNDU);
    mpfr_mul(p->lost, p->lost, b->tiny, MPFR_RNDU);
    mpfr_mul(p->m, p->m, p->factor, MPFR_RNDU);
    bool none = mpfr_zero_p(p->m); /* the offset alone */
    mpfr_abs(p->t, p->offset, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    if (none)
        batchnorm_exact(b, g, i, &y, batchnorm_is_minus_zero(p->offset));
    else
        batchnorm_set(b, g, i, &y, p->m, ROUNDINGS, p->lost);
    if (far || p->overflow || batchnorm_overflows(b, p->m)
        || batchnorm_overflows(b, p->factor))
        batchnorm_allow(b, g, i);
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return batchnorm_dynamic(ev, 0, st);
    struct batchnorm b;
    struct feature p;
    struct goal *g = eval_goal(ev, ev->in->shape, GOAL_SUM, ev->want_exact);
    batchnorm_open(&b, ev);
    mpfr_inits2(128, p.scale, p.offset, p.mean, p.w, p.one, p.inverse, p.factor,
                p.m, p.lost, p.t, (mpfr_ptr)0);
    mpfr_set_ui(p.one, 1, MPFR_RNDN);
    for (int64_t f = 0; f < b.features; f++) {
        feature_set(&b, &p, f);
        for (int64_t i = 0; i < b.count; i++)
            element(&b, &p, g, batchnorm_at(&b, f, i));
    }
    mpfr_clears(p.scale, p.offset, p.mean, p.w, p.one, p.inverse, p.factor, p.m,
                p.lost, p.t, (mpfr_ptr)0);
    batchnorm_close(&b);
    return eval_return_one(ev, g);
}

const struct op op_BatchNormInference = {
    .name = "BatchNormInference",
    .infer = infer,
    .eval = eval,
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_batch_norm)};
