/* test_real_round.c - rounding against a slow model and the processor.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values come from slow_float.c, which searches among all numbers of
 * the type, and for f32 from the processor's own conversions.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/exact/real.h"
#include "interp/test/slow_float.h"
#include "interp/test/tap.h"

static enum dtype type_named(const char *name)
{
    enum dtype t = DT_pred;
    if (!dtype_parse(name, strlen(name), &t))
        abort();
    return t;
}

static bool is_narrow(const struct slow_format *f)
{
    return slow_float_bits(f) <= 16;
}

/* Every pattern of one type into another. */
static void convert_all(const struct slow_format *from,
                        const struct slow_table *to)
{
    enum dtype source = type_named(from->name);
    enum dtype target = type_named(to->format->name);
    uint64_t patterns = UINT64_C(1) << slow_float_bits(from);
    uint64_t wrong = 0, first = 0, got = 0, want = 0;
    mpz_t x;
    mpz_init(x);
    for (uint64_t b = 0; b < patterns; b++) {
        bool negative;
        enum slow_kind kind = slow_float_decode(from, b, x, &negative);
        uint64_t expected = slow_float_round(to, kind, negative, x);
        struct real r = real_from_bits(source, b);
        uint64_t bits = real_round(&r, target, REAL_OVERFLOW_TYPE);
        if (bits != expected && wrong++ == 0) {
            first = b;
            got = bits;
            want = expected;
        }
    }
    mpz_clear(x);
    OK(wrong == 0, "%s to %s: %llu wrong, first %#llx gives %#llx not %#llx",
       from->name, to->format->name, (unsigned long long)wrong,
       (unsigned long long)first, (unsigned long long)got,
       (unsigned long long)want);
}

/* A narrow type into one that holds all its numbers: the value is the same. */
static void widen_all(const struct slow_format *from,
                      const struct slow_format *to)
{
    enum dtype source = type_named(from->name), target = type_named(to->name);
    uint64_t patterns = UINT64_C(1) << slow_float_bits(from), wrong = 0;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (uint64_t b = 0; b < patterns; b++) {
        bool negative, sign;
        enum slow_kind kind = slow_float_decode(from, b, x, &negative);
        struct real r = real_from_bits(source, b);
        uint64_t bits = real_round(&r, target, REAL_OVERFLOW_TYPE);
        enum slow_kind result = slow_float_decode(to, bits, y, &sign);
        wrong += kind != result || negative != sign || mpz_cmp(x, y) != 0;
    }
    mpz_clears(x, y, NULL);
    EQ_INT(wrong, 0, "%s to %s keeps the value", from->name, to->name);
}

/* Both neighbours of every pattern, moved off it by a little. */
static void directed(const struct slow_format *from,
                     const struct slow_table *to)
{
    enum dtype source = type_named(from->name);
    enum dtype target = type_named(to->format->name);
    uint64_t patterns = UINT64_C(1) << slow_float_bits(from), wrong = 0;
    mpz_t x;
    mpz_init(x);
    for (uint64_t b = 0; b < patterns; b++) {
        bool negative;
        if (slow_float_decode(from, b, x, &negative) != SLOW_NUMBER)
            continue;
        int i = slow_float_below(to, x);
        bool exact = i >= 0 && mpz_cmp(to->value[i], x) == 0;
        int j = exact ? i : i + 1;
        struct real r = real_from_bits(source, b);
        uint64_t down = real_round_down(&r, target);
        uint64_t up = real_round_up(&r, target);
        bool inf = to->format->inf;
        if (i >= 0 && !(inf && i == to->count - 1 && !exact))
            wrong +=
                real_key(target, down) != real_key(target, to->bits[i])
                && !(real_is_zero(target, down) && mpz_sgn(to->value[i]) == 0);
        if (i < 0 && to->format->sign)
            wrong += inf ? down != real_inf(target, true)
                         : down != real_max(target, true);
        if (j < to->count)
            wrong +=
                up != to->bits[j]
                && !(real_is_zero(target, up) && mpz_sgn(to->value[j]) == 0);
        else
            wrong += inf ? up != real_inf(target, false)
                         : up != real_max(target, false);
    }
    mpz_clear(x);
    EQ_INT(wrong, 0, "%s between neighbours of %s", from->name,
           to->format->name);
}

