/* cover_rule.h - what is known to break a requirement or constraint.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_RULE_H
#define TOOLS_COVER_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/json.h"

/* How a deviation is known to break a rule, the weakest first. */
enum cover_rule_how {
    COVER_RULE_NONE,
    COVER_RULE_UNTESTABLE, /* the specification says why */
    COVER_RULE_PERMITTED,  /* a case covers it, but a policy permits that */
    COVER_RULE_STRICT,     /* the profile strict does not */
    COVER_RULE_COVERED,    /* a case that covers the rule rejects it */
    COVER_RULE_SPECIFIC,   /* the same, of a deviation of the operation */
    COVER_RULE_ACCEPTS,    /* the same, of a program that must be refused */
    COVER_RULE_NAMED,      /* the judge names the rule */
    COVER_RULE_HOWS
};

/* Classes of element types. What a profile permits, and how a result is
 * computed, is one matter in each: f16 is never flushed under spec, f32 is. */
enum cover_class {
    COVER_CLASS_OTHER, /* no operand has a type */
    COVER_CLASS_PRED,
    COVER_CLASS_INTEGER,
    COVER_CLASS_SMALL, /* floats of at most 8 bits */
    COVER_CLASS_HALF,  /* f16 */
    COVER_CLASS_WIDE,  /* bf16, f32, f64: the exponents of f32 or more */
    COVER_CLASS_COMPLEX,
    COVER_CLASSES
};

/* What is known from the cases of one class. */
struct cover_found {
    bool covered; /* a case of the class covers the rule */
    enum cover_rule_how how;
    const char *first; /* the case; NULL: none */
    int tries;         /* cases that were evaluated for it */
    /* What that case rejects so: the first few. */
    int count, room;
    const char **deviations;
};

struct cover_rule {
    const char *op, *id, *text;
    const char *untestable; /* why no case can show it; or NULL */
    /* The judge can tell from a wrong unit that this rule is broken: how; or
     * NULL. */
    const struct json *when;
    bool constraint; /* of programs, whatever the types: one class, OTHER */
    struct cover_found found[COVER_CLASSES];
};

const char *cover_rule_class_name(enum cover_class c);
/* The class of a case (after substitution): that of the operand with elements
 * which comes last in the list above. */
enum cover_class cover_rule_class_of(const struct json *node);

/* Does the rule count in that class: does a case cover it there, and can it be
 * broken?  Cases without elements count where there are no others. */
bool cover_rule_counts(const struct cover_rule *r, enum cover_class c);
/* The class of those that count of which the least is known; the first one if
 * there is none. */
const struct cover_found *cover_rule_weakest(const struct cover_rule *r);

#endif
