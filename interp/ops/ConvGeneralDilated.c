/* ConvGeneralDilated - padding, dilation, and dimension numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/conv.h"

const struct op op_ConvGeneralDilated = {.name = "ConvGeneralDilated",
                                         .infer = conv_infer,
                                         .eval = conv_eval,
                                         .stablehlo = &conv_form};
