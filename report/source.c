/* source.c - where a rule comes from, as a reader finds it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * spec/sources.json names the documents and the headings of their sections in
 * English, because the public pages are in English; the lines are those of the
 * translations, which the digests are of.
 */
#include "report/source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/json.h"
#include "interp/specification/spec.h"

static const struct json *list_places(void)
{
    const struct json *list =
        json_member(spec_file("spec/sources.json"), "places");
    return list ? list->child : NULL;
}

/* "004"; or "xla: ", what a source without lines begins with. */
static const char *place_name(const struct json *place)
{
    return json_member(place, "name")->text;
}

/* Documents have sections, and three digits for a name. */
static bool is_document(const struct json *place)
{
    return json_member(place, "sections") != NULL;
}

static const struct json *find_document(const char *number)
{
    for (const struct json *p = list_places(); p; p = p->next)
        if (is_document(p) && strncmp(place_name(p), number, 3) == 0)
            return p;
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

/* A document's number without lines: "004 does not specify it". */
static size_t measure_number(const char *text)
{
    size_t n = strspn(text, "0123456789");
    return n == 3 && text[3] != ':' && text[3] != '-' && text[3] != '.'
                   && find_document(text)
               ? 3
               : 0;
}

/* The first place that the text names; longer names are first. */
static const struct json *find_named(const char *text)
{
    for (const struct json *p = list_places(); p; p = p->next)
        if (!is_document(p)
            && strncmp(text, place_name(p), strlen(place_name(p))) == 0)
            return p;
    return NULL;
}

/* The replacement of a word of a source; NULL: it stays.  *length is the part
 * of the text that it replaces. */
static const char *name_word(struct arena *a, const char *text, size_t *length)
{
    if ((*length = measure_lines(text)) > 0)
        return name_lines(a, text, length);
    if ((*length = measure_number(text)) > 0)
        return json_member(find_document(text), "title")->text;
    const struct json *p = find_named(text);
    if (!p)
        return NULL;
    const char *title = json_member(p, "title")->text;
    *length = strlen(place_name(p));
    return text[*length - 1] == ' ' ? arena_printf(a, "%s: ", title)
           : text[*length] == ' '   ? arena_printf(a, "%s,", title)
                                    : title;
}

const char *source_words(struct arena *a, const char *source)
{
    const char *text = "";
    bool start = true; /* of a word */
    for (const char *c = source; *c;) {
        size_t n;
        const char *part = start ? name_word(a, c, &n) : NULL;
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

/* ---- Places -------------------------------------------------------------- */

static const struct json *place_at(int i)
{
    const struct json *p = list_places();
    while (i-- > 0 && p)
        p = p->next;
    return p;
}

static const char *place_text(int i, const char *member)
{
    const struct json *p = place_at(i);
    const struct json *m = p ? json_member(p, member) : NULL;
    return m ? m->text : NULL;
}

int source_count(void)
{
    int n = 0;
    for (const struct json *p = list_places(); p; p = p->next)
        n++;
    return n;
}

const char *source_title(int place)
{
    return place_text(place, "title");
}

const char *source_address(int place)
{
    return place_text(place, "address");
}

const char *source_language(int place)
{
    return place_text(place, "language");
}

bool source_is_first(int place)
{
    for (int i = 0; i < place; i++)
        if (strcmp(source_title(i), source_title(place)) == 0)
            return false;
    return true;
}

bool source_cites(const char *source, int place)
{
    if (!source_is_first(place))
        return false;
    for (const char *c = source; *c; c += strcspn(c, " ("), c += *c != 0) {
        const struct json *p = measure_lines(c) || measure_number(c)
                                   ? find_document(c)
                                   : find_named(c);
        if (p
            && strcmp(json_member(p, "title")->text, source_title(place)) == 0)
            return true;
    }
    return false;
}
