/* product_complex.h - products of many complex numbers; see product.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_PRODUCT_COMPLEX_H
#define INTERP_OPS_PRODUCT_COMPLEX_H

#include "interp/program/eval.h"

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
