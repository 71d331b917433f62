/* flaky.c - crashes the first time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    if (evil_first_time())
        abort();
    return evil_execute(b, x, e, error);
}
