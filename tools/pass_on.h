/* pass_on.h - the options of a command that is written in Python.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_PASS_ON_H
#define TOOLS_PASS_ON_H

#include <argp.h>

#include "interp/base/arena.h"

enum {
    PASS_ON_MOST = 14 /* import_exec takes so many */
};

struct pass_on {
    struct arena *arena;
    const char *python; /* --python, or NULL */
    int count;
    char *arguments[PASS_ON_MOST + 1]; /* in order; a NULL at the end */
};

/* Of argp's parser: keep an option of the table as "--NAME=VALUE", "python"
 * apart, and the other arguments as they are. */
error_t pass_on(struct pass_on *p, const struct argp_option *options, int key,
                char *text, struct argp_state *state);

#endif
