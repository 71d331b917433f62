/* hunt.c - see hunt.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A descent through the tree of cells goes on, in each cell, to the part of it
 * whose errors are the largest on average, plus what a few more looks could add
 * to that (UCT: Kocsis and Szepesvari, Bandit Based Monte-Carlo Planning,
 * 2006).
 */
#include "runner/hunt.h"

#include <string.h>

#include "interp/base/hash.h"
#include "interp/base/random.h"
#include "interp/exact/real.h"
#include "runner/hunt_cells.h"

enum {
    LAST_SHIFT = 13, /* the smallest windows have 2^13 patterns */
    BEST = 64,
    WAYS = 8,
    /* Of as many binades as this a descent begins at the best: so that not one
     * alone is looked at where many are alike. */
    FEW = 64,
    MANY = 512,
};

struct found {
    uint64_t worst[2];
    int64_t error;
};

struct hunt {
    enum dtype type;
    int operands;
    uint64_t seed, sign, top; /* top: the pattern of infinity */
    int64_t round, explored;
    const struct hunt_anchor *anchors;
    int64_t anchor_count;
    struct hunt_cells cells;
    struct found best[BEST]; /* the largest first */
    int best_count;
    int level_of[HUNT_PARTS]; /* the parts of this round */
    /* The way of each descent. */
    struct hunt_cell *path[HUNT_PARTS][HUNT_CELLS_LEVELS];
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
                       .cells = {.arena = a, .operands = operands},
                       .seed = seed,
                       .sign = real_formats[type].sign,
                       .top = real_inf(type, false),
                       .anchors = anchors,
                       .anchor_count = anchor_count};
    for (int shift = dtype_table[type].precision - 1;;
         shift -= HUNT_CELLS_STEP) {
        bool last = shift <= LAST_SHIFT;
        h->cells.shifts[h->cells.level_count++] = last ? LAST_SHIFT : shift;
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

/* On one side of a point, which is its end. */
static struct window beside(const struct hunt *h, struct random *r,
                            uint64_t bits, int level)
{
    uint64_t at = bits & ~h->sign, width = UINT64_C(1)
                                           << h->cells.shifts[level];
    bool under = random_next(r) >> 63;
    if (under)
        at = at > width ? at - width : 0;
    return clip(h, bits & h->sign, at, width);
}

/* On both sides of it. */
static struct window around(const struct hunt *h, uint64_t bits, int level)
{
    uint64_t at = bits & ~h->sign,
             half = (UINT64_C(1) << h->cells.shifts[level]) / 2;
    return clip(h, bits & h->sign, at > half ? at - half : 0, 2 * half);
}

/* A binade: any, or rather one near that of 1. */
static struct window binade(const struct hunt *h, struct random *r)
{
    int shift = h->cells.shifts[0];
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
    int shift = h->cells.shifts[0];
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
    int level = (int)below(r, (uint64_t)h->cells.level_count);
    uint64_t flip = a->alone && random_next(r) >> 63 ? h->sign : 0;
    h->level_of[part] = hunt_cells_has(&h->cells, level) ? level : -1;
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

/* Where an error was large, at any distance.  The same error is often found
 * again, which says nothing of the cell. */
static void repeat(struct hunt *h, struct random *r, int part, struct window *w)
{
    const struct found *f =
        &h->best[below(r, below(r, (uint64_t)h->best_count) + 1)];
    int level = (int)below(r, (uint64_t)h->cells.level_count);
    h->level_of[part] = -1;
    for (int k = 0; k < h->operands; k++)
        w[k] = around(h, f->worst[k], level);
}

/* ---- Descent ------------------------------------------------------------- */

static void descend(struct hunt *h, struct random *r, int part, int many,
                    struct window *w)
{
    struct hunt_cell *c = &h->cells.all;
    int level = -1;
    bool bold = part % 2 != 0;
    while (c->parts && hunt_cells_has(&h->cells, level + 1)
           && (level < 0 || !hunt_cells_widens(&h->cells, c))) {
        c = hunt_cells_choose(c, r, level < 0 ? many : 0, bold);
        c->due++;
        h->path[part][++level] = c;
    }
    if (level < 0) {
        explore(h, r, part, w);
        return;
    }
    /* A new cell as a whole; of another any part, known or not. */
    int shift = h->cells.shifts[level], left = shift;
    if (c->looks > 1 && hunt_cells_has(&h->cells, level + 1))
        left = h->cells.shifts[++level];
    h->level_of[part] = level;
    for (int k = 0; k < h->operands; k++) {
        uint64_t at = c->at[k] << shift;
        at += below(r, UINT64_C(1) << (shift - left)) << left;
        w[k] = clip(h, at & h->sign, at & ~h->sign, UINT64_C(1) << left);
    }
}

/* ---- Differences --------------------------------------------------------- */

static double value_of(enum dtype type, uint64_t bits)
{
    uint32_t half = (uint32_t)bits;
    float f;
    double d;
    memcpy(&f, &half, sizeof f);
    memcpy(&d, &bits, sizeof d);
    return type == DT_f32 ? f : d;
}

/* Rounded, which does no harm here. */
static uint64_t bits_of(enum dtype type, double value)
{
    float f = (float)value;
    uint32_t half;
    uint64_t bits;
    memcpy(&half, &f, sizeof half);
    memcpy(&bits, &value, sizeof bits);
    return type == DT_f32 ? half : bits;
}

/* a + b - c, of values or of the patterns of magnitudes. */
static uint64_t shift_by(const struct hunt *h, bool values, uint64_t a,
                         uint64_t b, uint64_t c)
{
    if (values)
        return bits_of(h->type, value_of(h->type, a) + value_of(h->type, b)
                                    - value_of(h->type, c));
    uint64_t at = (a & ~h->sign) + (b & ~h->sign) - (c & ~h->sign);
    return (a & h->sign) | (at < h->top ? at : 0);
}

/* As far from one large error, or from that of a binade, as two others are from
 * each other (Storn and Price, Differential Evolution, J. Global Optimization
 * 11, 1997).  Where errors have a period, differences are often multiples of
 * it: of values, say ln 2 / 128, or of patterns, a whole number of binades. */
static void combine(struct hunt *h, struct random *r, int part,
                    struct window *w)
{
    const uint64_t *f[3];
    for (int i = 0; i < 3; i++)
        f[i] = h->best[below(r, (uint64_t)h->best_count)].worst;
    bool binade = random_next(r) >> 63, few = random_next(r) >> 63;
    if (binade && h->cells.all.parts)
        f[0] =
            hunt_cells_choose(&h->cells.all, r, few ? FEW : MANY, true)->worst;
    int level = (int)below(r, (uint64_t)h->cells.level_count);
    bool values = random_next(r) >> 63;
    h->level_of[part] = hunt_cells_has(&h->cells, level) ? level : -1;
    for (int k = 0; k < h->operands; k++)
        w[k] = around(h, shift_by(h, values, f[0][k], f[1][k], f[2][k]), level);
}

/* ---- Parts --------------------------------------------------------------- */

void hunt_lines(struct hunt *h, struct sweep_line *lines)
{
    for (int i = 0; i < HUNT_PARTS; i++) {
        struct hash mix = {{h->seed, 0}};
        hash_int(&mix, (uint64_t)h->round);
        hash_int(&mix, (uint64_t)i);
        struct random r = {mix.h[0] ^ mix.h[1]};
        struct window w[2];
        int way = i % WAYS;
        memset(h->path[i], 0, sizeof h->path[i]);
        if (way == 0)
            explore(h, &r, i, w);
        else if (way == 1)
            anchor(h, &r, i, w);
        else if (way == 2 && h->best_count > 0)
            repeat(h, &r, i, w);
        else if (way >= 6 && h->best_count > 0)
            combine(h, &r, i, w);
        else
            descend(h, &r, i, way == 3 ? FEW : way == 4 ? MANY : 0, w);
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

/* Of the inputs of one smallest cell, only the worst is kept. */
static void remember(struct hunt *h, int64_t error, const uint64_t *worst)
{
    int old = 0, at = 0;
    while (at < h->best_count && h->best[at].error >= error)
        at++;
    while (old < h->best_count
           && !hunt_cells_share(&h->cells, h->best[old].worst, worst))
        old++;
    if (at == BEST || old < at)
        return;
    h->best_count += old == h->best_count && old < BEST;
    for (int i = old < BEST ? old : BEST - 1; i > at; i--)
        h->best[i] = h->best[i - 1];
    h->best[at] = (struct found){{worst[0], worst[1]}, error};
}

void hunt_learn(struct hunt *h, int part, int64_t error, const uint64_t *worst)
{
    remember(h, error, worst);
    hunt_cells_learn(&h->cells, h->level_of[part], (double)error, worst);
}

void hunt_next(struct hunt *h)
{
    for (int i = 0; i < HUNT_PARTS; i++)
        for (int k = 0; k < HUNT_CELLS_LEVELS && h->path[i][k]; k++)
            h->path[i][k]->due--;
    h->round++;
}
