/* test_fate.c - the fate of a case, without processes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The rules are those of spec/verdicts.md (Attributing failures), for all sets
 * of facts that can be; the examples are worked out by hand.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/test/tap.h"
#include "runner/process/fate.h"

enum {
    FIRST = FATE_FIRST_CRASH | FATE_FIRST_TIMEOUT,
    JUDGES = FATE_JUDGE | FATE_MORE | FATE_READING,
    ROWS_MAX = 100
};

static const struct {
    const char *name;
    unsigned facts;
    enum fate fate;
} examples[] = {
    {"a crash, once", FATE_FAULT, FATE_IS_FIRST},
    {"a crash, twice", FATE_FAULT | FATE_FIRST_CRASH, FATE_IS_CRASH},
    {"a crash, then a result", FATE_RESULT | FATE_FIRST_CRASH, FATE_IS_FLAKE},
    {"a crash, then a timeout", FATE_TIMEOUT | FATE_FIRST_CRASH, FATE_IS_FLAKE},
    {"a timeout, then a result", FATE_RESULT | FATE_FIRST_TIMEOUT,
     FATE_IS_RESULT},
    {"a timeout, then a crash", FATE_FAULT | FATE_FIRST_TIMEOUT, FATE_IS_FIRST},
    {"a timeout, twice", FATE_TIMEOUT | FATE_FIRST_TIMEOUT, FATE_IS_ASK},
    {"and the reference ends",
     FATE_TIMEOUT | FATE_FIRST_TIMEOUT | FATE_ASKED | FATE_ENDS,
     FATE_IS_TIMEOUT},
    {"and it does not", FATE_TIMEOUT | FATE_FIRST_TIMEOUT | FATE_ASKED,
     FATE_IS_LIMIT},
    {"an expected crash", FATE_FAULT | FATE_EXPECTED, FATE_IS_EXPECTED},
    {"killed", FATE_OUTSIDE | FATE_KILLED, FATE_IS_AGAIN},
    {"killed, twice", FATE_OUTSIDE, FATE_IS_CRASH},
    {"no memory to make a case, twice",
     FATE_MAKING | FATE_MEMORY | FATE_FIRST_CRASH, FATE_IS_LIMIT},
    {"a case that cannot be made, twice",
     FATE_MAKING | FATE_FAULT | FATE_FIRST_CRASH, FATE_IS_ASK},
    {"but the reference can",
     FATE_MAKING | FATE_FAULT | FATE_FIRST_CRASH | FATE_ASKED | FATE_ENDS,
     FATE_IS_CRASH},
    {"the judge, once", FATE_JUDGE | FATE_MORE | FATE_FAULT, FATE_IS_AGAIN},
    {"the judge reading, twice", FATE_JUDGE | FATE_READING | FATE_FAULT,
     FATE_IS_CRASH},
    {"and no memory", FATE_JUDGE | FATE_READING | FATE_MEMORY, FATE_IS_LIMIT},
    {"the reference, twice", FATE_JUDGE | FATE_FAULT, FATE_IS_REFERENCE},
};

/* Facts that can hold together. */
static bool is_possible(unsigned f)
{
    bool judge = f & FATE_JUDGE;
    if (f & FATE_RESULT)
        return !(f & ~(unsigned)(FATE_RESULT | FIRST)) && (f & FIRST) != FIRST;
    return (f & FIRST) != FIRST && (judge || !(f & JUDGES))
           && (!judge || !(f & (FIRST | FATE_EXPECTED | FATE_ASKED)))
           && (!(f & FATE_KILLED) || (f & FATE_OUTSIDE))
           && (!(f & FATE_MORE) || !(f & FATE_OUTSIDE))
           && (!(f & FATE_FAULT) || !(f & (FATE_MEMORY | FATE_OUTSIDE)))
           && (!(f & FATE_EXPECTED)
               || !(f & (FATE_MAKING | FATE_OUTSIDE | FIRST)))
           && (!(f & FATE_ENDS) || (f & FATE_ASKED));
}

static bool concludes(enum fate fate)
{
    return fate == FATE_IS_FLAKE || fate == FATE_IS_TIMEOUT
           || fate == FATE_IS_CRASH || fate == FATE_IS_LIMIT
           || fate == FATE_IS_REFERENCE;
}

/* Checks what must hold of every fate. */
static bool is_fair(unsigned f, enum fate fate)
{
    bool once = !(f & (FIRST | FATE_OUTSIDE | FATE_JUDGE | FATE_RESULT));
    if ((f & (FATE_KILLED | FATE_MORE)) || once)
        return !concludes(fate);
    if (fate == FATE_IS_REFERENCE)
        return (f & FATE_FAULT) && !(f & FATE_ENDS);
    if (fate == FATE_IS_CRASH)
        return (f & FATE_JUDGE) ? (f & FATE_FAULT) && (f & FATE_READING)
                                : !(f & FATE_TIMEOUT);
    if (fate == FATE_IS_TIMEOUT)
        return (f & FATE_TIMEOUT) && (f & FATE_ENDS);
    return fate != FATE_IS_ASK || !(f & FATE_ASKED);
}

static void check_all(void)
{
    int used[ROWS_MAX] = {0}, count = 0, unfair = 0, idle = 0;
    unsigned first = 0;
    for (unsigned f = 0; f <= FATE_ALL; f++) {
        if (!is_possible(f))
            continue;
        count++;
        used[fate_row(f)]++;
        if (!is_fair(f, fate_of(f)) && unfair++ == 0)
            first = f;
    }
    for (int i = 0; i < fate_rows(); i++)
        idle += used[i] == 0;
    OK(unfair == 0, "%d sets of facts, each fair (not: %#x)", count, first);
    OK(idle == 0, "each row of %d decides some", fate_rows());
    OK(!is_fair(FATE_FAULT, FATE_IS_CRASH), "a control: a crash, once");
}

/* The whole text of a stream, or of a file. */
static char *read_all(FILE *f)
{
    enum {
        MOST = 1 << 20
    };
    char *text = calloc(1, MOST + 1);
    if (f && text) {
        rewind(f);
        text[fread(text, 1, MOST, f)] = '\0';
    }
    if (f)
        fclose(f);
    return text;
}

static void check_page(void)
{
    FILE *made = tmpfile();
    if (made)
        fate_table(made);
    char *table = read_all(made),
         *page = read_all(fopen("spec/verdicts.md", "r"));
    if (!OK(table && table[0] && page && strstr(page, table),
            "spec/verdicts.md has the table of fate.def"))
        fate_table(stdout);
    free(table);
    free(page);
}

int main(void)
{
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        EQ_INT(fate_of(examples[i].facts), examples[i].fate, "%s",
               examples[i].name);
    check_all();
    check_page();
    return tap_done();
}
