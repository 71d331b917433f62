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
 *     breed     sums of large errors near each other (hunt_population.h)
 *     repeat    with two operands only: near one of the largest errors so far,
 *               at any distance
 *
 * The lines of a round follow from the seed, the anchors and the errors of all
 * earlier rounds, and from nothing else.
 */
#ifndef RUNNER_HUNT_H
#define RUNNER_HUNT_H

#include "interp/base/arena.h"
#include "interp/base/dtype.h"
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

#endif
