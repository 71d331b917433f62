/* interval.h - inexact values inside a program, as intervals.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where the result of an inexact instruction is the operand of another, a right
 * backend may pass on any value of its acceptance set.  The reference follows
 * the smallest and the largest one through operations that are monotone, and
 * rejects a case as inadmissible where that is impossible or a discrete
 * decision would depend on it.
 */
#ifndef INTERP_PROGRAM_INTERVAL_H
#define INTERP_PROGRAM_INTERVAL_H

#include "interp/goal/goal.h"
#include "interp/program/op.h"
#include "interp/specification/profile.h"

/* evs[0..count-1] were evaluated on the values of their operands: where an
 * operand is inexact, put goals of intervals into their outcomes. */
bool interval_propagate(struct eval *evs, int count, struct status *st);

/* ---- interval_bilinear.c ------------------------------------------------- */
/* Intervals through sums of products: Dot and Conv. */

/* Is each element of the result a sum of products of two floating-point
 * numbers, one of each operand? */
bool interval_bilinear_knows(const struct instruction *in);

/* The operands lie between low[k] and high[k]: ends[0] is a goal whose sums are
 * the least ones and ends[1] one of the greatest, each with an error bound for
 * all sums between them.  Fails with UNSUPPORTED "inadmissible: ..." where an
 * end is infinite, or NaN at one end alone, or a sum may overflow. */
bool interval_bilinear(const struct eval *ev, struct literal *const low[2],
                       struct literal *const high[2], struct goal *ends[2],
                       struct status *st);

/* For those instructions, and for sums of elements of operand 0 whose operand
 * 1, the initial value, is known: an error bound of each sum, whatever the
 * operands are between low[k] and high[k].  NULL where there is none. */
const struct accept_sum *interval_bilinear_bound(const struct eval *ev,
                                                 struct literal *const low[2],
                                                 struct literal *const high[2]);

/* ---- interval_box.c ------------------------------------------------------ */
/* Functions that are monotone in parts of their domain only.
 *
 * Where the operands of an element lie between ends, they are in a box.  A
 * function that within the box rises or falls in each operand while the others
 * stay takes its least and its greatest value at corners. */

enum interval_peak {
    INTERVAL_TOP = 1,   /* the function is 1 inside the box */
    INTERVAL_BOTTOM = 2 /* it is -1 there */
};

/* Is it a function?  One that is monotone for real numbers need not be for the
 * parts of complex ones. */
bool interval_box_is_function(const struct instruction *in);
/* Does this instruction apply such a function (enum op_way) to real numbers? */
bool interval_box_knows(const struct eval *ev);

/* Operand k lies between low[k] and high[k].  True if the function is monotone
 * in the box of each element, except for the values in (*peaks)[element], a set
 * of enum interval_peak. */
bool interval_box_monotone(const struct eval *ev, struct literal *const low[2],
                           struct literal *const high[2],
                           unsigned char **peaks);

/* ---- interval_free.c: units inside a program that may be anything -------- */
/* Where a policy leaves a unit open (an integer that overflows), a right
 * backend may hand on any pattern.  What depends on it may be anything too;
 * what does not is judged as ever. */

/* Has an operand of an instruction such a unit, in any replica? */
bool interval_free_any(const struct eval *evs, int count);

/* The same outcome, as if these units were what the reference returns. */
struct outcome interval_free_rest(struct arena *a, const struct outcome *out);
/* The same goal; it has such units. */
struct goal *interval_free_without(struct arena *a, const struct goal *g);

/* evs[0..count-1] were evaluated: mark the units of their results that change
 * with free units of their operands. */
bool interval_free_mark(struct eval *evs, int count, struct status *st);

/* ---- interval_pick.c ----------------------------------------------------- */

/* Extend the results of a maximum, minimum or clamp, a GOAL_RANGE, to the
 * subnormal numbers that it may return where its operands are compared as
 * zeros and come to one.  low, high: the ends of count operands.  False if one
 * may be a NaN. */
bool interval_pick(const struct eval *ev, struct goal *to,
                   struct literal *const *low, struct literal *const *high,
                   int count);

/* ---- interval_reach.c ---------------------------------------------------- */
/* Which exact results lie between the corners of inexact operands, and what
 * is allowed for them.
 *
 * A function that is monotone has its least and its greatest value at corners,
 * but what a budget allows around a value between them may reach further than
 * what it allows at the corners. */

/* The exact results of one unit so far: all zero before the first corner. */
struct interval_reach {
    int64_t low, high; /* floor(log2) of the magnitudes */
    bool used, zero, plus, minus;
    /* The least and the greatest; special: what is allowed at one of them is
     * not what is allowed next to it. */
    bool known, special;
    struct real least, most;
};

/* Add the exact results of one corner, a GOAL_REAL, to the reach of each unit.
 */
void interval_reach_extend(struct interval_reach *to, const struct goal *from);
/* Extend the ends of unit i of `to`, a GOAL_RANGE, to what is allowed for the
 * results between the corners, or for the result y; from: the goal of a corner.
 * False if that may be a NaN. */
bool interval_reach_include(const struct profile *profile, struct goal *to,
                            const struct goal *from,
                            const struct interval_reach *reach, int64_t i);
bool interval_reach_value(const struct profile *profile, struct goal *to,
                          const struct goal *from, const struct real *y,
                          int64_t i);

