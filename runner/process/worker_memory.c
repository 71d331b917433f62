/* worker_memory.c - see worker_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "runner/process/worker_private.h"

enum {
    RESERVED_MOST = 16, /* times the memory limit */
    ENTERED_NS = 1000,  /* bytes: more than any machine enters in 1 ns */
};

int64_t worker_memory_peak(void)
{
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? (int64_t)use.ru_maxrss << 10 : 0;
}

/* Memory that is reserved and not used costs nothing, up to a point. */
void worker_memory_limit(int64_t bytes)
{
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
    rlim_t most = (rlim_t)bytes * RESERVED_MOST;
    struct rlimit data = {most, most};
    setrlimit(RLIMIT_DATA, &data);
#else
    (void)bytes;
#endif
    /* If the machine runs out of memory anyway, the kernel kills this process
     * and no uninvolved one. */
    FILE *f = fopen("/proc/self/oom_score_adj", "w");
    if (f) {
        fputs("1000", f);
        fclose(f);
    }
}

/* Checking takes longer than a small case, which has no time to use that much.
 * */
void worker_memory_check(int64_t bytes, int64_t before, int64_t took_ns)
{
    if (took_ns < bytes / ENTERED_NS)
        return;
    int64_t taken = worker_memory_peak() - before;
    if (taken <= bytes)
        return;
    fprintf(stderr,
            "took %lld MiB of memory, more than the limit of %lld MiB"
            " (--memory)\n",
            (long long)(taken >> 20), (long long)(bytes >> 20));
    abort();
}
