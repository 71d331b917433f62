/* ConvGeneral - padding and dimension numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/conv.h"
#include "interp/program/op_way.h"

const struct op op_ConvGeneral = {.name = "ConvGeneral",
                                  .infer = conv_infer,
                                  .eval = conv_eval,
                                  .monotone = {OP_WAY_SUM, OP_WAY_SUM},
                                  .stablehlo = &conv_form};
