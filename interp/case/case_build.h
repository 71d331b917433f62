/* case_build.h - the program of a case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A name of a computation is looked up in the module, the case, the file, and
 * then among the built-in ones.  A program that is malformed fails with
 * STRUCTURE, ATTRIBUTE or UNSUPPORTED: that is a verdict on the program.  A
 * file that is malformed fails with INPUT.
 */
#ifndef INTERP_CASE_CASE_BUILD_H
#define INTERP_CASE_CASE_BUILD_H

#include "interp/case/case.h"

enum {
    CASE_BUILD_DEPTH_MAX = 128, /* computations that use computations */
    CASE_BUILD_SCOPES = 3,
};

struct case_build;

/* Start a program; scopes are objects of computations, NULL for none, in the
 * order in which they are searched. */
struct case_build *case_build_new(struct arena *a, const struct limits *limits,
                                  const struct json *const *scopes,
                                  struct program **program);

/* Go on to another program of the same case, with its own first scope. */
void case_build_next(struct case_build *b, const struct json *computations);

/* The entry applies one operation to its parameters.  at is the case. */
bool case_build_single(struct case_build *b, const char *op,
                       const struct json *at, int count,
                       struct literal *const *inputs, struct status *st);

/* The entry is a computation of that name.  Every computation of the first
 * scope is built. */
bool case_build_module(struct case_build *b, const struct json *name, int count,
                       struct literal *const *inputs, struct status *st);

#endif
