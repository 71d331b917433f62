/* progress.c - see progress.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner/process/ring.h"

enum {
    TERMINAL_MS = 100,
    FIRST_MS = 10 * 1000,
    LONGEST_MS = 600 * 1000
};

void progress_begin(struct progress *p, bool wanted, int64_t total)
{
    const char *term = getenv("TERM");
    memset(p, 0, sizeof *p);
    p->on = wanted;
    p->terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    p->total = total;
    p->start = ring_clock();
    p->due = p->start + (p->terminal ? TERMINAL_MS : FIRST_MS);
}

/* Lines of a log: after 10, 20, 40 s and so on, however late each was. */
static int64_t next_due(const struct progress *p, int64_t now)
{
    int64_t pause = p->due - p->start;
    if (p->terminal)
        return now + TERMINAL_MS;
    if (pause > LONGEST_MS)
        pause = LONGEST_MS;
    return (now - p->due < pause ? p->due : now) + pause;
}

void progress_show(struct progress *p, int64_t done, int64_t failed)
{
    if (p->on)
        progress_show_at(p, ring_clock(), done, failed);
}

void progress_show_at(struct progress *p, int64_t now, int64_t done,
                      int64_t failed)
{
    if (!p->on || now < p->due)
        return;
    int64_t spent = now - p->start, left = -1;
    if (done > 0 && spent > 2000)
        left = (p->total - done) * spent / done / 1000;
    fprintf(stderr, "%s%s%" PRId64 "/%" PRId64 " cases, %" PRId64 " failed",
            p->terminal ? "\r\033[K" : "", p->what ? p->what : "", done,
            p->total, failed);
    if (left >= 0)
        fprintf(stderr, ", %" PRId64 " s left", left);
    if (!p->terminal)
        fputc('\n', stderr);
    fflush(stderr);
    p->due = next_due(p, now);
    p->shown = p->terminal;
}

void progress_clear(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
