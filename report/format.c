/* format.c - see format.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/format.h"

#include <string.h>

#include "interp/base/dtype.h"
#include "interp/base/text.h"
#include "interp/data/show.h"
#include "interp/exact/real.h"

/* Write what escape says for a character, or the character. */
static void write_escaped(FILE *out, const char *text, size_t limit,
                          bool newlines, const char *(*escape)(unsigned char c))
{
    size_t written = 0, n;
    for (const char *p = text; p && *p; p += n) {
        if (limit && written >= limit) {
            fputs("\xe2\x80\xa6", out);
            return;
        }
        bool shown = text_shows(p, &n) || (newlines && *p == '\n');
        const char *instead = n == 1 ? escape((unsigned char)*p) : NULL;
        if (instead)
            fputs(instead, out);
        else if (shown)
            fwrite(p, 1, n, out);
        else
            fputs("\xef\xbf\xbd", out);
        written += n;
    }
}

static const char *no_escape(unsigned char c)
{
    return c == '\n' || c == '\t' ? " " : NULL;
}

static const char *xml_escape(unsigned char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\t':
        return " ";
    default:
        return NULL;
    }
}

static const char *json_escape(unsigned char c)
{
    switch (c) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\t':
        return "\\t";
    case '<': /* so that it may be in a page's script */
        return "\\u003c";
    default:
        return NULL;
    }
}

static const char *markdown_escape(unsigned char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '|':
        return "&#124;";
    case '`':
        return "&#96;";
    case '*':
        return "&#42;";
    case '_':
        return "&#95;";
    case '[':
        return "&#91;";
    case ']':
        return "&#93;";
    case '#':
        return "&#35;";
    case '@': /* names nobody */
        return "&#64;";
    case '\\':
        return "&#92;";
    case '\n':
    case '\t':
        return " ";
    default:
        return NULL;
    }
}

void format_plain(FILE *out, const char *text)
{
    write_escaped(out, text, 0, false, no_escape);
}

void format_column(FILE *out, const char *text, int width)
{
    int room = width < 0 ? -width : width;
    size_t bytes = 0;
    for (; text[bytes]; bytes++)
        if (!text_inside(text[bytes]) && room-- == 0)
            break;
    room = room < 0 ? 0 : room;
    fprintf(out, "%*s%.*s%*s", width < 0 ? room : 0, "", (int)bytes, text,
            width < 0 ? 0 : room, "");
}

void format_xml(FILE *out, const char *text, size_t limit)
{
    write_escaped(out, text, limit, true, xml_escape);
}

void format_json(FILE *out, const char *text)
{
    if (!text) {
        fputs("null", out);
        return;
    }
    putc('"', out);
    write_escaped(out, text, 0, false, json_escape);
    putc('"', out);
}

void format_json_member(FILE *out, const char *before, const char *key,
                        const char *text)
{
    fprintf(out, "%s\"%s\": ", before, key);
    format_json(out, text);
}

void format_markdown(FILE *out, const char *text)
{
    write_escaped(out, text, 0, false, markdown_escape);
}

static uint64_t magnitude(int64_t n)
{
    return n < 0 ? -(uint64_t)n : (uint64_t)n;
}

const char *format_micro(struct arena *a, int64_t micro)
{
    uint64_t m = magnitude(micro);
    char *text = arena_printf(a, "%s%llu.%06llu", micro < 0 ? "-" : "",
                              (unsigned long long)(m / 1000000),
                              (unsigned long long)(m % 1000000));
    size_t n = strlen(text);
    while (text[n - 1] == '0')
        n--;
    if (text[n - 1] == '.')
        n--;
    text[n] = '\0';
    return text;
}

const char *format_ulps(struct arena *a, int64_t micro)
{
    return micro >= REAL_ERROR_MAX    ? "at least 10^12"
           : micro <= -REAL_ERROR_MAX ? "at most -10^12"
                                      : format_micro(a, micro);
}

