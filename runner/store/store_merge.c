/* store_merge.c - see store_merge.h.  Tests: shard.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/store_merge.h"

#include <string.h>
#include <sys/stat.h>

#include "interp/judge/verdict.h"
#include "runner/store/identity.h"
#include "runner/store/store_merge_private.h"

const char *store_merge_text(struct merging *m, sqlite3_stmt *q, int i)
{
    const char *text = (const char *)sqlite3_column_text(q, i);
    return text ? arena_text(m->arena, text) : NULL;
}

bool store_merge_ended(struct store *s, sqlite3_stmt *q, int rc,
                       struct status *st)
{
    bool good = rc == SQLITE_DONE || store_sql_fail(s, "reading it", st);
    sqlite3_finalize(q);
    return good;
}

/* Fails about one of the files. */
#define NO_SHARD            "holds no shard of a run; `assay run --shard` records them"
#define FAIL_AT(store, ...) (FAIL(st, INPUT, __VA_ARGS__), place(store, st))

static bool place(const struct store *s, struct status *st)
{
    st->path = s->path;
    return false;
}

/* ---- Which runs ---------------------------------------------------------- */

static bool add_part(struct merging *m, const struct part *p)
{
    ARENA_GROW(m->arena, m->parts, m->part_count, m->part_room);
    m->parts[m->part_count++] = *p;
    return true;
}

/* The shards in a database, oldest first. */
static bool read_parts(struct merging *m, struct store *s, struct status *st)
{
    sqlite3_stmt *q =
        store_prepare(s,
                      "SELECT id, plan_first, plan_count, whole, shard, shards,"
                      " state = 'complete', plan_hash FROM run"
                      " WHERE shard IS NOT NULL AND state <> 'planning'"
                      " AND id NOT IN (SELECT run FROM sweep)"
                      " ORDER BY id",
                      st);
    if (!q)
        return false;
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        struct part p = {.store = s,
                         .run = sqlite3_column_int64(q, 0),
                         .first = sqlite3_column_int64(q, 1),
                         .count = sqlite3_column_int64(q, 2),
                         .whole = sqlite3_column_int64(q, 3),
                         .shard = sqlite3_column_int(q, 4),
                         .shards = sqlite3_column_int(q, 5),
                         .complete = sqlite3_column_int(q, 6) != 0,
                         .plan_hash = store_merge_text(m, q, 7)};
        add_part(m, &p);
    }
    return store_merge_ended(s, q, rc, st);
}

/* Another plan: report the difference. */
static bool fail_other(struct merging *m, const struct part *p,
                       struct status *st)
{
    const struct part *model = &m->parts[m->model];
    struct identity mine, its;
    TRY(identity_read(p->store, m->arena, p->run, &mine, st)
        && identity_read(model->store, m->arena, model->run, &its, st));
    enum identity_member i =
        identity_differs(&mine, &its, (enum identity_member)0);
    if (i != IDENTITY_COUNT)
        return FAIL_AT(
            p->store,
            "a shard of another run: its %s is '%.100s', in %.100s '%.100s'",
            identity_label(i), identity_value(&mine, i), model->store->path,
            identity_value(&its, i));
    return FAIL_AT(p->store,
                   "a shard of another run: limits or time limits differ from "
                   "those of %.100s",
                   model->store->path);
}

