/* hunt_cells.h - where errors were large: a tree of cells.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A cell has the patterns of one sign that agree above some bit: binades, their
 * eighths, and so on.  A part's largest error counts for every cell around it
 * that is known, and makes at most one more known.
 */
#ifndef RUNNER_HUNT_CELLS_H
#define RUNNER_HUNT_CELLS_H

#include <stdbool.h>

#include "interp/base/arena.h"
#include "interp/base/random.h"

enum {
    HUNT_CELLS_STEP = 3, /* bits from one level to the next */
    HUNT_CELLS_LEVELS = 16,
    /* The smallest cells have 2^22 inputs: so many that looking again shows
     * others. */
    HUNT_CELLS_BITS = 22,
};

/* Patterns without their low bits. */
struct hunt_cell {
    uint64_t at[2];
    struct hunt_cell *next, *parts; /* of the same cell; the known ones of it */
    int part_count;
    int64_t looks, due; /* parts that had their largest error here; that are
                           being looked at */
    double mean, most;  /* of their errors */
    uint64_t worst[2];  /* with the largest of them */
    double spread;      /* of those of its parts from their means, summed */
    int64_t spread_looks;
};

struct hunt_cells {
    struct arena *arena;
    int operands, level_count;
    int shifts[HUNT_CELLS_LEVELS]; /* how many low bits, by level */
    struct hunt_cell all;
};

/* Are there cells of that level? */
bool hunt_cells_has(const struct hunt_cells *cells, int level);
/* The deepest of them. */
int hunt_cells_smallest(const struct hunt_cells *cells);
/* Are both inputs in one cell of that level? */
bool hunt_cells_share(const struct hunt_cells *cells, int level,
                      const uint64_t *a, const uint64_t *b);
/* Is it time to look at one more part of a cell? */
bool hunt_cells_widens(const struct hunt_cells *cells,
                       const struct hunt_cell *c);
/* The part that is worth most of about so many of the cell's parts, drawn at
 * random; of all if many is 0 or none was drawn.  bold: by the largest errors
 * rather than the mean.  The cell has parts. */
struct hunt_cell *hunt_cells_choose(const struct hunt_cell *in,
                                    struct random *r, int many, bool bold);
/* A part's largest error and its inputs count for the cells around them, down
 * to that level. */
void hunt_cells_learn(struct hunt_cells *cells, int level, double error,
                      const uint64_t *worst);

#endif
