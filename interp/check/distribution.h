/* distribution.h - the two parameters of a distribution, and what lies between
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_CHECK_DISTRIBUTION_H
#define INTERP_CHECK_DISTRIBUTION_H

#include <mpfr.h>

#include "interp/exact/real.h"

enum {
    DISTRIBUTION_PRECISION =
        2304 /* differences of numbers of any type are exact */
};

/* The two parameters of a distribution. */
struct distribution {
    enum dtype type;
    bool is_float;
    bool special;      /* a parameter is not a finite number */
    uint64_t bits[2];  /* their patterns, */
    mpfr_ptr value[2]; /* and values: exact, in the arena */
    mpfr_ptr width;    /* the second less the first */
};

/* a < b, as values. */
bool distribution_below(const struct distribution *r, uint64_t a, uint64_t b);
/* Returns which of as many equal parts of the interval from the first to the
 * second parameter has x. */
int distribution_bin(const struct distribution *r, uint64_t x, int bins);
/* Where x lies between the two: from -1 to 1, times 2^bits. */
int64_t distribution_place(const struct distribution *r, uint64_t x, int bits);
/* How many of a range of integers lie in that part. */
int64_t distribution_share(int64_t range, int bins, int which);
/* At least that many floats lie in the interval, evenly spaced. */
int64_t distribution_numbers(const struct distribution *r);
/* For integers: the least, and how many there are; 0 if the interval is empty.
 */
uint64_t distribution_range(const struct distribution *r, uint64_t *low);
/* Large normal samples have mean 0 and a power of two, 2^*by, as deviation:
 * those are scaled by the exponent only. */
bool distribution_power(const struct distribution *r, int64_t *by);

#endif
