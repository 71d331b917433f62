/* option.c - see option.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/option.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "runner/record.h"

const char *option_program = "assay";

const char *option_line(struct arena *a, const char *verb, int argc,
                        char **argv)
{
    const char *all =
        arena_printf(a, "%s %s", record_word(a, option_program), verb);
    for (int i = 1; i < argc; i++)
        all = arena_printf(a, "%s %s", all, record_word(a, argv[i]));
    return all;
}

const char *option_joined(struct arena *a, const char *before, const char *text)
{
    return *before ? arena_printf(a, "%s,%s", before, text) : text;
}

int64_t option_number(struct argp_state *state, const char *name,
                      const char *text, int64_t low, int64_t high)
{
    char *end;
    errno = 0;
    intmax_t n = strtoimax(text, &end, 10);
    if (errno != 0 || end == text || *end || n < low || n > high)
        argp_error(state,
                   "--%s: '%s' is not a number from %" PRId64 " to %" PRId64,
                   name, text, low, high);
    return n;
}

const char *option_glob(struct argp_state *state, const char *name,
                        const char *text)
{
    if (!glob_allowed(text))
        argp_error(state, "--%s: '%.40s...': %s", name, text, GLOB_LIMITS);
    return text;
}

int option_choice(struct argp_state *state, const char *name, const char *text,
                  const char *const *choices, int count)
{
    char all[200] = "";
    size_t n = 0;
    for (int i = 0; i < count; i++) {
        if (strcmp(text, choices[i]) == 0)
            return i;
        const char *before = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        if (n < sizeof all)
            n += (size_t)snprintf(all + n, sizeof all - n, "%s%s", before,
                                  choices[i]);
    }
    argp_error(state, "--%s: expected %s, got '%s'", name, all, text);
    return 0;
}

int64_t option_seconds(struct argp_state *state, const char *name,
                       const char *text)
{
    char *end;
    double s = strtod(text, &end);
    if (end == text || *end || !(s >= 0.001 && s <= 1e6))
        argp_error(state,
                   "--%s: '%s' is not a time in seconds (0.001 to 1000000)",
                   name, text);
    return (int64_t)(s * 1000);
}
