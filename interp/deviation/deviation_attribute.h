/* deviation_attribute.h - attributes that are misread.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A change is applied by the attribute's form, so every operation that has
 * attributes of that form has the deviation.
 */
#ifndef INTERP_DEVIATION_DEVIATION_ATTRIBUTE_H
#define INTERP_DEVIATION_DEVIATION_ATTRIBUTE_H

#include "interp/program/program.h"

/* The change of that name; NULL if there is none. */
const struct deviation_change *deviation_attribute_find(const char *name);

/* The attribute under a change; to->name is ATTRIBUTE_NONE if it is left out.
 * False if the change does not apply to it, or changes nothing. */
bool deviation_attribute(struct arena *a, const struct deviation_change *change,
                         const struct spec_op *op, const struct attribute *from,
                         struct attribute *to);

#endif
