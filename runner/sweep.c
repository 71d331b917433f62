/* sweep.c - see sweep.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/hash.h"
#include "interp/base/text.h"
#include "interp/data/number.h"
#include "interp/data/show.h"
#include "interp/exact/real.h"
#include "interp/specification/profile.h"
#include "interp/specification/spec.h"
#include "runner/plugin/plugin.h"
#include "runner/process/sandbox.h"
#include "runner/process/supervise.h"
#include "runner/progress.h"
#include "runner/run_info.h"
#include "runner/store/store_sweep.h"
#include "runner/sweep_join.h"
#include "runner/sweep_points.h"

struct sweeping {
    struct arena *arena;
    struct sweep_options *options;
    struct sweep *sweep;
    struct plan plan;
    const char *path, *backend_options;
    struct supervise_backend backend;
    const struct profile *profile;
    struct store *store;
    int64_t run, row; /* in the database */
    int64_t *pending, pending_count;
    struct progress progress;
    struct status *st;
    struct sandbox sandbox;
    bool failed;
};

bool sweep_is_unary(const char *name)
{
    const struct spec_op *op = spec_op_find(name);
    return op && op->family && strncmp(op->family, "elementwise", 11) == 0
           && op->operand_count == 1;
}

/* ---- Cases --------------------------------------------------------------- */

static bool make_plan(struct sweeping *x, struct status *st)
{
    char path[] = "/tmp/assay-sweep-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f)
        return FAIL(st, SYSTEM, "%s: cannot be made", path);
    sweep_points_write(f, x->sweep);
    struct limits limits = x->options->limits;
    limits.file_bytes = INT64_C(1) << 31;
    limits.file_cases = SWEEP_POINTS_PARTS + 2;
    struct case_file *file;
    bool good = fclose(f) == 0;
    if (!good)
        FAIL(st, SYSTEM, "%s: cannot be written", path);
    good = good && case_file_read(x->arena, path, "sweep", &limits, &file, st);
    unlink(path);
    if (!good)
        return false;
    x->plan.count = file->stub_count;
    x->plan.cases =
        arena_new(x->arena, struct plan_case, (size_t)file->stub_count + 1);
    for (int i = 0; i < file->stub_count; i++)
        x->plan.cases[i].stub = &file->stubs[i];
    return x->plan.count == x->sweep->part_count
           || FAIL(st, SYSTEM,
                   "a sweep of %" PRId64 " parts has %" PRId64 " cases",
                   x->sweep->part_count, x->plan.count);
}

/* Does the reference take it, and what comes out? */
static bool try_program(struct sweeping *x, struct status *st)
{
    struct arena a = ARENA_INIT;
    struct test_case *c;
    const struct sweep_options *o = x->options;
    bool good = case_make(&a, x->plan.cases[0].stub, CASE_PARAMETER, &o->limits,
                          &c, st);
    if (good && c->rejected)
        good = FAIL(st, INPUT, "%s of %s: %.160s", o->op,
                    dtype_table[o->type].name, c->rejection.text);
    if (good) {
        const struct shape *s = c->program->entry->result;
        if (!s || s->kind != SHAPE_ARRAY || dtype_units(s->dtype) != 1)
            good = FAIL(st, INPUT, "%s does not return one real array", o->op);
        else
            x->sweep->result = s->dtype;
    }
    arena_free(&a);
    return good;
}

static bool check_op(const struct sweep_options *o, struct status *st)
{
    const struct spec_op *op = spec_op_find(o->op);
    if (!op)
        return FAIL(st, INPUT, "unknown operation '%.60s'%s", o->op,
                    spec_op_hint((char[TEXT_HINT]){0}, o->op));
    if (!op->family || strncmp(op->family, "elementwise", 11) != 0
        || op->operand_count > 2)
        return FAIL(st, INPUT,
                    "%s is not an element-wise function of one or two operands",
                    o->op);
    if (op->operand_count == 2 && !o->second && !o->pairs)
        return FAIL(st, INPUT, "%s has two operands: give --second or --pairs",
                    o->op);
    if (op->operand_count == 1 && (o->second || o->pairs))
        return FAIL(st, INPUT, "%s has one operand: it cannot have --%s", o->op,
                    o->pairs ? "pairs" : "second");
    if (dtype_units(o->type) != 1)
        return FAIL(st, INPUT, "%s: expected a real type",
                    dtype_table[o->type].name);
    bool converts = sweep_points_type(op) != NULL;
    if (converts != o->converts)
        return FAIL(st, INPUT, "%s: %s", o->op,
                    converts ? "give the result's type with --to"
                             : "is no conversion: no --to");
    uint64_t bits;
    bool exact;
    return !o->second || number_read(o->second, o->type, &bits, &exact, st);
}

