/* batchnorm.c - see batchnorm.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/batchnorm.h"

#include <inttypes.h>

#include "interp/check/residual.h"
#include "interp/exact/accept_bound.h"
#include "interp/ops/complex.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/total.h"
#include "interp/program/attribute.h"

bool batchnorm_infer(struct infer *in, int whole, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t f = attribute_int(in->in, ATTRIBUTE_FEATURE_INDEX, 0);
    for (int i = 1; i < in->count; i++)
        if (in->operands[i]->dtype != s->dtype)
            return FAIL(st, TYPE, "%s: operand %d is %s, operand 0 %s",
                        in->op->name, i,
                        dtype_table[in->operands[i]->dtype].name,
                        dtype_table[s->dtype].name);
    if (f < 0 || f >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "%s: feature_index %" PRId64 " is out of range for rank %d",
                    in->op->name, f, s->rank);
    for (int i = 1; i < in->count; i++) {
        const struct shape *o = in->operands[i];
        bool fits = i == whole ? shape_same_dims(o, s)
                               : o->rank == 1 && o->dims[0] == s->dims[f];
        if (!fits)
            return FAIL(st, SHAPE, "%s: operand %d is %s, operand 0 %s",
                        in->op->name, i, shape_text(in->arena, o),
                        shape_text(in->arena, s));
    }
    return true;
}

static const struct shape *vector(struct infer *in)
{
    const struct shape *s = in->operands[0];
    int64_t f = attribute_int(in->in, ATTRIBUTE_FEATURE_INDEX, 0);
    bool dynamic = dynamic_is(s, f);
    return shape_dynamic(in->arena, s->dtype, 1, &s->dims[f], &dynamic);
}

bool batchnorm_infer_three(struct infer *in, int whole, struct status *st)
{
    const struct shape *s = in->operands[0];
    TRY(batchnorm_infer(in, whole, st));
    TRY(infer_array(in, s->dtype, s->rank, s->dims, st));
    const struct shape *v = vector(in);
    const struct shape *parts[3] = {s, v, v};
    in->result = shape_tuple(in->arena, 3, parts);
    return true;
}

bool batchnorm_dynamic(struct eval *ev, int whole, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    int64_t f = attribute_int(ev->in, ATTRIBUTE_FEATURE_INDEX, 0);
    for (int i = 1; i < ev->count; i++)
        for (int d = 0; d < ev->operands[0]->shape->rank; d++)
            if (i == whole || d == f)
                TRY(dynamic_follow(&p, 0, d, i, i == whole ? d : 0, st));
    return dynamic_eval(&p, st);
}

void batchnorm_open(struct batchnorm *b, struct eval *ev)
{
    const struct shape *s = ev->operands[0]->shape;
    int64_t f = attribute_int(ev->in, ATTRIBUTE_FEATURE_INDEX, 0);
    const struct literal *epsilon =
        attribute_find(ev->in, ATTRIBUTE_EPSILON)->literal;
    *b = (struct batchnorm){.ev = ev, .unit = s->dtype, .inner = 1};
    /* StableHLO decomposes it into operations of the element type. */
    b->accumulator = b->unit;
    b->features = s->dims[f];
    for (int d = (int)f + 1; d < s->rank; d++)
        b->inner *= s->dims[d];
    b->count = b->features > 0 ? shape_elements(s) / b->features : 0;
    mpfr_inits2(64, b->epsilon, b->x, b->s, b->t, b->tiny, (mpfr_ptr)0);
    real_bits_to_mpfr(b->epsilon, epsilon->shape->dtype,
                      literal_get(epsilon, 0));
    residual_tiny(b->tiny, b->accumulator,
                  profile_rules(ev->machine->profile, b->unit).subnormal != 0);
}

void batchnorm_close(struct batchnorm *b)
{
    mpfr_clears(b->epsilon, b->x, b->s, b->t, b->tiny, (mpfr_ptr)0);
}

int64_t batchnorm_at(const struct batchnorm *b, int64_t f, int64_t i)
{
    return (i / b->inner * b->features + f) * b->inner + i % b->inner;
}

