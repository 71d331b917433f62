/* BatchNormGrad - gradients of BatchNormTraining.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * With n elements in a feature, w = variance + epsilon, D the sum of the
 * gradients dy and C the sum of dy (x - mean), all exact: grad_offset is D,
 * grad_scale is C / sqrt(w), and grad_operand is
 * scale (n w dy - w D - (x - mean) C) / (n w sqrt(w)).
 */
#include "interp/ops/batchnorm.h"
#include "interp/ops/complex.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/total.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    X,
    SCALE,
    MEAN,
    VARIANCE,
    DY,
    ROUNDINGS = 12 /* beside those of the sums */
};

static bool infer(struct infer *in, struct status *st)
{
    return batchnorm_infer_three(in, DY, st);
}

struct feature {
    struct goal *dx, *dscale, *doffset;
    mpfr_t n, w, nw, mean, scale, d, c, zero, u; /* exact */
    mpfr_t big_d, big_c;                         /* sums of magnitudes, */
    mpfr_t all;    /* of |dy| and |x| + |mean|, all rounded up */
    mpfr_t near;   /* the sum of |dy| |x - mean|, rounded up */
    mpfr_t widest; /* the largest |x - mean|, rounded up */
    mpfr_t root, m, lost, t;
    bool far;  /* some x - mean overflows, or w */
    bool over; /* another step may */
    struct total total;
};

/* |x| + |mean| */
static void distance(struct feature *p, mpfr_ptr to, mpfr_srcptr x)
{
    mpfr_abs(p->t, p->mean, MPFR_RNDU);
    mpfr_abs(to, x, MPFR_RNDU);
    mpfr_add(to, to, p->t, MPFR_RNDU);
}

static void add_up(struct batchnorm *b, struct feature *p, int64_t f)
{
    mpfr_set_zero(p->d, 1);
    mpfr_set_zero(p->c, 1);
    mpfr_set_zero(p->big_d, 1);
    mpfr_set_zero(p->big_c, 1);
    mpfr_set_zero(p->all, 1);
    mpfr_set_zero(p->near, 1);
    mpfr_set_zero(p->widest, 1);
    p->far = false;
    for (int64_t i = 0; i < b->count; i++) {
        batchnorm_load(b, b->x, X, batchnorm_at(b, f, i));
        distance(p, p->m, b->x);
        mpfr_add(p->all, p->all, p->m, MPFR_RNDU);
        complex_exact_sub(b->s, b->x, p->mean);
        p->far = p->far || batchnorm_is_infinite(b, b->s);
        if (mpfr_cmpabs(b->s, p->widest) > 0)
            mpfr_abs(p->widest, b->s, MPFR_RNDU);
        batchnorm_load(b, b->x, DY, batchnorm_at(b, f, i));
        complex_exact_mul(b->t, b->x, b->s);
        mpfr_abs(p->t, b->t, MPFR_RNDU);
        mpfr_add(p->near, p->near, p->t, MPFR_RNDU);
        complex_exact_add(b->s, p->c, b->t);
        mpfr_swap(p->c, b->s);
        complex_exact_add(b->s, p->d, b->x);
        mpfr_swap(p->d, b->s);
        mpfr_abs(p->t, b->x, MPFR_RNDU);
        mpfr_add(p->big_d, p->big_d, p->t, MPFR_RNDU);
        mpfr_mul(p->m, p->m, p->t, MPFR_RNDU);
        mpfr_add(p->big_c, p->big_c, p->m, MPFR_RNDU);
    }
    mpfr_add(p->all, p->all, p->big_d, MPFR_RNDU);
    mpfr_add_ui(p->all, p->all, (unsigned long)b->count + 4, MPFR_RNDU);
}

/* A sum that begins with +0. */
static void set_offset(const struct batchnorm *b, struct feature *p, int64_t f)
{
    const struct literal *dy = b->ev->operands[DY];
    total_start(&p->total, b->ev, b->unit, b->accumulator);
    total_add(&p->total, b->unit, real_zero(b->unit, false));
    for (int64_t i = 0; i < b->count; i++)
        total_add(&p->total, b->unit, literal_get(dy, batchnorm_at(b, f, i)));
    total_finish(&p->total, b->ev, p->doffset, f,
                 b->count > 0 ? b->count - 1 : 0, b->accumulator);
}

/* Can a step overflow that all elements share?  XLA's passage sums up
 * dy (x - mean) / w, and multiplies by scale / sqrt(w). */
static bool may_overflow(const struct batchnorm *b, struct feature *p)
{
    bool over = batchnorm_overflows(b, p->near);
    mpfr_div(p->t, p->near, p->w, MPFR_RNDU);
    over = over || batchnorm_overflows(b, p->t);
    mpfr_abs(p->t, p->scale, MPFR_RNDU);
    mpfr_div(p->t, p->t, p->root, MPFR_RNDU);
    return over || batchnorm_overflows(b, p->t);
}

