/* cmd_settle.c - assay settle: of several results of one operation or program,
 * which is right?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written in Python (tools/python/assay/settle_command.py); this knows the
 * options, for the help, the manual and the completions.
 */
#include <argp.h>

#include "interp/base/arena.h"
#include "tools/command.h"
#include "tools/import.h"
#include "tools/pass_on.h"

enum {
    OPTION_HTML = 0x100,
    OPTION_PROFILE,
    OPTION_JSON
};

static const struct argp_option options[] = {
    {"html", OPTION_HTML, "FILE", 0, "Also write a page, to attach to an issue",
     0},
    {"json", OPTION_JSON, 0, 0, "Print the answer as JSON", 0},
    {"profile", OPTION_PROFILE, "PROFILE", 0,
     "Judge by this profile (the file's, or spec)", 0},
    {"python", 'p', "PROGRAM", 0,
     "Python interpreter with NumPy ($ASSAY_PYTHON, or that of `make jax`, or "
     "python3)",
     0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct pass_on *o = state->input;
    if (key == ARGP_KEY_ARG && state->arg_num > 0)
        argp_error(state, "expected one file");
    if (key == ARGP_KEY_END && state->arg_num == 0)
        argp_error(state, "expected a file");
    return pass_on(o, options, key, text, state);
}

int cmd_settle(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "FILE",
        "Say which of several results of an operation or a program are right, "
        "by how much the others are not, and why."
        "\vFILE is JSON: the operation or program, its operands, and the named "
        "results (tools/python/README.md).\n\n"
        "Exit status: 0 all results are right, 1 one is not, 2 usage error or "
        "bad input, 3 the answer could not be written.",
        NULL,
        NULL,
        NULL};
    argp_err_exit_status = COMMAND_USAGE;
    struct arena arena = ARENA_INIT;
    struct pass_on o = {.arena = &arena};
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    import_exec(&arena, o.python, "run_settle", o.arguments);
    arena_free(&arena);
    return COMMAND_USAGE;
}
