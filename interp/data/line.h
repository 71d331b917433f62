/* line.h - instructions and formulas written as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 *     sum = Add(x, p1) {broadcast_dimensions = [1]}
 *     Sub(lhs, Mul(Floor(Div(lhs, rhs)), rhs))
 *
 * spec/case-format.md has the grammar of lines, spec/deviations.md what a
 * formula has beside it.
 */
#ifndef INTERP_DATA_LINE_H
#define INTERP_DATA_LINE_H

#include "interp/base/json.h"

/* The object that the line denotes, with the members name, op, operands and
 * attributes.  All its values have the line's position.  Fails with INPUT. */
bool line_instruction(struct arena *a, const struct json *line,
                      const struct json **instruction, struct status *st);

/* Parses a formula into what it denotes: a string, a number, or an object with
 * the members op, type (if one follows the operation), operands (formulas) and
 * attributes.  It has the text's position, its key and the value after
 * it.  NULL without a text. Fails with INPUT. */
bool line_formula(struct arena *a, const struct json *text,
                  const struct json **formula, struct status *st);

#endif
