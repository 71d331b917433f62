/* record_violation.c - see record.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/record.h"

static struct violation_unit unit_of(const struct job_wrong *w)
{
    struct violation_unit u = {.type = (enum dtype)w->type,
                               .got = w->got,
                               .want = w->want,
                               .has_error = w->has_error,
                               .has_share = w->has_share,
                               .operand_count = w->operand_count};
    for (int i = 0; i < w->operand_count && i < VIOLATION_OPERANDS; i++) {
        u.operands[i].type = (enum dtype)w->operands[i].type;
        u.operands[i].bits = w->operands[i].bits;
    }
    return u;
}

void record_violation(const struct plan_case *c, const struct profile *p,
                      const struct job_result *result,
                      enum verdict_status status, const char *covers,
                      struct violations *v)
{
    const char *name = c->stub->op;
    const struct spec_op *op = name ? spec_op_find(name) : NULL;
    const struct job_wrong *w = (const struct job_wrong *)(result + 1);
    *v = (struct violations){0};
    if (status == VERDICT_ACCEPTED || status == VERDICT_WRONG_CLASS)
        violation_accepted(v, covers);
    if (!op || status != VERDICT_FAIL)
        return;
    for (int i = 0; i < result->wrong_count; i++) {
        const struct violation_unit u = unit_of(&w[i]);
        violation_add(v, op, c->stub->node, p, &u);
    }
    violation_whole(v, op, result->bad, result->text);
}