/* Of one element, with b->s = x - mean: StableHLO's n dy - D - (x - mean) C /
 * w, which is divided by n only in the end. */
static bool may_overflow_at(const struct batchnorm *b, struct feature *p,
                            mpfr_srcptr dy)
{
    MPFR_DECL_INIT(step, 128);
    mpfr_abs(p->t, b->s, MPFR_RNDU);
    mpfr_mul(step, p->t, p->near, MPFR_RNDU);
    bool over = batchnorm_overflows(b, step);
    mpfr_div(step, step, p->w, MPFR_RNDU);
    mpfr_add(step, step, p->big_d, MPFR_RNDU);
    mpfr_abs(p->t, dy, MPFR_RNDU);
    mpfr_mul(p->t, p->t, p->n, MPFR_RNDU);
    mpfr_add(step, step, p->t, MPFR_RNDU);
    return over || batchnorm_overflows(b, step);
}

static void set_scale(struct batchnorm *b, struct feature *p, int64_t f)
{
    mpfr_set_ui(p->u, 1, MPFR_RNDN);
    struct real y =
        batchnorm_real(b, p->zero, p->c, p->u, p->w, &p->dscale->undecided);
    mpfr_div(p->m, p->big_c, p->root, MPFR_RNDU);
    mpfr_div(p->lost, p->all, p->root, MPFR_RNDU);
    mpfr_div(p->t, p->m, p->w, MPFR_RNDU);
    mpfr_add(p->lost, p->lost, p->t, MPFR_RNDU);
    mpfr_add(p->lost, p->lost, p->big_c, MPFR_RNDU);
    mpfr_add_ui(p->lost, p->lost, 2, MPFR_RNDU);
    mpfr_mul(p->lost, p->lost, b->tiny, MPFR_RNDU);
    batchnorm_set(b, p->dscale, f, &y, p->m, b->count + ROUNDINGS, p->lost);
    /* (x - mean) / sqrt(w) may be the first step. */
    mpfr_div(p->t, p->widest, p->root, MPFR_RNDU);
    if (p->far || batchnorm_overflows(b, p->big_c)
        || batchnorm_overflows(b, p->m) || batchnorm_overflows(b, p->t))
        batchnorm_allow(b, p->dscale, f);
}

