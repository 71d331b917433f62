/* BatchNormTraining - normalization by the statistics of a batch.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * With n elements in a feature, S their sum and Q the sum of their squares,
 * the mean is S / n, the variance v / n^2 with v = n Q - S^2, and the result
 * offset + scale (n x - S) / sqrt(v + n^2 epsilon): all exact but for one root
 * and one quotient.
 */
#include "gen/policy/batch_norm_variance.h"
#include "interp/ops/batchnorm.h"
#include "interp/ops/complex.h"
#include "interp/ops/dynamic.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    X,
    SCALE,
    OFFSET,
    /* Beside those of the sums: differences, squares, quotients, a root. */
    VARIANCE_ROUNDINGS = 4,
    ROUNDINGS = 10
};

static bool infer(struct infer *in, struct status *st)
{
    return batchnorm_infer_three(in, 0, st);
}

struct feature {
    struct goal *y, *mean, *variance;
    bool two_pass;
    mpfr_t n, sum, v, w, scale, offset, zero; /* exact; w: v + n^2 epsilon */
    mpfr_t average; /* of magnitudes, rounded up as all that follows */
    mpfr_t square;  /* of squares */
    mpfr_t spread;  /* magnitude of the variance, */
    mpfr_t ratio;   /* and over variance + epsilon */
    mpfr_t factor;  /* |scale| / sqrt(variance + epsilon) */
    mpfr_t m, lost, t;
    bool overflow, vague;
    bool scaled;  /* scale (x - mean) of an element may overflow */
    bool bounded; /* vague, but the root is of epsilon at least: factor */
};

/* Sums over a feature. */
static void add_up(struct batchnorm *b, struct feature *p, int64_t f)
{
    mpfr_set_prec(p->sum, 64);
    mpfr_set_prec(p->v, 64);
    mpfr_set_zero(p->sum, 1);
    mpfr_set_zero(p->v, 1);
    mpfr_set_zero(p->average, 1);
    mpfr_set_zero(p->square, 1);
    for (int64_t i = 0; i < b->count; i++) {
        batchnorm_load(b, b->x, X, batchnorm_at(b, f, i));
        complex_exact_add(b->s, p->sum, b->x);
        mpfr_swap(p->sum, b->s);
        complex_exact_mul(b->t, b->x, b->x);
        complex_exact_add(b->s, p->v, b->t);
        mpfr_swap(p->v, b->s);
        mpfr_add(p->square, p->square, b->t, MPFR_RNDU);
        mpfr_abs(p->t, b->x, MPFR_RNDU);
        mpfr_add(p->average, p->average, p->t, MPFR_RNDU);
    }
    p->overflow = batchnorm_overflows(b, p->average);
    p->vague = batchnorm_overflows(b, p->square);
    mpfr_div(p->average, p->average, p->n, MPFR_RNDU);
    mpfr_div(p->square, p->square, p->n, MPFR_RNDU);
    /* v = n Q - S^2; w = v + n^2 epsilon */
    complex_exact_mul(b->t, p->v, p->n);
    complex_exact_mul(b->s, p->sum, p->sum);
    complex_exact_sub(p->v, b->t, b->s);
    complex_exact_mul(b->t, p->n, p->n);
    complex_exact_mul(b->s, b->t, b->epsilon);
    complex_exact_add(p->w, p->v, b->s);
}

/* gamma of k, at most 1 (where it says nothing). */
static void small(mpfr_ptr x, const struct batchnorm *b, int64_t k)
{
    mpfr_set_ui_2exp(x, (unsigned long)k,
                     -dtype_table[b->accumulator].precision, MPFR_RNDU);
    mpfr_mul_2ui(x, x, 1, MPFR_RNDU);
}

/* How far the variance can be off: with m the computed mean, |m - mean| <=
 * gamma average, and either the mean of (x - m)^2 is taken, which has that
 * square more, or the difference of mean square and squared mean. */
static void set_spread(const struct batchnorm *b, struct feature *p)
{
    mpfr_sqr(p->spread, p->average, MPFR_RNDU);
    mpfr_mul_2ui(p->spread, p->spread, 1, MPFR_RNDU);
    if (p->two_pass) {
        small(p->t, b, b->count);
        mpfr_mul(p->spread, p->spread, p->t, MPFR_RNDU);
        mpfr_div(p->t, p->v, p->n, MPFR_RNDU);
        mpfr_div(p->t, p->t, p->n, MPFR_RNDU);
        mpfr_add(p->spread, p->spread, p->t, MPFR_RNDU);
    } else {
        mpfr_add(p->spread, p->spread, p->square, MPFR_RNDU);
    }
}

