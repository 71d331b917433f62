/* words.h - the last output of a process that died, reduced to what explains
 * its death.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A check that fails prints one line and then, often, a stack trace of many,
 * so the end of the output is the least useful part.  Lines are sorted as they
 * come: fatal ones (the first and the last are kept), frames of a stack trace
 * (dropped), and others (the last are kept).  A process that comes to something
 * else says so by one byte in its output, so that what an earlier case printed
 * is not taken for the reason of a later one's crash.
 */
#ifndef RUNNER_PROCESS_WORDS_H
#define RUNNER_PROCESS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum {
    WORDS_BEGIN = 0x1e, /* ASCII's record separator: forget what came before */
    WORDS_LINE = 240,   /* bytes kept of a line */
    WORDS_SHOWN = 200,
};

struct words {
    char line[WORDS_LINE + 1]; /* that is not complete yet */
    int length;
    char first[WORDS_LINE + 1], last[WORDS_LINE + 1]; /* fatal ones */
    char other[WORDS_SHOWN + 1];                      /* the end of the rest */
    char text[WORDS_SHOWN + 1];                       /* words_text */
};

/* Take n more bytes of output. */
void words_add(struct words *w, const char *bytes, size_t n);

/* One line, harmless (text_clean), "" if there is nothing: the first and the
 * last fatal line, or else the last lines that belong to no stack trace, with
 * " | " between lines. */
const char *words_text(struct words *w);

#endif
