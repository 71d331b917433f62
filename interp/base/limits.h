/* limits.h - how much one input may demand.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every limit has an option of the assay command; this is the one place with
 * their defaults.
 */
#ifndef INTERP_BASE_LIMITS_H
#define INTERP_BASE_LIMITS_H

#include <stdint.h>

struct limits {
    int64_t file_bytes;    /* of a JSON file */
    int64_t literal_bytes; /* of one array */
    int64_t file_cases;    /* cases that one file expands to */
    int64_t steps; /* of one evaluation: elements, terms, and 64 for each
                      instruction, which takes as long */
    int64_t evaluate_bytes; /* arena memory of one evaluation */
    int64_t precision_bits; /* of MPFR, where refinement ends */
    int64_t fft_length;     /* of Fft */
};

#define LIMITS_DEFAULT \
    { \
        .file_bytes = INT64_C(64) << 20, .literal_bytes = INT64_C(1) << 30, \
        .file_cases = 1000000, .steps = INT64_C(1) << 32, \
        .evaluate_bytes = INT64_C(8) << 30, .precision_bits = 20000, \
        .fft_length = 4096, \
    }

#endif
