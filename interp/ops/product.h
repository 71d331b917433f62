/* product.h - products of many numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_PRODUCT_H
#define INTERP_OPS_PRODUCT_H

#include "interp/program/eval.h"

struct product;

/* type: of the factors, real or complex. */
struct product *product_open(struct eval *ev, enum dtype type);
void product_start(struct product *p);
/* Multiply by an element. */
void product_multiply(struct product *p, const struct literal *from,
                      int64_t at);
/* Is an element 1, which does not count as a factor? */
bool product_is_one(const struct literal *from, int64_t at);
/* Write element i of a goal (GOAL_SUM): every order has a relative error of as
 * many roundings as there are multiplications by other than powers of two, and
 * what partial products lose that underflow; and whether they may overflow or
 * vanish on the way. */
void product_finish(struct product *p, struct goal *g, int64_t i,
                    enum dtype accumulator);

/* ---- product_complex.c --------------------------------------------------- */
/* Products of many complex numbers; see product.h. */

struct product_complex;

/* unit is the type of a component. */
struct product_complex *product_complex_open(struct eval *ev, enum dtype unit);
void product_complex_start(struct product_complex *p);
void product_complex_multiply(struct product_complex *p, uint64_t re,
                              uint64_t im);
/* Write element i of a goal (GOAL_SUM), both of its units. */
void product_complex_finish(struct product_complex *p, struct goal *g,
                            int64_t i, enum dtype accumulator);

#endif
