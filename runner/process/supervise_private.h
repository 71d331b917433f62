/* supervise_private.h - what the files of the supervisor share.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     supervise.c        rounds of processes: started, watched, reaped
 *     supervise_check.c  is a process too slow, too large, or damaged?
 *     supervise_try.c    what the end of a process means for its case: it
 *                        does what the table of fate.h says
 *     supervise_batch.c  rounds of batches, of which only what is right counts
 *     supervise_order.c  which cases are beside each other in them
 *     supervise_watch.c  time
 *     supervise_end.c    does the reference terminate?
 *     supervise_probe.c  the backend's name and capabilities
 *     supervise_sandbox.c  what the sandbox refuses, and what its directory
 *                        holds
 */
#ifndef RUNNER_PROCESS_SUPERVISE_PRIVATE_H
#define RUNNER_PROCESS_SUPERVISE_PRIVATE_H

#include <poll.h>

#include "runner/process/child.h"
#include "runner/process/sandbox_notice.h"
#include "runner/process/supervise.h"
#include "runner/process/supervise_watch.h"

enum supervise_reason {
    SUPERVISE_BY_ITSELF,
    SUPERVISE_BY_BUSY,
    SUPERVISE_BY_SLEEP,
    SUPERVISE_BY_MEMORY,
    SUPERVISE_BY_LIMIT,   /* of memory, enforced by the kernel */
    SUPERVISE_BY_SCRATCH, /* its directory holds too much */
    SUPERVISE_BY_DAMAGE,  /* of the memory that the processes share */
    SUPERVISE_BY_STOP,
};

struct supervise_seat { /* of one process */
    struct child child;
    struct job_place *place;
    enum supervise_reason reason;
    struct supervise_watch watch;
    int64_t memory; /* bytes, as last seen */
    int64_t blamed; /* where it was when it was found too slow or too large */
    bool early;     /* then its timeout was expected */
    bool fresh;     /* when it started, its directory was empty */
    char cgroup[CHILD_CGROUP_PATH]; /* of a worker; "": none */
};

struct supervise_job {
    struct job job;
    struct supervise_seat worker, judge;
    int64_t strays;                  /* results that are no longer awaited */
    bool torn;                       /* a record had been overwritten */
    uint64_t head;                   /* of the outputs, as last seen */
    uint64_t file;                   /* that holds them, of no name */
    struct supervise_watch progress; /* of results */
    struct sandbox_notices refused;  /* in this round */
    bool finished;
};

enum supervise_state { /* of a case */
    SUPERVISE_OPEN,
    SUPERVISE_ASIDE,  /* to be tried again, alone */
    SUPERVISE_BESIDE, /* wrong in a batch, right alone: not known yet */
    SUPERVISE_SETTLED,
};

/* Events of a case so far. */
struct supervise_trouble {
    int64_t position;
    int tries;                            /* that ended without a result */
    int kills, judge_kills, judge_deaths; /* of them */
    bool own;       /* it ended by itself, and did not wait for anything */
    bool has_first; /* the worker ended so: */
    enum verdict_status first;
    char text[JOB_TEXT];
};

enum supervise_round {
    SUPERVISE_ROUND_OPEN,    /* cases of which nothing is known, one by one */
    SUPERVISE_ROUND_ALONE,   /* each case in processes of its own; at most as
                                many as there are jobs */
    SUPERVISE_ROUND_BATCHES, /* cases of which nothing is known, in batches */
    SUPERVISE_ROUND_BESIDE,  /* one batch again */
};

/* A case that was wrong in its batch. */
struct supervise_beside {
    int64_t position, first; /* first: of the batch */
    struct job_result *wrong;
    bool again; /* and was wrong in it again */
};

/* Why a process ended. */
struct supervise_death {
    enum verdict_status status; /* of a worker: CRASH or TIMEOUT */
    bool outside; /* by a signal that programs do not send themselves, or for
                     what it had done before it went on */
    bool fault;   /* by its own fault, not because memory ran out */
    bool memory;  /* it took more than the limit */
    bool asleep;  /* it timed out so */
    int32_t phase;
    char text[JOB_TEXT - 64];
};

