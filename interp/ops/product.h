/* product.h - products of many floats.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_PRODUCT_H
#define INTERP_OPS_PRODUCT_H

#include "interp/program/eval.h"

struct product;

struct product *product_open(struct eval *ev);
void product_start(struct product *p, enum dtype unit);
void product_multiply(struct product *p, uint64_t bits);
/* Write unit i of a goal (GOAL_SUM): every order has a relative error of as
 * many roundings as there are multiplications by other than powers of two, and
 * what partial products lose that underflow; and whether they may overflow or
 * vanish on the way. */
void product_finish(struct product *p, struct goal *g, int64_t i,
                    enum dtype accumulator);

#endif
