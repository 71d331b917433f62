/* command.h - what the verbs of assay have in common.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_COMMAND_H
#define TOOLS_COMMAND_H

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

#define COMMAND(name, function, help) command function;
#include "tools/commands.def"
#undef COMMAND

#endif
