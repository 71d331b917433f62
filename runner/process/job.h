/* job.h - what the processes of a run exchange.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A job is two processes that are forked from the runner and share its plan: a
 * worker, the only process that loads the backend, which runs cases and sends
 * the outputs, and a judge, which evaluates the reference and sends verdicts to
 * the runner.
 *
 *     worker  --outputs-->  judge  --results-->  runner  -->  database
 *
 * Cases are taken from one counter, a few at a time.  The current case of each
 * process is in shared memory, so when it dies or hangs the runner knows which
 * case did it, and only that case is affected.
 *
 * In a round of batches, cases that are taken together are compiled as one
 * program (worker_batch.c), and cases that are not right then are run again
 * alone (supervise_batch.c).
 */
#ifndef RUNNER_PROCESS_JOB_H
#define RUNNER_PROCESS_JOB_H

#include <stdatomic.h>
#include <stdio.h>

#include "interp/base/hash.h"
#include "interp/judge/monotone.h"
#include "interp/judge/verdict.h"
#include "runner/plan/plan.h"
#include "runner/process/ring.h"
#include "runner/process/sandbox_scratch.h"

enum job_phase {
    JOB_IDLE,     /* between cases */
    JOB_OPEN,     /* loading the backend */
    JOB_MAKE,     /* making the case of its stub */
    JOB_COMPILE,  /* inside the backend */
    JOB_EXECUTE,  /* inside the backend */
    JOB_RELEASE,  /* inside the backend: an earlier case's program */
    JOB_SEND,     /* writing a record */
    JOB_WAIT,     /* for room in the ring */
    JOB_CLOSE,    /* inside the backend, at the end */
    JOB_EVALUATE, /* the judge: only the reference */
    JOB_JUDGE     /* the judge: what the backend gave */
};

enum {
    JOB_TAKEN = 32, /* cases at a time */
    JOB_BATCH_MAX = 2000,
    JOB_TEXT = 320,
    JOB_RING_BYTES_MIN = 64 << 20,
    JOB_NO_MEMORY = 71, /* exit status of a process that gets none (arena.c) */
    /* and of a worker whose backend changed what only the worker writes */
    JOB_DAMAGED = 72,
    JOB_LEFT = 73, /* and of one that leaves the other cases to another one */
};

/* Where one process is. */
struct job_place {
    /* A position in job_context.pending (-1: nowhere) and above it, as bits 32
     * to 63, its complement: it was not overwritten.  One word, so a kill never
     * leaves half of it. */
    _Atomic uint64_t at;
    _Atomic uint64_t steps; /* how many phases have begun */
    _Atomic int32_t phase;
    _Atomic int32_t done; /* it ended well */
};

/* Memory that the worker, and so its backend, may write. */
struct job_shared {
    struct job_place worker;
    _Atomic int64_t next, end; /* the rest of what the worker has taken */
};

/* Where a case may run. */
enum job_lone {
    JOB_NOT_LONE, /* in a batch */
    JOB_LONE,     /* alone */
    JOB_LAST,     /* alone, and no other case after it in its process: it is
                     expected to crash, which may be later than it did the harm */
    JOB_ONCE_BAD  /* in a batch; but it was wrong alone, so being right there
                     proves nothing */
};

struct job_result;

