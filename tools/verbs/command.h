/* command.h - what the verbs of assay have in common.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

#include "interp/base/status.h"

/* How assay ends.  Documented in its manual; scripts rely on it. */
enum command_exit {
    COMMAND_OK = 0,           /* all is well */
    COMMAND_FAILED = 1,       /* a case failed; files differ */
    COMMAND_USAGE = 2,        /* wrong usage or bad input */
    COMMAND_BROKEN = 3,       /* the run itself failed */
    COMMAND_INTERRUPTED = 130 /* by SIGINT or SIGTERM */
};

/* A verb: argv[0] is "assay NAME", the rest its arguments; returns the exit
 * status. */
typedef int command(int argc, char **argv);

/* Print to standard error why "assay VERB" failed: the place in the input as
 * FILE:LINE:COLUMN: /MEMBER, or place (a file; or NULL), and the text.  Always
 * returns COMMAND_USAGE. */
enum command_exit command_complain(const char *verb, const struct status *st,
                                   const char *place);
/* The same; COMMAND_USAGE for bad input, else COMMAND_BROKEN. */
enum command_exit command_fail(const char *verb, const struct status *st,
                               const char *place);

/* Advice where `text` says that a program has no bounded result, or that an
 * instruction of it has none; NULL: it says something else. */
const char *command_advice(const char *text);

/* Is standard output for people who want colours: a terminal that has them,
 * and NO_COLOR unset? */
bool command_colour(void);

#define COMMAND(name, function, help) command function;
#include "tools/verbs/commands.def"
#undef COMMAND

#endif
