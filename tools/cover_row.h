/* cover_row.h - what became of a deviation of one operation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_ROW_H
#define TOOLS_COVER_ROW_H

#include "interp/deviation/deviation.h"

struct cover_row {
    const char *name;
    const struct deviation *what;
    int64_t cases, differs, rejected, permitted;
    const char *first;  /* the first case that rejects it */
    const char *other;  /* the first with another result, which is right */
    const char *policy; /* that permits it */
    const char *why;    /* no case can reject it */
    struct cover_row *next;
};

enum cover_fate {
    COVER_REJECTED,
    COVER_SURVIVES,
    COVER_PERMITTED,
    COVER_EQUIVALENT,
    COVER_NO_DIFFERENCE,
    COVER_FATES
};

enum cover_fate cover_row_fate(const struct cover_row *r);
/* "rejected" */
const char *cover_row_word(enum cover_fate fate);

#endif
