/* slow_dynamic.h - arrays with actual sizes, and without, for tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An array whose dimensions have actual sizes must behave like the array of
 * just the elements that count.  What is beyond the sizes is noise, and
 * must never be seen.
 */
#ifndef INTERP_TEST_SLOW_DYNAMIC_H
#define INTERP_TEST_SLOW_DYNAMIC_H

#include "interp/base/random.h"
#include "interp/test/slow_program.h"

struct slow_dynamic {
    struct arena arena;
    struct random draws;
};

int64_t slow_dynamic_draw(struct slow_dynamic *t, int64_t low, int64_t high);
/* A random array of a type, from low to high; dimensions of less than their
 * bound are dynamic, some others too. */
struct literal *slow_dynamic_make(struct slow_dynamic *t, const char *type,
                                  int64_t low, int64_t high, int rank,
                                  const int64_t *bounds, const int64_t *sizes);
/* An actual size for a bound, of 0 at least or 1. */
int64_t slow_dynamic_size(struct slow_dynamic *t, int64_t least, int64_t bound);
/* Just the elements that count. */
struct literal *slow_dynamic_compact(struct slow_dynamic *t,
                                     const struct literal *l);
/* A program of one operation on these operands, or on compact ones. */
struct slow_program *slow_dynamic_program(struct slow_dynamic *t,
                                          const char *op, bool fixed, int count,
                                          struct literal *const *operands);
/* Copied, so that they need not live on. */
void slow_dynamic_ints(struct slow_program *p, enum attribute_name name,
                       int count, const int64_t *values);
/* Run both: leaf by leaf, what counts of the dynamic one is the fixed one. */
void slow_dynamic_compare(struct slow_dynamic *t, struct slow_program *dynamic,
                          struct slow_program *fixed);

#endif
