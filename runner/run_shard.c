/* run_shard.c - see run_private.h.  Tests: shard.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/hash.h"
#include "runner/run_private.h"
#include "runner/store/store_times.h"

enum {
    /* The time of a case outside the backend. */
    OWN_NS = 50000,
    SECOND_NS = 1000000000
};

struct known {
    uint64_t key; /* of the name */
    int64_t time;
};

struct times {
    struct arena *arena;
    int64_t count, room;
    struct known *known;
};

static uint64_t key_of(const char *file, const char *name)
{
    struct hash h = {{7, 8}};
    hash_text(&h, file);
    hash_text(&h, name);
    return h.h[0] ^ h.h[1];
}

static void add_time(void *data, const char *file, const char *name,
                     int variant, int64_t time)
{
    struct times *t = data;
    ARENA_GROW(t->arena, t->known, t->count, t->room);
    /* A day is more than any case needs; sums stay in range. */
    int64_t most = INT64_C(86400) * SECOND_NS;
    if (variant)
        name = arena_printf(t->arena, "%s#constant", name);
    t->known[t->count++] =
        (struct known){key_of(file, name), time < most ? time : most};
}

static int by_key(const void *a, const void *b)
{
    const struct known *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Each case's time in an earlier run; the mean where there is none. */
static bool costs(struct arena *a, const char *database,
                  const struct plan *plan, int64_t **cost, struct status *st)
{
    struct times t = {.arena = a};
    TRY(store_times(database, add_time, &t, st));
    qsort(t.known, (size_t)t.count, sizeof *t.known, by_key);
    int64_t sum = 0;
    for (int64_t i = 0; i < t.count; i++)
        sum += t.known[i].time;
    int64_t mean = t.count > 0 ? sum / t.count : 0;
    *cost = arena_new(a, int64_t, (size_t)plan->count + 1);
    for (int64_t i = 0; i < plan->count; i++) {
        const struct plan_case *c = &plan->cases[i];
        const char *file = c->stub->file->name;
        struct known key = {key_of(file, plan_name(a, c) + strlen(file) + 1),
                            0};
        const struct known *found =
            t.count > 0
                ? bsearch(&key, t.known, (size_t)t.count, sizeof key, by_key)
                : NULL;
        (*cost)[i] = OWN_NS + (found ? found->time : mean);
    }
    return true;
}

bool run_shard_choose(struct arena *a, const struct run_options *o,
                      struct plan *plan, struct run_shard *x, struct status *st)
{
    int64_t *cost = NULL;
    *x = (struct run_shard){.whole = *plan};
    if (!o->shard)
        return true;
    TRY(shard_read(o->shard, &x->shard, st));
    if (o->balance)
        TRY(costs(a, o->balance, plan, &cost, st));
    x->shard_of = shard_split(a, plan, x->shard.count, cost);
    shard_part(a, &x->whole, x->shard_of, x->shard.number, plan, &x->where);
    return true;
}
