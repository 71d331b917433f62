/* slow_run.h - run one operation on given data, for the tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_TEST_SLOW_RUN_H
#define INTERP_TEST_SLOW_RUN_H

#include "interp/base/literal.h"
#include "interp/case/case.h"
#include "interp/goal/goal.h"

/* An array from a shape ("f32[2,3]") and the patterns of its units; they are
 * repeated if there are fewer. */
struct literal *slow_run_array(struct arena *a, const char *shape, int count,
                               const uint64_t *bits);

/* The pattern of a number, "nan", "inf" or "-inf"; prints why there is none. */
uint64_t slow_run_bits(enum dtype type, const char *text);

/* One instruction on these operands under a profile, with attributes as the
 * case format writes them ("" for none).  NULL and a failure, or the goal of
 * its one array. */
struct goal *slow_run(struct arena *a, const char *op, const char *attributes,
                      const char *profile, int count,
                      struct literal *const *operands, struct status *st);
/* Runs without attributes under the profile strict; prints why it failed. */
struct goal *slow_run_strict(struct arena *a, const char *op, int count,
                             struct literal *const *operands);
/* Does what slow_run does; without want_exact only the value is sure to be
 * there, as in the first comparison with a backend's result. */
struct goal *slow_run_as(struct arena *a, const char *op,
                         const char *attributes, const char *profile,
                         bool want_exact, int count,
                         struct literal *const *operands, struct status *st);

/* A case of one instruction on x, and on y if it is not NULL; exits if it is
 * ill-typed. */
struct test_case *slow_run_case(struct arena *a, const struct limits *limits,
                                const char *op, struct literal *x,
                                struct literal *y);

#endif
