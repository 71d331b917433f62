/* report_violation.c - which rules a failure breaks; see report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The database holds the case and its wrong units, so the sentence is derived
 * from these whenever it is read: older databases have it too.
 */
#include <string.h>

#include "interp/base/json.h"
#include "report/report.h"

const struct profile *report_violation_profile(struct report *r,
                                               const struct report_run *run)
{
    struct status st = {STATUS_OK};
    if (r->profile_run != run) {
        r->profile_run = run;
        if (!run->profile
            || !profile_load(r->arena, run->profile, &r->profile, &st))
            r->profile = NULL;
    }
    return r->profile;
}

static bool read_unit(const struct store_wrong *w, struct violation_unit *u)
{
    *u = (struct violation_unit){.got = w->got,
                                 .want = w->want,
                                 .has_error = w->has_error,
                                 .has_share = w->has_share};
    if (!w->type || !dtype_parse(w->type, strlen(w->type), &u->type))
        return false;
    if (w->operand_count > VIOLATION_OPERANDS)
        return true;
    for (int i = 0; i < w->operand_count; i++) {
        const struct store_operand *o = &w->operands[i];
        if (!o->type
            || !dtype_parse(o->type, strlen(o->type), &u->operands[i].type))
            return false;
        u->operands[i].bits = o->bits;
    }
    u->operand_count = w->operand_count;
    return true;
}

bool report_violation(struct report *r, const struct report_run *run,
                      const struct report_case *c, struct violations *v,
                      struct status *st)
{
    enum {
        UNITS = 16
    };
    *v = (struct violations){0};
    TRY(spec_load(st));
    const struct spec_op *op = c->op ? spec_op_find(c->op) : NULL;
    if (strcmp(c->status, verdict_name(VERDICT_ACCEPTED)) == 0
        || strcmp(c->status, verdict_name(VERDICT_WRONG_CLASS)) == 0)
        violation_accepted(v, c->requirements);
    if (!op || strcmp(c->status, verdict_name(VERDICT_FAIL)) != 0)
        return true;
    struct status none = {STATUS_OK};
    const struct json *node = NULL;
    if (c->program
        && !json_parse(&r->row, c->name, c->program, strlen(c->program), &node,
                       &none))
        node = NULL;
    struct store_wrong *w;
    int count;
    TRY(report_case_wrongs(r, c->plan, UNITS, &w, &count, st));
    const struct profile *p = report_violation_profile(r, run);
    for (int i = 0; i < count; i++) {
        struct violation_unit u;
        if (read_unit(&w[i], &u))
            violation_add(v, op, node, p, &u);
    }
    violation_whole(v, op, c->bad, c->message);
    return true;
}
