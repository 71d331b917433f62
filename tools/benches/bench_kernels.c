/* bench_kernels.c - judging an input of a sweep, against MPFR and libm.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/benches/bench_kernels [OPERATION...]
 *
 * One part of an f32 sweep, 65536 inputs, whose results are the C library's.
 * "judge" is all that the judge does with them (judge_fast: correctly rounded
 * result, acceptance set, error, histogram, largest error), "kernel" the part
 * of it that finds the results, "libm" the library's own float function, "MPFR"
 * the bare call at 24 bits.  In CPU time
 * of one thread, medians, in turn; the aim is 3 ns an input on an idle
 * machine.
 */
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/fast/fast.h"
#include "interp/fast/fast_compare.h"
#include "interp/filter/judge_fast.h"
#include "interp/program/op_table.h"
#include "tools/benches/bench.h"

enum {
    ROUNDS = 7,
    LENGTH = 1 << 16,
    CALLS = 1 << 12, /* of MPFR */
    REPEAT = 8,
};

#define AIM 3.0

typedef int unary(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t r);

static float rsqrt(float x)
{
    return 1 / sqrtf(x);
}

static float logistic(float x)
{
    return (float)(1 / (1 + exp(-(double)x)));
}

/* Computes it as one would with MPFR. */
static int bare_logistic(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t r)
{
    mpfr_neg(y, x, r);
    mpfr_exp(y, y, r);
    mpfr_add_ui(y, y, 1, r);
    return mpfr_ui_div(y, 1, y, r);
}

static const struct row {
    const char *op;
    float (*library)(float x);
    unary *call;
    uint32_t first, step; /* of the inputs: where the function does most */
} rows[] = {
    {"Sqrt", sqrtf, mpfr_sqrt, 0x3f800000, 255},
    {"Rsqrt", rsqrt, mpfr_rec_sqrt, 0x3f800000, 255},
    {"Cbrt", cbrtf, mpfr_cbrt, 0x3f800000, 255},
    {"Exp", expf, mpfr_exp, 0x3e000000, 1023},
    {"Expm1", expm1f, mpfr_expm1, 0x3e000000, 1023},
    {"Logistic", logistic, bare_logistic, 0x3e000000, 1023},
    {"Sinh", sinhf, mpfr_sinh, 0x3e000000, 1023},
    {"Cosh", coshf, mpfr_cosh, 0x3e000000, 1023},
    {"Tanh", tanhf, mpfr_tanh, 0x3e000000, 511},
    {"Log", logf, mpfr_log, 0x3f000000, 255},
    {"Log1p", log1pf, mpfr_log1p, 0x3e000000, 1023},
    {"Asinh", asinhf, mpfr_asinh, 0x3e000000, 1023},
    {"Acosh", acoshf, mpfr_acosh, 0x3f800001, 511},
    {"Atanh", atanhf, mpfr_atanh, 0x3d000000, 511},
    {"Sin", sinf, mpfr_sin, 0x3e000000, 1023},
    {"Cos", cosf, mpfr_cos, 0x3e000000, 1023},
    {"Tan", tanf, mpfr_tan, 0x3e000000, 1023},
    {"Asin", asinf, mpfr_asin, 0x3d000000, 511},
    {"Acos", acosf, mpfr_acos, 0x3d000000, 511},
    {"Atan", atanf, mpfr_atan, 0x3e000000, 1023},
    {"Erf", erff, mpfr_erf, 0x3d000000, 767},
    {"Erfc", erfcf, mpfr_erfc, 0x3d000000, 767},
};

static void die(const char *why)
{
    fprintf(stderr, "bench_kernels: %s\n", why);
    exit(2);
}

