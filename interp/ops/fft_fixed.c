/* fft_fixed.c - see fft.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mpfr.h>

#include "interp/ops/fft.h"

mpz_t *fft_fixed_numbers(struct arena *a, int64_t count)
{
    mpz_t *x = arena_new(a, mpz_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        mpz_init(x[i]);
    return x;
}

void fft_fixed_forget(mpz_t *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        mpz_clear(x[i]);
}

/* e^(+-2 pi i k step / n) for k < count, in units of 2^-bits, cut off. */
static mpz_t *turns(const struct fft_fixed *p, int64_t count, int64_t step,
                    int64_t bits)
{
    mpz_t *root = fft_fixed_numbers(p->f->arena, 2 * count);
    mpfr_t pi, angle, s, c;
    mpfr_inits2((mpfr_prec_t)bits + 64, pi, angle, s, c, (mpfr_ptr)0);
    mpfr_const_pi(pi, MPFR_RNDN);
    for (int64_t k = 0; k < count; k++) {
        mpfr_mul_si(angle, pi, 2 * k * step, MPFR_RNDN);
        mpfr_div_si(angle, angle, p->n, MPFR_RNDN);
        mpfr_sin_cos(s, c, angle, MPFR_RNDN);
        if (!p->f->inverse)
            mpfr_neg(s, s, MPFR_RNDN);
        mpfr_mul_2si(c, c, bits, MPFR_RNDN);
        mpfr_mul_2si(s, s, bits, MPFR_RNDN);
        mpfr_get_z(root[2 * k], c, MPFR_RNDN);
        mpfr_get_z(root[2 * k + 1], s, MPFR_RNDN);
    }
    mpfr_clears(pi, angle, s, c, (mpfr_ptr)0);
    return root;
}

/* Products of two shorter tables, whose 32 bits more keep each product's error
 * below 2^-29 of a unit: with its rounding, a root is off by less than one. */
static void make_roots(struct fft_fixed *p)
{
    int64_t low = 1, bits = p->root_bits + 32;
    while (low * low < p->n)
        low++;
    int64_t high = (p->n + low - 1) / low;
    mpz_t *a = turns(p, low, 1, bits), *b = turns(p, high, low, bits);
    p->root = fft_fixed_numbers(p->f->arena, 2 * p->n);
    for (int64_t k = 0; k < p->n; k++) {
        mpz_t *x = a + 2 * (k % low), *y = b + 2 * (k / low);
        mpz_t *to = p->root + 2 * k;
        mpz_mul(to[0], x[0], y[0]);
        mpz_submul(to[0], x[1], y[1]);
        mpz_mul(to[1], x[0], y[1]);
        mpz_addmul(to[1], x[1], y[0]);
        for (int part = 0; part < 2; part++)
            mpz_tdiv_q_2exp(to[part], to[part],
                            (mp_bitcnt_t)(2 * bits - p->root_bits));
    }
    fft_fixed_forget(a, 2 * low);
    fft_fixed_forget(b, 2 * high);
}

/* sum += x * root[k]; quarters of a turn are exact. */
static void add_turned(struct fft_fixed *p, mpz_t *sum, mpz_t *x, int64_t k)
{
    if (4 * k % p->n == 0) {
        int turns = (int)(4 * k / p->n);
        if (!p->f->inverse)
            turns = (4 - turns) % 4;
        mpz_ptr re = x[turns & 1], im = x[!(turns & 1)];
        (turns == 1 || turns == 2 ? mpz_sub : mpz_add)(sum[0], sum[0], re);
        (turns == 2 || turns == 3 ? mpz_sub : mpz_add)(sum[1], sum[1], im);
        return;
    }
    mpz_mul(p->t[0], x[0], p->root[2 * k]);
    mpz_submul(p->t[0], x[1], p->root[2 * k + 1]);
    mpz_mul(p->t[1], x[0], p->root[2 * k + 1]);
    mpz_addmul(p->t[1], x[1], p->root[2 * k]);
    for (int part = 0; part < 2; part++) {
        mpz_tdiv_q_2exp(p->t[part], p->t[part], (mp_bitcnt_t)p->root_bits);
        mpz_add(sum[part], sum[part], p->t[part]);
    }
}

