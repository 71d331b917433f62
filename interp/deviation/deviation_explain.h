/* deviation_explain.h - a wrong result that is being explained; private to this
 * directory.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * deviation_judge.c tries each deviation alone, deviation_sample.c refutes most
 * of them by a few units, deviation_pair.c joins two that explain a part each.
 */
#ifndef INTERP_DEVIATION_DEVIATION_EXPLAIN_H
#define INTERP_DEVIATION_DEVIATION_EXPLAIN_H

#include "interp/deviation/deviation_judge.h"
#include "interp/deviation/deviation_run.h"

enum {
    DEVIATION_SAMPLES = 8 /* wrong units, and right ones, tried alone */
};

/* The context of an evaluation (judge_mode.evaluate). */
struct deviation_hook {
    const struct deviation_use *use; /* NULL: as the specification says */
    int64_t steps;                   /* of all evaluations so far */
    struct deviation_search *search; /* what it is part of, or NULL */
    /* While the plain goals are evaluated under one of many deviations; without
     * a deviation, what is by's own evaluation is evaluated once. */
    struct deviation_shared *shared;
    const struct judge_value *by;
};

/* The case with the element of one unit alone, what was given there, which part
 * of the element the unit is, and its exact value. */
struct deviation_sample {
    struct test_case *one; /* placed: with its whole array alone, or NULL */
    bool right;            /* as the deviation must leave it */
    bool spread; /* from fewer elements: of how, scalars know nothing */
    const struct verdict_leaf *leaf;
    const struct literal *got;
    int part;
    int64_t unit; /* of the leaf */
    uint64_t want;
    struct deviation_shared shared;
};

struct deviation_explaining {
    const struct judge_value *by;
    const struct verdict *v;
    const struct judge_given *given;
    int given_count;
    struct deviation_shared *shared; /* by all deviations */
    const struct deviation_use *use;
    const struct judge_reference *other; /* under the deviation */
    bool contradicted;                   /* by a unit that is right */
    /* Is a part of the wrong units enough, if it leaves the others as they
     * should be?  Not within a set: bit for bit. */
    bool partly;
    bool matched; /* a wrong sample, by the last deviation */
    int from, at; /* samples: the first to look at, the one that refuted it */
    /* The last deviation may explain a part. */
    bool may_be_part;
    /* The first and the last unit where a right value is another one than the
     * deviation gives; -1: none. */
    int64_t open[2];
    const struct verdict_leaf *open_leaf[2];
    int sample_count; /* 0 if none can be made */
    bool placed;      /* they are in their places, and none is alone */
    struct deviation_sample samples[2 * DEVIATION_SAMPLES];
};

/* ---- deviation_judge.c --------------------------------------------------- */

/* evaluate_program under a hook, the context. */
bool deviation_judge_evaluate(void *context, struct arena *a,
                              struct machine *machine,
                              struct literal *const *const *inputs,
                              struct outcome *outcomes, struct status *st);
bool deviation_judge_same(const struct judge_reference *a,
                          const struct judge_reference *b);

/* A case under a deviation, and the verdict on that. */
struct deviation_judged {
    struct judge_reference other;
    struct verdict *v;
    const char *policy; /* of what is permitted */
    bool outfed;        /* what is wrong is what was written to the outfeed */
};

/* shared: what several deviations of the case have in common; or NULL. */
enum deviation_result deviation_judge_under(const struct judge_value *by,
                                            struct deviation_shared *shared,
                                            const struct deviation_use *use,
                                            struct deviation_judged *to);
/* Judge values that were computed under a deviation; false if the reference
 * reached a limit. */
bool deviation_judge_values(const struct judge_value *by,
                            const struct judge_reference *r, struct verdict *v,
                            enum verdict_status *status);
/* An array of the result under the deviation. */
const struct literal *deviation_judge_leaf(const struct deviation_explaining *e,
                                           const struct verdict_leaf *leaf);
/* Can the deviation's own acceptance set decide more than its bits? */
bool deviation_judge_has_sets(const struct deviation_explaining *e);

/* ---- deviation_sample.c -------------------------------------------------- */

/* Some units alone, wrong and right: the first one, and others far from it, as
 * operands beside each other are often alike.  Where none can be alone, some
 * wrong ones in their places. */
void deviation_sample_take(struct deviation_explaining *e, struct arena *a);
/* Does a sample show that the deviation is no cause?  Clears e->may_be_part
 * where a sample shows that it is no part of one either. */
bool deviation_sample_refutes(struct deviation_explaining *e,
                              struct deviation_hook *hook,
                              const struct judge_mode *under);
/* Do the units of e->open, which the deviation changes although they are right,
 * show alone that it is no cause?  To judge all units takes far longer. */
bool deviation_sample_denies(const struct deviation_explaining *e);

/* ---- deviation_pair.c ---------------------------------------------------- */

/* The explanation of each unit by one deviation, for all leaves in order. */
struct deviation_part {
    const struct deviation_use *use;
    int64_t count;        /* units */
    unsigned char *units; /* is it what was returned, is it changed? */
    bool checked, contradicted;
};

/* e->other as a part: it gives some wrong units bit for bit, and leaves all
 * other wrong ones as they should be.  False if it is none. */
bool deviation_pair_part(struct arena *a, const struct deviation_explaining *e,
                         struct deviation_part *part);
/* The cause that two parts are together; false unless they give every wrong
 * unit, and each one that the other does not; with overlap, also one that both
 * give. */
bool deviation_pair_join(struct arena *a, const struct verdict *v,
                         const struct deviation_part *first,
                         const struct deviation_part *second, bool overlap,
                         struct deviation_cause *cause);

#endif
