/* stablehlo.c - see stablehlo.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/stablehlo/stablehlo.h"

#include <stdlib.h>

#include "interp/stablehlo/stablehlo_write.h"

static bool write_module(struct stablehlo_writer *w)
{
    const struct program *p = w->program;
    if (p->entries)
        return FAIL(w->st, UNSUPPORTED,
                    "a StableHLO module holds one program, not several");
    fprintf(w->out,
            "module @assay attributes {mhlo.num_replicas = %d : i32, "
            "mhlo.num_partitions = %d : i32} {\n",
            p->replicas, p->partitions);
    TRY(stablehlo_write_definition(w, p->entry, "@main", true));
    /* Functions may call functions: the list grows while it is written. */
    for (int i = 0; i < w->function_count; i++)
        TRY(stablehlo_write_definition(
            w, w->functions[i], stablehlo_write_function(w, w->functions[i]),
            false));
    fputs("}\n", w->out);
    return w->st->code == STATUS_OK;
}

bool stablehlo_text(struct arena *a, const struct program *p, const char **text,
                    struct status *st)
{
    char *buffer = NULL;
    size_t size = 0;
    struct stablehlo_writer w = {.arena = a, .program = p, .st = st};
    w.out = open_memstream(&buffer, &size);
    if (!w.out)
        return FAIL(st, SYSTEM, "not enough memory for the StableHLO text");
    bool good = write_module(&w);
    if (fclose(w.out) != 0)
        good = FAIL(st, SYSTEM, "not enough memory for the StableHLO text");
    if (good)
        *text = arena_text(a, buffer);
    free(buffer);
    return good;
}
