/* html.h - the parts of the page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/report.h"

/* Cells of every run: [run]. */
struct html_cells {
    struct report_cell **cells;
    const int *counts;
};

/* Operations against element types, a table for each run; side by side where
 * there are several. */
bool html_matrix(struct report *r, const struct html_cells *cells,
                 struct status *st);
/* Why results are wrong, in each run. */
bool html_causes(struct report *r, struct status *st);
/* Worst errors, shares, histograms. */
void html_accuracy(struct report *r, const struct html_cells *cells);
/* The errors of a cell as a small picture, an SVG element. */
void html_accuracy_histogram(FILE *out, struct arena *a,
                             const struct report_cell *c);
/* The failures of each run. */
bool html_failures(struct report *r, struct status *st);

/* The id of the first failure of an operation and type that is listed. */
void html_failures_anchor(struct report *r, const struct report_run *run,
                          const char *op, const char *type);
/* What is known to be wrong in each run. */
bool html_known(struct report *r, struct status *st);

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

#endif
