/* expect_reason.c - see expect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/exact/real.h"
#include "report/format.h"
#include "runner/process/child.h"
#include "runner/record.h"
#include "tools/verbs/expect.h"

enum {
    MICRO = 1000000
};

static int decade(int64_t size)
{
    int n = 0;
    for (; size >= 10; size /= 10)
        n++;
    return n;
}

static bool by_units(const struct expect_measure *m)
{
    return m->found.natures
           && !(m->found.natures & 1U << VERDICT_NATURE_PROPERTY);
}

const char *expect_reason_cause(const struct expect_measure *m)
{
    const struct expect_found *f = &m->found;
    return f->cause_count > 0 && f->searched && !m->varies ? f->causes[0] : "";
}

/* Observed to end in several ways: then only its name determines which cases
 * the entry may excuse. */
static bool is_unsteady(const struct expect_measure *m)
{
    return (m->statuses & (m->statuses - 1)) != 0 || m->varies || m->right;
}

/* The beginning of a backend's message, which may be long: as much as a run
 * keeps after the reason of an expectation, so that both give the same. */
static const char *begin_of(struct arena *a, const char *message)
{
    char *to = arena_alloc(a, RECORD_OWN + 1);
    text_clean(to, RECORD_OWN + 1, message);
    return to;
}

const char *expect_reason_message(struct arena *a,
                                  const struct expect_measure *m)
{
    if (by_units(m) || is_unsteady(m))
        return "";
    /* The last words of a process differ each time: addresses, thread numbers,
     * warnings of other threads. */
    const char *begin = begin_of(a, m->message);
    const char *words = strstr(begin, CHILD_LAST_WORDS);
    size_t own = words ? (size_t)(words - begin) : strlen(begin);
    return text_class(arena_alloc(a, TEXT_CLASS + 1),
                      arena_printf(a, "%.*s", (int)own, begin));
}

const char *expect_reason_kind(struct arena *a, const struct expect_measure *m)
{
    /* Without a limit an entry would excuse any number of its other cases. */
    bool unlimited = !*expect_reason_cause(m)
                     && (m->found.error >= REAL_ERROR_MAX
                         || m->found.share >= REAL_ERROR_MAX);
    if (is_unsteady(m) || unlimited)
        return arena_printf(a, "%s|%x|%d|%d", m->name, m->statuses, m->right,
                            m->varies);
    return arena_printf(a, "%s|%s|%x|%x|%d|%d|%s|%s", m->op, m->type,
                        m->statuses, m->found.natures, decade(m->found.error),
                        decade(m->found.share), expect_reason_cause(m),
                        expect_reason_message(a, m));
}

/* "largest error 1.037 ulp", "largest error 357,894 of the bound" */
static const char *size_text(struct arena *a, int64_t micro,
                             enum verdict_nature n)
{
    bool sum = n == VERDICT_NATURE_SUM;
    if (micro >= REAL_ERROR_MAX)
        return sum ? "error of 10^12 times the bound or more"
                   : "error of 10^12 ulp or more";
    const char *size = micro >= INT64_C(1000) * MICRO
                           ? format_count(a, micro / MICRO)
                           : arena_printf(a, "%" PRId64 ".%03" PRId64,
                                          micro / MICRO, micro % MICRO / 1000);
    return arena_printf(a, "largest error %s %s", size,
                        sum ? "of the bound" : "ulp");
}

/* "f32:3f800000 c64:00000000:3f800000" with its decimals. */
static const char *input_text(struct arena *a, const char *input)
{
    const char *text = "";
    char type[32];
    uint64_t bits, imaginary;
    int n, more;
    for (; *input; input += n + (input[n] == ' ')) {
        n = (int)strcspn(input, " ");
        if (sscanf(input, "%31[^:]:%" SCNx64 "%n:%" SCNx64, type, &bits, &more,
                   &imaginary)
            < 2)
            return text;
        const char *one = format_decimal(a, type, bits);
        if (more < n)
            one = arena_printf(a, "(%s, %s)", one,
                               format_decimal(a, type, imaginary));
        text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", one);
    }
    return text;
}

typedef const struct expect_measure *const *measures;

static const struct expect_measure *largest(measures cases, int count,
                                            enum verdict_nature n)
{
    const struct expect_measure *most = cases[0];
    for (int i = 1; i < count; i++) {
        const struct expect_found *x = &cases[i]->found, *y = &most->found;
        if (n == VERDICT_NATURE_ERROR ? x->error > y->error
                                      : x->share > y->share)
            most = cases[i];
    }
    return most;
}

