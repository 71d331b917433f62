/* command.c - see command.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void command_complain(const char *verb, const struct status *st,
                      const char *place)
{
    const char *path = st->path ? st->path : place;
    fflush(stdout);
    if (path && st->line > 0)
        fprintf(stderr, "%s:%u:%u: %s: %s\n", path, st->line, st->column,
                st->member && *st->member ? st->member : "/", st->text);
    else
        fprintf(stderr, "assay %s: %s%s%s\n", verb, path ? path : "",
                path ? ": " : "", st->text);
}

bool command_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && (!no || !*no) && term
           && strcmp(term, "dumb") != 0;
}
