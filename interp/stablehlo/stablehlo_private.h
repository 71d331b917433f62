/* stablehlo_private.h - what the files of the reader and writer share.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_PRIVATE_H
#define INTERP_STABLEHLO_STABLEHLO_PRIVATE_H

#include "interp/stablehlo/stablehlo_write.h"

/* ---- stablehlo_attribute.c ----------------------------------------------- */
/* An instruction's attributes in StableHLO's form. */

/* Write {name = value, ...}, or nothing if there are none; operands as the
 * instruction has them. */
bool stablehlo_attribute_write(struct stablehlo_writer *w,
                               const struct stablehlo_item *it);

/* ---- stablehlo_composite.c ----------------------------------------------- */
/* Composite_attributes as a dictionary of MLIR. */

/* Write a JSON object as {n = 1 : i32, tensor = dense<[1]> : tensor<1xi32>}.
 * The types are those of seed 004's example (line 283): integers and lists of
 * integers are of i32, and of i64 where one needs it; strings, truth values
 * and objects are MLIR's own.  Fails with UNSUPPORTED for anything else. */
bool stablehlo_composite_attributes(struct stablehlo_writer *w,
                                    const char *object);

/* ---- stablehlo_window.c: windows and convolutions in StableHLO's form ---- */

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

/* ---- stablehlo_invalid.c: the text of an invalid instruction ------------- */

/* stablehlo_hidden.c: why the text would not show what is wrong with an
 * instruction that inference rejected, or NULL if it does. */
const char *stablehlo_hidden(const struct stablehlo_writer *w,
                             const struct stablehlo_item *it);
/* stablehlo_claim.c: the type that its result claims; NULL if nothing
 * determines it. */
const struct shape *stablehlo_claim(struct stablehlo_writer *w,
                                    const struct stablehlo_item *it);

#endif
