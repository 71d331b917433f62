/* verdict_nature.c - see verdict.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/exact/real.h"
#include "interp/judge/verdict.h"

static const char *const names[VERDICT_NATURES] = {
    [VERDICT_NATURE_ERROR] = "error",      [VERDICT_NATURE_SUM] = "sum",
    [VERDICT_NATURE_SPECIAL] = "special",  [VERDICT_NATURE_ZERO] = "zero-sign",
    [VERDICT_NATURE_NAN] = "nan-bits",     [VERDICT_NATURE_VALUE] = "value",
    [VERDICT_NATURE_PROPERTY] = "property"};

const char *verdict_nature_name(enum verdict_nature n)
{
    return (unsigned)n < VERDICT_NATURES ? names[n] : "?";
}

enum verdict_nature verdict_nature_find(const char *name)
{
    int n = 0;
    while (n < VERDICT_NATURES && strcmp(names[n], name) != 0)
        n++;
    return (enum verdict_nature)n;
}

enum verdict_nature verdict_nature(enum dtype unit, uint64_t got, uint64_t want,
                                   bool has_error, bool has_share)
{
    if (dtype_class(unit) != DTYPE_FLOAT)
        return VERDICT_NATURE_VALUE;
    bool nan = real_is_nan(unit, got);
    if (nan && real_is_nan(unit, want))
        return VERDICT_NATURE_NAN;
    if (nan || real_is_nan(unit, want)
        || real_is_inf(unit, got) != real_is_inf(unit, want))
        return VERDICT_NATURE_SPECIAL;
    if (real_is_inf(unit, got)) /* the other infinity */
        return VERDICT_NATURE_SPECIAL;
    if (real_is_zero(unit, got) && real_is_zero(unit, want))
        return VERDICT_NATURE_ZERO;
    return has_error   ? VERDICT_NATURE_ERROR
           : has_share ? VERDICT_NATURE_SUM
                       : VERDICT_NATURE_VALUE;
}
