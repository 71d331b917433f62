/* error_overrun.c - writes 200 bytes after the text of an error, though there
 * is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    /* The compiler must not know how long it is. */
    char *volatile text = error->text;
    memset(text + sizeof error->text, 'x', 200);
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
