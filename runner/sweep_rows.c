/* sweep_rows.c - see sweep_private.h: a sweep in the results database.  Tests:
 * sweep.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "interp/base/hash.h"
#include "runner/run_identity.h"
#include "runner/sweep_private.h"

static const char *variant(struct sweeping *x)
{
    const struct sweep_options *o = x->options;
    if (o->pairs)
        return "pairs";
    if (o->hunt)
        return hunt_run_variant(x);
    const char *to =
        o->converts ? arena_printf(x->arena, "to=%s ", dtype_table[o->to].name)
                    : "";
    const char *v = arena_printf(x->arena, "%s%s=%" PRIu64 " length=%" PRId64,
                                 to, o->stride == 1 ? "stride" : "block",
                                 o->stride, x->sweep->length);
    if (o->low)
        v = arena_printf(x->arena, "%s low=%s", v, o->low);
    if (o->high)
        v = arena_printf(x->arena, "%s high=%s", v, o->high);
    if (o->second)
        v = arena_printf(x->arena, "%s second=%s", v, o->second);
    return v;
}

/* Who is judged, and by what; *hash is of that and of the function. */
static bool identify(struct sweeping *x, const char **hash, struct status *st)
{
    const struct run_identity of = {
        .seed = x->options->hunt ? x->options->hunt->seed : 0};
    TRY(run_identity_make(x->arena, &x->info, &of, &x->identity, st));
    struct hash h = {{7, 8}};
    hash_text(&h, x->options->op);
    hash_int(&h, (uint64_t)x->options->type);
    hash_text(&h, x->sweep->variant);
    for (int m = 0; m < IDENTITY_COUNT; m++)
        hash_text(&h, x->identity.value[m]);
    *hash = arena_printf(x->arena, "%016" PRIx64 "%016" PRIx64, h.h[0], h.h[1]);
    return true;
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
    if (x->options->hunt) { /* its part is not made yet */
        ARENA_GROW(x->arena, x->stored, x->stored_count, x->stored_room);
        x->stored[x->stored_count++] = *from;
        return;
    }
    struct sweep_part *p = find_part(x, from->first);
    if (p && !p->done)
        sweep_result_earlier(x->sweep, p, from);
}

static bool begin(struct sweeping *x, const char *hash, struct status *st)
{
    const struct sweep_options *o = x->options;
    struct store_run info = run_info_row(x->arena, &x->info);
    info.plan_hash = hash;
    info.identity = &x->identity;
    info.seed = o->hunt ? o->hunt->seed : 0;
    info.shard = o->shard.number;
    info.shards = o->shard.count;
    const struct store_sweep row = {
        o->op, dtype_table[o->type].name, x->sweep->variant,
        arena_printf(x->arena, "%" PRId64, x->sweep->points), o->hunt != NULL};
    return store_run_begin(x->store, &info, &x->run, st)
           && store_plan_end(x->store, st)
           && store_sweep_begin(x->store, x->run, &row, &x->row, st);
}

/* Reuse parts of another database, unless some are already present: their
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
        struct store_sweep_part part = from->parts[i];
        part.sweep = x->row;
        earlier(x, &part);
        if (x->store)
            TRY(store_sweep_part_add(x->store, &part,
                                     i == 0 ? from->bins : none, st));
    }
    return true;
}

static bool open_run(struct sweeping *x, const char *hash, struct status *st)
{
    struct store_resumed r = {0};
    if (x->options->resume)
        TRY(store_resume(x->store, x->arena, hash, x->options->shard.number,
                         x->options->shard.count, &r, st));
    if (r.run == 0)
        return begin(x, hash, st);
    x->run = r.run;
    TRY(store_sweep_find(x->store, r.run, &x->row, st));
    return store_sweep_read(x->store, x->row, earlier, x, x->sweep->bins, st);
}

bool sweep_rows_open(struct sweeping *x, struct status *st)
{
    const struct sweep_options *o = x->options;
    x->sweep->variant = variant(x);
    const char *hash;
    TRY(identify(x, &hash, st));
    struct sweep_join *list;
    int n;
    /* First, so that nothing starts if one of them belongs to another sweep. */
    TRY(sweep_join_read(x->arena, hash, o->join_count, o->joins, &list, &n,
                        st));
    if (o->database)
        TRY(store_open(o->database, o->resume ? STORE_RESUME : STORE_WAIT,
                       &x->store, st)
            && open_run(x, hash, st));
    for (int i = 0; i < n; i++)
        TRY(join(x, &list[i], st));
    return true;
}

bool sweep_rows_close(struct sweeping *x, bool ok, struct status *st)
{
    struct status mine = {0};
    const struct sweep *s = x->sweep;
    bool ended = true;
    if (!x->store)
        return ok;
    bool whole = s->done_count == s->due_count;
    const char *note = x->options->hunt
                           ? "a hunt has no end; --resume continues it"
                       : whole ? NULL
                               : "unfinished sweep";
    if (x->run != 0)
        ended =
            store_run_end(x->store, x->run, ok && whole && !note, note, &mine);
    ended = ended && store_intact_place(x->store, &mine);
    ended = store_close(x->store, &mine) && ended
            && store_intact(x->options->database, &mine);
    if (ok && !ended)
        *st = mine;
    return ok && ended;
}
