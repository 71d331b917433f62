/* flush.h - operands whose subnormal numbers a profile lets a backend flush.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_SPECIFICATION_FLUSH_H
#define INTERP_SPECIFICATION_FLUSH_H

#include "interp/base/literal.h"
#include "interp/specification/profile.h"

/* May operands of that shape be flushed, to zeros of their own sign or, without
 * keep_sign, to +0?  Only arrays of floating-point or complex numbers may. */
bool flush_allowed(const struct profile *p, const struct shape *s,
                   bool keep_sign);

/* A copy of l with its subnormal numbers flushed; NULL if it has none, or none
 * that may be flushed. */
struct literal *flush_operand(struct arena *a, const struct profile *p,
                              const struct literal *l, bool keep_sign);

#endif
