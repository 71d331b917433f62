/* Cholesky - decomposition of Hermitian positive definite matrices.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elimination without fractions (Bareiss) leaves integers p, the leading
 * minors, and b with l(i, j) = b(i, j) / sqrt(p(j) p(j - 1)).  A backend's
 * result is judged by its residual, component by component (Higham, Accuracy
 * and Stability of Numerical Algorithms, theorems 10.3, 10.4 and 10.7).
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/ops/dynamic.h"
#include "interp/ops/matrix.h"
#include "interp/ops/total.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"

enum state {
    DEFINITE,  /* every algorithm succeeds */
    DIFFICULT, /* definite, and one may break down */
    INDEFINITE /* no rule holds */
};

struct problem {
    struct arena *arena;
    const struct literal *a;
    enum dtype unit, accumulator;
    int64_t n, batches;
    int parts;
    bool lower;
    bool flush, nan_due, zero_other; /* as the profile chooses */
    unsigned char *state;            /* of each matrix */
};

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    if (s->rank < 2 || s->dims[s->rank - 1] != s->dims[s->rank - 2])
        return FAIL(st, SHAPE,
                    "Cholesky: the operand is %s; expected square matrices",
                    shape_text(in->arena, s));
    TRY(infer_array(in, s->dtype, s->rank, s->dims, st));
    return dynamic_batch(in, s->rank - 2, st);
}

/* ---- The exact result ---------------------------------------------------- */

/* One matrix of a batch; l is the lower triangle, whichever was given. */
struct place {
    const struct problem *p;
    int64_t first;
};

/* The element of the array that holds l(i, j), or a(i, j), i >= j. */
static int64_t element(const struct problem *p, int64_t first, int64_t i,
                       int64_t j)
{
    return first + (p->lower ? i * p->n + j : j * p->n + i);
}

static int64_t place(const void *context, int64_t i, int64_t j, bool *conjugate)
{
    const struct place *at = context;
    *conjugate = !at->p->lower;
    return i < j ? -1 : element(at->p, at->first, i, j);
}

/* Are all numbers finite, and those of the diagonal real? */
static bool is_hermitian(const struct problem *p, int64_t first)
{
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++) {
                int64_t at = element(p, first, i, j) * p->parts + part;
                uint64_t bits = literal_get(p->a, at);
                if (!real_is_finite(p->unit, bits)
                    || (i == j && part == 1 && !real_is_zero(p->unit, bits)))
                    return false;
            }
    return true;
}

/* b = (pivot b - x conj(y)) / last, part by part. */
static void eliminate(struct matrix *m, int64_t i, int64_t j, int64_t k,
                      mpz_srcptr last)
{
    mpz_ptr b[2], pivot = matrix_at(m, k, k, 0);
    for (int part = 0; part < m->parts; part++) {
        b[part] = matrix_at(m, i, j, part);
        mpz_mul(b[part], b[part], pivot);
        mpz_submul(b[part], matrix_at(m, i, k, part), matrix_at(m, j, k, 0));
    }
    if (m->parts == 2) {
        mpz_submul(b[0], matrix_at(m, i, k, 1), matrix_at(m, j, k, 1));
        mpz_addmul(b[1], matrix_at(m, i, k, 0), matrix_at(m, j, k, 1));
    }
    for (int part = 0; last && part < m->parts; part++)
        mpz_divexact(b[part], b[part], last);
}

/* False if a leading minor is not positive. */
static bool reduce(struct matrix *m)
{
    for (int64_t k = 0; k < m->rows; k++) {
        if (mpz_sgn(matrix_at(m, k, k, 0)) <= 0)
            return false;
        for (int64_t i = k + 1; i < m->rows; i++)
            for (int64_t j = k + 1; j <= i; j++)
                eliminate(m, i, j, k, k ? matrix_at(m, k - 1, k - 1, 0) : NULL);
    }
    return true;
}

