/* DotGeneral - sum of products, with batch dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dot.h"
#include "interp/program/op_way.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    struct dot_numbers n = dot_get(in->in);
    return dot_infer(in, &n, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct dot_numbers n = dot_get(ev->in);
    return dot_eval(ev, &n, st);
}

const struct op op_DotGeneral = {
    .name = "DotGeneral",
    .spreads = true,
    .infer = infer,
    .eval = eval,
    .monotone = {OP_WAY_SUM, OP_WAY_SUM},
    .stablehlo = STABLEHLO_FORM(.numbers = "stablehlo.dot")};
