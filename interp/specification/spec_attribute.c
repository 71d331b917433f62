/* spec_attribute.c - the attributes of an operation; see spec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_spec.c, test_deviation.c.
 */
#include "interp/specification/spec.h"

const struct spec_attribute *spec_attribute_find(const struct spec_op *op,
                                                 enum attribute_name name)
{
    for (int i = 0; i < op->attribute_count; i++)
        if (op->attributes[i].id == name)
            return &op->attributes[i];
    return NULL;
}

const struct spec_attribute *spec_attribute_or_member(const struct spec_op *op,
                                                      enum attribute_name name)
{
    for (int i = 0; i < op->attribute_count && name != ATTRIBUTE_NONE; i++)
        for (int k = 0; k < op->attributes[i].member_count; k++)
            if (op->attributes[i].members[k].id == name)
                return &op->attributes[i].members[k];
    return spec_attribute_find(op, name);
}
