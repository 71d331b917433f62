/* integer.c - see integer.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/integer.h"

static bool is_signed(enum dtype t)
{
    return dtype_class(t) == DTYPE_SINT;
}

static bool is_negative(enum dtype t, uint64_t x)
{
    return is_signed(t) && (x >> (dtype_table[t].bits - 1)) & 1;
}

static uint64_t magnitude(enum dtype t, uint64_t x)
{
    return (is_negative(t, x) ? 0 - x : x) & dtype_mask(t);
}

/* Does that policy of the operation leave a result open? */
static bool any(const struct elementwise_job *j, int policy)
{
    static const enum policy_choice open[] = {
        CHOICE_DIV_INT_BY_ZERO_ANY,   CHOICE_DIV_INT_OVERFLOW_ANY,
        CHOICE_REM_INT_BY_ZERO_ANY,   CHOICE_REM_INT_OVERFLOW_ANY,
        CHOICE_INTEGER_OVERFLOW_ANY,  CHOICE_POW_INT_NEGATIVE_EXPONENT_ANY,
        CHOICE_SHIFT_OUT_OF_RANGE_ANY};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (j->choice[policy] == open[i])
            return true;
    return false;
}

/* The pattern of a number modulo 2^n; where the number does not fit, a policy
 * may free it. */
static uint64_t wrap(struct elementwise_job *j, bool negative, real_u128 m,
                     int policy)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t);
    uint64_t most = is_signed(t) ? (mask >> 1) + negative : negative ? 0 : mask;
    if (m > most)
        j->free = any(j, policy);
    return (negative ? 0 - (uint64_t)m : (uint64_t)m) & mask;
}

/* x[0] + x[1], or - x[1] */
static uint64_t sum(struct elementwise_job *j, const uint64_t *x, bool minus)
{
    enum dtype t = j->unit;
    bool negative[2] = {is_negative(t, x[0]), is_negative(t, x[1]) != minus};
    real_u128 a = magnitude(t, x[0]), b = magnitude(t, x[1]);
    if (negative[0] == negative[1])
        return wrap(j, negative[0], a + b, 0);
    return a >= b ? wrap(j, negative[0] && a > b, a - b, 0)
                  : wrap(j, negative[1], b - a, 0);
}

/* Policy 0 of each: integer.overflow. */
uint64_t integer_add(struct elementwise_job *j, const uint64_t *x)
{
    return sum(j, x, false);
}

uint64_t integer_sub(struct elementwise_job *j, const uint64_t *x)
{
    return sum(j, x, true);
}

uint64_t integer_mul(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    real_u128 m = (real_u128)magnitude(t, x[0]) * magnitude(t, x[1]);
    bool negative = m > 0 && is_negative(t, x[0]) != is_negative(t, x[1]);
    return wrap(j, negative, m, 0);
}

/* Policies: 0 by-zero, 1 overflow (of the smallest number by -1). */
uint64_t integer_div(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t), a = magnitude(t, x[0]),
             b = magnitude(t, x[1]);
    if (b == 0) {
        j->free = any(j, 0);
        return mask; /* -1, or the largest unsigned number */
    }
    bool negative = is_negative(t, x[0]) != is_negative(t, x[1]);
    /* Only MIN / -1 has a quotient of 2^(n-1) that is not negative. */
    if (is_signed(t) && !negative && a / b == (mask >> 1) + 1)
        j->free = any(j, 1);
    return (negative ? 0 - a / b : a / b) & mask;
}

uint64_t integer_rem(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t), a = magnitude(t, x[0]),
             b = magnitude(t, x[1]);
    if (b == 0) {
        j->free = any(j, 0);
        return x[0];
    }
    if (is_signed(t) && a == (mask >> 1) + 1 && x[1] == mask)
        j->free = any(j, 1);
    return (is_negative(t, x[0]) ? 0 - a % b : a % b) & mask;
}

/* base^n beyond the type's range? */
static bool power_overflows(enum dtype t, uint64_t base, uint64_t n)
{
    bool negative = is_negative(t, base) && (n & 1);
    uint64_t b = magnitude(t, base), most = dtype_mask(t);
    real_u128 y = 1;
    if (is_signed(t))
        most = (most >> 1) + negative;
    for (uint64_t i = 0; b > 1 && i < n && y <= most; i++)
        y *= b;
    return y > most;
}

/* Policies: 0 negative exponent ("xla": 1 for base 1, else 0; "stablehlo":
 * |base| = 1 gives base^|exponent|, else 0), 1 integer.overflow. */
