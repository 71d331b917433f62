/* second_refused.c - each executable returns an error when it is executed
 * again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

enum {
    MANY = 1024
};

static const assay_executable *executed[MANY];

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    int i = 0;
    while (i < MANY && executed[i] && executed[i] != x)
        i++;
    if (i < MANY && executed[i] == x) {
        snprintf(error->text, sizeof error->text, "once is enough");
        return ASSAY_FAILED;
    }
    if (i < MANY)
        executed[i] = x;
    return evil_execute(b, x, e, error);
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
