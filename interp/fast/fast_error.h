/* fast_error.h - the error function and its complement (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FAST_FAST_ERROR_H
#define INTERP_FAST_FAST_ERROR_H

#include "interp/fast/fast.h"

fast_function fast_error_erf;
fast_function fast_error_erfc;

#endif
