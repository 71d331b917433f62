/* verdict.h - is a result right?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A pure function of bit patterns and exact values: no floating point, no
 * clock, no files, no backend.  The judge (judge.h) calls it with the goals of
 * the reference, first those of the plain evaluation, and then, where a
 * profile lets a backend flush its operands, with those of evaluations of
 * flushed operands, until some goal explains every unit.
 */
#ifndef INTERP_JUDGE_VERDICT_H
#define INTERP_JUDGE_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/dtype.h"
#include "interp/goal/goal.h"
#include "interp/goal/rule.h"
#include "interp/specification/profile.h"

/* A row of verdict.def. */
enum verdict_status {
#define VERDICT(name, text, failure, tap, junit, colour, meaning) \
    VERDICT_##name,
#include "interp/judge/verdict.def"
#undef VERDICT
    VERDICT_COUNT
};

const char *verdict_name(enum verdict_status v);
/* VERDICT_COUNT if there is none of that name. */
enum verdict_status verdict_find(const char *name);
/* The first word of a message says what an expected or unsteady failure was:
 * "fail (REASON): ..." and "fail at first (...), then pass". */
enum verdict_status verdict_find_first(const char *message);
bool verdict_is_failure(enum verdict_status v);
int verdict_colour(enum verdict_status v);

/* The output of a backend for one array or token.  Nothing in it can be trusted
 * before verdict_layout. */
struct verdict_got {
    const char *dtype;
    int rank;
    const int64_t *dims, *sizes;
    uint64_t bytes; /* that it says were due */
    uint64_t held;  /* that data has */
    const unsigned char *data;
};

/* Is it what judge_value says of results of another type, shape or number? */
bool verdict_layout_is_wrong(const char *text);

/* Check element type, rank, sizes and bytes against the reference's value
 * before any data is read.  The literal has the data, which must outlive it, or
 * a copy with padding bits cleared.  False, and in why what is wrong, if they
 * differ. */
bool verdict_layout(struct arena *a, const struct literal *want,
                    const struct verdict_got *got, struct literal **into,
                    char *why, size_t size);

enum {
    VERDICT_WRONG_MAX = 16,
    VERDICT_BIN_FIRST = -127,
    VERDICT_BIN_LAST = 127,
    VERDICT_BIN_SPECIAL = 128,
    VERDICT_BINS = 256,
    VERDICT_REMARKS_MAX = 16
};

/* The bin of an error in millionths of an ulp: results.sql says how they are
 * cut. */
int verdict_bin(int64_t error);

/* Remarks on how a result was explained (results.sql, result.flags). */
enum verdict_flag {
    VERDICT_FLUSHED_RESULTS = 1,
    VERDICT_FLUSHED_OPERANDS = 2,
    VERDICT_UNDECIDED = 4,
    /* 8 is of older databases, 16 is STORE_HELD. */
    VERDICT_SEARCH_ENDED = 32 /* for causes, before all were tried */
};

/* How a unit was explained; the state of each unit while it is judged. */
enum verdict_branch {
    VERDICT_PENDING,  /* not yet */
    VERDICT_SAME,     /* the reference's own bits */
    VERDICT_INSIDE,   /* in its acceptance set */
    VERDICT_RESULTS,  /* only with a flushed result */
    VERDICT_OPERANDS, /* only with flushed operands */
    VERDICT_REMARKED, /* only by a choice that the profile permits */
    VERDICT_UNUSED,   /* outside the actual sizes */
    VERDICT_BRANCHES
};

struct verdict_wrong {
    int replica, leaf;
    int64_t unit;
    enum dtype type; /* of the unit */
    uint64_t got, want;
    bool has_set;
    struct accept_set set;
    bool several;       /* it is no single range */
    const char *words;  /* the set in words, */
    const char *accept; /* the same, with the part of the order of additions:
                           "accumulation, of which the order of additions is 75
                           %", and its parts if there are several:
                           "correctly rounded (arithmetic): [-0, 0] | 1e-39" */
    bool has_error, has_share;
    int64_t error, share; /* as in struct verdict */
};

/* A remark on units that are right: "flush", or the name of a policy of which
 * another choice than the profile's own explains that many units. */
struct verdict_remark {
    const char *name;
    int64_t units;
};

/* The largest of some errors, and where it is. */
struct verdict_worst {
    bool has;
    int64_t size; /* signed */
    int replica, leaf;
    int64_t unit;
};

struct verdict_leaf;

struct verdict {
    int64_t branch[VERDICT_BRANCHES]; /* units */
    int64_t units;                    /* compared */
    int64_t correct;                  /* the correctly rounded pattern */
    int64_t whole; /* judged together, so that no unit has a pattern of its own:
                      an order, random numbers */
    int64_t special; /* wrong about NaN or infinity */
    int64_t undecided;
    int64_t bad; /* units that are wrong */
    int wrong_count;
    unsigned natures; /* of the listed: bits 1 << enum verdict_nature */
    struct verdict_wrong wrong[VERDICT_WRONG_MAX];
    /* In millionths: of an ulp, and of the bound for accumulations
     * (accept_accumulation_share) and predicates that measure (goal_measure).
     */
    struct verdict_worst error, share;
    struct verdict_worst beyond; /* the share that made a predicate fail */
    int remark_count;
    struct verdict_remark remarks[VERDICT_REMARKS_MAX];
    /* The arrays that were judged unit by unit, with their plain goals; none if
     * all are the reference's, or a layout is wrong. */
    struct verdict_leaf *leaves;
    int leaf_count;
    int64_t *bins; /* of errors in ulps, by bin - VERDICT_BIN_FIRST */
    /* Nobody asks for the errors of units that are right. */
    bool unmeasured;
    char why[240]; /* of a check over a whole result */
};

