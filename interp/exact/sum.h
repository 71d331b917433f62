/* sum.h - exact sums of products of one element type, fast.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A product of two numbers is an integer times a power of two, and there are
 * few such powers: each has a bin for its positive and one for its negative
 * products, to which an integer is added.  Nothing is shifted, compared or
 * rounded until the sum is asked for, and the bins give the exact sum of
 * magnitudes as well.
 */
#ifndef INTERP_EXACT_SUM_H
#define INTERP_EXACT_SUM_H

#include "interp/base/arena.h"
#include "interp/exact/real.h"

enum {
    SUM_BINS = 4096,               /* sums of two of f64's exponents */
    SUM_LIMBS = SUM_BINS / 64 + 4, /* of 64 bits: all bins, and carries */
    SUM_PENDING = 1 << 20,         /* products that a bin has room for */
};

struct sum {
    enum dtype type;
    bool negative; /* no term yet that was not negative (or -0) */
    int64_t terms, pending;
    int64_t infinities[2], nans; /* inf * 0 is a NaN */
    int low, high;               /* bins in use; none if low > high */
    real_u128 bin[2][SUM_BINS];  /* positive, negative */
    uint64_t total[2][SUM_LIMBS];
};

/* An empty sum of products of that float type; 133 KB. */
struct sum *sum_new(struct arena *a, enum dtype type);

void sum_add(struct sum *s, uint64_t bits);
void sum_add_product(struct sum *s, uint64_t a, uint64_t b);
/* n products; strides in bytes. */
void sum_add_products(struct sum *s, const unsigned char *a, int64_t a_stride,
                      const unsigned char *b, int64_t b_stride, int64_t n);

/* The sum and the sum of magnitudes, and start anew.  NaN and infinities as
 * their counts say.  A sum of zeros is -0 if there are terms and all are -0;
 * terms that cancel give +0. */
void sum_get(struct sum *s, struct real *sum, struct real *magnitude);

#endif
