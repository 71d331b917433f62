/* deviation_private.h - what the files of deviations share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_PRIVATE_H
#define INTERP_DEVIATION_DEVIATION_PRIVATE_H

#include <stdint.h>

#include "interp/base/dtype.h"
#include "interp/case/case.h"
#include "interp/deviation/deviation.h"
#include "interp/exact/real.h"
#include "interp/judge/judge_value.h"
#include "interp/program/program.h"

/* ---- deviation_attribute.c: attributes that are misread ------------------ */
/* A change is applied by the attribute's form, so every operation that has
 * attributes of that form has the deviation. */

/* The change of that name; NULL if there is none. */
const struct deviation_change *deviation_attribute_find(const char *name);

/* The attribute under a change; to->name is ATTRIBUTE_NONE if it is left out.
 * False if the change does not apply to it, or changes nothing. */
bool deviation_attribute(struct arena *a, const struct deviation_change *change,
                         const struct spec_op *op, const struct attribute *from,
                         struct attribute *to);

/* ---- deviation_environment.c: the evaluator under a deviation ------------ */

/* Does an environment deviation concern instructions of this operation? */
bool deviation_environment_concerns(const struct deviation *d,
                                    const struct op *op);

/* Make the machine treat operands or results as an environment deviation says.
 * environment must live as long as the machine runs. */
void deviation_environment(const struct deviation *d, struct machine *m,
                           struct machine_environment *environment);

/* For a deviation with a step at the operands: is this operand read as another
 * value?  Memory for this comes from the arena. */
bool deviation_environment_takes(const struct deviation *d, struct arena *a,
                                 const struct instruction *in,
                                 const struct literal *operand);
/* For one with a step at the results: change ev->out, which has exact values
 * and is copied where it changes. */
void deviation_environment_give(const struct deviation *d, struct eval *ev);
/* The pattern of one unit of an instruction's result after that step, where its
 * value is exact, or the step looks at its pattern alone. */
uint64_t deviation_environment_unit(const struct deviation *d,
                                    const struct op *op,
                                    const struct literal *result, int64_t unit);

/* ---- deviation_open.c ---------------------------------------------------- */
/* Where a deviation gives another value than was returned. */

/* Is a value that was returned what the deviation gives?  Of NaNs that
 * arithmetic gives any is. */
bool deviation_open_matches(const struct goal *g, uint64_t got, uint64_t other);

/* Takes the deviation's result (other) where another right value was returned,
 * and elsewhere the reference's, of which nothing needs to be judged.  Arrays
 * that are judged as a whole are those of other.  The values are in the arena.
 */
struct judge_reference deviation_open(struct arena *a, const struct verdict *v,
                                      const struct judge_reference *reference,
                                      const struct judge_reference *other);

/* ---- deviation_rewrite.c: a program becomes another one ------------------ */

/* The program under a rewrite, inferred, in the arena: instructions of the
 * entry are replaced, everything else is shared with p.  Fails with UNSUPPORTED
 * if the rewrite does not apply, and like program_infer if the rewritten
 * program is invalid or its result has another shape. */
bool deviation_rewrite(struct arena *a, const struct deviation_use *use,
                       const struct program *p, const struct program **made,
                       struct status *st);

/* ---- deviation_start.c: other ways of reading a start index -------------- */

/* From the bits of an index of that type, of which 0 to most fit into a
 * dimension of that size, to another index; the operation clamps what it gets.
 */
typedef int64_t deviation_start_body(enum dtype type, uint64_t bits,
                                     int64_t most, int64_t size);

struct deviation_start {
    const char *name; /* "modulo" */
    deviation_start_body *body;
};

/* The way of that name; NULL if there is none. */
const struct deviation_start *deviation_start_find(const char *name);

/* ---- deviation_step.c: what an environment does to one number ------------ */

/* An exact value, and the pattern that is its correct rounding. */
struct deviation_rounding {
    enum dtype unit;
    const struct real *y; /* NULL unless the step is exact */
    uint64_t bits;
    enum dtype via; /* the step's */
};
/* Another pattern in its place. */
typedef uint64_t deviation_step_body(const struct deviation_rounding *r);

struct deviation_step {
    const char *name; /* "flush" */
    deviation_step_body *body;
    enum dtype via;
    bool exact; /* it looks at the exact value, and not at the pattern alone */
};

/* The step of that name; NULL if there is none. */
const struct deviation_step *deviation_step_find(const char *name);

/* ---- deviation_transform.c: exact results that are stored wrongly -------- */

const struct deviation_shuffle *deviation_transform_find(const char *name);

/* The array that a transform makes of one array of a result, in the arena; NULL
 * if it does not apply.  inputs are those of its replica. */
struct literal *deviation_transform(struct arena *a, const struct deviation *d,
                                    const struct literal *result, int count,
                                    struct literal *const *inputs);

/* The bits of one unit of that; false if the transform does not apply. */
bool deviation_transform_unit(const struct deviation *d,
                              const struct literal *result, int count,
                              struct literal *const *inputs, int64_t unit,
                              uint64_t *bits);

/* ---- deviation_unit.c: a case with one element of its arrays ------------- */
/* Most deviations do not explain a wrong result, and one wrong unit shows it.
 * Where every operation computes an element from those of its place only, that
 * unit is what a program of scalars gives: a thousandth of the work. */

/* What gives one array of the result, for the scalars at that element of each
 * input that it needs; *spread: one of them has fewer elements, and each goes
 * to several places.  NULL if an operation of it looks at other elements, its
 * arrays differ in shape otherwise, or what it computes is also used elsewhere.
 */
struct test_case *deviation_unit(struct arena *a, const struct test_case *c,
                                 int leaf, int64_t element, bool *spread);

/* What gives one array of a tuple, of all its elements; NULL if the result is
 * no tuple, or what that array follows from is also used elsewhere. */
struct test_case *deviation_unit_leaf(struct arena *a,
                                      const struct test_case *c, int leaf);

/* One element of an array, as a scalar. */
struct literal *deviation_unit_of(struct arena *a, const struct literal *l,
                                  int64_t element);

#endif
