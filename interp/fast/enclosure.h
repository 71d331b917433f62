/* enclosure.h - real numbers between two doubles.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every operation rounds outwards, so that the result contains whatever the
 * operation gives for members of its operands.  An end may be infinite.
 */
#ifndef INTERP_FAST_ENCLOSURE_H
#define INTERP_FAST_ENCLOSURE_H

#include <math.h>
#include <stdbool.h>

struct enclosure {
    double low, high;
};

static inline struct enclosure enclosure_of(double low, double high)
{
    return (struct enclosure){low, high};
}

static inline struct enclosure enclosure_point(double x)
{
    return enclosure_of(x, x);
}

static inline bool enclosure_is_point(struct enclosure a)
{
    return a.low == a.high;
}

static inline bool enclosure_is_finite(struct enclosure a)
{
    return isfinite(a.low) && isfinite(a.high);
}

static inline bool enclosure_has(struct enclosure a, double x)
{
    return a.low <= x && x <= a.high;
}

/* Everything: where an end is not a number. */
static inline struct enclosure enclosure_check(struct enclosure a)
{
    bool known = !isnan(a.low) && !isnan(a.high);
    return known ? a : enclosure_of(-HUGE_VAL, HUGE_VAL);
}

/* One step outwards, for ends that were rounded to nearest. */
static inline struct enclosure enclosure_out(struct enclosure a)
{
    return enclosure_check(
        enclosure_of(nextafter(a.low, -HUGE_VAL), nextafter(a.high, HUGE_VAL)));
}

static inline struct enclosure enclosure_neg(struct enclosure a)
{
    return enclosure_of(-a.high, -a.low);
}

static inline struct enclosure enclosure_hull(struct enclosure a,
                                              struct enclosure b)
{
    return enclosure_of(a.low < b.low ? a.low : b.low,
                        a.high > b.high ? a.high : b.high);
}

static inline struct enclosure enclosure_add(struct enclosure a,
                                             struct enclosure b)
{
    return enclosure_out(enclosure_of(a.low + b.low, a.high + b.high));
}

static inline struct enclosure enclosure_sub(struct enclosure a,
                                             struct enclosure b)
{
    return enclosure_add(a, enclosure_neg(b));
}

static inline struct enclosure enclosure_mul(struct enclosure a,
                                             struct enclosure b)
{
    double x[] = {a.low * b.low, a.low * b.high, a.high * b.low,
                  a.high * b.high};
    struct enclosure to = enclosure_point(x[0]);
    for (int i = 0; i < 4; i++) {
        if (isnan(x[i])) /* 0 times infinity */
            return enclosure_of(-HUGE_VAL, HUGE_VAL);
        to = enclosure_hull(to, enclosure_point(x[i]));
    }
    return enclosure_out(to);
}

/* 1 / a; everything if a may be 0. */
static inline struct enclosure enclosure_inverse(struct enclosure a)
{
    if (enclosure_has(a, 0))
        return enclosure_of(-HUGE_VAL, HUGE_VAL);
    return enclosure_out(enclosure_of(1 / a.high, 1 / a.low));
}

/* The largest magnitude, and the least. */
static inline double enclosure_most(struct enclosure a)
{
    return fmax(fabs(a.low), fabs(a.high));
}

static inline double enclosure_least(struct enclosure a)
{
    return enclosure_has(a, 0) ? 0 : fmin(fabs(a.low), fabs(a.high));
}

static inline struct enclosure enclosure_abs(struct enclosure a)
{
    return enclosure_of(enclosure_least(a), enclosure_most(a));
}

#endif
