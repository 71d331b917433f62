/* no_op.c - says what it writes and writes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    return evil_write_part(b, x, e, error, UINT64_MAX);
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
