/* hunt_cells.c - see hunt.h.  Tests: hunt.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "runner/hunt.h"

enum {
    PARTS_MOST = 4096, /* of a cell that are known: all binades of f64 */
};

bool hunt_cells_has(const struct hunt_cells *cells, int level)
{
    return level < cells->level_count
           && cells->shifts[level] * cells->operands >= HUNT_CELLS_BITS;
}

int hunt_cells_smallest(const struct hunt_cells *cells)
{
    int level = 0;
    while (hunt_cells_has(cells, level + 1))
        level++;
    return level;
}

bool hunt_cells_share(const struct hunt_cells *cells, int level,
                      const uint64_t *a, const uint64_t *b)
{
    int shift = cells->shifts[level];
    return a[0] >> shift == b[0] >> shift && a[1] >> shift == b[1] >> shift;
}

/* The logarithm to base 2 of n >= 1, linear between powers of two: that of the
 * C library differs from one library to another. */
static double log_about(int64_t n)
{
    int64_t power = 1;
    int digits = 0;
    for (; power <= n / 2; power *= 2)
        digits++;
    return digits + (double)(n - power) / (double)power;
}

/* The error to expect in a cell: its mean, and more where few looks leave that
 * open. If bold: its largest error, less an allowance for the number of looks,
 * because the largest of n errors grows like log n.  So a small part with large
 * errors counts although few looks met it; the literature calls this the max
 * k-armed bandit problem.  The fractions were found by trials with Asinh, Erfc
 * and Exp of the GNU C Library. */
static double worth(const struct hunt_cell *in, const struct hunt_cell *c,
                    bool bold)
{
    double spread =
        in->spread_looks > 0 ? in->spread / (double)in->spread_looks : 0;
    int64_t looks = c->looks + c->due;
    if (bold)
        return c->most - spread / 2 * log_about(looks);
    return c->mean
           + spread / 4 * sqrt(log_about(in->looks + in->due) / (double)looks);
}

struct hunt_cell *hunt_cells_choose(const struct hunt_cell *in,
                                    struct random *r, int many, bool bold)
{
    uint64_t one_in = many > 0 ? (uint64_t)(in->part_count / many) : 0;
    struct hunt_cell *best = NULL;
    double most = 0;
    for (struct hunt_cell *c = in->parts; c; c = c->next) {
        double w = worth(in, c, bold);
        bool drawn = one_in == 0 || random_next(r) % one_in == 0;
        if (drawn && (!best || w > most)) {
            best = c;
            most = w;
        }
    }
    return best ? best : hunt_cells_choose(in, r, 0, bold);
}

bool hunt_cells_widens(const struct hunt_cells *cells,
                       const struct hunt_cell *c)
{
    int parts =
        cells->operands > 1 ? 1 << 2 * HUNT_CELLS_STEP : 1 << HUNT_CELLS_STEP;
    return c->part_count < parts && c->looks + c->due >= 2 * c->part_count;
}

/* The part of a cell with those inputs; NULL if it is not known. */
static struct hunt_cell *part_at(const struct hunt_cells *cells,
                                 const struct hunt_cell *in,
                                 const uint64_t *inputs, int shift)
{
    struct hunt_cell *c = in->parts;
    while (c
           && (c->at[0] != inputs[0] >> shift
               || (cells->operands > 1 && c->at[1] != inputs[1] >> shift)))
        c = c->next;
    return c;
}

/* The one with the least errors that nothing refers to in this round. */
static struct hunt_cell *find_least(const struct hunt_cell *in)
{
    struct hunt_cell *least = NULL;
    for (struct hunt_cell *c = in->parts; c; c = c->next)
        if (c->due == 0 && (!least || c->mean < least->mean))
            least = c;
    return least;
}

/* A new one, or one in place of the least; NULL if there is no place. */
static struct hunt_cell *add(struct hunt_cells *cells, struct hunt_cell *in,
                             const uint64_t *inputs, int shift)
{
    struct hunt_cell *c = NULL;
    if (in->part_count < PARTS_MOST) {
        c = arena_new(cells->arena, struct hunt_cell, 1);
        *c = (struct hunt_cell){.next = in->parts};
        in->parts = c;
        in->part_count++;
    } else if ((c = find_least(in)) != NULL) {
        *c = (struct hunt_cell){.next = c->next};
    } else {
        return NULL;
    }
    for (int k = 0; k < cells->operands; k++)
        c->at[k] = inputs[k] >> shift;
    return c;
}

static void look(struct hunt_cell *in, struct hunt_cell *c, double error,
                 const uint64_t *worst)
{
    if (c->looks > 0) {
        in->spread += fabs(error - c->mean);
        in->spread_looks++;
    }
    c->looks++;
    c->mean += (error - c->mean) / (double)c->looks;
    if (c->looks == 1 || error > c->most) {
        c->most = error;
        memcpy(c->worst, worst, sizeof c->worst);
    }
}

void hunt_cells_learn(struct hunt_cells *cells, int level, double error,
                      const uint64_t *worst)
{
    struct hunt_cell *in = &cells->all;
    in->looks++;
    for (int k = 0; k <= level && hunt_cells_has(cells, k); k++) {
        struct hunt_cell *c = part_at(cells, in, worst, cells->shifts[k]);
        bool known = c != NULL;
        if (!known)
            c = add(cells, in, worst, cells->shifts[k]);
        if (c)
            look(in, c, error, worst);
        if (!known)
            return;
        in = c;
    }
}
