/* flush.c - see flush.h.  Tests: test_elementwise.c, test_judge_value.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/specification/flush.h"

bool flush_allowed(const struct profile *p, const struct shape *s,
                   bool keep_sign)
{
    if (s->kind != SHAPE_ARRAY
        || dtype_class(dtype_unit(s->dtype)) != DTYPE_FLOAT)
        return false;
    unsigned may = profile_rules(p, dtype_unit(s->dtype)).subnormal;
    return may & ACCEPT_FLUSH_OPERANDS
           && (keep_sign || may & ACCEPT_FLUSH_ANY_SIGN);
}

struct literal *flush_operand(struct arena *a, const struct profile *p,
                              const struct literal *l, bool keep_sign)
{
    struct literal *copy = NULL;
    if (!flush_allowed(p, l->shape, keep_sign))
        return NULL;
    enum dtype unit = dtype_unit(l->shape->dtype);
    int64_t n = literal_units(l);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = literal_get(l, i);
        if (!real_is_subnormal(unit, bits))
            continue;
        if (!copy)
            copy = literal_copy(a, l);
        bool negative = keep_sign && real_is_negative(unit, bits);
        literal_set(copy, i, real_zero(unit, negative));
    }
    return copy;
}
