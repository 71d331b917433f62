/* write_host.c - writes into the host's own struct, which every later call
 * would use.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    memset((void *)(uintptr_t)evil_of(b)->host, 0x7f, sizeof(assay_host) + 200);
    return code;
}