static uint32_t cast(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, 8);
    volatile float f = (float)d;
    float g = f;
    uint32_t out;
    memcpy(&out, &g, 4);
    return out;
}

/* Does f64 to f32 agree with the processor, for this pattern? */
static bool same_as_cast(uint64_t bits)
{
    struct real r = real_from_bits(DT_f64, bits);
    uint64_t got = real_round(&r, DT_f32, REAL_OVERFLOW_TYPE);
    uint64_t want = cast(bits);
    if (real_is_nan(DT_f32, want))
        return real_is_nan(DT_f32, got);
    return got == want;
}

static void hardware(void)
{
    struct random random = {tap_seed(42)};
    int wrong = 0;
    for (int i = 0; i < 400000; i++) {
        uint64_t b = random_next(&random);
        wrong += !same_as_cast(b);
        /* Around f32's exponents, subnormals and thresholds included. */
        uint64_t e = 1023 - 152 + (b >> 52) % 283;
        b = (b & ~(UINT64_C(0x7ff) << 52)) | e << 52;
        wrong += !same_as_cast(b);
        /* Ties, and one unit on either side. */
        uint64_t tie = (b & ~((UINT64_C(1) << 29) - 1)) | UINT64_C(1) << 28;
        wrong += !same_as_cast(tie) + !same_as_cast(tie + 1)
                 + !same_as_cast(tie - 1);
    }
    EQ_INT(wrong, 0, "f64 to f32 as the processor does");
}

/* A number that is known to lie a little beyond m. */
static struct real beyond(uint64_t m, int64_t e, int width)
{
    struct real r = real_from_int((int64_t)m);
    r.exponent += e;
    r.inexact = true;
    r.width = (uint8_t)width;
    return r;
}

static void inexact(void)
{
    struct real r = beyond(0x1000001, 0, 66); /* just above a tie of f32 */
    EQ_INT(real_round(&r, DT_f32, REAL_OVERFLOW_TYPE), 0x4b800001,
           "beyond a tie rounds up");
    r = real_from_int(0x1000001);
    EQ_INT(real_round(&r, DT_f32, REAL_OVERFLOW_TYPE), 0x4b800000,
           "a tie goes to even");
    r = beyond(0x1000000, 0, 66);
    EQ_INT(real_round_down(&r, DT_f32), 0x4b800000, "down");
    EQ_INT(real_round_up(&r, DT_f32), 0x4b800001, "up");
    r.negative = true;
    EQ_INT(real_round_down(&r, DT_f32), 0xcb800001, "-down");
    EQ_INT(real_round_up(&r, DT_f32), 0xcb800000, "-up");
    r = beyond(1, -150, 66); /* half the smallest subnormal and more */
    EQ_INT(real_round(&r, DT_f32, REAL_OVERFLOW_TYPE), 1, "above");
    r = beyond(1, -151, 66);
    EQ_INT(real_round(&r, DT_f32, REAL_OVERFLOW_TYPE), 0, "below");
    EQ_INT(real_round_up(&r, DT_f32), 1, "up from nothing");
    EQ_INT(real_round_up(&r, DT_f8e4m3fnuz), 1, "fnuz, up");
    r.negative = true;
    EQ_INT(real_round_up(&r, DT_f8e4m3fnuz), 0, "fnuz has no -0");
    EQ_INT(real_round(&r, DT_f8e4m3fnuz, REAL_OVERFLOW_TYPE), 0,
           "fnuz has no -0");
    EQ_INT(real_round(&r, DT_f16, REAL_OVERFLOW_TYPE), 0x8000,
           "underflow keeps the sign");
}

