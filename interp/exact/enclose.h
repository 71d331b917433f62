/* enclose.h - a real function from enclosures, refined until they decide.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For functions that MPFR lacks.  Such a function gives two numbers that its
 * value lies strictly between, proved by an explicit bound of every error; here
 * the precision is doubled until both truncate to one number.
 */
#ifndef INTERP_EXACT_ENCLOSE_H
#define INTERP_EXACT_ENCLOSE_H

#include <limits.h>
#include <mpfr.h>
#include <stdbool.h>

enum {
    ENCLOSE_BITS = 8192,         /* where refinement ends, */
    ENCLOSE_UNDECIDED = INT_MIN, /* and then the ternary value */
};

/* Set low and high, of one precision, to numbers that the value lies strictly
 * between; false if that precision gives no bounds. */
typedef bool enclose_at(const void *what, mpfr_ptr low, mpfr_ptr high);

/* y becomes the value, truncated, and the result is the ternary value.  The
 * value must not be a number of y's precision: then it is never decided. */
int enclose(mpfr_ptr y, enclose_at *at, const void *what);

#endif
