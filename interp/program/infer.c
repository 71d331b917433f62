/* infer.c - see infer.h.  Tests: test_window.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/infer.h"

#include <assert.h>

#include "interp/program/attribute.h"

bool infer_array(struct infer *in, enum dtype dtype, int rank,
                 const int64_t *dims, struct status *st)
{
    int64_t limit = in->program->limits->literal_bytes;
    if (rank > SHAPE_RANK_MAX)
        return FAIL(st, SHAPE, "%s: result has %d dimensions; %d is the limit",
                    in->op->name, rank, SHAPE_RANK_MAX);
    TRY(shape_check_size(rank, dims, dtype, limit, st));
    in->result = shape_array(in->arena, dtype, rank, dims);
    return true;
}

/* Bind the built-in computation of that name for scalars of one type. */
static bool bind_builtin(struct infer *in, const char *name, int count,
                         const struct shape *const *parameters,
                         const struct computation **computation,
                         struct status *st)
{
    for (int i = 0; i < count; i++)
        if (!shape_is_scalar(parameters[i])
            || parameters[i]->dtype != parameters[0]->dtype)
            return FAIL(st, COMPUTATION,
                        "%s: built-in computation '%s' takes two scalars of "
                        "one type, not %s",
                        in->op->name, name,
                        shape_text(in->arena, parameters[i]));
    if (count != 2)
        return FAIL(st, COMPUTATION,
                    "%s: built-in computation '%s' takes 2 parameters, not %d",
                    in->op->name, name, count);
    struct computation *c =
        program_builtin(in->program, name, parameters[0]->dtype);
    assert(c); /* complete_attributes */
    *computation = c;
    return true;
}

bool infer_computation(struct infer *in, enum attribute_name attribute,
                       int which, int count,
                       const struct shape *const *parameters,
                       const struct computation **computation,
                       struct status *st)
{
    const struct attribute *a = attribute_find(in->in, attribute);
    if (!a || which >= a->computation_count)
        return FAIL(st, ATTRIBUTE, "%s: attribute '%s' is missing",
                    in->op->name, attribute_name_text(attribute));
    if (!a->computations[which] && a->builtins && a->builtins[which])
        TRY(bind_builtin(in, a->builtins[which], count, parameters,
                         &a->computations[which], st));
    const struct computation *c = a->computations[which];
    if (!c)
        return FAIL(st, STRUCTURE, "%s: computation of '%s' is unknown",
                    in->op->name, attribute_name_text(attribute));
    TRY(program_infer_computation(in->program, c, st));
    if (c->parameter_count != count)
        return FAIL(
            st, COMPUTATION,
            "%s: computation '%s' has %d parameters, but gets %d operands",
            in->op->name, c->name, c->parameter_count, count);
    for (int i = 0; i < count; i++) {
        const struct shape *s = c->instructions[c->parameters[i]]->shape;
        if (!shape_equal(s, parameters[i]))
            return FAIL(st, COMPUTATION,
                        "%s: parameter %d of computation '%s' is %s; %s is "
                        "passed",
                        in->op->name, i, c->name, shape_text(in->arena, s),
                        shape_text(in->arena, parameters[i]));
    }
    *computation = c;
    return true;
}
