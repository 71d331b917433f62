/* inputs.h - what a case gives a backend, as one number.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The worker hashes its inputs before a call and after it, and the judge those
 * that it creates itself: a backend that writes where the inputs of a later
 * case will lie changes no verdict of that case.
 */
#ifndef RUNNER_PROCESS_INPUTS_H
#define RUNNER_PROCESS_INPUTS_H

#include "interp/base/hash.h"
#include "interp/case/case.h"

/* Before the first byte. */
#define INPUTS_HASH \
    { \
        { \
            3, 4 \
        } \
    }

/* Hashes an array, as four numbers side by side: each step waits for the one
 * before it. */
static inline void inputs_hash_data(struct hash *to, const unsigned char *data,
                                    uint64_t bytes)
{
    enum {
        LANES = 4
    };
    const uint64_t step = LANES * sizeof(uint64_t);
    struct hash lanes[LANES] = {{{1, 0}}, {{2, 0}}, {{3, 0}}, {{4, 0}}};
    for (; bytes >= step; data += step, bytes -= step)
        for (int i = 0; i < LANES; i++) {
            uint64_t x;
            memcpy(&x, data + sizeof x * (size_t)i, sizeof x);
            hash_int(&lanes[i], x);
        }
    for (int i = 0; i < LANES; i++) {
        hash_int(to, lanes[i].h[0]);
        hash_int(to, lanes[i].h[1]);
    }
    hash_bytes(to, data, bytes);
}

/* The data of all inputs, and then of all infeeds. */
struct hash inputs_hash(const struct test_case *c);

#endif
