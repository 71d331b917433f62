/* timer.c - leaves a timer behind, and a handler for every signal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <signal.h>
#include <sys/time.h>

#include "evil.h"

static void ignore(int number)
{
    (void)number;
}

EVIL_EXECUTE(timer, b, x, e, error)
{
    const struct itimerval often = {{0, 500}, {0, 500}};
    for (int i = 1; i < 32; i++)
        signal(i, ignore);
    setitimer(ITIMER_REAL, &often, NULL);
    return evil_execute(b, x, e, error);
}
