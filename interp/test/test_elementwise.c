/* test_elementwise.c - element-wise operations against independent models.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Small floats: exact GMP arithmetic and a search among all values
 * (slow_float.c).  Small integers: C's own arithmetic, reduced by hand.
 * binary32 and binary64: the processor's basic operations, which IEEE 754
 * rounds correctly.  Special values: the tables of IEEE 754-2019 clause 9 and
 * C11 annex F.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/data/number.h"
#include "interp/exact/real.h"
#include "interp/test/slow_float.h"
#include "interp/test/slow_run.h"
#include "interp/test/tap.h"

static struct arena a = ARENA_INIT;

static struct goal *run(const char *op, int count,
                        struct literal *const *operands)
{
    return slow_run_strict(&a, op, count, operands);
}

static struct literal *array(const char *type, int64_t n)
{
    uint64_t zero = 0;
    return slow_run_array(&a, arena_printf(&a, "%s[%lld]", type, (long long)n),
                          1, &zero);
}

/* ---- Small floats: every pair -------------------------------------------- */

static void slow_add(mpz_t r, const mpz_t x, const mpz_t y)
{
    mpz_add(r, x, y);
}

static void slow_sub(mpz_t r, const mpz_t x, const mpz_t y)
{
    mpz_sub(r, x, y);
}

static void slow_mul(mpz_t r, const mpz_t x, const mpz_t y)
{
    mpz_mul(r, x, y);
    mpz_tdiv_q_2exp(r, r, SLOW_SCALE); /* exact: no type is that fine */
}

/* The kind and sign of a sum or product that involves no two numbers, or is
 * zero (IEEE 754-2019 6.2, 6.3, 7.2). */
static enum slow_kind combine(char op, const enum slow_kind k[2],
                              const bool n[2], const mpz_t x, const mpz_t y,
                              bool *negative)
{
    bool minus = op == '-' ? !n[1] : n[1];
    *negative = false;
    if (k[0] == SLOW_NAN || k[1] == SLOW_NAN)
        return SLOW_NAN;
    if (op == '*') {
        *negative = n[0] != n[1];
        bool zero = (k[0] == SLOW_NUMBER && mpz_sgn(x) == 0)
                    || (k[1] == SLOW_NUMBER && mpz_sgn(y) == 0);
        bool inf = k[0] == SLOW_INF || k[1] == SLOW_INF;
        return inf && zero ? SLOW_NAN : inf ? SLOW_INF : SLOW_NUMBER;
    }
    if (k[0] == SLOW_INF && k[1] == SLOW_INF && n[0] != minus)
        return SLOW_NAN;
    *negative = k[0] == SLOW_INF ? n[0] : k[1] == SLOW_INF ? minus : false;
    if (k[0] == SLOW_INF || k[1] == SLOW_INF)
        return SLOW_INF;
    *negative = n[0] && minus; /* of a zero; else it follows the number */
    return SLOW_NUMBER;
}

static void check_pairs(const struct slow_format *f, const char *name, char op,
                        void (*apply)(mpz_t, const mpz_t, const mpz_t))
{
    int bits = slow_float_bits(f), n = 1 << bits;
    struct literal *x = array(f->name, (int64_t)n * n);
    struct literal *y = array(f->name, (int64_t)n * n);
    struct slow_table t;
    mpz_t u, v, r;
    int wrong = 0;

    for (int64_t i = 0; i < (int64_t)n * n; i++) {
        literal_set(x, i, (uint64_t)(i / n));
        literal_set(y, i, (uint64_t)(i % n));
    }
    struct goal *g = run(name, 2, (struct literal *[]){x, y});
    if (!OK(g != NULL, "%s of %s runs", name, f->name))
        return;
    slow_float_table(&t, f);
    mpz_inits(u, v, r, NULL);
    for (int64_t i = 0; i < (int64_t)n * n; i++) {
        enum slow_kind k[2];
        bool sign[2], negative;
        k[0] = slow_float_decode(f, literal_get(x, i), u, &sign[0]);
        k[1] = slow_float_decode(f, literal_get(y, i), v, &sign[1]);
        enum slow_kind kind = combine(op, k, sign, u, v, &negative);
        if (kind == SLOW_NUMBER) {
            apply(r, u, v);
            if (mpz_sgn(r) != 0)
                negative = mpz_sgn(r) < 0;
        }
        uint64_t want = slow_float_round(&t, kind, negative, r);
        uint64_t got = literal_get(g->value, i);
        bool nan = kind == SLOW_NAN && f->has_nan;
        enum slow_kind got_kind = slow_float_decode(f, got, u, &sign[0]);
        if (nan ? got_kind != SLOW_NAN : got != want) {
            if (wrong++ < 3)
                printf("# %s %s %x %x: %x, not %x\n", f->name, name,
                       (unsigned)(i / n), (unsigned)(i % n), (unsigned)got,
                       (unsigned)want);
        }
    }
    EQ_INT(wrong, 0, "%s of every pair of %s", name, f->name);
    mpz_clears(u, v, r, NULL);
    slow_float_free(&t);
    arena_reset(&a);
}

