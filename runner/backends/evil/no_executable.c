/* no_executable.c - compiles without a word, and gives nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_COMPILE(b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code == ASSAY_OK)
        evil_release(b, *x);
    *x = NULL;
    return code;
}
