/* tap.c - see tap.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/tap.h"

#include <inttypes.h>

enum form {
    OK,
    NOT_OK,
    OK_SKIP,
    OK_TODO,
    NOT_TODO
};

static const enum form forms[VERDICT_COUNT] = {
#define VERDICT(name, text, failure, tap, junit, colour, meaning) \
    [VERDICT_##name] = tap,
#include "interp/judge/verdict.def"
#undef VERDICT
};

/* A number sign would begin a directive. */
static void put(FILE *f, const char *text)
{
    for (; *text; text++) {
        if (*text == '#' || *text == '\\')
            putc('\\', f);
        putc(*text == '\n' ? ' ' : *text, f);
    }
}

/* A YAML string in double quotes. */
static void put_yaml(FILE *f, const char *key, const char *text)
{
    fprintf(f, "  %s: \"", key);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putc('\\', f);
        putc((unsigned char)*text < ' ' ? ' ' : *text, f);
    }
    fputs("\"\n", f);
}

void tap_begin(FILE *f, int64_t count)
{
    fprintf(f, "TAP version 13\n1..%" PRId64 "\n", count);
}

void tap_result(FILE *f, int64_t number, const char *name,
                enum verdict_status status, const char *text,
                const char *command)
{
    enum form form = forms[status];
    bool bad = form == NOT_OK || form == NOT_TODO;
    fprintf(f, "%sok %" PRId64 " - ", bad ? "not " : "", number);
    put(f, name);
    if (form == OK_SKIP) {
        fprintf(f, " # SKIP %s: ", verdict_name(status));
        put(f, text);
    } else if (form == NOT_TODO || form == OK_TODO) {
        fprintf(f, " # TODO %s: ", verdict_name(status));
        put(f, text);
    }
    putc('\n', f);
    if (form != NOT_OK)
        return;
    fputs("  ---\n", f);
    put_yaml(f, "status", verdict_name(status));
    put_yaml(f, "message", text);
    if (command)
        put_yaml(f, "command", command);
    fputs("  ...\n", f);
}
