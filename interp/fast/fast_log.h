/* fast_log.h - the logarithm and inverse hyperbolic functions (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_LOG_H
#define INTERP_FAST_FAST_LOG_H

#include "interp/fast/fast.h"

fast_function fast_log_log;
fast_function fast_log_log1p;
fast_function fast_log_asinh;
fast_function fast_log_acosh;
fast_function fast_log_atanh;

#endif
