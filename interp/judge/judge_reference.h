/* judge_reference.h - the reference's side of a case.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_JUDGE_JUDGE_REFERENCE_H
#define INTERP_JUDGE_JUDGE_REFERENCE_H

#include "interp/case/case.h"
#include "interp/program/evaluate.h"

/* An array that a process writes to the outfeed. */
struct judge_fed {
    struct literal *value;
    const struct goal *goal;        /* NULL without want_exact */
    const struct instruction *from; /* the Outfeed, and which leaf of it */
    int leaf;
};

struct judge_reference {
    struct outcome *outcomes; /* of each replica */
    int replicas;
    struct literal ***outfeed;
    int *outfeed_count;
    struct judge_fed **fed; /* the arrays of the items, in order */
    int *fed_count;
};

struct custom_lookup;
struct bound_result;

/* evaluate_program, or something like it. */
typedef bool judge_evaluate(void *context, struct arena *a,
                            struct machine *machine,
                            struct literal *const *const *inputs,
                            struct outcome *outcomes, struct status *st);

/* How a case is evaluated. */
struct judge_mode {
    const struct profile *profile;
    const struct limits *limits;
    const struct custom_lookup *custom_calls; /* NULL: there are none */
    bool want_exact;
    enum machine_flush flush;
    struct uses *uses; /* flush and uses: as in struct machine */
    struct literal *const *const *inputs; /* in place of its own; or NULL */
    enum machine_flush sources; /* what comes from elsewhere (judge_flush.c) */
    const struct bound_result *given; /* bound_given; or NULL */
    judge_evaluate *evaluate; /* in place of evaluate_program; or NULL */
    void *context;            /* of evaluate */
    struct memo *memo;        /* of machine; or NULL */
};

bool judge_reference(struct arena *a, const struct test_case *c,
                     const struct judge_mode *mode,
                     struct judge_reference *reference, struct status *st);

/* The same, from *kept or into it; all zero before the first call.  NULL: it is
 * evaluated. */
bool judge_reference_kept(struct arena *a, const struct test_case *c,
                          const struct judge_mode *mode,
                          struct judge_reference *kept,
                          struct judge_reference *reference, struct status *st);

/* Does the case itself expect something else?  Then what. */
bool judge_reference_contradicts(struct arena *a, const struct test_case *c,
                                 const struct judge_reference *reference,
                                 char *why, size_t size);

#endif
