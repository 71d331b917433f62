/* assay_reference_judge.c - the judge, as assay/reference.h declares it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>

#include "interp/base/text.h"
#include "interp/data/show.h"
#include "interp/judge/accept_text.h"
#include "interp/judge/judge_value.h"
#include "interp/judge/violation.h"
#include "interp/library/call.h"
#include "interp/library/result.h"

/* The arguments of one call, and its result. */
struct request {
    struct arena *arena;
    const assay_reference_result *result;
    const assay_tensor *const *outputs;
    int32_t count;
    int64_t most;
    assay_reference_judgement *judgement; /* NULL: right or wrong is enough */
    enum verdict_status status;
    char why[240];
};

static struct judge_given given_of(const assay_tensor *t, int replica)
{
    const assay_shape *s = t->shape;
    bool array = s->kind == ASSAY_ARRAY && s->dtype;
    return (struct judge_given){.got = {.dtype = array ? s->dtype
                                                 : s->kind == ASSAY_TOKEN
                                                     ? "token"
                                                     : "tuple",
                                        .rank = array ? s->rank : 0,
                                        .dims = s->dims,
                                        .sizes = t->sizes ? t->sizes : s->dims,
                                        .bytes = t->bytes,
                                        .held = t->data ? t->bytes : 0,
                                        .data = t->data},
                                .replica = replica};
}

/* ---- Wrong elements ------------------------------------------------------ */

static bool is_wrong(const struct verdict_leaf *leaf, int64_t element)
{
    int parts = dtype_units(leaf->got->shape->dtype);
    return leaf->state[element * parts] == VERDICT_PENDING
           || leaf->state[element * parts + parts - 1] == VERDICT_PENDING;
}

static int64_t larger(int64_t a, bool has, int64_t b)
{
    int64_t magnitude = b < 0 ? -b : b;
    return has && magnitude > a ? magnitude : a;
}

static const assay_reference_wrong *describe(const struct request *q,
                                             const struct verdict *v,
                                             const struct verdict_leaf *leaf,
                                             int64_t element)
{
    struct arena *a = q->arena;
    const struct goal *g = leaf->goal;
    int parts = dtype_units(leaf->got->shape->dtype);
    const char *accepts[2] = {"", ""};
    assay_reference_wrong *w = arena_new(a, assay_reference_wrong, 1);
    *w = (assay_reference_wrong){
        .size = sizeof *w,
        .replica = leaf->replica,
        .output = leaf->leaf,
        .element = element,
        .found = show_element(a, leaf->got, element),
        .expected = show_element(a, g->value, element),
        .ulps = ASSAY_REFERENCE_UNMEASURED,
        .bounds = ASSAY_REFERENCE_UNMEASURED,
    };
    for (int k = 0; k < parts; k++) {
        struct verdict_wrong unit = verdict_wrong_unit(
            v, a, q->result->profile, leaf, element * parts + k);
        accepts[k] = accept_text_wrong(a, g, &unit);
        w->budget = unit.accept;
        if (leaf->state[element * parts + k] != VERDICT_PENDING)
            continue;
        w->ulps = larger(w->ulps, unit.has_error, unit.error);
        w->bounds = larger(w->bounds, unit.has_share, unit.share);
    }
    w->accepts = parts == 1
                     ? accepts[0]
                     : arena_printf(a, "[%s, %s]", accepts[0], accepts[1]);
    return w;
}

/* The first of them, and how many there are. */
static void list_wrong(const struct request *q, const struct verdict *v,
                       assay_reference_judgement *to)
{
    const assay_reference_wrong **list = NULL;
    int64_t room = q->most < v->bad ? q->most : v->bad;
    list = arena_new(q->arena, const assay_reference_wrong *, (size_t)room + 1);
    for (int i = 0; i < v->leaf_count; i++) {
        const struct verdict_leaf *leaf = &v->leaves[i];
        int64_t count = shape_elements(leaf->got->shape);
        for (int64_t e = 0; leaf->state && e < count; e++) {
            if (!is_wrong(leaf, e))
                continue;
            if (to->wrong_count < room)
                list[to->wrong_count++] = describe(q, v, leaf, e);
            to->wrong_elements++;
        }
    }
    to->wrong = list;
}

/* The operands of an element, where each is one number or has the result's
 * shape. */
static void add_operands(const struct test_case *t,
                         const struct verdict_leaf *leaf, int64_t element,
                         struct violation_unit *u)
{
    const struct shape *result = leaf->got->shape;
    for (int i = 0; i < t->input_count && i < VIOLATION_OPERANDS; i++) {
        const struct literal *l = t->inputs[leaf->replica][i];
        const struct shape *s = l->shape;
        bool one = s->kind == SHAPE_ARRAY && shape_elements(s) == 1;
        u->operand_count = i + 1;
        if (!one && (s->kind != SHAPE_ARRAY || !shape_same_dims(s, result))) {
            u->operand_count = 0;
            return;
        }
        u->operands[i].type = s->dtype;
        u->operands[i].bits =
            literal_get(l, one ? 0 : element * dtype_units(s->dtype));
    }
    if (t->input_count > VIOLATION_OPERANDS)
        u->operand_count = 0;
}

