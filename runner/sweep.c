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

enum {
    LENGTH_MAX = 1 << 16,
    LENGTH_MIN = 1024,
    PARTS_WANTED = 512, /* that a picture is made of */
    RANGES_MAX = 2,
};

#define PARTS_MAX INT64_C(4000000)

struct range {
    uint64_t first;
    int64_t count;
};

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

/* ---- Points -------------------------------------------------------------- */

/* Points from the first pattern of a range on: every stride-th up to last. */
static struct range range_of(uint64_t first, uint64_t last, uint64_t stride)
{
    uint64_t steps = (last - first) / stride;
    if (steps > INT64_MAX - 1)
        steps = INT64_MAX - 1;
    return (struct range){first, (int64_t)steps + 1};
}

static bool read_bound(const char *text, enum dtype type, uint64_t *bits,
                       struct status *st)
{
    bool exact;
    if (!text)
        return true;
    TRY(number_read(text, type, bits, &exact, st));
    if (dtype_class(type) == DTYPE_FLOAT && real_is_nan(type, *bits))
        return FAIL(st, INPUT, "expected a number, got %.40s", text);
    return true;
}

/* The patterns between two bounds: as magnitudes grow, positive and negative
 * ones apart. */
static bool bounded(const struct sweep_options *o, struct range *r, int *n,
                    struct status *st)
{
    enum dtype t = o->type;
    bool real = dtype_class(t) == DTYPE_FLOAT;
    uint64_t sign = real ? real_formats[t].sign : 0, low, high;
    uint64_t mask = dtype_mask(t), top = mask ^ (mask >> 1);
    bool is_signed = real ? sign != 0 : dtype_class(t) == DTYPE_SINT;
    low = real ? (real_has_inf(t) ? real_inf(t, sign != 0)
                                  : real_max(t, sign != 0))
               : (is_signed ? top : 0);
    high = real ? (real_has_inf(t) ? real_inf(t, false) : real_max(t, false))
                : (is_signed ? mask >> 1 : mask);
    TRY(read_bound(o->low, t, &low, st) && read_bound(o->high, t, &high, st));
    if (real_key(t, low) > real_key(t, high))
        return FAIL(st, INPUT, "the lower bound is above the upper one");
    bool low_negative = is_signed && (low & top),
         high_negative = is_signed && (high & top);
    if (low_negative == high_negative) {
        bool down = real && low_negative;
        r[(*n)++] = range_of(down ? high : low, down ? low : high, o->stride);
        return true;
    }
    r[(*n)++] = range_of(0, high, o->stride);
    r[(*n)++] =
        real ? range_of(sign, low, o->stride) : range_of(low, mask, o->stride);
    return true;
}

static bool ranges(const struct sweep_options *o, struct range *r, int *n,
                   struct status *st)
{
    *n = 0;
    if (o->low || o->high)
        return bounded(o, r, n, st);
    r[(*n)++] = range_of(0, dtype_mask(o->type), o->stride);
    return true;
}

/* Whole parts first, then what is left of each range. */
static bool cut(struct sweeping *x, struct status *st)
{
    struct sweep *s = x->sweep;
    const struct sweep_options *o = x->options;
    struct range r[RANGES_MAX];
    int n;
    int64_t points = 0, parts = 0;
    TRY(ranges(o, r, &n, st));
    for (int i = 0; i < n; i++)
        points += r[i].count;
    s->length = o->length;
    if (s->length == 0) {
        s->length = points / PARTS_WANTED;
        s->length = s->length < LENGTH_MIN   ? LENGTH_MIN
                    : s->length > LENGTH_MAX ? LENGTH_MAX
                                             : s->length;
    }
    for (int i = 0; i < n; i++)
        parts += r[i].count / s->length + 1;
    if (parts > PARTS_MAX)
        return FAIL(st, INPUT,
                    "%" PRId64 " points in arrays of %" PRId64
                    " are too many parts; take a larger stride",
                    points, s->length);
    s->points = points;
    s->parts = arena_new(x->arena, struct sweep_part, (size_t)parts);
    for (int rest = 0; rest < 2; rest++)
        for (int i = 0; i < n; i++) {
            int64_t whole = r[i].count / s->length;
            int64_t from = rest ? whole * s->length : 0;
            int64_t to = rest ? r[i].count : whole * s->length;
            for (int64_t k = from; k < to; k += s->length)
                s->parts[s->part_count++] = (struct sweep_part){
                    .first = (r[i].first + (uint64_t)k * o->stride)
                             & dtype_mask(o->type),
                    .count = rest ? to - from : s->length};
        }
    return true;
}

/* ---- Cases --------------------------------------------------------------- */

static void write_case(FILE *f, const struct sweeping *x, int64_t from,
                       int64_t to, int number)
{
    const struct sweep *s = x->sweep;
    const struct sweep_options *o = x->options;
    const char *type = dtype_table[o->type].name;
    int digits = (dtype_table[o->type].bits + 3) / 4;
    fprintf(f,
            "%s{\"id\": \"part-%d\", \"why\": \"a sweep\", \"each\": {\"F\": [",
            number ? "," : "", number);
    for (int64_t i = from; i < to; i++)
        fprintf(f, "%s\"%0*" PRIx64 "\"", i > from ? "," : "", digits,
                s->parts[i].first);
    fprintf(f,
            "]}, \"inputs\": [{\"shape\": \"%s[%" PRId64
            "]\", \"sweep\": {\"first\": \"$F\", \"stride\": %" PRIu64 "}}",
            type, s->parts[from].count, o->stride);
    if (o->second)
        fprintf(f, ", {\"shape\": \"%s[%" PRId64 "]\", \"splat\": \"%s\"}",
                type, s->parts[from].count, o->second);
    fputs("]}\n", f);
}

