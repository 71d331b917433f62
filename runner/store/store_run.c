/* store_run.c - see store.h: the beginning and the end of a run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <time.h>

#include "runner/store/identity.h"
#include "runner/store/store_private.h"
#include "runner/store/store_schema.h"

static void now_text(char text[32])
{
    struct timespec t;
    struct tm tm;
    clock_gettime(CLOCK_REALTIME, &t);
    gmtime_r(&t.tv_sec, &tm);
    size_t n = strftime(text, 32, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(text + n, 32 - n, ".%03dZ", (int)(t.tv_nsec / 1000000));
}

static void make_uuid(char text[37])
{
    unsigned char b[16];
    sqlite3_randomness(sizeof b, b);
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* RFC 4122: version 4, */
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80); /* variant 1 */
    char *p = text;
    for (int i = 0; i < 16; i++)
        p += snprintf(p, 4, "%s%02x",
                      i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", b[i]);
}

static bool add_run(struct store *s, const struct store_run *info,
                    const char *host, struct status *st)
{
    char uuid[37], started[32], seed[24];
    make_uuid(uuid);
    now_text(started);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)info->seed);
    const char *text[] = {uuid,
                          started,
                          store_or_empty(info->suite_version),
                          store_or_empty(info->case_set_hash),
                          store_or_empty(info->plan_hash),
                          seed,
                          info->filter,
                          info->tier,
                          store_or_empty(info->profile),
                          store_or_empty(info->profile_json),
                          store_or_empty(info->command),
                          host};
    TRY(store_once(
        s,
        "INSERT INTO run (uuid, started, suite_version, case_set_hash,"
        " plan_hash, seed, filter, tier, profile, profile_json, command,"
        " host, jobs, plan_first, plan_count, state)"
        " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,0,'planning')",
        12, text, 2, (int64_t[]){info->jobs, s->first}, NULL, st));
    s->run = sqlite3_last_insert_rowid(s->db);
    TRY(info->shards == 0
        || store_once(
            s, "UPDATE run SET shard = ?, shards = ?, whole = ? WHERE id = ?",
            0, NULL, 4,
            (int64_t[]){info->shard, info->shards, info->whole, s->run}, NULL,
            st));
    const char *backend[] = {store_or_empty(info->backend),
                             store_or_empty(info->backend_version),
                             store_or_empty(info->backend_path),
                             store_or_empty(info->backend_options)};
    if (info->identity)
        TRY(identity_write(s, s->run, info->identity, st));
    return store_once(s,
                      "INSERT INTO backend (name, version, path, options, run)"
                      " VALUES (?,?,?,?,?)",
                      4, backend, 1, &s->run, NULL, st);
}

bool store_run_begin(struct store *s, const struct store_run *info,
                     int64_t *run, struct status *st)
{
    TRY(store_flush(s, st) && store_begin(s, st));
    int64_t last = 0;
    TRY(store_once(s, "SELECT coalesce(max(id), 0) FROM plan", 0, NULL, 0, NULL,
                   &last, st));
    s->first = s->next = last + 1;
    s->planned = 0;
    s->planning = true;
    struct arena a = ARENA_INIT;
    bool good = add_run(
        s, info, info->host ? info->host : store_host(&a, "off", "none"), st);
    arena_free(&a);
    TRY(good);
    *run = s->run;
    return store_backend_set(s, s->run, info->backend_version,
                             info->property_count, info->properties, st);
}

bool store_run_end(struct store *s, int64_t run, bool complete,
                   const char *note, struct status *st)
{
    char finished[32];
    now_text(finished);
    const char *text[] = {finished, complete ? "complete" : "stopped", note};
    TRY(store_begin(s, st));
    TRY(store_once(
        s, "UPDATE run SET finished = ?, state = ?, note = ? WHERE id = ?", 3,
        text, 1, &run, NULL, st));
    s->run = 0;
    s->planning = false;
    TRY(store_flush(s, st));
    /* After loading, and only for the rows that are queried. */
    return store_exec(s, STORE_SCHEMA_INDEX, st);
}
