/* complete.c - see complete.h; tools/test/invalid.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_stablehlo.c.
 */
#include "interp/program/complete.h"

#include "interp/base/text.h"
#include "interp/program/attribute.h"
#include "interp/program/op.h"

bool complete_operands(const struct instruction *in, const struct spec_op *spec,
                       struct status *st)
{
    int least = 0, most = 0;
    bool variadic = false;
    for (int i = 0; i < spec->operand_count; i++) {
        const struct spec_operand *o = &spec->operands[i];
        least += o->variadic ? o->minimum : !o->optional;
        most += !o->variadic;
        variadic |= o->variadic;
    }
    if (in->operand_count < least || (!variadic && in->operand_count > most))
        return FAIL(st, STRUCTURE, "%s: %d operands; expected %s%d",
                    in->op->name, in->operand_count,
                    variadic || most > least ? "at least " : "", least);
    return true;
}

static bool check_computations(const struct instruction *in,
                               const struct attribute *a, struct status *st)
{
    for (int i = 0; i < a->computation_count; i++) {
        const char *name = a->builtins ? a->builtins[i] : NULL;
        if (a->computations[i] || (name && program_is_builtin(name)))
            continue;
        return FAIL(
            st, STRUCTURE, "%s: unknown computation '%.80s'%s", in->op->name,
            name ? name : "",
            program_builtin_hint((char[TEXT_HINT]){0}, name ? name : ""));
    }
    return true;
}

bool complete_attributes(const struct instruction *in,
                         const struct spec_op *spec, struct status *st)
{
    for (int i = 0; i < spec->attribute_count; i++) {
        const struct spec_attribute *s = &spec->attributes[i];
        const struct attribute *a = attribute_find(in, s->id);
        if (!a || s->form == SPEC_DIMENSION_NUMBERS)
            continue;
        if (a->form != s->form)
            return FAIL(st, ATTRIBUTE, "%s: attribute '%s' has the wrong form",
                        in->op->name, s->name);
        TRY(check_computations(in, a, st));
    }
    return true;
}

/* dimension_numbers is only the name of its members. */
static bool check_present(const struct instruction *in,
                          const struct spec_op *spec, struct status *st)
{
    for (int i = 0; i < spec->attribute_count; i++) {
        const struct spec_attribute *s = &spec->attributes[i];
        bool absent = s->form == SPEC_DIMENSION_NUMBERS
                      || (s->optional && !s->default_value);
        if (!absent && !attribute_find(in, s->id))
            return FAIL(st, ATTRIBUTE, "%s: attribute '%s' is missing",
                        in->op->name, s->name);
    }
    return true;
}

bool complete(const struct instruction *in, struct status *st)
{
    const struct spec_op *spec = spec_op_find(in->op->name);
    if (!spec)
        return FAIL(st, UNSUPPORTED, "%s: unknown operation", in->op->name);
    TRY(complete_operands(in, spec, st));
    TRY(check_present(in, spec, st));
    return complete_attributes(in, spec, st);
}
