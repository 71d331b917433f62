/* CustomCall - a function from outside the program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gen/policy/custom_call_unknown.h"
#include "interp/ops/custom.h"
#include "interp/ops/dimnums.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

static const char *target(const struct instruction *in)
{
    return attribute_string(in, ATTRIBUTE_CALL_TARGET_NAME);
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    const struct custom *c = custom_find(target(in->in));
    if (!*target(in->in))
        return FAIL(st, ATTRIBUTE, "CustomCall: call_target_name is empty");
    in->result = s;
    if (c)
        return c->infer(in, st);
    TRY(dimnums_static(in, st));
    if (shape_has_dynamic(s))
        return FAIL(st, UNSUPPORTED,
                    "CustomCall: the shape of the result, %s, is dynamic",
                    shape_text(in->arena, s));
    for (int i = 0; i < shape_leaves(s); i++) {
        const struct shape *leaf = shape_leaf(s, i);
        if (leaf->kind == SHAPE_ARRAY)
            TRY(shape_check_size(leaf->rank, leaf->dims, leaf->dtype,
                                 in->program->limits->literal_bytes, st));
    }
    return true;
}

/* The pointer that represents a value. */
static void *pointer(struct arena *a, const struct literal *l)
{
    if (l->shape->kind != SHAPE_TUPLE)
        return l->data;
    void **list = arena_new(a, void *, (size_t)l->shape->rank + 1);
    for (int i = 0; i < l->shape->rank; i++)
        list[i] = pointer(a, l->elements[i]);
    return list;
}

/* Operands are copied: nothing prevents the function from writing there. */
static void call(struct eval *ev, custom_function *f)
{
    struct literal *result = literal_new(ev->arena, ev->in->shape);
    const void **in = arena_new(ev->arena, const void *, (size_t)ev->count + 1);
    for (int i = 0; i < ev->count; i++)
        in[i] = pointer(ev->arena, literal_copy(ev->arena, ev->operands[i]));
    f(pointer(ev->arena, result), in);
    eval_return_literal(ev, result, GOAL_BITS);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct custom *c = custom_find(target(ev->in));
    const struct custom_lookup *lookup = ev->machine->custom_calls;
    custom_function *f = NULL;
    if (c)
        return c->eval(ev, st);
    if (lookup)
        TRY(lookup->find(lookup->context, target(ev->in), &f, st));
    if (f) {
        for (int i = 0; i < ev->count; i++)
            TRY(eval_decided(ev, i, st));
        call(ev, f);
        return true;
    }
    if (profile_custom_call_unknown_is_reject(ev->machine->profile))
        return FAIL(st, STRUCTURE,
                    "CustomCall: no function registered for '%s'",
                    target(ev->in));
    return FAIL(
        st, UNSUPPORTED,
        "CustomCall: no function registered for '%s' (use --custom-call)",
        target(ev->in));
}

static bool by_columns(const struct instruction *in)
{
    const struct custom *c = custom_find(target(in));
    return c && c->by_columns;
}

const struct op op_CustomCall = {
    .name = "CustomCall",
    .infer = infer,
    .eval = eval,
    .passes = true,
    .stablehlo =
        STABLEHLO_FORM(.by_columns = by_columns,
                       .attributes = stablehlo_attribute_custom_call, .like = 4,
                       .why = "custom_call says nothing of its operands")};
