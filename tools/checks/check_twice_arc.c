/* check_twice_arc.c - inverse trigonometric functions, twice.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All are the angle t of a point (x, y) with x, y >= 0.  If y > x it is pi/2 -
 * the angle of (y, x).  With j = 16 y/x, rounded to an integer, t is
 * atan(j / 16), from a table, and atan(w), w = (16 y - j x) / (16 x + j y):
 * |w| <= 1/32, and of the power series w^22 / 23, the first term that is left
 * out, is below 2^-114; w^6 / 7 if x is small (then
 * j is 0).
 */
#include "tools/checks/check_twice.h"

enum {
    STEPS = TWICE_ARCS - 1,
};

TWICE_INLINE struct twice angle(const struct twice_constants *c, struct twice y,
                                struct twice x, int small)
{
    int steep = y.high > x.high;
    struct twice leg = twice_choose(steep, x, y);
    struct twice base = twice_choose(steep, y, x);
    double j = small ? 0 : rint(STEPS * (leg.high / base.high));
    int64_t row = (int64_t)j;
    row = row < 0 ? 0 : row;
    row = row > STEPS ? STEPS : row;
    struct twice top =
        twice_add(twice_scale(leg, STEPS), twice_scale(base, -j));
    struct twice bottom =
        twice_add(twice_scale(base, STEPS), twice_scale(leg, j));
    struct twice w = twice_divide(top, bottom);
    struct twice series = twice_polynomial(
        c->minus, small ? 2 : 5, small ? 3 : 11, twice_multiply(w, w));
    struct twice known = {c->arc_high[row], c->arc_low[row]};
    struct twice t = twice_add_less(known, twice_multiply(w, series));
    struct twice rest = twice_add(c->half_pi, (struct twice){-t.high, -t.low});
    return twice_choose(steep, rest, t);
}

/* sqrt((1 - a) (1 + a)) */
TWICE_INLINE struct twice other_leg(double a)
{
    return twice_root(twice_multiply(twice_sum(1, -a), twice_sum(1, a)));
}

TWICE_INLINE struct twice arc_tangent(const struct twice_constants *c, double x,
                                      int small)
{
    struct twice a = twice_of(twice_magnitude(x));
    return twice_odd(angle(c, a, twice_of(1), small), x);
}

TWICE_INLINE struct twice arc_sine(const struct twice_constants *c, double x,
                                   int small)
{
    double a = twice_magnitude(x);
    return twice_odd(angle(c, twice_of(a), other_leg(a), small), x);
}

TWICE_INLINE struct twice arc_cosine(const struct twice_constants *c, double x,
                                     int small)
{
    double a = twice_magnitude(x);
    struct twice t = angle(c, other_leg(a), twice_of(a), small);
    return twice_choose(x < 0, twice_add(c->pi, twice_negative(t)), t);
}

TWICE_KERNEL(twice_atan, arc_tangent)
TWICE_KERNEL(twice_asin, arc_sine)
TWICE_KERNEL(twice_acos, arc_cosine)
