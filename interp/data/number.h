/* number.h - one element from its text, rounded once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DATA_NUMBER_H
#define INTERP_DATA_NUMBER_H

#include "interp/base/dtype.h"
#include "interp/base/json.h"

/* Round a decimal ("-1.5e3") or hexadecimal ("0x1.8p-3") number to a unit
 * type, to nearest even; *exact tells whether it was one of its values.  An
 * integer type takes only its own values.  Fails with INPUT. */
bool number_read(const char *text, enum dtype type, uint64_t *bits, bool *exact,
                 struct status *st);
/* A bit pattern in hexadecimal, no wider than the type. */
bool number_bits(const char *text, size_t length, enum dtype unit,
                 uint64_t *bits, struct status *st);
/* One element of data or splat into bits[0..1] (its units).  A JSON number
 * must be exactly a value of the type; a string is rounded.  *nan: it was
 * written "nan", which in an expectation is any NaN. */
bool number_element(struct arena *a, const struct json *node, enum dtype type,
                    uint64_t bits[2], bool *nan, struct status *st);

#endif
