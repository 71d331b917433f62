/* bench.h - CPU time, medians, aims and the reference, for the benchmarks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_BENCH_H
#define TOOLS_BENCH_H

#include <stdlib.h>
#include <time.h>

#include "interp/base/literal.h"

static inline double bench_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds of CPU time that this process took. */
static inline double bench_cpu(void)
{
    return bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

/* Seconds of the wall's clock. */
static inline double bench_wall(void)
{
    return bench_clock(CLOCK_MONOTONIC);
}

static inline int bench_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of n times, which are sorted. */
static inline double bench_median(double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, bench_compare);
    return times[n / 2];
}

/* Is a figure within its aim? */
static inline const char *bench_at_most(double figure, double aim)
{
    return figure <= aim ? "pass" : "short";
}

static inline const char *bench_at_least(double figure, double aim)
{
    return figure >= aim ? "pass" : "short";
}

/* Zeros of a shape ("f32[2,3]"). */
struct literal *bench_array(struct arena *a, const char *shape);

/* The longest Fft that bench_reference allows from now on. */
void bench_fft_length(int64_t most);

/* Seconds of CPU time that the reference takes for one instruction under the
 * profile spec, with attributes as the case format writes them ("" for none).
 * Only values are computed, as in the first comparison with a backend's
 * result.  An error ends the benchmark. */
double bench_reference(const char *op, const char *attributes, int count,
                       struct literal *const *operands);

#endif
