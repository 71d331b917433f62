/* deviation_judge.h - deviations and verdicts.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two questions: would the judge reject what a case returns under a deviation,
 * and which deviations explain a result that it rejected?
 */
#ifndef INTERP_DEVIATION_DEVIATION_JUDGE_H
#define INTERP_DEVIATION_DEVIATION_JUDGE_H

#include "interp/deviation/deviation_located.h"
#include "interp/deviation/deviation_run.h"
#include "interp/judge/judge_value.h"

enum deviation_result {
    DEVIATION_NONE,      /* it does not apply to the case */
    DEVIATION_SAME,      /* the result is the reference's, bit for bit */
    DEVIATION_ACCEPTED,  /* another result, which is right */
    DEVIATION_PERMITTED, /* another result, right with a remark */
    DEVIATION_REJECTED
};

/* Judges the result of a case under a deviation as a backend's result is
 * judged.  by->made, mode and plain are used; in *policy the first remark of a
 * result that is permitted.  In *wrong, unless it is NULL, what is wrong with a
 * rejected result; NULL where that is not its value, but what it wrote to the
 * outfeed. */
enum deviation_result deviation_judge(const struct judge_value *by,
                                      const struct deviation_use *use,
                                      const char **policy,
                                      const struct verdict **wrong);

/* The fates of a deviation at several places, as sets of places. */
struct deviation_places {
    uint64_t wanted;    /* in: of which it is asked */
    uint64_t differs;   /* the result is another one */
    uint64_t permitted; /* and some units are right with a remark only */
    uint64_t rejected;
};

/* The same for a deviation without a place, and, from the one evaluation, for
 * each place that is wanted.  shared: of all deviations of the case. */
enum deviation_result deviation_located_judge(
    const struct judge_value *by, struct deviation_shared *shared,
    const struct deviation_use *use, const struct deviation_located *at,
    struct deviation_places *places, const char **policy);

enum {
    DEVIATION_CAUSES = 8 /* that are kept of one result */
};

/* A deviation that explains every wrong unit of a result, and that no right
 * unit contradicts. */
struct deviation_cause {
    const char *name, *text;
    int64_t units; /* wrong, and explained */
    int64_t moved; /* units that the deviation changes */
    bool exact;    /* bit for bit; else: inside the acceptance set under it */
};

/* How long to look for causes. */
struct deviation_search {
    /* Asked before each evaluation whether to go on: a unit of some functions
     * takes a thousand times as long as one of others.  NULL: always. */
    bool (*goes_on)(void *context);
    void *context;
    bool ended; /* before all deviations were looked at */
};

/* The causes of a result that v says is wrong, the narrowest first; their
 * number, at most DEVIATION_CAUSES.  Looks at a bounded number of steps and
 * units; search->ended says whether some were left out. */
int deviation_judge_explain(const struct judge_value *by,
                            const struct deviation_table *table,
                            const struct judge_given *given, int given_count,
                            const struct verdict *v,
                            struct deviation_search *search,
                            struct deviation_cause *causes);

#endif
