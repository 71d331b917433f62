/* run_print.h - what a run prints in the end.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_RUN_PRINT_H
#define TOOLS_RUN_PRINT_H

#include "runner/run.h"

/* Cases with a verdict on the backend. */
int64_t run_print_judged(const struct run_tally *t);

/* The table of operations, and the totals.  With --tap or --json standard
 * output is for a program, so they go to standard error. */
void run_print_summary(const struct run_options *o,
                       const struct run_summary *s);

#endif
