/* scatter_part.h - a Scatter whose results do not depend on one another.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where each result of the computation is a sum, a product, an extreme or a
 * bitwise operation of the two values that meet there, the updates of each
 * operand are combined as if they were alone, however many there are.  So is a
 * difference, which is a sum of negatives.
 */
#ifndef INTERP_OPS_SCATTER_PART_H
#define INTERP_OPS_SCATTER_PART_H

#include "interp/ops/monoid.h"
#include "interp/ops/scatter.h"

struct scatter_part {
    struct scatter s; /* of one operand */
    const struct monoid *monoid;
    bool negative;     /* of the updates' negatives: those of s are negated */
    bool sum, product; /* rounded; else it has a fold (monoid_find) */
};

/* The parts of s, one of each operand; NULL where it is not so. */
struct scatter_part *scatter_part_split(const struct scatter *s);

#endif
