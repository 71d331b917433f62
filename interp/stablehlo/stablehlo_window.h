/* stablehlo_window.h - windows and convolutions in StableHLO's form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_WINDOW_H
#define INTERP_STABLEHLO_STABLEHLO_WINDOW_H

#include "interp/stablehlo/stablehlo_write.h"

/* Pairs of low and high, which are 0, for an instruction whose padding has a
 * name, of rank spatial dimensions. */
void stablehlo_window_padding(const struct instruction *in,
                              const struct stablehlo_value *operands, int rank,
                              int64_t *pairs);
/* #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, the default where the
 * operation has no dimension numbers; #stablehlo.conv<raw ...> for numbers that
 * this form cannot express: a duplicate or nonexistent dimension. */
void stablehlo_window_numbers(struct stablehlo_writer *w,
                              const struct instruction *in, int spatial);

#endif
