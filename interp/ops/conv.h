/* conv.h - convolutions: one family, differing in the attributes they have.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_OPS_CONV_H
#define INTERP_OPS_CONV_H

#include "interp/program/eval.h"
#include "interp/program/infer.h"
#include "interp/stablehlo/stablehlo_form.h"

/* Attributes that an operation lacks (dimension_numbers, dilations,
 * window_reversal) have their defaults. */
bool conv_infer(struct infer *in, struct status *st);
bool conv_eval(struct eval *ev, struct status *st);

extern const struct stablehlo_form conv_form;

#endif
