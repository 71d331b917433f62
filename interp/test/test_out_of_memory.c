/* test_out_of_memory.c - the library without memory: an error at every point
 * of a call, nothing leaked (the address sanitizer looks), and right
 * afterwards.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values are by hand: 1/3 in f32, e in f32 (0x402df854, of 2.71828),
 * 1 + 2.
 */
#include <assay/reference.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/memory.h"
#include "interp/test/tap.h"

static const char text[] =
    "{\"format\": \"assay-case/1\", \"op\": \"Exp\", \"cases\": [\n"
    " {\"id\": \"e\", \"why\": \"rounds\", \"inputs\": [\n"
    "  {\"shape\": \"f32[3]\", \"data\": [1, \"0x1.8p-3\", 40]}]},\n"
    " {\"id\": \"odd\", \"why\": \"a type\", \"inputs\": [\n"
    "  {\"shape\": \"s32[2]\", \"splat\": 1}],\n"
    "  \"expect\": {\"error\": \"type\"}}]}";

static const char sums[] =
    "{\"format\": \"assay-case/1\", \"op\": \"Log\", \"cases\": [\n"
    " {\"id\": \"one\", \"why\": \"a constant of MPFR's\", \"inputs\": [\n"
    "  {\"shape\": \"c64[2]\", \"data\": [[1, 0], [3, 4]]}]}]}";

static assay_error error = {.size = sizeof error};

/* All calls, the first that fails as the result. */
static assay_code call_all(const char *cases, size_t length)
{
    assay_reference *r = NULL;
    assay_reference_result *x = NULL;
    int32_t right = 0;
    error.text[0] = '\0';
    assay_code code =
        assay_reference_parse("t", cases, length, NULL, &r, &error);
    if (!code)
        code = assay_reference_evaluate(r, 0, &x, &error);
    if (!code) {
        const assay_tensor *out = assay_reference_output(x, 0, 0);
        code = assay_reference_judge(x, &out, 1, &right, &error);
    }
    if (!code
        && (!assay_reference_value(x, 0, 0, 0)
            || !assay_reference_accepts(x, 0, 0, 0)))
        code = ASSAY_FAILED;
    /* What failed with memory has all that it had before. */
    long at = memory_fail_at;
    memory_fail_at = 0;
    if (x
        && (!assay_reference_value(x, 0, 0, 1)
            || !assay_reference_accepts(x, 0, 0, 1)))
        OK(false, "a result is as it was before a call that failed");
    memory_fail_at = at;
    assay_reference_release(x);
    assay_reference_close(r);
    return code;
}

/* Fail at the first point, the second, ... until there are no more. */
static void test_every_point(const char *cases, size_t length, const char *name)
{
    long points = 0, silent = 0, odd = 0;
    for (long at = 1;; at++, points++) {
        memory_fail_at = at;
        assay_code code = call_all(cases, length);
        bool all = memory_fail_at > 0; /* there were not so many */
        memory_fail_at = 0;
        if (all) {
            OK(code == ASSAY_OK, "%s: then it succeeds (%s)", name, error.text);
            break;
        }
        silent += code == ASSAY_OK;
        odd += *error.text && !strstr(error.text, "out of memory");
    }
    printf("# figure: points where memory ran out: %ld\n", points);
    OK(points > 20, "%s: %ld points where memory ran out", name, points);
    EQ_INT(silent, 0, "an error at each");
    EQ_INT(odd, 0, "which says so (%s)", error.text);
}

static void test_afterwards(void)
{
    assay_reference *r;
    assay_reference_result *x;
    OK(!assay_reference_parse("t", text, sizeof text - 1, NULL, &r, &error)
           && !assay_reference_evaluate(r, 0, &x, &error),
       "the library is usable afterwards (%s)", error.text);
    OK(memcmp(assay_reference_output(x, 0, 0)->data, "\x54\xf8\x2d\x40", 4)
           == 0,
       "e");
    assay_reference_release(x);
    assay_reference_close(r);
}

/* Numbers of MPFR's outside a call, and a host's caches. */
static void test_host(void)
{
    mpfr_t pi;
    mpfr_init2(pi, 20000);
    mpfr_const_pi(pi, MPFR_RNDN);
    memory_fail_at = 1;
    assay_reference *r;
    OK(assay_reference_parse("t", text, sizeof text - 1, NULL, &r, &error),
       "memory runs out");
    memory_fail_at = 0;
    OK(mpfr_cmp_d(pi, 3) > 0, "the host's number is as it was");
    mpfr_set_prec(pi, 40000);
    mpfr_const_pi(pi, MPFR_RNDN);
    OK(mpfr_cmp_d(pi, 3.14) > 0 && mpfr_cmp_d(pi, 3.15) < 0,
       "and so is pi, recomputed");
    mpfr_clear(pi);
}

int main(void)
{
    test_every_point(text, sizeof text - 1, "Exp");
    test_every_point(sums, sizeof sums - 1, "Log");
    test_host();
    test_afterwards();
    mpfr_free_cache();
    return tap_done();
}
