/* cover.h - what the files of assay cover share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_H
#define TOOLS_COVER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "interp/base/json.h"
#include "interp/base/limits.h"
#include "interp/base/status.h"
#include "interp/deviation/deviation.h"
#include "interp/judge/judge_value.h"

/* ---- cover_row.c: what became of a deviation of one operation ------------ */

/* The same at a place. */
struct cover_place {
    int64_t cases;     /* that have it, and to which the deviation applies */
    int64_t differs;   /* with another result there */
    const char *first; /* as of a row */
    const char *why;
    bool permitted;
};

struct cover_case {
    const char *name;
    struct cover_case *next;
};

struct cover_row {
    const char *name;
    const struct deviation *what;
    int64_t cases, differs, rejected, permitted;
    const char *first;     /* the first case that rejects it */
    struct cover_case *by; /* all that were asked for, the last one first */
    const char *other;     /* the first with another result, which is right */
    const char *policy;    /* that permits it */
    const char *why;       /* no case can reject it */
    bool refuted;          /* but one does, of nothing but the operation */
    struct cover_place *places; /* of all in the table; NULL: not asked for */
    struct cover_row *next;
};

enum cover_fate {
    COVER_REJECTED,
    COVER_SURVIVES,
    COVER_PERMITTED,
    COVER_EQUIVALENT,
    COVER_FATES
};

enum cover_fate cover_row_fate(const struct cover_row *r);
enum cover_fate cover_row_place_fate(const struct cover_place *p);
/* "rejected" */
const char *cover_row_word(enum cover_fate fate);

/* ---- cover_walk.c: the cases that deviations are evaluated on ------------ */

/* Set all but the counts, which start at 0. */
struct cover_walk {
    const struct cover_deviations *options; /* which cases */
    struct limits limits;
    const struct profile *profile;
    struct arena *arena;   /* of the plan and the files */
    struct arena *scratch; /* of one case: reset after each */
    /* Is the case wanted?  Asked before it is made.  NULL: always. */
    bool (*wants)(void *context, const struct case_stub *stub);
    /* A case whose file is of that operation, by its number.  by->plain is what
     * the reference gives; NULL where the case expects an error. */
    void (*visit)(void *context, int op, const struct judge_value *by);
    void *context;
    bool forms;              /* also the cases of the plan in forms */
    int64_t cases, left_out; /* evaluated, and too large for that */
};

enum {
    COVER_WALK_STEPS = 1 << 22 /* a case that takes more is left out */
};

bool cover_walk(struct cover_walk *w, struct status *st);

/* The operation's number; -1 if there is none. */
int cover_walk_op(const char *name);

/* ---- cover_deviations.c -------------------------------------------------- */
/* Which wrong backends would the cases reject (assay cover
 * --deviations)? */

struct cover_deviations {
    const char *name;    /* glob on deviations; NULL: all */
    const char *profile; /* NULL: spec */
    const char *tier;    /* NULL: default */
    int64_t count;       /* of rejecting cases to find and to name; 0: only
                            the first */
    int filter_count;    /* globs on cases of the plan; none: all */
    const char **filters;
    bool places; /* also at each place of spec/places.json */
    bool json, html, progress;
    int path_count; /* 0: the suite's own cases, of the tier */
    char **paths;
};

/* Evaluate every deviation against the cases and print what became of it, by
 * operation.  In *percent how much of what makes a difference is rejected,
 * rounded down. */
bool cover_deviations(const struct cover_deviations *o,
                      const struct limits *limits, int64_t *percent,
                      struct status *st);

/* ---- cover_html.c: the deviations of all operations as a page ------------ */

/* To standard output.  rows: by operation.  folder: where the case files are,
 * for links to them; NULL: none. */
void cover_html(const struct deviation_table *table,
                struct cover_row *const *rows,
                const int64_t counts[COVER_FATES], const char *folder);

/* ---- cover_places.c: deviations at places: what became of them ----------- */
/* Only for deviations that a case rejects where they have no place: of others
 * nothing more is known at one.  A place that no case of the operation has
 * cannot occur, and is left out. */

/* possible: the places of an operation.  All write to standard output. */
void cover_places_json(const struct place_table *table, uint64_t possible,
                       const struct cover_row *r);
/* Counts by place, and what survives.  By operation: possible, rows. */
void cover_places_text(const struct place_table *table,
                       const uint64_t *possible, struct cover_row *const *rows);
/* Add them to counts. */
void cover_places_count(const struct place_table *table,
                        const uint64_t *possible, struct cover_row *const *rows,
                        int64_t counts[COVER_FATES]);

/* ---- cover_rule.c: what is known to break a requirement or constraint ---- */

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

/* Facts from the cases of one class. */
struct cover_found {
    bool covered; /* a case of the class covers the rule */
    enum cover_rule_how how;
    const char *first; /* the case; NULL: none */
    int tries;         /* cases that were evaluated for it */
    /* The first few deviations that this case rejects. */
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

/* ---- cover_rule_print.c: what breaks each rule: text, JSON or a page ----- */

/* To standard output; rules[i], counts[i]: of operation i.  Percent of the
 * testable ones that something breaks, rounded down. */
int64_t cover_rule_print(const struct cover_deviations *o,
                         struct cover_rule *const *rules, const int *counts);

/* ---- cover_requirements.c ------------------------------------------------ */
/* `assay cover --requirements`: what breaks each rule of the specification,
 * and would the cases notice? */

/* For each requirement and constraint print the deviations that break it, and
 * the case that shows so; o->name, o->count are not used.  In *percent how many
 * of those that a case can test have one, rounded down. */
bool cover_requirements(const struct cover_deviations *o,
                        const struct limits *limits, int64_t *percent,
                        struct status *st);

/* ---- cover_values.c ------------------------------------------------------ */
/* `assay cover --values`: which values each operation is tried with, where.
 *
 * For each operation a matrix of classes of values and of the places where an
 * operand with such a value may be: an array of rank 0, 1, 2 or more, a scalar
 * beside an array, a constant.  A cell counts cases of the plan, in any form.
 * Another matrix has the ranks for each element type.
 */

struct cover_values {
    const char *tier;
    int filter_count;
    const char *const *filters;
    const struct limits *limits;
    bool json;
    FILE *to;
    int64_t cells, empty;       /* set: cells that an operation can fill */
    int64_t typed, typed_empty; /* those of each element type */
};

bool cover_values(struct cover_values *x, struct status *st);

#endif
