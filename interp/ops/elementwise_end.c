/* elementwise_end.c - the ends of functions' ranges.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "interp/ops/elementwise.h"

struct real elementwise_end(enum elementwise_end end, bool low)
{
    static const struct {
        int number, half_pis;
    } rows[] = {
        [ELEMENTWISE_MINUS_PI] = {0, -2},
        [ELEMENTWISE_MINUS_HALF_PI] = {0, -1},
        [ELEMENTWISE_MINUS_ONE] = {-1, 0},
        [ELEMENTWISE_ZERO] = {0, 0},
        [ELEMENTWISE_ONE] = {1, 0},
        [ELEMENTWISE_TWO] = {2, 0},
        [ELEMENTWISE_HALF_PI] = {0, 1},
        [ELEMENTWISE_PI] = {0, 2},
    };
    if (end == ELEMENTWISE_OPEN)
        return (struct real){.kind = REAL_INF, .width = 128, .negative = low};
    if (rows[end].half_pis == 0)
        return real_from_int(rows[end].number);
    mpfr_t pi;
    mpfr_init2(pi, 128);
    int ternary = mpfr_const_pi(pi, MPFR_RNDZ);
    struct real r = real_from_mpfr(pi, ternary);
    mpfr_clear(pi);
    r.negative = rows[end].half_pis < 0;
    /* Half of it, exactly: one exponent less. */
    r.exponent -= abs(rows[end].half_pis) == 1;
    return r;
}