static float number(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static struct test_case *make_case(struct arena *a, const struct row *row,
                                   const struct limits *limits)
{
    struct test_case *c = arena_new(a, struct test_case, 1);
    struct status st = {0};
    const int64_t n = LENGTH;
    struct literal *x = literal_new(a, shape_array(a, DT_f32, 1, &n));
    int *operand = arena_new(a, int, 1);
    for (uint32_t i = 0; i < LENGTH; i++)
        literal_set(x, i, row->first + i * row->step);
    c->input_count = 1;
    c->inputs = arena_new(a, struct literal **, 1);
    c->inputs[0] = arena_new(a, struct literal *, 1);
    c->inputs[0][0] = x;
    c->program = program_new(a, limits);
    struct computation *main = program_computation(c->program, "main");
    *operand = program_parameter(c->program, main, 0, x->shape);
    program_add(c->program, main,
                &(struct instruction){.name = "r",
                                      .op = op_table_find(row->op),
                                      .operand_count = 1,
                                      .operands = operand});
    c->program->entry = main;
    if (!program_infer(c->program, &st))
        die(st.text);
    return c;
}

static double time_judge(const struct row *row, const struct profile *profile,
                         const float *results)
{
    static const struct limits limits = LIMITS_DEFAULT;
    struct arena own = ARENA_INIT, a = ARENA_INIT;
    struct judge_value by = {.mode = {.profile = profile, .limits = &limits},
                             .made = make_case(&own, row, &limits),
                             .bins = true};
    const int64_t n = LENGTH;
    struct judge_given given = {.got = {"f32", 1, &n, &n, 4 * LENGTH,
                                        4 * LENGTH,
                                        (const unsigned char *)results}};
    double start = bench_cpu();
    for (int k = 0; k < REPEAT; k++) {
        struct judge_reference shape;
        struct verdict v = {0};
        enum verdict_status status;
        char text[200];
        by.arena = &a;
        if (!judge_fast(&by, &given, &v, &shape, &status, text, sizeof text)
            || v.units != LENGTH)
            die("a kernel does not judge");
        arena_reset(&a);
    }
    double taken = bench_cpu() - start;
    arena_free(&a);
    arena_free(&own);
    return taken / REPEAT / LENGTH * 1e9;
}

static double time_kernel(const struct row *row)
{
    static double x[LENGTH], v[FAST_COMPARE_BLOCK];
    const struct fast_kernel *kernel = fast_find(row->op);
    for (uint32_t i = 0; i < LENGTH; i++)
        x[i] = (double)number(row->first + i * row->step);
    double start = bench_cpu();
    for (int k = 0; k < REPEAT; k++)
        for (int i = 0; i < LENGTH; i += FAST_COMPARE_BLOCK)
            kernel->function(x + i, v, FAST_COMPARE_BLOCK);
    return (bench_cpu() - start) / REPEAT / LENGTH * 1e9;
}

static double time_library(const struct row *row, float *results)
{
    double start = bench_cpu();
    for (int k = 0; k < REPEAT; k++)
        for (uint32_t i = 0; i < LENGTH; i++)
            results[i] = row->library(number(row->first + i * row->step));
    return (bench_cpu() - start) / REPEAT / LENGTH * 1e9;
}

static double time_mpfr(const struct row *row)
{
    static mpfr_t x[CALLS];
    mpfr_t y;
    mpfr_init2(y, 24);
    for (uint32_t i = 0; i < CALLS; i++) {
        mpfr_init2(x[i], 24);
        mpfr_set_flt(x[i],
                     number(row->first + i * (LENGTH / CALLS) * row->step),
                     MPFR_RNDN);
    }
    double start = bench_cpu();
    for (int i = 0; i < CALLS; i++)
        row->call(y, x[i], MPFR_RNDN);
    double taken = bench_cpu() - start;
    for (int i = 0; i < CALLS; i++)
        mpfr_clear(x[i]);
    mpfr_clear(y);
    return taken / CALLS * 1e9;
}

/* Is it one of those named, or are none? */
static bool is_wanted(const char *op, char **names)
{
    bool found = names[0] == NULL;
    for (int i = 0; names[i]; i++)
        found = found || strcmp(names[i], op) == 0;
    return found;
}

int main(int argc, char **argv)
{
    char **names = argv + (argc > 0);
    static float results[LENGTH];
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    const struct profile *profile;
    if (!spec_load(&st) || !profile_load(&a, "spec", &profile, &st))
        die(st.text);
    printf("sweep of f32, ns an input (CPU time, medians of %d)\n", ROUNDS);
    printf("%-8s %6s %7s %6s %7s %11s %11s  aim %.0f ns\n", "op", "judge",
           "kernel", "libm", "MPFR", "judge/libm", "MPFR/judge", AIM);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!is_wanted(rows[i].op, names))
            continue;
        double judge[ROUNDS], kernel[ROUNDS], library[ROUNDS], mpfr[ROUNDS];
        for (int k = 0; k < ROUNDS; k++) {
            library[k] = time_library(&rows[i], results);
            judge[k] = time_judge(&rows[i], profile, results);
            kernel[k] = time_kernel(&rows[i]);
            mpfr[k] = time_mpfr(&rows[i]);
        }
        double j = bench_median(judge, ROUNDS),
               l = bench_median(library, ROUNDS),
               m = bench_median(mpfr, ROUNDS);
        printf("%-8s %6.2f %7.2f %6.2f %7.1f %11.2f %11.1f  %s\n", rows[i].op,
               j, bench_median(kernel, ROUNDS), l, m, j / l, m / j,
               bench_at_most(j, AIM));
    }
    arena_free(&a);
    evaluate_end();
    return 0;
}
