/* cmd_import.c - assay import: a program of StableHLO or HLO as a case file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <argp.h>

#include "interp/base/arena.h"
#include "interp/base/limits.h"
#include "interp/specification/spec.h"
#include "tools/command.h"
#include "tools/import.h"

struct options {
    struct import import;
    const char *output;
};

static const struct argp_option options[] = {
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
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &o->import;
        return 0;
    case 'o':
        o->output = text;
        return 0;
    case 'p':
        o->import.python = text;
        return 0;
    case ARGP_KEY_ARG:
        if (o->import.file)
            argp_error(state, "expected one file");
        o->import.file = text;
        return 0;
    case ARGP_KEY_END:
        if (!o->import.file)
            argp_error(state, "expected a file");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int run(struct options *o, struct arena *a)
{
    const struct limits limits = LIMITS_DEFAULT;
    struct status st = {STATUS_OK};
    bool good = spec_load(&st) && import_open(a, &o->import, &st)
                && import_check(a, &o->import, &limits, &st)
                && import_write(&o->import, o->output, &st);
    import_close(&o->import);
    if (!good && st.text[0])
        command_complain("import", &st, NULL);
    return good                       ? COMMAND_OK
           : st.code == STATUS_SYSTEM ? COMMAND_BROKEN
                                      : COMMAND_USAGE;
}

int cmd_import(int argc, char **argv)
{
    static const struct argp_child children[] = {{&import_options, 0, NULL, 0},
                                                 {0}};
    static const struct argp argp = {
        options,
        parse,
        "FILE",
        "Write a program as a case file: StableHLO as text in the pretty or "
        "the generic form, bytecode, or a portable artifact; HLO as text or "
        "as a serialized HloModuleProto or HloProto."
        "\vRejects, with its location, anything that the case format cannot "
        "express. Several functions, and several modules with lines // ----- "
        "between them, may be in one file. Needs Python with jaxlib (make jax, "
        "or pip install jaxlib).\n\n"
        "Exit status: 0 success, 2 usage error, no jaxlib, or a program or an "
        "input that cannot be a case, 3 no room for the case file.",
        children,
        NULL,
        NULL};
    struct options o = {0};
    struct arena arena = ARENA_INIT;
    argp_err_exit_status = COMMAND_USAGE;
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    int result = run(&o, &arena);
    arena_free(&arena);
    return result;
}
