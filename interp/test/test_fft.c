/* test_fft.c - Fourier transforms against their definition.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model adds up every product of an input and a root of unity in 400 bits;
 * what is below 2^-300 is 0.  Results are compared bit for bit.
 * ASSAY_LONG=1 tries more lengths.
 */
#include <mpfr.h>
#include <stdlib.h>

#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;

static struct slow_program *make(const char *type, struct literal *operand,
                                 int axes, const int64_t *n)
{
    struct slow_program *p = slow_program_new(&arena, "Fft");
    slow_program_operand(p, operand);
    slow_program_name(p, ATTRIBUTE_FFT_TYPE, type);
    slow_program_ints(p, ATTRIBUTE_FFT_LENGTH, axes, n);
    return p;
}

/* Rounded to f64, nothing smaller than the model's own errors. */
static uint64_t rounded(mpfr_srcptr x)
{
    MPFR_DECL_INIT(cut, 128);
    if (mpfr_zero_p(x) || mpfr_get_exp(x) < -300)
        return 0;
    int ternary = mpfr_set(cut, x, MPFR_RNDZ);
    struct real r = real_from_mpfr(cut, ternary);
    return real_round(&r, DT_f64, REAL_OVERFLOW_TYPE);
}

struct sums {
    mpfr_t re, im, s, c, t, pi;
};

static void add(struct sums *m, int64_t a, int64_t b, int64_t turn, int64_t n)
{
    mpfr_mul_si(m->t, m->pi, 2 * turn, MPFR_RNDN);
    mpfr_div_si(m->t, m->t, n, MPFR_RNDN);
    mpfr_sin_cos(m->s, m->c, m->t, MPFR_RNDN);
    mpfr_mul_si(m->t, m->c, a, MPFR_RNDN);
    mpfr_add(m->re, m->re, m->t, MPFR_RNDN);
    mpfr_mul_si(m->t, m->s, b, MPFR_RNDN);
    mpfr_sub(m->re, m->re, m->t, MPFR_RNDN);
    mpfr_mul_si(m->t, m->s, a, MPFR_RNDN);
    mpfr_add(m->im, m->im, m->t, MPFR_RNDN);
    mpfr_mul_si(m->t, m->c, b, MPFR_RNDN);
    mpfr_add(m->im, m->im, m->t, MPFR_RNDN);
}

/* Point (k0, k1) of the transform of n0 by n1 points. */
static void model(struct sums *m, const struct literal *x, int64_t n0,
                  int64_t n1, int64_t k0, int64_t k1, bool inverse)
{
    mpfr_set_zero(m->re, 1);
    mpfr_set_zero(m->im, 1);
    for (int64_t i = 0; i < n0; i++)
        for (int64_t j = 0; j < n1; j++) {
            int64_t turn = (i * k0 * n1 + j * k1 * n0) % (n0 * n1);
            add(m, slow_program_int_at(x, 2 * (i * n1 + j)),
                slow_program_int_at(x, 2 * (i * n1 + j) + 1),
                inverse ? turn : -turn, n0 * n1);
        }
    if (inverse) {
        mpfr_div_si(m->re, m->re, n0 * n1, MPFR_RNDN);
        mpfr_div_si(m->im, m->im, n0 * n1, MPFR_RNDN);
    }
}

static bool same(uint64_t got, uint64_t want)
{
    return got == want || (got << 1 == 0 && want << 1 == 0);
}

/* Random numbers, repeated after each period: then most results are 0. */
static void check(struct sums *m, int64_t n0, int64_t n1, bool inverse,
                  int64_t period)
{
    const int64_t n[2] = {n0, n1};
    struct literal *x = slow_program_random(
        &arena, arena_printf(&arena, "c128[%d,%d]", (int)n0, (int)n1),
        (uint64_t)(n0 * 100 + n1), -3, 3);
    for (int64_t i = 2 * period; i < 2 * n0 * n1; i++)
        literal_set(x, i, literal_get(x, i - 2 * period));
    struct slow_program *p = make(inverse ? "IFFT" : "FFT", x, 2, n);
    int64_t wrong = 0;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    for (int64_t k = 0; k < n0 * n1; k++) {
        model(m, x, n0, n1, k / n1, k % n1, inverse);
        wrong += !same(literal_get(got, 2 * k), rounded(m->re));
        wrong += !same(literal_get(got, 2 * k + 1), rounded(m->im));
    }
    EQ_INT(wrong, 0, "%s of %d by %d, period %d: wrong parts",
           inverse ? "IFFT" : "FFT", (int)n0, (int)n1, (int)period);
}

