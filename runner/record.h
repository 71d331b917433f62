/* record.h - where a result goes: database, streams, totals.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_RECORD_H
#define RUNNER_RECORD_H

#include "runner/outlet.h"
#include "runner/process/job.h"
#include "runner/progress.h"
#include "runner/run.h"
#include "runner/store/store.h"

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
