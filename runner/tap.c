/* tap.c - see tap.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/tap.h"

#include <inttypes.h>

#include "interp/base/text.h"

enum tap_form tap_form(enum verdict_status status)
{
    static const enum tap_form forms[VERDICT_COUNT] = {
#define VERDICT(name, text, failure, tap, junit, colour, meaning) \
    [VERDICT_##name] = tap,
#include "interp/judge/verdict.def"
#undef VERDICT
    };
    return forms[status];
}

/* A number sign would begin a directive. */
static void write_text(FILE *f, const char *text)
{
    for (size_t n; *text; text += n) {
        bool shown = text_shows(text, &n);
        if (*text == '#' || *text == '\\')
            putc('\\', f);
        if (*text == '\n' || *text == '\t')
            putc(' ', f);
        else if (shown)
            fwrite(text, 1, n, f);
        else
            fputs("\xef\xbf\xbd", f);
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

void tap_line(FILE *f, int64_t number, const char *before, const char *name,
              enum verdict_status status, const char *text)
{
    enum tap_form form = tap_form(status);
    bool bad = form == TAP_NOT_OK || form == TAP_NOT_TODO;
    fprintf(f, "%sok %" PRId64 " - ", bad ? "not " : "", number);
    if (before) {
        write_text(f, before);
        putc(' ', f);
    }
    write_text(f, name);
    if (form != TAP_OK && form != TAP_NOT_OK) {
        fprintf(f, " # %s %s: ", form == TAP_OK_SKIP ? "SKIP" : "TODO",
                verdict_name(status));
        write_text(f, text);
    }
    putc('\n', f);
}

void tap_result(FILE *f, int64_t number, const char *name,
                enum verdict_status status, const char *text,
                const char *command)
{
    tap_line(f, number, NULL, name, status, text);
    if (tap_form(status) != TAP_NOT_OK)
        return;
    fputs("  ---\n", f);
    put_yaml(f, "status", verdict_name(status));
    put_yaml(f, "message", text);
    if (command)
        put_yaml(f, "command", command);
    fputs("  ...\n", f);
}
