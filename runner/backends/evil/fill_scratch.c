/* fill_scratch.c - writes file after file below TMPDIR where the first number
 * that it is given is 1 and the second one 10.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * 1.5 GiB is all it writes.
 */
#include <fcntl.h>
#include <unistd.h>

#include "evil.h"

enum {
    FILES = 96,
    BYTES = 16 << 20
};

static int is_first(const assay_execution *e)
{
    const float *a, *b;
    if (evil_inputs < 2 || e->inputs[0]->bytes < 3 * sizeof *a
        || e->inputs[1]->bytes < 3 * sizeof *b)
        return 0;
    a = e->inputs[0]->data;
    b = e->inputs[1]->data;
    return a[0] == 1 && b[0] == 10;
}

static void fill(void)
{
    const char *folder = getenv("TMPDIR");
    char *bytes = calloc(1, BYTES), path[1024];
    for (int i = 0; bytes != NULL && i < FILES; i++) {
        snprintf(path, sizeof path, "%s/%d", folder ? folder : ".", i);
        int fd = open(path, O_WRONLY | O_CREAT, 0600);
        if (fd < 0 || write(fd, bytes, BYTES) != BYTES)
            break;
        close(fd);
        usleep(20000);
    }
    free(bytes);
}

EVIL_EXECUTE(fill_scratch, b, x, e, error)
{
    if (is_first(e))
        fill();
    return evil_execute(b, x, e, error);
}
