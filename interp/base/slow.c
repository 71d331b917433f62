/* slow.c - see slow.h; tested by test_judge_fast.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/slow.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    UNKNOWN, /* the environment is read once */
    OFF,
    ON,
};

static _Atomic int state = UNKNOWN;

bool slow(void)
{
    int now = atomic_load_explicit(&state, memory_order_relaxed);
    if (now == UNKNOWN) {
        const char *value = getenv("ASSAY_SLOW");
        now = value && value[0] != '\0' ? ON : OFF;
        atomic_store_explicit(&state, now, memory_order_relaxed);
    }
    return now == ON;
}

void slow_on(void)
{
    setenv("ASSAY_SLOW", "1", 1);
    atomic_store(&state, ON);
}
