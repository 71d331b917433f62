/* refuse.c - gives an error where a value is expected.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    snprintf(error->text, sizeof error->text, "it is too early in the day");
    return ASSAY_FAILED;
}
