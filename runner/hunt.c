/* hunt.c - see hunt.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cells form a tree: binades, their eighths, and so on.  A part's largest
 * error counts for every cell around it that is known, and makes at most one
 * more known.  A descent through the tree goes on, in each cell, to the part
 * of it whose errors are the largest on average, plus what a few more looks
 * could add to that (UCT: Kocsis and Szepesvari, Bandit Based Monte-Carlo
 * Planning, 2006).
 */
#include "runner/hunt.h"

#include <math.h>
#include <string.h>

#include "interp/base/hash.h"
#include "interp/base/random.h"
#include "interp/exact/real.h"

enum {
    STEP = 3, /* bits from one level to the next */
    LEVELS_MAX = 16,
    LAST_SHIFT = 13, /* the smallest windows have 2^13 patterns */
    /* The smallest cells have 2^22 inputs: so many that looking again shows
     * others. */
    CELL_BITS = 22,
    PARTS_MOST = 4096, /* of a cell that are known: all binades of f64 */
    BEST = 64,
    KINDS = 8,
    /* Of as many binades as this a descent begins at the best: so that not one
     * alone is looked at where many are alike. */
    FEW = 64,
    MANY = 512,
};

/* A cell: patterns without their low bits. */
struct cell {
    uint64_t at[2];
    struct cell *next, *parts; /* of the same cell; the known ones of this */
    int part_count;
    int64_t looks, due; /* parts that had their largest error here; that are
                           being looked at */
    double mean, most;  /* of their errors */
    double spread;      /* of those of its parts from their means, summed */
    int64_t spread_looks;
};

struct found {
    uint64_t worst[2];
    int64_t error;
};

struct hunt {
    struct arena *arena;
    enum dtype type;
    int operands, level_count;
    int shifts[LEVELS_MAX];
    uint64_t seed, sign, top; /* top: the pattern of infinity */
    int64_t round, explored;
    const struct hunt_anchor *anchors;
    int64_t anchor_count;
    struct cell all;
    struct found best[BEST]; /* the largest first */
    int best_count;
    int level_of[HUNT_PARTS];                  /* the parts of this round */
    struct cell *path[HUNT_PARTS][LEVELS_MAX]; /* that a descent went */
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
    *h = (struct hunt){.arena = a,
                       .type = type,
                       .operands = operands,
                       .seed = seed,
                       .sign = real_formats[type].sign,
                       .top = real_inf(type, false),
                       .anchors = anchors,
                       .anchor_count = anchor_count};
    for (int shift = dtype_table[type].precision - 1;; shift -= STEP) {
        bool last = shift <= LAST_SHIFT;
        h->shifts[h->level_count++] = last ? LAST_SHIFT : shift;
        if (last)
            return h;
    }
}

/* Are there cells of that level? */
static bool has_cells(const struct hunt *h, int level)
{
    return level < h->level_count
           && h->shifts[level] * h->operands >= CELL_BITS;
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
    uint64_t at = bits & ~h->sign, width = UINT64_C(1) << h->shifts[level];
    bool under = random_next(r) >> 63;
    if (under)
        at = at > width ? at - width : 0;
    return clip(h, bits & h->sign, at, width);
}

/* A binade: any, or rather one near that of 1. */
static struct window binade(const struct hunt *h, struct random *r)
{
    int shift = h->shifts[0];
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
    int shift = h->shifts[0];
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
    h->level_of[part] = has_cells(h, level) ? level : -1;
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
    int level = (int)below(r, (uint64_t)h->level_count);
    uint64_t half = (UINT64_C(1) << h->shifts[level]) / 2;
    h->level_of[part] = -1;
    for (int k = 0; k < h->operands; k++) {
        uint64_t at = f->worst[k] & ~h->sign;
        w[k] =
            clip(h, f->worst[k] & h->sign, at > half ? at - half : 0, 2 * half);
    }
}

/* ---- Descent ------------------------------------------------------------- */

/* The number of binary digits: instead of a logarithm, which differs from one
 * library to another. */
static int digits(int64_t n)
{
    int d = 0;
    for (; n > 0; n /= 2)
        d++;
    return d;
}

/* What to expect of a cell: its mean, or, if bold, half of what it has more
 * than that at most; and more where few looks leave that open.  The fractions
 * were found by trials with Erfc and Exp of the GNU C Library. */
static double worth(const struct cell *in, const struct cell *c, bool bold)
{
    double spread =
        in->spread_looks > 0 ? in->spread / (double)in->spread_looks : 0;
    double doubt =
        sqrt((double)digits(in->looks + in->due) / (double)(c->looks + c->due));
    return c->mean + (bold ? (c->most - c->mean) / 2 : 0) + spread * doubt / 4;
}

/* Of about so many of the parts, drawn at random, the one that is worth most;
 * of all if many is 0 or none was drawn. */
