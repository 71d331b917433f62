/* no_op.c - says what it writes and writes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    return evil_write_part(b, x, e, error, UINT64_MAX);
}
