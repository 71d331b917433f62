/* text.c - see text.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/text.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

bool text_inside(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

const char *text_plural(int64_t n, const char *one, const char *many)
{
    return n == 1 ? one : many;
}

size_t text_character(const char *text, size_t left)
{
    const unsigned char *p = (const unsigned char *)text;
    /* RFC 3629, 4: shorter forms, surrogates and what lies beyond U+10FFFF are
     * ruled out by the second byte. */
    static const struct {
        unsigned char low, high;   /* first byte */
        unsigned char low2, high2; /* second byte */
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0x80, 0xbf, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
        {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
        {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t f = 0; f < sizeof forms / sizeof forms[0]; f++) {
        if (p[0] < forms[f].low || p[0] > forms[f].high)
            continue;
        size_t n = forms[f].length;
        if (n > left)
            return 0;
        if (n > 1 && (p[1] < forms[f].low2 || p[1] > forms[f].high2))
            return 0;
        for (size_t i = 2; i < n; i++)
            if (!text_inside(text[i]))
                return 0;
        return n;
    }
    return 0;
}

/* The code point at p and its length; a length of 0 where there is none. */
static uint32_t decode(const char *text, size_t *bytes)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t n = *bytes = text_character(text, 4); /* a NUL ends it before */
    uint32_t c = n == 1 ? p[0] : p[0] & (0x7fU >> n);
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (p[i] & 0x3f);
    return c;
}

/* Ranges that are not shown.  The bidirectional ones are all of Bidi_Control
 * in Unicode's PropList.txt (15.0). */
static const uint32_t hidden[][2] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0x061c, 0x061c}, {0x200e, 0x200f},
    {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfffe, 0xffff}};

bool text_shows(const char *text, size_t *bytes)
{
    uint32_t c = decode(text, bytes);
    if (*bytes == 0) {
        *bytes = 1;
        return false;
    }
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (c >= hidden[i][0] && c <= hidden[i][1])
            return false;
    return true;
}

void text_clean(char *to, size_t size, const char *from)
{
    size_t length = 0, n;
    for (; from && *from; from += n) {
        bool shown = text_shows(from, &n);
        size_t needed = shown ? n : 1;
        if (length + needed + 1 > size)
            break;
        if (shown)
            memmove(to + length, from, n);
        else
            to[length] = '?';
        length += needed;
    }
    to[length] = '\0';
}

enum {
    NAME_BYTES = 64 /* longer names have no near name */
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

int text_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    int rows[3][NAME_BYTES + 1] = {{0}};
    if (m > NAME_BYTES || n > NAME_BYTES)
        return NAME_BYTES;
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3];
        const int *before = rows[(i + 1) % 3];
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            int x = tolower((unsigned char)a[i - 1]);
            int y = tolower((unsigned char)b[j - 1]);
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j], above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == tolower((unsigned char)b[j - 2])
                && y == tolower((unsigned char)a[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
    }
    return rows[m % 3][n];
}

const char *text_nearest(const char *name, const char *const *names, int count)
{
    const char *best = NULL;
    int least_distance = 0;
    for (int i = 0; i < count; i++) {
        size_t m = strlen(name), n = strlen(names[i]);
        int d = text_distance(name, names[i]);
        if (3 * (size_t)d <= (m > n ? m : n) && (!best || d < least_distance)) {
            best = names[i];
            least_distance = d;
        }
    }
    return best;
}

const char *text_hint(char *to, const char *name, const char *const *names,
                      int count)
{
    const char *near = text_nearest(name, names, count);
    to[0] = '\0';
    if (near)
        snprintf(to, TEXT_HINT, " (nearest: '%.64s')", near);
    return to;
}

const char *text_class(char *to, const char *message)
{
    size_t n = 0;
    const char *p = message;
    for (; *p && n < TEXT_CLASS; p++)
        if (*p < '0' || *p > '9')
            to[n++] = *p;
        else if (n == 0 || to[n - 1] != '#')
            to[n++] = '#';
    /* Not half a character. */
    if (text_inside(*p)) {
        while (n > 0 && text_inside(to[n - 1]))
            n--;
        n -= n > 0;
    }
    to[n] = '\0';
    return to;
}