struct supervisor {
    struct job_context context; /* of the running round */
    const struct supervise_options *options;
    supervise_result *on_result;
    supervise_tick *on_tick;
    void *self;
    struct status *st;
    /* Cases, by their position among those that the caller gave. */
    const int64_t *pending;
    int64_t pending_count, settled;
    unsigned char *state; /* enum supervise_state */
    struct supervise_trouble *troubles;
    int64_t trouble_count;
    size_t trouble_room;
    /* Timeouts without a result between them, and where they happened. */
    int64_t streak, confirmed;
    int32_t streak_phase;
    bool streak_asleep;
    struct supervise_outcome outcome;
    /* Batches (supervise_batch.c). */
    int batch;           /* of the next round; at most 1: no more batches */
    unsigned char *lone; /* by position: not to be in a batch again */
    int64_t *first;      /* by position: first case of its batch; -1: none */
    struct supervise_beside *beside;
    int64_t beside_count;
    size_t beside_room;
    int64_t differ;   /* of them, those that were right alone */
    int64_t *members; /* of the batch that a result is told of */
    /* The running round. */
    struct supervise_job *jobs;
    int round_jobs;
    int64_t *list; /* position in the round to position */
    int64_t list_count;
    enum supervise_round round;
    struct supervise_watch_clock clock;
    int64_t taken;                        /* of the list, as last seen */
    int64_t memory_seen;                  /* when memory was last looked at */
    int64_t children_seen;                /* and when for children */
    struct child_memory_list processes;   /* at that time */
    int64_t scratch_seen;                 /* and when for directories */
    struct pollfd *polled;                /* of each job */
    bool protects;                        /* the sandbox, files */
    int64_t quiet_deaths, quiet_progress; /* between cases */
    int64_t stop_at;                      /* when judges must have ended */
    bool over;                            /* the round has failed */
    bool told;                            /* to stop the round */
    bool enough;                          /* on_result asked to stop */
    bool failed;
};

/* The run itself fails. */
bool supervise_fail(struct supervisor *s, const char *text, const char *more);

int64_t supervise_now(struct supervisor *s);
void supervise_kill(struct supervise_seat *seat, enum supervise_reason reason);
/* Memory that a worker shares was overwritten, so its current case is not
 * reliable either.  Its job ends; records that were not judged yet are lost,
 * and their cases are run again.  False if the run fails. */
bool supervise_damaged(struct supervisor *s, struct supervise_job *w);

/* Look after all processes of the round.  False if the run fails. */
bool supervise_check(struct supervisor *s);

static inline bool supervise_alone(const struct supervisor *s)
{
    return s->round == SUPERVISE_ROUND_ALONE;
}

/* Milliseconds of processor time that one call may take.  Processor time varies
 * with what else the machine does (shared caches and cores), so a call that
 * takes about as long as the limit would time out by chance: the second try,
 * which decides, has more. */
static inline int64_t supervise_busy_ms(const struct supervisor *s)
{
    return s->options->timeout_ms
           * (supervise_alone(s) ? SUPERVISE_ALONE_TIMES : 1);
}

/* Both limits of one call; early: of a case whose timeout is expected, because
 * to see once more that it takes so long tells nothing. */
static inline struct supervise_watch_limits
supervise_limits(const struct supervisor *s, bool early)
{
    int64_t all = supervise_busy_ms(s), less = s->options->expected_ms;
    int64_t sleep = s->options->sleep_ms;
    if (!early || less >= all)
        return (struct supervise_watch_limits){all, sleep};
    return (struct supervise_watch_limits){less, sleep * less / all};
}

/* Do the expectations foresee this result? */
static inline bool supervise_expects(const struct supervisor *s,
                                     const struct job_result *r)
{
    return s->options->expected && s->options->expected(s->self, r);
}

/* Run the cases of the list. */
bool supervise_round(struct supervisor *s, enum supervise_round kind);
bool supervise_stopped(const struct supervisor *s);

