/* ConvGeneral - padding and dimension numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/conv.h"

const struct op op_ConvGeneral = {.name = "ConvGeneral",
                                  .infer = conv_infer,
                                  .eval = conv_eval,
                                  .stablehlo = &conv_form};
