/* judge_exact.c - see judge_fast.h.  Tests: test_judge_fast.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The candidate need not be right: fast_compare_all decides whether it is the
 * correctly rounded result, and leaves it open otherwise.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/slow.h"
#include "interp/fast/fast_compare.h"
#include "interp/filter/judge_fast.h"

enum {
    BLOCK = FAST_COMPARE_BLOCK,
    OPEN_SHARE = 4 /* more than 1 unit in this many: not worth it */
};

struct deciding {
    struct judge_whole whole;
    const struct fast_kernel *kernel;
    struct fast_compare compare;
    enum dtype type;
    struct literal *result;
    int64_t *open, open_count, open_room;
};

/* Rounded to nearest, to even; the low bits of f32's pattern are cut. */
static uint32_t cut(uint32_t bits, int low)
{
    return (bits + ((UINT32_C(1) << (low - 1)) - 1) + (bits >> low & 1)) >> low;
}

/* A pattern next to v; of f16 only of normal numbers, others stay open. */
static uint64_t candidate(enum dtype type, double v)
{
    const int low = 23 - (dtype_table[type].precision - 1);
    const int bias = 127 - (int)(1 - dtype_table[type].emin);
    float f = (float)v;
    uint32_t bits, sign;
    memcpy(&bits, &f, sizeof bits);
    if (low == 0)
        return bits;
    sign = bits >> 31 << (dtype_table[type].bits - 1);
    uint32_t magnitude = cut(bits & 0x7fffffff, low);
    uint32_t least = (uint32_t)bias << (23 - low);
    return sign | (magnitude > least ? magnitude - least : 0);
}

static void decide(struct deciding *d, int64_t from, int n)
{
    FAST_COMPARE_ALIGNED double x[BLOCK], y[BLOCK], v[BLOCK], got[BLOCK];
    struct fast_compare_block compared;
    const int64_t bytes = dtype_unit_bytes(d->type);
    fast_compare_read(d->type, d->whole.x->data + from * bytes, n, x);
    if (d->whole.y) {
        fast_compare_read(d->type, d->whole.y->data + from * bytes, n, y);
        d->kernel->function2(x, y, v, n);
        fast_compare_larger(x, y, n);
    } else {
        d->kernel->function(x, v, n);
    }
    for (int i = 0; i < n; i++)
        literal_set(d->result, from + i, candidate(d->type, v[i]));
    fast_compare_read(d->type, d->result->data + from * bytes, n, got);
    fast_compare_all(&d->compare, x, v, got, n, &compared);
    for (int i = 0; i < n; i++) {
        uint8_t place = fast_compare_place(&compared, i);
        if (place != FAST_COMPARE_OPEN
            && abs(fast_compare_bin(place)) <= FAST_COMPARE_BIN)
            continue;
        /* Where there is no value the result is the one quiet NaN. */
        if (isnan(v[i]) && !isinf(x[i])) {
            literal_set(d->result, from + i, real_nan(d->type, false));
            continue;
        }
        ARENA_GROW(d->whole.arena, d->open, d->open_count, d->open_room);
        d->open[d->open_count++] = from + i;
    }
}

/* Evaluates the undecided elements as a case of their own. */
static bool evaluate_open(struct deciding *d)
{
    struct judge_reference r;
    if (d->open_count == 0)
        return true;
    const struct test_case *c =
        judge_part_case(&d->whole, d->open, d->open_count);
    if (!c || !judge_part_evaluate(&d->whole, c, true, &r))
        return false;
    for (int64_t i = 0; i < d->open_count; i++)
        literal_set(d->result, d->open[i], literal_get(r.outcomes[0].value, i));
    return true;
}

struct literal *judge_exact(struct arena *a, const struct test_case *c,
                            const struct judge_mode *mode)
{
    const struct judge_value by = {.arena = a, .mode = *mode, .made = c};
    struct deciding d = {.whole = {.by = &by, .arena = a}};
    if (slow() || mode->evaluate || mode->inputs || !fast_is_ieee()
        || !(d.whole.in = judge_fast_single(c, &d.kernel)))
        return NULL;
    d.whole.x = c->inputs[0][0];
    d.whole.y = d.kernel->function2 ? c->inputs[0][1] : NULL;
    d.type = d.whole.in->shape->dtype;
    d.compare =
        fast_compare_of(d.type, d.kernel->source ? FAST_ERROR : 0, false);
    d.result = literal_new(a, d.whole.in->shape);
    int64_t n = literal_units(d.whole.x);
    for (int64_t i = 0; i < n; i += BLOCK) {
        decide(&d, i, n - i < BLOCK ? (int)(n - i) : BLOCK);
        if (d.open_count > n / OPEN_SHARE + BLOCK)
            return NULL;
    }
    return evaluate_open(&d) ? d.result : NULL;
}
