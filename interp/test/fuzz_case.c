/* fuzz_case.c - any bytes as a case file: cases, or one clear refusal.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes are a file; what it holds is expanded and its first cases are
 * made, program and all.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "interp/program/case.h"
#include "interp/program/spec.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum {
    CASES = 20
};

static void make_cases(const struct case_file *file,
                       const struct limits *limits)
{
    for (int i = 0; i < file->stub_count && i < CASES; i++) {
        struct arena arena = ARENA_INIT;
        struct status st = {STATUS_OK};
        struct test_case *made;
        if (!case_make(&arena, &file->stubs[i], CASE_PARAMETER, limits, &made,
                       &st))
            assert(st.code == STATUS_INPUT && st.text[0] != '\0');
        arena_free(&arena);
    }
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static char path[] = "/tmp/assay-fuzz-XXXXXX";
    static int fd = -1;
    struct status st = {STATUS_OK};
    struct limits limits = LIMITS_DEFAULT;
    limits.literal_bytes = 1 << 16;
    limits.file_cases = 1000;
    limits.evaluate_bytes = 1 << 24;
    if (fd < 0) {
        fd = mkstemp(path);
        if (fd < 0 || !spec_load(&st))
            abort();
    }
    if (pwrite(fd, data, size, 0) != (ssize_t)size
        || ftruncate(fd, (off_t)size) != 0)
        abort();
    struct arena arena = ARENA_INIT;
    struct case_file *file;
    if (case_file_read(&arena, path, "Fuzz/fuzz", &limits, &file, &st))
        make_cases(file, &limits);
    else
        assert(st.text[0] != '\0');
    arena_free(&arena);
    return 0;
}