/* Magnitude and loss of an element of grad_operand whose x is in b->x. */
static void bound(struct batchnorm *b, struct feature *p, mpfr_srcptr dy)
{
    MPFR_DECL_INIT(far, 128);
    distance(p, far, b->x);
    mpfr_mul(p->m, far, p->big_c, MPFR_RNDU);
    mpfr_div(p->m, p->m, p->nw, MPFR_RNDU);
    mpfr_div(p->t, p->big_d, p->n, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    mpfr_abs(p->t, dy, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    /* A tiny term is multiplied by x - mean, C and the inverse of w. */
    mpfr_add_ui(p->lost, p->all, 4, MPFR_RNDU);
    mpfr_add_ui(far, far, 2, MPFR_RNDU);
    mpfr_mul(p->lost, p->lost, far, MPFR_RNDU);
    mpfr_add(p->lost, p->lost, p->big_c, MPFR_RNDU);
    mpfr_div(p->lost, p->lost, p->w, MPFR_RNDU);
    mpfr_div(p->t, p->m, p->w, MPFR_RNDU);
    mpfr_add(p->lost, p->lost, p->t, MPFR_RNDU);
    mpfr_add_ui(p->lost, p->lost, 4, MPFR_RNDU);
    mpfr_abs(p->t, p->scale, MPFR_RNDU);
    mpfr_div(p->t, p->t, p->root, MPFR_RNDU);
    mpfr_mul(p->m, p->m, p->t, MPFR_RNDU);
    mpfr_add_ui(p->t, p->t, 1, MPFR_RNDU);
    mpfr_mul(p->lost, p->lost, p->t, MPFR_RNDU);
    mpfr_add(p->lost, p->lost, p->m, MPFR_RNDU);
    mpfr_mul(p->lost, p->lost, b->tiny, MPFR_RNDU);
}

static void element(struct batchnorm *b, struct feature *p, int64_t i)
{
    mpfr_t dy;
    mpfr_init2(dy, 64);
    batchnorm_load(b, dy, DY, i);
    /* n w dy - w D - (x - mean) C */
    complex_exact_mul(b->s, p->n, dy);
    complex_exact_sub(b->t, b->s, p->d);
    complex_exact_mul(p->u, b->t, p->w);
    batchnorm_load(b, b->x, X, i);
    complex_exact_sub(b->s, b->x, p->mean);
    complex_exact_mul(b->t, b->s, p->c);
    bool over = may_overflow_at(b, p, dy);
    complex_exact_sub(b->s, p->u, b->t);
    complex_exact_mul(p->u, b->s, p->scale);
    struct real y =
        batchnorm_real(b, p->zero, p->u, p->nw, p->w, &p->dx->undecided);
    bound(b, p, dy);
    if (mpfr_zero_p(p->m)) /* a product of zeros, and no sum */
        batchnorm_exact(b, p->dx, i, &y, true);
    else
        batchnorm_set(b, p->dx, i, &y, p->m, b->count + ROUNDINGS, p->lost);
    if (p->far || p->over || over || batchnorm_overflows(b, p->m)
        || batchnorm_overflows(b, p->big_c) || batchnorm_overflows(b, p->big_d))
        batchnorm_allow(b, p->dx, i);
    mpfr_clear(dy);
}

typedef void setter(const struct batchnorm *b, struct goal *g, int64_t i);

/* The operands, or true if a rule for specials sets dscale and dx. */
static bool special(struct batchnorm *b, struct feature *p, int64_t f)
{
    enum batchnorm_class class = BATCHNORM_FINITE, own[5];
    for (int k = 0; k <= DY; k++) {
        own[k] = k == X || k == DY ? batchnorm_scan(b, k, f)
                                   : batchnorm_look(b, k, f);
        class = own[k] > class ? own[k] : class;
    }
    setter *set = class == BATCHNORM_NAN ? batchnorm_nan : batchnorm_free;
    if (own[DY] != BATCHNORM_FINITE)
        (own[DY] == BATCHNORM_NAN ? batchnorm_nan
                                  : batchnorm_free)(b, p->doffset, f);
    if (class == BATCHNORM_FINITE) {
        batchnorm_load(b, b->x, VARIANCE, f);
        complex_exact_add(p->w, b->x, b->epsilon);
        if (mpfr_sgn(p->w) > 0)
            return false;
        set =
            mpfr_sgn(p->w) < 0 && b->count > 0 ? batchnorm_nan : batchnorm_free;
    }
    /* A scale does not affect its own gradient. */
    set(b, p->dscale, f);
    if (own[SCALE] != BATCHNORM_FINITE)
        batchnorm_allow(b, p->dscale, f);
    for (int64_t i = 0; i < b->count; i++)
        set(b, p->dx, batchnorm_at(b, f, i));
    return true;
}

static void feature(struct batchnorm *b, struct feature *p, int64_t f)
{
    bool sums = batchnorm_scan(b, DY, f) == BATCHNORM_FINITE
                && batchnorm_scan(b, X, f) == BATCHNORM_FINITE
                && batchnorm_look(b, MEAN, f) == BATCHNORM_FINITE;
    if (sums) {
        batchnorm_load(b, p->mean, MEAN, f);
        add_up(b, p, f);
    }
    if (batchnorm_scan(b, DY, f) == BATCHNORM_FINITE)
        set_offset(b, p, f);
    if (special(b, p, f))
        return;
    batchnorm_load(b, p->scale, SCALE, f);
    p->far = p->far || batchnorm_is_infinite(b, p->w);
    complex_exact_mul(p->nw, p->n, p->w);
    mpfr_sqrt(p->root, p->w, MPFR_RNDD);
    p->over = may_overflow(b, p);
    set_scale(b, p, f);
    for (int64_t i = 0; i < b->count; i++)
        element(b, p, batchnorm_at(b, f, i));
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return batchnorm_dynamic(ev, DY, st);
    const struct shape *s = ev->in->shape;
    struct batchnorm b;
    struct feature p = {.far = false}; /* and an empty total */
    struct goal *goals[3];
    for (int i = 0; i < 3; i++)
        goals[i] = eval_goal(ev, s->elements[i], GOAL_SUM, ev->want_exact);
    p.dx = goals[0];
    p.dscale = goals[1];
    p.doffset = goals[2];
    batchnorm_open(&b, ev);
    mpfr_inits2(128, p.n, p.w, p.nw, p.mean, p.scale, p.d, p.c, p.zero, p.u,
                p.big_d, p.big_c, p.all, p.near, p.widest, p.root, p.m, p.lost,
                p.t, (mpfr_ptr)0);
    mpfr_set_zero(p.zero, 1);
    mpfr_set_ui(p.n, (unsigned long)b.count, MPFR_RNDN);
    for (int64_t f = 0; f < b.features; f++)
        feature(&b, &p, f);
    mpfr_clears(p.n, p.w, p.nw, p.mean, p.scale, p.d, p.c, p.zero, p.u, p.big_d,
                p.big_c, p.all, p.near, p.widest, p.root, p.m, p.lost, p.t,
                (mpfr_ptr)0);
    batchnorm_close(&b);
    return eval_return(ev, s, goals);
}

const struct op op_BatchNormGrad = {
    .name = "BatchNormGrad",
    .infer = infer,
    .eval = eval,
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_batch_norm,
                                .claim = stablehlo_claim_batch_norm)};
