/* integer.c - see integer.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/integer.h"

#include "gen/policy/div_int_by_zero.h"
#include "gen/policy/div_int_overflow.h"
#include "gen/policy/pow_int_negative_exponent.h"
#include "gen/policy/rem_int_by_zero.h"
#include "gen/policy/rem_int_overflow.h"
#include "gen/policy/shift_out_of_range.h"
#include "interp/ops/overflow.h"

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

static const struct profile *profile_of(const struct elementwise_job *j)
{
    return j->ev->machine->profile;
}

/* The pattern of a number modulo 2^n; where the number does not fit, policy
 * integer.overflow may free it. */
static uint64_t wrap(struct elementwise_job *j, bool negative, real_u128 m)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t);
    uint64_t most = is_signed(t) ? (mask >> 1) + negative : negative ? 0 : mask;
    if (m > most)
        j->free = overflow_is_any(j->ev);
    return (negative ? 0 - (uint64_t)m : (uint64_t)m) & mask;
}

/* x[0] + x[1], or - x[1] */
static uint64_t sum(struct elementwise_job *j, const uint64_t *x, bool minus)
{
    enum dtype t = j->unit;
    bool negative[2] = {is_negative(t, x[0]), is_negative(t, x[1]) != minus};
    real_u128 a = magnitude(t, x[0]), b = magnitude(t, x[1]);
    if (negative[0] == negative[1])
        return wrap(j, negative[0], a + b);
    return a >= b ? wrap(j, negative[0] && a > b, a - b)
                  : wrap(j, negative[1], b - a);
}

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
    return wrap(j, negative, m);
}

/* -1, or the largest unsigned number. */
static uint64_t div_by_zero(struct elementwise_job *j)
{
    if (profile_div_int_by_zero_is_any(profile_of(j)))
        j->free = true;
    return dtype_mask(j->unit);
}

/* The smallest number by -1. */
static void div_overflow(struct elementwise_job *j)
{
    if (profile_div_int_overflow_is_any(profile_of(j)))
        j->free = true;
}

uint64_t integer_div(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t), a = magnitude(t, x[0]),
             b = magnitude(t, x[1]);
    if (b == 0)
        return div_by_zero(j);
    bool negative = is_negative(t, x[0]) != is_negative(t, x[1]);
    /* Only MIN / -1 has a quotient of 2^(n-1) that is not negative. */
    if (is_signed(t) && !negative && a / b == (mask >> 1) + 1)
        div_overflow(j);
    return (negative ? 0 - a / b : a / b) & mask;
}

static uint64_t rem_by_zero(struct elementwise_job *j, uint64_t dividend)
{
    if (profile_rem_int_by_zero_is_any(profile_of(j)))
        j->free = true;
    return dividend;
}

static void rem_overflow(struct elementwise_job *j)
{
    if (profile_rem_int_overflow_is_any(profile_of(j)))
        j->free = true;
}

uint64_t integer_rem(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t), a = magnitude(t, x[0]),
             b = magnitude(t, x[1]);
    if (b == 0)
        return rem_by_zero(j, x[0]);
    if (is_signed(t) && a == (mask >> 1) + 1 && x[1] == mask)
        rem_overflow(j);
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

/* base^n for a negative n, truncated: what 1 and, by a policy, -1 give. */
static uint64_t negative_power(struct elementwise_job *j, uint64_t base,
                               uint64_t n)
{
    uint64_t mask = dtype_mask(j->unit);
    bool one = magnitude(j->unit, base) == 1 && !is_negative(j->unit, base);
    switch (profile_pow_int_negative_exponent(profile_of(j))) {
    case POW_INT_NEGATIVE_EXPONENT_ANY:
        j->free = true;
        break;
    case POW_INT_NEGATIVE_EXPONENT_STABLEHLO:
        if (base == mask)
            return (n & 1) ? mask : 1 & mask;
        break;
    case POW_INT_NEGATIVE_EXPONENT_XLA:
        break;
    }
    return one;
}

uint64_t integer_pow(struct elementwise_job *j, const uint64_t *x)
{
    enum dtype t = j->unit;
    uint64_t mask = dtype_mask(t), base = x[0], n = x[1], y = 1;
    if (is_negative(t, n))
        return negative_power(j, base, n);
    if (power_overflows(t, base, n))
        j->free = overflow_is_any(j->ev);
    for (; n; n >>= 1, base *= base)
        if (n & 1)
            y *= base;
    return y & mask;
}

uint64_t integer_abs(struct elementwise_job *j, const uint64_t *x)
{
    return wrap(j, false, magnitude(j->unit, x[0]));
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

/* Shift amounts are unsigned. */
static bool too_far(struct elementwise_job *j, uint64_t amount)
{
    if (amount < (uint64_t)dtype_table[j->unit].bits)
        return false;
    if (profile_shift_out_of_range_is_any(profile_of(j)))
        j->free = true;
    return true;
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
