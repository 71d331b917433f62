/* cover_row.h - what became of a deviation of one operation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_ROW_H
#define TOOLS_COVER_ROW_H

#include "interp/deviation/deviation.h"

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

#endif
