/* fate.h - what becomes of a case, from what happened to its processes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A table (fate.def) and no process, so that it is tested without one.
 */
#ifndef RUNNER_PROCESS_FATE_H
#define RUNNER_PROCESS_FATE_H

#include <stdio.h>

/* Facts, as bits.  A process of the case ended, unless there is a result. */
enum {
    FATE_RESULT = 1 << 0,        /* the judge gave a result */
    FATE_JUDGE = 1 << 1,         /* the judge ended; else the worker */
    FATE_MORE = 1 << 2,          /* a judge's end is not final yet */
    FATE_OUTSIDE = 1 << 3,       /* the process did not end by itself */
    FATE_KILLED = 1 << 4,        /* and so for the first time */
    FATE_EXPECTED = 1 << 5,      /* the expectations foresee it */
    FATE_FIRST_CRASH = 1 << 6,   /* the worker had ended before: so, */
    FATE_FIRST_TIMEOUT = 1 << 7, /* or so */
    FATE_TIMEOUT = 1 << 8,       /* this is a timeout; else a crash */
    FATE_MAKING = 1 << 9,        /* it had not made the case */
    FATE_READING = 1 << 10,      /* it was reading the backend's results */
    FATE_FAULT = 1 << 11,        /* it ended by a fault of its own, */
    FATE_MEMORY = 1 << 12,       /* or took too much memory */
    FATE_ASKED = 1 << 13,        /* it was tried whether the reference ends */
    FATE_ENDS = 1 << 14,         /* and it does */
    FATE_ALL = (1 << 15) - 1
};

enum fate {
    FATE_IS_RESULT,   /* the result counts */
    FATE_IS_AGAIN,    /* nothing is known: try again, alone */
    FATE_IS_FIRST,    /* the same; it was the first end that counts */
    FATE_IS_EXPECTED, /* it counts at once */
    FATE_IS_ASK,      /* try whether the reference ends, then look again */
    FATE_IS_FLAKE,
    FATE_IS_TIMEOUT,
    FATE_IS_CRASH,
    FATE_IS_LIMIT,
    FATE_IS_REFERENCE /* a limit, by an error of the reference */
};

enum fate fate_of(unsigned facts);
/* The number of the row of fate.def that says so, from 0, and of all rows. */
int fate_row(unsigned facts);
int fate_rows(void);
/* The table of spec/verdicts.md. */
void fate_table(FILE *out);

#endif
