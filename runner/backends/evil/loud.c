/* loud.c - says 4 MiB on each of its outputs, and waits for an answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

enum {
    TIMES = 1024
};

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    char text[4096];
    memset(text, '!', sizeof text);
    for (int i = 0; i < 2 * TIMES; i++)
        if (write(1 + i % 2, text, sizeof text) < 0)
            return ASSAY_FAILED;
    while (read(0, text, sizeof text) > 0)
        ;
    return evil_execute(b, x, e, error);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
