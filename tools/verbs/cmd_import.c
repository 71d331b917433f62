/* cmd_import.c - assay import: a program of StableHLO or HLO as a case file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#include "interp/base/arena.h"
#include "interp/base/limits.h"
#include "interp/specification/spec.h"
#include "tools/verbs/command.h"
#include "tools/verbs/import.h"

struct options {
    struct import import;
    const char *output;
};

static const struct option_row options[] = {
    {"output", 'o', "FILE.json", 0, "The case file (standard output)", 0,
     OPTION_TEXT(struct options, output)},
    {"python", 'p', "PROGRAM", 0,
     "Python interpreter with jaxlib ($ASSAY_PYTHON, or that of `make jax`, or "
     "python3)",
     0, OPTION_TEXT(struct options, import.python)},
    {0}};

static int import_program(struct options *o, struct arena *a)
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
    static const struct option_set set = {
        .options = options,
        .arguments = "FILE",
        .help = "Write a program as a case file: StableHLO as text in the "
                "pretty or the generic form, bytecode, or a portable artifact; "
                "HLO as text or as a serialized HloModuleProto or "
                "HloProto.\vRejects, with its location, anything that the case "
                "format cannot express. Several functions, and several modules "
                "with lines // ----- between them, may be in one file. Needs "
                "Python with jaxlib (make jax, or pip install jaxlib).\n\nExit "
                "status: 0 success, 2 usage error, no jaxlib, or a program or "
                "an input that cannot be a case, 3 no room for the case file.",
        .missing = "expected a file",
        .surplus = "expected one file",
        .word = offsetof(struct options, import.file),
        .children = {{&import_options, offsetof(struct options, import)}}};
    struct options o = {0};
    struct arena arena = ARENA_INIT;
    option_parse(&set, argc, argv, &o);
    int result = import_program(&o, &arena);
    arena_free(&arena);
    return result;
}
