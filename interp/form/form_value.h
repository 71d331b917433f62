/* form_value.h - classes of values that may go wrong on their own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_FORM_FORM_VALUE_H
#define INTERP_FORM_FORM_VALUE_H

#include "interp/base/literal.h"

enum form_value {
    FORM_VALUE_ZERO,
    FORM_VALUE_NEGATIVE_ZERO,
    FORM_VALUE_SUBNORMAL,
    FORM_VALUE_LEAST_NORMAL,
    FORM_VALUE_ONE,
    FORM_VALUE_NEGATIVE,
    FORM_VALUE_LARGEST, /* finite; of integers the largest */
    FORM_VALUE_LEAST,   /* of signed integers the least */
    FORM_VALUE_INFINITY,
    FORM_VALUE_NEGATIVE_INFINITY,
    FORM_VALUE_NAN,
    FORM_VALUE_AWKWARD, /* odd, and too large for a float of fewer bits */
    FORM_VALUE_OTHER,
    FORM_VALUES
};

const char *form_value_name(enum form_value v);
/* The class of an element; of a complex one that of its real part. */
enum form_value form_value_of(const struct literal *l, int64_t i);
/* Bit 1 << class of all elements: of the first 4,096, and no others. */
unsigned form_value_set(const struct literal *l);
/* Those that the type has. */
unsigned form_value_set_of_type(enum dtype t);

#endif
