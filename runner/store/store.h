/* store.h - the results database: a run is rows in it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/results.sql is the schema and spec/results.md its explanation.  A run
 * goes:
 *
 *     store_open(path, STORE_WRITE)
 *     store_run_begin                 or store_resume, to go on with one
 *     store_plan_add ... store_plan_end
 *     store_result_add, then its store_wrong_add and store_add;
 *         store_tick while waiting
 *     store_run_end
 *     store_close
 *
 * Rows are committed every 1000 results or 50 ms, whichever comes first, and
 * the rows of one result always together: a process that is killed loses only
 * the results of the last 50 ms.  One process writes to a database at a time
 * (store_open says who does); any number may read.  A store belongs to one
 * thread.  Strings are copied; NULL is stored as NULL where the schema allows
 * it, else as "".
 */
#ifndef RUNNER_STORE_STORE_H
#define RUNNER_STORE_STORE_H

#include <stdbool.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "interp/base/status.h"
#include "runner/store/store_record.h"

struct store;
struct identity;
struct sqlite3;

enum store_mode {
    STORE_READ,   /* must exist; never written to */
    STORE_WRITE,  /* made if it is missing or an empty file */
    STORE_WAIT,   /* the same, and waits a minute for another writer's end */
    STORE_RESUME, /* the same, but must exist: nothing is made */
};

/* Fail with INPUT if the file is not a results database, is a newer one, or is
 * damaged (it is left as it was), and with SYSTEM if it cannot be read or
 * another process writes to it.  path must live as long as the store and
 * every status that it fails with. */
bool store_open(const char *path, enum store_mode mode, struct store **store,
                struct status *st);
/* Fails with SYSTEM if the file that is being written is no longer at its path.
 * */
bool store_intact_place(struct store *store, struct status *st);
/* The same if the database there is damaged.  It must not be open. */
bool store_intact(const char *path, struct status *st);
/* Commit and close; an incomplete plan is rolled back.  The store is gone
 * even if that fails.  May be NULL. */
bool store_close(struct store *store, struct status *st);
/* For queries (report/). */
struct sqlite3 *store_handle(struct store *store);
/* Record SQLite's last error, and in which database; returns false. */
bool store_sql_fail(struct store *store, const char *doing, struct status *st);
/* A statement to be stepped and finalized; NULL on failure. */
struct sqlite3_stmt *store_prepare(struct store *store, const char *sql,
                                   struct status *st);

struct store_property {
    const char *key, *value;
};

struct store_run {
    const char *suite_version;
    const char *case_set_hash;       /* of the suite */
    const struct identity *identity; /* NULL: not recorded */
    /* The hash of the list of planned names and all else that decides the
     * results: backend, its options, profile, seed, limits.  store_resume asks
     * for it. */
    const char *plan_hash;
    uint64_t seed;
    const char *filter, *tier;
    int jobs;
    int shard, shards; /* part of a plan of that many, from 1; 0: all of it */
    int64_t whole;     /* planned cases of all shards */
    const char *profile, *profile_json;
    const char *command; /* the command line */
    const char *host; /* a JSON object; NULL: store_host's without a sandbox */
    const char *backend, *backend_version, *backend_path, *backend_options;
    int property_count;
    const struct store_property *properties;
};

/* Start a run in state "planning".  *run is its number in this database. */
bool store_run_begin(struct store *store, const struct store_run *info,
                     int64_t *run, struct status *st);
/* Replace the backend's version and properties, which only a worker knows. */
bool store_backend_set(struct store *store, int64_t run, const char *version,
                       int property_count,
                       const struct store_property *properties,
                       struct status *st);
/* Facts about this machine, a JSON object; which sandbox there is, and how
 * memory is measured. */
const char *store_host(struct arena *a, const char *sandbox,
                       const char *memory_limit);

struct store_plan {
    const char *file; /* "Add/shapes" */
    const char *name; /* "outer@T=f32,N=17": after the file's name and "/" */
    int variant;      /* 1: #constant; the name has any other form */
    const char *op;
    const char *type; /* element type, or NULL */
    const char *tier; /* or NULL */
    /* For a shard's run: the cases of the others come after its own. */
    int64_t place; /* in the whole plan, from 0 */
    int shard;     /* that runs it, from 1; 0: the run is not a shard */
    bool elsewhere;
};

/* Add a planned case; *plan counts up by one from the first. */
bool store_plan_add(struct store *store, const struct store_plan *p,
                    int64_t *plan, struct status *st);
/* The plan is complete: commit; the run is "running". */
bool store_plan_end(struct store *store, struct status *st);

enum {
    /* A flag besides those of enum verdict_flag: the result is not final, and
     * --resume tries the case again. */
    STORE_HELD = 16,
    /* The expectations say that the case may be right or wrong. */
    STORE_UNSTEADY = 64
};

/* The rows of record.def; spec/results.sql says what the columns mean. */
struct store_result {
    int64_t plan;
    /* status: its row in verdict.def, counted from 0; never MISSING.  units
     * < 0: nothing was compared; correct < 0: judged together. */
    RECORD_result(RECORD_MEMBER, )
};
struct store_detail {
    int64_t plan;
    RECORD_detail(RECORD_MEMBER, )
};
struct store_operand {
    int64_t plan;
    RECORD_operand(RECORD_MEMBER, )
};
struct store_wrong {
    int64_t plan;
    int operand_count; /* inputs of this unit; 0 where there are many */
    struct store_operand *operands;
    RECORD_wrong(RECORD_MEMBER, )
};
struct store_bin {
    int64_t plan;
    RECORD_bin(RECORD_MEMBER, )
};
struct store_remark {
    int64_t plan;
    RECORD_remark(RECORD_MEMBER, )
};
struct store_cause {
    int64_t plan;
    RECORD_cause(RECORD_MEMBER, )
};

/* Add a result, or put it in place of an earlier attempt's, of which all rows
 * are removed. */
bool store_result_add(struct store *store, const struct store_result *r,
                      struct status *st);
/* Add a row of another table: its structure. */
bool store_add(struct store *store, enum store_table table, const void *row,
               struct status *st);
/* A wrong unit and its operands, of which it sets plan, n and k. */
bool store_wrong_add(struct store *store, const struct store_wrong *w,
                     struct status *st);
/* Remove the rows that a table has of a result. */
bool store_remove(struct store *store, enum store_table table, int64_t plan,
                  struct status *st);

/* Commit what is older than 50 ms; call it while waiting. */
bool store_tick(struct store *store, struct status *st);
/* Commit now. */
bool store_flush(struct store *store, struct status *st);

/* The run is over: "complete", or "stopped" with a reason. */
bool store_run_end(struct store *store, int64_t run, bool complete,
                   const char *note, struct status *st);

struct store_resumed {
    int64_t run;         /* 0: there is no such run */
    int64_t other;       /* then the latest unfinished one of another plan */
    int64_t first;       /* its first plan id */
    int64_t count;       /* planned */
    int64_t done_count;  /* of which done */
    unsigned char *done; /* [plan - first]: 1 if it has a final result */
};

/* Find the latest run with that plan hash and shard of so many (0 of 0: none)
 * that has a complete plan and is unfinished, and continue it: it is "running"
 * again. */
bool store_resume(struct store *store, struct arena *a, const char *plan_hash,
                  int shard, int shards, struct store_resumed *resumed,
                  struct status *st);

#endif
