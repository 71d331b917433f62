/* outlet.h - standard output that never blocks the run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_OUTLET_H
#define RUNNER_OUTLET_H

#include <stdbool.h>
#include <stdio.h>

/* A stream that keeps what is written to it, and passes it on as its reader
 * takes it. */
struct outlet {
    FILE *file;
    int to;
    bool is_file; /* never full */
    char *text;   /* kept: from first to end */
    size_t first, end, room;
};

/* Before the first write; false if memory is out. */
bool outlet_open(struct outlet *o);
/* Is there something to hand on? */
bool outlet_waits(struct outlet *o);
/* Hand on what can be written without waiting. */
void outlet_pass(struct outlet *o);
/* Hand on the rest to stdout, which waits; stdout has the error if that fails.
 * May be called for an outlet that is all zero.  stdout is not flushed. */
void outlet_close(struct outlet *o);

#endif
