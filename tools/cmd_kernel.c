/* cmd_kernel.c - assay kernel: judge a kernel by the program that it should
 * compute.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written in Python (tools/python/assay/kernel_command.py); this knows the
 * options, for the help, the manual and the completions.
 */
#include <argp.h>

#include "interp/base/arena.h"
#include "tools/command.h"
#include "tools/import.h"
#include "tools/pass_on.h"

enum {
    OPTION_SEED = 0x100,
    OPTION_TIMEOUT,
    OPTION_ARRAYS,
    OPTION_DEVICE,
    OPTION_PROFILE,
    OPTION_JSON,
    OPTION_LIST
};

static const struct argp_option options[] = {
    {"program", 'g', "NAME|FILE", 0,
     "What it should compute: a name (--list), a program of StableHLO, or a "
     "case file with a module",
     0},
    {"type", 't', "TYPES", 0,
     "Element types to try, such as 'f32 bf16' (f32, or the program's own)", 0},
    {"sizes", 's', "SIZES", 0,
     "Sizes to try, such as R=3,N=131; may be repeated (the program's own)", 0},
    {"data", 'd', "NAMES", 0, "Kinds of operands to try (all)", 0},
    {"arrays", OPTION_ARRAYS, "numpy|torch|jax", 0,
     "What a function in Python is given (numpy)", 0},
    {"device", OPTION_DEVICE, "NAME", 0,
     "Where the arrays of torch or jax are, such as cuda", 0},
    {"profile", OPTION_PROFILE, "PROFILE", 0,
     "Judge by this profile (the gate's own: spec without what it permits, "
     "where products and sums may be fused)",
     0},
    {"seed", OPTION_SEED, "N", 0, "Draw other operands (0)", 0},
    {"timeout", OPTION_TIMEOUT, "SECONDS", 0,
     "Limit of a call of a shared object (60)", 0},
    {"json", OPTION_JSON, 0, 0, "Print the report as JSON", 0},
    {"list", OPTION_LIST, 0, 0, "Print the names of the programs", 0},
    {"python", 'p', "PROGRAM", 0,
     "Python interpreter with NumPy ($ASSAY_PYTHON, or that of `make jax`, or "
     "python3)",
     0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct pass_on *o = state->input;
    if (key == ARGP_KEY_ARG && state->arg_num > 0)
        argp_error(state, "expected one kernel");
    return pass_on(o, options, key, text, state);
}

int cmd_kernel(int argc, char **argv)
{
    static const struct argp argp = {
        options,
        parse,
        "[FILE.so|FILE.py:FUNCTION]",
        "Judge a kernel by the program that it should compute: in several "
        "sizes, on operands that reach what kernels forget."
        "\vA shared object exports assay_kernel (spec/assay/kernel.h). Without "
        "a kernel, the program and its data are described.\n\n"
        "Exit status: 0 the kernel is right, 1 it is wrong, or nothing was "
        "judged, 2 usage error or bad input, 3 the report could not be "
        "written.",
        NULL,
        NULL,
        NULL};
    argp_err_exit_status = COMMAND_USAGE;
    struct arena arena = ARENA_INIT;
    struct pass_on o = {.arena = &arena};
    if (argp_parse(&argp, argc, argv, 0, NULL, &o) != 0)
        return COMMAND_USAGE;
    import_exec(&arena, o.python, "run_kernel", o.arguments);
    arena_free(&arena);
    return COMMAND_USAGE;
}
