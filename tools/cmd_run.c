/* cmd_run.c - assay run: judge a backend on the cases.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "tools/command.h"

int cmd_run(int argc, char **argv)
{
    (void)argc;
    fprintf(stderr, "%s: not there yet\n", argv[0]);
    return COMMAND_BROKEN;
}
