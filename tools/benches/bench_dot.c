/* bench_dot.c - exact contractions and data movement against plain loops.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/benches/bench_dot
 *
 * Contractions: the reference's DotGeneral, rounded once, against a scalar
 * sequential f64 accumulation and against mpfr_sum over exact products.
 * Movement: 1M elements against a loop that copies them one by one.  All in
 * CPU time of one thread, medians, in turn; the aims are 2.5 times the scalar
 * loop (f64: 10), 15 times faster than mpfr_sum, 10 times the copying loop (6:
 * Scatter) or qsort, and 512^3 in under 1 GB.
 */
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "interp/base/random.h"
#include "interp/exact/real.h"
#include "interp/program/evaluate.h"
#include "interp/specification/spec.h"
#include "tools/benches/bench.h"

enum {
    ROUNDS = 3,
    LENGTH = 4096,
    ROWS = 64,
    MOVED = 1 << 20
};

#define FASTER    15.0 /* than mpfr_sum */
#define MEGABYTES 1000.0

static struct literal *numbers(struct arena *a, const char *shape,
                               uint64_t seed)
{
    struct literal *l = bench_array(a, shape);
    struct random r = {seed};
    bool f64 = dtype_table[l->shape->dtype].bits == 64;
    for (int64_t i = 0, n = literal_units(l); i < n; i++) {
        uint64_t k = random_next(&r);
        int64_t e = random_between(&r, -8, 8);
        uint64_t bits =
            f64 ? (k >> 63) << 63 | (uint64_t)(1023 + e) << 52
                      | (k & 0xfffffffffffff)
                : (k >> 63) << 31 | (uint64_t)(127 + e) << 23 | (k & 0x7fffff);
        literal_set(l, i, bits);
    }
    return l;
}

static double value(const struct literal *l, int64_t i)
{
    uint64_t bits = literal_get(l, i);
    uint32_t low = (uint32_t)bits;
    float f;
    double d;
    if (dtype_table[l->shape->dtype].bits == 32) {
        memcpy(&f, &low, sizeof f);
        return (double)f;
    }
    memcpy(&d, &bits, sizeof d);
    return d;
}

static double scalar(const struct literal *x, const struct literal *y)
{
    static volatile double sink = 0;
    double *a = malloc(sizeof *a * LENGTH * ROWS),
           *b = malloc(sizeof *b * LENGTH);
    if (!a || !b)
        exit(2);
    for (int i = 0; i < LENGTH * ROWS; i++)
        a[i] = value(x, i);
    for (int i = 0; i < LENGTH; i++)
        b[i] = value(y, i);
    double start = bench_cpu();
    for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        for (int i = 0; i < LENGTH; i++)
            sum += a[r * LENGTH + i] * b[i];
        sink = sink + sum;
    }
    double taken = bench_cpu() - start;
    free(a);
    free(b);
    return taken;
}

static double with_mpfr(const struct literal *x, const struct literal *y)
{
    static mpfr_t products[LENGTH];
    static mpfr_ptr table[LENGTH];
    mpfr_t a, b, sum;
    mpfr_inits2(64, a, b, (mpfr_ptr)0);
    mpfr_init2(sum, 24);
    for (int i = 0; i < LENGTH; i++) {
        mpfr_init2(products[i], 128);
        table[i] = products[i];
    }
    double start = bench_cpu();
    for (int i = 0; i < LENGTH; i++) {
        real_bits_to_mpfr(a, x->shape->dtype, literal_get(x, i));
        real_bits_to_mpfr(b, y->shape->dtype, literal_get(y, i));
        mpfr_mul(products[i], a, b, MPFR_RNDZ);
    }
    mpfr_sum(sum, table, LENGTH, MPFR_RNDN);
    double taken = (bench_cpu() - start) * ROWS;
    for (int i = 0; i < LENGTH; i++)
        mpfr_clear(products[i]);
    mpfr_clears(a, b, sum, (mpfr_ptr)0);
    return taken;
}

static void bench_dots(const char *type, double aim)
{
    static const char numbers_of[] =
        "{\"dimension_numbers\": {\"lhs_contracting_dimensions\": [1],"
        " \"rhs_contracting_dimensions\": [0]}}";
    struct arena a = ARENA_INIT;
    struct literal *operands[2] = {
        numbers(&a, arena_printf(&a, "%s[%d,%d]", type, ROWS, LENGTH), 1),
        numbers(&a, arena_printf(&a, "%s[%d]", type, LENGTH), 2)};
    double ours[ROUNDS], plain[ROUNDS], mpfr[ROUNDS];
    for (int k = 0; k < ROUNDS; k++) {
        ours[k] = bench_reference("DotGeneral", numbers_of, 2, operands);
        plain[k] = scalar(operands[0], operands[1]);
        mpfr[k] = with_mpfr(operands[0], operands[1]);
    }
    double n = (double)LENGTH * ROWS * 1e-9;
    double o = bench_median(ours, ROUNDS) / n,
           p = bench_median(plain, ROUNDS) / n,
           m = bench_median(mpfr, ROUNDS) / n;
    printf("dot %s, %d terms: %.2f ns a product; %.1f times a scalar f64 loop "
           "(%.2f), aim %.1f: %s; %.1f times faster than mpfr_sum (%.1f), aim "
           "%.0f: %s\n",
           type, LENGTH, o, o / p, p, aim, bench_at_most(o / p, aim), m / o, m,
           FASTER, bench_at_least(m / o, FASTER));
    arena_free(&a);
}

