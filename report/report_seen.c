/* report_seen.c - see report_seen.h; tools/test/reasons.t tests this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "report/report_seen.h"

#include <string.h>

#include "interp/exact/real.h"

/* One unit among those that are wrong. */
struct seen {
    const struct store_wrong *all, *w;
    int count;
    enum dtype type;
    bool real; /* of a float type */
};

static bool is_zero(const struct seen *s, uint64_t bits)
{
    return s->real ? real_is_zero(s->type, bits) : bits == 0;
}

static bool is_nan(const struct seen *s, uint64_t bits)
{
    return s->real && real_is_nan(s->type, bits);
}

static bool is_inf(const struct seen *s, uint64_t bits)
{
    return s->real && real_is_inf(s->type, bits);
}

static bool zero_sign(const struct seen *s)
{
    return s->real && is_zero(s, s->w->got) && is_zero(s, s->w->want);
}

static bool nan_bits(const struct seen *s)
{
    return is_nan(s, s->w->got) && is_nan(s, s->w->want);
}

static bool nan_lost(const struct seen *s)
{
    return !is_nan(s, s->w->got) && is_nan(s, s->w->want);
}

static bool nan_made(const struct seen *s)
{
    return is_nan(s, s->w->got) && !is_nan(s, s->w->want);
}

static bool infinity_lost(const struct seen *s)
{
    return !is_inf(s, s->w->got) && is_inf(s, s->w->want);
}

static bool infinity_made(const struct seen *s)
{
    return is_inf(s, s->w->got) && !is_inf(s, s->w->want);
}

static bool opposite(const struct seen *s)
{
    uint64_t mask = dtype_mask(s->type);
    if (s->real)
        return !is_nan(s, s->w->got) && !is_zero(s, s->w->got)
               && (s->w->got ^ s->w->want) == real_formats[s->type].sign;
    return dtype_class(s->type) == DTYPE_SINT && s->w->got != 0
           && s->w->got == ((0 - s->w->want) & mask);
}

static bool zero(const struct seen *s)
{
    return is_zero(s, s->w->got);
}

/* Does it belong elsewhere?  A single value could be anywhere. */
static bool elsewhere(const struct seen *s)
{
    bool found = false, differ = false;
    for (int i = 0; i < s->count; i++) {
        found =
            found || (s->all[i].n != s->w->n && s->all[i].want == s->w->got);
        differ = differ || s->all[i].want != s->all[0].want;
    }
    return found && differ;
}

static bool sign(const struct seen *s)
{
    return s->real && !is_nan(s, s->w->got) && !is_nan(s, s->w->want)
           && real_is_negative(s->type, s->w->got)
                  != real_is_negative(s->type, s->w->want);
}

static bool size(const struct seen *s)
{
    return s->w->has_error || s->w->has_share;
}

static bool other(const struct seen *s)
{
    (void)s;
    return true;
}

/* The narrowest statement first. */
static const struct {
    bool (*holds)(const struct seen *s);
    const char *text;
} statements[] = {
    {zero_sign, "a zero has the wrong sign"},
    {nan_bits, "the bits of a NaN are others"},
    {nan_lost, "a number, where NaN is right"},
    {nan_made, "NaN, where a number is right"},
    {infinity_lost, "a finite number, where infinity is right"},
    {infinity_made, "infinity, where a finite number is right"},
    {opposite, "a number has the opposite sign"},
    {elsewhere, "values of other elements: a wrong position"},
    {zero, "zero, where another number is right"},
    {sign, "another number, of the wrong sign"},
    {size,
     "another number: inaccurate, but not in a way that a size describes"},
    {other, "other values, or in several ways"},
};

static bool holds_for_all(bool (*holds)(const struct seen *s),
                          const struct store_wrong *w, int count)
{
    for (int i = 0; i < count; i++) {
        struct seen s = {.all = w, .w = &w[i], .count = count};
        if (!w[i].type || !dtype_parse(w[i].type, strlen(w[i].type), &s.type))
            return holds == other;
        s.real = dtype_class(s.type) == DTYPE_FLOAT;
        if (!holds(&s))
            return false;
    }
    return true;
}

const char *report_seen(const struct store_wrong *w, int count)
{
    if (count == 0)
        return "no single unit: an order, a statistic, or what was not written";
    int i = 0;
    while (!holds_for_all(statements[i].holds, w, count))
        i++;
    return statements[i].text;
}
