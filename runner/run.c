/* run.c - see run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/run.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/hash.h"
#include "interp/base/text.h"
#include "interp/deviation/deviation.h"
#include "runner/plugin/custom_call.h"
#include "runner/plugin/plugin.h"
#include "runner/process/bits.h"
#include "runner/process/sandbox.h"
#include "runner/process/supervise.h"
#include "runner/reasons.h"
#include "runner/record.h"
#include "runner/run_identity.h"
#include "runner/run_private.h"
#include "runner/tap.h"

struct running {
    const struct deviation_table *deviations;
    struct arena *arena;
    struct run_options *options;
    struct run_summary *summary;
    struct plan plan;       /* of this run */
    struct run_shard shard; /* and the whole, of which it may be a part */
    struct run_info info;
    struct store *store;
    int64_t run, first; /* in the database */
    int64_t *pending, pending_count;
    struct record record;
    const struct identity *identity;
    const char *plan_hash; /* of it, of all cases' names, and of the limits */
    int batch;             /* cases compiled as one program */
    const char *bits;      /* the file of --bits, whole path; or NULL */
    bool unsettled;        /* causes are not held against passing cases yet */
};

/* ---- Identity ------------------------------------------------------------ */

/* Who is judged, and how: what decides the results but chance. */
static bool identify(struct running *x, struct status *st)
{
    const struct run_options *o = x->options;
    const struct run_identity of = {
        .plan = &x->plan,
        .tier = o->plan.tier,
        .filter = plan_filter_text(x->arena, &o->plan),
        .forms = plan_forms_text(x->arena, &o->plan),
        .seed = o->seed,
        .expect = &x->record.expect};
    struct identity *identity = arena_new(x->arena, struct identity, 1);
    TRY(run_identity_make(x->arena, &x->info, &of, identity, st));
    x->identity = x->summary->identity = identity;
    struct hash h = {{5, 6}};
    for (int m = 0; m < IDENTITY_COUNT; m++)
        hash_text(&h, x->identity->value[m]);
    /* The same for all shards: they are parts of one result. */
    const struct plan *whole = &x->shard.whole;
    for (int64_t i = 0; i < whole->count; i++) {
        hash_text(&h, whole->cases[i].stub->name);
        hash_text(&h, whole->cases[i].form ? whole->cases[i].form : "");
    }
    hash_int(&h, (uint64_t)o->timeout_ms);
    hash_int(&h, (uint64_t)o->sleep_ms);
    hash_int(&h, (uint64_t)o->expected_ms);
    hash_int(&h, (uint64_t)o->memory_bytes);
    hash_bytes(&h, &o->limits, sizeof o->limits);
    if (x->batch > 1)
        hash_int(&h, (uint64_t)x->batch);
    x->plan_hash =
        arena_printf(x->arena, "%016" PRIx64 "%016" PRIx64, h.h[0], h.h[1]);
    return true;
}

/* ---- The database -------------------------------------------------------- */

static bool begin_run(struct running *x, struct status *st)
{
    const struct run_options *o = x->options;
    struct store_run info = run_info_row(x->arena, &x->info);
    info.case_set_hash = x->plan.suite;
    info.plan_hash = x->plan_hash;
    info.identity = x->identity;
    info.seed = o->seed;
    info.filter = plan_filter_text(x->arena, &o->plan);
    info.tier = o->plan.tier;
    info.shard = x->shard.shard.number;
    info.shards = x->shard.shard.count;
    info.whole = x->shard.whole.count;
    return store_run_begin(x->store, &info, &x->run, st);
}

static struct store_plan plan_row(struct running *x, struct arena *a,
                                  const struct plan_case *c)
{
    const struct case_file *file = c->stub->file;
    size_t skip = strlen(file->name) + 1;
    const char *name = plan_name(a, c);
    /* The form "constant" has a column of its own. */
    bool constant = c->form && strcmp(c->form, "constant") == 0;
    return (struct store_plan){.file = file->name,
                               .name = (constant ? c->stub->name : name) + skip,
                               .variant = constant,
                               .op = c->stub->op ? c->stub->op : "",
                               .type = plan_type(a, c->stub),
                               .tier = x->options->plan.tier};
}

