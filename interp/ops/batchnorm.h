/* batchnorm.h - what the three batch normalizations share.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each result is a real number of the form o + n / (d sqrt(w)) of exact binary
 * numbers, truncated once (real.h).  It is judged as an accumulation:
 * magnitudes are sums of the absolute values of everything that is added, with
 * each difference counted as a sum.
 */
#ifndef INTERP_OPS_BATCHNORM_H
#define INTERP_OPS_BATCHNORM_H

#include <mpfr.h>

#include "interp/program/eval.h"
#include "interp/program/infer.h"

struct batchnorm {
    struct eval *ev;
    enum dtype unit, accumulator;
    int64_t features, inner; /* element (o, f, i): (o * features + f) * inner +
                                i */
    int64_t count;           /* elements of each feature */
    mpfr_t epsilon;
    mpfr_t x, s, t; /* scratch: exact numbers of any precision */
    mpfr_t tiny;    /* what an underflow may lose */
};

enum batchnorm_class {
    BATCHNORM_FINITE,
    BATCHNORM_INFINITE,
    BATCHNORM_NAN
};

/* Check everything: operand 0 is the array, `whole` another of its shape or
 * 0, the rest are vectors. */
bool batchnorm_infer(struct infer *in, int whole, struct status *st);
/* Infer with a result like operand 0, and two vectors of its features. */
bool batchnorm_infer_three(struct infer *in, int whole, struct status *st);
/* Evaluate on the elements that count: statistics are theirs. */
bool batchnorm_dynamic(struct eval *ev, int whole, struct status *st);

void batchnorm_open(struct batchnorm *b, struct eval *ev);
void batchnorm_close(struct batchnorm *b);
/* Element number i of feature f. */
int64_t batchnorm_at(const struct batchnorm *b, int64_t f, int64_t i);
/* The worst among all elements of a feature; one element. */
enum batchnorm_class batchnorm_scan(const struct batchnorm *b, int operand,
                                    int64_t f);
enum batchnorm_class batchnorm_look(const struct batchnorm *b, int operand,
                                    int64_t i);
/* An element, exactly: sets x's precision. */
void batchnorm_load(const struct batchnorm *b, mpfr_ptr x, int operand,
                    int64_t i);
/* Set a unit to NaN; say that a unit may be anything; both. */
void batchnorm_nan(const struct batchnorm *b, struct goal *g, int64_t i);
void batchnorm_allow(const struct batchnorm *b, struct goal *g, int64_t i);
void batchnorm_free(const struct batchnorm *b, struct goal *g, int64_t i);

/* o + n / (d sqrt(w)), d and w > 0; counts in *undecided if the limit of
 * precision is reached. */
struct real batchnorm_real(const struct batchnorm *b, mpfr_srcptr o,
                           mpfr_srcptr n, mpfr_srcptr d, mpfr_srcptr w,
                           int64_t *undecided);
/* Write a unit: value, magnitude, roundings, and what underflow may add.  Where
 * the magnitude is zero, all terms are, and nothing can be lost. */
void batchnorm_set(const struct batchnorm *b, struct goal *g, int64_t i,
                   const struct real *value, mpfr_srcptr magnitude,
                   int64_t roundings, mpfr_srcptr lost);
/* Write a unit that is a number of the type, and exact in every order.  either:
 * if it is zero, both signs are right, as the signs of zeros that are added or
 * multiplied depend on how the formula is written. */
void batchnorm_exact(const struct batchnorm *b, struct goal *g, int64_t i,
                     const struct real *value, bool either);
/* An offset that is -0 keeps its sign only if -0 is added to it. */
bool batchnorm_is_minus_zero(mpfr_srcptr x);
/* Is x, an exact number, rounded to an infinity? */
bool batchnorm_is_infinite(const struct batchnorm *b, mpfr_srcptr x);
/* Does x reach the upper end of the accumulator's range? */
bool batchnorm_overflows(const struct batchnorm *b, mpfr_srcptr x);
/* May the product of two numbers overflow, each of which a few roundings moved
 * before? */
bool batchnorm_product_overflows(const struct batchnorm *b, mpfr_srcptr x,
                                 mpfr_srcptr y);

#endif
