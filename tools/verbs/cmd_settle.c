/* cmd_settle.c - assay settle: of several results of one operation or program,
 * which is right?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Written in Python (tools/python/assay/settle_command.py); this knows the
 * options, for the help, the manual and the completions.
 */

#include "tools/verbs/command.h"
#include "tools/verbs/pass_on.h"

static const struct option_row options[] = {
    {"html", 0, "FILE", 0, "Also write a page, to attach to an issue", 0,
     OPTION_CALL(pass_on_option)},
    {"json", 0, 0, 0, "Print the answer as JSON", 0,
     OPTION_CALL(pass_on_option)},
    {"profile", 0, "PROFILE", 0, "Judge by this profile (the file's, or spec)",
     0, OPTION_CALL(pass_on_option)},
    {"python", 'p', "PROGRAM", 0,
     "Python interpreter with NumPy ($ASSAY_PYTHON, or that of `make jax`, or "
     "python3)",
     0, OPTION_TEXT(struct pass_on, python)},
    {0}};

int cmd_settle(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "FILE",
        .help = "Say which of several results of an operation or a program are "
                "right, by how much the others are off, and why.\vFILE is "
                "JSON: the operation or program, its operands, and the named "
                "results (tools/python/README.md).\n\nExit status: 0 all "
                "results are right, 1 one is not, 2 usage error or bad input, "
                "3 the answer could not be written.",
        .missing = "expected a file",
        .surplus = "expected one file",
        .word = offsetof(struct pass_on, file)};
    return pass_on_run(&set, argc, argv, "run_settle");
}
