/* deviation_unit.h - a case with one element of its arrays.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Most deviations do not explain a wrong result, and one wrong unit shows it.
 * Where every operation computes an element from those of its place only, that
 * unit is what a program of scalars gives: a thousandth of the work.
 */
#ifndef INTERP_DEVIATION_DEVIATION_UNIT_H
#define INTERP_DEVIATION_DEVIATION_UNIT_H

#include "interp/case/case.h"

/* The same program for the scalars at that element of each input; NULL if an
 * operation of it looks at other elements, or its arrays differ in shape. */
struct test_case *deviation_unit(struct arena *a, const struct test_case *c,
                                 int64_t element);

/* That element of an array, as a scalar. */
struct literal *deviation_unit_of(struct arena *a, const struct literal *l,
                                  int64_t element);

#endif
