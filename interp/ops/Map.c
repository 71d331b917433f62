/* Map - a computation applied to each element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/goal/goal_gather.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/dynamic.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/program/evaluate.h"
#include "interp/program/infer.h"
#include "interp/program/interval_goal.h"

/* All dimensions, if none are named. */
static void name_dimensions(struct infer *in, int rank)
{
    struct instruction *i = in->in;
    size_t n = (size_t)i->attribute_count;
    if (attribute_find(i, ATTRIBUTE_DIMENSIONS))
        return;
    struct attribute *more = arena_new(in->arena, struct attribute, n + 1);
    int64_t *all = arena_new(in->arena, int64_t, (size_t)rank);
    for (int d = 0; d < rank; d++)
        all[d] = d;
    memcpy(more, i->attributes, n * sizeof *more);
    more[n] = (struct attribute){.name = ATTRIBUTE_DIMENSIONS,
                                 .form = SPEC_INTS,
                                 .count = rank,
                                 .ints = all};
    i->attributes = more;
    i->attribute_count++;
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    const struct computation *c;
    const struct shape **scalars =
        arena_new(in->arena, const struct shape *, (size_t)in->count);
    struct dimnums d = dimnums_get(in->in, ATTRIBUTE_DIMENSIONS);
    for (int i = 0; i < in->count; i++) {
        const struct shape *o = in->operands[i];
        if (!shape_same_dims(o, s))
            return FAIL(st, SHAPE,
                        "Map: operand %d is %s; expected the dimensions of "
                        "operand 0, %s",
                        i, shape_text(in->arena, o), shape_text(in->arena, s));
        scalars[i] = shape_scalar(in->arena, o->dtype);
    }
    if (attribute_find(in->in, ATTRIBUTE_DIMENSIONS)) {
        TRY(dimnums_count(in, &d, s->rank, st));
        for (int i = 0; i < d.count; i++)
            if (d.at[i] != i)
                return FAIL(st, ATTRIBUTE,
                            "Map: dimensions are not 0, 1, 2, ... in order");
    }
    name_dimensions(in, s->rank);
    TRY(infer_computation(in, ATTRIBUTE_COMPUTATION, 0, in->count, scalars, &c,
                          st));
    if (!shape_is_scalar(c->result))
        return FAIL(st, COMPUTATION,
                    "Map: computation '%s' returns %s; expected a scalar",
                    c->name, shape_text(in->arena, c->result));
    TRY(infer_array(in, c->result->dtype, s->rank, s->dims, st));
    dynamic_mark(in, s->dynamic);
    return true;
}

static void load(struct eval *ev, struct literal **to, int64_t i)
{
    for (int k = 0; k < ev->count; k++)
        literal_move(to[k], 0, ev->operands[k], i);
}

/* *exact: each element has one value; else there is no outcome. */
static bool eval_exact(struct eval *ev, const struct computation *c,
                       struct literal **arguments, bool *exact,
                       struct status *st)
{
    const struct shape *s = ev->in->shape;
    struct literal *to = literal_new(ev->arena, s);
    struct literal *one = literal_new(ev->arena, c->result);
    for (int64_t i = 0, n = shape_elements(s); i < n; i++) {
        load(ev, arguments, i);
        TRY(eval_call_exact(ev, c, (const struct literal *const *)arguments,
                            one, exact, NULL, st));
        if (!*exact)
            return true;
        literal_move(to, i, one, 0);
    }
    return eval_return_literal(ev, to, GOAL_BITS);
}

/* Element i is the only one of an outcome. */
static bool gather(struct eval *ev, struct goal_gather *all, int64_t i,
                   const struct outcome *out, struct status *st)
{
    const struct goal *g = out->goals ? out->goals[0] : NULL;
    int units = dtype_units(out->value->shape->dtype);
    const char *why;
    if (g
        && !(g = interval_goal_by_unit(ev->arena, ev->machine->profile, g,
                                       &why)))
        return FAIL(st, UNSUPPORTED, "inadmissible: the result of Map %s", why);
    for (int u = 0; u < units; u++)
        goal_gather_unit(all, i * units + u, out->value, g, u);
    return true;
}

/* One element whose value is not known exactly. */
static bool eval_one(struct eval *ev, const struct computation *c,
                     struct literal *const *from, struct literal *const *to,
                     struct goal_gather *all, int64_t i, struct status *st)
{
    struct machine *m = ev->machine;
    struct arena *a = evaluate_frame(m);
    struct outcome *with = arena_new(a, struct outcome, (size_t)ev->count);
    struct outcome out;
    for (int k = 0; k < ev->count; k++)
        with[k] = interval_goal_element(a, ev->operands[k], from[k], to[k], i);
    bool ok = eval_call_followed(ev, a, c, with, &out, st)
              && gather(ev, all, i, &out, st);
    evaluate_release(m);
    return ok;
}

/* The first operand decides how many elements there are. */
static bool eval_dynamic(struct eval *ev, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    for (int i = 1; i < ev->count; i++)
        for (int d = 0; d < ev->in->shape->rank; d++)
            TRY(dynamic_follow(&p, 0, d, i, d, st));
    return dynamic_eval(&p, st);
}

static bool eval_between(struct eval *ev, struct literal *const *low,
                         struct literal *const *high, struct status *st)
{
    const struct computation *c =
        eval_computation(ev, ATTRIBUTE_COMPUTATION, 0);
    struct goal_gather *all = goal_gather_open(ev->arena, ev->in->shape);
    int64_t bytes = ev->machine->bytes;
    for (int64_t i = 0, n = shape_elements(ev->in->shape); i < n; i++) {
        TRY(eval_one(ev, c, low, high, all, i, st));
        ev->machine->bytes = bytes;
    }
    return eval_return_one(ev, goal_gather_close(all));
}

static bool eval_ranges(struct eval *ev, struct status *st)
{
    return eval_between(ev, ev->low, ev->high, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    const struct computation *c =
        eval_computation(ev, ATTRIBUTE_COMPUTATION, 0);
    struct literal **arguments =
        arena_new(ev->arena, struct literal *, (size_t)ev->count);
    for (int k = 0; k < ev->count; k++)
        arguments[k] = literal_new(
            ev->arena, shape_scalar(ev->arena, ev->operands[k]->shape->dtype));
    bool exact = !ev->want_exact || c->exact;
    if (exact)
        TRY(eval_exact(ev, c, arguments, &exact, st));
    if (exact)
        return true;
    struct literal **values =
        arena_new(ev->arena, struct literal *, (size_t)ev->count);
    for (int k = 0; k < ev->count; k++)
        values[k] = ev->outcomes[k]->value;
    return eval_between(ev, values, values, st);
}

const struct op op_Map = {
    .name = "Map", .infer = infer, .eval = eval, .ranges = eval_ranges};