static const char *inputs_text(struct arena *a, const struct store_wrong *w)
{
    const char *text = "";
    for (int i = 0; i < w->operand_count; i++) {
        const struct store_operand *o = &w->operands[i];
        const char *part = format_decimal(a, o->type, o->bits);
        if (o->has_imaginary)
            part = arena_printf(a, "(%s, %s)", part,
                                format_decimal(a, o->type, o->imaginary));
        text = arena_printf(a, "%s%s%s", text, i ? ", " : " at ", part);
    }
    return text;
}

/* "got 1, expected 2 at 0.5" */
static const char *example_text(struct arena *a, enum verdict_nature n,
                                const struct store_wrong *w)
{
    const char *(*show)(struct arena *, const char *, uint64_t) =
        n == VERDICT_NATURE_NAN ? format_bits : format_decimal;
    return arena_printf(a, "got %s, expected %s%s", show(a, w->type, w->got),
                        show(a, w->type, w->want), inputs_text(a, w));
}

static const char *error_text(struct arena *a, measures cases, int count)
{
    const struct expect_measure *m =
        largest(cases, count, VERDICT_NATURE_ERROR);
    const char *size = size_text(a, m->found.error, VERDICT_NATURE_ERROR);
    const struct store_wrong *example = m->example[VERDICT_NATURE_ERROR];
    if (example && expect_measure_beyond(example))
        return arena_printf(a, "%s: %s", size,
                            example_text(a, VERDICT_NATURE_ERROR, example));
    if (m->input)
        return arena_printf(a, "%s at %s (%s)", size, input_text(a, m->input),
                            m->input);
    return arena_printf(a, "%s in %s", size, m->name);
}

static const char *nature_text(struct arena *a, measures cases, int count,
                               enum verdict_nature n)
{
    static const char *const texts[VERDICT_NATURES] = {
        [VERDICT_NATURE_SPECIAL] = "NaN or infinity against a number",
        [VERDICT_NATURE_ZERO] = "sign of zero",
        [VERDICT_NATURE_NAN] = "bits of a NaN changed",
        [VERDICT_NATURE_VALUE] = "another value"};
    if (n == VERDICT_NATURE_ERROR)
        return error_text(a, cases, count);
    if (n == VERDICT_NATURE_PROPERTY)
        return begin_of(a, cases[0]->message);
    if (n == VERDICT_NATURE_SUM) {
        const struct expect_measure *m = largest(cases, count, n);
        return arena_printf(a, "%s in %s", size_text(a, m->found.share, n),
                            m->name);
    }
    const struct store_wrong *example = NULL;
    for (int i = 0; i < count && !example; i++)
        example = cases[i]->example[n];
    return arena_printf(a, "%s: %s", texts[n], example_text(a, n, example));
}

static const char *counts_text(struct arena *a, measures cases, int count)
{
    int64_t bad = 0, units = 0;
    const char *in =
        arena_printf(a, "%d %s", count, text_plural(count, "case", "cases"));
    for (int i = 0; i < count; i++) {
        bad += cases[i]->bad;
        units += cases[i]->units;
    }
    if (bad == 0)
        return in;
    return arena_printf(a, "%s of %s units in %s", format_count(a, bad),
                        format_count(a, units), in);
}

static unsigned all_natures(measures cases, int count)
{
    unsigned natures = 0;
    for (int i = 0; i < count; i++)
        natures |= cases[i]->found.natures;
    return natures;
}

const char *expect_reason(struct arena *a, measures cases, int count)
{
    const char *text = "";
    unsigned natures = all_natures(cases, count);
    for (int n = 0; n < VERDICT_NATURES; n++)
        if (natures & 1U << n)
            text = arena_printf(
                a, "%s%s%s", text, *text ? "; " : "",
                nature_text(a, cases, count, (enum verdict_nature)n));
    if (!natures)
        text = begin_of(a, cases[0]->message);
    char *whole = arena_printf(
        a, "%s; %s%s%s", text, counts_text(a, cases, count),
        cases[0]->varies ? "; another result in each run" : "",
        cases[0]->right ? "; right in another run or attempt" : "");
    expect_close(whole);
    text_clean(whole, strlen(whole) + 1, whole);
    return whole;
}