static void statistics(struct batchnorm *b, struct feature *p, int64_t f)
{
    int64_t n = b->count;
    mpfr_set_prec(b->x, 128);
    int ternary = mpfr_div(b->x, p->sum, p->n, MPFR_RNDZ);
    struct real mean = real_from_mpfr(b->x, ternary);
    mpfr_mul_ui(p->lost, b->tiny, 2, MPFR_RNDU);
    batchnorm_set(b, p->mean, f, &mean, p->average, n, p->lost);
    if (p->overflow)
        batchnorm_allow(b, p->mean, f);
    set_spread(b, p);
    complex_exact_mul(b->t, p->n, p->n);
    mpfr_set_prec(b->x, 128);
    ternary = mpfr_div(b->x, p->v, b->t, MPFR_RNDZ);
    struct real variance = real_from_mpfr(b->x, ternary);
    /* A tiny error in a difference counts twice in its square. */
    mpfr_mul_ui(p->lost, p->average, 8, MPFR_RNDU);
    mpfr_add_ui(p->lost, p->lost, 4, MPFR_RNDU);
    mpfr_mul(p->lost, p->lost, b->tiny, MPFR_RNDU);
    if (p->two_pass) {
        /* Only squares of differences are added up; where they overflow, the
         * variance is still no NaN, nor negative. */
        mpfr_mul(p->t, p->spread, p->n, MPFR_RNDU);
        p->vague = batchnorm_overflows(b, p->t);
        if (p->vague)
            mpfr_set_ui_2exp(p->lost, 1, dtype_table[b->accumulator].emax + 2,
                             MPFR_RNDU);
    }
    batchnorm_set(b, p->variance, f, &variance, p->spread,
                  n + VARIANCE_ROUNDINGS, p->lost);
    if (!p->two_pass && p->vague)
        batchnorm_allow(b, p->variance, f);
}

/* Prepares what all elements of a feature share: the factor, and how far the
 * root is off. */
static void prepare(const struct batchnorm *b, struct feature *p, int64_t f)
{
    mpfr_div(p->t, p->w, p->n, MPFR_RNDD);
    mpfr_div(p->t, p->t, p->n, MPFR_RNDD); /* variance + epsilon */
    p->overflow = p->overflow || batchnorm_overflows(b, p->t);
    mpfr_div(p->ratio, p->spread, p->t, MPFR_RNDU);
    mpfr_div(p->lost, p->lost, p->t, MPFR_RNDU);
    mpfr_sqrt(p->t, p->t, MPFR_RNDD);
    mpfr_div(p->factor, p->scale, p->t, MPFR_RNDA);
    mpfr_abs(p->factor, p->factor, MPFR_RNDU);
    /* An error of more than half of the variance bounds nothing. */
    small(p->t, b, b->count + ROUNDINGS);
    mpfr_mul(p->t, p->t, p->ratio, MPFR_RNDU);
    mpfr_add(p->t, p->t, p->lost, MPFR_RNDU);
    if (mpfr_cmp_ui_2exp(p->t, 1, -1) > 0)
        p->vague = true;
    p->bounded = p->vague && p->two_pass && mpfr_sgn(b->epsilon) > 0;
    if (!p->bounded)
        return;
    mpfr_sqrt(p->t, b->epsilon, MPFR_RNDD);
    mpfr_div(p->factor, p->scale, p->t, MPFR_RNDA);
    mpfr_abs(p->factor, p->factor, MPFR_RNDU);
}

/* A unit may be anything where intermediate numbers may overflow, or the
 * variance is not known. */
static void allow(const struct batchnorm *b, const struct feature *p, int64_t i,
                  mpfr_srcptr magnitude)
{
    if ((p->vague && !p->bounded) || p->overflow || p->scaled
        || batchnorm_overflows(b, magnitude)
        || batchnorm_overflows(b, p->factor))
        batchnorm_allow(b, p->y, i);
}

/* All that is known of a variance is that it is not negative: magnitude and
 * error are the largest that the element can have, twice to be sure. */
