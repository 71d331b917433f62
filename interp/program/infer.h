/* infer.h - what an operation calls while it infers its result's shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_INFER_H
#define INTERP_PROGRAM_INFER_H

#include "interp/program/op.h"

/* Set the result to an array shape after checking the size limit. */
bool infer_array(struct infer *in, enum dtype dtype, int rank,
                 const int64_t *dims, struct status *st);

/* In infer: the computation of that attribute, bound to these parameter
 * shapes (a builtin is made for them); COMPUTATION failure if its signature
 * does not fit.  Its result is checked by the caller. */
bool infer_computation(struct infer *in, enum attribute_name attribute,
                       int which, int parameter_count,
                       const struct shape *const *parameters,
                       const struct computation **computation,
                       struct status *st);

#endif