static int64_t least_factor(int64_t n)
{
    for (int64_t p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

/* Transform x[0], x[step], ... of n points into y[0..n-1]; x is scratch then.
 * A step of p sub-transforms of m points each: y[k] is the sum over s of
 * root(s k) sub_s[k mod m]. */
static void transform(struct fft_fixed *p, mpz_t *x, int64_t step, mpz_t *y,
                      int64_t n, int level)
{
    if (n == 1) {
        mpz_set(y[0], x[0]);
        mpz_set(y[1], x[1]);
        return;
    }
    int64_t r = least_factor(n), m = n / r, turn = p->n / n;
    mpz_t *sub = p->sub[level];
    if (m == 1 && n > 2) {
        fft_prime(p, x, step, y, n, sub);
        return;
    }
    for (int64_t s = 0; s < r; s++)
        transform(p, x + 2 * s * step, step * r, sub + 2 * s * m, m, level + 1);
    for (int64_t k = 0; k < n; k++) {
        mpz_set_ui(y[2 * k], 0);
        mpz_set_ui(y[2 * k + 1], 0);
        for (int64_t s = 0; s < r; s++)
            add_turned(p, y + 2 * k, sub + 2 * (s * m + k % m),
                       s * k % n * turn);
    }
}

/* Scratch for an axis: made, or freed. */
static void scratch(struct fft_fixed *p, bool make)
{
    int level = 0;
    for (int64_t n = p->n; n > 1; n /= least_factor(n), level++)
        if (make)
            p->sub[level] = fft_fixed_numbers(p->f->arena, 2 * n);
        else
            fft_fixed_forget(p->sub[level], 2 * n);
}

/* A sum of r products is off by r (error + 3): its numbers are off by error,
 * its roots by less than one in the last place of the largest number, and
 * cutting off costs less than two.  A prime length may go another way. */
static void note_errors(struct fft_fixed *p)
{
    for (int64_t n = p->n; n > 1;) {
        int64_t r = least_factor(n);
        p->error = r * (p->error + 3);
        n /= r;
        if (n == 1 && r > 2)
            p->error += r * FFT_PRIME_ERROR;
    }
}

/* One axis of the block, whose points are stride apart. */
static void transform_axis(struct fft_fixed *p, mpz_t *block, int64_t stride)
{
    int64_t n = p->n;
    for (int64_t first = 0; first < p->f->points; first++) {
        if (first / stride % n != 0)
            continue;
        for (int64_t k = 0; k < 2 * n; k++)
            mpz_set(p->x[k], block[2 * (first + k / 2 * stride) + k % 2]);
        transform(p, p->x, 1, p->y, n, 0);
        for (int64_t k = 0; k < 2 * n; k++)
            mpz_set(block[2 * (first + k / 2 * stride) + k % 2], p->y[k]);
    }
}

/* The whole block at a precision; returns the bound of its errors. */
int64_t fft_fixed_run(const struct fft *f, mpz_t *block, int64_t bits)
{
    struct fft_fixed p = {.f = f, .bits = bits};
    int64_t size = 1, stride = f->points;
    for (size_t i = 0; i < sizeof p.t / sizeof *p.t; i++)
        mpz_init(p.t[i]);
    for (int64_t i = 0; i < 2 * f->points; i++) {
        int64_t own = (int64_t)mpz_sizeinbase(f->input[i], 2);
        size = own > size ? own : size;
        mpz_mul_2exp(block[i], f->input[i], (mp_bitcnt_t)bits);
    }
    p.root_bits = size + bits + 4;
    for (int64_t n = f->points; n > 0; n /= 2)
        p.root_bits++;
    for (int i = 0; i < f->axes; i++) {
        p.n = f->n[i];
        stride /= p.n;
        p.x = fft_fixed_numbers(f->arena, 2 * p.n);
        p.y = fft_fixed_numbers(f->arena, 2 * p.n);
        make_roots(&p);
        scratch(&p, true);
        transform_axis(&p, block, stride);
        note_errors(&p);
        scratch(&p, false);
        fft_fixed_forget(p.root, 2 * p.n);
        fft_fixed_forget(p.x, 2 * p.n);
        fft_fixed_forget(p.y, 2 * p.n);
    }
    for (size_t i = 0; i < sizeof p.t / sizeof *p.t; i++)
        mpz_clear(p.t[i]);
    return p.error;
}
