/* bracket_law.h - laws of computations that only compare and select.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What such a computation returns (argmax: comparisons, Select, And, Or, Max)
 * follows from how its arguments are ordered.  Three rows can be ordered in
 * finitely many ways, so a law of three rows is proven by trying each of them,
 * however many values are then combined.
 */
#ifndef INTERP_OPS_BRACKET_LAW_H
#define INTERP_OPS_BRACKET_LAW_H

#include "interp/ops/bracket_fold.h"

enum bracket_law {
    BRACKET_ASSOCIATES,    /* f(f(x, y), z) = f(x, f(y, z)) */
    BRACKET_EXCHANGES,     /* f(f(x, y), z) = f(f(x, z), y) */
    BRACKET_EXCHANGES_LEFT /* f(z, f(y, x)) = f(y, f(z, x)) */
};

/* Which special values one operand of all rows has. */
struct bracket_seen {
    bool nan, plus, minus, subnormal;
};

/* A value between two ends, which may be one. */
void bracket_law_see(struct bracket_seen *seen, enum dtype type, uint64_t low,
                     uint64_t high);
/* *holds: the law is proven for rows with such special values.  Not proven is
 * not disproven. */
bool bracket_law(struct bracket_fold *f, enum bracket_law law,
                 const struct bracket_seen *seen, bool *holds,
                 struct status *st);

#endif
