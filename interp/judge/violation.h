/* violation.h - which rule does a wrong unit break?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A requirement or policy of the specification says with "when" which units it
 * governs: a list of conditions, of which one must hold.  A condition is a list
 * of terms, all of which must hold:
 *
 *     operand:CLASS    some operand of the unit is of that class
 *     operands:CLASS   every operand is
 *     want:CLASS       the expected unit is
 *     got:CLASS        the unit that came out is
 *     nature:NAME      it is wrong in that way (verdict_nature.c)
 *
 * Classes are zero, nan, number (no NaN), infinite, negative (below zero),
 * beyond-one (of larger magnitude), subnormal, minimum (the smallest signed
 * integer), and the kinds of elements pred, int, float and complex.  Of a
 * complex number only its kind is known.  Where the operands of a unit are not
 * known, nothing but its nature is.
 */
#ifndef INTERP_JUDGE_VIOLATION_H
#define INTERP_JUDGE_VIOLATION_H

#include "interp/base/arena.h"
#include "interp/specification/profile.h"
#include "interp/specification/spec.h"

enum {
    VIOLATION_OPERANDS = 4,
    VIOLATION_MAX = 3 /* of one case */
};

struct violation_unit {
    enum dtype type; /* of the unit */
    uint64_t got, want;
    bool has_error, has_share; /* as in struct verdict_wrong */
    int operand_count;         /* 0: not known */
    struct {
        enum dtype type; /* of the element */
        uint64_t bits;
    } operands[VIOLATION_OPERANDS];
};

struct violation {
    const char *id, *text, *source; /* of a requirement, or of a constraint */
    const char *policy, *choice;    /* in force, or NULL */
};

/* Rules of a case's operation that a result breaks.  Initialise with {0}. */
struct violations {
    int count;
    struct violation list[VIOLATION_MAX];
};

/* A term of a condition, as the specification writes it: is it well formed? */
bool violation_condition(const char *text);

/* Can one of the conditions (requirement.when) hold for an operation on units
 * of that type, or complex elements? */
bool violation_possible(const struct json *when, enum dtype type);

/* Add the rule that a wrong unit breaks, unless it is there: the first
 * requirement of the operation that governs the unit, or else the rule of its
 * value.  node is the case as its file writes it, p its profile; either may be
 * NULL, if it is not known. */
void violation_add(struct violations *v, const struct spec_op *op,
                   const struct json *node, const struct profile *p,
                   const struct violation_unit *unit);
/* If there is no rule yet, add the one that the result breaks as a whole: of
 * its value if bad units are wrong, or of its type and shape, if text (of the
 * verdict) says so. */
void violation_whole(struct violations *v, const struct spec_op *op,
                     int64_t bad, const char *text);
/* Add the constraint that a case breaks on purpose, if its "covers" name only
 * one (ids, separated by spaces): the backend did not reject it. */
void violation_accepted(struct violations *v, const char *covers);

/* "Max.nan: If an operand is a NaN, so is the result. (policy max.nan:
 * propagate)" */
const char *violation_text(struct arena *a, const struct violation *v);

#endif
