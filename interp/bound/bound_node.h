/* bound_node.h - one instruction of a program as a link between errors.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Let v be the reference's values and w those of a right backend, unit by unit.
 * An instruction computes a real function f of its operands and rounds it, here
 * and there, so
 *
 *     w - v = f(operands of w) - f(operands of v) + noise
 *
 * and by the mean value theorem the difference of f is the sum, over all units
 * of operands, of a slope somewhere between v and w times w - v of that unit.
 * Both v and w are in the box that interval.h has found for each unit, so
 * slopes over boxes enclose those slopes.  Nothing of second order is left out.
 * A box that was narrowed (bound.h) is one, too.  What one use takes for w that
 * another does not (a fused product is not rounded, a subnormal number is
 * flushed) is noise of its result.  Where the reference flushes operands, too,
 * v moves as well.
 * Where f or its slopes are not known, the noise is all that the box allows.
 */
#ifndef INTERP_BOUND_BOUND_NODE_H
#define INTERP_BOUND_BOUND_NODE_H

#include "interp/fast/enclosure.h"
#include "interp/goal/rule.h"
#include "interp/program/op.h"

struct bound_link {
    int node, at; /* the operand's, and its unit, numbered through all nodes */
    double slope, within; /* that number, off by no more than within, which is
                             bound_rounded */
};

/* What the roundings of all additions of a sum come to, as a multiple of the
 * unit roundoff, where no partial sum is off by more than off.  Zero: not
 * known.
 */
struct bound_partials {
    double all, off;
};

/* The operands that a unit is computed from. */
struct bound_use {
    double flushed; /* how far the result moves where subnormal ones are taken
                       for zeros */
    /* For a correctly rounded sum or difference of two operands.  quantum: a
     * power of two of which all possible values are multiples; smaller: how far
     * the exact result may be from the nearer operand, or 0.  Else both are 0.
     */
    double quantum, smaller;
    struct bound_partials partials; /* of its terms, in any order */
    double chosen; /* of operands of which one is chosen, the result is their
                      mean or so far from that */
};

/* Some unit of each may have several values. */
struct bound_node {
    bool known; /* floating-point numbers, or complex ones, in one array; else
                   without the rest */
    struct goal *goal;    /* of the array, */
    struct eval ev;       /* and its instruction, which has in = NULL where */
    struct outcome local; /* that is not followed (machine_follower) */
    int *operands;        /* nodes of its operands */
    enum dtype unit;
    int at; /* of unit 0 */
    int64_t units;
    const struct literal *value;
    struct enclosure *box, *noise; /* by unit */
    double *far;   /* the largest distance of the value in its box */
    double wide;   /* bound_node_width where nodes were narrowed last */
    double *order; /* the part of the noise, by unit, that adding pairwise would
                      take away; NULL: none */
    /* Those of unit i are links[first[i]] to links[first[i + 1] - 1]; first is
     * NULL: there are none. */
    int64_t *first;
    struct bound_link *links;
    struct bound_use *use; /* by unit, of a node that has links */
    /* Further noise of each group of ball_units units: a vector no longer than
     * this; NULL: none. */
    int64_t ball_units;
    double *balls;
};

enum {
    BOUND_LINKS = 1 << 22, /* of a program */
    BOUND_UNITS = 1 << 21,
    BOUND_EXACT = 0 /* number 0 is no node */
};

/* All nodes of a program, in the order in which they are computed. */
struct bound_graph {
    struct arena *arena;
    const struct profile *profile;
    struct bound_node **nodes;
    int count, room;
    int64_t links, units, balls; /* balls: the most of a node */
};

/* Make the node of an instruction that was run; BOUND_EXACT: all its units have
 * one value.  Where there is too much to follow, the node is not known, or has
 * no links. */
int bound_node_make(struct bound_graph *g, const struct eval *ev,
                    const struct outcome *local);
/* The same of a sum of exact numbers, which has no links. */
void bound_node_sum(struct bound_graph *g, const struct eval *ev,
                    const struct outcome *local);
/* The node of an outcome, made without links if there is none; BOUND_EXACT: as
 * above. */
int bound_node_of(struct bound_graph *g, const struct outcome *o);
/* Read its boxes from its goal.  False: they are not known. */
bool bound_node_box(struct bound_graph *g, struct bound_node *n);
/* bound_noise, but units that are one number do not move. */
bool bound_node_noise(struct bound_graph *g, struct bound_node *n);
/* The widest box, as a part of the largest value. */
double bound_node_width(const struct bound_node *n);

/* Is a result correctly rounded, and so are the operands in each use? */
bool bound_noise_rounded(const struct rule_basis *b, const struct goal *g);
/* The links of a node whose box is known: false if its function is not known,
 * or has no slopes in the box.  (bound_link.c) */
bool bound_link(struct bound_graph *g, struct bound_node *n);
/* The noise of a node that has links: false if it is not known. (bound_noise.c)
 */
bool bound_noise(struct bound_graph *g, struct bound_node *n);
/* Narrow the boxes of sums of exact numbers, if that can be done. */
bool bound_noise_narrows(const struct bound_graph *g,
                         const struct bound_node *n);
void bound_noise_narrow(struct bound_node *n);
/* All w - v where w is no farther than far from the exact value y. */
struct enclosure bound_noise_around(double far, double v, const struct real *y);
/* How far a unit moves by what its operands are taken for in this use: zeros
 * for subnormal numbers (use) and, where results are passed on unrounded
 * (wider), the rounding of one that is not rounded elsewhere. */
double bound_noise_by_use(const struct bound_graph *g,
                          const struct bound_node *n, int64_t i, bool wider);

/* How far w - v of one unit may be from that of another one, of operands of n;
 * in the numbering of links.  (bound_apart.c) */
double bound_apart(const struct bound_graph *g, const int node[2],
                   const int at[2]);

/* Fourier transforms.  (bound_fft.c) */
/* The check that judges the units of a goal; NULL: it is not a transform whose
 * units are all numbers. */
const struct check_fft *bound_fft(const struct goal *g);
/* Its slopes: of a unit of a block of the result by each unit of the operand's
 * block. */
struct bound_roots;
struct bound_roots *bound_fft_roots(struct arena *a, const struct check_fft *p);
struct enclosure bound_fft_slope(const struct bound_roots *r, int64_t to,
                                 int64_t from);
/* The noise of a node whose goal, or that of its instruction on the reference's
 * operands, is g. */
void bound_fft_noise(struct bound_graph *graph, struct bound_node *n,
                     const struct goal *g);

/* The bound of a number's error and 2^-52 of the number, which allows for the
 * rounding of its products; those with 1 and -1 are not rounded. */
static inline double bound_rounded(double x, double off)
{
    return off + (fabs(x) == 1 ? 0 : fabs(x) * 0x1p-52);
}

/* The smallest normal number, and the distance of numbers of x's size, which is
 * not negative. */
double bound_node_normal(enum dtype unit);
double bound_node_ulp(enum dtype unit, double x);

/* How far a unit may be from the number that is rounded to it, twice at most.
 */
double bound_noise_of_rounding(const struct bound_node *n, int64_t i);

/* How far a number of the type between the ends moves that is taken for zero
 * because it is subnormal; 0 where the profile lets none be flushed. */
double bound_node_flushed(const struct profile *p, enum dtype unit,
                          struct enclosure box);

/* The value of a pattern; infinite or NaN where it is that. */
double bound_node_double(enum dtype unit, uint64_t bits);

#endif
