/* rule.h - how a goal of each rule judges one unit.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A rule is one row of functions in a file of its own, rule_NAME.c: which
 * patterns are right, how far off a result is, what that is called, and which
 * values an operation may get that takes the result as its operand.  The
 * comparator (interp/judge/verdict.c) and the intervals
 * (interp/program/interval.c) ask the row, so a new rule is one more file.
 */
#ifndef INTERP_GOAL_RULE_H
#define INTERP_GOAL_RULE_H

#include "interp/goal/goal.h"
#include "interp/goal/goal_ends.h"
#include "interp/specification/profile.h"

/* The choices of a profile for the units of one goal. */
struct rule_basis {
    const struct profile *profile;
    const struct accept_budget *budget; /* GOAL_REAL */
    struct accept_rules rules;
    bool norm;  /* complex numbers are judged as a whole */
    bool wider; /* a result is passed on unrounded: fused, or in a wider type */
};
struct rule_basis rule_basis(const struct profile *p, const struct goal *g);
/* May a result of the exact value y be passed on as a number beyond the largest
 * one of a type without infinity or NaN?  Then it has no ends; *why says so. */
bool rule_is_beyond(const struct rule_basis *b, enum dtype unit,
                    const struct real *y, const char **why);

enum rule_measure {
    RULE_UNMEASURED,
    RULE_ULPS, /* millionths of an ulp of the exact value (real_error) */
    RULE_SHARE /* millionths of the error bound */
};

struct rule {
    /* The set of unit i alone, under the basis's rules or stricter ones.
     * NULL: units have no sets, the array is right or wrong as a whole. */
    void (*allow)(struct accept_set *set, const struct rule_basis *b,
                  const struct goal *g, int64_t i,
                  const struct accept_rules *rules);
    /* The measure of `error`, which says how far off got is.  It is false where
     * there is no such number: something is not finite, or no exact value was
     * kept. */
    enum rule_measure measure;
    bool (*error)(const struct goal *g, int64_t i, uint64_t got,
                  int64_t *error);
    /* The set in words: "exact".  NULL: those of rule_real_words. */
    const char *words;
    /* May a unit have another pattern than its value?  NULL: never. */
    bool (*varies)(const struct profile *p, const struct goal *g);
    /* The ends of unit i as an operand, false if it has none, why in *why.
     * NULL: the goal has no ends, it may be any of several values. */
    bool (*ends)(struct goal_ends *e, const struct rule_basis *b,
                 const struct goal *g, int64_t i, const char **why);
};

/* The rule that judges one unit, and the unit that it is asked about: the unit
 * itself or, where it was moved, its source; a kept unit is judged as a copy.
 */
struct rule_place {
    const struct rule *rule;
    const struct goal *goal;
    int64_t unit;
    struct rule_basis basis;
};
/* The place of unit i of g, whose basis b is. */
struct rule_place rule_place(const struct rule_basis *b, const struct goal *g,
                             int64_t i);

extern const struct rule rule_bits, rule_moved, rule_real, rule_sum, rule_range,
    rule_check, rule_free;

/* The row of a goal's rule. */
const struct rule *rule_of(const struct goal *g);

/* Is unit i a copy, of which every bit counts? */
static inline bool rule_keeps(const struct goal *g, int64_t i)
{
    return g->rule == GOAL_MOVED || (g->kept_units && g->kept_units[i]);
}

/* Parts that several rules share. */

static inline enum dtype rule_unit(const struct goal *g)
{
    return dtype_unit(g->value->shape->dtype);
}
static inline bool rule_is_nan(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, bits);
}
static inline bool rule_is_finite(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_finite(unit, bits);
}

/* A result whose exact value is a pattern: that pattern, what it becomes when
 * it is flushed, and what is allowed for NaN; and either zero for a zero. */
void rule_bits_set(struct accept_set *set, enum dtype unit, uint64_t value,
                   const struct accept_rules *rules);
void rule_bits_zeros(struct accept_set *set, enum dtype unit, uint64_t value,
                     const struct accept_rules *rules);
/* The ends are the value. */
bool rule_bits_point(struct goal_ends *e, const struct rule_basis *b,
                     const struct goal *g, int64_t i, const char **why);
/* Extend e to what a GOAL_REAL allows for an exact result y of some operands:
 * where the budget depends on these, to the widest of its class. */
bool rule_real_include(struct goal_ends *e, const struct rule_basis *b,
                       const struct goal *g, const struct real *y);
/* How far a budget lets a complex number of that modulus, or less, be from the
 * exact one as a whole: the bound of verdict_norm, rounded up. */
void rule_real_norm(mpfr_ptr far, const struct accept_budget *budget,
                    enum dtype unit, mpfr_srcptr size);
/* The set of a GOAL_REAL in words: "correctly rounded (arithmetic)". */
const char *rule_real_words(struct arena *a, const struct rule_basis *b,
                            const struct goal *g);
bool rule_real_varies(const struct profile *p, const struct goal *g);
/* Where the goal says so itself. */
bool rule_free_varies(const struct profile *p, const struct goal *g);

#endif
