/* monoid.h - operations on patterns that are the same in every order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_MONOID_H
#define INTERP_OPS_MONOID_H

#include "interp/program/eval.h"

typedef uint64_t monoid_fold(enum dtype type, uint64_t a, uint64_t b);

/* Integer and pred Add, Mul, And, Or, Xor, Min, Max, and Min and Max of real
 * floats; NULL: not one of these. */
monoid_fold *monoid_find(const char *op, enum dtype type);

/* Does a policy leave the result of Min or Max on these two open (a NaN, or
 * zeros of both signs)? */
bool monoid_is_open(const struct eval *ev, enum dtype type, uint64_t a,
                    uint64_t b);

#endif