/* One array of the result in one replica. */
struct verdict_leaf {
    int replica, leaf;
    const struct goal *goal;
    const struct literal *got;
    unsigned char *state; /* enum verdict_branch, by unit */
    bool moved;           /* data that only move: nothing of them is flushed */
    bool fed;             /* written to the outfeed */
    /* Units that this goal does not explain; NULL: none. */
    const unsigned char *closed;
    /* The explanation of a unit by this goal: VERDICT_PENDING if the operands
     * and the profile are as they are, else VERDICT_OPERANDS or _REMARKED. */
    enum verdict_branch branch;
};

/* Leaves with states of their own, for a trial. */
struct verdict_leaf *verdict_layout_copy(struct arena *a,
                                         const struct verdict_leaf *leaves,
                                         int count);

/* Is it the reference's value, bit for bit?  Then it is counted, with the
 * goal's own worst error, and nothing else is needed. */
bool verdict_same(struct verdict *v, const struct verdict_leaf *leaf);

/* Explain pending units by this goal (which has exact values).  The first
 * call, with the goal of the operands as they are, counts and measures. */
void verdict_units(struct verdict *v, const struct profile *p,
                   const struct verdict_leaf *leaf);

/* Judge all arrays of one instruction by its predicate (GOAL_CHECK). */
void verdict_check(struct verdict *v, struct arena *a,
                   const struct verdict_leaf *leaves, int count);

/* One unit that is wrong (its state is VERDICT_PENDING), listed or not, with
 * its set by the plain goal. */
struct verdict_wrong verdict_wrong_unit(const struct verdict *v,
                                        struct arena *a,
                                        const struct profile *p,
                                        const struct verdict_leaf *leaf,
                                        int64_t unit);

/* Note a remark; several of one name become one. */
void verdict_remark(struct verdict *v, const char *name, int64_t units);

/* Units that stayed pending are wrong: list them, with their sets by the plain
 * goal. */
void verdict_pending(struct verdict *v, struct arena *a,
                     const struct profile *p, const struct verdict_leaf *leaf);

/* pass, warn or fail by what was counted, and why in text. */
enum verdict_status verdict_end(const struct verdict *v,
                                const struct profile *p, char *text,
                                size_t size);

/* Is the complex number got within the budget of the exact y, as a whole:
 * |got - y| <= max(ulps * max(2^(1-p) |y|, smallest subnormal), abs, rel |y|)?
 * All four parts are finite. */
bool verdict_norm(const struct real y[2], const uint64_t got[2],
                  enum dtype unit, const struct accept_budget *budget);
/* The patterns of part k that verdict_norm accepts with the other part of got;
 * false if there are none. */
bool verdict_norm_set(struct accept_set *set, const struct real y[2],
                      const uint64_t got[2], int k, enum dtype unit,
                      const struct accept_budget *budget);

/* ---- verdict_nature.c: in which way a unit is wrong ---------------------- */
/* A name for the way in which a result is wrong, by its bits only; it
 * distinguishes one defect of a backend from another in the same case. */

enum verdict_nature {
    VERDICT_NATURE_ERROR,   /* a finite result with an error in ulps */
    VERDICT_NATURE_SUM,     /* an accumulation beyond its bound */
    VERDICT_NATURE_SPECIAL, /* NaN or infinity that is unexpected, or missing */
    VERDICT_NATURE_ZERO,    /* the sign of a zero */
    VERDICT_NATURE_NAN,     /* the bits of a NaN that is moved */
    VERDICT_NATURE_VALUE,   /* another value where no error is measured */
    VERDICT_NATURE_PROPERTY, /* a whole result: order, statistics, layout */
    VERDICT_NATURES
};

/* "error", "sum", ... */
const char *verdict_nature_name(enum verdict_nature n);
/* VERDICT_NATURES if none has this name. */
enum verdict_nature verdict_nature_find(const char *name);

/* The nature of a wrong unit; has_error and has_share are as in struct
 * verdict_wrong. */
enum verdict_nature verdict_nature(enum dtype unit, uint64_t got, uint64_t want,
                                   bool has_error, bool has_share);

/* ---- verdict_set.c: what is right for one unit --------------------------- */
/* A goal's rule says what is right for a unit alone (interp/goal/rule.h). Where
 * a profile judges complex numbers as a whole, a part may also be right
 * together with the other part that the backend returned. */

/* Is unit i of got right by this goal, without a flushed operand or result? */
bool verdict_set_has(const struct rule_basis *b, const struct goal *g,
                     const struct literal *got, int64_t i);

/* All that is right for unit i with the other part of got: alone, and as a part
 * of the whole number.  Not for a goal that is judged as a whole. */
void verdict_set_whole(struct accept_set *set, const struct rule_basis *b,
                       const struct goal *g, const struct literal *got,
                       int64_t i);

#endif
