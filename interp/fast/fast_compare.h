/* fast_compare.h - results against a kernel's values, many at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_COMPARE_H
#define INTERP_FAST_FAST_COMPARE_H

#include <stdint.h>

#include "interp/fast/fast.h"

enum {
    FAST_COMPARE_BLOCK = 256, /* units at once */
    FAST_COMPARE_BIN = 4,   /* correctly rounded results have no larger bins */
    FAST_COMPARE_MOST = 64, /* the largest bin that is told here */
    FAST_COMPARE_BINS = 2 * FAST_COMPARE_MOST + 1,
    /* A place is a bin's size, with this bit if the result is too small; so 0
     * and that bit are both bin 0. */
    FAST_COMPARE_BELOW = 0x80,
    FAST_COMPARE_OPEN = 0x7f /* not decided here */
};

/* Constants of a comparison of two arrays. */
struct fast_compare {
    double error;  /* within which rounding is not decided, relative */
    double normal; /* smallest normal number of the type */
    double max;    /* largest finite number */
    double beyond; /* from here on, infinity is the correctly rounded result */
    double shift;  /* 1.5 * 2^(53 - p): leaves p bits */
    double scale;  /* 2^(p - 1) */
    double margin; /* how far an error in ulps may be off */
    bool flush;    /* a zero for a subnormal number is not measured */
    /* Other results that are right: of a bin up to that, from low to high. */
    int wide; /* at least FAST_COMPARE_BIN, then there are none */
    double low, high;
};

/* Is it f32, f16 or bf16? */
bool fast_compare_takes(enum dtype type);

/* error is FAST_ERROR, or 0 for one operation of the processor.  Only the
 * correctly rounded result is right. */
struct fast_compare fast_compare_of(enum dtype type, double error, bool flush);
/* Any other of low to high whose error is below ulps is right, too. */
void fast_compare_allow(struct fast_compare *c, double ulps, double low,
                        double high);

/* The alignment of an array of a block: no vector of it is in two cache lines.
 */
#define FAST_COMPARE_ALIGNED _Alignas(64)

/* The result for a block. */
struct fast_compare_block {
    FAST_COMPARE_ALIGNED uint8_t
        place[FAST_COMPARE_BLOCK]; /* see fast_compare_place */
    /* Eight times its error's magnitude, at most 8 margins off; below 0 where
     * it is not measured: overflow, and what flush says.  Anything where it is
     * open. */
    FAST_COMPARE_ALIGNED double eighths[FAST_COMPARE_BLOCK];
    double most;     /* eighths that are not open, at most; -1: none */
    bool open, wide; /* is a unit open; is a bin above FAST_COMPARE_BIN? */
    bool nan;        /* v is NaN for all units */
};

/* Eight rows of places are packed into one of words of 8 bytes. */
static inline uint8_t fast_compare_place(const struct fast_compare_block *b,
                                         int unit)
{
    const int row = FAST_COMPARE_BLOCK / 8;
    return b->place[unit % row * 8 + unit / row];
}

/* The bin of a place that is not open. */
static inline int fast_compare_bin(uint8_t place)
{
    int bin = place & (FAST_COMPARE_BELOW - 1);
    return place & FAST_COMPARE_BELOW ? -bin : bin;
}

/* For each of n <= FAST_COMPARE_BLOCK inputs x (of pairs the larger magnitude)
 * with value v, whether got is the correctly rounded result or another that is
 * right, and which bin its error is in (verdict_bin).  It is open where got is
 * another number, or v's bound does not decide it. */
void fast_compare_all(const struct fast_compare *c, const double *x,
                      const double *v, const double *got, int n,
                      struct fast_compare_block *to);

/* Add how many of n units, but for the open ones, have which bin to count, from
 * -FAST_COMPARE_MOST on. */
void fast_compare_count(const struct fast_compare_block *block, int n,
                        int64_t *count);

/* n patterns of a type as doubles, exactly. */
void fast_compare_read(enum dtype type, const unsigned char *data, int n,
                       double *x);
/* The larger magnitude of x and y into x; NaN if one is. */
void fast_compare_larger(double *x, const double *y, int n);

#endif