/* Add the case at that place of the whole plan; *id is its row. */
static bool add_case(struct running *x, struct arena *a, int64_t place,
                     int64_t *id, struct status *st)
{
    const struct run_shard *s = &x->shard;
    struct store_plan row = plan_row(x, a, &s->whole.cases[place]);
    if (s->shard.count > 0) {
        row.place = place;
        row.shard = s->shard_of[place];
        row.elsewhere = row.shard != s->shard.number;
    }
    bool ok = store_plan_add(x->store, &row, id, st);
    arena_reset(a);
    return ok;
}

/* The run's own cases, then those of the other shards, so that any shard shows
 * what is missing. */
static bool add_plan(struct running *x, struct status *st)
{
    const struct run_shard *s = &x->shard;
    struct arena a = ARENA_INIT;
    bool ok = true;
    int64_t id;
    for (int64_t i = 0; ok && i < x->plan.count; i++) {
        ok = add_case(x, &a, s->where ? s->where[i] : i, &id, st);
        if (i == 0)
            x->first = id;
    }
    for (int64_t i = 0; ok && s->where && i < s->whole.count; i++)
        if (s->shard_of[i] != s->shard.number)
            ok = add_case(x, &a, i, &id, st);
    arena_free(&a);
    return ok && store_plan_end(x->store, st);
}

/* The statuses that the rows of a resumed run have. */
static bool earlier(struct running *x, struct status *st)
{
    sqlite3_stmt *q = store_prepare(
        x->store,
        "SELECT result.plan, status, message, coalesce(flags, 0) & ?3"
        " FROM result LEFT JOIN detail USING (plan)"
        " WHERE result.plan >= ?1 AND result.plan < ?1 + ?2",
        st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, x->first);
    sqlite3_bind_int64(q, 2, x->plan.count);
    sqlite3_bind_int(q, 3, STORE_HELD);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        int64_t i = sqlite3_column_int64(q, 0) - x->first;
        int status = sqlite3_column_int(q, 1) - 1;
        const char *text = (const char *)sqlite3_column_text(q, 2);
        const char *held = !sqlite3_column_int(q, 3) ? NULL : text ? text : "";
        if (status >= 0 && status < VERDICT_COUNT)
            record_earlier(&x->record, i, (enum verdict_status)status, held);
    }
    bool good = rc == SQLITE_DONE
                || store_sql_fail(x->store, "reading its results", st);
    sqlite3_finalize(q);
    return good;
}

static bool refuse(struct running *x, int64_t other, struct status *st)
{
    struct identity its;
    TRY(identity_read(x->store, x->arena, other, &its, st));
    return FAIL(st, INPUT, "%.100s: %s; it is continued only as it was begun",
                x->options->database,
                run_identity_refusal(x->arena, other, &its, x->identity));
}

static bool resume_run(struct running *x, struct status *st)
{
    struct store_resumed r;
    TRY(store_resume(x->store, x->arena, x->plan_hash, x->shard.shard.number,
                     x->shard.shard.count, &r, st));
    if (r.other != 0)
        return refuse(x, r.other, st);
    if (r.run == 0)
        return FAIL(st, INPUT, "%.100s has no unfinished run",
                    x->options->database);
    if (r.count != x->plan.count)
        return FAIL(
            st, INPUT, "the unfinished run has %" PRId64 " %s, not %" PRId64,
            r.count, text_plural(r.count, "case", "cases"), x->plan.count);
    x->run = r.run;
    x->first = r.first;
    return earlier(x, st);
}

static bool open_database(struct running *x, struct status *st)
{
    TRY(identify(x, st));
    if (!x->options->database)
        return true;
    bool resume = x->options->resume;
    TRY(store_open(x->options->database, resume ? STORE_RESUME : STORE_WAIT,
                   &x->store, st));
    if (resume)
        return resume_run(x, st);
    return begin_run(x, st) && add_plan(x, st);
}

/* ---- Going --------------------------------------------------------------- */

static void fill_pending(struct running *x)
{
    x->pending = arena_new(x->arena, int64_t, (size_t)x->plan.count + 1);
    for (int64_t i = 0; i < x->plan.count; i++)
        if (x->record.status[i] == VERDICT_COUNT)
            x->pending[x->pending_count++] = i;
}

/* Why a case has no final result. */
static const char *why_stopped(const struct running *x, bool ok,
                               const struct supervise_outcome *outcome,
                               const struct status *st)
{
    int by = (int)x->options->interrupted;
    if (by)
        return arena_printf(x->arena, "interrupted by %s",
                            by == SIGTERM ? "SIGTERM" : "SIGINT");
    if (!ok)
        return arena_text(x->arena, st->text);
    if (outcome->gave_up)
        return arena_text(x->arena, outcome->text);
    if (x->summary->failed_fast)
        return "stopped at the first failure (--fail-fast)";
    int64_t left = x->pending_count - x->record.done;
    return arena_printf(x->arena, "%" PRId64 " %s no result", left,
                        text_plural(left, "case has", "cases have"));
}

