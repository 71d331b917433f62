/* empty_output.c - says that its results have no bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_OUTPUT(o)
{
    o->bytes = 0;
}
