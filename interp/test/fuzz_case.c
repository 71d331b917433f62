/* fuzz_case.c - any bytes as a case file: cases, or one clear refusal.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The bytes are a file; what it holds is expanded, and its first cases are
 * made, program and all, and run under limits: whatever a program asks for,
 * it ends soon and stays small (libFuzzer's own limits see to that).  Its texts
 * are written, those of an invalid program too, or refused with a reason.  What
 * the reference gives is then judged as a backend's, and must be right; and
 * once more with a bit changed, with whatever verdict.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/case/case.h"
#include "interp/case/case_write.h"
#include "interp/judge/judge_value.h"
#include "interp/specification/spec.h"
#include "interp/stablehlo/stablehlo.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum {
    CASES = 20
};

static bool is_right(const struct judge_value *by,
                     const struct judge_given *all, int count)
{
    struct verdict *v = arena_new(by->arena, struct verdict, 1);
    enum verdict_status status;
    char why[400] = "";
    bool right = !judge_value(by, all, count, v, &status, why, sizeof why)
                 || !verdict_is_failure(status);
    if (!right)
        assert(why[0] != '\0' || v->bad > 0);
    return right;
}

/* The reference's own results, and the same with the last bit of the first
 * element of each changed, which the checks of whole results then see. */
static void judge(const struct judge_value *by)
{
    int count;
    struct judge_given *all =
        judge_value_returned(by->arena, by->plain, &count);
    assert(is_right(by, all, count));
    for (int i = 0; i < count; i++)
        if (all[i].got.held > 0) {
            unsigned char *data =
                arena_array(by->arena, all[i].got.held, sizeof *data);
            memcpy(data, all[i].got.data, all[i].got.held);
            data[0] ^= 1;
            all[i].got.data = data;
        }
    is_right(by, all, count);
}

static void evaluate(struct arena *a, const struct test_case *t,
                     const struct limits *limits)
{
    struct status st = {STATUS_OK};
    struct judge_reference plain;
    const struct profile *profile;
    if (!profile_load(a, t->profile ? t->profile : "spec", &profile, &st)
        || !profile_with(a, profile, t->policies, &profile, &st))
        return;
    const struct judge_value by = {
        .arena = a,
        .mode = {.profile = profile, .limits = limits, .want_exact = true},
        .made = t,
        .plain = &plain};
    if (judge_reference(a, t, &by.mode, &plain, &st))
        judge(&by);
    else
        assert(st.code != STATUS_OK && st.text[0] != '\0');
}

static void write_texts(struct arena *a, const struct test_case *t)
{
    struct status st = {STATUS_OK};
    const char *text;
    if (!stablehlo_text(a, t->program, &text, &st))
        assert(st.code != STATUS_OK && st.text[0] != '\0');
    assert(case_write(a, t->program, t->name, t->rejected)[0] == '{');
}

static void make_cases(const struct case_file *file,
                       const struct limits *limits)
{
    for (int i = 0; i < file->stub_count && i < CASES; i++) {
        struct arena arena = ARENA_INIT;
        struct status st = {STATUS_OK};
        struct test_case *made;
        if (!case_make(&arena, &file->stubs[i], NULL, limits, &made, &st))
            assert((st.code == STATUS_INPUT || st.code == STATUS_SYSTEM)
                   && st.text[0] != '\0');
        else if (made->program) {
            write_texts(&arena, made);
            if (!made->rejected)
                evaluate(&arena, made, limits);
        }
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
