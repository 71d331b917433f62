/* partial.c - writes the first half of each output only.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    return evil_write_part(b, x, e, error, 2);
}
