/* pass_on.h - the options of a command that is written in Python.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PASS_ON_H
#define TOOLS_PASS_ON_H

#include "tools/verbs/option.h"

enum {
    PASS_ON_MOST = 14 /* import_exec takes so many */
};

struct pass_on {
    struct arena *arena;
    const char *python; /* --python, or NULL */
    const char *file;   /* the argument that is no option, or NULL */
    int count;
    char *arguments[PASS_ON_MOST + 1]; /* in order; a NULL at the end */
};

/* Keeps an option as "--NAME=VALUE". */
option_read pass_on_option;
/* All that was kept, and then the file. */
char **pass_on_arguments(struct pass_on *p);
/* Reads the options and runs a function of the package with them, which ends
 * the process; what it returns is the exit status if there is no Python. */
int pass_on_run(const struct option_set *set, int argc, char **argv,
                const char *function);

#endif
