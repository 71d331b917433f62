/* fft_fixed.h - Fourier transforms in fixed point, with a bound of their error.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Numbers are integers times 2^(exponent - bits); roots of unity are integers
 * times 2^-root_bits.
 */
#ifndef INTERP_OPS_FFT_FIXED_H
#define INTERP_OPS_FFT_FIXED_H

#include "interp/ops/fft.h"

struct fft_fixed {
    const struct fft *f;
    int64_t bits, root_bits;
    int64_t error;  /* of each number, in its unit: at most that modulus */
    mpz_t *x, *y;   /* re, im of each point; of a line, and scratch */
    int64_t n;      /* of this axis */
    mpz_t *root;    /* re, im of e^(+-2 pi i k / n) */
    mpz_t *sub[64]; /* scratch of each level of a transform */
    mpz_t t[6];
};

enum {
    FFT_PRIME_ERROR = 6 /* units a point, more than a plain sum of products */
};

mpz_t *fft_fixed_numbers(struct arena *a, int64_t count);
void fft_fixed_forget(mpz_t *x, int64_t count);

/* Transforms the whole block, re and im of each point; returns the bound of
 * the modulus of its errors, in units of the results. */
int64_t fft_fixed_run(const struct fft *f, mpz_t *block, int64_t bits);

/* Transform x[0], x[step], ... of n points, an odd prime number, into
 * y[0..n-1]; scratch has 2 n numbers. */
void fft_prime(struct fft_fixed *p, mpz_t *x, int64_t step, mpz_t *y, int64_t n,
               mpz_t *scratch);

#endif
