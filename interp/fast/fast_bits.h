/* fast_bits.h - what the kernels share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_BITS_H
#define INTERP_FAST_FAST_BITS_H

#include <stdint.h>
#include <string.h>

/* A loop that is also compiled for wider vectors, where the loader can choose:
 * that of glibc can, that of musl cannot.
 * No operation is contracted or reordered, so both give the same bits. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) \
    && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) \
    && !defined(__SANITIZE_THREAD__)
#    define FAST_LOOP \
        __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#    define FAST_LOOP
#endif

/* Added to a double of magnitude below 2^51 it leaves the nearest integer in
 * the low bits of the sum. */
#define FAST_SHIFT    0x1.8p52
#define FAST_NAN      ((double)__builtin_nanf(""))
#define FAST_INFINITY ((double)__builtin_inff())

enum {
    FAST_FRACTION = 52,
    FAST_BIAS = 1023,
};

static inline uint64_t fast_bits(double x)
{
    uint64_t b;
    memcpy(&b, &x, sizeof b);
    return b;
}

static inline double fast_double(uint64_t b)
{
    double x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* x with the sign of s. */
static inline double fast_sign(double x, double s)
{
    uint64_t sign = UINT64_C(1) << 63;
    return fast_double((fast_bits(x) & ~sign) | (fast_bits(s) & sign));
}

static inline double fast_abs(double x)
{
    return fast_double(fast_bits(x) & ~(UINT64_C(1) << 63));
}

#endif
