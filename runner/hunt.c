/* hunt.c - see hunt.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/hunt.h"

#include <string.h>

#include "interp/base/hash.h"
#include "interp/base/random.h"
#include "interp/exact/real.h"

enum {
    STEP = 3, /* bits from one level to the next */
    LEVELS_MAX = 16,
    LAST_SHIFT = 13 /* the smallest cells have 2^13 patterns */
};

/* A cell, as patterns without their low bits, and the largest error in it. */
struct entry {
    uint64_t cell[2], worst[2];
    int64_t error;
};

struct level {
    int shift, count;
    struct entry best[HUNT_BEST]; /* the largest first */
};

struct hunt {
    enum dtype type;
    int operands, level_count;
    uint64_t seed, sign, top; /* top: the pattern of infinity */
    int64_t round, explored;
    const struct hunt_anchor *anchors;
    int64_t anchor_count;
    struct level levels[LEVELS_MAX];
    int level_of[HUNT_PARTS]; /* the parts of this round */
};

/* Magnitudes from low to high - 1, of one sign. */
struct window {
    uint64_t sign, low, high;
};

static uint64_t below(struct random *r, uint64_t n)
{
    return n > 0 ? random_next(r) % n : 0;
}

struct hunt *hunt_new(struct arena *a, enum dtype type, int operands,
                      uint64_t seed, const struct hunt_anchor *anchors,
                      int64_t anchor_count)
{
    struct hunt *h = arena_new(a, struct hunt, 1);
    *h = (struct hunt){.type = type,
                       .operands = operands,
                       .seed = seed,
                       .sign = real_formats[type].sign,
                       .top = real_inf(type, false),
                       .anchors = anchors,
                       .anchor_count = anchor_count};
    for (int shift = dtype_table[type].precision - 1;; shift -= STEP) {
        bool last = shift <= LAST_SHIFT;
        h->levels[h->level_count++].shift = last ? LAST_SHIFT : shift;
        if (last)
            return h;
    }
}

/* ---- Windows ------------------------------------------------------------- */

/* Its part between zero and infinity, wide enough for a line.
 */
static struct window clip(const struct hunt *h, uint64_t sign, uint64_t low,
                          uint64_t width)
{
    if (width < HUNT_LENGTH)
        width = HUNT_LENGTH;
    if (low > h->top - width)
        low = h->top - width;
    return (struct window){sign, low, low + width};
}

static struct window cell_of(const struct hunt *h, uint64_t bits, int level)
{
    int shift = h->levels[level].shift;
    return clip(h, bits & h->sign, (bits & ~h->sign) >> shift << shift,
                UINT64_C(1) << shift);
}

/* On one side of a point, which is its end. */
static struct window beside(const struct hunt *h, struct random *r,
                            uint64_t bits, int level)
{
    uint64_t at = bits & ~h->sign, width = UINT64_C(1)
                                           << h->levels[level].shift;
    bool under = random_next(r) >> 63;
    if (under)
        at = at > width ? at - width : 0;
    return clip(h, bits & h->sign, at, width);
}

/* A binade: any, or rather one near that of 1. */
static struct window binade(const struct hunt *h, struct random *r)
{
    int shift = h->levels[0].shift;
    uint64_t count = h->top >> shift, one = count / 2;
    uint64_t sign = random_next(r) >> 63 ? h->sign : 0, e = below(r, count);
    if (random_next(r) >> 63) {
        uint64_t far = below(r, below(r, below(r, one) + 1) + 1);
        e = random_next(r) >> 63 ? one - far : one + far - 1;
    }
    return clip(h, sign, e << shift, UINT64_C(1) << shift);
}

/* ---- Lines --------------------------------------------------------------- */

/* HUNT_LENGTH inputs that go through a window, with an odd step, so that their
 * low bits differ. */
static void draw(struct random *r, const struct window *w, bool reverse,
                 uint64_t *first, int64_t *stride)
{
    uint64_t last = HUNT_LENGTH - 1, room = w->high - w->low - 1;
    uint64_t most = room / last, step = most - below(r, most / 2);
    if (step > 1 && step % 2 == 0)
        step--;
    uint64_t low = w->low + below(r, room - step * last + 1);
    *first = w->sign | (reverse ? low + step * last : low);
    *stride = reverse ? -(int64_t)step : (int64_t)step;
}

static void explore(struct hunt *h, struct random *r, int part,
                    struct window *w)
{
    h->level_of[part] = 0;
    for (int k = 0; k < h->operands; k++)
        w[k] = binade(h, r);
    if (h->operands > 1)
        return;
    /* All in turn: the factor is odd and so has no factor in common with the
     * count once that is rounded up to a power of two. */
    int shift = h->levels[0].shift;
    uint64_t count = 2 * (h->top >> shift), all = 1, e;
    while (all < count)
        all *= 2;
    do
        e = (uint64_t)h->explored++ * UINT64_C(0x9e3779b1) % all;
    while (e >= count);
    w[0] = clip(h, e % 2 ? h->sign : 0, e / 2 << shift, UINT64_C(1) << shift);
}

