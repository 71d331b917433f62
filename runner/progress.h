/* progress.h - a progress line: on a terminal one that is rewritten, elsewhere
 * a line now and then, so that a log neither stays silent nor fills up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUNNER_PROGRESS_H
#define RUNNER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool on, terminal, shown;
    int64_t total, start, due; /* times in ms; due: of the next line */
    const char *what; /* is being done, before the numbers; may be NULL */
};

/* A line on standard error, if wanted.  Where that is no terminal (TERM=dumb is
 * none), the first is printed after 10 s, and the next ones after twice as long
 * each, but at least every 10 minutes. */
void progress_begin(struct progress *p, bool wanted, int64_t total);
void progress_show(struct progress *p, int64_t done, int64_t failed);
/* Shows what would be shown if the time, as ring_clock tells it, were now. */
void progress_show_at(struct progress *p, int64_t now, int64_t done,
                      int64_t failed);
/* Clear the line before something else is written. */
void progress_clear(struct progress *p);

#endif
