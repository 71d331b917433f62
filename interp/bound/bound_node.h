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
 * Where f or its slopes are not known, the noise is all that the box allows.
 */
#ifndef INTERP_BOUND_BOUND_NODE_H
#define INTERP_BOUND_BOUND_NODE_H

#include "interp/fast/enclosure.h"
#include "interp/program/op.h"

struct bound_link {
    int node; /* the operand's instruction, */
    int64_t unit;
    struct enclosure slope;
};

struct bound_node {
    bool inexact; /* some unit may have several values */
    bool known;   /* real floating-point numbers in one array; else without the
                     rest */
    enum dtype unit;
    int64_t units;
    const struct literal *value;
    struct enclosure *box, *noise; /* by unit */
    double *order; /* the part of the noise, by unit, that adding pairwise would
                      take away; NULL: none */
    /* Those of unit i are links[first[i]] to links[first[i + 1] - 1]; first is
     * NULL: there are none. */
    int64_t *first;
    struct bound_link *links;
};

enum {
    BOUND_LINKS = 1 << 22 /* of a program */
};

/* What all nodes of a program are made of. */
struct bound_graph {
    struct arena *arena;
    const struct profile *profile;
    const struct computation *entry;
    const struct machine_step *trace;
    struct bound_node *nodes; /* by number of the instruction */
    int64_t links;
};

/* Make the node of an instruction whose operands have theirs. */
void bound_node_make(struct bound_graph *g, int number);

/* The links of a node whose box is known: false if its function is not known,
 * or has no slopes in the box.  (bound_link.c) */
bool bound_link(struct bound_graph *g, int number);
/* The noise of a node that has links: false if it is not known. (bound_noise.c)
 */
bool bound_noise(const struct bound_graph *g, int number);

/* The value of a pattern; infinite or NaN where it is that. */
double bound_node_double(enum dtype unit, uint64_t bits);

#endif