static void set_bounded(struct batchnorm *b, struct feature *p, int64_t i,
                        const struct real *y)
{
    mpfr_abs(p->t, b->x, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->average, MPFR_RNDU);
    mpfr_mul(p->m, p->m, p->factor, MPFR_RNDU);
    mpfr_mul_2ui(p->m, p->m, 1, MPFR_RNDU);
    mpfr_abs(p->t, p->offset, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    batchnorm_set(b, p->y, i, y, p->m, b->count + ROUNDINGS, p->m);
    allow(b, p, i, p->m);
}

static void element(struct batchnorm *b, struct feature *p, int64_t i)
{
    batchnorm_load(b, b->x, X, i);
    complex_exact_mul(b->t, b->x, p->n);
    complex_exact_sub(b->s, b->t, p->sum);
    mpfr_abs(p->m, b->s, MPFR_RNDU);
    mpfr_div(p->m, p->m, p->n, MPFR_RNDU); /* |x - mean| */
    mpfr_abs(p->t, p->scale, MPFR_RNDU);
    mpfr_mul(p->t, p->t, p->m, MPFR_RNDU);
    p->scaled = batchnorm_overflows(b, p->t);
    complex_exact_mul(b->t, b->s, p->scale);
    mpfr_set_ui(p->t, 1, MPFR_RNDN);
    struct real y =
        batchnorm_real(b, p->offset, b->t, p->t, p->w, &p->y->undecided);
    if (mpfr_zero_p(p->factor) || mpfr_zero_p(p->average)) {
        /* The offset alone. */
        batchnorm_exact(b, p->y, i, &y, batchnorm_is_minus_zero(p->offset));
        allow(b, p, i, p->average);
        return;
    }
    if (p->bounded) {
        set_bounded(b, p, i, &y);
        return;
    }
    /* factor (|x - mean| (1 + ratio) + |x| + average) + |offset| */
    MPFR_DECL_INIT(lost, 128);
    mpfr_mul(lost, p->m, p->lost, MPFR_RNDU);
    mpfr_div(lost, lost, b->tiny, MPFR_RNDU);
    mpfr_add_ui(lost, lost, 4, MPFR_RNDU);
    mpfr_mul(lost, lost, p->factor, MPFR_RNDU);
    mpfr_add_ui(lost, lost, 4, MPFR_RNDU);
    mpfr_mul(lost, lost, b->tiny, MPFR_RNDU);
    mpfr_mul(p->t, p->m, p->ratio, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    mpfr_abs(p->t, b->x, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->average, MPFR_RNDU);
    mpfr_mul(p->m, p->m, p->factor, MPFR_RNDU);
    mpfr_abs(p->t, p->offset, MPFR_RNDU);
    mpfr_add(p->m, p->m, p->t, MPFR_RNDU);
    batchnorm_set(b, p->y, i, &y, p->m, b->count + ROUNDINGS, lost);
    allow(b, p, i, p->m);
}

/* Not a number: a NaN operand affects everything. */
static void special(struct batchnorm *b, struct feature *p, int64_t f,
                    enum batchnorm_class class)
{
    void (*set)(const struct batchnorm *, struct goal *, int64_t) =
        class == BATCHNORM_NAN ? batchnorm_nan : batchnorm_free;
    set(b, p->mean, f);
    set(b, p->variance, f);
    for (int64_t i = 0; i < b->count; i++)
        set(b, p->y, batchnorm_at(b, f, i));
}

static void feature(struct batchnorm *b, struct feature *p, int64_t f)
{
    enum batchnorm_class class = batchnorm_scan(b, X, f);
    if (class != BATCHNORM_FINITE || b->count == 0) {
        special(b, p, f, b->count == 0 ? BATCHNORM_INFINITE : class);
        return;
    }
    add_up(b, p, f);
    statistics(b, p, f);
    enum batchnorm_class c = batchnorm_look(b, SCALE, f);
    class = batchnorm_look(b, OFFSET, f);
    class = c > class ? c : class;
    if (class == BATCHNORM_FINITE && mpfr_sgn(p->w) > 0) {
        batchnorm_load(b, p->scale, SCALE, f);
        batchnorm_load(b, p->offset, OFFSET, f);
        prepare(b, p, f);
    }
    for (int64_t i = 0; i < b->count; i++) {
        int64_t at = batchnorm_at(b, f, i);
        /* A negative epsilon may make the root one of a negative number,
         * which rounding can hide. */
        if (class == BATCHNORM_NAN)
            batchnorm_nan(b, p->y, at);
        else if (class == BATCHNORM_INFINITE || mpfr_sgn(p->w) <= 0)
            batchnorm_free(b, p->y, at);
        else
            element(b, p, at);
    }
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return batchnorm_dynamic(ev, 0, st);
    const struct shape *s = ev->in->shape;
    struct batchnorm b;
    struct feature p = {.two_pass = profile_batch_norm_variance_is_two_pass(
                            ev->machine->profile)};
    struct goal *goals[3];
    for (int i = 0; i < 3; i++)
        goals[i] = eval_goal(ev, s->elements[i], GOAL_SUM, ev->want_exact);
    p.y = goals[0];
    p.mean = goals[1];
    p.variance = goals[2];
    /* A mean of squares is not negative, however it is rounded. */
    p.variance->clip = p.two_pass;
    p.variance->clip_low = (struct real){.kind = REAL_ZERO};
    p.variance->clip_high = (struct real){.kind = REAL_INF};
    batchnorm_open(&b, ev);
    mpfr_inits2(128, p.n, p.sum, p.v, p.w, p.scale, p.offset, p.average,
                p.square, p.spread, p.ratio, p.factor, p.m, p.lost, p.t,
                (mpfr_ptr)0);
    mpfr_set_ui(p.n, (unsigned long)b.count, MPFR_RNDN);
    for (int64_t f = 0; f < b.features; f++)
        feature(&b, &p, f);
    mpfr_clears(p.n, p.sum, p.v, p.w, p.scale, p.offset, p.average, p.square,
                p.spread, p.ratio, p.factor, p.m, p.lost, p.t, (mpfr_ptr)0);
    batchnorm_close(&b);
    return eval_return(ev, s, goals);
}

const struct op op_BatchNormTraining = {
    .name = "BatchNormTraining",
    .infer = infer,
    .eval = eval,
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_batch_norm,
                                .claim = stablehlo_claim_batch_norm)};
