/* fast_exp.h - the exponential and its hyperbolic relatives (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_EXP_H
#define INTERP_FAST_FAST_EXP_H

#include "interp/fast/fast.h"

fast_function fast_exp_exp;
fast_function fast_exp_expm1;
fast_function fast_exp_logistic;
fast_function fast_exp_tanh;
fast_function fast_exp_sinh;
fast_function fast_exp_cosh;

#endif
