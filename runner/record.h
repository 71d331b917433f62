/* record.h - where a result goes: database, streams, totals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RECORD_H
#define RUNNER_RECORD_H

#include <stdbool.h>
#include <stdio.h>

#include "interp/judge/violation.h"
#include "runner/plan/expect.h"
#include "runner/process/job.h"
#include "runner/progress.h"
#include "runner/run.h"
#include "runner/store/store.h"

/* ---- record_again.c: failures that are retried before they count --------- */

/* A supervise_result; self is a struct record. */
bool record_again(void *self, const struct job_result *result);

/* A supervise_expected of the same self: do the expectations foresee such a
 * result of the case? */
bool record_again_expected(void *self, const struct job_result *result);

/* ---- record_detail.c: a result's rows in the database -------------------- */

/* The means to run a case again. */
struct record_origin {
    const char *command; /* that runs it alone */
    const char *program; /* that it was made of, or NULL: it is in a file */
};

/* Its row of record.def; the texts are the result's. */
struct store_result record_detail_row(int64_t plan, enum verdict_status status,
                                      const struct job_result *result);

bool record_detail(struct arena *a, struct store *store, int64_t plan,
                   const struct plan_case *c, enum verdict_status status,
                   const struct job_result *result,
                   const struct record_origin *origin, struct status *st);

/* The requirements that a case says it covers, separated by spaces; or NULL. */
const char *record_detail_covers(struct arena *a, const struct json *node);

/* The facts about a result that expectations need. */
struct expect_found record_detail_found(const struct job_result *result);

/* ---- record_violation.c: which rules a result breaks --------------------- */

/* Those of a case whose result is reported with that status; none unless it is
 * a wrong value, or a value where an error was expected. */
void record_violation(const struct plan_case *c, const struct profile *p,
                      const struct job_result *result,
                      enum verdict_status status, const char *covers,
                      struct violations *v);

/* ---- outlet.c: standard output that never blocks the run ----------------- */

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

/* ---- record.c ------------------------------------------------------------ */

enum {
    RECORD_AGAIN_MAX = 256,
    RECORD_OWN = 150 /* bytes of a message that are kept after a reason */
};

struct record {
    struct arena *arena;  /* of the run */
    struct arena scratch; /* of one result */
    const struct run_options *options;
    const struct profile *profile;
    const struct plan *plan;
    struct expect expect;
    struct store *store;
    int64_t first; /* plan id in the database of plan case 0 */
    const int64_t *pending;
    int64_t pending_count, done;
    unsigned char *status; /* by plan case; VERDICT_COUNT: none yet */
    const char **text;     /* by plan case, for TAP; NULL: nothing to say */
    const char **command;  /* the same; NULL: that of the case alone */
    int64_t tapped;        /* plan cases that the TAP stream has */
    struct run_summary *summary;
    int reason_room;
    struct progress progress;
    struct outlet outlet; /* where results are told */
    int64_t shown;        /* failures that were printed */
    /* By plan case, of rows that are marked to be tried again: what the first
     * try gave, or NULL; and its status and text if it was in an earlier part
     * of the run, or VERDICT_COUNT. */
    struct job_result **held;
    unsigned char *early;
    const char **early_text;
    /* Failures to be retried after all other cases; not after again_done. */
    bool again_done;
    int64_t again_count;
    int64_t again[RECORD_AGAIN_MAX]; /* plan cases */
    struct status st;                /* the first failure of the database */
};

/* Count the cases of the plan; statuses are none.  Results come by
 * record_again(). */
void record_begin(struct record *r);
/* A result is final: count it, write its row, report it.  False if the run is
 * to stop, or its row cannot be written (then r->st says why). */
bool record_keep(struct record *r, int64_t number,
                 const struct job_result *result);
/* A result is not final: write its row, marked so that --resume tries the case
 * again; nothing is reported yet.  False as above. */
bool record_mark(struct record *r, int64_t number,
                 const struct job_result *result);
/* A result that an earlier part of a resumed run gave; held is its message if
 * it is marked, else NULL. */
void record_earlier(struct record *r, int64_t number,
                    enum verdict_status status, const char *held);
/* A supervise_tick. */
void record_tick(void *self);
/* Marked results count as they are; cases that never ran are missing, for that
 * reason (or NULL). */
void record_end(struct record *r, const char *missing);

/* A text as one word of a shell, quoted if it must be. */
const char *record_word(struct arena *a, const char *text);

#endif
