/* rng.h - what RngUniform and RngNormal share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_RNG_H
#define INTERP_OPS_RNG_H

#include "interp/check/distribution.h"
#include "interp/program/eval.h"
#include "interp/program/infer.h"

/* Two scalars and a shape of one type. */
bool rng_infer(struct infer *in, struct status *st);
struct distribution *rng_open(struct eval *ev);
/* The reference's own random words: the first of number k for element i, and
 * both. */
uint64_t rng_word(int64_t i, int k);
void rng_pair(int64_t i, int k, uint64_t pair[2]);

#endif
