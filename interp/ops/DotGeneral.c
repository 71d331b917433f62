/* DotGeneral - sum of products, with batch dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dot.h"

static struct dot_numbers get(const struct instruction *in)
{
    return (struct dot_numbers){
        .batch = {dimnums_get(in, "dimension_numbers.lhs_batch_dimensions"),
                  dimnums_get(in, "dimension_numbers.rhs_batch_dimensions")},
        .contracting = {
            dimnums_get(in, "dimension_numbers.lhs_contracting_dimensions"),
            dimnums_get(in, "dimension_numbers.rhs_contracting_dimensions")}};
}

static bool infer(struct infer *in, struct status *st)
{
    struct dot_numbers n = get(in->in);
    return dot_infer(in, &n, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct dot_numbers n = get(ev->in);
    return dot_eval(ev, &n, st);
}

const struct op op_DotGeneral = {
    .name = "DotGeneral", .infer = infer, .eval = eval};
