/* complete.h - has an instruction all that its operation relies on?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is the same for every operation, and what infer, evaluation and the
 * writers of text take for granted.  Inference checks it first; what works on a
 * program that inference rejected has to ask.
 */
#ifndef INTERP_PROGRAM_COMPLETE_H
#define INTERP_PROGRAM_COMPLETE_H

#include "interp/program/program.h"

/* The number of operands; fails with STRUCTURE. */
bool complete_operands(const struct instruction *in, const struct spec_op *spec,
                       struct status *st);
/* A present attribute has the form that spec/ops gives it (else ATTRIBUTE), and
 * the computations that it names exist (else STRUCTURE).  Those that are built
 * in are not bound to types yet. */
bool complete_attributes(const struct instruction *in,
                         const struct spec_op *spec, struct status *st);
/* Both, and no attribute is missing, where defaults have been filled in. */
bool complete(const struct instruction *in, struct status *st);

#endif