/* A case that is expected to crash, to time out or to be refused is run alone
 * from the start: in a batch it would only have to be found.  So is what might
 * make a batch too slow.  After a case that is expected to crash, its process
 * runs no other: it may have written where it must not without crashing.  NULL:
 * there are neither batches nor expectations. */
static unsigned char *lone_cases(struct running *x)
{
    struct arena a = ARENA_INIT;
    if (x->batch <= 1 && x->record.expect.count == 0)
        return NULL;
    unsigned char *lone = arena_alloc(x->arena, (size_t)x->plan.count + 1);
    for (int64_t i = 0; i < x->plan.count; i++) {
        const struct plan_case *c = &x->plan.cases[i];
        unsigned due = expect_statuses_of(&x->record.expect, plan_name(&a, c));
        if (due & 1U << VERDICT_CRASH)
            lone[i] = JOB_LAST;
        else if (c->alone || due & ~(1U << VERDICT_FAIL))
            lone[i] = JOB_LONE;
        else if (due)
            lone[i] = JOB_ONCE_BAD;
        arena_reset(&a);
    }
    arena_free(&a);
    return lone;
}

static const char *ending(struct arena *a, const char *call, int64_t count,
                          const char *text)
{
    if (count == 0)
        return "";
    return arena_printf(a,
                        "the backend died %" PRId64 " %s in %s, which costs"
                        " no case its verdict; first: %s",
                        count, text_plural(count, "time", "times"), call, text);
}

/* NULL if it died in neither call. */
static const char *endings(struct arena *a, const struct supervise_outcome *o)
{
    const char *release =
        ending(a, "release", o->release_deaths, o->release_text);
    const char *close = ending(a, "close", o->close_deaths, o->close_text);
    if (!*release || !*close)
        return *release ? release : *close ? close : NULL;
    return arena_printf(a, "%s; %s", release, close);
}

/* The deviations that explain failures: of a program by its operands.  Benches
 * measure a run without. */
static const struct deviation_table *causes_of(const struct running *x)
{
    const char *asked = getenv("ASSAY_TEST_CAUSES");
    bool none = x->options->each || (asked && strcmp(asked, "none") == 0);
    return none ? NULL : x->deviations;
}

static bool supervise_all(struct running *x, struct supervise_options *how,
                          struct status *st)
{
    const struct run_options *o = x->options;
    struct record *r = &x->record;
    struct job_context context = {.plan = &x->plan,
                                  .plan_arena = x->arena,
                                  .pending = x->pending,
                                  .pending_count = x->pending_count,
                                  .limits = &o->limits,
                                  .profile = x->info.profile,
                                  .deviations = causes_of(x),
                                  .backend_path = x->info.path,
                                  .backend_options = x->info.options,
                                  .bits = x->bits,
                                  .seed = o->seed,
                                  .memory_bytes = o->memory_bytes,
                                  .sandbox = &x->info.sandbox,
                                  .batch = x->batch,
                                  .each = o->each,
                                  .unremarked = o->unremarked,
                                  .lone = lone_cases(x)};
    /* A shard has a part of the cases that may contradict a cause: they are
     * settled when it is joined with the others. */
    x->unsettled = context.deviations && x->shard.shard.count == 0;
    if (x->pending_count > 0)
        TRY(supervise(&context, how, record_again, record_tick, r, st));
    x->summary->gave_up = how->outcome->gave_up;
    x->summary->unconfirmed = how->outcome->unconfirmed;
    x->summary->disturbed = how->outcome->disturbed;
    x->summary->damaged = how->outcome->damaged;
    if (how->outcome->refused > 0) {
        x->summary->refused = how->outcome->refused;
        x->summary->refused_text =
            arena_printf(x->arena, "%s", how->outcome->refused_text);
    }
    x->summary->endings = endings(x->arena, how->outcome);
    if (o->interrupted)
        return true;
    if (x->unsettled) {
        TRY(reasons_settle(r, x->deviations, how->jobs, st));
        x->unsettled = o->interrupted != 0;
    }
    if (r->again_count == 0 || x->summary->failed_fast)
        return true;
    /* One job: interference between cases shows as a difference. */
    struct supervise_options alone = *how;
    alone.jobs = 1;
    alone.outcome = NULL;
    context.twice = true;
    context.before = r->held;
    context.batch = 0;
    context.pending = r->pending = r->again;
    context.pending_count = r->pending_count = r->again_count;
    r->again_done = true;
    return supervise(&context, &alone, record_again, record_tick, r, st);
}

