/* scribble_open.c - writes into all memory that it shares with another process,
 * when it is closed without having executed anything: after it was asked who it
 * is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

static int executed;

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    executed = 1;
    return evil_execute(b, x, e, error);
}

static void scribble_and_close(assay_backend *b)
{
    char line[512], mode[8];
    unsigned long first, end;
    FILE *f = executed ? NULL : fopen("/proc/self/maps", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "%lx-%lx %7s", &first, &end, mode) == 3
            && strcmp(mode, "rw-s") == 0)
            memset((void *)first, 127, end - first);
    if (f)
        fclose(f);
    evil_close(b);
}

EVIL_MAKE(scribble_open, e)
{
    e->execute = execute;
    e->backend.close = scribble_and_close;
}
