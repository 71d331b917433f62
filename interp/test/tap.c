/* tap.c - see tap.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, failed;

__attribute__((format(printf, 4, 0))) static void
result(bool ok, const char *file, int line, const char *format, va_list args)
{
    printf("%sok %d - ", ok ? "" : "not ", ++count);
    vprintf(format, args);
    putchar('\n');
    if (!ok) {
        failed++;
        printf("# at %s:%d\n", file, line);
    }
}

bool tap_ok(bool ok, const char *file, int line, const char *what,
            const char *format, ...)
{
    va_list args;
    va_start(args, format);
    result(ok, file, line, format, args);
    va_end(args);
    if (!ok)
        printf("# false: %s\n", what);
    return ok;
}

bool tap_eq_int(long long got, long long want, const char *file, int line,
                const char *format, ...)
{
    va_list args;
    va_start(args, format);
    result(got == want, file, line, format, args);
    va_end(args);
    if (got != want)
        printf("#  got: %lld\n# want: %lld\n", got, want);
    return got == want;
}

bool tap_eq_str(const char *got, const char *want, const char *file, int line,
                const char *format, ...)
{
    bool same = got && want ? strcmp(got, want) == 0 : got == want;
    va_list args;
    va_start(args, format);
    result(same, file, line, format, args);
    va_end(args);
    if (!same)
        printf("#  got: %s\n# want: %s\n", got ? got : "(null)",
               want ? want : "(null)");
    return same;
}

uint64_t tap_seed(uint64_t usual)
{
    const char *given = getenv("ASSAY_SEED");
    uint64_t number = given ? strtoull(given, NULL, 0) : 0;
    return usual + number * UINT64_C(0x9e3779b97f4a7c15);
}

int tap_done(void)
{
    printf("1..%d\n", count);
    return failed ? 1 : 0;
}
