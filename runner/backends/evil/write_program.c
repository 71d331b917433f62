/* write_program.c - overwrites the program that it compiles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_COMPILE(b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code == ASSAY_OK)
        ((assay_program *)(uintptr_t)p)->outputs = NULL;
    return code;
}