/* Data that all processes of the run have from the fork. */
struct job_context {
    const struct plan *plan;
    struct arena *plan_arena; /* read-only in a worker; NULL: as it is */
    const int64_t *pending;   /* numbers of plan cases, in order */
    int64_t pending_count;
    _Atomic int64_t *counter; /* the next pending case */
    _Atomic int32_t *stop;
    const struct limits *limits;
    const struct profile *profile;
    const struct deviation_table *deviations; /* that explain; NULL: none */
    const char *backend_path, *backend_options;
    const char
        *bits; /* file that what is judged is kept in (bits.h); or NULL */
    uint64_t seed;
    int64_t memory_bytes;
    const struct sandbox *sandbox; /* for the backend; NULL: none */
    int attempt;                   /* 2: what failed is tried again, alone */
    int batch; /* cases compiled as one program, at most; 0 or 1: each alone */
    const unsigned char *lone; /* by case of the plan: enum job_lone; or NULL */
    bool twice; /* execute each case twice, not only the sample */
    /* By plan case: what the first try of a case gave that is tried again;
     * NULL: none.  Without such tries the list is NULL. */
    struct job_result *const *before;
    /* Something was overwritten: what is shared is read-only while a backend
     * has control, so the write that does it is a crash.  Costs system calls.
     * */
    bool careful;
    /* For tests: called in each process when it begins a phase; place is its
     * own.  NULL otherwise. */
    void (*on_phase)(const struct job_place *place, bool judge);
    /* Judge only the results that may have the largest error, if the case is
     * one function of f64 (judge_screen.c). */
    bool screen;
    bool bins; /* also of what is the reference's result bit for bit */
    bool each; /* values of a program, each by those given for its operands */
    bool unremarked; /* of judge_value.h */
    /* Whose one operand is consecutive patterns: are the results in order?
     * NULL: not asked. */
    const struct monotone *monotone;
};

struct job {
    struct job_shared *shared;
    struct job_place *judge; /* not mapped in a worker, nor are the results */
    struct ring *outputs, *results;
    char folder[SANDBOX_SCRATCH_PATH]; /* where the worker writes; "": none */
};

/* Be at a case, or nowhere. */
static inline void job_at(struct job_place *place, int64_t position)
{
    uint32_t n = (uint32_t)position;
    atomic_store(&place->at, (uint64_t)~n << 32 | n);
}

/* Why a case is a flake: two tries that ended differently. */
static inline void job_flake(char text[JOB_TEXT], enum verdict_status then,
                             const char *then_text, enum verdict_status now,
                             const char *now_text)
{
    snprintf(text, JOB_TEXT, "%s at first (%.120s), then %s%s%.120s",
             verdict_name(then), then_text, verdict_name(now),
             now_text[0] ? ": " : "", now_text);
}

static inline int64_t job_position(const struct job_place *place)
{
    return (int32_t)(uint32_t)atomic_load(&place->at);
}

static inline bool job_place_whole(const struct job_place *place)
{
    uint64_t at = atomic_load(&place->at);
    return (uint32_t)(at >> 32) == ~(uint32_t)at;
}

/* Begin a phase. */
static inline void job_enter(struct job_place *place, enum job_phase phase)
{
    atomic_store(&place->phase, (int32_t)phase);
    atomic_fetch_add(&place->steps, 1);
}

/* ---- outputs: worker to judge -------------------------------------------- */

enum job_flag {
    JOB_DECLINED = 1,   /* the capabilities say that it does not do this */
    JOB_NO_PROGRAM = 2, /* the case's module cannot even be expressed */
    JOB_GUARD = 4,      /* written outside an output */
    JOB_INPUT = 8,      /* an input was changed */
    JOB_UNWRITTEN = 16, /* left part of an output as it was */
    JOB_TWICE = 32,     /* two runs differ: both results follow */
    JOB_TOO_LARGE =
        64, /* the outputs don't fit in the ring, or as the text says */
    JOB_BAD_CASE = 128,  /* the case itself cannot be made */
    JOB_CLASSLESS = 256, /* the backend rejects without a class */
    JOB_EXECUTED = 512,  /* on those inputs */
    JOB_PROGRAM = 1024,  /* the program was changed */
    JOB_ERROR = 2048,    /* written outside an error's text */
    JOB_BESIDE = 8192,   /* written outside an input */
    JOB_SECOND = 16384   /* the second run failed, as the text says */
};

/* Then output_count outputs (twice with JOB_TWICE), then outfeed_count more,
 * and outfeed2_count of the second run, each a struct job_output, dims, sizes
 * and data, rounded up to 8 bytes. */
