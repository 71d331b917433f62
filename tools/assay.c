/* assay.c - the one command: finds the verb and calls it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/command.h"

struct verb {
    const char *name;
    command *function;
    const char *help;
};

static const struct verb verbs[] = {
#define COMMAND(name, function, help) {name, function, help},
#include "tools/commands.def"
#undef COMMAND
};

enum {
    VERBS = sizeof verbs / sizeof verbs[0],
    TITLE = 64
};

static const struct verb *find(const char *name)
{
    for (int i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

static void usage(FILE *f)
{
    fprintf(f, "Usage: assay COMMAND [OPTION...]\n"
               "Judge implementations of XLA's operations by exact"
               " reference.\n\n");
    for (int i = 0; i < VERBS; i++)
        fprintf(f, "  %-12s %s\n", verbs[i].name, verbs[i].help);
    fprintf(f, "\n`assay COMMAND --help` tells the options of a command.\n");
}

/* What could not be written was said already. */
static bool told;
static pid_t own_process;

static int run(const struct verb *verb, int argc, char **argv)
{
    char title[TITLE];
    snprintf(title, sizeof title, "assay %s", verb->name);
    argv[0] = title;
    int code = verb->function(argc, argv);
    /* What could not be written was not said. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: standard output: %s\n", title, strerror(errno));
        told = true;
        return code == COMMAND_OK ? COMMAND_BROKEN : code;
    }
    return code;
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        usage(stdout);
        return COMMAND_OK;
    }
    const struct verb *verb = find(argv[1]);
    if (!verb) {
        fprintf(stderr, "assay: no such command: %s\n", argv[1]);
        return COMMAND_USAGE;
    }
    char option[] = "--help", *arguments[] = {argv[1], option, NULL};
    return run(verb, 2, arguments);
}

/* Help and version, which argp prints too, and ends the program after. */
static void flush_at_end(void)
{
    /* Not for a worker, which has this from its parent. */
    if (told || getpid() != own_process
        || (fflush(stdout) == 0 && !ferror(stdout)))
        return;
    fprintf(stderr, "assay: standard output: %s\n", strerror(errno));
    _exit(COMMAND_BROKEN);
}

int main(int argc, char **argv)
{
    own_process = getpid();
    atexit(flush_at_end);
    if (argc < 2) {
        usage(stderr);
        return COMMAND_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0
        || strcmp(name, "help") == 0)
        return help(argc - 1, argv + 1);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        puts("assay " ASSAY_VERSION);
        return COMMAND_OK;
    }
    const struct verb *verb = find(name);
    if (!verb) {
        fprintf(stderr,
                "assay: no such command: %s\n"
                "assay: `assay help` lists the commands\n",
                name);
        return COMMAND_USAGE;
    }
    return run(verb, argc - 1, argv + 1);
}
