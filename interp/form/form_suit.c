/* form_suit.c - see form_apply.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/form/form_apply.h"
#include "interp/program/join.h"

const struct instruction *form_suit_single(const struct program *p)
{
    const struct computation *c = p->entry;
    if (p->entries || c->count != c->parameter_count + 1)
        return NULL;
    const struct instruction *in = c->instructions[c->root];
    if (in->operand_count != c->parameter_count
        || in->op->role == OP_ROLE_PARAMETER)
        return NULL;
    for (int k = 0; k < in->operand_count; k++)
        if (in->operands[k] != c->parameters[k])
            return NULL;
    return in;
}

bool form_suit_elementwise(const struct op *op)
{
    struct arena a = ARENA_INIT;
    const struct spec_op *spec = spec_op_find(op->name);
    const char *value = spec ? spec->result.value : NULL;
    bool all =
        value && strncmp(value, "out[i] = ", 9) == 0 && spec->operand_count > 0;
    for (int k = 0; all && k < spec->operand_count; k++)
        all = strstr(value, arena_printf(&a, "%s[i]", spec->operands[k].name));
    arena_free(&a);
    return all;
}

/* Is it an array that the form is about?  Any value may be a constant. */
bool form_suit_fits(const struct form *f, const struct shape *s)
{
    if (f->constant && !form_is_data(f))
        return s->kind != SHAPE_TOKEN;
    return s->kind == SHAPE_ARRAY && !shape_has_dynamic(s)
           && (f->types == 0 || f->types >> s->dtype & 1) && s->rank >= f->least
           && s->rank <= f->most && (!f->nonempty || shape_elements(s) > 0);
}

static bool fits_result(const struct form *f, const struct shape *s)
{
    if (s->kind != SHAPE_TUPLE)
        return form_suit_fits(f, s);
    for (int i = 0; i < s->rank; i++)
        if (form_suit_fits(f, s->elements[i]))
            return true;
    return false;
}

bool form_suit(const struct form_use *use, const struct form_case *c)
{
    const struct form *f = use->what;
    const struct instruction *in = form_suit_single(c->program);
    if (f->elementwise && (!in || !form_suit_elementwise(in->op)))
        return false;
    if ((form_is_data(f) || use->operand >= 0) && !in)
        return false;
    if ((!f->constant || form_is_data(f)) && !join_allows(c->program))
        return false;
    if (c->count < f->operands || use->operand >= c->count)
        return false;
    if (use->operand >= 0 && f->place == FORM_EITHER && c->count < 2)
        return false; /* this one operand is all of them */
    if (f->result)
        return fits_result(f, c->program->entry->result);
    bool any = f->control != FORM_CONTROL_NONE || form_is_data(f);
    for (int i = 0; i < c->count && !any; i++)
        any = form_suit_fits(f, c->inputs[i]->shape)
              && (use->operand < 0 || c->origins[i] == use->operand);
    return any;
}