struct job_record {
    int64_t position;
    int32_t attempt;
    int32_t code; /* assay_code */
    uint32_t flags;
    int32_t phase; /* where code came from: JOB_COMPILE or JOB_EXECUTE */
    int32_t output_count, outfeed_count, outfeed2_count;
    int32_t where; /* of a flag: which output or input */
    uint32_t left; /* of the process: enum plugin_state_left */
    /* In a batch: how many cases it had, and the first one's position + 1. */
    int32_t batch;
    int64_t batch_first;
    int64_t time_ns, compile_ns; /* compiling is part of the time */
    struct hash inputs;          /* as they were when it was executed */
    struct hash program;         /* as it was made; {0}: there is none */
    char text[JOB_TEXT];
};

struct job_output {
    char dtype[24];
    uint64_t bytes;      /* as the backend said */
    uint64_t data_bytes; /* that follow */
    int32_t rank;        /* as the backend said */
    int32_t dims;        /* that follow, and as many sizes */
    int64_t replica;
};

/* ---- results: judge to runner -------------------------------------------- */

enum {
    JOB_OPERANDS = 4,
};

struct job_wrong {
    int32_t replica, leaf;
    int32_t type; /* enum dtype of the unit */
    bool has_set, has_error, has_share;
    uint64_t got, want, low, high;
    int64_t error, share;
    char place[80];
    char value[80]; /* the instruction of one of several results, or "" */
    char accept[640];
    int32_t operand_count;
    int32_t several; /* parts of the set, which accept lists; no low or high */
    struct {
        int32_t type, complex; /* enum dtype of the element */
        uint64_t bits, imaginary;
    } operands[JOB_OPERANDS];
};

/* How many units have an error of that bin (results.sql). */
struct job_bin {
    int64_t bin, count;
};

/* "flush", or a policy's name, and how many units owe it. */
struct job_remark {
    char name[56];
    int64_t units;
};

/* A deviation, or two of them (deviation_pair.h), that explains every wrong
 * unit. */
struct job_cause {
    char name[208], text[480];
    int64_t units, moved;
    int64_t exact;
    int64_t held; /* passing cases that do not contradict it (reasons.h); -1:
                     it was held against none yet */
};

/* Then wrong_count struct job_wrong, bin_count struct job_bin, remark_count
 * struct job_remark and cause_count struct job_cause. */
struct job_result {
    int64_t position;
    int32_t attempt;
    int32_t status; /* enum verdict_status */
    int64_t time_ns, compile_ns;
    /* correct: -1 if all units are judged together (struct verdict, whole) */
    int64_t units, correct, bad, special, error, share, worst_unit;
    struct monotone_part order;
    uint32_t flags;       /* enum store_flag */
    struct hash returned; /* what was wrong; {0}: nothing */
    bool has_error, has_share;
    bool reference_wrong; /* the case contradicts the reference */
    bool held;            /* not final: the case will be tried again */
    /* Its inputs were not the case's: it is not a result of it. */
    bool disturbed;
    int32_t batch; /* as in the record */
    int64_t batch_first;
    /* Set by the supervisor: it is wrong only in a batch with these cases,
     * given as positions in the run (itself included). */
    int64_t beside_count;
    const int64_t *beside;
    int32_t wrong_count, bin_count, remark_count, cause_count;
    char worst_input[128];
    char text[JOB_TEXT];
};

/* The size with all that follows. */
static inline size_t job_result_bytes(const struct job_result *r)
{
    return sizeof *r + (size_t)r->wrong_count * sizeof(struct job_wrong)
           + (size_t)r->bin_count * sizeof(struct job_bin)
           + (size_t)r->remark_count * sizeof(struct job_remark)
           + (size_t)r->cause_count * sizeof(struct job_cause);
}

/* The causes of a result. */
static inline const struct job_cause *job_causes(const struct job_result *r)
{
    size_t all = job_result_bytes(r);
    size_t own = (size_t)r->cause_count * sizeof(struct job_cause);
    return (const struct job_cause *)((const char *)r + all - own);
}

#endif