/* ---- supervise_sandbox.c */

/* Make what it needs; false if memory is out. */
bool supervise_sandbox_begin(struct supervisor *s);
/* Wait that long at most, and answer what the workers ask meanwhile. */
void supervise_sandbox_wait(struct supervisor *s, int most_ms);
/* Add what was refused at that position of the round to a text. */
void supervise_sandbox_say(struct supervise_job *w, int64_t position,
                           char *text, size_t size);
/* Is the worker's directory empty? */
bool supervise_sandbox_fresh(struct supervise_job *w);
/* End workers whose directory holds more than one process may take of memory;
 * then empty it. */
void supervise_sandbox_check(struct supervisor *s);
void supervise_sandbox_end(struct supervise_job *w);

/* ---- supervise_order.c */

/* Put the list into the order in which batches take it.  False if memory is
 * out. */
bool supervise_order(struct supervisor *s);

/* ---- supervise_batch.c */

/* Make room; false if memory is out. */
bool supervise_batch_begin(struct supervisor *s);
void supervise_batch_end(struct supervisor *s);
/* Is the running round one of batches? */
bool supervise_batch_runs(const struct supervisor *s);
/* Run all cases of which nothing is known, in batches; what is right then is
 * settled. */
bool supervise_batch(struct supervisor *s);
/* A worker ended at a batch: what it had taken is run in another round. */
void supervise_batch_worker(struct supervisor *s, struct supervise_job *w,
                            const struct supervise_death *death);
/* A judge ended at a case of a batch. */
void supervise_batch_judge(struct supervisor *s, int64_t position);
/* A result in a round of batches. */
bool supervise_batch_result(struct supervisor *s, struct job_result *result);
/* A result of a case that ran alone: true if it is right, but was not in its
 * batch; then it is not known yet. */
bool supervise_batch_differs(struct supervisor *s,
                             const struct job_result *result);
/* Run the batches again that had such cases. */
bool supervise_batch_again(struct supervisor *s);

/* ---- supervise_try.c */

/* Deliver a result, whatever its origin. */
void supervise_try_give(struct supervisor *s, const struct job_result *result);
/* Count a timeout of a batch, or of a case. */
void supervise_try_timeout(struct supervisor *s,
                           const struct supervise_death *death);
/* How many timeouts in a row it takes to give up, and whether there were as
 * many in this round: then it is time to see whether the backend always hangs.
 */
int64_t supervise_try_most_timeouts(const struct supervisor *s);
bool supervise_try_streak_ended(const struct supervisor *s);

/* A result that came from a judge; position is the round's.  False if it is no
 * longer awaited. */
bool supervise_try_result(struct supervisor *s, struct job_result *result);
/* Why a process ended with that status of waitpid. */
void supervise_try_why(const struct supervisor *s, struct supervise_seat *seat,
                       int status, struct supervise_death *death);
/* Has a worker ended after a case that was the last one for it (JOB_LAST)? */
bool supervise_try_left(const struct supervise_seat *seat, int status);

/* supervise_closing.c: note that a worker died in release or close, if so. */
void supervise_closing_died(struct supervisor *s,
                            const struct supervise_seat *seat,
                            const struct supervise_death *d, int status);
/* Let a worker that has given all its results close its backend. */
void supervise_closing_wait(struct supervisor *s, struct supervise_job *w);
/* Is it expected that the case times out?  at: its position in the round. */
bool supervise_try_expected(const struct supervisor *s, int64_t at,
                            const struct supervise_seat *seat, bool asleep);
/* A process ended at a case that is not settled. */
void supervise_try_worker(struct supervisor *s, int64_t position,
                          const struct supervise_death *death);
void supervise_try_judge(struct supervisor *s, int64_t position,
                         const struct supervise_death *death);
/* Put a case aside; false if memory is out. */
bool supervise_try_aside(struct supervisor *s, int64_t position);
struct supervise_trouble *supervise_try_find(struct supervisor *s,
                                             int64_t position);

#endif
