/* backwards.c - leaves the direction flag set, which x86's string instructions
 * read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
#if defined __x86_64__
    __asm__ volatile("std" ::: "cc", "memory");
#endif
    return code;
}
