/* run_print.h - what a run prints in the end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_RUN_PRINT_H
#define TOOLS_RUN_PRINT_H

#include "runner/run.h"

/* Cases with a verdict on the backend. */
int64_t run_print_judged(const struct run_tally *t);

/* The totals, which operations failed and why, what was judged, and what may
 * come next; with --verbose the table of all operations.  With --tap or --json
 * standard output is for a program, so it goes to standard error, and with
 * these or --quiet only the totals.  False if the database cannot be read. */
bool run_print_summary(const struct run_options *o, const struct run_summary *s,
                       struct status *st);

#endif
