/* sweep_private.h - what the files of a sweep share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_SWEEP_PRIVATE_H
#define RUNNER_SWEEP_PRIVATE_H

#include <stdio.h>

#include "interp/base/arena.h"
#include "interp/judge/verdict.h"
#include "interp/specification/spec.h"
#include "runner/plan/plan.h"
#include "runner/progress.h"
#include "runner/run_identity.h"
#include "runner/store/store_sweep.h"
#include "runner/sweep.h"

struct sweeping {
    struct arena *arena;
    struct sweep_options *options;
    struct sweep *sweep;
    struct plan plan;
    struct arena *plan_arena;
    int64_t plan_first; /* the part that is its first case */
    struct run_info info;
    struct store *store;
    int64_t run, row; /* in the database */
    int64_t *pending, pending_count;
    struct progress progress;
    const char *what;    /* for it: what is being done */
    int64_t done_before; /* the pending parts began */
    struct status *st;
    struct identity identity;
    bool failed;
    struct monotone monotone; /* of its function; count 0: not asked */
    /* For a hunt. */
    struct hunt *hunt;
    uint64_t hunt_hash;              /* of its seed and anchors */
    bool begun;                      /* a round of this session */
    struct arena round;              /* has its plan */
    struct sweep_line *lines;        /* of this round */
    struct store_sweep_part *stored; /* by an earlier session, in order */
    int64_t stored_count, stored_room, stored_next, part_room, start;
};

/* Is it an operation and a type that can be swept? */
bool sweep_case_check(const struct sweep_options *o, struct status *st);
/* The parts from plan_first on as cases of a plan, in plan_arena. */
bool sweep_case_plan(struct sweeping *x, struct status *st);
/* Does the reference accept the first case, and what is the result's type? */
bool sweep_case_try(struct sweeping *x, struct status *st);

/* Begin a run in the database, or take up an earlier one, and join others. */
bool sweep_rows_open(struct sweeping *x, struct status *st);
/* The run is over, and ok says whether it failed. */
bool sweep_rows_close(struct sweeping *x, bool ok, struct status *st);

/* A part's row of an earlier run or another database. */
void sweep_result_earlier(struct sweep *s, struct sweep_part *p,
                          const struct store_sweep_part *from);
/* A supervise_result: self is a struct sweeping. */
bool sweep_result_take(void *self, const struct job_result *r);

/* Run the pending parts. */
bool sweep_supervise(struct sweeping *x, struct status *st);

/* A hunt (hunt_run.c): its first round as a plan, and then all rounds. */
bool hunt_run_begin(struct sweeping *x, struct status *st);
bool hunt_run(struct sweeping *x, struct status *st);
/* Are only the worst results of a part judged (judge_screen.c)?  False unless
 * it is a hunt. */
bool hunt_run_screens(const struct sweep_options *o);
/* The options that decide its inputs, in words. */
const char *hunt_run_variant(const struct sweeping *x);

/* ---- sweep_join.c: reusing parts of a sweep from other databases --------- */

/* One run of the sweep, or of a shard of it. */
struct sweep_join {
    struct store_sweep_part *parts;
    int64_t count, room;
    int64_t bins[VERDICT_BINS]; /* of all of them */
};

/* Every run of the sweep with that identity, those with most parts first.
 * Fails with INPUT if a file cannot be read or has none. */
bool sweep_join_read(struct arena *a, const char *hash, int count,
                     const char *const *files, struct sweep_join **list,
                     int *found, struct status *st);

/* ---- sweep_points.c ------------------------------------------------------ */
/* The inputs that a sweep has, and the cases that they make. */

/* The most parts that a sweep may have. */
#define SWEEP_POINTS_PARTS INT64_C(4000000)

/* Fill in length, points and parts by the options.  Fails with INPUT: invalid
 * bounds, too many parts, a type too wide for all of its inputs. */
bool sweep_points_cut(struct arena *a, struct sweep *sweep, struct status *st);
/* The attribute that is the result's element type, of a conversion; NULL for
 * any other operation. */
const struct spec_attribute *sweep_points_type(const struct spec_op *op);
/* A case file: one case a part, in order. */
void sweep_points_write(FILE *f, const struct sweep *sweep);
/* The same of the parts of a hunt from one on: a line each. */
void sweep_points_write_lines(FILE *f, const struct sweep *sweep,
                              const struct sweep_line *lines, int64_t first);

#endif
