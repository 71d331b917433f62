/* outfeed_later.c - what the first execution of a program writes to an outfeed
 * is lost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

enum {
    MANY = 1024
};

static const assay_executable *executed[MANY];

static void lose(void *context, int32_t replica, const assay_tensor *value)
{
    (void)context, (void)replica, (void)value;
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_execution other = *e;
    int i = 0;
    while (i < MANY && executed[i] && executed[i] != x)
        i++;
    if (i < MANY && !executed[i]) {
        executed[i] = x;
        other.outfeed = lose;
    }
    return evil_execute(b, x, &other, error);
}

static void release(assay_backend *b, assay_executable *x)
{
    for (int i = 0; i < MANY; i++)
        if (executed[i] == x)
            executed[i] = b->self; /* which is no executable */
    evil_release(b, x);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
    e->release = release;
}
