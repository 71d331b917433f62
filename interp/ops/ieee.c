/* ieee.c - see ieee.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/ieee.h"

#include "interp/ops/monoid.h"

static uint64_t sign_bit(enum dtype t)
{
    return UINT64_C(1) << (dtype_table[t].bits - 1);
}

static bool has_sign(enum dtype t)
{
    return dtype_table[t].special != DTYPE_EXPONENT;
}

uint64_t ieee_abs(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    if (!has_sign(t) || (!real_has_negative_zero(t) && real_is_nan(t, x[0])))
        return x[0];
    return x[0] & ~sign_bit(t);
}

/* A bit operation, on NaN too.  Where the pattern of -0 is taken (FNUZ), zero
 * and NaN stay; a type without a sign has no negative number but NaN. */
static uint64_t negated(enum dtype t, uint64_t x)
{
    if (!has_sign(t))
        return real_nan(t, false);
    if (!real_has_negative_zero(t) && (real_is_nan(t, x) || real_is_zero(t, x)))
        return x;
    return x ^ sign_bit(t);
}

uint64_t ieee_neg(struct elementwise_job *j, const uint64_t *x)
{
    return negated(j->unit, x[0]);
}

uint64_t ieee_complex_neg(struct elementwise_job *j, const uint64_t *x,
                          int part)
{
    return negated(j->unit, x[part]);
}

uint64_t ieee_sign(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    if (real_is_nan(t, x[0]))
        return real_nan(t, false);
    if (real_is_zero(t, x[0]))
        return x[0];
    bool negative = real_is_negative(t, x[0]);
    return real_one(t) | (negative ? sign_bit(t) : 0);
}

uint64_t ieee_is_finite(struct elementwise_job *j, const uint64_t *x)
{
    return real_is_finite(j->unit, x[0]);
}

/* ---- Order --------------------------------------------------------------- */

enum order {
    BEFORE,
    EQUAL,
    AFTER,
    UNORDERED
};

static enum order order_of(int64_t a, int64_t b)
{
    return a < b ? BEFORE : a > b ? AFTER : EQUAL;
}

static enum order order_bits(enum dtype t, uint64_t a, uint64_t b)
{
    if (real_is_nan(t, a) || real_is_nan(t, b))
        return UNORDERED;
    return order_of(real_is_zero(t, a) ? 0 : real_key(t, a),
                    real_is_zero(t, b) ? 0 : real_key(t, b));
}

static enum order total(enum dtype t, uint64_t a, uint64_t b)
{
    return order_of(real_total_key(t, a), real_total_key(t, b));
}

typedef enum order order_function(enum dtype t, uint64_t a, uint64_t b);

/* The imaginary parts are looked at only where the real ones are equal. */
static enum order lexicographic(order_function *f, enum dtype t,
                                const uint64_t *x)
{
    enum order re = f(t, x[0], x[2]);
    return re == EQUAL ? f(t, x[1], x[3]) : re;
}

#define COMPARISON(NAME, TEST) \
    uint64_t ieee_##NAME(struct elementwise_job *j, const uint64_t *x) \
    { \
        enum order o = order_bits(j->unit, x[0], x[1]); \
        return TEST; \
    } \
    uint64_t ieee_total_##NAME(struct elementwise_job *j, const uint64_t *x) \
    { \
        enum order o = total(j->unit, x[0], x[1]); \
        return TEST; \
    } \
    uint64_t ieee_complex_##NAME(struct elementwise_job *j, const uint64_t *x, \
                                 int part) \
    { \
        enum order o = lexicographic(order_bits, j->unit, x); \
        return TEST; \
    }
COMPARISON(eq, o == EQUAL)
COMPARISON(ne, o != EQUAL)
COMPARISON(lt, o == BEFORE)
COMPARISON(le, o == BEFORE || o == EQUAL)
COMPARISON(gt, o == AFTER)
COMPARISON(ge, o == AFTER || o == EQUAL)
#undef COMPARISON

/* ---- Maximum and minimum ------------------------------------------------- */

static uint64_t extreme(struct elementwise_job *j, const uint64_t *x,
                        monoid_fold *f)
{
    enum dtype t = j->unit;
    bool nan0 = real_is_nan(t, x[0]), nan1 = real_is_nan(t, x[1]);
    uint64_t y = f(t, x[0], x[1]);
    if (nan0 != nan1 && monoid_drops_nan(j->ev))
        goal_or(j->goal, j->index, nan0 ? x[1] : x[0]);
    if (real_is_zero(t, x[0]) && real_is_zero(t, x[1])
        && monoid_swaps_zeros(j->ev))
        goal_or(j->goal, j->index, x[y == x[0]]);
    return y;
}

uint64_t ieee_max(struct elementwise_job *j, const uint64_t *x)
{
    return extreme(j, x, monoid_max.real);
}

uint64_t ieee_min(struct elementwise_job *j, const uint64_t *x)
{
    return extreme(j, x, monoid_min.real);
}

static uint64_t complex_extreme(struct elementwise_job *j, const uint64_t *x,
                                enum order wanted, int part)
{
    enum dtype t = j->unit;
    for (int i = 0; i < 4; i++)
        if (real_is_nan(t, x[i]))
            return real_nan(t, false);
    /* Zeros are equal real parts: the imaginary ones decide.  Of equal numbers
     * either is the extreme, whatever the signs of their zeros. */
    enum order o = lexicographic(order_bits, t, x);
    j->also = o == EQUAL;
    if (o == EQUAL)
        o = lexicographic(total, t, x);
    int first = o == wanted ? 0 : 2;
    j->also_bits = x[2 - first + part];
    return x[first + part];
}

uint64_t ieee_complex_max(struct elementwise_job *j, const uint64_t *x,
                          int part)
{
    return complex_extreme(j, x, AFTER, part);
}

uint64_t ieee_complex_min(struct elementwise_job *j, const uint64_t *x,
                          int part)
{
    return complex_extreme(j, x, BEFORE, part);
}
