/* lint_wrong.c - is a wrong result of a case within the judge's limits?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A right result is compared with the reference's bits, and passes.  Any other
 * is judged by exact values and their sets.  Where a comparison or a conversion
 * depends on a rounding these are not defined, so the case is beyond the
 * judge's limits as soon as its result is wrong: it tests nothing.
 *
 * Tested in tools/test/lint.t.
 */
#include "tools/verbs/lint_wrong.h"

#include <stdint.h>
#include <string.h>

#include "interp/base/shape.h"
#include "interp/judge/judge_value.h"

/* All bits but those that a predicate lacks. */
static void spoil_first(struct arena *a, struct verdict_got *got)
{
    int64_t elements = 1;
    for (int i = 0; i < got->rank; i++)
        elements *= got->dims[i];
    if (elements == 0 || got->bytes == 0)
        return;
    unsigned char *data = arena_alloc(a, (size_t)got->bytes);
    memcpy(data, got->data, (size_t)got->bytes);
    bool flag = strcmp(got->dtype, "pred") == 0;
    for (uint64_t i = 0; i < got->bytes / (uint64_t)elements; i++)
        data[i] ^= flag ? 1 : 0xff;
    got->data = data;
}

const char *lint_wrong(struct arena *a, const struct test_case *t,
                       const struct judge_mode *mode)
{
    struct status st = {STATUS_OK};
    struct judge_reference plain;
    if (!judge_reference(a, t, mode, &plain, &st))
        return arena_printf(a, "not judged: %s", st.text);
    int count;
    struct judge_given *given = judge_value_returned(a, &plain, &count);
    for (int i = 0; i < count; i++)
        spoil_first(a, &given[i].got);
    const struct judge_value by = {
        .arena = a, .mode = *mode, .made = t, .plain = &plain};
    struct verdict *v = arena_new(a, struct verdict, 1);
    enum verdict_status status;
    char text[512];
    if (judge_value(&by, given, count, v, &status, text, sizeof text))
        return NULL;
    return arena_printf(a, "a wrong result would not be seen: %s", text);
}
