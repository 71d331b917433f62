/* bracket.h - reductions by any computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The values are combined from the first to the last.  Brackets may be
 * anywhere: a few values are tried in every way, and the result of each is
 * right.  Many values need a computation that is declared associative, or is
 * proven to be (bracket_law.h); others are rejected.
 */
#ifndef INTERP_OPS_BRACKET_H
#define INTERP_OPS_BRACKET_H

#include "interp/ops/reduce.h"

struct bracket;

struct bracket *bracket_open(struct eval *ev, const struct computation *c,
                             int n);
bool bracket_element(struct bracket *b, const struct reduce_list *list,
                     int64_t i, struct goal **goals, struct status *st);

#endif
