/* assay_reference_power.c - what a verdict does not see, as assay/reference.h
 * declares it; tools/test/power.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/power.h"
#include "interp/library/call.h"
#include "interp/library/result.h"

struct question {
    struct arena *arena;
    assay_reference_result *result;
    const char *text;
};

static bool find_power(void *context, struct status *st)
{
    struct question *q = context;
    const assay_reference_result *r = q->result;
    const struct judge_value by = result_judge(r, q->arena);
    struct power p;
    if (power(&by, &p))
        q->text = arena_text(&q->result->arena, power_text(q->arena, &p));
    return true;
}

const char *assay_reference_power(assay_reference_result *r)
{
    struct status st = {STATUS_OK};
    struct arena a = ARENA_INIT;
    struct question q = {.arena = &a, .result = r};
    if (!r || r->code != ASSAY_OK || r->of->values_only)
        return NULL;
    bool good = call_run(&a, find_power, &q, &st);
    arena_free(&a);
    return good ? q.text : NULL;
}