enum batchnorm_class batchnorm_look(const struct batchnorm *b, int operand,
                                    int64_t i)
{
    uint64_t bits = literal_get(b->ev->operands[operand], i);
    if (real_is_finite(b->unit, bits))
        return BATCHNORM_FINITE;
    return real_is_nan(b->unit, bits) ? BATCHNORM_NAN : BATCHNORM_INFINITE;
}

enum batchnorm_class batchnorm_scan(const struct batchnorm *b, int operand,
                                    int64_t f)
{
    enum batchnorm_class worst = BATCHNORM_FINITE;
    for (int64_t i = 0; i < b->count && worst < BATCHNORM_NAN; i++) {
        enum batchnorm_class c =
            batchnorm_look(b, operand, batchnorm_at(b, f, i));
        worst = c > worst ? c : worst;
    }
    return worst;
}

void batchnorm_load(const struct batchnorm *b, mpfr_ptr x, int operand,
                    int64_t i)
{
    mpfr_set_prec(x, 64);
    real_bits_to_mpfr(x, b->unit, literal_get(b->ev->operands[operand], i));
}

void batchnorm_nan(const struct batchnorm *b, struct goal *g, int64_t i)
{
    goal_bits(g, i, real_nan(b->unit, false));
}

void batchnorm_allow(const struct batchnorm *b, struct goal *g, int64_t i)
{
    if (b->ev->want_exact)
        goal_free_unit(g, i);
}

void batchnorm_free(const struct batchnorm *b, struct goal *g, int64_t i)
{
    batchnorm_nan(b, g, i);
    batchnorm_allow(b, g, i);
}

/* ---- o + n / (d sqrt(w)) ------------------------------------------------- */

/* The quotient of exact numbers. */
static struct real quotient(mpfr_srcptr n, mpfr_srcptr d)
{
    MPFR_DECL_INIT(q, 128);
    int ternary = mpfr_div(q, n, d, MPFR_RNDZ);
    return real_from_mpfr(q, ternary);
}

/* Both ends, truncated to 128 bits, are one number: then so is all between. */
static bool settle(mpfr_srcptr low, mpfr_srcptr high, struct real *r)
{
    MPFR_DECL_INIT(a, 128);
    MPFR_DECL_INIT(b, 128);
    mpfr_set(a, low, MPFR_RNDZ);
    mpfr_set(b, high, MPFR_RNDZ);
    if (mpfr_zero_p(a) || !mpfr_equal_p(a, b))
        return false;
    *r = real_from_mpfr(a, 1);
    return true;
}

/* n / (d sqrt(w)), up or down. */
static void surd(mpfr_ptr y, mpfr_srcptr n, mpfr_srcptr d, mpfr_srcptr w,
                 bool up)
{
    bool larger = up == (mpfr_sgn(n) >= 0);
    mpfr_sqrt(y, w, larger ? MPFR_RNDD : MPFR_RNDU);
    mpfr_mul(y, y, d, larger ? MPFR_RNDD : MPFR_RNDU);
    mpfr_div(y, n, y, up ? MPFR_RNDU : MPFR_RNDD);
}

/* w is not a square, so the value is irrational and every question is decided
 * in the end. */
static struct real refine(const struct batchnorm *b, mpfr_srcptr o,
                          mpfr_srcptr n, mpfr_srcptr d, mpfr_srcptr w,
                          int64_t *undecided)
{
    struct real r = {.kind = REAL_ZERO};
    int64_t limit = b->ev->machine->limits->precision_bits;
    mpfr_t low, high;
    mpfr_inits2(192, low, high, (mpfr_ptr)0);
    for (int64_t prec = 192;; prec *= 2) {
        mpfr_set_prec(low, (mpfr_prec_t)prec);
        mpfr_set_prec(high, (mpfr_prec_t)prec);
        surd(low, n, d, w, false);
        surd(high, n, d, w, true);
        mpfr_add(low, low, o, MPFR_RNDD);
        mpfr_add(high, high, o, MPFR_RNDU);
        if (settle(low, high, &r))
            break;
        if (2 * prec > limit) {
            MPFR_DECL_INIT(cut, 128);
            ++*undecided;
            mpfr_set(cut, low, MPFR_RNDZ);
            r = real_from_mpfr(cut, 0);
            break;
        }
    }
    mpfr_clears(low, high, (mpfr_ptr)0);
    return r;
}