/* The first wrong unit; false if the result is wrong as a whole. */
static bool first_wrong(const struct request *q, const struct verdict *v,
                        struct violation_unit *u)
{
    for (int i = 0; i < v->leaf_count; i++) {
        const struct verdict_leaf *leaf = &v->leaves[i];
        int64_t count = literal_units(leaf->got);
        int parts = dtype_units(leaf->got->shape->dtype);
        for (int64_t k = 0; leaf->state && k < count; k++) {
            if (leaf->state[k] != VERDICT_PENDING)
                continue;
            struct verdict_wrong w =
                verdict_wrong_unit(v, q->arena, q->result->profile, leaf, k);
            *u = (struct violation_unit){.type = w.type,
                                         .got = w.got,
                                         .want = w.want,
                                         .has_error = w.has_error,
                                         .has_share = w.has_share};
            add_operands(q->result->made, leaf, k / parts, u);
            return leaf->goal->rule != GOAL_CHECK;
        }
    }
    return false;
}

/* The rule that the first wrong unit breaks; where the sources have no sentence
 * for it, the formula of the specification's file. */
static void cite(const struct request *q, const struct verdict *v,
                 assay_reference_judgement *to)
{
    const struct test_case *t = q->result->made;
    const struct spec_op *op = t->op ? spec_op_find(t->op) : NULL;
    struct violations broken = {0};
    struct violation_unit u;
    if (!op || !verdict_is_failure(q->status))
        return;
    if (first_wrong(q, v, &u))
        violation_add(&broken, op, t->stub->node, q->result->profile, &u);
    violation_whole(&broken, op, v->bad, q->why);
    const struct violation *rule = broken.count ? &broken.list[0] : NULL;
    to->rule = rule ? rule->id : op->name;
    to->rule_text = rule ? rule->text : op->result.value;
    to->rule_source = rule ? rule->source : NULL;
}

/* ---- Calls ----------------------------------------------------------- */

static bool judge_request(void *context, struct status *st)
{
    struct request *q = context;
    const assay_reference_result *r = q->result;
    const struct judge_value by = result_judge(r, q->arena);
    struct judge_given *given =
        arena_new(q->arena, struct judge_given, (size_t)q->count + 1);
    struct verdict *v = arena_new(q->arena, struct verdict, 1);
    for (int i = 0; i < q->count; i++)
        given[i] = given_of(q->outputs[i], r->outputs > 0 ? i / r->outputs : 0);
    if (!judge_value(&by, given, q->count, v, &q->status, q->why,
                     sizeof q->why))
        return FAIL(st, INPUT, "%s", q->why);
    text_clean(q->why, sizeof q->why, q->why); /* the caller's type is in it */
    if (!q->judgement)
        return true;
    assay_reference_judgement to = {.size = sizeof to,
                                    .status = verdict_name(q->status),
                                    .why = arena_text(q->arena, q->why),
                                    .units = v->units,
                                    .bad = v->bad};
    list_wrong(q, v, &to);
    cite(q, v, &to);
    *q->judgement = to;
    return true;
}

/* Can every output be looked at? */
static bool are_tensors(const assay_tensor *const *outputs, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const assay_shape *s = outputs[i] ? outputs[i]->shape : NULL;
        if (!s || (s->kind == ASSAY_ARRAY && s->rank != 0 && !s->dims))
            return false;
    }
    return true;
}

/* False, and why in error, if there is nothing to judge, or to judge by. */
static bool can_judge(const assay_reference_result *r,
                      const assay_tensor *const *outputs, int32_t count,
                      assay_error *error)
{
    const char *why = !r                    ? "the argument result is NULL"
                      : count < 0           ? "a negative number of outputs"
                      : r->code != ASSAY_OK ? "the program has no values"
                      : r->of->values_only  ? "only values were asked for"
                      : count > 0 && (!outputs || !are_tensors(outputs, count))
                          ? "an output, its shape or its dimensions are NULL"
                          : NULL;
    if (why)
        call_say(error, why);
    return !why;
}

assay_code assay_reference_judge(assay_reference_result *r,
                                 const assay_tensor *const *outputs,
                                 int32_t count, int32_t *right,
                                 assay_error *error)
{
    struct status st = {STATUS_OK};
    struct arena a = ARENA_INIT;
    struct request q = {
        .arena = &a, .result = r, .outputs = outputs, .count = count};
    if (!right)
        return call_missing(error, "right");
    *right = 0;
    if (!can_judge(r, outputs, count, error))
        return ASSAY_FAILED;
    bool good = call_run(&a, judge_request, &q, &st);
    arena_free(&a);
    if (!good)
        return call_fail(error, &st);
    *right = !verdict_is_failure(q.status);
    call_say(error, q.why);
    return ASSAY_OK;
}

assay_code assay_reference_judge_all(assay_reference_result *r,
                                     const assay_tensor *const *outputs,
                                     int32_t count, int64_t most,
                                     assay_reference_judgement *judgement,
                                     assay_error *error)
{
    struct status st = {STATUS_OK};
    if (!judgement)
        return call_missing(error, "judgement");
    if (judgement->size < sizeof *judgement) {
        call_say(error, "judgement.size is not set");
        return ASSAY_FAILED;
    }
    if (!can_judge(r, outputs, count, error))
        return ASSAY_FAILED;
    struct request q = {.arena = &r->arena,
                        .result = r,
                        .outputs = outputs,
                        .count = count,
                        .most = most > 0 ? most : 0,
                        .judgement = judgement};
    if (!call_run(&r->arena, judge_request, &q, &st))
        return call_fail(error, &st);
    return ASSAY_OK;
}
