/* cmd_kernel.c - assay kernel: judge a kernel by the program that it should
 * compute.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written in Python (tools/python/assay/kernel_command.py); this knows the
 * options, for the help, the manual and the completions.
 */

#include "tools/verbs/command.h"
#include "tools/verbs/pass_on.h"

static const struct option_row options[] = {
    {"program", 'g', "NAME|FILE", 0,
     "What it should compute: a name (--list), a program of StableHLO, or a "
     "case file with a module",
     0, OPTION_CALL(pass_on_option)},
    {"type", 't', "TYPES", 0,
     "Element types to try, such as 'f32 bf16' (f32, or the program's own)", 0,
     OPTION_CALL(pass_on_option)},
    {"sizes", 's', "SIZES", 0,
     "Sizes to try, such as R=3,N=131; may be repeated (the program's own)", 0,
     OPTION_CALL(pass_on_option)},
    {"data", 'd', "NAMES", 0, "Kinds of operands to try (all)", 0,
     OPTION_CALL(pass_on_option)},
    {"arrays", 0, "numpy|torch|jax", 0,
     "What a function in Python is given (numpy)", 0,
     OPTION_CALL(pass_on_option)},
    {"device", 0, "NAME", 0,
     "Where the arrays of torch or jax are, such as cuda", 0,
     OPTION_CALL(pass_on_option)},
    {"profile", 0, "PROFILE", 0,
     "Judge by this profile (the gate's own: spec without what it permits, "
     "where products and sums may be fused)",
     0, OPTION_CALL(pass_on_option)},
    {"seed", 0, "N", 0, "Draw other operands (0)", 0,
     OPTION_CALL(pass_on_option)},
    {"timeout", 0, "SECONDS", 0, "Limit of a call of a shared object (60)", 0,
     OPTION_CALL(pass_on_option)},
    {"json", 0, 0, 0, "Print the report as JSON", 0,
     OPTION_CALL(pass_on_option)},
    {"list", 0, 0, 0, "Print the names of the programs", 0,
     OPTION_CALL(pass_on_option)},
    {"python", 'p', "PROGRAM", 0,
     "Python interpreter with NumPy ($ASSAY_PYTHON, or that of `make jax`, or "
     "python3)",
     0, OPTION_TEXT(struct pass_on, python)},
    {0}};

int cmd_kernel(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "[FILE.so|FILE.py:FUNCTION]",
        .help =
            "Judge a kernel by the program that it should compute: in several "
            "sizes, on operands that show what kernels often get wrong.\vA "
            "shared object exports assay_kernel (spec/assay/kernel.h). Without "
            "a kernel, the program and its data are described.\n\nExit status: "
            "0 the kernel is right, 1 it is wrong, or nothing was judged, 2 "
            "usage error or bad input, 3 the report could not be written.",
        .surplus = "expected one kernel",
        .word = offsetof(struct pass_on, file)};
    return pass_on_run(&set, argc, argv, "run_kernel");
}
