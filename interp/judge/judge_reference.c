/* judge_reference.c - see judge_reference.h.  Tests: test_judge_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/judge_reference.h"

#include <stdio.h>
#include <string.h>

#include "interp/bound/bound.h"
#include "interp/case/case_expect.h"
#include "interp/program/uses.h"

/* The arrays that a process writes to the outfeed: those of a tuple one by
 * one. */
static struct judge_fed *list_fed(struct arena *a, const struct machine *m,
                                  int process, int *count)
{
    int room = 0, items = m->outfeed_count[process];
    for (int i = 0; i < items; i++)
        room += shape_leaves(m->outfeed[process][i]->shape);
    struct judge_fed *list = arena_new(a, struct judge_fed, (size_t)room + 1);
    *count = 0;
    for (int i = 0; i < items; i++) {
        const struct literal *item = m->outfeed[process][i];
        const struct machine_fed *fed = &m->fed[process][i];
        for (int k = 0; k < shape_leaves(item->shape); k++)
            if (shape_leaf(item->shape, k)->kind == SHAPE_ARRAY)
                list[(*count)++] = (struct judge_fed){
                    literal_leaf(item, k), fed->goals ? fed->goals[k] : NULL,
                    fed->from, k};
    }
    return list;
}

/* Is there more than one operation? */
static bool is_several(const struct program *p)
{
    int operations = 0;
    for (int i = 0; i < p->entry->count; i++) {
        const struct op *op = p->entry->instructions[i]->op;
        operations +=
            op->role != OP_ROLE_PARAMETER && op->role != OP_ROLE_CONSTANT;
    }
    return operations > 1;
}

/* Which of several instructions was it that cannot be evaluated? */
static void name_failed(const struct machine *m, struct status *st)
{
    size_t n = strlen(st->text);
    if (st->code == STATUS_UNSUPPORTED && m->failed && m->failed->name
        && is_several(m->program))
        snprintf(st->text + n, sizeof st->text - n, " (%s)", m->failed->name);
}

bool judge_reference(struct arena *a, const struct test_case *c,
                     const struct judge_mode *mode,
                     struct judge_reference *reference, struct status *st)
{
    int n = c->replicas > 0 ? c->replicas : 1;
    struct machine m = {.program = c->program,
                        .profile = mode->profile,
                        .limits = mode->limits,
                        .want_exact = mode->want_exact,
                        .flush = mode->flush,
                        .uses = mode->uses,
                        .sources = mode->sources,
                        .replicas = n,
                        .infeed = c->infeed,
                        .infeed_count = c->infeed_count,
                        .custom_calls = mode->custom_calls,
                        .memo = mode->memo};
    reference->replicas = n;
    reference->outcomes = arena_new(a, struct outcome, (size_t)n);
    struct literal *const *const *inputs =
        mode->inputs ? mode->inputs : (struct literal *const *const *)c->inputs;
    bool good =
        mode->evaluate ? mode->evaluate(mode->context, a, &m, inputs,
                                        reference->outcomes, st)
        : mode->uses && mode->uses->keeping
            ? evaluate_program(a, &m, inputs, reference->outcomes, st)
            : bound_given(a, &m, inputs, mode->given, reference->outcomes, st);
    if (mode->uses)
        mode->uses->steps += m.steps;
    if (!good) {
        name_failed(&m, st);
        return false;
    }
    reference->outfeed = m.outfeed;
    reference->outfeed_count = m.outfeed_count;
    reference->fed = arena_new(a, struct judge_fed *, (size_t)n);
    reference->fed_count = arena_new(a, int, (size_t)n);
    for (int i = 0; i < n; i++)
        reference->fed[i] = list_fed(a, &m, i, &reference->fed_count[i]);
    return true;
}

bool judge_reference_kept(struct arena *a, const struct test_case *c,
                          const struct judge_mode *mode,
                          struct judge_reference *kept,
                          struct judge_reference *reference, struct status *st)
{
    if (kept && kept->outcomes) {
        *reference = *kept;
        return true;
    }
    TRY(judge_reference(a, c, mode, reference, st));
    if (kept)
        *kept = *reference;
    return true;
}

/* ---- Expectations -------------------------------------------------------- */

static bool meets_one(const struct expected *e, const struct literal *got)
{
    if (!e->value)
        return true;
    if (!e->nan || e->value->shape->kind != SHAPE_ARRAY)
        return literal_equal(e->value, got);
    if (!shape_equal(e->value->shape, got->shape))
        return false;
    enum dtype unit = dtype_unit(got->shape->dtype);
    bool is_float = dtype_class(unit) == DTYPE_FLOAT;
    int64_t n = literal_units(got);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = literal_get(got, i);
        if (bits != literal_get(e->value, i)
            && !(is_float && e->nan[i] && real_is_nan(unit, bits)))
            return false;
    }
    return true;
}

static bool meets(const struct expected *e, const struct literal *got)
{
    if (meets_one(e, got))
        return true;
    for (int i = 0; i < e->count; i++)
        if (meets_one(&e->others[i], got))
            return true;
    return false;
}

bool judge_reference_contradicts(struct arena *a, const struct test_case *c,
                                 const struct judge_reference *reference,
                                 char *why, size_t size)
{
    const char *text = case_expect_results(a, c, reference->outcomes);
    if (text) {
        snprintf(why, size, "the reference contradicts the case: %s", text);
        return true;
    }
    for (int r = 0; c->outfeed && r < reference->replicas; r++)
        for (int i = 0; i < c->outfeed_count[r]; i++)
            if (i >= reference->outfeed_count[r]
                || !meets(&c->outfeed[r][i], reference->outfeed[r][i])) {
                snprintf(why, size,
                         "the reference contradicts the case: outfeed %d of"
                         " replica %d",
                         i, r);
                return true;
            }
    return false;
}