static struct cell *choose(const struct cell *in, struct random *r, int many,
                           bool bold)
{
    uint64_t one_in = many > 0 ? (uint64_t)(in->part_count / many) : 0;
    struct cell *best = NULL;
    double most = 0;
    for (struct cell *c = in->parts; c; c = c->next) {
        double w = worth(in, c, bold);
        if (below(r, one_in) == 0 && (!best || w > most)) {
            best = c;
            most = w;
        }
    }
    return best ? best : choose(in, r, 0, bold);
}

/* Is it time to look at one more part of it? */
static bool widens(const struct hunt *h, const struct cell *c)
{
    int parts = h->operands > 1 ? 1 << 2 * STEP : 1 << STEP;
    return c->part_count < parts && c->looks + c->due >= 2 * c->part_count;
}

static void descend(struct hunt *h, struct random *r, int part, int many,
                    struct window *w)
{
    struct cell *c = &h->all;
    int level = -1;
    bool bold = part % 2 != 0;
    while (c->parts && has_cells(h, level + 1)
           && (level < 0 || !widens(h, c))) {
        c = choose(c, r, level < 0 ? many : 0, bold);
        c->due++;
        h->path[part][++level] = c;
    }
    if (level < 0) {
        explore(h, r, part, w);
        return;
    }
    /* A new cell as a whole; of another any part, known or not. */
    int shift = h->shifts[level], left = shift;
    if (c->looks > 1 && has_cells(h, level + 1))
        left = h->shifts[++level];
    h->level_of[part] = level;
    for (int k = 0; k < h->operands; k++) {
        uint64_t at = c->at[k] << shift;
        at += below(r, UINT64_C(1) << (shift - left)) << left;
        w[k] = clip(h, at & h->sign, at & ~h->sign, UINT64_C(1) << left);
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
        int way = i % KINDS;
        memset(h->path[i], 0, sizeof h->path[i]);
        if (way == 0)
            explore(h, &r, i, w);
        else if (way == 1)
            anchor(h, &r, i, w);
        else if (way == 2 && h->best_count > 0)
            repeat(h, &r, i, w);
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

static void remember(struct hunt *h, int64_t error, const uint64_t *worst)
{
    int at = h->best_count;
    while (at > 0 && h->best[at - 1].error < error)
        at--;
    if (at == BEST
        || (at > 0
            && memcmp(h->best[at - 1].worst, worst, sizeof h->best[0].worst)
                   == 0))
        return;
    h->best_count += h->best_count < BEST;
    for (int i = h->best_count - 1; i > at; i--)
        h->best[i] = h->best[i - 1];
    h->best[at] = (struct found){{worst[0], worst[1]}, error};
}

/* The part of a cell with those inputs; NULL if it is not known. */
static struct cell *find(const struct hunt *h, const struct cell *in,
                         const uint64_t *inputs, int shift)
{
    struct cell *c = in->parts;
    while (c
           && (c->at[0] != inputs[0] >> shift
               || (h->operands > 1 && c->at[1] != inputs[1] >> shift)))
        c = c->next;
    return c;
}

/* The one with the least errors that nothing refers to in this round. */
static struct cell *find_least(const struct cell *in)
{
    struct cell *least = NULL;
    for (struct cell *c = in->parts; c; c = c->next)
        if (c->due == 0 && (!least || c->mean < least->mean))
            least = c;
    return least;
}

/* A new one, or one in place of the least; NULL if there is no place. */
static struct cell *add(struct hunt *h, struct cell *in, const uint64_t *inputs,
                        int shift)
{
    struct cell *c = NULL;
    if (in->part_count < PARTS_MOST) {
        c = arena_new(h->arena, struct cell, 1);
        *c = (struct cell){.next = in->parts};
        in->parts = c;
        in->part_count++;
    } else if ((c = find_least(in)) != NULL) {
        *c = (struct cell){.next = c->next};
    } else {
        return NULL;
    }
    for (int k = 0; k < h->operands; k++)
        c->at[k] = inputs[k] >> shift;
    return c;
}

static void look(struct cell *in, struct cell *c, double error)
{
    if (c->looks > 0) {
        in->spread += fabs(error - c->mean);
        in->spread_looks++;
    }
    c->looks++;
    c->mean += (error - c->mean) / (double)c->looks;
    c->most = error > c->most ? error : c->most;
}

void hunt_learn(struct hunt *h, int part, int64_t error, const uint64_t *worst)
{
    struct cell *in = &h->all;
    remember(h, error, worst);
    in->looks++;
    for (int level = 0; level <= h->level_of[part] && has_cells(h, level);
         level++) {
        struct cell *c = find(h, in, worst, h->shifts[level]);
        bool known = c != NULL;
        if (!known)
            c = add(h, in, worst, h->shifts[level]);
        if (c)
            look(in, c, (double)error);
        if (!known)
            return;
        in = c;
    }
}

void hunt_next(struct hunt *h)
{
    for (int i = 0; i < HUNT_PARTS; i++)
        for (int k = 0; k < LEVELS_MAX && h->path[i][k]; k++)
            h->path[i][k]->due--;
    h->round++;
}
