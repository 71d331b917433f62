/* judge_reference.h - the reference's side of a case.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_JUDGE_REFERENCE_H
#define RUNNER_JUDGE_REFERENCE_H

#include "interp/program/case.h"
#include "interp/program/evaluate.h"

struct judge_reference {
    struct outcome *outcomes; /* of each replica */
    int replicas;
    struct literal ***outfeed;
    int *outfeed_count;
};

/* Evaluate the case, or with these inputs in place of its own. */
bool judge_reference(struct arena *a, const struct test_case *c,
                     struct literal *const *const *inputs,
                     const struct profile *profile, const struct limits *limits,
                     bool want_exact, struct judge_reference *reference,
                     struct status *st);

/* Does the case itself expect something else?  Then what. */
bool judge_reference_contradicts(struct arena *a, const struct test_case *c,
                                 const struct judge_reference *reference,
                                 char *why, size_t size);

/* The way-th combination of flushed operands: false if there are no more.
 * inputs are copies where they differ; NULL if this way changes nothing. */
bool judge_reference_flush(struct arena *a, const struct test_case *c,
                           const struct profile *profile, int way,
                           struct literal ****inputs);

#endif