static void overflow(void)
{
    struct real r = real_from_int(464); /* xla-ops: |x| <= 464 gives 448 */
    EQ_INT(real_round(&r, DT_f8e4m3fn, REAL_OVERFLOW_TYPE), 0x7e,
           "464 is the last to give 448");
    r = beyond(464, 0, 66);
    EQ_INT(real_round(&r, DT_f8e4m3fn, REAL_OVERFLOW_TYPE), 0x7f,
           "beyond it is NaN");
    EQ_INT(real_round(&r, DT_f8e4m3fn, REAL_OVERFLOW_SATURATE), 0x7e,
           "or saturates");
    r.negative = true;
    EQ_INT(real_round(&r, DT_f8e4m3fn, REAL_OVERFLOW_TYPE), 0xff, "-NaN");
    r = real_from_int(65520);
    EQ_INT(real_round(&r, DT_f16, REAL_OVERFLOW_TYPE), 0x7c00,
           "65520 is f16's infinity");
    EQ_INT(real_round(&r, DT_f16, REAL_OVERFLOW_SATURATE), 0x7bff, "saturated");
    r = real_from_int(65519);
    EQ_INT(real_round(&r, DT_f16, REAL_OVERFLOW_TYPE), 0x7bff, "65519 is not");
    r = real_from_bits(DT_f32, 0x7f800000);
    EQ_INT(real_round(&r, DT_f8e5m2, REAL_OVERFLOW_SATURATE), 0x7c,
           "infinity stays where the type has it");
    EQ_INT(real_round(&r, DT_f8e4m3fn, REAL_OVERFLOW_SATURATE), 0x7e,
           "and saturates where not");
    r = real_from_int(0);
    EQ_INT(real_round(&r, DT_f8e8m0fnu, REAL_OVERFLOW_TYPE), 0xff,
           "no zero in f8e8m0fnu");
    EQ_INT(real_round(&r, DT_f8e8m0fnu, REAL_OVERFLOW_SATURATE), 0,
           "saturated it is the smallest, 2^-127");
    r = real_from_int(-3);
    EQ_INT(real_round(&r, DT_f8e8m0fnu, REAL_OVERFLOW_SATURATE), 0,
           "so is a negative number");
    EQ_INT(real_round(&r, DT_f8e8m0fnu, REAL_OVERFLOW_TYPE), 0xff,
           "which else is NaN");
    EQ_INT(real_round_down(&r, DT_f8e8m0fnu), 0, "nor one below");
    EQ_INT(real_round_up(&r, DT_f8e8m0fnu), 0, "or above");
    r = real_from_int(3);
    EQ_INT(real_round(&r, DT_f8e8m0fnu, REAL_OVERFLOW_TYPE), 129,
           "3 goes to 4");
    r = real_from_int(6);
    EQ_INT(real_round(&r, DT_f8e8m0fnu, REAL_OVERFLOW_TYPE), 130,
           "6 goes to 8: IEEE 754-2019, 4.3.1");
}

int main(void)
{
    for (int t = 0; t < SLOW_FLOATS; t++) {
        const struct slow_format *to = &slow_formats[t];
        if (!is_narrow(to)) {
            for (int f = 0; f < SLOW_FLOATS; f++)
                if (is_narrow(&slow_formats[f]))
                    widen_all(&slow_formats[f], to);
            continue;
        }
        struct slow_table table;
        slow_float_table(&table, to);
        for (int f = 0; f < SLOW_FLOATS; f++)
            if (is_narrow(&slow_formats[f])) {
                convert_all(&slow_formats[f], &table);
                directed(&slow_formats[f], &table);
            }
        slow_float_free(&table);
    }
    hardware();
    inexact();
    overflow();
    return tap_done();
}
