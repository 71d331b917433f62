/* outlet.c - see record.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A full pipe blocks its writer, and a blocked run records nothing.  The
 * descriptor cannot be made non-blocking, as others share it (the shell has the
 * same terminal), so it is polled before each write.  A pipe that is reported
 * writable takes PIPE_BUF bytes without blocking, and no more are written at a
 * time.  run.t tests this.
 */
#define _GNU_SOURCE /* fopencookie */
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runner/record.h"

enum {
    ROOM_FIRST = 1 << 16
};

/* Not MEMORY_GROW: a piece may have any length, and text that was written
 * makes room at the front first. */
static bool make_room(struct outlet *o, size_t n)
{
    size_t kept = o->end - o->first;
    if (o->room - o->end >= n)
        return true;
    /* By half empty, so that each byte moves once or twice. */
    if (o->first >= o->room / 2 && o->room - kept >= n) {
        memmove(o->text, o->text + o->first, kept);
        o->first = 0;
        o->end = kept;
        return true;
    }
    size_t room = o->room ? o->room : ROOM_FIRST;
    while (room - o->end < n)
        room *= 2;
    char *text = realloc(o->text, room);
    if (!text)
        return false;
    o->text = text;
    o->room = room;
    return true;
}

static ssize_t keep(void *self, const char *text, size_t n)
{
    struct outlet *o = self;
    if (!make_room(o, n))
        return 0;
    memcpy(o->text + o->end, text, n);
    o->end += n;
    return (ssize_t)n;
}

bool outlet_open(struct outlet *o)
{
    struct stat about;
    *o = (struct outlet){.to = STDOUT_FILENO};
    fflush(stdout); /* earlier output goes first */
    o->is_file = fstat(o->to, &about) == 0 && S_ISREG(about.st_mode);
    o->file = fopencookie(o, "w", (cookie_io_functions_t){.write = keep});
    return o->file != NULL;
}

bool outlet_waits(struct outlet *o)
{
    fflush(o->file);
    return o->end > o->first;
}

void outlet_pass(struct outlet *o)
{
    struct pollfd to = {.fd = o->to, .events = POLLOUT};
    while (outlet_waits(o)) {
        size_t n = o->end - o->first;
        if (!o->is_file && n > PIPE_BUF)
            n = PIPE_BUF;
        /* An error is left to the last write, which reports it. */
        if (poll(&to, 1, 0) <= 0 || !(to.revents & POLLOUT)
            || (to.revents & (POLLERR | POLLNVAL)))
            return;
        ssize_t done = write(o->to, o->text + o->first, n);
        if (done <= 0)
            return;
        o->first += (size_t)done;
        if (o->first == o->end)
            o->first = o->end = 0;
    }
}

void outlet_close(struct outlet *o)
{
    if (!o->file)
        return;
    outlet_pass(o);
    if (outlet_waits(o))
        fwrite(o->text + o->first, 1, o->end - o->first, stdout);
    fclose(o->file);
    free(o->text);
    *o = (struct outlet){0};
}
