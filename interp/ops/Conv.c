/* Conv - a convolution with a kind of padding.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/conv.h"

const struct op op_Conv = {.name = "Conv",
                           .infer = conv_infer,
                           .eval = conv_eval,
                           .stablehlo = &conv_form};
