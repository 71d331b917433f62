/* steep.h - complex functions of operands that are not known exactly.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * In a box where a function has a derivative, it changes by no more than the
 * way that its operand goes, times the greatest modulus of that derivative.
 */
#ifndef INTERP_OPS_STEEP_H
#define INTERP_OPS_STEEP_H

#include <mpfr.h>
#include <stdbool.h>

enum {
    STEEP_BITS = 160,
    STEEP_OPERANDS = 2,
    STEEP_PARTS = 2 * STEEP_OPERANDS
};

/* The ends of the real and of the imaginary part of each operand, which a
 * function may overwrite, and what it uses besides. */
struct steep {
    mpfr_t low[STEEP_PARTS], high[STEEP_PARTS];
    mpfr_t s, t, u;
};

/* steep_NAME is for operation NAME: the greatest modulus of the derivative by
 * operand k in the box, or more, into d[k].  False if the function has none
 * somewhere, or its branch cut meets the box. */
typedef bool steep_function(struct steep *x, mpfr_t *d);

steep_function steep_cos, steep_cosh, steep_div, steep_exp, steep_log,
    steep_log1p, steep_logistic, steep_pow, steep_rsqrt, steep_sqrt, steep_tan,
    steep_tanh;

#endif