/* The roundings of l(i, j) into the goal, and l's real parts. */
static void store(const struct problem *p, struct matrix *m, struct goal *g,
                  int64_t first, struct real *l)
{
    mpz_t square;
    mpz_init(square);
    for (int64_t j = 0; j < p->n; j++) {
        mpz_set(square, matrix_at(m, j, j, 0));
        if (j > 0)
            mpz_mul(square, square, matrix_at(m, j - 1, j - 1, 0));
        for (int64_t i = j; i < p->n; i++)
            for (int part = 0; part < p->parts; part++) {
                struct real r = matrix_root(matrix_at(m, i, j, part), square,
                                            m->exponent / 2);
                l[(i * p->n + j) * p->parts + part] = r;
                if (part == 1 && !p->lower && r.kind == REAL_FINITE)
                    r.negative = !r.negative;
                goal_real(g, element(p, first, i, j) * p->parts + part, &r);
            }
    }
    mpz_clear(square);
}

/* ---- How hard is it? ----------------------------------------------------- */

static int64_t roundings(const struct problem *p)
{
    return p->parts == 1 ? p->n + 1 : 4 * (p->n + 2);
}

/* Column k of the inverse of l, by forward substitution: w holds its parts
 * from row k on.  Adds a(i, i) |w(i)|^2 to trace. */
static void add_column(const struct problem *p, int64_t k, mpfr_t *l, mpfr_t *w,
                       mpfr_ptr trace, mpfr_ptr t)
{
    int c = p->parts;
    for (int64_t i = k; i < p->n; i++) {
        mpfr_ptr re = w[c * i], im = c == 2 ? w[2 * i + 1] : NULL;
        mpfr_set_ui(re, i == k, MPFR_RNDN);
        if (im)
            mpfr_set_zero(im, 1);
        for (int64_t j = k; j < i; j++) {
            mpfr_t *x = &l[c * (i * p->n + j)];
            mpfr_mul(t, x[0], w[c * j], MPFR_RNDN);
            mpfr_sub(re, re, t, MPFR_RNDN);
            if (!im)
                continue;
            mpfr_mul(t, x[1], w[2 * j + 1], MPFR_RNDN);
            mpfr_add(re, re, t, MPFR_RNDN);
            mpfr_mul(t, x[0], w[2 * j + 1], MPFR_RNDN);
            mpfr_sub(im, im, t, MPFR_RNDN);
            mpfr_mul(t, x[1], w[2 * j], MPFR_RNDN);
            mpfr_sub(im, im, t, MPFR_RNDN);
        }
        for (int part = 0; part < c; part++) {
            mpfr_div(w[c * i + part], w[c * i + part], l[c * (i * p->n + i)],
                     MPFR_RNDN);
            mpfr_sqr(t, w[c * i + part], MPFR_RNDN);
            mpfr_add(trace, trace, t, MPFR_RNDU);
        }
    }
}

/* Row i of the scaled matrix has norm 1: rows of l are divided by sqrt(aii),
 * whose squares are sums of squares. */
static void scale_rows(const struct problem *p, mpfr_t *l, mpfr_ptr sum,
                       mpfr_ptr t)
{
    int64_t width = p->n * p->parts;
    for (int64_t i = 0; i < p->n; i++) {
        mpfr_set_zero(sum, 1);
        for (int64_t j = 0; j < width; j++) {
            mpfr_sqr(t, l[i * width + j], MPFR_RNDN);
            mpfr_add(sum, sum, t, MPFR_RNDN);
        }
        mpfr_sqrt(sum, sum, MPFR_RNDN);
        for (int64_t j = 0; j < width; j++)
            mpfr_div(l[i * width + j], l[i * width + j], sum, MPFR_RNDN);
    }
}

/* With H the matrix scaled to a diagonal of ones, rounding cannot make a pivot
 * vanish if n gamma / (1 - gamma) is below its least eigenvalue, which is at
 * least 1 / trace(H^-1). */
