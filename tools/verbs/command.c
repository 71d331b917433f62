/* command.c - see command.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_BYTES = 8192 /* longer than a path and its text */
};

enum command_exit command_complain(const char *verb, const struct status *st,
                                   const char *place)
{
    char line[LINE_BYTES];
    struct status at = *st;
    at.path = st->path ? st->path : place;
    status_line(&at, line, sizeof line);
    fflush(stdout);
    if (at.path && at.line > 0)
        fprintf(stderr, "%s\n", line);
    else
        fprintf(stderr, "assay %s: %s\n", verb, line);
    return COMMAND_USAGE;
}

enum command_exit command_fail(const char *verb, const struct status *st,
                               const char *place)
{
    command_complain(verb, st, place);
    return st->code == STATUS_INPUT ? COMMAND_USAGE : COMMAND_BROKEN;
}

const char *command_advice(const char *text)
{
    return strstr(text, "inadmissible: ")
               ? "a set is too wide for the operation that uses it: assay run "
                 "--steps judges each operation alone; smaller or other "
                 "operands (--inputs), or a profile that decides more "
                 "(--profile strict), narrow the sets"
               : NULL;
}

bool command_colour(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return isatty(STDOUT_FILENO) && (!no || !*no) && term
           && strcmp(term, "dumb") != 0;
}
