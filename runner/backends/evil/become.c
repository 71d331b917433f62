/* become.c - becomes another program, which ends well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <unistd.h>

#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    execl("/bin/true", "true", (char *)NULL);
    return ASSAY_OK;
}
