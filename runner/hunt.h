/* hunt.h - where the next large error may be.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A hunt goes in rounds of HUNT_PARTS parts.  Each part looks at HUNT_LENGTH
 * inputs, mostly on a line through a window of patterns, of each operand: at a
 * *cell*, whose patterns have one sign and agree above some bit, or elsewhere.
 * The largest cells are binades; each next level has cells of an eighth of the
 * width.  A part is of one of six kinds:
 *
 *     explore   a binade: all of them in turn, of two operands any two
 *     anchor    near a point where errors are often large, at any distance
 *     descend   a cell in which errors were large, and parts of it
 *     combine   as far from a large error as two others are from each other
 *     breed     sums of large errors near each other (hunt_population.c)
 *     repeat    with two operands only: near one of the largest errors so far,
 *               at any distance
 *
 * The lines of a round follow from the seed, the anchors and the errors of all
 * earlier rounds, and from nothing else.
 */
#ifndef RUNNER_HUNT_H
#define RUNNER_HUNT_H

#include <stdbool.h>

#include "interp/base/arena.h"
#include "interp/base/dtype.h"
#include "interp/base/random.h"
#include "runner/sweep.h"

enum {
    HUNT_PARTS = 512,
    HUNT_LENGTH = 4096,
    /* To be raised when the same seed gives other lines, so that no hunt is
     * resumed as another one. */
    HUNT_SEARCH = 4,
};

struct hunt;

/* A point near which to search; with one operand the second is 0.  If alone is
 * set, of two operands only one is near it, the first one's pattern. */
struct hunt_anchor {
    uint64_t bits[2];
    bool alone;
};

/* The type is a float type of 32 or 64 bits; there are one or two operands.
 * There is at least one anchor; they must live as long as the hunt. */
struct hunt *hunt_new(struct arena *a, enum dtype type, int operands,
                      uint64_t seed, const struct hunt_anchor *anchors,
                      int64_t anchor_count);
/* The lines of this round. */
void hunt_lines(struct hunt *h, struct sweep_line *lines);
/* Report the magnitude of the largest error of a part of this round, and its
 * inputs.  Call it in the order of parts; not for a part without an error. */
void hunt_learn(struct hunt *h, int part, int64_t error, const uint64_t *worst);
/* The round is over. */
void hunt_next(struct hunt *h);

/* ---- hunt_anchors.c ------------------------------------------------------ */
/* Points near which the errors of functions are large. */

/* 1, the ends of the type's range, multiples of pi/2, and the inputs of that
 * operation's cases in a folder of the suite (none if it has no such folder):
 * what is hard to round, thresholds, edges.  Fails with INPUT if a case file is
 * bad. */
bool hunt_anchors(struct arena *a, const struct sweep_options *o, int operands,
                  struct hunt_anchor **list, int64_t *count, struct status *st);

/* ---- hunt_cells.c: where errors were large: a tree of cells -------------- */
/* A cell has the patterns of one sign that agree above some bit: binades, their
 * eighths, and so on.  A part's largest error counts for every cell around it
 * that is known, and makes at most one more known. */

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

/* ---- hunt_population.c --------------------------------------------------- */
/* Inputs near each other whose errors are large, bred.
 *
 * A function in floating point rounds several times, and where its largest
 * errors are, all of these roundings are nearly as bad as they can be and in
 * one direction.  Near each other, each rounding error is about a linear
 * function of the pattern, modulo an ulp.  So if all of them are alike in b and
 * c, they hardly change from a to a + b - c, whatever a is: such sums of three
 * bad inputs are mostly bad, and now and then worse (Storn and Price,
 * Differential Evolution, J. Global Optimization 11, 1997).
 *
 * A population begins with the worst inputs of lines through a window, then
 * takes in the worst of each part of such sums, and ends when it no longer gets
 * worse. */

enum {
    HUNT_POPULATION = 128,      /* members, at most */
    HUNT_POPULATION_PARTS = 32, /* of a round */
};

struct hunt_member {
    uint64_t input;
    int64_t error;
};

struct hunt_population {
    struct hunt_member members[HUNT_POPULATION]; /* the largest error first */
    int count;
    bool begun;
    uint64_t low;    /* the window: its first pattern */
    int64_t largest; /* error, before this round */
    int lines, idle; /* rounds of lines; without a larger error since then */
};

/* None yet, in a window. */
void hunt_population_begin(struct hunt_population *p, uint64_t low);
/* Are the parts of this round lines through the window, not sums? */
bool hunt_population_lines(const struct hunt_population *p);
/* A part of sums: HUNT_LENGTH inputs, none of them a member. */
void hunt_population_breed(const struct hunt_population *p, struct random *r,
                           uint64_t *first, struct sweep_offsets *offsets);
/* The worst input of one of its parts. */
void hunt_population_learn(struct hunt_population *p, int64_t error,
                           uint64_t worst);
/* The round is over; false: so is the population. */
bool hunt_population_next(struct hunt_population *p);

#endif
