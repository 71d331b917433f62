/* rng_words.h - does an array consist of a generator's words?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The documents name the algorithm of RngBitGenerator, but neither say how a
 * state is read as key and counter, nor in which order the words go into the
 * result.  So every reading is tried: one of them must explain all elements as
 * words of successive blocks, each word taken once, and the next state as one
 * that gives other blocks.
 */
#ifndef INTERP_CHECK_RNG_WORDS_H
#define INTERP_CHECK_RNG_WORDS_H

#include "interp/base/literal.h"

/* False, and why, in which of state (0) and out (1), if they are none. */
bool rng_words_explain(struct arena *a, bool philox,
                       const struct literal *before,
                       const struct literal *after, const struct literal *out,
                       int *leaf, char *why, size_t size);

#endif
