/* second_refused.c - returns an error when an executable is executed again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    if (evil_earlier == 0)
        return evil_execute(b, x, e, error);
    snprintf(error->text, sizeof error->text, "once is enough");
    return ASSAY_FAILED;
}
