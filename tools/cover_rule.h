/* cover_rule.h - what is known to break a requirement or constraint.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_RULE_H
#define TOOLS_COVER_RULE_H

#include <stdbool.h>
#include <stdint.h>

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

struct cover_rule {
    const char *op, *id, *text;
    const char *untestable; /* why no case can show it; or NULL */
    /* The judge can tell from a wrong unit that this rule is broken. */
    bool telling;
    enum cover_rule_how how;
    const char *first; /* the case; NULL: none */
    int tries;         /* cases that were evaluated for it */
    /* What that case rejects so: the first few. */
    int count, room;
    const char **deviations;
};

#endif