/* ---- interval_hull.c ----------------------------------------------------- */
/* The ranges of an instruction's results, widened by one evaluation after
 * the other. */

/* Is a goal the rounding of exact values that are known? */
bool interval_hull_rounds(const struct goal *g);

/* Ranges of the results of ev (NULL for tokens), which start at their values;
 * and reaches of those that are such roundings, else NULL. */
struct goal **interval_hull_start(struct eval *ev,
                                  struct interval_reach ***reach);
/* Widen a range to what a goal of the same result, of another evaluation,
 * allows.  A unit that may be anything in from may be so in to.  Fails with
 * UNSUPPORTED "inadmissible: ..." if another one has no ends. */
bool interval_hull_include(struct eval *ev, struct goal *to,
                           const struct goal *from, struct status *st);
/* The ranges become the goals of ev's results.  Fails if one varies that must
 * not: of a discrete type, or of an operation that rises by steps. */
bool interval_hull_finish(struct eval *ev, struct goal **goals, bool steps,
                          struct status *st);
/* The first unit that varies; of these, one that changes its sign, or may be
 * zero, if there is one: then *zero is set.  -1: none varies. */
int64_t interval_hull_open(const struct literal *low,
                           const struct literal *high, bool *zero);
/* "element 3 is from -1e-07 to 2e-07": unit i between these ends. */
const char *interval_hull_told(struct arena *a, const struct literal *low,
                               const struct literal *high, int64_t i);
/* A result may be a NaN or a number: fails. */
bool interval_hull_fail(const struct eval *ev, struct status *st);

/* ---- interval_magnitude.c ------------------------------------------------ */
/* Operands whose magnitudes decide, not their values.
 *
 * The magnitude of a product, and a modulus, rise with the magnitude of each
 * factor or part. */

/* Instead of two ends, by unit, what lies nearest to zero and farthest from it
 * between them.  *crosses becomes true where a unit may have either sign. */
void interval_magnitude_turn(struct arena *a, struct literal **low,
                             struct literal **high, bool *crosses);
/* By unit, the place between the ends that is nearest to zero. */
struct literal *interval_magnitude_middle(struct arena *a,
                                          const struct literal *low,
                                          const struct literal *high);
/* Extend results that are products, GOAL_RANGE, to both signs if a factor
 * crosses zero.  False if one may be a NaN: some factors may overflow, and
 * others underflow. */
bool interval_magnitude_signs(struct goal *const *goals, int count,
                              bool crosses);

/* ---- interval_move.c ----------------------------------------------------- */
/* Data that move take their sets along, unit by unit.
 *
 * Between two ends (interval.h) lies more than a set of several patterns: a sum
 * of integers in any order that is 1 or 3 is not 2.  Where an instruction only
 * moves units of its operands, each keeps what it is allowed, and what was
 * given to the program keeps its bits. */

/* evs[0..count-1] were evaluated on operands that are exact: note which results
 * hold what was computed. */
void interval_move_exact(struct eval *evs, int count);
/* evs[0..count-1] were evaluated.  If their results are units of operands,
 * elsewhere, give them the goals of these, and set *moved.  Not where a
 * predicate judges all units together. */
bool interval_move(struct eval *evs, int count, bool *moved, struct status *st);

/* ev was evaluated.  True if its result is one array of units that it moved:
 * from[i] is then 1 more than the number of the unit that unit i was, counting
 * those of the followed operands one after the other, and 0 if it was another.
 */
bool interval_move_trace(struct eval *ev, const bool *followed, uint64_t *from);

/* ---- interval_nan.c ------------------------------------------------------ */
/* NaNs inside a program whose bits a profile leaves open.
 *
 * Where an instruction computes a NaN, a right backend may hand on any pattern
 * that the profile allows.  An instruction that moves it moves that pattern;
 * one whose result depends on the pattern makes the case inadmissible. */

/* Evaluate an instruction in all replicas with other operands: values[replica *
 * operands + operand], NULL where it keeps its own.  Results are in again. */
bool interval_nan_again(const struct eval *evs, int count,
                        struct literal *const *values, struct eval *again,
                        struct status *st);

/* Evaluations with other operands, one after the other. */
struct interval_trial {
    int passes;
    /* Operand k in that pass; NULL: unchanged. */
    struct literal *(*patterns)(const struct eval *ev, int k, int pass);
    /* Note in the goals of ev where the results of again differ. */
    bool (*compare)(const struct eval *ev, const struct eval *again,
                    struct status *st);
};
bool interval_nan_try(struct eval *evs, int count,
                      const struct interval_trial *trial, struct status *st);

/* Has a value a NaN that may have another pattern? */
bool interval_nan_open(const struct profile *profile,
                       const struct outcome *value);

/* evs[0..count-1] were evaluated on operands that are exact except for the bits
 * of NaNs: mark the NaNs of their results that may have another pattern. */
bool interval_nan_propagate(struct eval *evs, int count, struct status *st);

/* ---- interval_whole.c ---------------------------------------------------- */

/* evs[0..count-1] were evaluated.  If each is a select that takes every element
 * from an operand that a predicate judges as a whole, its result is judged so,
 * too; and so it is where the others are elements of a known array, in place of
 * elements that do not matter for the rest (goal's check.apart). */
bool interval_whole(struct eval *evs, int count);

#endif
