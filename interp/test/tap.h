/* tap.h - the Test Anything Protocol for our own tests.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_TEST_TAP_H
#define INTERP_TEST_TAP_H

#include <stdbool.h>
#include <stdint.h>

/* Report one check, with where it is and what failed. */
#define OK(condition, ...) \
    tap_ok((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)
#define EQ_INT(got, want, ...) \
    tap_eq_int((got), (want), __FILE__, __LINE__, __VA_ARGS__)
#define EQ_STR(got, want, ...) \
    tap_eq_str((got), (want), __FILE__, __LINE__, __VA_ARGS__)

bool tap_ok(bool ok, const char *file, int line, const char *what,
            const char *format, ...) __attribute__((format(printf, 5, 6)));
bool tap_eq_int(long long got, long long want, const char *file, int line,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
bool tap_eq_str(const char *got, const char *want, const char *file, int line,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The seed of a test's random inputs: the given one, or another one for each
 * number in ASSAY_SEED. */
uint64_t tap_seed(uint64_t usual);

/* Print the plan; the value is main's exit status. */
int tap_done(void);

#endif
