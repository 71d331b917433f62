/* fast_compare.h - results against a kernel's values, many at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_COMPARE_H
#define INTERP_FAST_FAST_COMPARE_H

#include <stdint.h>

#include "interp/fast/fast.h"

enum {
    FAST_COMPARE_BIN = 4, /* correctly rounded results have no larger bins */
    FAST_COMPARE_BINS = 2 * FAST_COMPARE_BIN + 1,
    FAST_COMPARE_FIELD = 7,   /* bits of a count */
    FAST_COMPARE_BLOCK = 256, /* units at once */
    FAST_COMPARE_OPEN = 63    /* a place: not decided here */
};

/* What is fixed while an array is compared. */
struct fast_compare {
    double error;  /* within which rounding is not decided, relative */
    double normal; /* smallest normal number of the type */
    double max;    /* largest finite number */
    double beyond; /* from here on, infinity is the correctly rounded result */
    double shift;  /* 1.5 * 2^(53 - p): leaves p bits */
    double scale;  /* 2^(p - 1) */
    double margin; /* how far an error in ulps may be off */
    bool flush;    /* a zero for a subnormal number is not measured */
};

/* Is it f32, f16 or bf16? */
bool fast_compare_takes(enum dtype type);

/* error is FAST_ERROR, or 0 for one operation of the processor. */
struct fast_compare fast_compare_of(enum dtype type, double error, bool flush);

/* The result for a block. */
struct fast_compare_block {
    /* Of each unit: (bin + FAST_COMPARE_BIN) * FAST_COMPARE_FIELD, or
     * FAST_COMPARE_OPEN. */
    uint64_t place[FAST_COMPARE_BLOCK];
    /* Its error's magnitude, at most margin off; -1 where it is not measured:
     * overflow, what flush says, and what is open. */
    double ulps[FAST_COMPARE_BLOCK];
};

/* For each of n <= FAST_COMPARE_BLOCK inputs x (of pairs the larger magnitude)
 * with value v, whether got is the correctly rounded result, and which bin its
 * error is in (verdict_bin).  It is open where got is another number, or v's
 * bound does not decide it. */
void fast_compare_all(const struct fast_compare *c, const double *x,
                      const double *v, const double *got, int n,
                      struct fast_compare_block *to);

/* Add how many of n units have which bin to count, from -FAST_COMPARE_BIN on,
 * and raise most to their largest error.  True if some are open. */
bool fast_compare_count(const struct fast_compare_block *block, int n,
                        int64_t *count, double *most);

/* n patterns of a type as doubles, exactly. */
void fast_compare_read(enum dtype type, const unsigned char *data, int n,
                       double *x);
/* The larger magnitude of x and y into x; NaN if one is. */
void fast_compare_larger(double *x, const double *y, int n);

#endif
