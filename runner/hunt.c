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

/* The kind of a part, by its number modulo WAYS. */
enum way {
    EXPLORE,
    ANCHOR,
    BREED, /* with two operands: repeat */
    DESCEND_FEW,
    DESCEND_MANY,
    DESCEND,
    COMBINE,
    COMBINE_MORE,
    WAYS
};

enum {
    LAST_SHIFT = 13, /* the smallest windows have 2^13 patterns */
    BEST = 64,
    /* A descent begins at the best input of as many binades as this, so that
     * more than one is looked at where many are alike. */
    FEW = 64,
    MANY = 512,
    BREEDING = HUNT_PARTS / WAYS, /* parts that breed */
    POPULATIONS = BREEDING / HUNT_POPULATION_PARTS,
    HOME_BITS = 25, /* of the window of a population, at most */
    HOMES = 16,     /* that are kept, at most one in a cell */
    APART = 4,      /* of so many levels above a window */
    /* How many levels above it the cell is that a population settles in. */
    NEAREST = 2,
    AWAY = 8,
};

struct found {
    uint64_t worst[2];
    int64_t error;
};

/* The largest error first. */
struct list {
    struct found of[BEST];
    int count;
};

struct hunt {
    enum dtype type;
    int operands;
    uint64_t seed, sign, top; /* top: the pattern of infinity */
    int64_t round, explored;
    const struct hunt_anchor *anchors;
    int64_t anchor_count;
    struct hunt_cells cells;
    struct list best, homes;  /* homes: where populations ended */
    int level_of[HUNT_PARTS]; /* the parts of this round */
    /* The way of each descent. */
    struct hunt_cell *path[HUNT_PARTS][HUNT_CELLS_LEVELS];
    struct hunt_population populations[POPULATIONS];
    struct sweep_offsets offsets[BREEDING]; /* of the parts that breed */
};

/* Magnitudes from low to high - 1, of one sign. */
struct window {
    uint64_t sign, low, high;
};

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
    uint64_t sign = random_next(r) >> 63 ? h->sign : 0,
             e = random_below(r, count);
    if (random_next(r) >> 63) {
        uint64_t far =
            random_below(r, random_below(r, random_below(r, one) + 1) + 1);
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
    uint64_t most = room / last, step = most - random_below(r, most / 2);
    if (step > 1 && step % 2 == 0)
        step--;
    uint64_t low = w->low + random_below(r, room - step * last + 1);
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
        &h->anchors[random_below(r, (uint64_t)h->anchor_count)];
    int level = (int)random_below(r, (uint64_t)h->cells.level_count);
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
        &h->best.of[random_early(r, (uint64_t)h->best.count)];
    int level = (int)random_below(r, (uint64_t)h->cells.level_count);
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
        at += random_below(r, UINT64_C(1) << (shift - left)) << left;
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
        f[i] = h->best.of[random_below(r, (uint64_t)h->best.count)].worst;
    bool binade = random_next(r) >> 63, few = random_next(r) >> 63;
    if (binade && h->cells.all.parts)
        f[0] =
            hunt_cells_choose(&h->cells.all, r, few ? FEW : MANY, true)->worst;
    int level = (int)random_below(r, (uint64_t)h->cells.level_count);
    bool values = random_next(r) >> 63;
    h->level_of[part] = hunt_cells_has(&h->cells, level) ? level : -1;
    for (int k = 0; k < h->operands; k++)
        w[k] = around(h, shift_by(h, values, f[0][k], f[1][k], f[2][k]), level);
}

/* ---- Populations --------------------------------------------------------- */

/* The level whose cells are as wide as the windows of populations. */
static int home_level(const struct hunt *h)
{
    int level = 0;
    while (h->cells.shifts[level] > HOME_BITS)
        level++;
    return level;
}

/* So many levels above that one; f32 has fewer. */
static int level_above(const struct hunt *h, int levels)
{
    int home = home_level(h);
    return home > levels ? home - levels : 0;
}

/* Down to that level at most, mostly through the cells with the largest errors:
 * of all parts half are drawn.  Returns how deep it is. */
static int go_down(struct hunt *h, struct random *r, int deepest,
                   const uint64_t **worst)
{
    struct hunt_cell *c = &h->cells.all;
    int level = -1;
    while (level < deepest && c->parts
           && hunt_cells_has(&h->cells, level + 1)) {
        c = hunt_cells_choose(c, r, (c->part_count + 1) / 2, true);
        level++;
    }
    *worst = c->worst;
    return level;
}

/* Not far from a large error: one of the largest, or one of a cell. */
static void settle(struct hunt *h, struct random *r, struct hunt_population *p)
{
    int level =
        level_above(h, NEAREST + (int)random_below(r, AWAY - NEAREST + 1));
    const uint64_t *center =
        h->best.of[random_early(r, (uint64_t)h->best.count)].worst;
    if (random_next(r) >> 63 && h->homes.count > 0)
        center = h->homes.of[random_early(r, (uint64_t)h->homes.count)].worst;
    else if (random_next(r) >> 63 && h->cells.all.parts)
        level = go_down(h, r, level, &center);
    struct window w = around(h, center[0], level);
    uint64_t width = UINT64_C(1) << h->cells.shifts[home_level(h)];
    uint64_t room = w.high - w.low > width ? w.high - w.low - width : 0;
    hunt_population_begin(p, w.sign | (w.low + random_below(r, room + 1)));
}

