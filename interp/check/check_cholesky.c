/* check_cholesky.c - see check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/check/check.h"
#include "interp/check/residual.h"

int64_t check_cholesky_element(const struct check_cholesky *p, int64_t first,
                               int64_t i, int64_t j)
{
    return first + (p->lower ? i * p->n + j : j * p->n + i);
}

int64_t check_cholesky_roundings(const struct check_cholesky *p)
{
    return p->parts == 1 ? p->n + 1 : 4 * (p->n + 2);
}

struct judge {
    const struct check_cholesky *p;
    const struct literal *got;
    int64_t first;
    mpfr_t re, im, x, y, bound, t; /* exact but for bound and t */
};

static void open_judge(struct judge *q, const struct check_cholesky *p,
                       const struct literal *got)
{
    *q = (struct judge){.p = p, .got = got};
    mpfr_inits2(residual_precision(p->unit), q->re, q->im, q->x, q->y,
                (mpfr_ptr)0);
    mpfr_inits2(64, q->bound, q->t, (mpfr_ptr)0);
}

static void close_judge(struct judge *q)
{
    mpfr_clears(q->re, q->im, q->x, q->y, q->bound, q->t, (mpfr_ptr)0);
}

static void load(const struct judge *q, mpfr_ptr to, const struct literal *l,
                 int64_t i, int64_t j, int part)
{
    int64_t at =
        check_cholesky_element(q->p, q->first, i, j) * q->p->parts + part;
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

/* x, minus a sum, becomes the distance from that sum to what a part of a(i, j)
 * may be. */
static void find_distance(struct judge *q, mpfr_ptr x, int64_t i, int64_t j,
                          int part)
{
    load(q, q->y, q->p->low, i, j, part);
    mpfr_add(q->y, q->y, x, MPFR_RNDN);
    load(q, q->x, q->p->high, i, j, part);
    mpfr_add(q->x, q->x, x, MPFR_RNDN);
    if (mpfr_sgn(q->y) >= 0)
        mpfr_set(x, q->y, MPFR_RNDN);
    else if (mpfr_sgn(q->x) <= 0)
        mpfr_neg(x, q->x, MPFR_RNDN);
    else
        mpfr_set_zero(x, 1);
}

/* How far the parts of a(i, j) may be from the product, in q->bound. */
static bool bound_element(struct judge *q, int64_t i, int64_t j)
{
    const struct check_cholesky *p = q->p;
    /* gamma / (1 - gamma) is gamma of twice the roundings. */
    load(q, q->x, p->high, i, i, 0);
    load(q, q->y, p->high, j, j, 0);
    mpfr_mul(q->x, q->x, q->y, MPFR_RNDU);
    mpfr_sqrt(q->t, q->x, MPFR_RNDU);
    residual_gamma(q->bound, check_cholesky_roundings(p), p->accumulator);
    if (mpfr_cmp_ui(q->bound, 1) >= 0)
        return false; /* any factor may have such a residual */
    mpfr_ui_sub(q->x, 1, q->bound, MPFR_RNDD);
    mpfr_div(q->bound, q->bound, q->x, MPFR_RNDU);
    if (p->accumulator != p->unit) {
        /* The factors are rounded to their own type as well. */
        residual_gamma(q->x, 4, p->unit);
        mpfr_add(q->bound, q->bound, q->x, MPFR_RNDU);
    }
    mpfr_mul(q->bound, q->bound, q->t, MPFR_RNDU);
    residual_tiny(q->y, p->unit, p->flush);
    load(q, q->x, p->high, i, i, 0);
    mpfr_sqrt(q->t, q->x, MPFR_RNDU);
    load(q, q->x, p->high, j, j, 0);
    mpfr_sqrt(q->x, q->x, MPFR_RNDU);
    mpfr_add(q->t, q->t, q->x, MPFR_RNDU);
    mpfr_add_ui(q->t, q->t, (unsigned long)(p->n * p->parts), MPFR_RNDU);
    mpfr_mul(q->t, q->t, q->y, MPFR_RNDU);
    mpfr_add(q->bound, q->bound, q->t, MPFR_RNDU);
    return true;
}

/* |a(i, j) - sum of l(i, k) conj(l(j, k))| <= bound, for each part.  (Of an
 * upper triangle everything is conjugated, which changes no magnitude.) */
static bool good_element(struct judge *q, int64_t i, int64_t j,
                         struct goal_finding *found)
{
    const struct check_cholesky *p = q->p;
    mpfr_set_zero(q->re, 1);
    mpfr_set_zero(q->im, 1);
    for (int64_t k = 0; k <= j; k++) {
        mpfr_sub(q->re, q->re, product(q, i, j, k, 0, 0), MPFR_RNDN);
        if (p->parts == 1)
            continue;
        mpfr_sub(q->re, q->re, product(q, i, j, k, 1, 1), MPFR_RNDN);
        mpfr_sub(q->im, q->im, product(q, i, j, k, 1, 0), MPFR_RNDN);
        mpfr_add(q->im, q->im, product(q, i, j, k, 0, 1), MPFR_RNDN);
    }
    find_distance(q, q->re, i, j, 0);
    if (p->parts == 2)
        find_distance(q, q->im, i, j, 1);
    if (!bound_element(q, i, j))
        return true;
    mpfr_max(q->re, q->re, q->im, MPFR_RNDN);
    goal_measure(found, found->unit, q->re, q->bound);
    return mpfr_cmp(q->re, q->bound) <= 0;
}

bool check_cholesky_residual(const struct check_cholesky *p, int64_t first,
                             int64_t i, int64_t j, mpfr_ptr bound)
{
    struct judge q;
    open_judge(&q, p, NULL);
    q.first = first;
    bool known = bound_element(&q, i, j);
    mpfr_set(bound, q.bound, MPFR_RNDU);
    close_judge(&q);
    return known;
}

static bool good_triangle(struct judge *q, struct goal_finding *found)
{
    const struct check_cholesky *p = q->p;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++) {
                found->unit =
                    check_cholesky_element(p, q->first, i, j) * p->parts + part;
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
            found->unit = check_cholesky_element(p, q->first, i, j) * p->parts;
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
    const struct check_cholesky *p = q->p;
    if (!p->zero_other)
        return true;
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = i + 1; j < p->n; j++)
            for (int part = 0; part < p->parts; part++) {
                found->unit =
                    check_cholesky_element(p, q->first, i, j) * p->parts + part;
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

static bool good_matrix(struct judge *q, enum check_cholesky_state state,
                        struct goal_finding *found)
{
    if (state != CHECK_CHOLESKY_DEFINITE && has_nan(q))
        return true;
    if (state != CHECK_CHOLESKY_INDEFINITE)
        return good_triangle(q, found) && good_other(q, found);
    if (!q->p->nan_due)
        return true;
    found->unit = q->first * q->p->parts;
    snprintf(found->why, sizeof found->why,
             "the matrix is not positive definite: expected NaN");
    return false;
}

bool check_cholesky(const struct goal *g, const struct literal *const *got,
                    int n, struct goal_finding *found)
{
    const struct check_cholesky *p = g->check.data;
    struct judge q;
    open_judge(&q, p, got[0]);
    bool good = true;
    for (int64_t b = 0; good && b < p->batches; b++) {
        q.first = b * p->n * p->n;
        good = good_matrix(&q, p->state[b], found);
    }
    close_judge(&q);
    return good;
}
