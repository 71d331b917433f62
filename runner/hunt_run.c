/* hunt_run.c - see sweep_private.h: the rounds of a hunt.  Tests: hunt.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdlib.h>

#include "interp/base/hash.h"
#include "interp/base/slow.h"
#include "runner/hunt.h"
#include "runner/process/ring.h"
#include "runner/sweep_private.h"

/* The parts of the next round and a plan of them. */
static bool prepare(struct sweeping *x, struct status *st)
{
    struct sweep *s = x->sweep;
    hunt_lines(x->hunt, x->lines);
    x->plan_first = s->part_count;
    for (int i = 0; i < HUNT_PARTS; i++) {
        ARENA_GROW(x->arena, s->parts, s->part_count, x->part_room);
        s->parts[s->part_count] = (struct sweep_part){
            .first = (uint64_t)s->part_count, .count = HUNT_LENGTH};
        s->part_count++;
    }
    arena_free(&x->round);
    x->round = (struct arena){.paged = true};
    x->plan_arena = &x->round;
    x->plan = (struct plan){0};
    return sweep_case_plan(x, st);
}

bool hunt_run_begin(struct sweeping *x, struct status *st)
{
    const struct sweep_options *o = x->options;
    struct sweep *s = x->sweep;
    struct hunt_anchor *anchors;
    int64_t count;
    TRY(hunt_anchors(x->arena, o, s->operands, &anchors, &count, st));
    struct hash h = {{1, 2}};
    hash_int(&h, o->hunt->seed);
    for (int64_t i = 0; i < count; i++) {
        hash_int(&h, anchors[i].bits[0]);
        hash_int(&h, anchors[i].bits[1] ^ anchors[i].alone);
    }
    x->hunt_hash = h.h[0] ^ h.h[1];
    s->length = HUNT_LENGTH;
    x->lines = arena_new(x->arena, struct sweep_line, HUNT_PARTS);
    x->pending = arena_new(x->arena, int64_t, HUNT_PARTS);
    x->hunt =
        hunt_new(x->arena, o->type, s->operands, o->hunt->seed, anchors, count);
    return prepare(x, st);
}

bool hunt_run_screens(const struct sweep_options *o)
{
    return o->hunt && o->type == DT_f64 && !slow();
}

const char *hunt_run_variant(const struct sweeping *x)
{
    return arena_printf(
        x->arena,
        "hunt seed=%" PRIu64 " points=%016" PRIx64 " length=%d search=%d%s",
        x->options->hunt->seed, x->hunt_hash, HUNT_LENGTH, HUNT_SEARCH,
        hunt_run_screens(x->options) ? " screened" : "");
}

/* The parts of this round from an earlier session; the rest is pending. */
static void take_stored(struct sweeping *x)
{
    struct sweep *s = x->sweep;
    for (; x->stored_next < x->stored_count; x->stored_next++) {
        const struct store_sweep_part *from = &x->stored[x->stored_next];
        if (from->first >= (uint64_t)s->part_count)
            break;
        struct sweep_part *p = &s->parts[from->first];
        if (!p->done)
            sweep_result_earlier(s, p, from);
    }
    x->pending_count = 0;
    for (int64_t i = x->plan_first; i < s->part_count; i++)
        if (!s->parts[i].done)
            x->pending[x->pending_count++] = i - x->plan_first;
}

/* Shall no further part be run? */
static bool is_over(const struct sweeping *x)
{
    const struct sweep_hunt *h = x->options->hunt;
    const struct sweep *s = x->sweep;
    bool all = h->rounds > 0 && s->rounds >= h->rounds;
    bool late = h->seconds_ms > 0 && x->begun
                && ring_clock() - x->start >= h->seconds_ms;
    /* The first round had no result. */
    bool vain = s->failed > 0 && s->done_count == 0;
    return all || late || vain || s->unsupported || x->options->interrupted;
}

static void learn(struct sweeping *x)
{
    struct sweep *s = x->sweep;
    for (int i = 0; i < HUNT_PARTS; i++) {
        const struct sweep_part *p = &s->parts[x->plan_first + i];
        const uint64_t worst[2] = {p->worst_input, p->worst_second};
        if (p->done && p->has_error)
            hunt_learn(x->hunt, i, llabs(p->error), worst);
    }
    hunt_next(x->hunt);
    s->rounds++;
}

static const char *describe(struct sweeping *x)
{
    int64_t e = llabs(x->sweep->error);
    return arena_printf(&x->round,
                        "round %" PRId64 ", largest error %" PRId64
                        ".%06" PRId64 " ulp: ",
                        x->sweep->rounds + 1, e / 1000000, e % 1000000);
}

bool hunt_run(struct sweeping *x, struct status *st)
{
    struct sweep *s = x->sweep;
    bool ok = true;
    x->start = ring_clock();
    while (ok) {
        take_stored(x);
        if (x->pending_count > 0 && is_over(x))
            break;
        x->begun |= x->pending_count > 0;
        x->what = describe(x);
        ok = x->pending_count == 0 || sweep_supervise(x, st);
        if (!ok || x->options->interrupted)
            break;
        learn(x);
        ok = prepare(x, st);
    }
    s->due_count = s->done_count;
    return ok;
}