uint64_t integer_pow(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t), base = x[0], n = x[1], y = 1;
    if (is_negative(t, n)) {
        j->free = any(j, 0);
        bool minus_one = base == mask;
        if (minus_one
            && j->choice[0] == CHOICE_POW_INT_NEGATIVE_EXPONENT_STABLEHLO)
            return (n & 1) ? mask : 1 & mask;
        return magnitude(t, base) == 1 && !is_negative(t, base);
    }
    if (power_overflows(t, base, n))
        j->free = any(j, 1);
    for (; n; n >>= 1, base *= base)
        if (n & 1)
            y *= base;
    return y & mask;
}

uint64_t integer_abs(struct elementwise_job *j, const uint64_t *x)
{
    return wrap(j, false, magnitude(j->unit, x[0]), 0);
}

uint64_t integer_neg(struct elementwise_job *j, const uint64_t *x)
{
    uint64_t zero_less[2] = {0, x[0]};
    return sum(j, zero_less, true);
}

uint64_t integer_sign(struct elementwise_job *j, const uint64_t *x)
{
    return is_negative(j->unit, x[0]) ? dtype_mask(j->unit) : x[0] != 0;
}

uint64_t integer_not(struct elementwise_job *j, const uint64_t *x)
{
    return ~x[0] & dtype_mask(j->unit);
}

uint64_t integer_pred_not(struct elementwise_job *j, const uint64_t *x)
{
    return !x[0];
}

uint64_t integer_and(struct elementwise_job *j, const uint64_t *x)
{
    return x[0] & x[1];
}

uint64_t integer_or(struct elementwise_job *j, const uint64_t *x)
{
    return x[0] | x[1];
}

uint64_t integer_xor(struct elementwise_job *j, const uint64_t *x)
{
    return x[0] ^ x[1];
}

/* Leading zeros in the type's own width: 4 for a zero of s4. */
uint64_t integer_clz(struct elementwise_job *j, const uint64_t *x)
{
    uint64_t n = (uint64_t)dtype_table[j->unit].bits;
    for (uint64_t v = x[0]; v; v >>= 1)
        n--;
    return n & dtype_mask(j->unit);
}

uint64_t integer_popcount(struct elementwise_job *j, const uint64_t *x)
{
    uint64_t n = 0;
    for (uint64_t v = x[0]; v; v &= v - 1)
        n++;
    return n & dtype_mask(j->unit);
}

/* Shift amounts are unsigned.  Policy 0: amounts of the width and more. */
static bool too_far(struct elementwise_job *j, uint64_t amount)
{
    bool far = amount >= (uint64_t)dtype_table[j->unit].bits;
    if (far)
        j->free = any(j, 0);
    return far;
}

uint64_t integer_shl(struct elementwise_job *j, const uint64_t *x)
{
    return too_far(j, x[1]) ? 0 : (x[0] << x[1]) & dtype_mask(j->unit);
}

uint64_t integer_shrl(struct elementwise_job *j, const uint64_t *x)
{
    return too_far(j, x[1]) ? 0 : x[0] >> x[1];
}

/* The sign is the type's top bit, of unsigned types too. */
uint64_t integer_shra(struct elementwise_job *j, const uint64_t *x)
{
    uint64_t mask = dtype_mask(j->unit);
    uint64_t fill = (x[0] >> (dtype_table[j->unit].bits - 1)) & 1 ? mask : 0;
    if (too_far(j, x[1]))
        return fill;
    return (x[0] >> x[1]) | (fill & ~(mask >> x[1]));
}

/* -1, 0, 1: a before, equal to, after b, by value. */
static int order_of(enum dtype t, uint64_t a, uint64_t b)
{
    uint64_t flip = is_signed(t) ? UINT64_C(1) << (dtype_table[t].bits - 1) : 0;
    a ^= flip;
    b ^= flip;
    return (a > b) - (a < b);
}

uint64_t integer_max(struct elementwise_job *j, const uint64_t *x)
{
    return order_of(j->unit, x[0], x[1]) >= 0 ? x[0] : x[1];
}

uint64_t integer_min(struct elementwise_job *j, const uint64_t *x)
{
    return order_of(j->unit, x[0], x[1]) <= 0 ? x[0] : x[1];
}

#define COMPARISON(NAME, OPERATOR) \
    uint64_t integer_##NAME(struct elementwise_job *j, const uint64_t *x) \
    { \
        return order_of(j->unit, x[0], x[1]) OPERATOR 0; \
    }
COMPARISON(eq, ==)
COMPARISON(ne, !=)
COMPARISON(lt, <)
COMPARISON(le, <=)
COMPARISON(gt, >)
COMPARISON(ge, >=)
#undef COMPARISON
