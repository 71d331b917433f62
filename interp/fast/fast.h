/* fast.h - kernels: functions in double, with a proved bound.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel gives f(x) of numbers of f32, in double, so close to the exact value
 * y that it decides the result's rounding, and its error in ulps to some
 * digits, for all but very few inputs; those few go to MPFR
 * (interp/filter/judge_fast.c). Its bound, FAST_ERROR, is proved by
 * tools/checks/check-kernels from the source itself, and compared with MPFR by
 * tools/checks/check-exhaustive (spec/kernels.md).
 *
 * A sum, difference, product or quotient of two numbers of p bits, rounded to
 * 53 >= 2 p + 2 bits and then to p or fewer, is as though it were rounded once
 * (Figueroa, When is double rounding innocuous?, SIGNUM Newsletter 30, 1995),
 * and a remainder is exact: these kernels need no bound.
 *
 * A kernel uses +, -, *, / and square roots of IEEE 754 binary64 only, each
 * rounded to nearest, so its values are the same on every machine.
 */
#ifndef INTERP_FAST_FAST_H
#define INTERP_FAST_FAST_H

#include <stdbool.h>

#include "interp/base/dtype.h"

/* |v - y| <= FAST_ERROR |y| for FAST_TINY <= |y| <= FAST_HUGE.  Below and
 * above |v| is too, with y's sign.  v is NaN where y is, infinite at a pole,
 * and a zero of the right sign where y is zero.  Infinite operands are
 * unspecified. */
#define FAST_ERROR 0x1p-48
#define FAST_TINY  0x1p-180
#define FAST_HUGE  0x1p130

/* n operands; v does not overlap them. */
typedef void fast_function(const double *x, double *v, int n);
typedef void fast_function2(const double *x, const double *y, double *v, int n);

struct fast_kernel {
    const char *op;
    const char *source; /* the file that it is in; NULL: one operation of the
                           processor */
    fast_function *function;
    fast_function2 *function2; /* of two operands, if function is NULL */
};

/* NULL if that operation has none. */
const struct fast_kernel *fast_find(const char *op);
int fast_count(void);
const struct fast_kernel *fast_at(int i);

/* Can the processor's arithmetic be relied on: rounded to nearest, nothing
 * flushed?  Asked before each array. */
bool fast_is_ieee(void);

#endif
