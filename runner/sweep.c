/* sweep.c - see sweep.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "interp/data/show.h"
#include "interp/specification/spec.h"
#include "runner/plugin/plugin.h"
#include "runner/sweep_private.h"

bool sweep_is_unary(const char *name)
{
    const struct spec_op *op = spec_op_find(name);
    return op && op->family && strncmp(op->family, "elementwise", 11) == 0
           && op->operand_count == 1 && !sweep_points_type(op);
}

static void on_tick(void *self)
{
    struct sweeping *x = self;
    if (x->store && !x->failed)
        x->failed = !store_tick(x->store, x->st);
    progress_show(&x->progress, x->sweep->done_count - x->done_before,
                  x->sweep->failed);
}

/* Is it a part of the shard?  Neighbours cost about the same, so they are dealt
 * in turn, as shard_split does. */
static bool is_own(const struct sweep_options *o, int64_t part)
{
    return o->shard.count == 0 || part % o->shard.count == o->shard.number - 1;
}

bool sweep_supervise(struct sweeping *x, struct status *st)
{
    struct sweep_options *o = x->options;
    struct job_context context = {
        .plan = &x->plan,
        .plan_arena = x->plan_arena,
        .pending = x->pending,
        .pending_count = x->pending_count,
        .limits = &o->limits,
        .profile = x->info.profile,
        .backend_path = x->info.path,
        .backend_options = x->info.options,
        .memory_bytes = o->memory_bytes,
        .sandbox = &x->info.sandbox,
        .bins = true,
        .screen = hunt_run_screens(o),
        .monotone = x->monotone.count > 0 ? &x->monotone : NULL};
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
    x->progress.what = x->what;
    x->done_before = x->sweep->done_count;
    bool ok = supervise(&context, &how, sweep_result_take, on_tick, x, st);
    progress_clear(&x->progress);
    return ok && !x->failed;
}

static bool go(struct sweeping *x, struct status *st)
{
    const struct sweep_options *o = x->options;
    struct sweep *s = x->sweep;
    x->pending = arena_new(x->arena, int64_t, (size_t)s->part_count + 1);
    for (int64_t i = 0; i < s->part_count; i++)
        if (!s->parts[i].done && is_own(o, i))
            x->pending[x->pending_count++] = i;
    s->due_count = s->done_count + x->pending_count;
    return x->pending_count == 0 || sweep_supervise(x, st);
}

static int by_first(const void *a, const void *b)
{
    const struct sweep_part *const *x = a, *const *y = b;
    return ((*x)->first > (*y)->first) - ((*x)->first < (*y)->first);
}

/* Are the results in order, from part to part, too? */
static void sum_order(struct sweeping *x)
{
    struct sweep *s = x->sweep;
    int64_t n = 0;
    const struct sweep_part **list =
        arena_new(x->arena, const struct sweep_part *, (size_t)s->part_count);
    for (int64_t i = 0; i < s->part_count; i++)
        if (s->parts[i].done)
            list[n++] = &s->parts[i];
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, by_first);
    for (int64_t i = 0; i < n; i++)
        monotone_add(&s->order, &x->monotone, list[i]->first, list[i]->count,
                     &list[i]->order);
    s->ordered = n > 0 && !s->order.partial;
}

static bool sweep_in_sandbox(struct sweeping *x, struct status *st)
{
    struct sweep_options *o = x->options;
    const struct supervise_options limits = {.timeout_ms = o->timeout_ms,
                                             .sleep_ms = o->sleep_ms,
                                             .open_ms = SUPERVISE_OPEN_MS,
                                             .sandbox = &x->info.sandbox};
    const char *missing = sandbox_missing(&x->info.sandbox);
    if (missing)
        fprintf(stderr, "assay %s: warning: %s\n", o->hunt ? "hunt" : "sweep",
                missing);
    TRY(supervise_probe(x->arena, x->info.path, x->info.options, &limits,
                        &x->info.backend, st));
    if (o->timeout_ms == 0)
        o->timeout_ms = supervise_timeout(&x->info.backend);
    x->sweep->backend = x->info.backend.name;
    bool ok = sweep_rows_open(x, st) && (o->hunt ? hunt_run(x, st) : go(x, st));
    if (x->monotone.count > 0)
        sum_order(x);
    return sweep_rows_close(x, ok, st);
}

