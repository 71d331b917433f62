/* hunt_population.h - inputs near each other whose errors are large, bred.
 *
 * SPDX-License-Identifier: Apache-2.0
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
 * worse.
 */
#ifndef RUNNER_HUNT_POPULATION_H
#define RUNNER_HUNT_POPULATION_H

#include <stdbool.h>

#include "interp/base/random.h"
#include "runner/sweep.h"

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
