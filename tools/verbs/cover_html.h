/* cover_html.h - the deviations of all operations as a page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COVER_HTML_H
#define TOOLS_COVER_HTML_H

#include "tools/verbs/cover_row.h"

/* To standard output.  rows: by operation.  folder: where the case files are,
 * for links to them; NULL: none. */
void cover_html(const struct deviation_table *table,
                struct cover_row *const *rows,
                const int64_t counts[COVER_FATES], const char *folder);

#endif