/* Only what belongs to the model stays; of each file something must. */
static bool choose_parts(struct merging *m, struct status *st)
{
    const struct part model = m->parts[m->model];
    int kept = 0;
    for (int s = 0; s < m->store_count; s++) {
        const struct part *other = NULL;
        bool found = false;
        for (int i = 0; i < m->part_count; i++) {
            const struct part *p = &m->parts[i];
            if (p->store != m->stores[s])
                continue;
            bool same = strcmp(p->plan_hash, model.plan_hash) == 0;
            other = same ? other : p;
            found = found || same;
        }
        if (!found && !other)
            return FAIL_AT(m->stores[s], NO_SHARD);
        if (!found)
            return fail_other(m, other, st);
    }
    for (int i = 0; i < m->part_count; i++) {
        const struct part *p = &m->parts[i];
        if (strcmp(p->plan_hash, model.plan_hash) != 0)
            continue;
        if (p->shards != model.shards)
            return FAIL_AT(p->store, "is split into %d shards, %.100s into %d",
                           p->shards, model.store->path, model.shards);
        if (p->whole != model.whole || p->whole < 0)
            return FAIL_AT(p->store, "is damaged: another number of cases");
        m->parts[kept++] = *p;
    }
    m->part_count = kept;
    m->model = 0;
    return true;
}

/* A file without a run is blank and is skipped. */
static bool open_one(struct merging *m, const char *path, bool *blank,
                     struct status *st)
{
    struct stat about;
    *blank = stat(path, &about) == 0 && about.st_size == 0;
    if (*blank)
        return true;
    struct store *s;
    int64_t runs = 0;
    TRY(store_open(path, STORE_READ, &s, st));
    m->stores[m->store_count++] = s;
    TRY(store_once(s, "SELECT count(*) FROM run", 0, NULL, 0, NULL, &runs, st));
    *blank = runs == 0;
    if (*blank) {
        m->store_count--;
        return store_close(s, st);
    }
    return read_parts(m, s, st);
}

static bool open_all(struct merging *m, int count, const char *const *from,
                     struct status *st)
{
    m->stores = arena_new(m->arena, struct store *, (size_t)count);
    m->model = -1;
    for (int i = 0; i < count; i++) {
        bool blank = false;
        TRY(open_one(m, from[i], &blank, st));
        if (blank && m->merged->blank++ == 0)
            m->merged->blank_name = from[i];
        if (m->model < 0)
            m->model = m->part_count - 1;
    }
    if (m->model >= 0)
        return choose_parts(m, st);
    st->path = from[0];
    return FAIL(st, INPUT, NO_SHARD);
}

/* ---- Whose results ------------------------------------------------------- */

static bool read_places(struct merging *m, struct status *st)
{
    const struct part *p = &m->parts[m->model];
    struct store *s = p->store;
    m->places = arena_new(m->arena, struct place, (size_t)p->whole + 1);
    memset(m->places, 0, sizeof *m->places * ((size_t)p->whole + 1));
    sqlite3_stmt *q = store_prepare(
        s, "SELECT id, place, shard FROM plan WHERE id >= ? AND id < ? + ?",
        st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, p->first);
    sqlite3_bind_int64(q, 2, p->first);
    sqlite3_bind_int64(q, 3, p->whole);
    int rc;
    int64_t seen = 0;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        int64_t at = sqlite3_column_int64(q, 1);
        int shard = sqlite3_column_int(q, 2);
        if (at < 0 || at >= p->whole || m->places[at].id != 0 || shard < 1
            || shard > p->shards)
            break;
        m->places[at] =
            (struct place){.id = sqlite3_column_int64(q, 0), .shard = shard};
        seen++;
    }
    TRY(store_merge_ended(s, q, rc == SQLITE_ROW ? SQLITE_DONE : rc, st));
    return seen == p->whole || FAIL_AT(s, "is damaged: its plan has gaps");
}

static const char *case_name(struct merging *m, const struct place *at)
{
    const struct store *s = m->parts[m->model].store;
    const char *name = "?";
    sqlite3_stmt *q;
    if (sqlite3_prepare_v2(s->db,
                           "SELECT file.name || '/' || plan.name ||"
                           " CASE plan.variant WHEN 1 THEN '#constant' ELSE ''"
                           " END FROM plan JOIN file ON file.id = plan.file"
                           " WHERE plan.id = ?",
                           -1, &q, NULL)
        != SQLITE_OK)
        return name;
    sqlite3_bind_int64(q, 1, at->id);
    if (sqlite3_step(q) == SQLITE_ROW)
        name = store_merge_text(m, q, 0);
    sqlite3_finalize(q);
    return name;
}

