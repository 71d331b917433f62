/* report_mask.c - texts without the folders of the machine; see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A page, a comment on a change and a file for continuous integration are read
 * by others: who built a backend where is no concern of theirs.  The name of
 * the file stays, because it says what was judged.  Tests: page.t.
 */
#include <ctype.h>
#include <string.h>

#include "report/report.h"

/* They hold the folders of persons: a path that begins with one does so after
 * any byte, as in "-I/home/ada/x". */
static const char *const homes[] = {"/home", "/Users"};

/* The one that text begins with; NULL: none. */
static const char *find_home(const char *text)
{
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        size_t n = strlen(homes[i]);
        if (strncmp(text, homes[i], n) == 0 && text[n] == '/')
            return homes[i];
    }
    return NULL;
}

/* How many bytes come before the path that begins at c; -1: none does.  A
 * division, an address and the name of a case are no paths, unless they have
 * the folder of a person. */
static int measure_lead(const char *text, const char *c)
{
    static const char file[] = "file://";
    if (c > text && !strchr(" \t\n\"'`=:,;([{<>|", c[-1]))
        return find_home(c) ? 0 : -1;
    int lead = strncmp(c, file, sizeof file - 1) == 0 ? (int)sizeof file - 1
               : *c == '~'                            ? 1
                                                      : 0;
    unsigned char next = c[lead] == '/' ? (unsigned char)c[lead + 1] : 0;
    return isalnum(next) || next >= 0x80 || (next && strchr("._-", next)) ? lead
                                                                          : -1;
}

/* A quoted path may have blanks. */
static size_t measure_path(const char *text, const char *c)
{
    char quote = c > text && strchr("\"'`", c[-1]) ? c[-1] : '\0';
    const char *end = quote ? strchr(c, quote) : NULL;
    if (end && memchr(c, '\n', (size_t)(end - c)))
        end = NULL;
    return end ? (size_t)(end - c) : strcspn(c, " \t\n\"'`:,;)]}<>|");
}

/* The file's name, or nothing of a home folder, which names a person. */
static const char *last_part(struct arena *a, const char *path, size_t n)
{
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t folder = n;
    while (folder > 0 && path[folder - 1] != '/')
        folder--;
    const char *home = find_home(path);
    if (home && folder == strlen(home) + 1)
        return "";
    return arena_printf(a, "/%.*s", (int)(n - folder), path + folder);
}

const char *report_mask_text(struct arena *a, const char *text)
{
    const char *shown = NULL, *kept = text;
    if (!text || !strchr(text, '/'))
        return text;
    for (const char *c = text; *c; c++) {
        int lead = measure_lead(text, c);
        if (lead < 0)
            continue;
        size_t n = measure_path(text, c);
        if (n <= (size_t)lead)
            continue;
        shown = arena_printf(a, "%s%.*s\xe2\x80\xa6%s", shown ? shown : "",
                             (int)(c - kept), kept,
                             last_part(a, c + lead, n - (size_t)lead));
        kept = c + n;
        c = kept - 1;
    }
    return shown ? arena_printf(a, "%s%s", shown, kept) : text;
}

const char *report_mask_shown(const struct report *r, struct arena *a,
                              const char *text)
{
    return r->masked ? report_mask_text(a, text) : text;
}

void report_mask(struct report *r)
{
    r->masked = true;
    for (int i = 0; i < r->run_count; i++) {
        struct report_run *run = &r->runs[i];
        /* The profile stays: budgets are looked up by it. */
        const char **texts[] = {&run->command,      &run->host,
                                &run->note,         &run->filter,
                                &run->backend,      &run->backend_version,
                                &run->backend_path, &run->backend_options};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            *texts[k] = report_mask_text(r->arena, *texts[k]);
        for (int m = 0; m < IDENTITY_COUNT; m++)
            run->identity.value[m] =
                report_mask_text(r->arena, run->identity.value[m]);
    }
}
