/* compare.h - several backends side by side.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Any number of runs, of one database or of several, are read in the order of
 * their names and merged.  A verdict is right (pass, warn, xpass), wrong (a
 * failure, known ones too) or none (unsupported, limit, not run).
 */
#ifndef REPORT_COMPARE_H
#define REPORT_COMPARE_H

#include "report/report.h"

enum {
    COMPARE_MAX = 32 /* runs */
};

enum compare_verdict {
    COMPARE_NONE,
    COMPARE_RIGHT,
    COMPARE_WRONG,
    COMPARE_VERDICTS
};

/* One operation under one run. */
struct compare_cell {
    int64_t counts[COMPARE_VERDICTS];
    struct report_cell worst; /* only its error */
};

struct compare_row {
    const char *op;
    int64_t cases;
    int64_t apart; /* cases that some get right and some wrong */
    struct compare_cell cells[COMPARE_MAX];
};

/* A case that some run gets wrong. */
struct compare_case {
    const char *name;
    bool apart;
    const char *status[COMPARE_MAX]; /* NULL: not planned */
    const char *off[COMPARE_MAX];    /* its largest error in ulps, or NULL */
};

struct compare {
    struct arena *arena;
    int run_count;
    struct report *reports[COMPARE_MAX]; /* which the runs are of */
    const struct report_run *runs[COMPARE_MAX];
    const char *titles[COMPARE_MAX]; /* report_label() */
    const char *const *globs;        /* of the cases; NULL-terminated */
    int64_t limit;                   /* cases to list of either kind */

    int row_count, row_room;
    struct compare_row *rows;
    struct compare_row all;
    /* Cases that run i gets right and run k wrong. */
    int64_t differs[COMPARE_MAX][COMPARE_MAX];
    int64_t apart, together; /* wrong in all that have a verdict, of several */
    int case_count, case_room;
    struct compare_case *cases; /* those apart first */
};

enum compare_verdict compare_verdict_of(const char *status);

/* Read the cases of all runs, and count. */
bool compare_read(struct compare *c, struct status *st);
/* Writes a table; writes a page. */
void compare_text(const struct compare *c, FILE *out);
void compare_html(const struct compare *c, FILE *out);

#endif
