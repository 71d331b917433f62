/* test_text.c - foreign text made harmless; the nearest name.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is UTF-8 is RFC 3629, section 4; which characters are bidirectional
 * controls is Bidi_Control in Unicode's PropList.txt.
 */
#include <stdio.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/test/tap.h"

static const char *clean(const char *text)
{
    static char to[64];
    text_clean(to, sizeof to, text);
    return to;
}

/* A code point to U+FFFF in UTF-8. */
static const char *utf8(unsigned c)
{
    static char to[8];
    if (c < 0x80)
        snprintf(to, sizeof to, "%c", c);
    else if (c < 0x800)
        snprintf(to, sizeof to, "%c%c", 0xc0 | c >> 6, 0x80 | (c & 63));
    else
        snprintf(to, sizeof to, "%c%c%c", 0xe0 | c >> 12, 0x80 | (c >> 6 & 63),
                 0x80 | (c & 63));
    return to;
}

static void test_hidden(void)
{
    static const unsigned hidden[] = {
        0x01,   0x07,   0x08,   0x09,   0x0a,   0x0d,   0x1b,
        0x7f,   0x80,   0x85,   0x9b,   0x9f,   0x061c, 0x200e,
        0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d,
        0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0xfffe, 0xffff};
    static const unsigned shown[] = {' ',    '~',    0xa0,   0xe9,   0x061b,
                                     0x05d0, 0x200d, 0x2010, 0x202f, 0x2065,
                                     0x206a, 0x221e, 0xfffd};
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        EQ_STR(clean(utf8(hidden[i])), "?", "U+%04X is not shown", hidden[i]);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        char text[8];
        snprintf(text, sizeof text, "%s", utf8(shown[i]));
        EQ_STR(clean(text), text, "U+%04X is shown", shown[i]);
    }
    EQ_STR(clean("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80", "U+1F600 is shown");
}

static void test_malformed(void)
{
    EQ_STR(clean(NULL), "", "no text");
    EQ_STR(clean("\xff\xfe"), "??", "bytes that never occur");
    EQ_STR(clean("\xc0\x80"), "??", "an overlong NUL");
    EQ_STR(clean("\xe0\x80\xaf"), "???", "an overlong slash");
    EQ_STR(clean("\xed\xa0\x80"), "???", "a surrogate");
    EQ_STR(clean("\xf4\x90\x80\x80"), "????", "beyond U+10FFFF");
    EQ_STR(clean("\xe2\x80"), "??", "a character cut off by the end");
    EQ_STR(clean("\xe2\x28\xa1"), "?(?", "the byte after it is kept");
}

static void test_size(void)
{
    char to[4];
    text_clean(to, sizeof to, "ab\xc3\xa9");
    EQ_STR(to, "ab", "a character that does not fit is left out");
    text_clean(to, sizeof to, "a\xc3\xa9z");
    EQ_STR(to, "a\xc3\xa9", "one that fits is not");
    text_clean(to, 1, "x");
    EQ_STR(to, "", "room for nothing");
    char own[] = "a\x1b\xe2\x80\xae\xc3\xa9";
    text_clean(own, sizeof own, own);
    EQ_STR(own, "a??\xc3\xa9", "in place");
}

/* Two digits become one #: half of the last character would fit. */
static void test_class(void)
{
    char class[TEXT_CLASS + 1], message[TEXT_CLASS + 4], want[TEXT_CLASS + 1];
    EQ_STR(text_class(class, "at 0x7f12 of 3"), "at #x#f# of #", "numbers");
    memset(message, 'a', sizeof message);
    memcpy(message + TEXT_CLASS, "\xe2\x80\xa6", 4);
    memcpy(message, "42", 2);
    memset(want, 'a', sizeof want);
    want[0] = '#';
    want[TEXT_CLASS - 1] = '\0';
    EQ_STR(text_class(class, message), want, "a character is not cut in two");
}

static void test_nearest(void)
{
    static const char *const names[] = {"quick", "default", "full", "Add",
                                        "AddDependency"};
    EQ_INT(text_distance("kitten", "sitting"), 3, "Levenshtein's example");
    EQ_INT(text_distance("", "abc"), 3, "from nothing");
    EQ_INT(text_distance("ca", "ac"), 1, "neighbours change places");
    EQ_INT(text_distance("ADD", "add"), 0, "regardless of case");
    EQ_STR(text_nearest("defualt", names, 5), "default", "a typing error");
    EQ_STR(text_nearest("add", names, 5), "Add", "case");
    EQ_STR(text_nearest("ful", names, 5), "full", "a letter less");
    OK(!text_nearest("zzzzz", names, 5), "nothing is near");
    OK(!text_nearest("", names, 5), "nor to nothing");
}

static void test_plural(void)
{
    EQ_STR(text_plural(1, "case was", "cases were"), "case was", "one");
    EQ_STR(text_plural(0, "case", "cases"), "cases", "none");
    EQ_STR(text_plural(2, "case", "cases"), "cases", "two");
}

int main(void)
{
    test_plural();
    test_hidden();
    test_malformed();
    test_size();
    test_class();
    test_nearest();
    return tap_done();
}
