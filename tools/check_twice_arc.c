/* check_twice_arc.c - inverse trigonometric functions, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All are the angle t of a point (x, y) with x, y >= 0.  If y > x it is pi/2 -
 * the angle of (y, x).  With j = 16 y/x, rounded to an integer, t is
 * atan(j / 16), from a table, and atan(w), w = (16 y - j x) / (16 x + j y):
 * |w| <= 1/32, and of the power series w^22 / 23, the first term that is left
 * out, is below 2^-114.
 */
#include "tools/check_twice.h"

enum {
    SINGLE = 5,
    TERMS = 11,
    STEPS = TWICE_ARCS - 1,
};

TWICE_INLINE struct twice angle(const struct twice_constants *c, struct twice y,
                                struct twice x)
{
    int steep = y.high > x.high;
    struct twice small = twice_choose(steep, x, y);
    struct twice large = twice_choose(steep, y, x);
    double j = rint(STEPS * (small.high / large.high));
    int64_t row = (int64_t)j;
    row = row < 0 ? 0 : row;
    row = row > STEPS ? STEPS : row;
    struct twice top =
        twice_add(twice_scale(small, STEPS), twice_scale(large, -j));
    struct twice bottom =
        twice_add(twice_scale(large, STEPS), twice_scale(small, j));
    struct twice w = twice_divide(top, bottom);
    struct twice series =
        twice_polynomial(c->minus, SINGLE, TERMS, twice_multiply(w, w));
    struct twice base = {c->arc_high[row], c->arc_low[row]};
    struct twice t = twice_add_less(base, twice_multiply(w, series));
    struct twice rest = twice_add(c->half_pi, (struct twice){-t.high, -t.low});
    return twice_choose(steep, rest, t);
}

TWICE_LOOP void twice_atan(const struct twice_constants *c,
                           const double *restrict x, double *restrict high,
                           double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        struct twice a = {twice_magnitude(x[i]), 0};
        struct twice y = angle(c, a, (struct twice){1, 0});
        y = twice_odd(y, x[i]);
        high[i] = y.high;
        low[i] = y.low;
    }
}

/* sqrt((1 - a) (1 + a)) */
TWICE_INLINE struct twice other_leg(double a)
{
    return twice_root(twice_multiply(twice_sum(1, -a), twice_sum(1, a)));
}

TWICE_LOOP void twice_asin(const struct twice_constants *c,
                           const double *restrict x, double *restrict high,
                           double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        double a = twice_magnitude(x[i]);
        struct twice y = angle(c, (struct twice){a, 0}, other_leg(a));
        y = twice_odd(y, x[i]);
        high[i] = y.high;
        low[i] = y.low;
    }
}

TWICE_LOOP void twice_acos(const struct twice_constants *c,
                           const double *restrict x, double *restrict high,
                           double *restrict low, int n)
{
    for (int i = 0; i < n; i++) {
        double a = twice_magnitude(x[i]);
        struct twice t = angle(c, other_leg(a), (struct twice){a, 0});
        struct twice rest = twice_add(c->pi, (struct twice){-t.high, -t.low});
        struct twice y = twice_choose(x[i] < 0, rest, t);
        high[i] = y.high;
        low[i] = y.low;
    }
}
