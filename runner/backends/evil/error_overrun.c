/* error_overrun.c - writes 200 bytes after the text of an error, though there
 * is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    /* The compiler must not know how long it is. */
    char *volatile text = error->text;
    memset(text + sizeof error->text, 'x', 200);
    return code;
}