static void small_floats(void)
{
    for (int i = 0; i < SLOW_FLOATS; i++) {
        const struct slow_format *f = &slow_formats[i];
        if (slow_float_bits(f) > 8)
            continue;
        check_pairs(f, "Add", '+', slow_add);
        check_pairs(f, "Sub", '-', slow_sub);
        check_pairs(f, "Mul", '*', slow_mul);
    }
}

/* ---- Hardware ------------------------------------------------------------ */

static uint64_t state = 1;

static uint64_t draw(void)
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The results of all operations, in the order of hardware()'s names. */
#define HARDWARE(NAME, TYPE, REMAINDER, ROOT) \
    static TYPE NAME(int op, TYPE x, TYPE y) \
    { \
        const TYPE all[] = {x + y, x - y,           x * y, \
                            x / y, REMAINDER(x, y), ROOT(x)}; \
        return all[op]; \
    }
HARDWARE(hardware64, double, fmod, sqrt)
HARDWARE(hardware32, float, fmodf, sqrtf)

static uint64_t hardware_bits(int op, enum dtype type, uint64_t u, uint64_t v)
{
    uint64_t bits = 0;
    if (type == DT_f64) {
        double p, q, r;
        memcpy(&p, &u, 8);
        memcpy(&q, &v, 8);
        r = hardware64(op, p, q);
        memcpy(&bits, &r, 8);
        return bits;
    }
    uint32_t s = (uint32_t)u, t = (uint32_t)v;
    float p, q, r;
    memcpy(&p, &s, 4);
    memcpy(&q, &t, 4);
    r = hardware32(op, p, q);
    memcpy(&s, &r, 4);
    return s;
}

static void hardware(enum dtype type)
{
    static const char *const names[] = {"Add", "Sub", "Mul",
                                        "Div", "Rem", "Sqrt"};
    enum {
        N = 20000
    };
    uint64_t special[14];
    int count = 0;
    for (int sign = 0; sign < 2; sign++) {
        uint64_t of[7] = {real_zero(type, sign),
                          real_inf(type, sign),
                          real_max(type, sign),
                          real_nan(type, sign),
                          real_one(type),
                          real_min_normal(type),
                          1};
        for (int i = 0; i < 7; i++)
            special[count++] = of[i];
    }
    for (int op = 0; op < 6; op++) {
        struct literal *x = array(dtype_table[type].name, N);
        struct literal *y = array(dtype_table[type].name, N);
        int wrong = 0;
        for (int i = 0; i < N; i++) {
            uint64_t u = draw() & dtype_mask(type), v = draw();
            /* A third near each other, a third special. */
            v = i % 3 ? v & dtype_mask(type) : u ^ (v & 7);
            if (i % 3 == 2) {
                u = special[i / 3 % count];
                v = special[i / 3 / count % count];
            }
            literal_set(x, i, u);
            literal_set(y, i, v);
        }
        struct goal *g =
            run(names[op], op == 5 ? 1 : 2, (struct literal *[]){x, y});
        for (int i = 0; g && i < N; i++) {
            uint64_t want =
                hardware_bits(op, type, literal_get(x, i), literal_get(y, i));
            uint64_t got = literal_get(g->value, i);
            if (real_is_nan(type, want) ? !real_is_nan(type, got) : got != want)
                wrong++;
        }
        OK(g && wrong == 0, "%s of %s as the processor does it",
           dtype_table[type].name, names[op]);
        arena_reset(&a);
    }
}

/* ---- Tables -------------------------------------------------------------- */

struct entry {
    const char *op, *x, *y, *want; /* y NULL: one operand */
};

