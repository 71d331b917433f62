/* doc_source.c - a source as a person finds it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/sources.json names the documents and the headings of their sections in
 * English, because the public pages are in English; the lines are those of the
 * translations, which the digests are of.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/doc/doc.h"

static const struct json *find_document(const char *number)
{
    const struct json *list =
        json_member(spec_file("spec/sources.json"), "documents");
    for (const struct json *d = list ? list->child : NULL; d; d = d->next)
        if (strncmp(json_member(d, "number")->text, number, 3) == 0)
            return d;
    return NULL;
}

/* The heading above a line. */
static const char *find_section(const struct json *document, long line)
{
    const char *heading = "";
    const struct json *list = json_member(document, "sections");
    for (const struct json *s = list ? list->child : NULL; s; s = s->next)
        if (strtol(json_member(s, "line")->text, NULL, 10) <= line)
            heading = json_member(s, "heading")->text;
    return heading;
}

/* The length of "004:120-131" at text, 0 if it is something else. */
static size_t measure_lines(const char *text)
{
    size_t n = 0;
    while (n < 3 && isdigit((unsigned char)text[n]))
        n++;
    if (n != 3 || text[n] != ':' || !isdigit((unsigned char)text[n + 1]))
        return 0;
    n += 1 + strspn(text + n + 1, "0123456789");
    if (text[n] == '-' && isdigit((unsigned char)text[n + 1]))
        n += 1 + strspn(text + n + 1, "0123456789");
    return n;
}

/* 'Operation semantics, "Gather"', where lines begin; NULL for lines of no
 * document. */
static const char *name_section(struct arena *a, const char *lines)
{
    const struct json *d = find_document(lines);
    if (!d)
        return NULL;
    const char *title = json_member(d, "title")->text;
    const char *section = find_section(d, strtol(lines + 4, NULL, 10));
    return strcmp(section, title) == 0
               ? title
               : arena_printf(a, "%s, \"%s\"", title, section);
}

/* Lines, and those of the same section that follow in the list: other
 * translations of it.  *length is what is used of text. */
static const char *name_lines(struct arena *a, const char *text, size_t *length)
{
    const char *section = name_section(a, text);
    size_t n = measure_lines(text);
    if (!section) {
        *length = n;
        return arena_printf(a, "%.*s", (int)n, text);
    }
    const char *lines = arena_printf(a, "%.*s", (int)n, text);
    while (strncmp(text + n, "; ", 2) == 0) {
        const char *more = text + n + 2;
        size_t m = measure_lines(more);
        const char *same = m ? name_section(a, more) : NULL;
        if (!same || strcmp(same, section) != 0)
            break;
        lines = arena_printf(a, "%s, %.*s", lines, (int)m, more);
        n += 2 + m;
    }
    *length = n;
    return arena_printf(a, "%s (%s)", section, lines);
}

const char *doc_source(struct arena *a, const char *source)
{
    static const char *const names[][2] = {{"xla: ", "XLA: "},
                                           {"stablehlo: ", "StableHLO: "}};
    const char *text = "";
    bool start = true; /* of a word */
    for (const char *c = source; *c;) {
        size_t n = start ? measure_lines(c) : 0;
        const char *part = n ? name_lines(a, c, &n) : NULL;
        for (int i = 0; start && !part && i < 2; i++)
            if (strncmp(c, names[i][0], strlen(names[i][0])) == 0) {
                part = names[i][1];
                n = strlen(part);
            }
        if (!part) {
            n = strcspn(c, " (");
            n += c[n] == ' ' || c[n] == '(';
            part = arena_printf(a, "%.*s", (int)n, c);
        }
        start = part[strlen(part) - 1] == ' ' || part[strlen(part) - 1] == '(';
        text = arena_printf(a, "%s%s", text, part);
        c += n;
    }
    return text;
}
