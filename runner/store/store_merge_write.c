/* store_merge_write.c - see store_merge.h: the joined run is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "interp/base/text.h"
#include "runner/store/identity.h"
#include "runner/store/store_merge_private.h"

/* ---- The new run --------------------------------------------------------- */

/* The machines of the shards, each once, as JSON. */
static const char *hosts(struct merging *m, struct status *st)
{
    const char **seen =
        arena_new(m->arena, const char *, (size_t)m->part_count);
    int count = 0;
    for (int i = 0; i < m->part_count; i++) {
        struct store *s = m->parts[i].store;
        sqlite3_stmt *q =
            store_prepare(s, "SELECT host FROM run WHERE id = ?", st);
        if (!q)
            return NULL;
        sqlite3_bind_int64(q, 1, m->parts[i].run);
        const char *host =
            sqlite3_step(q) == SQLITE_ROW ? store_merge_text(m, q, 0) : NULL;
        sqlite3_finalize(q);
        bool is_new = host != NULL;
        for (int k = 0; k < count && is_new; k++)
            is_new = strcmp(seen[k], host) != 0;
        if (is_new)
            seen[count++] = host;
    }
    if (count == 1)
        return seen[0];
    const char *all = "[";
    for (int k = 0; k < count; k++)
        all = arena_printf(m->arena, "%s%s%s", all, k ? ", " : "", seen[k]);
    return arena_printf(m->arena, "{\"machines\": %s]}", all);
}

static bool read_properties(struct merging *m, struct store_run *info,
                            struct status *st)
{
    enum {
        PROPERTIES_MAX = 256
    };
    const struct part *p = &m->parts[m->model];
    struct store_property *list =
        arena_new(m->arena, struct store_property, PROPERTIES_MAX);
    sqlite3_stmt *q = store_prepare(
        p->store, "SELECT key, value FROM property WHERE run = ? LIMIT ?", st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, p->run);
    sqlite3_bind_int(q, 2, PROPERTIES_MAX);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW)
        list[info->property_count++] = (struct store_property){
            store_merge_text(m, q, 0), store_merge_text(m, q, 1)};
    info->properties = list;
    return store_merge_ended(p->store, q, rc, st);
}

static bool begin_run(struct merging *m, const char *command, int64_t *run,
                      struct status *st)
{
    const struct part *p = &m->parts[m->model];
    struct store_run info = {.command = command, .plan_hash = p->plan_hash};
    sqlite3_stmt *q = store_prepare(
        p->store,
        "SELECT suite_version, case_set_hash, filter, tier, profile,"
        " profile_json, jobs, seed, name, version, path, options FROM run"
        " JOIN backend ON backend.run = run.id WHERE run.id = ?",
        st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, p->run);
    int rc = sqlite3_step(q);
    const char *seed = NULL;
    if (rc == SQLITE_ROW) {
        const char **texts[] = {&info.suite_version,
                                &info.case_set_hash,
                                &info.filter,
                                &info.tier,
                                &info.profile,
                                &info.profile_json,
                                NULL,
                                &seed,
                                &info.backend,
                                &info.backend_version,
                                &info.backend_path,
                                &info.backend_options};
        for (int i = 0; i < (int)(sizeof texts / sizeof texts[0]); i++)
            if (texts[i])
                *texts[i] = store_merge_text(m, q, i);
        info.jobs = sqlite3_column_int(q, 6);
    }
    bool good = rc == SQLITE_ROW || store_sql_fail(p->store, "reading it", st);
    sqlite3_finalize(q);
    TRY(good && read_properties(m, &info, st));
    if (seed)
        sscanf(seed, "%llu", (unsigned long long *)&info.seed);
    info.host = hosts(m, st);
    struct identity identity;
    TRY(identity_read(p->store, m->arena, p->run, &identity, st));
    info.identity = &identity;
    return info.host && store_run_begin(m->to, &info, run, st);
}

