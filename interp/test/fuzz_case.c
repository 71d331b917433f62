/* fuzz_case.c - any bytes as a case file: cases, or one clear refusal.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes are a file; what it holds is expanded, and its first cases are
 * made, program and all, and run under limits: whatever a program asks for,
 * it ends soon and stays small (libFuzzer's own limits see to that).
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "interp/case/case.h"
#include "interp/program/evaluate.h"
#include "interp/specification/spec.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum {
    CASES = 20
};

static void evaluate(struct arena *a, const struct test_case *t,
                     const struct limits *limits)
{
    struct status st = {STATUS_OK};
    const struct profile *profile;
    if (!profile_load(a, t->profile ? t->profile : "spec", &profile, &st)
        || !profile_with(a, profile, t->policies, &profile, &st))
        return;
    struct machine m = {.program = t->program,
                        .profile = profile,
                        .limits = limits,
                        .want_exact = true,
                        .replicas = t->replicas,
                        .infeed = t->infeed,
                        .infeed_count = t->infeed_count};
    struct outcome *out = arena_new(a, struct outcome, (size_t)t->replicas);
    if (!evaluate_program(a, &m, (struct literal *const *const *)t->inputs, out,
                          &st))
        assert(st.code != STATUS_OK && st.text[0] != '\0');
}

static void make_cases(const struct case_file *file,
                       const struct limits *limits)
{
    for (int i = 0; i < file->stub_count && i < CASES; i++) {
        struct arena arena = ARENA_INIT;
        struct status st = {STATUS_OK};
        struct test_case *made;
        if (!case_make(&arena, &file->stubs[i], CASE_PARAMETER, limits, &made,
                       &st))
            assert((st.code == STATUS_INPUT || st.code == STATUS_SYSTEM)
                   && st.text[0] != '\0');
        else if (!made->rejected && made->program)
            evaluate(&arena, made, limits);
        arena_free(&arena);
    }
}

static char path[] = "/tmp/assay-fuzz-XXXXXX";

static void end(void)
{
    unlink(path);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static int fd = -1;
    struct status st = {STATUS_OK};
    struct limits limits = LIMITS_DEFAULT;
    limits.literal_bytes = 1 << 16;
    limits.file_cases = 1000;
    limits.evaluate_bytes = 1 << 24;
    limits.steps = 1 << 16;
    limits.precision_bits = 2000;
    limits.fft_length = 64;
    if (fd < 0) {
        fd = mkstemp(path);
        if (fd < 0 || !spec_load(&st))
            abort();
        atexit(end);
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