static bool make_parts(struct sweeping *x, struct status *st)
{
    if (x->options->hunt)
        return hunt_run_begin(x, st);
    x->plan_arena = x->arena;
    return sweep_points_cut(x->arena, x->sweep, st) && sweep_case_plan(x, st);
}

/* Where every pattern of a range of one operand is swept. */
static bool find_monotone(struct sweeping *x, struct status *st)
{
    const struct sweep_options *o = x->options;
    if (o->hunt || o->pairs || o->second || o->stride != 1)
        return true;
    return monotone_of(&x->monotone, o->op, o->type, x->sweep->result, st);
}

bool sweep_run(struct arena *a, struct sweep_options *options,
               struct sweep *sweep, struct status *st)
{
    struct sweeping x = {.arena = a,
                         .options = options,
                         .sweep = sweep,
                         .st = st,
                         .info = {.profile_name = options->profile,
                                  .command = options->command,
                                  .jobs = options->jobs},
                         .round = {.paged = true}};
    memset(sweep, 0, sizeof *sweep);
    sweep->options = options;
    TRY(spec_load(st) && sweep_case_check(options, st));
    int operands = spec_op_find(options->op)->operand_count;
    sweep->operands = options->second ? 1 : operands;
    TRY(plugin_find(a, options->backend, options->backend_options, &x.info.path,
                    &x.info.options, st));
    TRY(profile_load(a, options->profile, &x.info.profile, st));
    bool ok =
        make_parts(&x, st) && sweep_case_try(&x, st) && find_monotone(&x, st);
    x.info.sandbox.on = !options->no_sandbox;
    ok = ok && (!x.info.sandbox.on || sandbox_open(&x.info.sandbox, st));
    if (ok) {
        ok = sweep_in_sandbox(&x, st);
        sandbox_close(&x.info.sandbox);
    }
    arena_free(&x.round);
    return ok;
}

/* ---- Words --------------------------------------------------------------- */

/* By binade, the largest error of each first. */
static int by_binade(const void *a, const void *b)
{
    const struct sweep_binade *x = a, *y = b;
    int64_t m = llabs(x->error), n = llabs(y->error);
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (m != n)
        return m < n ? 1 : -1;
    return (x->worst_input > y->worst_input)
           - (x->worst_input < y->worst_input);
}

int64_t sweep_binades(struct arena *a, const struct sweep *s,
                      struct sweep_binade **list)
{
    int shift = dtype_table[s->options->type].precision - 1;
    int64_t n = 0, kept = 0;
    *list = arena_new(a, struct sweep_binade, (size_t)s->part_count + 1);
    for (int64_t i = 0; i < s->part_count; i++) {
        const struct sweep_part *p = &s->parts[i];
        if (p->done && p->has_error)
            (*list)[n++] = (struct sweep_binade){
                p->worst_input >> shift << shift, p->error, p->worst_input,
                p->worst_second};
    }
    if (n > 0)
        qsort(*list, (size_t)n, sizeof **list, by_binade);
    for (int64_t i = 0; i < n; i++)
        if (kept == 0 || (*list)[kept - 1].first != (*list)[i].first)
            (*list)[kept++] = (*list)[i];
    return kept;
}

const char *sweep_input(struct arena *a, const struct sweep *s, uint64_t input,
                        uint64_t second, bool decimal)
{
    enum dtype t = s->options->type;
    const char *(*show)(struct arena *, enum dtype, uint64_t) =
        decimal ? show_decimal : show_bits;
    if (s->operands == 1)
        return show(a, t, input);
    uint64_t left = s->options->pairs ? input >> dtype_table[t].bits : input;
    return arena_printf(a, decimal ? "%s, %s" : "%s %s", show(a, t, left),
                        show(a, t, second & dtype_mask(t)));
}
