/* monotone.h - do the results of neighbouring inputs keep their order?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/monotone.json says where each function rises or falls.  There, of two
 * neighbouring inputs of one sign, the results must not go the other way; where
 * they do is a *break*, whatever the error of either.  Equal results, and the
 * two zeros, are in order; a NaN is in no order and breaks none.
 *
 * A part of a sweep (consecutive patterns) is counted by itself; its first and
 * last result tell whether there is a break between it and its neighbours.
 */
#ifndef INTERP_JUDGE_MONOTONE_H
#define INTERP_JUDGE_MONOTONE_H

#include "interp/base/literal.h"
#include "interp/base/status.h"

enum {
    MONOTONE_RUNS = 8
};

/* Patterns in which the results must not fall (rises: 1) or not rise (-1) from
 * each to the next. */
struct monotone_run {
    uint64_t first, last;
    int rises;
};

struct monotone {
    enum dtype result; /* a float type */
    int count;         /* 0: nothing is known of the function */
    struct monotone_run runs[MONOTONE_RUNS];
};

/* For functions of one operand.  Fails with INPUT if the specification is
 * damaged. */
bool monotone_of(struct monotone *m, const char *op, enum dtype type,
                 enum dtype result, struct status *st);

/* The finding of one part of a sweep. */
struct monotone_part {
    bool counted;
    int64_t breaks;
    uint64_t input;       /* the least whose result is out of order with that of
                             the pattern before it */
    uint64_t first, last; /* its first and last result */
};

/* got: the results of consecutive patterns from first on, at least one. */
struct monotone_part monotone_count(const struct monotone *m, uint64_t first,
                                    const struct literal *got);

/* All parts of a sweep, in the order of their patterns. */
struct monotone_sum {
    bool partial; /* a part was not counted */
    int64_t parts, breaks;
    uint64_t input;      /* as of a part */
    uint64_t next, last; /* the pattern after the last part, and its result */
    bool joined;         /* these two are known */
};

void monotone_add(struct monotone_sum *sum, const struct monotone *m,
                  uint64_t first, int64_t count,
                  const struct monotone_part *part);

#endif
