/* judge_value.h - are the values that a backend gave right?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_JUDGE_JUDGE_VALUE_H
#define INTERP_JUDGE_JUDGE_VALUE_H

#include "interp/judge/judge_reference.h"
#include "interp/judge/verdict.h"

/* One array or token that a backend gave, of one replica. */
struct judge_given {
    struct verdict_got got;
    int64_t replica;
};

enum {
    JUDGE_VALUE_PLAIN,
    JUDGE_VALUE_RESULTS, /* flushed results that are an operand */
    JUDGE_VALUE_FLUSHED, /* in each operation; then to positive zeros */
    JUDGE_VALUE_KEPT = JUDGE_VALUE_FLUSHED + 2
};

/* Everything that a value is judged by. */
struct judge_value {
    struct arena *arena;
    struct judge_mode mode; /* how plain was evaluated, with the profile of the
                               case's own choices; want_exact does not count */
    const struct test_case *made; /* the case, as it was run */
    const struct judge_reference *plain;
    bool exact; /* plain has exact values, by which units are judged */
    /* JUDGE_VALUE_KEPT references with exact values, kept for several calls in
     * this mode: the plain one, and those of flushed data.  All zero before the
     * first call.  NULL: each call evaluates them. */
    struct judge_reference *kept;
    bool bins; /* count errors also of what is the reference's, bit for bit */
    /* No choices that are permitted with a remark. */
    bool unremarked;
    /* For one who asks less than the verdict, and for no errors of units that
     * are right: looks at the states of all units when the plain goals (ended:
     * all ways) have judged them.  If true, judging ends: the status is
     * VERDICT_FAIL, and *v has no leaves.  NULL: go on. */
    bool (*enough)(void *context, const struct verdict_leaf *leaves, int count,
                   bool ended);
    void *context;
};

/* The output of a backend that returns the reference's values: the arrays and
 * tokens of all replicas, in order; or what they wrote to the outfeed. */
struct judge_given *judge_value_returned(struct arena *a,
                                         const struct judge_reference *r,
                                         int *count);
struct judge_given *
judge_value_fed(struct arena *a, const struct judge_reference *r, int *count);

/* Judge count arrays and tokens of all replicas; text says why.  False if the
 * reference reached a limit, and text says which. */
bool judge_value(const struct judge_value *j, const struct judge_given *given,
                 int count, struct verdict *v, enum verdict_status *status,
                 char *text, size_t size);

/* The same for what was written to the outfeed, in order, the arrays of a tuple
 * one by one.  Right values may add remarks to v; text says what is wrong. */
bool judge_value_outfeed(const struct judge_value *j,
                         const struct judge_given *given, int count,
                         struct verdict *v, enum verdict_status *status,
                         char *text, size_t size);

#endif
