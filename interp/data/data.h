/* data.h - literals from JSON: every form of the case format, and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The members data, splat, iota, bits, hex, sweep, specials, random, tuple,
 * dynamic_sizes, and in expectations any and one_of, are defined in
 * spec/case-format.md.  Rounding of decimal and hexadecimal strings and of
 * uniform and normal numbers is exact: once, to nearest even (real.h).
 */
#ifndef INTERP_DATA_DATA_H
#define INTERP_DATA_DATA_H

#include "interp/base/json.h"
#include "interp/base/limits.h"
#include "interp/base/literal.h"

/* The value that a case expects of one result, element by element. */
struct expected {
    struct literal *value; /* NULL: any */
    unsigned char *nan;    /* per unit: 1 = any NaN will do; NULL: none */
    int count;             /* alternatives after this one (one_of) */
    struct expected *others;
};

/* Read one literal.  A generator with {"outer": true} is read as if it were the
 * only one. */
bool data_literal(struct arena *a, const struct json *node,
                  const struct limits *limits, struct literal **literal,
                  struct status *st);
/* Read the inputs of a case.  Those with {"outer": true} together run through
 * every combination of their sequences, the first input slowest; a sequence
 * is as long as the type's grid or sweep, or, for other generators, as the
 * n-th root of the number of elements, rounded up, for n outer inputs. */
bool data_inputs(struct arena *a, const struct json *const *nodes, int count,
                 const struct limits *limits, struct literal **literals,
                 struct status *st);
/* Read one expectation: a literal, {"any": true} or {"one_of": [...]}. */
bool data_expected(struct arena *a, const struct json *node,
                   const struct limits *limits, struct expected *expected,
                   struct status *st);
#endif
