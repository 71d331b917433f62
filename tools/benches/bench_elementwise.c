/* bench_elementwise.c - the reference's element-wise speed against bare MPFR.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/benches/bench_elementwise [ELEMENTS]
 *
 * Both compute the same f32 results, in turn, several times; the figures are
 * medians.  "call" is the bare MPFR function on numbers that are already MPFR
 * numbers, at 24 bits; the reference also decodes, rounds once to the type
 * and keeps the exact error.  The aim is 3 times the bare call.
 */
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/program/evaluate.h"
#include "tools/benches/bench.h"

enum {
    ROUNDS = 5,
    CHUNK = 1024
};

#define AIM 3.0 /* times the MPFR call */

typedef int unary(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t r);

static int add(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t r)
{
    return mpfr_add(y, x, x, r);
}

static const struct row {
    const char *op;
    unary *call;
    int arity;
} rows[] = {{"Add", add, 2},      {"Sqrt", mpfr_sqrt, 1}, {"Exp", mpfr_exp, 1},
            {"Log", mpfr_log, 1}, {"Tanh", mpfr_tanh, 1}, {"Sin", mpfr_sin, 1}};

/* Nanoseconds an element of the bare call, over numbers of the same data. */
static double time_call(const struct row *row, const struct literal *x)
{
    static mpfr_t in[CHUNK];
    mpfr_t y;
    int64_t n = literal_units(x);
    mpfr_init2(y, 24);
    for (int i = 0; i < CHUNK; i++)
        mpfr_init2(in[i], 24);
    double total = 0;
    for (int64_t done = 0; done < n; done += CHUNK) {
        int count = n - done < CHUNK ? (int)(n - done) : CHUNK;
        for (int i = 0; i < count; i++) {
            uint32_t bits = (uint32_t)literal_get(x, done + i);
            float f;
            memcpy(&f, &bits, sizeof f);
            mpfr_set_flt(in[i], f, MPFR_RNDN);
        }
        double start = bench_cpu();
        for (int i = 0; i < count; i++)
            row->call(y, in[i], MPFR_RNDN);
        total += bench_cpu() - start;
    }
    for (int i = 0; i < CHUNK; i++)
        mpfr_clear(in[i]);
    mpfr_clear(y);
    return total / (double)n * 1e9;
}

/* Nanoseconds an element of the reference. */
static double time_reference(const struct row *row, struct literal *x)
{
    return bench_reference(row->op, "", row->arity, (struct literal *[]){x, x})
           / (double)literal_units(x) * 1e9;
}

int main(int argc, char **argv)
{
    int64_t n = argc > 1 ? strtoll(argv[1], NULL, 10) : 1 << 20;
    struct arena a = ARENA_INIT;
    if (n < 1) {
        fprintf(stderr, "bench_elementwise: expected a number of elements\n");
        return 2;
    }
    struct literal *x = literal_new(&a, shape_array(&a, DT_f32, 1, &n));
    struct random r = {7};
    /* The core range: |x| in 2^-8 .. 2^6, positive for Log and Sqrt. */
    for (int64_t i = 0; i < n; i++)
        literal_set(x, i,
                    (uint64_t)(119 + random_between(&r, 0, 13)) << 23
                        | (random_next(&r) & 0x7fffff));
    printf("f32, %lld elements, ns an element (CPU time, medians of %d)\n",
           (long long)n, ROUNDS);
    printf("%-6s %10s %10s %8s  aim %.0f\n", "op", "reference", "MPFR call",
           "ratio", AIM);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double ours[ROUNDS], theirs[ROUNDS];
        for (int k = 0; k < ROUNDS; k++) {
            ours[k] = time_reference(&rows[i], x);
            theirs[k] = time_call(&rows[i], x);
        }
        double o = bench_median(ours, ROUNDS), t = bench_median(theirs, ROUNDS);
        printf("%-6s %10.1f %10.1f %8.2f  %s\n", rows[i].op, o, t, o / t,
               bench_at_most(o / t, AIM));
    }
    arena_free(&a);
    evaluate_end();
    return 0;
}
