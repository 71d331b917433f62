/* bound_apart.c - how far two values move apart.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of two values that are computed from the same ones, min(x + c, x), both move
 * with these.  Either is followed back by one instruction, or not, whichever
 * leaves least.
 */
#include "interp/bound/bound_node.h"

enum {
    FOLLOWED = 8 /* links of a unit, at most */
};

/* The sum of slopes times units, and what else there is. */
struct difference {
    const struct bound_graph *graph;
    struct bound_link term[2 * FOLLOWED];
    int count;
    double rest;
};

static void add_term(struct difference *d, struct bound_link by, double sign)
{
    struct bound_link *t = d->term;
    while (t < d->term + d->count && t->at != by.at)
        t++;
    if (t == d->term + d->count)
        d->term[d->count++] = (struct bound_link){by.node, by.at, 0, 0};
    t->slope += sign * by.slope;
    t->within += by.within + fabs(t->slope) * 0x1p-52;
}

static bool may_follow(const struct bound_node *n, int64_t i)
{
    return n->first && n->first[i + 1] - n->first[i] <= FOLLOWED;
}

static void add_value(struct difference *d, int node, int at, bool follow,
                      double sign)
{
    if (node == BOUND_EXACT)
        return;
    const struct bound_node *n = d->graph->nodes[node];
    int64_t i = at - n->at;
    if (!follow || !may_follow(n, i)) {
        add_term(d, (struct bound_link){node, at, 1, 0}, sign);
        return;
    }
    for (int64_t k = n->first[i]; k < n->first[i + 1]; k++)
        add_term(d, n->links[k], sign);
    d->rest += enclosure_most(n->noise[i])
               + (n->balls ? n->balls[i / n->ball_units] : 0);
}

static double size_of(const struct difference *d)
{
    double size = d->rest;
    for (const struct bound_link *t = d->term; t < d->term + d->count; t++) {
        const struct bound_node *n = d->graph->nodes[t->node];
        double by = fabs(t->slope) + t->within;
        size += by > 0 ? by * n->far[t->at - n->at] : 0;
    }
    return size * (1 + 0x1p-20);
}

double bound_apart(const struct bound_graph *g, const int node[2],
                   const int at[2])
{
    double least = HUGE_VAL;
    for (int way = 0; way < 4; way++) {
        struct difference d = {.graph = g};
        add_value(&d, node[0], at[0], way & 1, 1);
        add_value(&d, node[1], at[1], way & 2, -1);
        least = fmin(least, size_of(&d));
    }
    return least;
}
