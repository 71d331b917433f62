/* fft_exact.h - which results of a Fourier transform are rational numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
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
 * rational algebraic integer is an integer.
 */
#ifndef INTERP_OPS_FFT_EXACT_H
#define INTERP_OPS_FFT_EXACT_H

#include "interp/ops/fft.h"

/* For re and im of each point of the transformed block, which are off by at
 * most error units of 2^-bits: is it rational?  Then it is replaced with the
 * integer that is twice its value.  False if the error is too large to say. */
bool fft_exact_find(const struct fft *f, mpz_t *block, int64_t bits,
                    int64_t error, bool *exact);

#endif
