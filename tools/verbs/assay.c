/* assay.c - the command: finds the subcommand and calls it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/inherited.h"
#include "interp/base/text.h"
#include "runner/plan/digest.h"
#include "runner/store/identity.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

struct verb {
    const char *name;
    command *function;
    const char *help;
};

static const struct verb verbs[] = {
#define COMMAND(name, function, help) {name, function, help},
#include "tools/verbs/commands.def"
#undef COMMAND
};

enum {
    VERBS = sizeof verbs / sizeof verbs[0],
    TITLE = 64
};

static const struct verb *verb_named(const char *name)
{
    for (int i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

static int unknown(const char *name)
{
    const char *names[VERBS];
    char hint[TEXT_HINT];
    for (int i = 0; i < VERBS; i++)
        names[i] = verbs[i].name;
    fprintf(stderr,
            "assay: no such command: %s%s\n"
            "assay: `assay help` lists the commands\n",
            name, text_hint(hint, name, names, VERBS));
    return COMMAND_USAGE;
}

static void usage(FILE *f)
{
    fprintf(f, "Usage: assay COMMAND [OPTION...]\n"
               "Judge implementations of XLA's operations by exact"
               " reference.\n\n");
    for (int i = 0; i < VERBS; i++)
        fprintf(f, "  %-12s %s\n", verbs[i].name, verbs[i].help);
    fprintf(f, "\n`assay COMMAND --help` lists the options of a command.\n");
}

/* The failed write was already reported. */
static bool told;
static pid_t own_process;

/* Output is missing: that is not a success. */
static int end(const char *title, int code)
{
    errno = 0;
    bool flushed = fflush(stdout) == 0;
    if (flushed && !ferror(stdout))
        return code;
    /* Where an earlier write failed, errno is about something else. */
    struct pollfd out = {.fd = STDOUT_FILENO};
    const char *why = poll(&out, 1, 0) > 0 && out.revents & POLLERR
                          ? "closed by the reader"
                      : flushed || errno == 0 ? "cannot be written"
                                              : strerror(errno);
    fprintf(stderr, "%s: standard output: %s\n", title, why);
    told = true;
    return code == COMMAND_OK ? COMMAND_BROKEN : code;
}

static int run_verb(const struct verb *verb, int argc, char **argv)
{
    char title[TITLE];
    snprintf(title, sizeof title, "assay %s", verb->name);
    argv[0] = title;
    /* A file that grows beyond `ulimit -f` is a failed write like any other.
     * If the reader goes away, a command that only prints ends, but not one
     * that records results. */
    signal(SIGXFSZ, SIG_IGN);
    if (verb->function == cmd_run || verb->function == cmd_sweep
        || verb->function == cmd_hunt)
        signal(SIGPIPE, SIG_IGN);
    return end(title, verb->function(argc, argv));
}

static int help(int argc, char **argv)
{
    if (argc < 2) {
        usage(stdout);
        return COMMAND_OK;
    }
    const struct verb *verb = verb_named(argv[1]);
    if (!verb) {
        return unknown(argv[1]);
    }
    char option[] = "--help", *arguments[] = {argv[1], option, NULL};
    return run_verb(verb, 2, arguments);
}

/* Help and version, which argp prints too, and ends the program after. */
static void flush_at_end(void)
{
    /* Not for a worker, which inherits this from its parent. */
    if (told || getpid() != own_process
        || (fflush(stdout) == 0 && !ferror(stdout)))
        return;
    fprintf(stderr, "assay: standard output: %s\n", strerror(errno));
    _exit(COMMAND_BROKEN);
}

static void print_version(void)
{
    struct arena a = ARENA_INIT;
    const char *suite = identity_suite_version(&a, digest_shipped());
    printf("assay " ASSAY_VERSION "\nsuite %s%s%s\n", suite ? suite : "",
           suite ? " " : "", digest_shipped());
    arena_free(&a);
}

int main(int argc, char **argv)
{
    inherited_restore();
    own_process = getpid();
    if (argc > 0)
        option_program = argv[0];
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
        print_version();
        return COMMAND_OK;
    }
    const struct verb *verb = verb_named(name);
    if (!verb) {
        return unknown(name);
    }
    return run_verb(verb, argc - 1, argv + 1);
}
