/* slow.c - sleeps for a while, and computes for a while, then is right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>
#include <unistd.h>

#include "evil.h"

enum {
    MS = 100
};

static int spent_ms(clockid_t clock, const struct timespec *since)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (int)((t.tv_sec - since->tv_sec) * 1000
                 + (t.tv_nsec - since->tv_nsec) / 1000000);
}

EVIL_EXECUTE(slow, b, x, e, error)
{
    struct timespec start;
    usleep(MS * 1000);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    while (spent_ms(CLOCK_PROCESS_CPUTIME_ID, &start) < MS)
        continue;
    return evil_execute(b, x, e, error);
}
