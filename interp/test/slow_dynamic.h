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

enum {
    SLOW_DYNAMIC_RANK = 3
};

/* An array of random sizes, other operands of an operation, and programs of it:
 * on them, and on just what counts of them. */
struct slow_dynamic {
    struct arena arena;
    struct random draws;
    int rank;
    int64_t bounds[SLOW_DYNAMIC_RANK], sizes[SLOW_DYNAMIC_RANK];
    struct literal *operands[3];
    struct slow_program *p[2];
};

int64_t slow_dynamic_draw(struct slow_dynamic *t, int64_t low, int64_t high);
/* A random array of a type, from low to high; dimensions of less than their
 * bound are dynamic, some others too. */
struct literal *slow_dynamic_make(struct slow_dynamic *t, const char *type,
                                  int64_t low, int64_t high, int rank,
                                  const int64_t *bounds, const int64_t *sizes);
/* An actual size for a bound. */
int64_t slow_dynamic_size(struct slow_dynamic *t, int64_t bound);
/* Just the elements that count. */
struct literal *slow_dynamic_compact(struct slow_dynamic *t,
                                     const struct literal *l);
/* A program of one operation on these operands, or on compact ones. */
struct slow_program *slow_dynamic_program(struct slow_dynamic *t,
                                          const char *op, bool fixed, int count,
                                          struct literal *const *operands);

/* Make an array, operand 0. */
void slow_dynamic_sample(struct slow_dynamic *t);
/* Make both programs of count operands. */
void slow_dynamic_open(struct slow_dynamic *t, const char *op, int count);
/* Give both an attribute. */
void slow_dynamic_ints(struct slow_dynamic *t, enum attribute_name name,
                       int count, const int64_t *ints);
void slow_dynamic_int(struct slow_dynamic *t, enum attribute_name name,
                      int64_t value);
void slow_dynamic_builtin(struct slow_dynamic *t, enum attribute_name name,
                          const char *builtin);
/* Run both: leaf by leaf, what counts of the dynamic one is the fixed one. */
void slow_dynamic_compare(struct slow_dynamic *t);
/* Run checks many times, more with ASSAY_TEST_LONG; ends at NULL. */
typedef void slow_dynamic_check(void);
void slow_dynamic_repeat(struct slow_dynamic *t,
                         slow_dynamic_check *const *checks);

#endif
