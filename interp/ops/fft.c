/* fft.c - see fft.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/fft.h"

#include "interp/ops/matrix.h"

void fft_open(struct fft *f)
{
    f->points = 1;
    for (int i = 0; i < f->axes; i++)
        f->points *= f->n[i];
    f->undecided = 0;
    f->input = arena_new(f->arena, mpz_t, 2 * (size_t)f->points);
    f->y = arena_new(f->arena, struct real, 2 * (size_t)f->points);
    for (int64_t i = 0; i < 2 * f->points; i++)
        mpz_init(f->input[i]);
}

void fft_close(struct fft *f)
{
    for (int64_t i = 0; i < 2 * f->points; i++)
        mpz_clear(f->input[i]);
}

/* One result: what is known of it, in units of 2^(exponent - bits). */
struct guess {
    int64_t bits, error;
    mpz_t x, low, high, one;
};

static struct real as_real(const struct fft *f, const struct guess *g,
                           mpz_srcptr x)
{
    return matrix_quotient(x, g->one, f->exponent - g->bits);
}

/* Do both ends have the same 128 bits? */
static bool settle(const struct fft *f, struct guess *g, mpz_srcptr x,
                   int64_t error, struct real *y)
{
    mpz_set(g->x, x);
    g->error = error;
    if (f->inverse) {
        mpz_tdiv_q_ui(g->x, g->x, (unsigned long)f->points);
        g->error = error / f->points + 2;
    }
    mpz_set_si(g->low, g->error);
    mpz_add(g->high, g->x, g->low);
    mpz_sub(g->low, g->x, g->low);
    if (mpz_sgn(g->low) * mpz_sgn(g->high) <= 0)
        return false;
    struct real a = as_real(f, g, g->low), b = as_real(f, g, g->high);
    if (a.exponent != b.exponent || a.significand != b.significand)
        return false;
    a.inexact = true;
    *y = a;
    return true;
}

/* One point is its own transform, exactly. */
static void copy(struct fft *f)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    for (int i = 0; i < 2; i++)
        f->y[i] = matrix_quotient(f->input[i], one, f->exponent);
    mpz_clear(one);
}

/* Rational results, from twice their value before the division. */
static int64_t take_exact(struct fft *f, mpz_t *block, const bool *exact)
{
    mpz_t divisor;
    int64_t taken = 0;
    mpz_init_set_si(divisor, f->inverse ? 2 * f->points : 2);
    for (int64_t i = 0; i < 2 * f->points; i++)
        if (exact[i]) {
            f->y[i] = matrix_quotient(block[i], divisor, f->exponent);
            taken++;
        }
    mpz_clear(divisor);
    return taken;
}

void fft_run(struct fft *f)
{
    struct guess g;
    int64_t left = 2 * f->points;
    if (f->points == 1) {
        copy(f);
        return;
    }
    bool *done = arena_new(f->arena, bool, (size_t)left), known = false;
    mpz_t *block = fft_fixed_numbers(f->arena, left);
    mpz_inits(g.x, g.low, g.high, NULL);
    mpz_init_set_ui(g.one, 1);
    for (g.bits = 192; left > 0; g.bits *= 2) {
        int64_t error = fft_fixed_run(f, block, g.bits);
        bool last = 2 * g.bits > f->limit;
        if (!known) {
            known = fft_exact_find(f, block, g.bits, error, done);
            left -= known ? take_exact(f, block, done) : 0;
        }
        for (int64_t i = 0; i < 2 * f->points; i++) {
            if (done[i])
                continue;
            done[i] = settle(f, &g, block[i], error, &f->y[i]);
            if (!done[i] && last) {
                done[i] = true;
                f->y[i] = as_real(f, &g, g.x);
                f->undecided++;
            }
            left -= done[i];
        }
    }
    mpz_clears(g.x, g.low, g.high, g.one, NULL);
    fft_fixed_forget(block, 2 * f->points);
}
