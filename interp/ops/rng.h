/* rng.h - what RngUniform and RngNormal share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_RNG_H
#define INTERP_OPS_RNG_H

#include <mpfr.h>

#include "interp/program/eval.h"
#include "interp/program/infer.h"

enum {
    RNG_PRECISION = 2304 /* differences of numbers of any type are exact */
};

/* The two parameters of a distribution. */
struct rng {
    enum dtype type;
    bool is_float;
    bool special;      /* a parameter is not a finite number */
    uint64_t bits[2];  /* their patterns, */
    mpfr_ptr value[2]; /* and values: exact, in the arena */
    mpfr_ptr width;    /* the second less the first */
};

/* Two scalars and a shape of one type. */
bool rng_infer(struct infer *in, struct status *st);
struct rng *rng_open(struct eval *ev);
/* The reference's own random words: the first of number k for element i, and
 * both. */
uint64_t rng_word(int64_t i, int k);
void rng_pair(int64_t i, int k, uint64_t pair[2]);

/* a < b, as values. */
bool rng_below(const struct rng *r, uint64_t a, uint64_t b);
/* Which of as many equal parts of the interval from the first to the second
 * parameter x lies in. */
int rng_bin(const struct rng *r, uint64_t x, int bins);
/* Where x lies between the two: from -1 to 1, times 2^bits. */
int64_t rng_place(const struct rng *r, uint64_t x, int bits);
/* Of a range of integers, how many lie in that part. */
int64_t rng_share(int64_t range, int bins, int which);
/* At least that many floats lie in the interval, evenly spaced. */
int64_t rng_numbers(const struct rng *r);

#endif
