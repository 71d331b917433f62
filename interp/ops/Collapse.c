/* Collapse - adjacent dimensions made one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/dynamic.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    struct dimnums d = dimnums_get(in->in, ATTRIBUTE_DIMENSIONS);
    int64_t dims[SHAPE_RANK_MAX];
    bool flags[SHAPE_RANK_MAX];
    int rank = 0;
    TRY(dimnums_check(in, &d, s->rank, true, st));
    for (int i = 1; i < d.count; i++)
        if (d.at[i] != d.at[i - 1] + 1)
            return FAIL(st, ATTRIBUTE,
                        "Collapse: dimensions %" PRId64 " and %" PRId64
                        " are not adjacent",
                        d.at[i - 1], d.at[i]);
    for (int i = 0; i < s->rank; i++) {
        bool joins = dimnums_find(&d, i) > 0;
        flags[rank - joins] =
            dynamic_is(s, i) || (joins && flags[rank - joins]);
        if (!joins)
            dims[rank++] = s->dims[i];
        else if (__builtin_mul_overflow(dims[rank - 1], s->dims[i],
                                        &dims[rank - 1]))
            return FAIL(st, SHAPE, "Collapse: the result is too large");
    }
    TRY(infer_array(in, s->dtype, rank, dims, st));
    dynamic_mark(in, flags);
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return dynamic_eval_own(ev, st);
    struct literal *to = literal_new(ev->arena, ev->in->shape);
    memcpy(to->data, ev->operands[0]->data, (size_t)shape_bytes(ev->in->shape));
    return eval_return_literal(ev, to, GOAL_MOVED);
}

const struct op op_Collapse = {
    .name = "Collapse",
    .infer = infer,
    .eval = eval,
    .monotone = {1},
    .stablehlo =
        STABLEHLO_FORM(.why = "it is a reshape, which names no dimensions")};
