/* data.h - literals from JSON: every form of the case format, and back.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The members data, splat, iota, bits, hex, sweep, specials, random, tuple,
 * dynamic_sizes, and in expectations any and one_of, are defined in
 * spec/case-format.md.  Rounding of decimal and hexadecimal strings and of
 * uniform and normal numbers is exact: once, to nearest even (real.h).
 */
#ifndef INTERP_PROGRAM_DATA_H
#define INTERP_PROGRAM_DATA_H

#include "interp/base/json.h"
#include "interp/base/limits.h"
#include "interp/base/literal.h"

/* What a case says of one result: its value, element by element. */
struct expected {
    struct literal *value; /* NULL: any */
    unsigned char *nan;    /* per unit: 1 = any NaN will do; NULL: none */
    int count;             /* alternatives after this one (one_of) */
    struct expected *others;
};

/* Read one literal.  A generator with {"outer": true} is read as if it stood
 * alone. */
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
/* Read one element of data or splat, units of it, into bits[0..1]; sets *nan
 * if it was written "nan" (any NaN in an expectation). */
bool data_element(struct arena *a, const struct json *node, enum dtype type,
                  uint64_t bits[2], bool *nan, struct status *st);
/* Round a decimal or hexadecimal number to a type. */
bool data_number(const char *text, enum dtype type, uint64_t *bits, bool *exact,
                 struct status *st);

/* One unit as text: shortest decimal that reads back to it ("0.1", "-inf",
 * "nan(0x7fc00001)"), and hexadecimal float ("0x1.8p-3"); in the arena. */
const char *data_decimal(struct arena *a, enum dtype type, uint64_t bits);
const char *data_hexfloat(struct arena *a, enum dtype type, uint64_t bits);
/* One element's bits as the case format's bits form writes them. */
const char *data_bits(struct arena *a, const struct literal *l,
                      int64_t element);

#endif