/* ---- The database -------------------------------------------------------- */

static const char *variant(struct sweeping *x)
{
    const struct sweep_options *o = x->options;
    if (o->pairs)
        return "pairs";
    const char *to =
        o->converts ? arena_printf(x->arena, "to=%s ", dtype_table[o->to].name)
                    : "";
    const char *v =
        arena_printf(x->arena, "%sstride=%" PRIu64 " length=%" PRId64, to,
                     o->stride, x->sweep->length);
    if (o->low)
        v = arena_printf(x->arena, "%s low=%s", v, o->low);
    if (o->high)
        v = arena_printf(x->arena, "%s high=%s", v, o->high);
    if (o->second)
        v = arena_printf(x->arena, "%s second=%s", v, o->second);
    return v;
}

static const char *identity(struct sweeping *x)
{
    struct hash h = {{7, 8}};
    hash_text(&h, x->options->op);
    hash_int(&h, (uint64_t)x->options->type);
    hash_text(&h, x->sweep->variant);
    hash_text(&h, x->path);
    hash_text(&h, x->backend.name);
    hash_text(&h, x->backend.version);
    hash_text(&h, x->backend_options);
    hash_text(&h, x->options->profile);
    hash_text(&h, run_info_profile(x->arena, x->profile));
    return arena_printf(x->arena, "%016" PRIx64 "%016" PRIx64, h.h[0], h.h[1]);
}

static void add_part(struct sweep *s, const struct sweep_part *p)
{
    s->done_count++;
    s->count += p->count;
    s->correct += p->correct;
    s->bad += p->bad;
    s->special += p->special;
    int64_t more = llabs(p->error) - llabs(s->error);
    /* Parts come in any order: of equal errors the least input is named. */
    if (p->has_error
        && (!s->has_error || more > 0
            || (more == 0 && p->worst_input < s->worst_input))) {
        s->has_error = true;
        s->error = p->error;
        s->worst_input = p->worst_input;
    }
}

/* The part that begins there; NULL if there is none.  Whole parts of the first
 * range are found at once. */
static struct sweep_part *find_part(const struct sweeping *x, uint64_t first)
{
    struct sweep *s = x->sweep;
    uint64_t step = (uint64_t)s->length * x->options->stride;
    uint64_t guess = (first - s->parts[0].first) / step;
    if (guess < (uint64_t)s->part_count && s->parts[guess].first == first)
        return &s->parts[guess];
    for (int64_t i = 0; i < s->part_count; i++)
        if (s->parts[i].first == first)
            return &s->parts[i];
    return NULL;
}

static void earlier(void *self, const struct store_sweep_part *from)
{
    struct sweeping *x = self;
    struct sweep *s = x->sweep;
    struct sweep_part *p = find_part(x, from->first);
    if (!p || p->done)
        return;
    p->done = true;
    p->correct = from->correct;
    p->bad = from->bad;
    p->special = from->special;
    p->has_error = from->has_error;
    p->error = from->error;
    p->worst_input = from->worst_input;
    s->time_ns += from->time_ns;
    add_part(s, p);
}

