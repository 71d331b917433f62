/* html.h - the parts of the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/doc/page.h"
#include "report/report.h"

/* The cells of every run, for several parts: [run]. */
struct html_cells {
    struct report_cell **cells;
    const int *counts;
    struct report_group **groups; /* of failures */
    const int *group_counts;
    const char **labels; /* report_label() */
};

/* A run: what was judged, what that may claim, how much of it is right, why the
 * rest is not, and what differs from the run before. */
bool html_run(struct report *r, const struct html_cells *cells, int run,
              struct status *st);
/* Operations against element types, a table for each run; side by side where
 * there are several. */
bool html_matrix(struct report *r, const struct html_cells *cells,
                 struct status *st);
/* Why results are wrong, in each run. */
void html_causes(struct report *r, const struct html_cells *cells);
/* Worst errors, shares, histograms. */
void html_accuracy(struct report *r, const struct html_cells *cells);
/* The errors of a cell as a small picture, an SVG element, in the arena; its
 * colour is that of the cell's verdict. */
const char *html_accuracy_histogram(struct arena *a,
                                    const struct report_cell *c);
/* The failures of each run. */
bool html_failures(struct report *r, const struct html_cells *cells,
                   struct status *st);

/* The id of the first failure of an operation and type that is listed. */
const char *html_failures_anchor(struct arena *a, const struct report_run *run,
                                 const char *op, const char *type);
/* Known errors of each run. */
bool html_known(struct report *r, const struct html_cells *cells,
                struct status *st);

/* "ok", "bad", "warn", "known" or "skip": how a status is coloured. */
static inline const char *html_class(int status)
{
    const struct report_status *s = &report_statuses[status];
    if (s->failure)
        return "bad";
    if (report_status_known(status))
        return "known";
    return s->colour == 33 ? "warn" : *s->junit ? "skip" : "ok";
}

/* The class of a cell: its worst verdict, or "reject" where only errors are
 * right and no value was judged. */
const char *html_class_of(const struct report_cell *c);

/* " same" for an operation of which no case changed, if a report compares. */
const char *html_class_same(const struct report *r, const char *op);

#endif
