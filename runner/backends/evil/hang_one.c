/* hang_one.c - never returns from compiling a program that has a Rev.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

EVIL_COMPILE(b, p, x, error)
{
    volatile int for_ever = 1;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++)
            while (for_ever
                   && strcmp(p->computations[i]->instructions[k]->op, "Rev")
                          == 0)
                pause();
    return evil_compile(b, p, x, error);
}
