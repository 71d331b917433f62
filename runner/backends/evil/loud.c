/* loud.c - says 4 MiB on each of its outputs, and waits for an answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

enum {
    TIMES = 1024
};

EVIL_EXECUTE(loud, b, x, e, error)
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
