/* Rem.c - the remainder of elements, with the sign of the dividend.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/elementwise.h"
#include "interp/ops/integer.h"
#include "interp/program/op_way.h"

OP_MONOTONE(Rem, OP_WAY_REM, OP_WAY_REM, .arity = 2, .integer = integer_rem,
            .real2 = mpfr_fmod, .accuracy = "arithmetic", .open = true);
