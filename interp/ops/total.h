/* total.h - exact sums of numbers and of products, of any length.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A total keeps the sum and the sum of magnitudes as fixed-point numbers wide
 * enough for every product of two binary64 numbers, so that nothing is ever
 * rounded and order never matters.  Infinities and NaN are counted.
 */
#ifndef INTERP_OPS_TOTAL_H
#define INTERP_OPS_TOTAL_H

#include "interp/program/eval.h"

enum {
    TOTAL_DIGITS = 144,  /* of 32 bits */
    TOTAL_LOWEST = -2208 /* exponent of the lowest bit */
};

/* Digits are signed and carried late; low and high bound those in use. */
struct total_fixed {
    int64_t digits[TOTAL_DIGITS];
    int low, high, pending;
};

struct total {
    struct total_fixed sum, magnitude, tiny; /* tiny: terms that may be flushed,
                                                or a factor of which may be */
    enum dtype unit; /* of the terms, or of their factors */
    const struct profile *profile;
    bool reads_zero; /* it lets an operation take subnormal units for zeros, */
    bool flushes;    /* and flush sums and products in the accumulator */
    int64_t terms;
    int64_t lowest;  /* exponent of the lowest bit of any term */
    int64_t nonzero; /* terms, of which the first are kept */
    struct accept_few few;
    /* Products may be rounded in this type.  Those that are below its normal
     * range and not multiples of its smallest number: what that may add or
     * remove, in total. */
    enum dtype accumulator;
    struct total_fixed underflow;
    bool trimmed;          /* some operands may be taken as TF32 */
    bool several;          /* a product of factors depends on their order */
    bool nan, plus, minus; /* infinities, */
    int64_t infinite;      /* and how many of them */
    bool unbounded; /* a product of some factors overflows the accumulator */
    bool positive, negative; /* a term other than -0 (+0 if subtracted) */
    bool running;  /* the sum is rounded to the accumulator after each term */
    int64_t block; /* declared order of additions, as total_accumulator_block
                      says */
};

/* Restart.  A product and a sum are subnormal by the accumulator's range, an
 * operand by that of its own type, the unit; each may be flushed where the
 * profile lets that type flush. */
void total_start(struct total *t, const struct eval *ev, enum dtype unit,
                 enum dtype accumulator);
void total_add(struct total *t, enum dtype unit, uint64_t bits);
/* Add a * b, or subtract it. */
void total_add_product(struct total *t, enum dtype unit, uint64_t a, uint64_t b,
                       bool subtract);

enum {
    TOTAL_FACTORS_MAX = 4
};

/* Add a product of at most TOTAL_FACTORS_MAX floats whose significands have 128
 * bits together, and that is no smaller than a product of two numbers of
 * binary64.  They may be multiplied in any order. */
struct total_factor {
    enum dtype unit;
    uint64_t bits;
};
void total_add_factors(struct total *t, const struct total_factor *factors,
                       int count);

/* Write unit i of a goal (GOAL_SUM): the total with that many roundings in
 * the accumulator; none if every order is exact. */
void total_finish(struct total *t, const struct eval *ev, struct goal *g,
                  int64_t i, int64_t roundings, enum dtype accumulator);
/* Unit i is a sum that is zero: the zero of the other sign, too, where policy
 * accumulate.zero-sign permits it. */
void total_other_zero(const struct eval *ev, struct goal *g, int64_t i,
                      bool negative);
/* The same sum in another accumulator is as right. */
void total_finish_also(struct total *t, struct goal *g, int64_t i,
                       int64_t roundings, enum dtype accumulator);

/* The type that sums of that type are accumulated in, by policy
 * accumulate.type. */
enum dtype total_accumulator(const struct eval *ev, enum dtype unit);

/* By policy accumulate.order, how many terms of a sum are added in any order
 * before these sums are added pairwise; 0: all of them. */
int64_t total_accumulator_block(const struct eval *ev);
/* Set how many of those roundings a term meets in that order, at most. */
void total_accumulator_order(const struct total *t, struct accept_sum *s,
                             int64_t roundings);

#endif
