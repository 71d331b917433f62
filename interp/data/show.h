/* show.h - elements as text, for people and for the case format.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All texts live in the arena.  What is shown reads back (data.h) to the same
 * bits.
 */
#ifndef INTERP_DATA_SHOW_H
#define INTERP_DATA_SHOW_H

#include "interp/base/literal.h"

/* One unit: the shortest decimal that rounds to it ("0.1", "-0", "1e+30",
 * "inf", "nan(0x7fc00001)", "true"), and a hexadecimal float ("0x1.8p-3"; of
 * an integer type: "0xff"). */
const char *show_decimal(struct arena *a, enum dtype type, uint64_t bits);
const char *show_hexfloat(struct arena *a, enum dtype type, uint64_t bits);
/* One unit's bits in hexadecimal, as many digits as the type needs. */
const char *show_bits(struct arena *a, enum dtype type, uint64_t bits);
/* One element of an array: complex ones as re:im (bits) or [re, im]. */
const char *show_element_bits(struct arena *a, const struct literal *l,
                              int64_t element);
const char *show_element(struct arena *a, const struct literal *l,
                         int64_t element);
/* An element's place, as "1,2"; "" for a scalar. */
const char *show_index(struct arena *a, const struct shape *s, int64_t element);

#endif
