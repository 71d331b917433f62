/* test_glob.c - names that a pattern stands for.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rules are POSIX.1, "Pattern Matching Notation", without its special case
 * for slashes, and ksh's lists of patterns.
 */
#include <stdio.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/test/tap.h"

static void test_match(void)
{
    static const struct {
        const char *glob, *name;
        bool matches;
    } rows[] = {
        {"Add/x", "Add/x", true},
        {"Add/x", "Add/xy", false},
        {"Add/xy", "Add/x", false},
        {"*", "Add/x", true},
        {"Add*", "Add/x@T=f32", true},
        {"*@T=f32", "Add/x@T=f32", true},
        {"*@T=f32", "Add/x@T=f64", false},
        {"Add/?", "Add/x", true},
        {"Add?x", "Add/x", true},
        {"Add/?", "Add/", false},
        {"Add/[x-z]", "Add/y", true},
        {"Add/[!x-z]", "Add/y", false},
        {"Add/\\*", "Add/*", true},
        {"Add/\\*", "Add/x", false},
        {"@(Add|Sub)/*", "Sub/x", true},
        {"@(Add|Sub)/*", "Mul/x", false},
        {"A!(dd)", "Add", false},
        {"A!(dd)", "Abs", true},
        {"Add(x)", "Add(x)", true},
        {"Add/x@D=[1]", "Add/x@D=[1]", true}, /* the name itself */
        {"Add/.x", "Add/.x", true},
        {"Add/*", "Add/.x", true},
        {"", "", true},
        {"", "x", false},
        {"Add/[]x]", "Add/]", true},
        {"Add/[!]x]", "Add/]", false},
        {"Add/[a\\]]", "Add/]", true},
        {"Add/[[:digit:]_]", "Add/7", true},
        {"Add/[[:digit:]_]", "Add/x", false},
        {"Add/[x-", "Add/[x-", true}, /* no set */
        {"*[x", "Add[x", true},
        {"[[:]]", ":]", true},
        {"*@(x", "Add@(x", true}, /* no list */
        {"@(a[)]|b)", "a)", true},
        {"@(a\\|b)", "a|b", true},
        {"@(a\\|b)", "b", false},
        {"+([0-9])x", "1024x", true},
        {"+([0-9])x", "x", false},
        {"*(ab|c)", "abccab", true},
        {"*(ab|c)", "abcb", false},
        {"?(a)b", "b", true},
        {"?(a)b", "aab", false},
        {"!(a*)b", "cb", true},
        {"!(*)b", "b", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        OK(glob_match(rows[i].glob, rows[i].name) == rows[i].matches,
           "'%s' %s '%s'", rows[i].glob,
           rows[i].matches ? "matches" : "does not match", rows[i].name);
}

static void test_plain(void)
{
    EQ_INT(glob_plain("Add/x@T=f32"), 11, "a name stands for itself");
    EQ_INT(glob_plain("Add/*"), 4, "up to a star");
    EQ_INT(glob_plain("Add/x@(a|b)"), 5, "up to a list");
    EQ_INT(glob_plain("@(Add|Sub)"), 0, "a list first");
}

/* Tries all that a glob may stand for: it takes too long for long ones.  end is
 * the glob's; a list is put into its choices, which its rest follows. */
static bool slow(const char *glob, const char *end, const char *name,
                 const char *stop);

/* The length of the list that begins there; its choices are split. */
static size_t split(const char *glob, const char **bars, int *count)
{
    int depth = 1;
    size_t n = 2;
    for (*count = 0; depth > 0; n++) {
        depth += glob[n] == '(' ? 1 : glob[n] == ')' ? -1 : 0;
        if (depth == 0 || (depth == 1 && glob[n] == '|'))
            bars[(*count)++] = glob + n;
    }
    return n;
}

static bool slow_choice(const char *glob, const char *name, const char *stop)
{
    const char *bars[16], *start = glob + 2;
    int count;
    split(glob, bars, &count);
    for (int i = 0; i < count; start = bars[i++] + 1)
        if (slow(start, bars[i], name, stop))
            return true;
    return false;
}

/* Is the name from there to stop some of the choices, one after the other? */
static bool slow_repeated(const char *glob, const char *name, const char *stop)
{
    if (name == stop || slow_choice(glob, name, stop))
        return true;
    for (const char *at = name + 1; at < stop; at++)
        if (slow_choice(glob, name, at) && slow_repeated(glob, at, stop))
            return true;
    return false;
}

static bool slow_list(const char *glob, const char *name, const char *stop)
{
    bool none = name == stop, once = slow_choice(glob, name, stop);
    switch (*glob) {
    case '@':
        return once;
    case '?':
        return none || once;
    case '!':
        return !once;
    case '*':
        return slow_repeated(glob, name, stop);
    default:
        return once || (!none && slow_repeated(glob, name, stop));
    }
}

static bool slow(const char *glob, const char *end, const char *name,
                 const char *stop)
{
    const char *bars[16];
    int count;
    if (glob == end)
        return name == stop;
    if (strchr("@?!*+", *glob) && glob + 1 < end && glob[1] == '(') {
        size_t n = split(glob, bars, &count);
        for (const char *at = name; at <= stop; at++)
            if (slow_list(glob, name, at) && slow(glob + n, end, at, stop))
                return true;
        return false;
    }
    if (*glob == '*')
        return slow(glob + 1, end, name, stop)
               || (name < stop && slow(glob, end, name + 1, stop));
    return name < stop && (*glob == '?' || *glob == *name)
           && slow(glob + 1, end, name + 1, stop);
}

enum {
    NAMES = 63, /* of a and b, at most five of them */
    PARTS = 7,
    LONG = 62
};

static const char many[] =
    "????????????????????????????????????????????????????????????????";

/* The i-th name: the bits of i + 1 without the first one. */
static const char *name_of(int i, char *to)
{
    int bits = 0, n = 0;
    while ((i + 1) >> (bits + 1))
        bits++;
    while (bits-- > 0)
        to[n++] = (i + 1) >> bits & 1 ? 'b' : 'a';
    to[n] = '\0';
    return to;
}

/* How many names one of them matches and the other does not.  In front of a
 * long name, the sets of places have more than one word. */
static int count_wrong(const char *glob)
{
    char name[8], long_glob[300], long_name[80];
    int wrong = 0;
    snprintf(long_glob, sizeof long_glob, "%.*s%s", LONG, many, glob);
    for (int i = 0; i < NAMES; i++) {
        name_of(i, name);
        snprintf(long_name, sizeof long_name, "%.*s%s", LONG, many, name);
        bool due = slow(glob, glob + strlen(glob), name, name + strlen(name));
        bool same = glob_match(glob, name) == due
                    && glob_match(long_glob, long_name) == due;
        if (!same && wrong++ == 0)
            printf("# %s and %s\n", glob, name);
    }
    return wrong;
}

/* The form, with the list for each %. */
static const char *fill(char *to, size_t size, const char *form,
                        const char *list)
{
    size_t n = 0;
    for (; *form; form++)
        n += *form == '%' ? (size_t)snprintf(to + n, size - n, "%s", list)
                          : (size_t)snprintf(to + n, size - n, "%c", *form);
    return to;
}

/* All lists of two choices that are themselves parts, alone, and with something
 * before, after or around them. */
static void test_slow(void)
{
    static const char *const parts[PARTS] = {"",   "a",      "*b",    "?",
                                             "ab", "!(a|b)", "+(ab|)"};
    static const char *const forms[] = {
        "%",    "a%",     "%*",      "?%b",      "%%",
        "!(%)", "*(%|b)", "@(%|a)b", "+(a%|b)%", "!(*(%)|?b)a"};
    char list[64], glob[200];
    int wrong = 0, count = 0;
    for (const char *kind = "@?!*+"; *kind; kind++)
        for (int i = 0; i < PARTS * PARTS; i++)
            for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
                snprintf(list, sizeof list, "%c(%s|%s)", *kind,
                         parts[i / PARTS], parts[i % PARTS]);
                wrong += count_wrong(fill(glob, sizeof glob, forms[f], list));
                count++;
            }
    EQ_INT(count, 2450, "globs of lists in lists");
    EQ_INT(wrong, 0, "match the same names if all ways are tried");
}

/* The name is in a long text of parts. */
static const char *repeated(char *to, size_t size, const char *part, int times)
{
    size_t n = 0;
    for (int i = 0; i < times; i++)
        n += (size_t)snprintf(to + n, size - n, "%s", part);
    return to;
}

/* Trying all ways would take years. */
static void test_hard(void)
{
    static char glob[4000], name[4000];
    repeated(name, sizeof name, "ab/@T=f32", 20);
    OK(!glob_match("@(*@(*@(*@(*|*)|*)|*)|*)q", name), "lists of stars");
    OK(!glob_match("+(+(+(+(a|b|?)|*)|*)|*)q", name), "repeated ones");
    OK(!glob_match("!(!(!(!(q)q)q)q)q", name), "negated ones");
    repeated(glob, sizeof glob, "@(*|*)", 300);
    OK(glob_match(glob, name), "one after the other");
    repeated(glob, sizeof glob, "*a", 900);
    OK(!glob_match(glob, name), "stars");
}

static void nest(char *glob, int depth)
{
    char middle[1000];
    int n = snprintf(glob, 4000, "%s", repeated(middle, 1000, "@(", depth));
    snprintf(glob + n, 1000, "a%s", repeated(middle, 1000, ")", depth));
}

static void test_limits(void)
{
    static char glob[4000];
    nest(glob, GLOB_DEPTH);
    OK(glob_allowed(glob) && glob_match(glob, "a"), "20 lists in one another");
    nest(glob, GLOB_DEPTH + 1);
    OK(!glob_allowed(glob) && !glob_match(glob, "a"), "but not 21");
    OK(glob_match(glob, glob), "unless it is the name");
    repeated(glob, sizeof glob, "@([)]", GLOB_DEPTH + 1);
    OK(!glob_allowed(glob), "a parenthesis in a set ends none");
    repeated(glob, sizeof glob, "@(a)", 100);
    OK(glob_allowed(glob), "one after the other, there may be more");
    repeated(glob, sizeof glob, "*", GLOB_BYTES);
    OK(glob_allowed(glob) && glob_match(glob, "a"), "2000 bytes");
    repeated(glob, sizeof glob, "*", GLOB_BYTES + 1);
    OK(!glob_allowed(glob) && !glob_match(glob, "a"), "but not 2001");
    repeated(glob, sizeof glob, "a", GLOB_BYTES + 1);
    OK(glob_allowed(glob), "unless nothing is special");
}

int main(void)
{
    test_match();
    test_plain();
    test_slow();
    test_hard();
    test_limits();
    return tap_done();
}
