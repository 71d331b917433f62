/* generate.h - the generators of the case format: data from a description.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * iota, sweep, specials, midpoints and random (spec/case-format.md).  Every
 * element has one definition, so that every implementation makes the same
 * data.
 */
#ifndef INTERP_DATA_GENERATE_H
#define INTERP_DATA_GENERATE_H

#include "interp/base/json.h"
#include "interp/base/literal.h"

/* Values 0, 1, 2, ... along a dimension, as Iota gives them: rounded once to
 * a float type, modulo 2^n in an integer type. */
void generate_iota(struct literal *l, int dimension);

/* Element e takes number e / stride of its sequence, around and around.
 * The sequence of sweep: every pattern of a type of at most 16 bits. */
bool generate_sweep(struct arena *a, const struct json *node, struct literal *l,
                    int64_t stride, struct status *st);
/* The sequence of specials: spec/grids.json; complex: all pairs of the
 * complex subset, real part slowest. */
bool generate_specials(struct arena *a, const struct json *node,
                       struct literal *l, int64_t stride, struct status *st);
/* The sequence of random: length draws of the generator. */
bool generate_random(struct arena *a, const struct json *node,
                     struct literal *l, int64_t stride, int64_t length,
                     struct status *st);

/* The sequence of midpoints (generate_midpoints.c): for each number of a float
 * type of at most 16 bits, from zero to the one before the largest, the
 * midpoint between it and its successor, that negated, the number next to the
 * midpoint on the side that loses the tie, and that negated, as patterns of
 * type. In the float type itself: what these four round to. */
bool generate_midpoints(struct arena *a, const struct json *node,
                        struct literal *l, int64_t stride, struct status *st);
/* Its length; 0 if node names no such type. */
int64_t generate_midpoints_length(const struct json *node);

/* Fill l: element e is number e / stride of the sequence, around and around;
 * an element is as many numbers as it has units. */
void generate_fill(struct literal *l, const uint64_t *sequence, int64_t length,
                   int64_t stride);

/* Length of the sequence that a literal's node describes, or 0 if the sequence
 * adapts to the shape. */
int64_t generate_length(const struct json *literal, enum dtype type);

/* The special-value grid of a unit type, in the order of spec/grids.json (the
 * smaller grid for parts of complex numbers if complex). */
const uint64_t *generate_specials_grid(enum dtype unit, bool complex,
                                       int *count);

#endif
