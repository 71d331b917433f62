/* fast_compare.h - results against a kernel's values, many at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_COMPARE_H
#define INTERP_FAST_FAST_COMPARE_H

#include "interp/fast/fast.h"

enum {
    FAST_COMPARE_BIN = 8,  /* correctly rounded results have smaller bins */
    FAST_COMPARE_LANES = 4 /* of neighbours, which so need not wait */
};

#define FAST_COMPARE_LOOK 127.0 /* a bin: not decided here */

/* What is fixed while an array is compared. */
struct fast_compare {
    double error;  /* within which rounding is not decided, relative */
    double normal; /* smallest normal number of the type */
    double max;    /* largest finite number */
    double shift;  /* 1.5 * 2^(53 - p): leaves p bits */
    double scale;  /* 2^(p - 1) */
    double margin; /* how far an error in ulps may be off */
    bool flush;    /* a zero for a subnormal number is not measured */
};

/* Is it f32, f16 or bf16? */
bool fast_compare_takes(enum dtype type);

/* error is FAST_ERROR, or 0 for the arithmetic of two operands. */
struct fast_compare fast_compare_of(enum dtype type, double error, bool flush);

/* For each of n inputs x (of pairs the larger magnitude) with value v, whether
 * got is the correctly rounded result; then bin is that of its error
 * (verdict_bin).  It is FAST_COMPARE_LOOK where got is another number, or v's
 * bound leaves it open. ulps is the error's magnitude, at most margin off; -1
 * where it is not measured: overflow, and what flush says. */
void fast_compare_all(const struct fast_compare *c, const double *x,
                      const double *v, const double *got, int n, double *bin,
                      double *ulps);

/* How many units have which bin: the sum of count[b + FAST_COMPARE_BIN] is that
 * of bin b. */
struct fast_compare_bins {
    int64_t count[2 * FAST_COMPARE_BIN + 1][FAST_COMPARE_LANES];
};

/* Count the bins of n units from one on, up to a unit that was not decided or
 * whose error is above record: its number, or n. */
int fast_compare_count(const double *bin, const double *ulps, double record,
                       int from, int n, struct fast_compare_bins *to);

/* n patterns of a type as doubles, exactly. */
void fast_compare_read(enum dtype type, const unsigned char *data, int n,
                       double *x);
/* The larger magnitude of x and y into x. */
void fast_compare_larger(double *x, const double *y, int n);

#endif
