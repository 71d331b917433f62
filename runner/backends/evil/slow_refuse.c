/* slow_refuse.c - takes its time to compile, and refuses Abs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

enum {
    MS = 200
};

EVIL_COMPILE(slow_refuse, b, p, x, error)
{
    usleep(MS * 1000);
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++)
            if (strcmp(p->computations[i]->instructions[k]->op, "Abs") == 0) {
                snprintf(error->text, sizeof error->text, "no Abs today");
                return ASSAY_FAILED;
            }
    return evil_compile(b, p, x, error);
}
