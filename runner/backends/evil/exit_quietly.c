/* exit_quietly.c - ends its process, and says that all is well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    exit(0);
}
