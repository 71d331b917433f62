/* status.c - see status.h.  Tests: test_case.c, test_assay_reference.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "interp/base/text.h"

static const char *const names[STATUS_COUNT] = {
#define STATUS(code, name, meaning) [STATUS_##code] = name,
#include "interp/base/status.def"
};

const char *status_name(enum code code)
{
    return (unsigned)code < STATUS_COUNT ? names[code] : "?";
}

bool status_find_class(const char *name, enum code *code)
{
    for (int c = STATUS_SHAPE; c <= STATUS_UNSUPPORTED; c++)
        if (strcmp(status_name((enum code)c), name) == 0) {
            *code = (enum code)c;
            return true;
        }
    return false;
}

bool status_set(struct status *st, enum code code, const char *source,
                const char *format, ...)
{
    if (st->code != STATUS_OK)
        return false;
    st->code = code;
    st->source = source;

    va_list args;
    va_start(args, format);
    vsnprintf(st->text, sizeof st->text, format, args);
    va_end(args);
    text_clean(st->text, sizeof st->text, st->text);
    return false;
}

void status_line(const struct status *st, char *line, size_t size)
{
    if (st->path && st->line > 0)
        snprintf(line, size, "%s:%u:%u: %s: %s", st->path, st->line, st->column,
                 st->member && *st->member ? st->member : "/", st->text);
    else
        snprintf(line, size, "%s%s%s", st->path ? st->path : "",
                 st->path ? ": " : "", st->text);
    /* A member, too, has the name that the file gives it. */
    text_clean(line, size, line);
}