static void anchor(struct hunt *h, struct random *r, int part, struct window *w)
{
    const struct hunt_anchor *a =
        &h->anchors[below(r, (uint64_t)h->anchor_count)];
    int level = (int)below(r, (uint64_t)h->level_count);
    uint64_t flip = a->alone && random_next(r) >> 63 ? h->sign : 0;
    h->level_of[part] = level;
    w[0] = beside(h, r, a->bits[0] ^ flip, level);
    if (h->operands == 1)
        return;
    if (!a->alone) {
        w[1] = beside(h, r, a->bits[1], level);
        return;
    }
    int k = (int)(random_next(r) >> 63);
    w[k] = w[0];
    w[!k] = binade(h, r);
}

/* Of a level that has any; a smaller number is more likely. */
static const struct entry *choose(const struct hunt *h, struct random *r,
                                  int *level)
{
    int known = 0;
    for (int i = 0; i < h->level_count; i++)
        known += h->levels[i].count > 0;
    if (known == 0)
        return NULL;
    int left = (int)below(r, (uint64_t)known);
    for (*level = 0;; ++*level)
        if (h->levels[*level].count > 0 && left-- == 0)
            break;
    const struct level *v = &h->levels[*level];
    return &v->best[below(r, below(r, (uint64_t)v->count) + 1)];
}

/* The whole cell again, the part of it with its worst input, or that input's
 * neighbourhood. */
static void refine(struct hunt *h, struct random *r, int part, struct window *w)
{
    int level;
    const struct entry *e = choose(h, r, &level);
    uint64_t way = below(r, 4);
    if (!e) {
        explore(h, r, part, w);
        return;
    }
    if (way > 0 && level + 1 < h->level_count)
        level++;
    h->level_of[part] = level;
    uint64_t half = (UINT64_C(1) << h->levels[level].shift) / 2;
    for (int k = 0; k < h->operands; k++) {
        uint64_t at = e->worst[k] & ~h->sign;
        w[k] = way == 3 ? clip(h, e->worst[k] & h->sign,
                               at > half ? at - half : 0, 2 * half)
                        : cell_of(h, e->worst[k], level);
    }
}

void hunt_lines(struct hunt *h, struct sweep_line *lines)
{
    for (int i = 0; i < HUNT_PARTS; i++) {
        struct hash mix = {{h->seed, 0}};
        hash_int(&mix, (uint64_t)h->round);
        hash_int(&mix, (uint64_t)i);
        struct random r = {mix.h[0] ^ mix.h[1]};
        struct window w[2];
        int way = i % 4;
        if (way == 0)
            explore(h, &r, i, w);
        else if (way == 1)
            anchor(h, &r, i, w);
        else
            refine(h, &r, i, w);
        lines[i] = (struct sweep_line){{0, 0}, {0, 0}};
        for (int k = 0; k < h->operands; k++)
            draw(&r, &w[k], k > 0 && random_next(&r) >> 63, &lines[i].first[k],
                 &lines[i].stride[k]);
        /* One operand as it was, at times. */
        uint64_t fix = below(&r, 8);
        if (h->operands > 1 && fix < 2)
            lines[i].stride[fix] = 0;
    }
}

/* ---- Errors -------------------------------------------------------------- */

/* The place of a cell, or of the least error, which it takes. */
static int place_of(struct level *v, const uint64_t *cell, int64_t error)
{
    for (int i = 0; i < v->count; i++)
        if (memcmp(v->best[i].cell, cell, sizeof v->best[i].cell) == 0)
            return v->best[i].error < error ? i : -1;
    if (v->count < HUNT_BEST)
        return v->count++;
    return v->best[v->count - 1].error < error ? v->count - 1 : -1;
}

void hunt_learn(struct hunt *h, int part, int64_t error, const uint64_t *worst)
{
    struct level *v = &h->levels[h->level_of[part]];
    struct entry e = {.error = error};
    for (int k = 0; k < h->operands; k++) {
        e.worst[k] = worst[k];
        e.cell[k] = worst[k] >> v->shift;
    }
    int at = place_of(v, e.cell, error);
    if (at < 0)
        return;
    for (; at > 0 && v->best[at - 1].error < error; at--)
        v->best[at] = v->best[at - 1];
    v->best[at] = e;
}

void hunt_next(struct hunt *h)
{
    h->round++;
}
