/* fuzz_expect.c - any bytes as expectations, in either form.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What was read must find its way through the match of a name.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runner/plan/expect.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static char path[] = "/tmp/assay-fuzz-XXXXXX", json[64];

static void end(void)
{
    unlink(path);
    unlink(json);
}

static void try_form(const char *name)
{
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct expect e = {0};
    const struct expect_line *line;
    const struct expect_found found = {.status = VERDICT_FAIL,
                                       .natures = 1U << VERDICT_NATURE_ERROR,
                                       .error = 2500000};
    if (expect_read(&arena, name, &e, &st))
        expect_apply(&e, "Add/special/zero@T=bf16,N=3", &found, &line);
    else
        assert(st.text[0] != '\0');
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static int fd = -1;
    if (fd < 0) {
        fd = mkstemp(path);
        snprintf(json, sizeof json, "%s.json", path);
        if (fd < 0 || symlink(path, json) != 0)
            abort();
        atexit(end);
    }
    if (pwrite(fd, data, size, 0) != (ssize_t)size
        || ftruncate(fd, (off_t)size) != 0)
        abort();
    try_form(path);
    try_form(json);
    return 0;
}
