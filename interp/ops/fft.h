/* fft.h - discrete Fourier transforms of integers, enclosed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block of complex integers is transformed in fixed point, with roots of
 * unity from MPFR and a bound on everything that was cut off.  Where that does
 * not decide a result's truncation, more bits do, unless the result is
 * rational: which ones are is known from their conjugates (fft_exact.c).
 */
#ifndef INTERP_OPS_FFT_H
#define INTERP_OPS_FFT_H

#include <gmp.h>

#include "interp/base/arena.h"
#include "interp/exact/real.h"

enum {
    FFT_AXES = 3
};

struct fft {
    struct arena *arena;
    int axes;
    int64_t n[FFT_AXES], points; /* points: their product, at least 1 */
    bool inverse;                /* the other sign, and divided by points */
    int64_t exponent;            /* the integers' unit is 2^exponent */
    mpz_t *input;                /* re, im of each point */
    int64_t limit;               /* of precision, in bits */
    int64_t undecided;
    struct real *y; /* re, im of each point of the result */
};

/* Integers are all 0, to be set by the caller. */
void fft_open(struct fft *f);
void fft_close(struct fft *f);
void fft_run(struct fft *f);

/* ---- fft_exact.c --------------------------------------------------------- */
/* Which results of a Fourier transform are rational numbers.
 *
 * Twice the real or imaginary part of a result is an algebraic integer, in
 * units of the integers that are transformed.  With M the least common multiple
 * of 4 and the lengths, its conjugates are the same part of the results at
 * b k (each index modulo its length) for all b prime to M that are 1 modulo 4:
 * the automorphism that maps a root of unity to its power b maps result k to
 * result b k if it keeps i, and if it does not, to the conjugate of result -b
 * k.
 *
 * So it is the integer v if and only if each of them is: if all are nearer to v
 * than 1, the product of the differences, which is an integer, is 0.  And a
 * rational algebraic integer is an integer. */

/* For re and im of each point of the transformed block, which are off by at
 * most error units of 2^-bits: is it rational?  Then it is replaced with the
 * integer that is twice its value.  False if the error is too large to say. */
bool fft_exact_find(const struct fft *f, mpz_t *block, int64_t bits,
                    int64_t error, bool *exact);

/* ---- fft_fixed.c --------------------------------------------------------- */
/* Fourier transforms in fixed point, with a bound of their error.
 *
 * Numbers are integers times 2^(exponent - bits); roots of unity are integers
 * times 2^-root_bits. */

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
