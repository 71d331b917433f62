/* judge_fast.h - one element-wise function of very many inputs.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A kernel (interp/fast) decides nearly all units: that the result is the
 * correctly rounded one, or well inside its budget, and which bin its error
 * falls into.  What it leaves open, and every unit that may have the largest
 * error, is judged by judge_value as usual; so the report is the one that
 * judge_value alone would give.
 */
#ifndef INTERP_FILTER_JUDGE_FAST_H
#define INTERP_FILTER_JUDGE_FAST_H

#include "interp/fast/fast.h"
#include "interp/judge/judge_reference.h"
#include "interp/judge/judge_value.h"

/* The instruction of a case that is only that, on arrays of rank 1 and of a
 * type that kernels take, and its kernel; NULL if there is none. */
const struct instruction *judge_fast_single(const struct test_case *c,
                                            const struct fast_kernel **kernel);

/* judge_value of a case that is one instruction for which there is a kernel,
 * on one array, errors counted (by->bins); by->plain is not asked for.
 * reference gets only the result's shape.  False, with nothing judged, if it is
 * not such a case or too many units were left open. */
bool judge_fast(const struct judge_value *by, const struct judge_given *given,
                struct verdict *v, struct judge_reference *reference,
                enum verdict_status *status, char *text, size_t size);

/* ---- judge_part.c -------------------------------------------------------- */
/* Some units of a case, judged as a case of their own.
 *
 * For an element-wise function of very many inputs: judge_fast.h decides most
 * units itself, judge_screen.c looks for the few with the largest errors; each
 * passes the rest to judge_value through this header. */

/* A case that is one instruction, and what was given for it. */
struct judge_whole {
    const struct judge_value *by;
    struct arena *arena;
    const struct instruction *in;
    const struct literal *x, *y, *got; /* y: NULL if there is one operand */
};

/* The instruction of a case that is one element-wise function of one or two
 * arrays of rank 1 and its result's shape; NULL if it is not such a case. */
const struct instruction *judge_part_single(const struct test_case *c);

/* The case of only these units; NULL if it cannot be made. */
struct test_case *judge_part_case(const struct judge_whole *w,
                                  const int64_t *units, int64_t count);
/* Asks the reference about such a case. */
bool judge_part_evaluate(const struct judge_whole *w, const struct test_case *c,
                         bool want_exact, struct judge_reference *r);
/* Judge these units, in ascending order; v gets what judge_value says of them,
 * with the units' numbers in the whole, and bins (none: all empty).  by->plain
 * is not asked for.  False as for judge_value. */
bool judge_part(const struct judge_whole *w, const struct judge_given *given,
                const int64_t *units, int64_t count, struct verdict *v);

/* ---- judge_exact.c ------------------------------------------------------- */
/* The exact result of one element-wise function of very many inputs.
 *
 * A kernel (interp/fast) gives a number next to the exact value; where its
 * bound proves that this, rounded, is the correctly rounded result, that is
 * taken, and the other units are evaluated as usual.  So the result is the one
 * that judge_reference alone would give, bit for bit. */

/* The result of a case that is one instruction for which there is a kernel, on
 * arrays of rank 1; in the arena.  NULL if it is not such a case, or too many
 * units are not decided, or no fast path is to be taken (slow.h). */
struct literal *judge_exact(struct arena *a, const struct test_case *c,
                            const struct judge_mode *mode);

/* ---- judge_screen.c: the worst results of one element-wise function ------ */
/* For a hunt (runner/hunt.h), which wants the largest error of very many
 * inputs of f64 and not a verdict on each: an estimate in long double
 * (fast_estimate.h) names the few results that may have it, and those are
 * judged by judge_value as usual. */

enum {
    JUDGE_SCREEN_MOST = 4 /* results of a case that are judged */
};

/* judge_value of the results whose errors may be the largest, by the estimates
 * the first JUDGE_SCREEN_MOST of them: of the others nothing is counted.
 * reference gets only the result's shape.  False, with nothing judged, if it is
 * not a case of f64 that is one instruction for which there is an estimate. */
bool judge_screen(const struct judge_value *by, const struct judge_given *given,
                  struct verdict *v, struct judge_reference *reference,
                  enum verdict_status *status, char *text, size_t size);

#endif
