/* accept_few.c - see accept_few.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every sum of some of the terms is exact, so the order matters only by what is
 * flushed in between: the sums of each set of terms follow from those of its
 * parts.  All are numbers of the type, as multiples of one power of two. Tests:
 * tools/test/flushed.t (by hand), test_sum_orders.c (every order).
 */
#include "interp/exact/accept_few.h"

#include <assert.h>

enum {
    SETS = 1 << ACCEPT_FEW,
    SUMS = SETS + 1 /* each set of terms that are left, and -0 */
};

#define MINUS_ZERO INT64_MIN

struct sums {
    int count;
    int64_t sum[SUMS];
};

static void include(struct sums *s, int64_t sum)
{
    for (int i = 0; i < s->count; i++)
        if (s->sum[i] == sum)
            return;
    assert(s->count < SUMS);
    s->sum[s->count++] = sum;
}

/* Zero in place of a number; a sum may begin with +0, so -0 may become +0. */
static void include_flushed(struct sums *s, int64_t lost)
{
    include(s, 0);
    if (lost < 0)
        include(s, MINUS_ZERO);
}

static int64_t plus(int64_t a, int64_t b)
{
    if (a == MINUS_ZERO)
        return b;
    return b == MINUS_ZERO ? a : a + b;
}

/* Sums of one from either part. */
static void include_sums(struct sums *s, const struct sums *a,
                         const struct sums *b)
{
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < b->count; k++)
            include(s, plus(a->sum[i], b->sum[k]));
}

/* The sums of a set of terms (bit i: term i); normal: the smallest normal
 * number. */
static void find_sums(struct sums *sums, unsigned set,
                      const struct accept_few *few, int64_t normal)
{
    struct sums *s = &sums[set];
    s->count = 0;
    if ((set & (set - 1)) == 0) {
        int i = __builtin_ctz(set);
        include(s, few->term[i]);
        if (few->tiny[i])
            include_flushed(s, few->term[i]);
        return;
    }
    for (unsigned part = (set - 1) & set; part > 0; part = (part - 1) & set)
        include_sums(s, &sums[part], &sums[set & ~part]);
    for (int i = s->count - 1; i >= 0; i--) {
        int64_t sum = s->sum[i];
        if (sum != 0 && sum > -normal && sum < normal)
            include_flushed(s, sum);
    }
}

void accept_few_add(struct accept_set *set, enum dtype unit,
                    const struct accept_few *few,
                    const struct accept_rules *rules)
{
    struct sums sums[SETS];
    int64_t above = dtype_table[unit].emin - few->exponent;
    unsigned all = (1u << few->count) - 1;
    for (unsigned part = 1; part <= all; part++)
        find_sums(sums, part, few, above > 0 ? INT64_C(1) << above : 1);
    for (int i = 0; i < sums[all].count; i++) {
        int64_t sum = sums[all].sum[i];
        bool zero = sum == 0 || sum == MINUS_ZERO;
        struct real r = real_from_int(zero ? 0 : sum);
        if (!zero) {
            r.exponent += few->exponent;
            accept_add(set, unit, real_round(&r, unit, REAL_OVERFLOW_TYPE));
            continue;
        }
        accept_add(set, unit, real_zero(unit, sum != 0));
        if (rules->subnormal & ACCEPT_FLUSH_ANY_SIGN)
            accept_add(set, unit, real_zero(unit, sum == 0));
    }
}