static void bench_matmul(void)
{
    struct arena a = ARENA_INIT;
    struct literal *operands[2] = {numbers(&a, "f32[512,512]", 3),
                                   numbers(&a, "f32[512,512]", 4)};
    double taken = bench_reference(
        "DotGeneral",
        "{\"dimension_numbers\": {\"lhs_contracting_dimensions\": [1],"
        " \"rhs_contracting_dimensions\": [0]}}",
        2, operands);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double peak = (double)usage.ru_maxrss / 1024;
    printf("matmul f32 512^3: %.2f s, peak memory %.0f MB, aim %.0f: %s\n",
           taken, peak, MEGABYTES, bench_at_most(peak, MEGABYTES));
    arena_free(&a);
}

/* Elements copied one by one through an index, as a plain C backend would. */
static double copy_loop(const struct literal *from)
{
    int64_t n = literal_units(from);
    uint32_t *x = malloc((size_t)n * 4), *y = malloc((size_t)n * 4);
    if (!x || !y)
        exit(2);
    memcpy(x, from->data, (size_t)n * 4);
    memset(y, 0, (size_t)n * 4);
    double start = bench_cpu();
    for (volatile int64_t i = 0; i < n; i++)
        y[i] = x[(i * 7919) % n];
    double taken = bench_cpu() - start;
    free(x);
    free(y);
    return taken;
}

static int by_value(const void *a, const void *b)
{
    float x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* The C library's sort with an equal comparator. */
static double sort_loop(const struct literal *from)
{
    int64_t n = literal_units(from);
    float *x = malloc((size_t)n * sizeof *x);
    if (!x)
        exit(2);
    memcpy(x, from->data, (size_t)n * sizeof *x);
    double start = bench_cpu();
    qsort(x, (size_t)n, sizeof *x, by_value);
    double taken = bench_cpu() - start;
    free(x);
    return taken;
}

static void bench_move(const char *op, const char *attributes, int count,
                       struct literal *const *operands,
                       double (*loop)(const struct literal *from), double aim)
{
    double ours[ROUNDS], plain[ROUNDS];
    for (int k = 0; k < ROUNDS; k++) {
        ours[k] = bench_reference(op, attributes, count, operands);
        plain[k] = loop(operands[0]);
    }
    double o = bench_median(ours, ROUNDS), p = bench_median(plain, ROUNDS);
    printf("%-12s 1M f32: %6.1f ms, %.1f times %s (%.1f ms), aim %.0f: %s\n",
           op, o * 1e3, o / p, loop == sort_loop ? "qsort" : "a copying loop",
           p * 1e3, aim, bench_at_most(o / p, aim));
}

static void bench_moves(void)
{
    struct arena a = ARENA_INIT;
    struct literal *x = numbers(&a, "f32[1048576]", 5);
    struct literal *index = bench_array(&a, "s32[1048576,1]");
    struct literal *value = bench_array(&a, "f32[]");
    struct random r = {6};
    for (int64_t i = 0; i < MOVED; i++)
        literal_set(index, i, random_next(&r) & (MOVED - 1));
    bench_move("Pad",
               "{\"padding_config\": [{\"edge_padding_low\": 3,"
               " \"edge_padding_high\": -5}]}",
               2, (struct literal *[]){x, value}, copy_loop, 10);
    bench_move("Gather",
               "{\"dimension_numbers\": {\"offset_dims\": [],"
               " \"collapsed_slice_dims\": [0], \"start_index_map\": [0],"
               " \"index_vector_dim\": 1}, \"slice_sizes\": [1]}",
               2, (struct literal *[]){x, index}, copy_loop, 10);
    bench_move("Scatter",
               "{\"update_computation\": \"second\", \"dimension_numbers\":"
               " {\"update_window_dims\": [], \"inserted_window_dims\": [0],"
               " \"scatter_dims_to_operand_dims\": [0],"
               " \"index_vector_dim\": 1}}",
               3, (struct literal *[]){x, index, x}, copy_loop, 6);
    bench_move("Sort", "{\"comparator\": \"lt\", \"is_stable\": true}", 1, &x,
               sort_loop, 10);
    arena_free(&a);
}

int main(void)
{
    struct status st = {STATUS_OK};
    if (!spec_load(&st))
        return 2;
    bench_dots("f32", 2.5);
    bench_dots("f64", 10);
    bench_matmul();
    bench_moves();
    evaluate_end();
    return 0;
}
