/* stablehlo_invalid.h - the text of an invalid instruction.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_INVALID_H
#define INTERP_STABLEHLO_STABLEHLO_INVALID_H

#include "interp/stablehlo/stablehlo_write.h"

/* stablehlo_hidden.c: why the text would not show what is wrong with an
 * instruction that inference rejected, or NULL if it does. */
const char *stablehlo_hidden(const struct stablehlo_writer *w,
                             const struct instruction *in,
                             const struct stablehlo_value *operands);
/* stablehlo_claim.c: the type that its result claims; NULL if nothing
 * determines it. */
const struct shape *stablehlo_claim(struct stablehlo_writer *w,
                                    const struct instruction *in,
                                    const struct stablehlo_value *operands);

#endif
