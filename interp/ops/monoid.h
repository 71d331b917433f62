/* monoid.h - operations on patterns that are the same in every order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_MONOID_H
#define INTERP_OPS_MONOID_H

#include "interp/program/eval.h"

typedef uint64_t monoid_fold(enum dtype type, uint64_t a, uint64_t b);

/* The kind of a monoid.  Floats differ, as rounding shows the order: their sums
 * and products have goals of their own (total.h, product.h). */
enum monoid_kind {
    MONOID_EXACT,
    MONOID_SUM,
    MONOID_PRODUCT
};

/* An operation's trait: the function of patterns of each class of type, NULL
 * where there is none. */
struct monoid {
    monoid_fold *pred, *integer, *real;
    enum monoid_kind kind;
};

extern const struct monoid monoid_add, monoid_mul, monoid_and, monoid_or,
    monoid_xor, monoid_min, monoid_max;

/* Its function for that type, or NULL. */
monoid_fold *monoid_find(const struct monoid *m, enum dtype type);

/* Is op (which may be NULL) a rounded sum, or product, of that type? */
bool monoid_rounds(const struct op *op, enum dtype type, enum monoid_kind kind);

/* Under the profile, may Min or Max drop a NaN (policy max.nan), and be either
 * of two zeros (max.signed-zero)? */
bool monoid_drops_nan(const struct eval *ev);
bool monoid_swaps_zeros(const struct eval *ev);
/* Does either leave the result of Min or Max on these two open? */
bool monoid_is_open(const struct eval *ev, enum dtype type, uint64_t a,
                    uint64_t b);

#endif