/* Parts of one length are cases of one program. */
static void write_cases(FILE *f, const struct sweeping *x)
{
    const struct sweep *s = x->sweep;
    int number = 0;
    fprintf(f, "{\"format\": \"assay-case/1\", \"op\": \"%s\", \"cases\": [\n",
            x->options->op);
    for (int64_t from = 0, to; from < s->part_count; from = to) {
        for (to = from + 1;
             to < s->part_count && s->parts[to].count == s->parts[from].count;)
            to++;
        write_case(f, x, from, to, number++);
    }
    fputs("]}\n", f);
}

static bool make_plan(struct sweeping *x, struct status *st)
{
    char path[] = "/tmp/assay-sweep-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f)
        return FAIL(st, SYSTEM, "%s: cannot be made", path);
    write_cases(f, x);
    struct limits limits = x->options->limits;
    limits.file_bytes = INT64_C(1) << 31;
    limits.file_cases = PARTS_MAX + RANGES_MAX;
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
            good = FAIL(st, INPUT, "%s does not give one real array", o->op);
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
    if (op->operand_count == 2 && !o->second)
        return FAIL(st, INPUT, "%s has two operands: give --second", o->op);
    if (op->operand_count == 1 && o->second)
        return FAIL(st, INPUT, "%s has one operand: no --second", o->op);
    if (dtype_units(o->type) != 1)
        return FAIL(st, INPUT, "%s: only real types are swept",
                    dtype_table[o->type].name);
    uint64_t bits;
    bool exact;
    return !o->second || number_read(o->second, o->type, &bits, &exact, st);
}

/* ---- The database -------------------------------------------------------- */

static const char *variant(struct sweeping *x)
{
    const struct sweep_options *o = x->options;
    const char *v = arena_printf(x->arena, "stride=%" PRIu64 " length=%" PRId64,
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
    if (p->has_error && (!s->has_error || llabs(p->error) > llabs(s->error))) {
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
    const struct store_sweep row = {
        o->op, dtype_table[o->type].name, x->sweep->variant,
        arena_printf(x->arena, "%" PRId64, x->sweep->points)};
    return store_run_begin(x->store, &info, &x->run, st)
           && store_plan_end(x->store, st)
           && store_sweep_begin(x->store, x->run, &row, &x->row, st);
}

static bool open_database(struct sweeping *x, struct status *st)
{
    const char *hash = identity(x);
    struct store_resumed r = {0};
    if (!x->options->database)
        return true;
    TRY(store_open(x->options->database, STORE_WAIT, &x->store, st));
    if (x->options->resume)
        TRY(store_resume(x->store, x->arena, hash, 0, &r, st));
    if (r.run == 0)
        return begin(x, hash, st);
    x->run = r.run;
    TRY(store_sweep_find(x->store, r.run, &x->row, st));
    return store_sweep_read(x->store, x->row, earlier, x, x->sweep->bins, st);
}

/* ---- Results ------------------------------------------------------------- */

static bool odd(const struct job_wrong *w)
{
    enum dtype t = (enum dtype)w->type;
    return dtype_class(t) == DTYPE_FLOAT
           && (!real_is_finite(t, w->got) || !real_is_finite(t, w->want));
}

static void remember_wrong(struct sweep *s, const struct job_result *r)
{
    const struct job_wrong *w = (const struct job_wrong *)(r + 1);
    for (int i = 0; i < r->wrong_count; i++) {
        int *n = odd(&w[i]) ? &s->special_count : &s->wrong_count;
        struct sweep_wrong *to = odd(&w[i]) ? s->odd : s->wrong;
        if (*n < SWEEP_WRONG_MAX && w[i].operand_count > 0)
            to[(*n)++] = (struct sweep_wrong){w[i].operands[0].bits, w[i].got,
                                              w[i].want, (enum dtype)w[i].type};
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
    const char *colon = strchr(r->worst_input, ':');
    p->worst_input = colon ? strtoull(colon + 1, NULL, 16) : p->first;
    s->time_ns += r->time_ns;
    add_part(s, p);
    remember_wrong(s, r);
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

static bool go(struct sweeping *x, struct status *st)
{
    struct sweep_options *o = x->options;
    struct sweep *s = x->sweep;
    x->pending = arena_new(x->arena, int64_t, (size_t)s->part_count + 1);
    for (int64_t i = 0; i < s->part_count; i++)
        if (!s->parts[i].done)
            x->pending[x->pending_count++] = i;
    if (x->pending_count == 0)
        return true;
    struct job_context context = {.plan = &x->plan,
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
    int64_t batches = (x->pending_count + JOB_BATCH - 1) / JOB_BATCH;
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
            x->store, x->run, ok && s->done_count == s->part_count,
            s->done_count < s->part_count ? "unfinished sweep" : NULL, &mine);
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
    TRY(cut(&x, st) && make_plan(&x, st) && try_program(&x, st));
    x.sandbox.on = !options->no_sandbox;
    TRY(!x.sandbox.on || sandbox_open(&x.sandbox, st));
    bool ok = sweep_in_sandbox(&x, st);
    sandbox_close(&x.sandbox);
    return ok;
}
