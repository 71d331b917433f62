/* json_scan.c - see json_scan.h.  Tests: test_json.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/json_scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/memory.h"
#include "interp/base/text.h"

/* The column of a place on the current line, in characters (not bytes).
 * Places come in rising order but for the start of a string that has no end:
 * count on from the last one, so that a long line costs its length once. */
static unsigned column_of(struct json_scan *s, size_t at)
{
    for (; s->counted < at; s->counted++)
        if (!text_inside(s->text[s->counted]))
            s->column++;
    return s->column;
}

static bool fail(struct json_scan *s, size_t at, const char *error)
{
    if (!s->error) {
        s->error = error;
        s->error_line = s->line;
        s->error_column = column_of(s, at);
    }
    return false;
}

/* The byte at the cursor, or -1 at the end. */
static int peek(const struct json_scan *s)
{
    return s->next < s->length ? (unsigned char)s->text[s->next] : -1;
}

static void skip_space(struct json_scan *s)
{
    for (; s->next < s->length; s->next++) {
        char c = s->text[s->next];
        if (c == '\n') {
            s->line++;
            s->counted = s->next + 1;
            s->column = 1;
        } else if (c != ' ' && c != '\t' && c != '\r') {
            return;
        }
    }
}

/* Four hexadecimal digits at the cursor, or -1. */
static int read_hex4(struct json_scan *s)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        int c = peek(s);
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        value = 16 * value + digit;
        s->next++;
    }
    return value;
}

/* An escape; the cursor is after the backslash. */
static bool scan_escape(struct json_scan *s)
{
    size_t at = s->next - 1;
    int c = peek(s);
    s->next++;
    if (c != -1 && c != 0 && strchr("\"\\/bfnrt", c))
        return true;
    if (c != 'u')
        return fail(s, at, "unknown escape in a string");
    int unit = read_hex4(s);
    if (unit < 0)
        return fail(s, at, "\\u must be followed by four hexadecimal digits");
    if (unit == 0)
        return fail(s, at, "a string may not contain NUL");
    if (unit >= 0xdc00 && unit <= 0xdfff)
        return fail(s, at, "unpaired surrogate in a string");
    if (unit < 0xd800 || unit > 0xdbff)
        return true;
    if (peek(s) != '\\' || (s->next++, peek(s) != 'u'))
        return fail(s, at, "unpaired surrogate in a string");
    s->next++;
    unit = read_hex4(s);
    if (unit < 0xdc00 || unit > 0xdfff)
        return fail(s, at, "unpaired surrogate in a string");
    return true;
}

static bool scan_string(struct json_scan *s)
{
    size_t start = s->next;
    s->next++;
    for (;;) {
        int c = peek(s);
        if (c == -1)
            return fail(s, start, "unterminated string");
        if (c == '"') {
            s->next++;
            return true;
        }
        if (c < 0x20)
            return fail(s, s->next, "control character in a string");
        if (c == '\\') {
            s->next++;
            if (!scan_escape(s))
                return false;
            continue;
        }
        size_t n = text_character(s->text + s->next, s->length - s->next);
        if (n == 0)
            return fail(s, s->next, "the text is not UTF-8");
        s->next += n;
    }
}

static size_t scan_digits(struct json_scan *s)
{
    size_t start = s->next;
    while (peek(s) >= '0' && peek(s) <= '9')
        s->next++;
    return s->next - start;
}

static bool scan_number(struct json_scan *s)
{
    size_t start = s->next;
    if (peek(s) == '-')
        s->next++;
    size_t first = s->next;
    size_t digits = scan_digits(s);
    if (digits == 0)
        return fail(s, start, "expected a value");
    if (digits > 1 && s->text[first] == '0')
        return fail(s, start, "a number may not begin with 0");
    if (peek(s) == '.') {
        s->next++;
        if (scan_digits(s) == 0)
            return fail(s, start, "expected a digit after the decimal point");
    }
    if (peek(s) == 'e' || peek(s) == 'E') {
        s->next++;
        if (peek(s) == '+' || peek(s) == '-')
            s->next++;
        if (scan_digits(s) == 0)
            return fail(s, start, "expected a digit in the exponent");
    }
    return true;
}

static bool scan_word(struct json_scan *s, const char *word)
{
    size_t n = strlen(word);
    if (s->length - s->next < n || memcmp(s->text + s->next, word, n) != 0)
        return fail(s, s->next, "expected a value");
    s->next += n;
    return true;
}

static size_t begin_value(struct json_scan *s)
{
    if (!MEMORY_GROW(s->values, s->count, s->room)) {
        fail(s, s->next, "not enough memory for this text");
        return SIZE_MAX;
    }
    struct json_scan_value *v = &s->values[s->count];
    v->start = s->next;
    v->line = s->line;
    v->column = column_of(s, s->next);
    return s->count++;
}

static bool scan_value(struct json_scan *s);

/* An array or object; the cursor is at its bracket. */
static bool scan_list(struct json_scan *s, char close, bool members)
{
    if (s->depth-- == 0)
        return fail(s, s->next, "values are nested too deeply");
    s->next++;
    skip_space(s);
    if (peek(s) == close) {
        s->next++;
        s->depth++;
        return true;
    }
    for (;;) {
        skip_space(s);
        if (members) {
            if (peek(s) != '"')
                return fail(s, s->next, "expected a member name");
            if (!scan_string(s))
                return false;
            skip_space(s);
            if (peek(s) != ':')
                return fail(s, s->next, "expected ':'");
            s->next++;
        }
        if (!scan_value(s))
            return false;
        skip_space(s);
        int c = peek(s);
        if (c != ',' && c != close)
            return fail(s, s->next,
                        members ? "expected ',' or '}'"
                                : "expected ',' or ']'");
        s->next++;
        if (c == close) {
            s->depth++;
            return true;
        }
    }
}

static bool scan_value(struct json_scan *s)
{
    skip_space(s);
    size_t v = begin_value(s);
    if (v == SIZE_MAX)
        return false;
    bool good;
    switch (peek(s)) {
    case '{':
        good = scan_list(s, '}', true);
        break;
    case '[':
        good = scan_list(s, ']', false);
        break;
    case '"':
        good = scan_string(s);
        break;
    case 't':
        good = scan_word(s, "true");
        break;
    case 'f':
        good = scan_word(s, "false");
        break;
    case 'n':
        good = scan_word(s, "null");
        break;
    default:
        good = scan_number(s);
        break;
    }
    s->values[v].length = s->next - s->values[v].start;
    return good;
}

bool json_scan_text(struct json_scan *s, const char *text, size_t length,
                    int depth_limit)
{
    *s = (struct json_scan){.text = text,
                            .length = length,
                            .line = 1,
                            .column = 1,
                            .depth = depth_limit};
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        return fail(s, 0, "the text begins with a byte order mark");
    skip_space(s);
    if (s->next == length)
        return fail(s, s->next, "the text is empty");
    if (!scan_value(s))
        return false;
    skip_space(s);
    if (s->next != length)
        return fail(s, s->next, "trailing characters after the value");
    return true;
}

void json_scan_free(struct json_scan *s)
{
    free(s->values);
    s->values = NULL;
}
