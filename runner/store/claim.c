/* claim.c - see claim.h.  Tests: identity.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/claim.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *colour;
} rows[] = {
    [CLAIM_FAILED] = {"failed", "#b3261e"},
    [CLAIM_NOTHING] = {"nothing judged", "#57606a"},
    [CLAIM_UNFINISHED] = {"unfinished", "#9a6700"},
    [CLAIM_KNOWN] = {"known failures", "#9a6700"},
    [CLAIM_PARTIAL] = {"no failure", "#1f6feb"},
    [CLAIM_CONFORMS] = {"conforms", "#1a7f37"},
};

const char *claim_word(enum claim c)
{
    return rows[c].word;
}

const char *claim_colour(enum claim c)
{
    return rows[c].colour;
}

/* The value that a member must have.  A member that was not recorded lacks it.
 */
static const struct {
    enum identity_member member;
    const char *one, *other;
} required[] = {
    {IDENTITY_SHIPPED, "yes", "yes"},   {IDENTITY_TIER, "default", "full"},
    {IDENTITY_FILTER, "", ""},          {IDENTITY_FORMS, "", ""},
    {IDENTITY_PROFILE, "spec", "spec"}, {IDENTITY_SANDBOX, "full", "full"}};

static bool holds(const struct identity *i, size_t k)
{
    const char *value = i->value[required[k].member];
    return value
           && (strcmp(value, required[k].one) == 0
               || strcmp(value, required[k].other) == 0);
}

static const char *add(struct arena *a, const char *text, const char *format,
                       ...)
{
    char one[400];
    va_list list;
    va_start(list, format);
    vsnprintf(one, sizeof one, format, list);
    va_end(list);
    return arena_printf(a, "%s%s%s", text, *text ? ", " : "", one);
}

static const char *write_plain(struct arena *a, int64_t n)
{
    return arena_printf(a, "%" PRId64, n);
}

static const char *list_lacks(struct arena *a, const struct claim_facts *f,
                              claim_number *number)
{
    const char *text = "";
    if (f->failures > 0)
        text = add(a, text, "%s failed", number(a, f->failures));
    if (f->known > 0)
        text = add(a, text, "%s known to be wrong", number(a, f->known));
    if (f->missing > 0)
        text = add(a, text, "%s never ran", number(a, f->missing));
    else if (!f->complete)
        text = add(a, text, "the run did not finish");
    if (f->shard)
        text = add(a, text, "one shard only");
    for (size_t k = 0; k < sizeof required / sizeof required[0]; k++) {
        enum identity_member m = required[k].member;
        if (holds(f->identity, k))
            continue;
        if (m == IDENTITY_SHIPPED && f->identity->value[m])
            text = add(a, text, "not the shipped suite");
        else
            text = add(a, text, "%s %.200s", identity_label(m),
                       identity_value(f->identity, m));
    }
    return text;
}

const char *claim_lacks(struct arena *a, const struct claim_facts *f)
{
    return list_lacks(a, f, write_plain);
}

enum claim claim_of(const struct claim_facts *f)
{
    bool whole = f->complete && !f->shard;
    if (f->failures > 0)
        return CLAIM_FAILED;
    if (f->missing > 0 || !f->complete)
        return CLAIM_UNFINISHED;
    if (f->judged == 0)
        return CLAIM_NOTHING;
    if (f->known > 0)
        return CLAIM_KNOWN;
    for (size_t k = 0; k < sizeof required / sizeof required[0]; k++)
        whole = whole && holds(f->identity, k);
    return whole ? CLAIM_CONFORMS : CLAIM_PARTIAL;
}

const char *claim_line_as(struct arena *a, const struct claim_facts *f,
                          claim_number *number)
{
    enum claim c = claim_of(f);
    const char *lacks = list_lacks(a, f, number);
    return arena_printf(a, "%s; %s of %s cases judged%s%s", claim_word(c),
                        number(a, f->judged), number(a, f->planned),
                        *lacks ? "; no claim of conformance: " : "", lacks);
}

const char *claim_line(struct arena *a, const struct claim_facts *f)
{
    return claim_line_as(a, f, write_plain);
}
