/* order.h - the order that a comparator gives.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A comparator of a few exact scalar operations is translated once, so that a
 * comparison runs without allocation; one that is less-than or greater-than of
 * one operand sorts by keys.  Everything else is evaluated.
 */
#ifndef INTERP_OPS_ORDER_H
#define INTERP_OPS_ORDER_H

#include "interp/program/eval.h"

/* The sort key of a real element or an integer.  total: as LtTotalOrder does;
 * otherwise zeros are equal, and a NaN (*nan is set) has no place. */
int64_t order_key(enum dtype type, uint64_t bits, bool total, bool *nan);

/* By a comparator of two scalars of each of n arrays. */
struct order;
struct order *order_open(struct eval *ev, const struct computation *c, int n,
                         const struct literal *const *arrays);

/* The same for elements of array k between low[k] and high[k]: each comparison
 * fails with UNSUPPORTED "inadmissible: ..." where it is not the same for all
 * of them. */
struct order *order_open_ranges(struct eval *ev, const struct computation *c,
                                int n, const struct literal *const *arrays,
                                struct literal *const *low,
                                struct literal *const *high);

/* A line of elements, each step after the one before. */
struct order_line {
    int64_t first, step, n;
    /* To set: the places 0 to n - 1, sorted and stable, and for each rank the
     * first rank whose element is equal to it. */
    int64_t *places, *equal;
    /* To set, if checked: the comparator was found not to be a strict weak
     * order on these elements (all pairs of a short line are tried). */
    bool broken;
};
bool order_sort(struct order *o, struct order_line *line, bool check,
                struct status *st);

/* For lines of at most ORDER_PAIRS elements: *before[i * n + k] becomes 1 where
 * place i is less than place k and k not less than i, and the places are set to
 * an order in which no such k stands before its i, the first places first.
 * *ordered is false, and nothing is set, if there is none. */
enum {
    ORDER_PAIRS = 512
};
bool order_pairs(struct order *o, struct order_line *line,
                 unsigned char *before, bool *ordered, struct status *st);

#endif
