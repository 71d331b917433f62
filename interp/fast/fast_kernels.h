/* fast_kernels.h - the kernels, a file each (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_KERNELS_H
#define INTERP_FAST_FAST_KERNELS_H

#include "interp/fast/fast.h"

/* ---- fast_angle.c: the angle of a point ---------------------------------- */

fast_function2 fast_angle_atan2;

/* ---- fast_arc.c: inverse trigonometric functions ------------------------- */

fast_function fast_arc_atan;
fast_function fast_arc_asin;
fast_function fast_arc_acos;

/* ---- fast_circle.c: sine, cosine, tangent -------------------------------- */

fast_function fast_circle_sin;
fast_function fast_circle_cos;
fast_function fast_circle_tan;

/* ---- fast_error.c: the error function and its complement ----------------- */

fast_function fast_error_erf;
fast_function fast_error_erfc;

/* ---- fast_exp.c: the exponential and its hyperbolic relatives ------------ */

fast_function fast_exp_exp;
fast_function fast_exp_expm1;
fast_function fast_exp_logistic;
fast_function fast_exp_tanh;
fast_function fast_exp_sinh;
fast_function fast_exp_cosh;

/* ---- fast_log.c: the logarithm and inverse hyperbolic functions ---------- */

fast_function fast_log_log;
fast_function fast_log_log1p;
fast_function fast_log_asinh;
fast_function fast_log_acosh;
fast_function fast_log_atanh;

/* ---- fast_pair.c: arithmetic of two operands ----------------------------- */

fast_function2 fast_pair_add;
fast_function2 fast_pair_sub;
fast_function2 fast_pair_mul;
fast_function2 fast_pair_div;
fast_function2 fast_pair_rem;

/* ---- fast_power.c: one number to the power of another -------------------- */

fast_function2 fast_power_pow;

/* ---- fast_root.c: square root, its reciprocal, cube root ----------------- */

fast_function fast_root_sqrt;
fast_function fast_root_rsqrt;
fast_function fast_root_cbrt;

#endif
