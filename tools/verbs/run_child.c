/* run_child.c - see run_child.h.  Tests: compare.t, bisect.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/verbs/run_child.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/verbs/command.h"

static char **make_arguments(struct arena *a, const struct run_child *run,
                             int *argc)
{
    const char *const begin[] = {"assay run",  "--quiet",    "--backend",
                                 run->backend, "--database", run->database};
    char **argv = arena_new(
        a, char *, (size_t)(8 + run->option_count + 2 * run->glob_count));
    *argc = 0;
    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        argv[(*argc)++] = arena_text(a, begin[i]);
    for (int i = 0; i < run->option_count; i++)
        argv[(*argc)++] = arena_text(a, run->options[i]);
    for (int i = 0; i < run->glob_count; i++) {
        argv[(*argc)++] = arena_printf(a, "--filter");
        argv[(*argc)++] = arena_text(a, run->globs[i]);
    }
    return argv;
}

int run_child(struct arena *a, const struct run_child *run)
{
    int argc;
    char **argv = make_arguments(a, run, &argc);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO);
        int code = cmd_run(argc, argv);
        fflush(NULL);
        _exit(code);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) < 0 || !WIFEXITED(status))
        return COMMAND_BROKEN;
    return WEXITSTATUS(status);
}
