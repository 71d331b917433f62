/* fate.c - see fate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/process/fate.h"

#include <assert.h>

/* The facts of fate.def, by their names there. */
enum {
    RESULT = FATE_RESULT,
    JUDGE = FATE_JUDGE,
    MORE = FATE_MORE,
    OUTSIDE = FATE_OUTSIDE,
    KILLED = FATE_KILLED,
    EXPECTED = FATE_EXPECTED,
    FIRST_CRASH = FATE_FIRST_CRASH,
    FIRST_TIMEOUT = FATE_FIRST_TIMEOUT,
    TIMEOUT = FATE_TIMEOUT,
    MAKING = FATE_MAKING,
    READING = FATE_READING,
    FAULT = FATE_FAULT,
    MEMORY = FATE_MEMORY,
    ASKED = FATE_ASKED,
    ENDS = FATE_ENDS
};

static const struct {
    unsigned facts, never;
    enum fate fate;
    const char *first, *again, *text;
} rows[] = {
#define FATE(facts, never, fate, first, again, text) \
    {facts, never, FATE_IS_##fate, first, again, text},
#include "runner/process/fate.def"
#undef FATE
};

int fate_rows(void)
{
    return sizeof rows / sizeof *rows;
}

int fate_row(unsigned facts)
{
    int i = 0;
    while (i < fate_rows()
           && ((facts & rows[i].facts) != rows[i].facts
               || (facts & rows[i].never)))
        i++;
    assert(i < fate_rows());
    return i;
}

enum fate fate_of(unsigned facts)
{
    return rows[fate_row(facts)].fate;
}

void fate_table(FILE *out)
{
    fputs("| first | again | verdict |\n| --- | --- | --- |\n", out);
    for (int i = 0; i < fate_rows(); i++)
        if (rows[i].text[0])
            fprintf(out, "| %s | %s | %s |\n", rows[i].first, rows[i].again,
                    rows[i].text);
}
