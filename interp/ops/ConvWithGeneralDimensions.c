/* ConvWithGeneralDimensions - a kind of padding, and dimension numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/conv.h"

const struct op op_ConvWithGeneralDimensions = {.name =
                                                    "ConvWithGeneralDimensions",
                                                .infer = conv_infer,
                                                .eval = conv_eval,
                                                .stablehlo = &conv_form};
