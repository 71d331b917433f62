/* fast_estimate.h - about how far a result is from the function's value.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The host's long double says which of very many results of f64 may be the
 * worst.  No bound is proved, and nothing that it says is reported: what looks
 * bad is judged by the reference (judge_screen.c).
 */
#ifndef INTERP_FAST_FAST_ESTIMATE_H
#define INTERP_FAST_FAST_ESTIMATE_H

#include <stdbool.h>

typedef long double fast_estimate_function(long double x);
typedef long double fast_estimate_function2(long double x, long double y);

struct fast_estimate {
    const char *op;
    fast_estimate_function *function;
    fast_estimate_function2 *function2; /* of two, if function is NULL */
};

/* The errors of two results differ if their estimates differ by more, in ulps:
 * a few units in the last place of 64 bits, of a number of 53. */
#define FAST_ESTIMATE_DOUBT 0x1p-8

/* NULL if that operation has none, or long double has fewer than 64 bits. */
const struct fast_estimate *fast_estimate_find(const char *op);
int fast_estimate_count(void);
const struct fast_estimate *fast_estimate_at(int i);

/* The magnitudes of the errors of n results, in ulps of the value, as accept
 * and verdict measure it; infinity where only one of the two is a NaN, an
 * infinity or a zero of that sign.  y: NULL if there is one operand. */
void fast_estimate_errors(const struct fast_estimate *e, const double *x,
                          const double *y, const double *got, int n,
                          double *ulps);

#endif
