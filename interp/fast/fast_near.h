/* fast_near.h - the error of a result next to a limit of its function.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For tiny x, e^x is 1 + s and sin x is x + s, with an s that is far below an
 * ulp of the result: how far a result is from it hardly changes from one input
 * to the next, and a kernel's value, whose bound is relative to the whole, does
 * not show which of them is the largest.  Where a function has such a limit its
 * power series or another kernel gives s itself, so the bound is relative to s.
 */
#ifndef INTERP_FAST_FAST_NEAR_H
#define INTERP_FAST_FAST_NEAR_H

#include <stdbool.h>

/* s is right to that; tools/checks/check-kernels proves it. */
#define FAST_NEAR_ERROR 0x1p-40
/* For |x| up to here; of a limit at infinity, from 1 / FAST_NEAR_REACH on;
 * where a kernel gives s, for |s| up to here. */
#define FAST_NEAR_REACH 0x1p-10

/* The limit of one function; fast_near.c has the table. */
struct fast_near;

/* NULL: it has none. */
const struct fast_near *fast_near_find(const char *op);

/* got - y, where y is the function's value at x: its magnitude and the most
 * that it may be off, in ulps of y in a format of p bits.  False if x is not
 * near the limit, or got not near y, or y's binade is left open. */
bool fast_near_error(const struct fast_near *f, double x, double got, int p,
                     double *ulps, double *margin);

/* For check-kernels and tests. */
int fast_near_count(void);
const char *fast_near_op(int i);

#endif
