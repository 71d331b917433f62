/* ConvWithGeneralPadding - a convolution with padding in numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/conv.h"

const struct op op_ConvWithGeneralPadding = {.name = "ConvWithGeneralPadding",
                                             .infer = conv_infer,
                                             .eval = conv_eval,
                                             .stablehlo = &conv_form};