/* Results that are rational beside ones that are not, and prime lengths that go
 * through a correlation. */
static void test_lengths(struct sums *m)
{
    static const struct {
        int64_t n0, n1, period;
        bool inverse;
    } rows[] = {
        {1, 12, 3, false},    {1, 12, 4, true},  {1, 24, 8, false},
        {1, 15, 5, true},     {1, 16, 2, false}, {6, 10, 5, false},
        {6, 10, 12, true},    {4, 9, 18, false}, {1, 131, 131, false},
        {1, 131, 1, false},   {2, 131, 3, true}, {1, 262, 262, true},
        {1, 137, 137, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(m, rows[i].n0, rows[i].n1, rows[i].inverse, rows[i].period);
}

/* The transform of 1, 1, ... is n, 0, 0, ...: each 0 is found exactly. */
static void test_constant(void)
{
    static const int64_t n[] = {4096};
    struct literal *x = slow_program_random(&arena, "c64[4096]", 1, 1, 1);
    struct slow_program *p = make("FFT", x, 1, n);
    int64_t wrong = 0;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    EQ_INT(literal_get(got, 0), 0x45800000, "the sum is 4096");
    EQ_INT(literal_get(got, 1), 0x45800000, "of both parts");
    for (int64_t i = 2; i < 2 * n[0]; i++)
        wrong += (uint32_t)(literal_get(got, i) << 1) != 0;
    EQ_INT(wrong, 0, "a constant has no other frequency");
}

/* RFFT is half of the FFT, and IRFFT gives the operand back. */
static void check_real(int64_t n0, int64_t n1)
{
    const int64_t n[2] = {n0, n1};
    int64_t half = n1 / 2 + 1, wrong = 0;
    struct literal *x = slow_program_random(
        &arena, arena_printf(&arena, "f64[%d,%d]", (int)n0, (int)n1), 7, -9, 9);
    struct literal *z = slow_program_literal(
        &arena, arena_printf(&arena, "c128[%d,%d]", (int)n0, (int)n1), 0, NULL);
    for (int64_t i = 0; i < n0 * n1; i++)
        literal_set(z, 2 * i, literal_get(x, i));
    struct slow_program *p = make("RFFT", x, 2, n), *q = make("FFT", z, 2, n);
    if (!OK(slow_program_run(p) && slow_program_run(q), "%s", p->status.text))
        return;
    const struct literal *a = slow_program_value(p), *b = slow_program_value(q);
    for (int64_t i = 0; i < n0 * half * 2; i++)
        wrong +=
            literal_get(a, i)
            != literal_get(b, 2 * (i / 2 / half * n1 + i / 2 % half) + i % 2);
    EQ_INT(wrong, 0, "RFFT of %d by %d: half of the FFT", (int)n0, (int)n1);
    /* Rounded numbers give the operand back but for their rounding. */
    p = make("IRFFT", (struct literal *)(uintptr_t)a, 2, n);
    OK(slow_program_run(p), "%s", p->status.text);
    a = slow_program_value(p);
    for (int64_t i = 0; i < n0 * n1; i++) {
        struct real got = real_from_bits(DT_f64, literal_get(a, i));
        struct real want = real_from_bits(DT_f64, literal_get(x, i));
        wrong += got.kind == REAL_FINITE && got.exponent < -40
                     ? want.kind != REAL_ZERO
                     : llabs(real_key(DT_f64, literal_get(a, i))
                             - real_key(DT_f64, literal_get(x, i)))
                           > 1 << 10;
    }
    EQ_INT(wrong, 0, "IRFFT of %d by %d: the operand", (int)n0, (int)n1);
}

/* Checks what the judge refuses. */
static void test_judge(void)
{
    const int64_t n[] = {8};
    struct literal *x = slow_program_random(&arena, "c64[8]", 3, -9, 9);
    struct slow_program *p = make("FFT", x, 1, n);
    struct goal_finding found = {.leaf = 0};
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct goal *g = p->outcomes[0].goals[0];
    struct literal *got = literal_copy(&arena, g->value);
    const struct literal *all[] = {got};
    OK(g->check.holds(g, all, 1, &found), "the value: %s", found.why);
    int64_t refused = 0;
    for (int64_t i = 0; i < 16; i++) {
        uint64_t bits = literal_get(got, i);
        literal_set(got, i, bits ^ 0x80000000);
        refused +=
            (bits << 1 & 0xffffffff) != 0 && !g->check.holds(g, all, 1, &found);
        literal_set(got, i, bits + (1 << 12));
        refused +=
            (bits << 1 & 0xffffffff) != 0 && !g->check.holds(g, all, 1, &found);
        literal_set(got, i, bits);
    }
    OK(refused >= 28, "wrong signs and wrong digits are refused: %d",
       (int)refused);
}

/* (3, 1) becomes (4, 2), of norm sqrt(20).  The bound is g sqrt(20) with g =
 * 2^-21 / (1 - 2^-21), for 8 roundings of 2^-24: an error of 2^-19 is 4 (1 -
 * 2^-21) / sqrt(20) = 0.8944268 of it, one of 2^-18 twice as much. */
static void test_share(void)
{
    static const int64_t n[] = {2}, due[] = {0, 894427, 1788854};
    struct literal *x = slow_program_random(&arena, "c64[2]", 1, 0, 0);
    literal_set(x, 0, 0x40400000);
    literal_set(x, 2, 0x3f800000);
    struct slow_program *p = make("FFT", x, 1, n);
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct goal *g = p->outcomes[0].goals[0];
    for (int i = 0; i < 3; i++) {
        struct literal *got = literal_copy(&arena, g->value);
        const struct literal *all[] = {got};
        struct goal_finding found = {.leaf = 0};
        literal_set(got, 0, 0x40800000 + (uint64_t)i * 4);
        EQ_INT(g->check.holds(g, all, 1, &found), due[i] <= 1000000,
               "off by %d ulps", 4 * i);
        OK(found.has_share && found.share == due[i],
           "in millionths of the bound: %lld", (long long)found.share);
    }
}

/* A sum with a NaN is NaN, whatever its order; infinity may take its place (C11
 * G.5.1, a product with an infinite part) only where a sum may overflow. */
static void test_nan(void)
{
    static const int64_t n[] = {2};
    static const struct {
        uint64_t other, got;
        bool right;
        const char *text;
    } rows[] = {
        {0x3f800000, 0x7fc00000, true, "NaN beside 1"},
        {0x3f800000, 0x7f800000, false, "infinity beside 1"},
        {0x7f7fffff, 0x7fc00000, true, "NaN beside the largest number"},
        {0x7f7fffff, 0x7f800000, true, "infinity beside the largest number"},
        {0x7f7fffff, 0x40000000, false, "a number"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct literal *x = slow_program_random(&arena, "c64[2]", 1, 0, 0);
        struct goal_finding found = {.leaf = 0};
        literal_set(x, 0, 0x7fc00000);
        literal_set(x, 2, rows[k].other);
        struct slow_program *p = make("FFT", x, 1, n);
        if (!OK(slow_program_run(p), "%s", p->status.text))
            return;
        const struct goal *g = p->outcomes[0].goals[0];
        struct literal *got = literal_copy(&arena, g->value);
        const struct literal *all[] = {got};
        for (int64_t i = 0; i < 4; i++)
            literal_set(got, i, rows[k].got);
        EQ_INT(g->check.holds(g, all, 1, &found), rows[k].right, "%s",
               rows[k].text);
    }
}

int main(void)
{
    struct sums m;
    int64_t most = getenv("ASSAY_LONG") ? 40 : 13;
    mpfr_inits2(400, m.re, m.im, m.s, m.c, m.t, m.pi, (mpfr_ptr)0);
    mpfr_const_pi(m.pi, MPFR_RNDN);
    for (int64_t n = 1; n <= most; n++) {
        check(&m, 1, n, n % 2 == 0, n);
        check(&m, 2 + n % 3, n, n % 2 == 1, (2 + n % 3) * n);
        check_real(1 + n % 3, n);
    }
    test_lengths(&m);
    test_constant();
    test_judge();
    test_share();
    test_nan();
    mpfr_clears(m.re, m.im, m.s, m.c, m.t, m.pi, (mpfr_ptr)0);
    mpfr_free_cache();
    arena_free(&arena);
    return tap_done();
}
