/* pass_on.c - see pass_on.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tested by tools/test/kernel.t.
 */
#include "tools/verbs/pass_on.h"

#include "tools/verbs/command.h"
#include "tools/verbs/import.h"

void pass_on_option(void *target, const struct option_given *g)
{
    struct pass_on *p = target;
    /* One place is left for the file. */
    if (p->count == PASS_ON_MOST - 1)
        argp_error(g->state, "more than %d arguments", PASS_ON_MOST);
    p->arguments[p->count++] =
        g->text ? arena_printf(p->arena, "--%s=%s", g->name, g->text)
                : arena_printf(p->arena, "--%s", g->name);
}

char **pass_on_arguments(struct pass_on *p)
{
    if (p->file)
        p->arguments[p->count++] = arena_text(p->arena, p->file);
    return p->arguments;
}

int pass_on_run(const struct option_set *set, int argc, char **argv,
                const char *function)
{
    struct arena arena = ARENA_INIT;
    struct pass_on o = {.arena = &arena};
    option_parse(set, argc, argv, &o);
    import_exec(&arena, o.python, function, pass_on_arguments(&o));
    arena_free(&arena);
    return COMMAND_USAGE;
}