static bool may_break_down(const struct problem *p, const struct real *exact)
{
    int64_t size = p->n * p->n * p->parts;
    const struct dtype_info *d = &dtype_table[p->unit];
    mpfr_t trace, gamma, t;
    mpfr_inits2(256, trace, gamma, t, (mpfr_ptr)0);
    mpfr_t *l = arena_new(p->arena, mpfr_t, (size_t)size);
    mpfr_t *w = arena_new(p->arena, mpfr_t, (size_t)(p->n * p->parts));
    bool tiny = false;
    for (int64_t i = 0; i < size; i++) {
        mpfr_init2(l[i], 256);
        real_to_mpfr(l[i], &exact[i]);
    }
    for (int64_t i = 0; i < p->n * p->parts; i++)
        mpfr_init2(w[i], 256);
    /* Squares that underflow are another way to lose a pivot. */
    for (int64_t i = 0; i < p->n; i++)
        tiny = tiny
               || 2 * exact[(i * p->n + i) * p->parts].exponent
                      < d->emin + d->precision + 8;
    scale_rows(p, l, gamma, t);
    mpfr_set_zero(trace, 1);
    for (int64_t k = 0; k < p->n; k++)
        add_column(p, k, l, w, trace, t);
    matrix_gamma(gamma, 2 * roundings(p), p->unit);
    mpfr_mul_ui(gamma, gamma, (unsigned long)p->n, MPFR_RNDU);
    mpfr_mul(trace, trace, gamma, MPFR_RNDU);
    bool hard = tiny || !(mpfr_cmp_ui(trace, 1) < 0);
    for (int64_t i = 0; i < size; i++)
        mpfr_clear(l[i]);
    for (int64_t i = 0; i < p->n * p->parts; i++)
        mpfr_clear(w[i]);
    mpfr_clears(trace, gamma, t, (mpfr_ptr)0);
    return hard;
}

/* ---- A backend's result -------------------------------------------------- */

struct judge {
    const struct problem *p;
    const struct literal *got;
    int64_t first;
    mpfr_t re, im, x, y, bound, t; /* exact but for bound and t */
};

static void load(const struct judge *q, mpfr_ptr to, const struct literal *l,
                 int64_t i, int64_t j, int part)
{
    int64_t at = element(q->p, q->first, i, j) * q->p->parts + part;
    real_bits_to_mpfr(to, q->p->unit, literal_get(l, at));
}

/* l(i, k).first * l(j, k).second, in q->x */
static mpfr_srcptr product(struct judge *q, int64_t i, int64_t j, int64_t k,
                           int first, int second)
{
    load(q, q->x, q->got, i, k, first);
    load(q, q->y, q->got, j, k, second);
    mpfr_mul(q->x, q->x, q->y, MPFR_RNDN);
    return q->x;
}

/* |a(i, j) - sum of l(i, k) conj(l(j, k))| <= bound, for each part.  (Of an
 * upper triangle everything is conjugated, which changes no magnitude.) */
