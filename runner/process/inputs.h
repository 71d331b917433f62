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

/* The data of all inputs, and then of all infeeds. */
struct hash inputs_hash(const struct test_case *c);

#endif
