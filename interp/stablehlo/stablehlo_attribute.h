/* stablehlo_attribute.h - an instruction's attributes in StableHLO's form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_ATTRIBUTE_H
#define INTERP_STABLEHLO_STABLEHLO_ATTRIBUTE_H

#include "interp/stablehlo/stablehlo_write.h"

/* Write {name = value, ...}, or nothing if there are none; operands as the
 * instruction has them. */
bool stablehlo_attribute_write(struct stablehlo_writer *w,
                               const struct instruction *in,
                               const struct stablehlo_value *operands);

#endif