static bool good_element(struct judge *q, int64_t i, int64_t j,
                         struct goal_finding *found)
{
    const struct problem *p = q->p;
    load(q, q->re, p->a, i, j, 0);
    mpfr_set_zero(q->im, 1);
    if (p->parts == 2)
        load(q, q->im, p->a, i, j, 1);
    for (int64_t k = 0; k <= j; k++) {
        mpfr_sub(q->re, q->re, product(q, i, j, k, 0, 0), MPFR_RNDN);
        if (p->parts == 1)
            continue;
        mpfr_sub(q->re, q->re, product(q, i, j, k, 1, 1), MPFR_RNDN);
        mpfr_sub(q->im, q->im, product(q, i, j, k, 1, 0), MPFR_RNDN);
        mpfr_add(q->im, q->im, product(q, i, j, k, 0, 1), MPFR_RNDN);
    }
    /* gamma / (1 - gamma) is gamma of twice the roundings. */
    load(q, q->x, p->a, i, i, 0);
    load(q, q->y, p->a, j, j, 0);
    mpfr_mul(q->x, q->x, q->y, MPFR_RNDU);
    mpfr_sqrt(q->t, q->x, MPFR_RNDU);
    matrix_gamma(q->bound, roundings(p), p->accumulator);
    mpfr_ui_sub(q->x, 1, q->bound, MPFR_RNDD);
    if (mpfr_cmp_ui_2exp(q->bound, 1, -1) < 0)
        mpfr_div(q->bound, q->bound, q->x, MPFR_RNDU);
    if (p->accumulator != p->unit) {
        /* The factors are rounded to their own type as well. */
        matrix_gamma(q->x, 4, p->unit);
        mpfr_add(q->bound, q->bound, q->x, MPFR_RNDU);
    }
    mpfr_mul(q->bound, q->bound, q->t, MPFR_RNDU);
    matrix_tiny(q->y, p->unit, p->flush);
    load(q, q->x, p->a, i, i, 0);
    mpfr_sqrt(q->t, q->x, MPFR_RNDU);
    load(q, q->x, p->a, j, j, 0);
    mpfr_sqrt(q->x, q->x, MPFR_RNDU);
    mpfr_add(q->t, q->t, q->x, MPFR_RNDU);
    mpfr_add_ui(q->t, q->t, (unsigned long)(p->n * p->parts), MPFR_RNDU);
    mpfr_mul(q->t, q->t, q->y, MPFR_RNDU);
    mpfr_add(q->bound, q->bound, q->t, MPFR_RNDU);
    mpfr_abs(q->re, q->re, MPFR_RNDN);
    mpfr_abs(q->im, q->im, MPFR_RNDN);
    mpfr_max(q->re, q->re, q->im, MPFR_RNDN);
    goal_measure(found, found->unit, q->re, q->bound);
    return mpfr_cmp(q->re, q->bound) <= 0;
}

static bool good_triangle(struct judge *q, struct goal_finding *found)
{
    const struct problem *p = q->p;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++) {
                found->unit = element(p, q->first, i, j) * p->parts + part;
                uint64_t bits = literal_get(q->got, found->unit);
                bool bad = !real_is_finite(p->unit, bits);
                if (i == j && part == 0)
                    bad = bad || real_is_zero(p->unit, bits)
                          || real_is_negative(p->unit, bits);
                if (i == j && part == 1)
                    bad = bad || !real_is_zero(p->unit, bits);
                if (!bad)
                    continue;
                snprintf(found->why, sizeof found->why,
                         i == j ? "the diagonal is not real and positive at "
                                  "row %" PRId64
                                : "not finite in row %" PRId64,
                         i);
                return false;
            }
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            found->unit = element(p, q->first, i, j) * p->parts;
            if (good_element(q, i, j, found))
                continue;
            snprintf(found->why, sizeof found->why,
                     "the product differs from a by more than rounding in row "
                     "%" PRId64 ", column %" PRId64,
                     p->lower ? i : j, p->lower ? j : i);
            return false;
        }
    return true;
}

static bool good_other(const struct judge *q, struct goal_finding *found)
{
    const struct problem *p = q->p;
    if (!p->zero_other)
        return true;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = i + 1; j < p->n; j++)
            for (int part = 0; part < p->parts; part++) {
                found->unit = element(p, q->first, i, j) * p->parts + part;
                if (!real_is_zero(p->unit, literal_get(q->got, found->unit))) {
                    snprintf(found->why, sizeof found->why,
                             "the other triangle is not zero");
                    return false;
                }
            }
    return true;
}

static bool has_nan(const struct judge *q)
{
    int64_t size = q->p->n * q->p->n * q->p->parts;
    for (int64_t i = 0; i < size; i++)
        if (real_is_nan(q->p->unit,
                        literal_get(q->got, q->first * q->p->parts + i)))
            return true;
    return false;
}