static void take_result(struct merging *m, struct place *at,
                        const struct part *p, int64_t from, int status)
{
    struct store_merged *out = m->merged;
    if (at->part) {
        out->repeated++;
        if (at->status != status && out->differing++ == 0)
            out->differs = arena_printf(
                m->arena, "%s: %s in %s, %s in %s", case_name(m, at),
                verdict_name(at->status - 1), at->part->store->path,
                verdict_name(status - 1), p->store->path);
        if (at->part->complete || !p->complete)
            return;
    }
    at->part = p;
    at->from = from;
    at->status = status;
}

/* The final results of a shard. */
static bool read_results(struct merging *m, const struct part *p,
                         struct status *st)
{
    sqlite3_stmt *q =
        store_prepare(p->store,
                      "SELECT plan.id, plan.place, result.status FROM plan"
                      " JOIN result ON result.plan = plan.id"
                      " WHERE plan.id >= ? AND plan.id < ? + ?"
                      " AND coalesce(result.flags, 0) & ? = 0",
                      st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, p->first);
    sqlite3_bind_int64(q, 2, p->first);
    sqlite3_bind_int64(q, 3, p->count);
    sqlite3_bind_int(q, 4, STORE_HELD);
    int rc;
    bool good = true;
    while (good && (rc = sqlite3_step(q)) == SQLITE_ROW) {
        int64_t at = sqlite3_column_int64(q, 1);
        if (at < 0 || at >= p->whole)
            good = FAIL_AT(p->store, "is damaged: a case outside the plan");
        else if (m->places[at].shard != p->shard)
            good = FAIL_AT(p->store,
                           "shard %d has a case of shard %d: the shards were "
                           "split differently (by another --balance)",
                           p->shard, m->places[at].shard);
        else
            take_result(m, &m->places[at], p, sqlite3_column_int64(q, 0),
                        sqlite3_column_int(q, 2));
    }
    return store_merge_ended(p->store, q, good ? rc : SQLITE_DONE, st) && good;
}

static void count_missing(struct merging *m)
{
    struct store_merged *out = m->merged;
    const struct part *model = &m->parts[m->model];
    size_t shards = (size_t)model->shards + 1;
    out->shards = model->shards;
    out->runs = m->part_count;
    out->planned = model->whole;
    out->missing_of = arena_new(m->arena, int64_t, shards);
    out->planned_of = arena_new(m->arena, int64_t, shards);
    memset(out->missing_of, 0, shards * sizeof *out->missing_of);
    memset(out->planned_of, 0, shards * sizeof *out->planned_of);
    out->missing_name =
        arena_new(m->arena, const char *, (size_t)model->whole + 1);
    for (int64_t i = 0; i < model->whole; i++) {
        const struct place *at = &m->places[i];
        out->planned_of[at->shard]++;
        if (at->part)
            continue;
        out->missing_of[at->shard]++;
        out->missing_name[out->missing++] = case_name(m, at);
    }
}

bool store_merge(struct arena *a, const char *to, int count,
                 const char *const *from, const char *command,
                 struct store_merged *merged, struct status *st)
{
    struct merging m = {.arena = a, .merged = merged};
    *merged = (struct store_merged){0};
    bool good = open_all(&m, count, from, st) && read_places(&m, st);
    for (int i = 0; i < m.part_count && good; i++)
        good = read_results(&m, &m.parts[i], st);
    if (good) {
        count_missing(&m);
        good = store_open(to, STORE_WAIT, &m.to, st)
               && store_merge_write(&m, command, st);
    }
    struct status mine = {0};
    bool closed = store_close(m.to, &mine);
    if (good && !closed)
        *st = mine;
    for (int i = 0; i < m.store_count; i++)
        store_close(m.stores[i], &mine);
    return good && closed;
}