static bool begin(struct sweeping *x, const char *hash, struct status *st)
{
    const struct sweep_options *o = x->options;
    const struct run_info from = {
        .backend = &x->backend,
        .path = x->path,
        .options = x->backend_options,
        .profile = x->profile,
        .profile_name = o->profile,
        .sandbox = &x->sandbox,
        .command = o->command,
        .jobs = o->jobs,
    };
    struct store_run info = run_info_row(x->arena, &from);
    info.plan_hash = hash;
    info.shard = o->shard.number;
    info.shards = o->shard.count;
    const struct store_sweep row = {
        o->op, dtype_table[o->type].name, x->sweep->variant,
        arena_printf(x->arena, "%" PRId64, x->sweep->points)};
    return store_run_begin(x->store, &info, &x->run, st)
           && store_plan_end(x->store, st)
           && store_sweep_begin(x->store, x->run, &row, &x->row, st);
}

/* Take over parts of another database, unless some are there already: their
 * histogram cannot be divided. */
static bool join(struct sweeping *x, const struct sweep_join *from,
                 struct status *st)
{
    static const int64_t none[VERDICT_BINS];
    struct sweep *s = x->sweep;
    for (int64_t i = 0; i < from->count; i++) {
        const struct sweep_part *p = find_part(x, from->parts[i].first);
        if (!p || p->done)
            return true;
    }
    for (int i = 0; i < VERDICT_BINS; i++)
        s->bins[i] += from->bins[i];
    for (int64_t i = 0; i < from->count; i++) {
        earlier(x, &from->parts[i]);
        if (x->store)
            TRY(store_sweep_part_add(x->store, x->row, &from->parts[i],
                                     i == 0 ? from->bins : none, st));
    }
    return true;
}

static bool open_run(struct sweeping *x, const char *hash, struct status *st)
{
    struct store_resumed r = {0};
    if (x->options->resume)
        TRY(store_resume(x->store, x->arena, hash, x->options->shard.number, &r,
                         st));
    if (r.run == 0)
        return begin(x, hash, st);
    x->run = r.run;
    TRY(store_sweep_find(x->store, r.run, &x->row, st));
    return store_sweep_read(x->store, x->row, earlier, x, x->sweep->bins, st);
}

static bool open_database(struct sweeping *x, struct status *st)
{
    const struct sweep_options *o = x->options;
    const char *hash = identity(x);
    struct sweep_join *list;
    int n;
    /* First, so that nothing is begun if one of them is another sweep's. */
    TRY(sweep_join_read(x->arena, hash, o->join_count, o->joins, &list, &n,
                        st));
    if (o->database)
        TRY(store_open(o->database, STORE_WAIT, &x->store, st)
            && open_run(x, hash, st));
    for (int i = 0; i < n; i++)
        TRY(join(x, &list[i], st));
    return true;
}

/* ---- Results ------------------------------------------------------------- */

/* A left operand and a right one as one number. */
static uint64_t operands_of(const struct sweep_options *o, uint64_t left,
                            uint64_t right)
{
    return o->pairs ? left << dtype_table[o->type].bits | right : left;
}

/* "f32:3f800000", and of pairs " bf16:3f80 bf16:4000" */
static uint64_t read_input(const struct sweep_options *o, const char *text,
                           uint64_t otherwise)
{
    const char *first = strchr(text, ':');
    if (!first)
        return otherwise;
    const char *second = strchr(first + 1, ':');
    return operands_of(o, strtoull(first + 1, NULL, 16),
                       second ? strtoull(second + 1, NULL, 16) : 0);
}

static bool odd(const struct job_wrong *w)
{
    enum dtype t = (enum dtype)w->type;
    return dtype_class(t) == DTYPE_FLOAT
           && (!real_is_finite(t, w->got) || !real_is_finite(t, w->want));
}