static bool good_matrix(struct judge *q, enum state state,
                        struct goal_finding *found)
{
    if (state != DEFINITE && has_nan(q))
        return true;
    if (state != INDEFINITE)
        return good_triangle(q, found) && good_other(q, found);
    if (!q->p->nan_due)
        return true;
    found->unit = q->first * q->p->parts;
    snprintf(found->why, sizeof found->why,
             "the matrix is not positive definite: expected NaN");
    return false;
}

static bool check(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found)
{
    const struct problem *p = g->check.data;
    struct judge q = {.p = p, .got = got[0]};
    mpfr_inits2(matrix_precision(p->unit), q.re, q.im, q.x, q.y, (mpfr_ptr)0);
    mpfr_inits2(64, q.bound, q.t, (mpfr_ptr)0);
    bool good = true;
    for (int64_t b = 0; good && b < p->batches; b++) {
        q.first = b * p->n * p->n;
        good = good_matrix(&q, p->state[b], found);
    }
    mpfr_clears(q.re, q.im, q.x, q.y, q.bound, q.t, (mpfr_ptr)0);
    return good;
}

/* ---- Evaluation ---------------------------------------------------------- */

static void no_result(const struct problem *p, struct goal *g, int64_t first)
{
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++)
                goal_bits(g, element(p, first, i, j) * p->parts + part,
                          real_nan(p->unit, false));
}

static bool decompose(const struct eval *ev, struct problem *p, struct goal *g,
                      int64_t b, struct status *st)
{
    struct place at = {p, b * p->n * p->n};
    struct matrix m;
    p->state[b] = INDEFINITE;
    if (!is_hermitian(p, at.first)) {
        no_result(p, g, at.first);
        return true;
    }
    matrix_open(&m, p->arena, p->n, p->n, p->parts);
    int64_t bits = p->n * matrix_read(&m, p->a, place, &at);
    bool fits = bits <= ev->machine->limits->precision_bits;
    if (fits && reduce(&m)) {
        struct real *l =
            arena_new(p->arena, struct real, (size_t)(p->n * p->n * p->parts));
        store(p, &m, g, at.first, l);
        p->state[b] =
            ev->want_exact && may_break_down(p, l) ? DIFFICULT : DEFINITE;
    } else {
        no_result(p, g, at.first);
    }
    matrix_close(&m);
    if (!fits)
        return FAIL(st, SYSTEM,
                    "limit: Cholesky needs %" PRId64
                    " bits (--limit-precision-bits)",
                    bits);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return dynamic_eval_own(ev, st);
    const struct shape *s = ev->in->shape;
    struct problem *p = arena_new(ev->arena, struct problem, 1);
    p->arena = ev->arena;
    p->a = ev->operands[0];
    p->unit = dtype_unit(s->dtype);
    p->accumulator = total_accumulator(ev, p->unit);
    p->parts = dtype_units(s->dtype);
    p->n = s->dims[s->rank - 1];
    p->batches = p->n > 0 ? shape_elements(s) / (p->n * p->n) : 0;
    p->lower = attribute_bool(ev->in, ATTRIBUTE_LOWER, false);
    p->flush = profile_rules(ev->machine->profile, p->unit).subnormal != 0;
    p->nan_due = eval_policy_is(ev, CHOICE_CHOLESKY_NOT_SPD_NAN);
    p->zero_other = eval_policy_is(ev, CHOICE_CHOLESKY_OTHER_TRIANGLE_ZERO);
    TRY(eval_charge(ev, p->batches, p->n * p->n * (p->n / 3 + 1), st));
    p->state = arena_new(ev->arena, unsigned char, (size_t)p->batches + 1);
    struct goal *g = goal_new(ev->arena, s, GOAL_BITS, ev->want_exact);
    goal_make_check(g, check, p, 0);
    for (int64_t b = 0; b < p->batches; b++)
        TRY(decompose(ev, p, g, b, st));
    eval_return_one(ev, g);
    return true;
}

const struct op op_Cholesky = {
    .name = "Cholesky", .infer = infer, .eval = eval};