static bool go(struct running *x, struct status *st)
{
    struct run_options *o = x->options;
    struct supervise_outcome outcome = {0};
    struct supervise_options how = {.jobs = o->jobs,
                                    .timeout_ms = o->timeout_ms,
                                    .sleep_ms = o->sleep_ms,
                                    .expected_ms = o->expected_ms,
                                    .open_ms = SUPERVISE_OPEN_MS,
                                    .memory_bytes = o->memory_bytes,
                                    .give_up = o->give_up,
                                    .interrupted = &o->interrupted,
                                    .expected = record_again_expected,
                                    .outcome = &outcome};
    int64_t batches = (x->pending_count + JOB_TAKEN - 1) / JOB_TAKEN;
    if (how.jobs > batches)
        how.jobs = batches > 0 ? (int)batches : 1;
    x->record.pending = x->pending;
    x->record.pending_count = x->pending_count;
    if (!outlet_open(&x->record.outlet))
        return FAIL(st, SYSTEM, "out of memory");
    progress_begin(&x->record.progress, !o->quiet && !o->tap && !o->json,
                   x->pending_count);
    if (o->tap)
        tap_begin(x->record.outlet.file, x->plan.count);
    bool ok = supervise_all(x, &how, st);
    if (ok && x->record.st.code != STATUS_OK) {
        *st = x->record.st;
        ok = false;
    }
    x->summary->interrupted = o->interrupted != 0;
    x->summary->stopped =
        x->record.done < x->pending_count || (o->interrupted && x->unsettled);
    if (!ok || x->summary->stopped)
        x->summary->note = why_stopped(x, ok, &outcome, st);
    record_end(&x->record, x->summary->note);
    return ok;
}

static bool close_database(struct running *x, bool ok, struct status *st)
{
    struct status mine = {0};
    const struct run_summary *s = x->summary;
    if (!x->store)
        return ok;
    x->summary->run = x->run;
    bool complete = ok && !s->stopped;
    const char *note = s->note ? s->note : ok ? s->endings : st->text;
    if (s->note && s->endings)
        note = arena_printf(x->arena, "%s; %s", s->note, s->endings);
    bool ended =
        x->run == 0 || store_run_end(x->store, x->run, complete, note, &mine);
    ended = ended && store_intact_place(x->store, &mine);
    ended = store_close(x->store, &mine) && ended
            && store_intact(x->options->database, &mine);
    if (ok && !ended)
        *st = mine;
    return ok && ended;
}

static void list(const struct running *x)
{
    struct arena a = ARENA_INIT;
    for (int64_t i = 0; i < x->plan.count; i++) {
        puts(plan_name(&a, &x->plan.cases[i]));
        arena_reset(&a);
    }
    arena_free(&a);
}

/* The expectations that come with a backend: NAME.expect next to its file. */
static const char *own_expectations(struct running *x)
{
    size_t n = strlen(x->info.path);
    const char *path = n > 3 ? arena_printf(x->arena, "%.*s.expect",
                                            (int)(n - 3), x->info.path)
                             : "";
    return access(path, R_OK) == 0 ? path : NULL;
}

