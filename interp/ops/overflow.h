/* overflow.h - integers that leave their type's range in some order.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Policy integer.overflow is about each addition and multiplication, wherever
 * it takes place: where terms are combined in an unspecified order, a partial
 * sum or product may overflow although the whole does not.
 */
#ifndef INTERP_OPS_OVERFLOW_H
#define INTERP_OPS_OVERFLOW_H

#include "interp/ops/monoid.h"

/* The terms of one result so far. */
struct overflow {
    enum dtype type;
    enum monoid_kind kind;
    bool open;           /* the policy leaves the result open */
    bool found;          /* to read: some order overflows */
    real_u128 up, down;  /* sums of the positive and negative terms */
    real_u128 magnitude; /* of the product of terms that are not 0 */
    bool negative, minus_one;
};

/* Does policy integer.overflow allow any value under the profile? */
bool overflow_is_any(const struct eval *ev);
/* For results of that type.  Open only of integers, where goals are wanted, and
 * under the choice any; otherwise nothing is ever found. */
struct overflow overflow_open(const struct eval *ev, enum dtype type,
                              enum monoid_kind kind);
void overflow_start(struct overflow *o);
/* One more term, a pattern of the type, or its negative. */
void overflow_term(struct overflow *o, uint64_t bits);
void overflow_negative(struct overflow *o, uint64_t bits);
/* One more term of a sum: a product of numbers of that type. */
void overflow_product(struct overflow *o, enum dtype type, uint64_t a,
                      uint64_t b);

#endif
