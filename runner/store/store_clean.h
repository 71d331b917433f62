/* store_clean.h - texts of a database that are not to be shown as they are.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A database that somebody else has made may have control characters, invalid
 * UTF-8 or NUL in its texts, which would reach terminals, pages and files
 * through everything that prints them.  So readers do not get them.
 */
#ifndef RUNNER_STORE_STORE_CLEAN_H
#define RUNNER_STORE_STORE_CLEAN_H

#include <stdbool.h>

#include "interp/base/status.h"

struct sqlite3;

/* Has any of its values characters that are not to be shown (text.h)? */
bool store_clean_needed(struct sqlite3 *db, bool *needed, struct status *st);
/* Replace them, in a copy that is nobody else's: U+FFFD; a space for a line
 * feed or tab, but in columns whose texts have lines. */
bool store_clean(struct sqlite3 *db, struct status *st);

#endif