static bool prepare(struct running *x, struct status *st)
{
    struct run_options *o = x->options;
    TRY(plugin_find(x->arena, o->backend, o->backend_options, &x->info.path,
                    &x->info.options, st));
    if (!profile_load(x->arena, o->profile, &x->info.profile, st)) {
        st->code = STATUS_INPUT; /* also a file that cannot be read */
        return false;
    }
    o->plan.profile = profile_name(x->info.profile);
    TRY(deviation_read(x->arena, &x->deviations, st));
    TRY(plan_make(x->arena, &o->plan, &o->limits, &x->plan, st));
    o->planned = 1;
    if (x->plan.count == 0)
        return run_warn_nothing(x->arena, o, &x->plan, st);
    run_warn_filters(x->arena, o, &x->plan);
    TRY(run_warn_deviation(x->arena, x->info.path, x->info.options,
                           x->deviations, &x->plan, &o->limits, st));
    TRY(run_shard_choose(x->arena, o, &x->plan, &x->shard, st));
    x->summary->shard = x->shard.shard.number;
    x->summary->shards = x->shard.shard.count;
    x->summary->shard_variable = x->shard.shard.variable;
    x->summary->whole = x->shard.whole.count;
    for (int64_t i = 0; i < x->plan.count; i++)
        if (i == 0
            || x->plan.cases[i].stub->file != x->plan.cases[i - 1].stub->file)
            custom_call_seen(x->plan.cases[i].stub->file->root);
    x->record.arena = x->arena;
    x->record.options = o;
    x->record.plan = &x->plan;
    x->record.profile = x->info.profile;
    x->record.summary = x->summary;
    record_begin(&x->record);
    const char *expectations =
        o->expectations ? o->expectations : own_expectations(x);
    if (!expectations)
        return true;
    TRY(expect_read(x->arena, expectations, &x->record.expect, st));
    run_warn_expectations(x->arena, o, &x->shard.whole, &x->record.expect);
    x->summary->expectations = expectations;
    x->summary->expectation_count = x->record.expect.count;
    return true;
}

/* Judges open it by its whole path. */
static bool begin_bits(struct running *x, struct status *st)
{
    char folder[PATH_MAX];
    const struct run_options *o = x->options;
    if (!o->bits)
        return true;
    TRY(bits_begin(o->bits, o->resume, st));
    if (o->bits[0] == '/')
        x->bits = o->bits;
    else if (getcwd(folder, sizeof folder))
        x->bits = arena_printf(x->arena, "%s/%s", folder, o->bits);
    else
        return FAIL(st, SYSTEM, "%.200s: %s", o->bits, strerror(errno));
    return true;
}

static bool run_in_sandbox(struct running *x, struct status *st)
{
    struct run_options *o = x->options;
    const struct supervise_options limits = {.timeout_ms = o->timeout_ms,
                                             .sleep_ms = o->sleep_ms,
                                             .open_ms = SUPERVISE_OPEN_MS,
                                             .sandbox = &x->info.sandbox};
    const char *missing = sandbox_missing(&x->info.sandbox);
    if (x->info.sandbox.on && missing)
        fprintf(stderr, "assay run: warning: %s\n", missing);
    TRY(supervise_probe(x->arena, x->info.path, x->info.options, &limits,
                        &x->info.backend, st));
    if (o->timeout_ms == 0)
        o->timeout_ms = supervise_timeout(&x->info.backend);
    if (o->expected_ms == 0)
        o->expected_ms = supervise_expected_timeout(o->timeout_ms);
    x->record.expect.backend = x->info.backend.name;
    x->record.expect.version = x->info.backend.version;
    x->batch = o->batch > 0                   ? o->batch
               : x->info.backend.slow_compile ? RUN_BATCH
                                              : 1;
    x->summary->ran = true;
    int64_t start = ring_clock();
    bool ok = open_database(x, st);
    ok = ok && begin_bits(x, st);
    if (ok) {
        x->record.store = x->store;
        x->record.first = x->first;
        fill_pending(x);
        ok = go(x, st) && (!x->bits || bits_check(x->bits, st));
    }
    x->summary->wall_ns = (ring_clock() - start) * 1000000;
    return close_database(x, ok, st);
}

bool run_suite(struct arena *a, struct run_options *options,
               struct run_summary *summary, struct status *st)
{
    struct running x = {.arena = a,
                        .options = options,
                        .summary = summary,
                        .info = {.profile_name = options->profile,
                                 .command = options->command,
                                 .jobs = options->jobs}};
    memset(summary, 0, sizeof *summary);
    TRY(prepare(&x, st));
    if (options->list) {
        list(&x);
        return true;
    }
    if (options->dry_run) {
        printf("%" PRId64 " %s in %" PRId64 " %s for %s\n", x.plan.count,
               text_plural(x.plan.count, "case", "cases"), x.plan.file_count,
               text_plural(x.plan.file_count, "file", "files"), x.info.path);
        return true;
    }
    x.info.sandbox.on = !options->no_sandbox;
    TRY(!x.info.sandbox.on || sandbox_open(&x.info.sandbox, st));
    summary->sandbox = sandbox_level(&x.info.sandbox);
    summary->sandbox_missing = sandbox_missing(&x.info.sandbox);
    bool ok = run_in_sandbox(&x, st);
    sandbox_close(&x.info.sandbox);
    /* After everything is recorded, it may wait for a reader. */
    outlet_close(&x.record.outlet);
    return ok;
}