struct real batchnorm_real(const struct batchnorm *b, mpfr_srcptr o,
                           mpfr_srcptr n, mpfr_srcptr d, mpfr_srcptr w,
                           int64_t *undecided)
{
    struct real r;
    mpfr_t root, t, u;
    mpfr_inits2(mpfr_get_prec(w) + 2, root, t, u, (mpfr_ptr)0);
    if (mpfr_sqrt(root, w, MPFR_RNDZ) == 0) {
        complex_exact_mul(t, root, d);
        complex_exact_mul(u, t, o);
        mpfr_swap(u, root);
        complex_exact_add(u, root, n);
        r = quotient(u, t);
    } else if (mpfr_zero_p(n)) {
        mpfr_set_ui(t, 1, MPFR_RNDN);
        r = quotient(o, t);
    } else {
        r = refine(b, o, n, d, w, undecided);
    }
    mpfr_clears(root, t, u, (mpfr_ptr)0);
    return r;
}

/* ---- Goals --------------------------------------------------------------- */

/* An upper bound as a real. */
static struct real bound_above(mpfr_srcptr x)
{
    MPFR_DECL_INIT(cut, 128);
    mpfr_set(cut, x, MPFR_RNDU);
    return real_from_mpfr(cut, 0);
}

void batchnorm_set(const struct batchnorm *b, struct goal *g, int64_t i,
                   const struct real *value, mpfr_srcptr magnitude,
                   int64_t roundings, mpfr_srcptr lost)
{
    if (mpfr_zero_p(magnitude)) {
        batchnorm_exact(b, g, i, value, false);
        return;
    }
    struct accept_sum sum = {.sum = *value,
                             .roundings = roundings,
                             .accumulator = b->accumulator,
                             .growth = ACCEPT_GROWTH_FORMULA};
    if (g->want_exact) {
        sum.magnitude = bound_above(magnitude);
        sum.underflow = bound_above(lost);
    }
    goal_sum(g, i, &sum);
}

void batchnorm_exact(const struct batchnorm *b, struct goal *g, int64_t i,
                     const struct real *value, bool either)
{
    struct accept_sum sum = {.sum = *value,
                             .magnitude = *value,
                             .accumulator = b->accumulator,
                             .growth = ACCEPT_GROWTH_FORMULA};
    sum.magnitude.negative = false;
    goal_sum(g, i, &sum);
    /* A variance has its range, which has one zero. */
    if (value->kind != REAL_ZERO || g->clip)
        return;
    if (either && g->want_exact && real_has_negative_zero(b->unit))
        goal_or(g, i, real_zero(b->unit, !value->negative));
    else
        total_other_zero(b->ev, g, i, !value->negative);
}

bool batchnorm_is_minus_zero(mpfr_srcptr x)
{
    return mpfr_zero_p(x) && mpfr_signbit(x);
}

bool batchnorm_is_infinite(const struct batchnorm *b, mpfr_srcptr x)
{
    ACCEPT_BOUND(up);
    mpfr_abs(up, x, MPFR_RNDU);
    return accept_bound_overflows(up, b->accumulator);
}

bool batchnorm_overflows(const struct batchnorm *b, mpfr_srcptr x)
{
    return mpfr_cmp_ui_2exp(x, 1, dtype_table[b->accumulator].emax) >= 0;
}

bool batchnorm_product_overflows(const struct batchnorm *b, mpfr_srcptr x,
                                 mpfr_srcptr y)
{
    MPFR_DECL_INIT(product, 128);
    MPFR_DECL_INIT(lost, 128);
    mpfr_mul(product, x, y, MPFR_RNDA);
    mpfr_mul_2si(lost, product, 4 - dtype_table[b->accumulator].precision,
                 MPFR_RNDA);
    mpfr_add(product, product, lost, MPFR_RNDA);
    return batchnorm_is_infinite(b, product);
}
