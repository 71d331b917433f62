/* report_power.c - what a verdict on a case does not see; see report.h and
 * tools/test/power.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/base/json.h"
#include "interp/case/case.h"
#include "interp/judge/power.h"
#include "report/report.h"

const char *report_power(struct report *r, const struct report_run *run,
                         const struct report_case *c)
{
    static const struct limits limits = LIMITS_DEFAULT;
    const struct profile *profile = report_violation_profile(r, run);
    struct status st = {STATUS_OK};
    struct case_file *file;
    struct power p;
    if (!c->program || !c->op || !profile
        || strcmp(c->status, verdict_name(VERDICT_FAIL)) != 0)
        return NULL;
    const char *text = arena_printf(
        &r->row, "{\"format\": \"assay-case/1\", \"op\": %s, \"cases\": [%s]}",
        json_quote(&r->row, c->op), c->program);
    if (!case_file_parse(&r->row, c->name, c->name, text, strlen(text), &limits,
                         &file, &st)
        || file->stub_count != 1
        || !power_of_stub(&r->row, &file->stubs[0], profile, &p)
        || p.count == 0)
        return NULL;
    return power_text(&r->row, &p);
}