static bool add_plan(struct merging *m, int64_t *first, struct status *st)
{
    const struct part *p = &m->parts[m->model];
    sqlite3_stmt *q = store_prepare(
        p->store,
        "SELECT file.name, plan.name, variant, op.name, type.name, tier.name"
        " FROM plan JOIN file ON file.id = plan.file JOIN op ON op.id = plan.op"
        " LEFT JOIN type ON type.id = plan.type"
        " LEFT JOIN tier ON tier.id = plan.tier WHERE plan.id = ?",
        st);
    bool good = q != NULL;
    for (int64_t i = 0; good && i < p->whole; i++) {
        sqlite3_bind_int64(q, 1, m->places[i].id);
        if (sqlite3_step(q) != SQLITE_ROW) {
            good = store_sql_fail(p->store, "reading its plan", st);
            break;
        }
        const struct store_plan row = {
            .file = (const char *)sqlite3_column_text(q, 0),
            .name = (const char *)sqlite3_column_text(q, 1),
            .variant = sqlite3_column_int(q, 2),
            .op = (const char *)sqlite3_column_text(q, 3),
            .type = (const char *)sqlite3_column_text(q, 4),
            .tier = (const char *)sqlite3_column_text(q, 5)};
        int64_t id;
        good = store_plan_add(m->to, &row, &id, st);
        if (i == 0)
            *first = id;
        sqlite3_reset(q);
    }
    sqlite3_finalize(q);
    return good;
}

/* ---- The rows of a result ------------------------------------------------ */

static bool copy_rows(struct store *from, sqlite3_stmt *select,
                      struct store *to, sqlite3_stmt *insert, int64_t plan,
                      struct status *st)
{
    int rc, columns = sqlite3_column_count(select);
    while ((rc = sqlite3_step(select)) == SQLITE_ROW) {
        sqlite3_bind_int64(insert, 1, plan);
        for (int i = 1; i < columns; i++)
            sqlite3_bind_value(insert, i + 1, sqlite3_column_value(select, i));
        if (sqlite3_step(insert) != SQLITE_DONE) {
            store_sql_fail(to, "writing a row", st);
            sqlite3_reset(insert);
            return false;
        }
        sqlite3_reset(insert);
    }
    sqlite3_reset(select);
    return rc == SQLITE_DONE || store_sql_fail(from, "reading results", st);
}

/* All results that come from one database. */
static bool copy_store(struct merging *m, struct store *s, int64_t first,
                       struct status *st)
{
    bool good = true;
    for (int t = 0; t < STORE_TABLES && good; t++) {
        const struct store_record *r = &store_record_tables[t];
        sqlite3_stmt *select = store_prepare(s, r->select, st);
        sqlite3_stmt *insert =
            select ? store_prepare(m->to, r->insert, st) : NULL;
        good = insert != NULL;
        for (int64_t i = 0; good && i < m->merged->planned; i++) {
            const struct place *at = &m->places[i];
            if (!at->part || at->part->store != s)
                continue;
            sqlite3_bind_int64(select, 1, at->from);
            good = copy_rows(s, select, m->to, insert, first + i, st);
        }
        sqlite3_finalize(select);
        sqlite3_finalize(insert);
    }
    return good;
}

bool store_merge_write(struct merging *m, const char *command,
                       struct status *st)
{
    int64_t run = 0, first = 0;
    TRY(begin_run(m, command, &run, st) && add_plan(m, &first, st));
    for (int i = 0; i < m->store_count; i++)
        TRY(copy_store(m, m->stores[i], first, st));
    /* Until here it is one transaction: all of it is there, or nothing. */
    TRY(store_plan_end(m->to, st));
    int64_t missing = m->merged->missing;
    const char *note =
        missing
            ? arena_printf(m->arena, "%lld %s no result", (long long)missing,
                           text_plural(missing, "case has", "cases have"))
            : NULL;
    return store_run_end(m->to, run, missing == 0, note, st);
}