/* A line that the population of a part breeds; false: it is the line through w.
 */
static bool breed(struct hunt *h, struct random *r, int part, struct window *w,
                  struct sweep_line *line)
{
    int i = part / WAYS;
    struct hunt_population *p = &h->populations[i / HUNT_POPULATION_PARTS];
    h->level_of[part] = -1;
    if (!p->begun)
        settle(h, r, p);
    if (!hunt_population_lines(p)) {
        hunt_population_breed(p, r, &line->first[0], &h->offsets[i]);
        line->offsets = &h->offsets[i];
        return true;
    }
    w[0] = clip(h, p->low & h->sign, p->low & ~h->sign,
                UINT64_C(1) << h->cells.shifts[home_level(h)]);
    return false;
}

/* ---- Parts --------------------------------------------------------------- */

/* Chooses what a part looks at; false if its line is already complete. */
static bool choose(struct hunt *h, struct random *r, int part, struct window *w,
                   struct sweep_line *line)
{
    enum way way = part % WAYS;
    if (h->best.count == 0 && (way == BREED || way >= COMBINE))
        way = DESCEND;
    switch (way) {
    case EXPLORE:
        explore(h, r, part, w);
        break;
    case ANCHOR:
        anchor(h, r, part, w);
        break;
    case BREED:
        if (h->operands == 1)
            return !breed(h, r, part, w, line);
        repeat(h, r, part, w);
        break;
    case DESCEND_FEW:
        descend(h, r, part, FEW, w);
        break;
    case DESCEND_MANY:
        descend(h, r, part, MANY, w);
        break;
    case COMBINE:
    case COMBINE_MORE:
        combine(h, r, part, w);
        break;
    case DESCEND:
    case WAYS:
    default:
        descend(h, r, part, 0, w);
    }
    return true;
}

void hunt_lines(struct hunt *h, struct sweep_line *lines)
{
    for (int i = 0; i < HUNT_PARTS; i++) {
        struct hash mix = {{h->seed, 0}};
        hash_int(&mix, (uint64_t)h->round);
        hash_int(&mix, (uint64_t)i);
        struct random r = {mix.h[0] ^ mix.h[1]};
        struct window w[2];
        lines[i] = (struct sweep_line){{0, 0}, {0, 0}, NULL};
        memset(h->path[i], 0, sizeof h->path[i]);
        if (!choose(h, &r, i, w, &lines[i]))
            continue;
        for (int k = 0; k < h->operands; k++)
            draw(&r, &w[k], k > 0 && random_next(&r) >> 63, &lines[i].first[k],
                 &lines[i].stride[k]);
        /* One operand as it was, at times. */
        uint64_t fix = random_below(&r, 8);
        if (h->operands > 1 && fix < 2)
            lines[i].stride[fix] = 0;
    }
}

/* ---- Errors -------------------------------------------------------------- */

/* Only the worst of the inputs of a cell of that level is kept. */
static void remember(const struct hunt *h, struct list *l, int room, int level,
                     int64_t error, const uint64_t *worst)
{
    int old = 0, at = 0;
    while (at < l->count && l->of[at].error >= error)
        at++;
    while (old < l->count
           && !hunt_cells_share(&h->cells, level, l->of[old].worst, worst))
        old++;
    if (at == room || old < at)
        return;
    l->count += old == l->count && old < room;
    for (int i = old < room ? old : room - 1; i > at; i--)
        l->of[i] = l->of[i - 1];
    l->of[at] = (struct found){{worst[0], worst[1]}, error};
}

void hunt_learn(struct hunt *h, int part, int64_t error, const uint64_t *worst)
{
    remember(h, &h->best, BEST, hunt_cells_smallest(&h->cells), error, worst);
    struct hunt_population *p =
        &h->populations[part / WAYS / HUNT_POPULATION_PARTS];
    if (part % WAYS == BREED && p->begun)
        hunt_population_learn(p, error, worst[0]);
    hunt_cells_learn(&h->cells, h->level_of[part], (double)error, worst);
}

/* Where it ended is where others may begin. */
static void end_population(struct hunt *h, struct hunt_population *p)
{
    const uint64_t worst[2] = {p->members[0].input, 0};
    p->begun = false;
    if (p->count > 0)
        remember(h, &h->homes, HOMES, level_above(h, APART), p->largest, worst);
}

void hunt_next(struct hunt *h)
{
    for (int i = 0; i < HUNT_PARTS; i++)
        for (int k = 0; k < HUNT_CELLS_LEVELS && h->path[i][k]; k++)
            h->path[i][k]->due--;
    for (int i = 0; i < POPULATIONS; i++) {
        struct hunt_population *p = &h->populations[i];
        if (p->begun && !hunt_population_next(p))
            end_population(h, p);
    }
    h->round++;
}
