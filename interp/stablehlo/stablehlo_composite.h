/* stablehlo_composite.h - composite_attributes as a dictionary of MLIR.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_STABLEHLO_STABLEHLO_COMPOSITE_H
#define INTERP_STABLEHLO_STABLEHLO_COMPOSITE_H

#include "interp/stablehlo/stablehlo_write.h"

/* Write a JSON object as {n = 1 : i32, tensor = dense<[1]> : tensor<1xi32>}.
 * The types are those of seed 004's example (line 283): integers and lists of
 * integers are of i32, and of i64 where one needs it; strings, truth values
 * and objects are MLIR's own.  Fails with UNSUPPORTED for anything else. */
bool stablehlo_composite_attributes(struct stablehlo_writer *w,
                                    const char *object);

#endif
