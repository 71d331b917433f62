/* test_progress.c - where standard error is a file: no line at first, then one
 * after 10 s, 20 s and so on, without a character of a terminal.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/test/tap.h"
#include "runner/progress.h"

/* Returns what was written to standard error since the last call. */
static const char *said(int file)
{
    static char text[1000];
    ssize_t n;
    fflush(stderr);
    n = pread(file, text, sizeof text - 1, 0);
    text[n > 0 ? n : 0] = '\0';
    if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0)
        abort();
    return text;
}

static void test_log(int file)
{
    struct progress p;
    progress_begin(&p, true, 1000);
    progress_show(&p, 1, 0);
    progress_show_at(&p, p.start + 9999, 90, 0);
    OK(!*said(file), "nothing in the first seconds");
    progress_show_at(&p, p.start + 10000, 100, 2);
    const char *text = said(file);
    OK(strcmp(text, "100/1000 cases, 2 failed, 90 s left\n") == 0,
       "a line after 10 s: %s", text);
    progress_show_at(&p, p.start + 19999, 190, 2);
    OK(!*said(file), "none after 19.999 s");
    /* Each a little late; the next one is due where it would have been. */
    progress_show_at(&p, p.start + 20003, 200, 2);
    OK(*said(file), "one after 20 s");
    progress_show_at(&p, p.start + 40000, 200, 2);
    OK(*said(file), "one after 40 s");
    int64_t now = p.start + 3600 * 1000;
    progress_show_at(&p, now, 500, 2);
    said(file);
    progress_show_at(&p, now + 79999, 501, 2);
    OK(!*said(file), "after a silence, the pause that the last line set");
    progress_show_at(&p, now + 80000, 501, 2);
    OK(*said(file), "and the line");
    for (int i = 1; i <= 600; i++)
        progress_show_at(&p, now + i * 60 * 1000, 501, 2);
    said(file);
    now = p.due;
    progress_show_at(&p, now, 502, 2);
    OK(*said(file), "later");
    progress_show_at(&p, now + 599 * 1000, 502, 2);
    OK(!*said(file), "less often");
    progress_show_at(&p, now + 600 * 1000, 502, 2);
    OK(*said(file), "but every 10 minutes");
    progress_clear(&p);
    OK(!*said(file), "nothing is cleared");
}

static void test_unwanted(int file)
{
    struct progress p;
    progress_begin(&p, false, 1000);
    progress_show_at(&p, p.start + 100 * 1000, 100, 2);
    OK(!*said(file), "and none that is not wanted");
}

int main(void)
{
    char name[] = "/tmp/assay-progress-XXXXXX";
    int file = mkstemp(name);
    if (file < 0 || dup2(file, STDERR_FILENO) < 0)
        return 1;
    unlink(name);
    test_log(file);
    test_unwanted(file);
    return tap_done();
}
