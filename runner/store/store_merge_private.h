/* store_merge_private.h - what the files of store_merge share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_STORE_STORE_MERGE_PRIVATE_H
#define RUNNER_STORE_STORE_MERGE_PRIVATE_H

#include "runner/store/store_merge.h"
#include "runner/store/store_private.h"

/* A run that is a shard. */
struct part {
    struct store *store;
    int64_t run, first, count, whole;
    int shard, shards;
    bool complete;
    const char *plan_hash;
};

/* A case of the whole plan, and whose result it has. */
struct place {
    int64_t id; /* its plan row in the first part's database */
    int shard;
    const struct part *part; /* NULL: no result */
    int64_t from;            /* its plan row there */
    int status;
};

struct merging {
    struct arena *arena;
    struct store_merged *merged;
    int store_count;
    struct store **stores;
    int part_count, part_room;
    struct part *parts; /* parts[model] says what is joined */
    int model;
    struct place *places;
    struct store *to;
};

/* A column's text in the arena; NULL stays NULL. */
const char *store_merge_text(struct merging *m, sqlite3_stmt *q, int i);
/* The end of a query: true unless it failed. */
bool store_merge_ended(struct store *s, sqlite3_stmt *q, int rc,
                       struct status *st);
/* Write what m->places say as a run of m->to. */
bool store_merge_write(struct merging *m, const char *command,
                       struct status *st);

#endif
