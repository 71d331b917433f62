/* pass_on.c - see pass_on.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tested by tools/test/kernel.t.
 */
#include "tools/pass_on.h"

#include <string.h>

static void keep(struct pass_on *p, struct argp_state *state, char *text)
{
    if (p->count == PASS_ON_MOST)
        argp_error(state, "more than %d arguments", PASS_ON_MOST);
    p->arguments[p->count++] = text;
}

error_t pass_on(struct pass_on *p, const struct argp_option *options, int key,
                char *text, struct argp_state *state)
{
    if (key == ARGP_KEY_ARG) {
        keep(p, state, text);
        return 0;
    }
    for (const struct argp_option *o = options; o->name; o++)
        if (o->key == key && strcmp(o->name, "python") == 0) {
            p->python = text;
            return 0;
        } else if (o->key == key) {
            keep(p, state,
                 text ? arena_printf(p->arena, "--%s=%s", o->name, text)
                      : arena_printf(p->arena, "--%s", o->name));
            return 0;
        }
    return ARGP_ERR_UNKNOWN;
}
