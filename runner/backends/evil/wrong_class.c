/* wrong_class.c - rejects with another class.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_COMPILE(b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code >= ASSAY_SHAPE && code <= ASSAY_STRUCTURE)
        return code % ASSAY_STRUCTURE + 1;
    return code;
}
