/* gate.c - see gate.h.  Tests: gate.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/gate.h"

#include <assert.h>

static const struct {
    char letter;
    const char *word, *text;
} fates[GATE_COUNT] = {
#define GATE_FATE(name, letter, word, text) {letter, word, text},
#include "report/gate.def"
#undef GATE_FATE
};

static const char *const table[VERDICT_COUNT + 1] = {
#define GATE_ROW(old, letters) [VERDICT_##old] = letters,
#include "report/gate.def"
#undef GATE_ROW
};

enum gate_fate gate_fate(enum verdict_status before, enum verdict_status after)
{
    assert(before <= VERDICT_COUNT && after <= VERDICT_COUNT);
    char letter = table[before][after];
    int i = 0;
    while (i + 1 < GATE_COUNT && fates[i].letter != letter)
        i++;
    return (enum gate_fate)i;
}

const char *gate_word(enum gate_fate fate)
{
    return fates[fate].word;
}

static const char *name_of(int status)
{
    return status == VERDICT_COUNT ? "not planned"
                                   : verdict_name((enum verdict_status)status);
}

void gate_table(FILE *out)
{
    fputs("| before \\ after |", out);
    for (int i = 0; i <= VERDICT_COUNT; i++)
        fprintf(out, " %s |", name_of(i));
    fputs("\n| --- |", out);
    for (int i = 0; i <= VERDICT_COUNT; i++)
        fputs(" --- |", out);
    for (int i = 0; i <= VERDICT_COUNT; i++) {
        fprintf(out, "\n| %s |", name_of(i));
        for (int k = 0; k <= VERDICT_COUNT; k++)
            fprintf(out, " %c |", table[i][k]);
    }
    fputs("\n\n| letter | what became of the case |\n| --- | --- |\n", out);
    for (int i = 0; i < GATE_COUNT; i++)
        fprintf(out, "| %c | %s |\n", fates[i].letter, fates[i].text);
}