/* Into a list in the order of parts, which come in any order. */
static void insert_wrong(struct sweep_wrong *list, int *count,
                         const struct sweep_wrong *w)
{
    int at = *count;
    while (at > 0 && list[at - 1].part > w->part)
        at--;
    if (at == SWEEP_WRONG_MAX)
        return;
    *count += *count < SWEEP_WRONG_MAX;
    for (int i = *count - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *w;
}

static void remember_wrong(struct sweep *s, int64_t part,
                           const struct job_result *r)
{
    const struct job_wrong *w = (const struct job_wrong *)(r + 1);
    for (int i = 0; i < r->wrong_count; i++) {
        const struct sweep_wrong one = {
            part,
            operands_of(s->options, w[i].operands[0].bits,
                        w[i].operands[1].bits),
            w[i].got, w[i].want, (enum dtype)w[i].type};
        if (w[i].operand_count > 0 && odd(&w[i]))
            insert_wrong(s->odd, &s->special_count, &one);
        else if (w[i].operand_count > 0)
            insert_wrong(s->wrong, &s->wrong_count, &one);
    }
}

static bool store_part(struct sweeping *x, const struct sweep_part *p,
                       const struct job_result *r)
{
    struct sweep *s = x->sweep;
    const struct job_bin *b =
        (const struct job_bin *)((const struct job_wrong *)(r + 1)
                                 + r->wrong_count);
    int64_t bins[VERDICT_BINS] = {0};
    for (int i = 0; i < r->bin_count; i++) {
        bins[b[i].bin - VERDICT_BIN_FIRST] = b[i].count;
        s->bins[b[i].bin - VERDICT_BIN_FIRST] += b[i].count;
    }
    const struct store_sweep_part row = {p->first, p->count,       p->correct,
                                         p->bad,   p->special,     p->has_error,
                                         p->error, p->worst_input, r->time_ns};
    return !x->store
           || store_sweep_part_add(x->store, x->row, &row, bins, x->st);
}

static bool on_result(void *self, const struct job_result *r)
{
    struct sweeping *x = self;
    struct sweep *s = x->sweep;
    struct sweep_part *p = &s->parts[x->pending[r->position]];
    if (p->done || r->held)
        return true;
    if (r->units < 0) {
        s->failed++;
        s->unsupported |= r->status == VERDICT_UNSUPPORTED;
        if (s->failed == 1) {
            snprintf(s->why, sizeof s->why, "%s: %.280s",
                     verdict_name((enum verdict_status)r->status), r->text);
            text_clean(s->why, sizeof s->why, s->why);
        }
        /* A program that is refused once is refused for every part. */
        return r->status == VERDICT_CRASH || r->status == VERDICT_TIMEOUT;
    }
    p->done = true;
    p->correct = r->correct;
    p->bad = r->bad;
    p->special = r->special;
    p->has_error = r->has_error;
    p->error = r->error;
    p->worst_input = read_input(x->options, r->worst_input,
                                operands_of(x->options, p->first, 0));
    s->time_ns += r->time_ns;
    add_part(s, p);
    remember_wrong(s, p - s->parts, r);
    x->failed = !store_part(x, p, r);
    return !x->failed;
}

static void on_tick(void *self)
{
    struct sweeping *x = self;
    if (x->store && !x->failed)
        x->failed = !store_tick(x->store, x->st);
    progress_show(&x->progress, x->sweep->done_count, x->sweep->failed);
}

/* Is it a part of the shard?  Neighbours cost about the same, so they are dealt
 * in turn, as shard_split does. */
static bool is_own(const struct sweep_options *o, int64_t part)
{
    return o->shard.count == 0 || part % o->shard.count == o->shard.number - 1;
}

static bool go(struct sweeping *x, struct status *st)
{
    struct sweep_options *o = x->options;
    struct sweep *s = x->sweep;
    x->pending = arena_new(x->arena, int64_t, (size_t)s->part_count + 1);
    for (int64_t i = 0; i < s->part_count; i++)
        if (!s->parts[i].done && is_own(o, i))
            x->pending[x->pending_count++] = i;
    s->due_count = s->done_count + x->pending_count;
    if (x->pending_count == 0)
        return true;
    struct job_context context = {.plan = &x->plan,
                                  .plan_arena = x->arena,
                                  .pending = x->pending,
                                  .pending_count = x->pending_count,
                                  .limits = &o->limits,
                                  .profile = x->profile,
                                  .backend_path = x->path,
                                  .backend_options = x->backend_options,
                                  .memory_bytes = o->memory_bytes,
                                  .sandbox = &x->sandbox,
                                  .bins = true};
    struct supervise_options how = {.jobs = o->jobs,
                                    .timeout_ms = o->timeout_ms,
                                    .sleep_ms = o->sleep_ms,
                                    .open_ms = SUPERVISE_OPEN_MS,
                                    .memory_bytes = o->memory_bytes,
                                    .give_up = SUPERVISE_GIVE_UP,
                                    .interrupted = &o->interrupted};
    int64_t batches = (x->pending_count + JOB_TAKEN - 1) / JOB_TAKEN;
    if (how.jobs > batches)
        how.jobs = (int)batches;
    progress_begin(&x->progress, !o->quiet, x->pending_count);
    bool ok = supervise(&context, &how, on_result, on_tick, x, st);
    progress_clear(&x->progress);
    return ok && !x->failed;
}

static bool close_database(struct sweeping *x, bool ok, struct status *st)
{
    struct status mine = {0};
    const struct sweep *s = x->sweep;
    bool ended = true;
    if (!x->store)
        return ok;
    if (x->run != 0)
        ended = store_run_end(
            x->store, x->run, ok && s->done_count == s->due_count,
            s->done_count < s->due_count ? "unfinished sweep" : NULL, &mine);
    ended = ended && store_intact_place(x->store, &mine);
    ended = store_close(x->store, &mine) && ended
            && store_intact(x->options->database, &mine);
    if (ok && !ended)
        *st = mine;
    return ok && ended;
}

static bool sweep_in_sandbox(struct sweeping *x, struct status *st)
{
    const struct sweep_options *o = x->options;
    const struct supervise_options limits = {.timeout_ms = o->timeout_ms,
                                             .sleep_ms = o->sleep_ms,
                                             .open_ms = SUPERVISE_OPEN_MS,
                                             .sandbox = &x->sandbox};
    TRY(supervise_probe(x->arena, x->path, x->backend_options, &limits,
                        &x->backend, st));
    x->sweep->backend = x->backend.name;
    x->sweep->variant = variant(x);
    bool ok = open_database(x, st) && go(x, st);
    return close_database(x, ok, st);
}

bool sweep_run(struct arena *a, struct sweep_options *options,
               struct sweep *sweep, struct status *st)
{
    struct sweeping x = {
        .arena = a, .options = options, .sweep = sweep, .st = st};
    memset(sweep, 0, sizeof *sweep);
    sweep->options = options;
    TRY(spec_load(st) && check_op(options, st));
    TRY(plugin_find(a, options->backend, options->backend_options, &x.path,
                    &x.backend_options, st));
    TRY(profile_load(a, options->profile, &x.profile, st));
    TRY(sweep_points_cut(a, sweep, st) && make_plan(&x, st)
        && try_program(&x, st));
    x.sandbox.on = !options->no_sandbox;
    TRY(!x.sandbox.on || sandbox_open(&x.sandbox, st));
    bool ok = sweep_in_sandbox(&x, st);
    sandbox_close(&x.sandbox);
    return ok;
}

/* ---- Words --------------------------------------------------------------- */

int64_t sweep_binades(struct arena *a, const struct sweep *s,
                      struct sweep_binade **list)
{
    int shift = dtype_table[s->options->type].precision - 1;
    int64_t n = 0;
    *list = arena_new(a, struct sweep_binade, (size_t)s->part_count + 1);
    for (int64_t i = 0; i < s->part_count; i++) {
        const struct sweep_part *p = &s->parts[i];
        uint64_t first = p->first >> shift << shift;
        if (n == 0 || (*list)[n - 1].first != first)
            (*list)[n++] = (struct sweep_binade){.first = first};
        struct sweep_binade *b = &(*list)[n - 1];
        if (!p->has_error
            || (b->has_error && llabs(p->error) <= llabs(b->error)))
            continue;
        b->has_error = true;
        b->error = p->error;
        b->worst_input = p->worst_input;
    }
    return n;
}

const char *sweep_input(struct arena *a, const struct sweep *s, uint64_t input,
                        bool decimal)
{
    enum dtype t = s->options->type;
    const char *(*show)(struct arena *, enum dtype, uint64_t) =
        decimal ? show_decimal : show_bits;
    if (!s->options->pairs)
        return show(a, t, input);
    return arena_printf(a, decimal ? "%s, %s" : "%s %s",
                        show(a, t, input >> dtype_table[t].bits),
                        show(a, t, input & dtype_mask(t)));
}
