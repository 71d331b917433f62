/* fast_compare.h - results against a kernel's values, many at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_COMPARE_H
#define INTERP_FAST_FAST_COMPARE_H

#include "interp/fast/fast.h"

enum {
    FAST_COMPARE_BIN = 8,   /* correctly rounded results have smaller bins */
    FAST_COMPARE_LOOK = 127 /* not decided here */
};

/* What is fixed while an array is compared. */
struct fast_compare {
    double error;  /* bound of the values, relative */
    double normal; /* smallest normal number of the type */
    double max;    /* largest finite number */
    double shift;  /* 1.5 * 2^(53 - p): leaves p bits */
    double scale;  /* 2^(p - 1) */
    int precision; /* p */
    double margin; /* how far an error in ulps may be off */
    bool flush;    /* a zero for a subnormal number is not measured */
};

/* The type is one with infinities and at most 24 bits of precision. */
struct fast_compare fast_compare_of(enum dtype type, double error, bool flush);

/* For each of n inputs x with value v, whether got is the correctly rounded
 * result; then bin is that of its error (verdict_bin).  It is
 * FAST_COMPARE_LOOK where got is another number, or v's bound leaves it open.
 * ulps is the error's magnitude, at most margin off; -1 where it is not
 * measured: overflow, and what flush says. */
void fast_compare_all(const struct fast_compare *c, const double *x,
                      const double *v, const double *got, int n, int *bin,
                      double *ulps);

/* Count the bins of units from the first on, up to one that was not decided or
 * whose error is above record: its number, or n.  to[b + FAST_COMPARE_BIN] is
 * the count of bin b. */
int fast_compare_count(const int *bin, const double *ulps, double record, int n,
                       int64_t *to);

/* n patterns of f32 as doubles, exactly. */
void fast_compare_read(const unsigned char *data, int n, double *x);

#endif
