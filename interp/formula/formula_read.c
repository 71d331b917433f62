/* formula_read.c - formulas as text, and whether their names are known.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A formula that does not fit a program makes the deviation not apply to it,
 * without a word.  So a name that fits no program is refused here.
 */
#include "interp/data/line.h"
#include "interp/formula/formula.h"
#include "interp/program/op_table.h"

static bool check_type(struct arena *a, const struct json *type,
                       struct status *st)
{
    static const char *const relative[] = {"own", "result", "other-sign",
                                           "bits"};
    enum dtype t;
    for (size_t i = 0; i < sizeof relative / sizeof *relative; i++)
        if (json_is_string(type, relative[i]))
            return true;
    return dtype_parse(type->text, type->length, &t)
           || json_fail(a, type, st, "unknown type '%s'", type->text);
}

/* Is it one formula that is repeated as operands of what has it? */
static bool repeats(const struct json *name, const struct json *in)
{
    return json_is_string(name, "each")
               ? json_is_string(in, "self")
               : in && json_is_string(name, "each-dimension");
}

/* A call, of an operand of the operation in. */
static bool check_call(struct arena *a, const struct json *call,
                       const struct json *in, struct status *st)
{
    const struct json *name = json_member(call, "op");
    const struct json *type = json_member(call, "type");
    const struct json *list = json_member(call, "operands");
    const struct json *given = json_member(call, "attributes");
    bool each = repeats(name, in);
    bool known = op_table_find(name->text) != NULL;
    if (!known && !each && !json_is_string(name, "self"))
        return json_fail(a, name, st, "unknown operation '%s'", name->text);
    if (!known && (type || given))
        return json_fail(a, call, st, "%s() has no type and no attributes",
                         name->text);
    if (each && list->count != 1)
        return json_fail(a, call, st, "expected one formula in %s()",
                         name->text);
    if (type)
        TRY(check_type(a, type, st));
    for (const struct json *c = list->child; c; c = c->next)
        if (c->kind == JSON_OBJECT)
            TRY(check_call(a, c, name, st));
    return true;
}

bool formula_read(struct arena *a, const struct json *text,
                  const struct json **formula, struct status *st)
{
    TRY(line_formula(a, text, formula, st));
    return !*formula || (*formula)->kind != JSON_OBJECT
           || check_call(a, *formula, NULL, st);
}
