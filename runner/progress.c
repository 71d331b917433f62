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

#include "runner/process/share.h"

enum {
    EVERY_MS = 100
};

void progress_begin(struct progress *p, bool wanted, int64_t total)
{
    const char *term = getenv("TERM");
    memset(p, 0, sizeof *p);
    p->on =
        wanted && isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    p->total = total;
    p->start = share_clock();
}

void progress_show(struct progress *p, int64_t done, int64_t failed)
{
    int64_t now = p->on ? share_clock() : 0;
    if (!p->on || now - p->last < EVERY_MS)
        return;
    int64_t spent = now - p->start, left = -1;
    if (done > 0 && spent > 2000)
        left = (p->total - done) * spent / done / 1000;
    fprintf(stderr,
            "\r\033[K%s%" PRId64 "/%" PRId64 " cases, %" PRId64 " failed",
            p->what ? p->what : "", done, p->total, failed);
    if (left >= 0)
        fprintf(stderr, ", %" PRId64 " s left", left);
    fflush(stderr);
    p->last = now;
    p->shown = true;
}

void progress_clear(struct progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}
