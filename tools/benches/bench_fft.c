/* bench_fft.c - exact Fourier transforms against points times log2 points.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     build/tools/benches/bench_fft
 *
 * CPU time of one thread.  The aims: 2 us a point times log2 of the
 * points, and 1 s for the prime length 4099, which no product of short
 * transforms makes.
 */
#include <math.h>
#include <stdio.h>

#include "interp/base/random.h"
#include "interp/program/evaluate.h"
#include "interp/specification/spec.h"
#include "tools/benches/bench.h"

enum {
    ROUNDS = 1, /* they are long */
    LONGEST = 1 << 16
};

#define MICROSECONDS 2.0 /* a point times log2 points */
#define SECONDS      1.0 /* of the prime length */

/* Random numbers of about 1, or all the same one. */
static double time_of(const char *kind, const char *shape, int64_t n, bool same)
{
    struct arena a = ARENA_INIT;
    struct literal *x = bench_array(&a, shape);
    struct random r = {7};
    double taken[ROUNDS];
    for (int64_t i = 0, units = literal_units(x); i < units; i++)
        literal_set(x, i,
                    (same ? 0 : random_next(&r) & 0x80ffffff)
                        | UINT64_C(0x3f000000));
    const char *attributes =
        arena_printf(&a, "{\"fft_type\": \"%s\", \"fft_length\": [%lld]}", kind,
                     (long long)n);
    for (int k = 0; k < ROUNDS; k++)
        taken[k] = bench_reference("Fft", attributes, 1, &x);
    double t = bench_median(taken, ROUNDS);
    arena_free(&a);
    return t;
}

static void bench_length(const char *kind, const char *shape, int64_t n,
                         bool same)
{
    double t = time_of(kind, shape, n, same);
    double each = t * 1e6 / ((double)n * log2((double)n));
    printf("%-5s %-12s%s: %.3f s, %.2f us a point times log2, aim %.0f: %s\n",
           kind, shape, same ? " of one number" : "", t, each, MICROSECONDS,
           bench_at_most(each, MICROSECONDS));
}

int main(void)
{
    struct status st = {STATUS_OK};
    if (!spec_load(&st))
        return 2;
    bench_fft_length(LONGEST);
    bench_length("FFT", "c64[4096]", 4096, false);
    bench_length("FFT", "c64[4096]", 4096, true);
    bench_length("FFT", "c64[5040]", 5040, false);
    bench_length("FFT", "c64[8191]", 8191, false); /* a prime number */
    bench_length("IRFFT", "c64[2049]", 4096, false);
    bench_length("IRFFT", "c64[2049]", 4096, true);
    bench_length("FFT", "c64[65536]", LONGEST, false);
    double t = time_of("FFT", "c64[4099]", 4099, false);
    printf("FFT   c64[4099]   : %.3f s, a prime length, aim %.0f: %s\n", t,
           SECONDS, bench_at_most(t, SECONDS));
    evaluate_end();
    return 0;
}
