/* program_policy.c - see program_policy.h.  Tests: test_judge_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/program_policy.h"

#include <string.h>

#include "interp/program/op.h"

static bool of_operation(const struct instruction *in, const char *policy)
{
    const struct spec_op *op = spec_op_find(in->op->name);
    return op && spec_op_names(op, policy);
}

static bool in_computation(const struct computation *c, const char *policy)
{
    for (int i = 0; i < c->count; i++)
        if (program_policy_of(c->instructions[i], policy))
            return true;
    return false;
}

bool program_policy_of(const struct instruction *in, const char *policy)
{
    if (of_operation(in, policy))
        return true;
    for (int k = 0; k < in->attribute_count; k++) {
        const struct attribute *a = &in->attributes[k];
        for (int i = 0; i < a->computation_count; i++)
            if (a->computations[i]
                && in_computation(a->computations[i], policy))
                return true;
    }
    return false;
}

/* ---- By what is computed ------------------------------------------------- */

static bool is_bounded(enum dtype unit)
{
    return dtype_class(unit) == DTYPE_FLOAT && !real_has_inf(unit);
}

static bool is_complex(enum dtype type)
{
    return dtype_class(type) == DTYPE_COMPLEX;
}

/* The values that member `bears` of spec/policies.json may have: a policy is
 * about each computation with such elements, whatever the operation is, and
 * about no other, whatever operations name it: Add names integer.overflow. */
static const struct kind {
    const char *name;
    bool (*has)(enum dtype type);
} kinds[] = {
    {"integer", dtype_is_integer},
    {"bounded", is_bounded},
    {"complex", is_complex},
};

static const struct kind *kind_of(const char *policy)
{
    const struct json *file = spec_file("spec/policies.json");
    const struct json *rows = file ? json_member(file, "policies") : NULL;
    for (const struct json *c = rows ? rows->child : NULL; c; c = c->next) {
        const struct json *bears = json_member(c, "bears");
        if (!bears || strcmp(json_member(c, "name")->text, policy) != 0)
            continue;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (strcmp(kinds[i].name, bears->text) == 0)
                return &kinds[i];
    }
    return NULL;
}

static bool has_elements(const struct shape *s, const struct kind *kind)
{
    if (s->kind == SHAPE_ARRAY)
        return kind->has(s->dtype);
    for (int i = 0; s->kind == SHAPE_TUPLE && i < s->rank; i++)
        if (has_elements(s->elements[i], kind))
            return true;
    return false;
}

bool program_policy_any(const struct program *p, const char *policy)
{
    const struct kind *kind = kind_of(policy);
    for (int c = 0; c < p->computation_count; c++)
        for (int i = 0; i < p->computations[c]->count; i++) {
            const struct instruction *in = p->computations[c]->instructions[i];
            if (kind ? in->shape && has_elements(in->shape, kind)
                     : of_operation(in, policy))
                return true;
        }
    return false;
}
