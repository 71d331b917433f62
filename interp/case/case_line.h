/* case_line.h - an instruction written as a line of text.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     sum = Add(x, p1) {broadcast_dimensions = [1]}
 *
 * spec/case-format.md has the grammar.
 */
#ifndef INTERP_CASE_CASE_LINE_H
#define INTERP_CASE_CASE_LINE_H

#include "interp/base/json.h"

/* The object that the line denotes, with the members name, op, operands and
 * attributes.  All its values have the line's position.  Fails with INPUT. */
bool case_line(struct arena *a, const struct json *line,
               const struct json **instruction, struct status *st);

#endif
