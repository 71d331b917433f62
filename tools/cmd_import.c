/* cmd_import.c - assay import: a program of StableHLO as a case file.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * MLIR is read by jaxlib's bindings, so the command is written in Python
 * (tools/python/assay/import_command.py); this starts it, with the options as
 * they are.
 */
#include <argp.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/arena.h"
#include "tools/command.h"

struct options {
    const char *file, *inputs, *output, *python;
};

static const struct argp_option options[] = {
    {"inputs", 'i', "FILE.npz", 0,
     "Operands of the entry, in order, as numpy.savez writes them (random "
     "numbers)",
     0},
    {"output", 'o', "FILE.json", 0, "The case file (standard output)", 0},
    {"python", 'p', "PROGRAM", 0,
     "Python that has jaxlib ($ASSAY_PYTHON, or that of `make jax`, or "
     "python3)",
     0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct options *o = state->input;
    switch (key) {
    case 'i':
        o->inputs = text;
        return 0;
    case 'o':
        o->output = text;
        return 0;
    case 'p':
        o->python = text;
        return 0;
    case ARGP_KEY_ARG:
        if (o->file)
            argp_error(state, "expected one file");
        o->file = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->file)
            argp_error(state, "expected a file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The folder of this program. */
static const char *own_folder(struct arena *a)
{
    char *own = arena_alloc(a, PATH_MAX);
    ssize_t n = readlink("/proc/self/exe", own, PATH_MAX - 1);
    own[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    return own;
}

static const char *find_python(struct arena *a, const struct options *o,
                               const char *own)
{
    const char *made = arena_printf(a, "%s/jax/bin/python", own);
    const char *named = getenv("ASSAY_PYTHON");
    if (o->python)
        return o->python;
    if (named && *named)
        return named;
    return access(made, X_OK) == 0 ? made : "python3";
}

/* In the source tree the package is not installed. */
static void find_package(struct arena *a, const char *own)
{
    const char *tree = arena_printf(a, "%s/../tools/python", own);
    const char *path = getenv("PYTHONPATH");
    if (access(arena_printf(a, "%s/assay", tree), R_OK | X_OK) == 0)
        setenv("PYTHONPATH",
               path && *path ? arena_printf(a, "%s:%s", tree, path) : tree, 1);
}

int cmd_import(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "FILE",
        "Write a program of StableHLO as a case file: text in the pretty or "
        "the "
        "generic form, bytecode, or a portable artifact."
        "\vWhat the case format cannot say is refused with its place. Needs "
        "Python with jaxlib (make jax, or pip install jaxlib).\n\n"
        "Exit status: 0 success, 2 usage error, no jaxlib, or a program or an "
        "input that cannot be a case, 3 no room for the case file.",
        NULL,
        NULL,
        NULL};
    static const char code[] =
        "import sys\n"
        "try:\n"
        "    from assay.__main__ import main\n"
        "except ModuleNotFoundError as e:\n"
        "    print(f'assay import: {sys.executable} has no package {e.name}: "
        "'\n"
        "          'install the wheel (make wheel) there, or name a Python '\n"
        "          'that has it: --python', file=sys.stderr)\n"
        "    sys.exit(2)\n"
        "main()\n";
    struct options o = {NULL};
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    struct arena arena = ARENA_INIT, *a = &arena;
    const char *own = own_folder(a), *python = find_python(a, &o, own);
    find_package(a, own);
    const char *arguments[12] = {python, "-c", code, "import"};
    int n = 4;
    if (o.inputs)
        arguments[n++] = "--inputs", arguments[n++] = o.inputs;
    if (o.output)
        arguments[n++] = "--output", arguments[n++] = o.output;
    arguments[n++] = "--";
    arguments[n] = o.file;
    execvp(python, (char **)(uintptr_t)arguments);
    fprintf(stderr, "assay import: %s: %s; name a Python with --python\n",
            python, strerror(errno));
    arena_free(a);
    return COMMAND_USAGE;
}
