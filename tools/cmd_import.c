/* cmd_import.c - assay import: a program of StableHLO as a case file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>
#include <stdint.h>

#include "interp/base/arena.h"
#include "tools/command.h"
#include "tools/import.h"

struct options {
    const char *file, *inputs, *output, *python;
};

static const struct argp_option options[] = {
    {"inputs", 'i', "FILE.npz", 0,
     "Operands of the entry, in order, in a file that numpy.savez writes "
     "(random numbers)",
     0},
    {"output", 'o', "FILE.json", 0, "The case file (standard output)", 0},
    {"python", 'p', "PROGRAM", 0,
     "Python interpreter with jaxlib ($ASSAY_PYTHON, or that of `make jax`, or "
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

int cmd_import(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "FILE",
        "Write a program of StableHLO as a case file: text in the pretty or "
        "the generic form, bytecode, or a portable artifact."
        "\vRejects, with its location, anything that the case format cannot "
        "express. Needs Python with jaxlib (make jax, or pip install "
        "jaxlib).\n\n"
        "Exit status: 0 success, 2 usage error, no jaxlib, or a program or an "
        "input that cannot be a case, 3 no room for the case file.",
        NULL,
        NULL,
        NULL};
    struct options o = {NULL};
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    struct arena arena = ARENA_INIT, *a = &arena;
    const char *arguments[8];
    int n = 0;
    if (o.inputs)
        arguments[n++] = "--inputs", arguments[n++] = o.inputs;
    if (o.output)
        arguments[n++] = "--output", arguments[n++] = o.output;
    arguments[n++] = "--";
    arguments[n++] = o.file;
    arguments[n] = NULL;
    import_exec(a, o.python, (char **)(uintptr_t)arguments);
    arena_free(a);
    return COMMAND_USAGE;
}
