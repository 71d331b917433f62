/* fft.h - discrete Fourier transforms of integers, enclosed.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A block of complex integers is transformed in fixed point, with roots of
 * unity from MPFR and a bound on everything that was cut off.  Where that does
 * not decide a result's truncation, more bits do, unless the result is
 * rational: which ones are is known from their conjugates (fft_exact.h).
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

#endif