void format_json_ulps(FILE *out, struct arena *a, const char *key, bool has,
                      int64_t micro)
{
    bool beyond = micro >= REAL_ERROR_MAX || micro <= -REAL_ERROR_MAX;
    fprintf(out, "\"%s\": %s", key,
            has && !beyond ? format_micro(a, micro) : "null");
    if (has && beyond)
        fprintf(out, ", \"%s_beyond\": \"%s\"", key, format_ulps(a, micro));
}

const char *format_short(struct arena *a, int64_t micro)
{
    /* Rounded away from zero: an error is never shown smaller than it is. */
    uint64_t m = magnitude(micro), unit = 1;
    if (m >= REAL_ERROR_MAX)
        return micro < 0 ? "at most -10^12" : "at least 10^12";
    while (m / unit >= 1000 && unit < 1000000)
        unit *= 10;
    if (m >= 1000000000) {
        int power = 0;
        uint64_t ulps = m / 1000000 + (m % 1000000 != 0);
        if (ulps < 1000000)
            return arena_printf(a, "%s%llu", micro < 0 ? "-" : "",
                                (unsigned long long)ulps);
        while (ulps >= 100) {
            ulps = ulps / 10 + (ulps % 10 != 0);
            power++;
        }
        return arena_printf(a, "%s%llu.%llue%d", micro < 0 ? "-" : "",
                            (unsigned long long)(ulps / 10),
                            (unsigned long long)(ulps % 10), power + 1);
    }
    uint64_t up = (m + unit - 1) / unit * unit;
    return format_micro(a, micro < 0 ? -(int64_t)up : (int64_t)up);
}

const char *format_sentence(struct arena *a, const char *text)
{
    if (*text < 'a' || *text > 'z')
        return text;
    return arena_printf(a, "%c%s", *text - 'a' + 'A', text + 1);
}

const char *format_count(struct arena *a, int64_t n)
{
    uint64_t m = magnitude(n);
    const char *text = "";
    for (; m >= 1000; m /= 1000)
        text = arena_printf(a, ",%03u%s", (unsigned)(m % 1000), text);
    return arena_printf(a, "%s%u%s", n < 0 ? "-" : "", (unsigned)m, text);
}

const char *format_share(struct arena *a, int64_t part, int64_t whole)
{
    if (whole <= 0)
        return "";
    /* A damaged database may hold anything. */
    part = part < 0 ? 0 : part > whole ? whole : part;
    /* 100 only for all of them, 0 only for none. */
    int64_t permille =
        part <= INT64_MAX / 1000 ? part * 1000 / whole : part / (whole / 1000);
    if (part > 0 && permille == 0)
        permille = 1;
    return permille % 10 ? arena_printf(a, "%d.%d", (int)(permille / 10),
                                        (int)(permille % 10))
                         : arena_printf(a, "%d", (int)(permille / 10));
}

static bool known(const char *type, uint64_t bits, enum dtype *t)
{
    if (!type || !dtype_parse(type, strlen(type), t))
        return false;
    *t = dtype_unit(*t); /* of a complex type: one component */
    return (bits & ~dtype_mask(*t)) == 0;
}

const char *format_decimal(struct arena *a, const char *type, uint64_t bits)
{
    enum dtype t;
    if (!known(type, bits, &t))
        return format_bits(a, type, bits);
    return show_decimal(a, t, bits);
}

const char *format_hexfloat(struct arena *a, const char *type, uint64_t bits)
{
    enum dtype t;
    if (!known(type, bits, &t) || dtype_class(t) != DTYPE_FLOAT)
        return NULL;
    return show_hexfloat(a, t, bits);
}

const char *format_bits(struct arena *a, const char *type, uint64_t bits)
{
    enum dtype t;
    int digits = known(type, bits, &t) ? (dtype_table[t].bits + 3) / 4 : 1;
    return arena_printf(a, "%0*llx", digits, (unsigned long long)bits);
}

const char *format_fraction(struct arena *a, int64_t part, int64_t whole,
                            int digits)
{
    double unit = 1, share = (double)part / (double)whole;
    for (int i = 0; i < digits; i++)
        unit /= 10;
    if (part < whole && share > 1 - unit)
        share = 1 - unit;
    if (part > 0 && share < unit)
        share = unit;
    return arena_printf(a, "%.*f", digits, share);
}
