/* matrix.c - see matrix.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/matrix.h"

#include <assert.h>

void matrix_open(struct matrix *m, struct arena *a, int64_t rows,
                 int64_t columns, int parts)
{
    int64_t n = rows * columns * parts;
    m->rows = rows;
    m->columns = columns;
    m->parts = parts;
    m->exponent = 0;
    m->at = arena_new(a, mpz_t, (size_t)n + 1);
    for (int64_t i = 0; i < n; i++)
        mpz_init(m->at[i]);
}

void matrix_close(struct matrix *m)
{
    for (int64_t i = 0; i < m->rows * m->columns * m->parts; i++)
        mpz_clear(m->at[i]);
}

mpz_ptr matrix_at(const struct matrix *m, int64_t row, int64_t column, int part)
{
    return m->at[(row * m->columns + column) * m->parts + part];
}

/* A number as an odd integer times a power of two. */
static uint64_t odd_part(const struct real *r, int64_t *exponent)
{
    real_u128 s = r->significand;
    int zeros = 0;
    if (r->kind == REAL_ZERO)
        return 0;
    while (!(s & 1)) {
        s >>= 1;
        zeros++;
    }
    *exponent = r->exponent - 127 + zeros;
    return (uint64_t)s;
}

static struct real element(const struct matrix *m, const struct literal *l,
                           matrix_place *place, const void *context, int64_t i,
                           int part)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    bool conjugate = false;
    int64_t at = place(context, i / m->columns, i % m->columns, &conjugate);
    struct real r = real_from_int(at == -2 && part == 0);
    if (at >= 0) {
        r = real_from_bits(unit, literal_get(l, at * m->parts + part));
        if (part == 1 && conjugate)
            r.negative = !r.negative;
    }
    assert(r.kind <= REAL_FINITE);
    return r;
}

int64_t matrix_read(struct matrix *m, const struct literal *l,
                    matrix_place *place, const void *context)
{
    int64_t lowest = INT64_MAX, e, bits = 0, n = m->rows * m->columns;
    for (int64_t i = 0; i < n; i++)
        for (int part = 0; part < m->parts; part++) {
            struct real r = element(m, l, place, context, i, part);
            if (odd_part(&r, &e) != 0 && e < lowest)
                lowest = e;
        }
    /* An even exponent has a square root that is one too. */
    m->exponent = lowest == INT64_MAX ? 0 : lowest - (lowest & 1);
    for (int64_t i = 0; i < n; i++)
        for (int part = 0; part < m->parts; part++) {
            struct real r = element(m, l, place, context, i, part);
            mpz_ptr to = m->at[i * m->parts + part];
            uint64_t odd = odd_part(&r, &e);
            mpz_set_ui(to, odd);
            if (odd == 0)
                continue;
            mpz_mul_2exp(to, to, (mp_bitcnt_t)(e - m->exponent));
            if (r.negative)
                mpz_neg(to, to);
            int64_t size = (int64_t)mpz_sizeinbase(to, 2);
            bits = size > bits ? size : bits;
        }
    return bits;
}

bool matrix_in_triangle(const struct shape *s, int64_t element, bool lower)
{
    int64_t n = s->dims[s->rank - 1], i = element / n % n, j = element % n;
    return lower ? i >= j : i <= j;
}

/* ---- Truncation ---------------------------------------------------------- */

/* A number just at or above x * 2^exponent in magnitude, x >= 0. */
static struct real cut_off(mpz_ptr x, bool inexact, bool negative,
                           int64_t exponent)
{
    struct real r = {.kind = REAL_ZERO, .width = 128, .negative = negative};
    if (mpz_sgn(x) == 0)
        return r;
    int64_t bits = (int64_t)mpz_sizeinbase(x, 2);
    r.kind = REAL_FINITE;
    r.exponent = bits - 1 + exponent;
    if (bits > 128) {
        mp_bitcnt_t cut = (mp_bitcnt_t)(bits - 128);
        inexact = inexact || mpz_scan1(x, 0) < cut;
        mpz_tdiv_q_2exp(x, x, cut);
    } else {
        mpz_mul_2exp(x, x, (mp_bitcnt_t)(128 - bits));
    }
    r.inexact = inexact;
    uint64_t low = mpz_get_ui(x);
    mpz_tdiv_q_2exp(x, x, 64);
    r.significand = (real_u128)mpz_get_ui(x) << 64 | low;
    return r;
}

struct real matrix_quotient(mpz_srcptr number, mpz_srcptr divisor,
                            int64_t exponent)
{
    mpz_t q, r;
    mpz_inits(q, r, NULL);
    int64_t shift = 130 - (int64_t)mpz_sizeinbase(number, 2)
                    + (int64_t)mpz_sizeinbase(divisor, 2);
    if (shift < 0)
        shift = 0;
    mpz_mul_2exp(q, number, (mp_bitcnt_t)shift);
    mpz_tdiv_qr(q, r, q, divisor);
    bool negative =
        mpz_sgn(number) != 0 && (mpz_sgn(number) < 0) != (mpz_sgn(divisor) < 0);
    bool inexact = mpz_sgn(r) != 0;
    mpz_abs(q, q);
    struct real out = cut_off(q, inexact, negative, exponent - shift);
    mpz_clears(q, r, NULL);
    return out;
}

struct real matrix_root(mpz_srcptr number, mpz_srcptr square, int64_t exponent)
{
    mpz_t q, r;
    mpz_inits(q, r, NULL);
    int64_t shift = 132 - (int64_t)mpz_sizeinbase(number, 2)
                    + (int64_t)mpz_sizeinbase(square, 2) / 2;
    if (shift < 0)
        shift = 0;
    mpz_mul(q, number, number);
    mpz_mul_2exp(q, q, 2 * (mp_bitcnt_t)shift);
    mpz_tdiv_qr(q, r, q, square);
    bool inexact = mpz_sgn(r) != 0;
    mpz_sqrtrem(q, r, q);
    inexact = inexact || mpz_sgn(r) != 0;
    struct real out =
        cut_off(q, inexact, mpz_sgn(number) < 0, exponent - shift);
    mpz_clears(q, r, NULL);
    return out;
}
