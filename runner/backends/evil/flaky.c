/* flaky.c - crashes the first time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    if (evil_first_time())
        abort();
    return evil_execute(b, x, e, error);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
