/* test_words.c - what is kept of a process that died.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The outputs are those of Abseil's CHECK, of glibc's assert and heap checks,
 * and of libstdc++'s terminate handler, as they print them.
 */
#include <stdio.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/process/child.h"

static const char *said(const char *output)
{
    static struct words w;
    memset(&w, 0, sizeof w);
    words_add(&w, output, strlen(output));
    return words_text(&w);
}

static void test_check(void)
{
    static const char failed[] =
        "F0000 00:00:1763783291.123456   12345 array.h:316] Check failed: "
        "a == b (0 vs. 12) \n"
        "*** Check failure stack trace: ***\n"
        "    @     0x7f9a6229a8d3  (unknown)\n"
        "    @     0x7f9a638b3518  compile_text.isra.0\n";
    EQ_STR(said(failed), "array.h:316] Check failed: a == b (0 vs. 12)",
           "the check that failed, without its time and its trace");
    struct words w = {0};
    for (const char *p = failed; *p; p++)
        words_add(&w, p, 1);
    EQ_STR(words_text(&w), "array.h:316] Check failed: a == b (0 vs. 12)",
           "the same byte by byte");
}

static void test_trace(void)
{
    struct words w = {0};
    words_add(&w, "x.c:3: f: Assertion `n > 0' failed.\n", 36);
    for (int i = 0; i < 1000; i++)
        words_add(&w, "    #7 0x55d0 in main /src/x.c:9\n", 33);
    EQ_STR(words_text(&w), "x.c:3: f: Assertion `n > 0' failed.",
           "a trace of a thousand frames hides nothing");
}

static void test_two(void)
{
    EQ_STR(said("terminate called after throwing an instance of 'E'\n"
                "  what():  no memory\n"),
           "terminate called after throwing an instance of 'E' |"
           " what():  no memory",
           "the first and the last fatal line");
    EQ_STR(said("FATAL: one\nFATAL: two\nFATAL: three\nplain\n"),
           "FATAL: one | FATAL: three", "those between are left out");
    EQ_STR(said("FATAL: one\nFATAL: one\n"), "FATAL: one",
           "not twice the same");
    char many[1000], a[401] = "", b[401] = "";
    memset(a, 'a', 400);
    memset(b, 'b', 400);
    snprintf(many, sizeof many, "FATAL: %s\nFATAL: %s", a, b);
    const char *text = said(many);
    OK(strlen(text) <= WORDS_SHOWN && strstr(text, "a | FATAL: b"),
       "two long ones share the text: %s", text);
}

static void test_plain(void)
{
    EQ_STR(said(""), "", "nothing said");
    EQ_STR(said("\n \n"), "", "nothing but blanks");
    EQ_STR(said("loading\nlast words"), "loading | last words",
           "no fatal line: the last ones, also without an end");
    EQ_STR(said("Check failed: a\nb\nhalf\x1e"), "",
           "nothing said since the case began");
    EQ_STR(said("Check failed: a\nhalf\x1e"
                "c\n"),
           "c", "only what was said since then");
    EQ_STR(said("free(): invalid pointer\n"), "free(): invalid pointer",
           "glibc's heap check");
    EQ_STR(said("*** stack smashing detected ***: terminated\n"),
           "*** stack smashing detected ***: terminated", "and of the stack");
    EQ_STR(said("F12 is a key\n    @ 0x1 f\n"), "F12 is a key",
           "no stamp of a fatal line");
    EQ_STR(said("a\033[31mred\a\xff\n"), "a?[31mred??", "control characters");
    struct words w = {0};
    for (int i = 0; i < 100000; i++)
        words_add(&w, "on and on ", 10);
    OK(strlen(words_text(&w)) == WORDS_SHOWN, "a line without end");
}

int main(void)
{
    test_check();
    test_trace();
    test_two();
    test_plain();
    return tap_done();
}