/* IEEE 754-2019 5.3, 5.9, 9.2.1, 9.6; C11 F.10; seed 004 for Sign. */
static const struct entry entries[] = {
    {"Abs", "-0", 0, "0"},
    {"Abs", "-inf", 0, "inf"},
    {"Neg", "0", 0, "-0"},
    {"Neg", "-inf", 0, "inf"},
    {"Sign", "-0", 0, "-0"},
    {"Sign", "0", 0, "0"},
    {"Sign", "nan", 0, "nan"},
    {"Sign", "-inf", 0, "-1"},
    {"Sign", "0x1p-149", 0, "1"},
    {"Ceil", "-0.5", 0, "-0"},
    {"Ceil", "0.25", 0, "1"},
    {"Ceil", "-inf", 0, "-inf"},
    {"Floor", "-0", 0, "-0"},
    {"Floor", "-0.25", 0, "-1"},
    {"Floor", "nan", 0, "nan"},
    {"Round", "-0.25", 0, "-0"},
    {"Round", "0.5", 0, "1"},
    {"Round", "-2.5", 0, "-3"},
    {"Round", "0x1.fffffep-2", 0, "0"},
    {"Round", "8388609", 0, "8388609"},
    {"RoundNearestEven", "0.5", 0, "0"},
    {"RoundNearestEven", "-0.5", 0, "-0"},
    {"RoundNearestEven", "2.5", 0, "2"},
    {"RoundNearestEven", "3.5", 0, "4"},
    {"Sqrt", "-0", 0, "-0"},
    {"Sqrt", "-1", 0, "nan"},
    {"Sqrt", "inf", 0, "inf"},
    {"Rsqrt", "0", 0, "inf"},
    {"Rsqrt", "-0", 0, "-inf"},
    {"Rsqrt", "inf", 0, "0"},
    {"Rsqrt", "-1", 0, "nan"},
    {"Rsqrt", "4", 0, "0.5"},
    {"Cbrt", "-0", 0, "-0"},
    {"Cbrt", "-27", 0, "-3"},
    {"Cbrt", "-inf", 0, "-inf"},
    {"Exp", "-inf", 0, "0"},
    {"Exp", "-0", 0, "1"},
    {"Exp", "1000", 0, "inf"},
    {"Exp", "-1000", 0, "0"},
    {"Expm1", "-0", 0, "-0"},
    {"Expm1", "-inf", 0, "-1"},
    {"Expm1", "0x1p-149", 0, "0x1p-149"},
    {"Log", "-0", 0, "-inf"},
    {"Log", "1", 0, "0"},
    {"Log", "-1", 0, "nan"},
    {"Log", "inf", 0, "inf"},
    {"Log1p", "-0", 0, "-0"},
    {"Log1p", "-1", 0, "-inf"},
    {"Log1p", "-2", 0, "nan"},
    {"Log1p", "0x1p-149", 0, "0x1p-149"},
    {"Logistic", "-inf", 0, "0"},
    {"Logistic", "inf", 0, "1"},
    {"Logistic", "-0", 0, "0.5"},
    {"Logistic", "0x1p-149", 0, "0.5"},
    {"Logistic", "1000", 0, "1"},
    {"Logistic", "nan", 0, "nan"},
    {"Tanh", "-0", 0, "-0"},
    {"Tanh", "-inf", 0, "-1"},
    {"Tanh", "100", 0, "1"},
    {"Sin", "-0", 0, "-0"},
    {"Sin", "-inf", 0, "nan"},
    {"Cos", "0", 0, "1"},
    {"Cos", "inf", 0, "nan"},
    {"Tan", "-0", 0, "-0"},
    {"Sinh", "-0", 0, "-0"},
    {"Sinh", "-inf", 0, "-inf"},
    {"Cosh", "-inf", 0, "inf"},
    {"Cosh", "-0", 0, "1"},
    {"Acos", "1", 0, "0"},
    {"Acos", "2", 0, "nan"},
    {"Asin", "-0", 0, "-0"},
    {"Asin", "1.5", 0, "nan"},
    {"Atan", "-0", 0, "-0"},
    {"Acosh", "1", 0, "0"},
    {"Acosh", "0.5", 0, "nan"},
    {"Acosh", "inf", 0, "inf"},
    {"Asinh", "-0", 0, "-0"},
    {"Asinh", "-inf", 0, "-inf"},
    {"Atanh", "-0", 0, "-0"},
    {"Atanh", "1", 0, "inf"},
    {"Atanh", "-1", 0, "-inf"},
    {"Atanh", "2", 0, "nan"},
    {"Erf", "-0", 0, "-0"},
    {"Erf", "-inf", 0, "-1"},
    {"Erfc", "-inf", 0, "2"},
    {"Erfc", "inf", 0, "0"},
    {"Imag", "nan", 0, "0"},
    {"Real", "-0", 0, "-0"},
    {"Add", "1", "-1", "0"},
    {"Add", "-0", "-0", "-0"},
    {"Add", "-0", "0", "0"},
    {"Add", "inf", "-inf", "nan"},
    {"Sub", "0", "0", "0"},
    {"Sub", "-0", "0", "-0"},
    {"Mul", "inf", "0", "nan"},
    {"Mul", "-1", "0", "-0"},
    {"Div", "0", "0", "nan"},
    {"Div", "1", "-0", "-inf"},
    {"Div", "-1", "inf", "-0"},
    {"Rem", "-4", "2", "-0"},
    {"Rem", "5", "-3", "2"},
    {"Rem", "-5", "3", "-2"},
    {"Rem", "inf", "1", "nan"},
    {"Rem", "1", "0", "nan"},
    {"Rem", "-1", "-inf", "-1"},
    {"Rem", "-0", "1", "-0"},
    {"Max", "-0", "0", "0"},
    {"Max", "0", "-0", "0"},
    {"Min", "0", "-0", "-0"},
    {"Max", "nan", "1", "nan"},
    {"Min", "1", "nan", "nan"},
    {"Max", "-inf", "nan", "nan"},
    {"Pow", "nan", "0", "1"},
    {"Pow", "nan", "-0", "1"},
    {"Pow", "1", "nan", "1"},
    {"Pow", "-1", "inf", "1"},
    {"Pow", "-1", "-inf", "1"},
    {"Pow", "0", "-1", "inf"},
    {"Pow", "-0", "-3", "-inf"},
    {"Pow", "-0", "3", "-0"},
    {"Pow", "-0", "2", "0"},
    {"Pow", "-8", "0.5", "nan"},
    {"Pow", "0.5", "inf", "0"},
    {"Pow", "0.5", "-inf", "inf"},
    {"Pow", "-inf", "3", "-inf"},
    {"Pow", "-inf", "-3", "-0"},
    {"Pow", "-inf", "2", "inf"},
    {"Pow", "inf", "-1", "0"},
    {"Pow", "-2", "3", "-8"},
    {"Pow", "-0", "-inf", "inf"},
    {"Pow", "nan", "1", "nan"},
    {"Pow", "2", "nan", "nan"},
    {"Atan2", "-0", "0", "-0"},
    {"Atan2", "0", "-0", "0x1.921fb6p+1"},
    {"Atan2", "-0", "-1", "-0x1.921fb6p+1"},
    {"Atan2", "1", "-0", "0x1.921fb6p+0"},
    {"Atan2", "-1", "inf", "-0"},
    {"Atan2", "inf", "-inf", "0x1.2d97c8p+1"},
    {"Atan2", "inf", "inf", "0x1.921fb6p-1"},
    {"Atan2", "nan", "1", "nan"},
};

static void tables(void)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const struct entry *e = &entries[i];
        struct literal *x = array("f32", 1), *y = array("f32", 1);
        literal_set(x, 0, slow_run_bits(DT_f32, e->x));
        if (e->y)
            literal_set(y, 0, slow_run_bits(DT_f32, e->y));
        struct goal *g = run(e->op, e->y ? 2 : 1, (struct literal *[]){x, y});
        uint64_t want = slow_run_bits(DT_f32, e->want);
        uint64_t got = g ? literal_get(g->value, 0) : 0x7fbadbad;
        bool nan = real_is_nan(DT_f32, want);
        OK(nan ? real_is_nan(DT_f32, got) && !real_is_signalling(DT_f32, got)
               : got == want,
           "%s(%s%s%s) = %s", e->op, e->x, e->y ? ", " : "", e->y ? e->y : "",
           e->want);
        if (!nan && got != want)
            printf("# got %08x, want %08x\n", (unsigned)got, (unsigned)want);
        arena_reset(&a);
    }
}

int main(void)
{
    tables();
    hardware(DT_f32);
    hardware(DT_f64);
    small_floats();
    arena_free(&a);
    return tap_done();
}
