/* gate.h - what became of a case between two runs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef REPORT_GATE_H
#define REPORT_GATE_H

#include <stdio.h>

#include "interp/judge/verdict.h"

enum gate_fate {
#define GATE_FATE(name, letter, word, text) GATE_##name,
#include "report/gate.def"
#undef GATE_FATE
    GATE_COUNT
};

/* The fate by gate.def; VERDICT_COUNT stands for a case that is not planned. */
enum gate_fate gate_fate(enum verdict_status before, enum verdict_status after);
/* "new failure" */
const char *gate_word(enum gate_fate fate);
/* The table in Markdown, with what its letters mean. */
void gate_table(FILE *out);

#endif
