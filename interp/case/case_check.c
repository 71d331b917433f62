/* case_check.c - see case_check.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/case/case_check.h"

#include <string.h>

#include "interp/data/line.h"
#include "interp/program/op_table.h"
#include "interp/specification/spec.h"

/* May node be anything, because it contains a variable? */
static bool varies(const struct json *node)
{
    return node->kind == JSON_STRING && node->text[0] == '$';
}

static bool need_kind(struct arena *a, const struct json *node,
                      enum json_kind kind, struct status *st)
{
    static const char *const names[] = {
        "null", "true or false", "a number", "a string", "a list", "an object"};
    if (node->kind == kind || varies(node))
        return true;
    return json_fail(a, node, st, "expected %s", names[kind]);
}

/* Members of node, each with the kind it must have. */
struct member {
    const char *name;
    enum json_kind kind; /* JSON_NULL: one of several, checked elsewhere */
    bool needed;
};

static bool check_members(struct arena *a, const struct json *node,
                          const struct member *members, struct status *st)
{
    const char *names[32] = {NULL};
    for (int i = 0; members[i].name; i++)
        names[i] = members[i].name;
    TRY(json_only(a, node, names, st));
    for (int i = 0; members[i].name; i++) {
        const struct json *m = json_member(node, members[i].name);
        if (m && members[i].kind != JSON_NULL)
            TRY(need_kind(a, m, members[i].kind, st));
        else if (!m && members[i].needed)
            return json_fail(a, node, st, "lacks '%s'", members[i].name);
    }
    return true;
}

static bool check_list_of(struct arena *a, const struct json *list,
                          enum json_kind kind, struct status *st)
{
    if (list && list->kind == JSON_ARRAY)
        for (const struct json *c = list->child; c; c = c->next)
            TRY(need_kind(a, c, kind, st));
    return true;
}

/* ---- Computations -------------------------------------------------------- */

static bool is_parameter_name(const char *name)
{
    if (*name++ != 'p' || !*name)
        return false;
    return name[strspn(name, "0123456789")] == '\0';
}

static bool check_op_name(struct arena *a, const struct json *op,
                          struct status *st)
{
    return spec_op_find(op->text)
           || json_fail(a, op, st, "unknown operation '%.40s'%s", op->text,
                        spec_op_hint((char[TEXT_HINT]){0}, op->text));
}

static bool check_instruction(struct arena *a, const struct json *node,
                              struct status *st)
{
    if (node->kind == JSON_STRING)
        TRY(line_instruction(a, node, &node, st));
    static const struct member members[] = {
        {"name", JSON_STRING, true},     {"op", JSON_STRING, true},
        {"operands", JSON_ARRAY, false}, {"attributes", JSON_OBJECT, false},
        {NULL, JSON_NULL, false},
    };
    TRY(check_members(a, node, members, st));
    const struct json *name = json_member(node, "name");
    if (is_parameter_name(name->text))
        return json_fail(a, name, st, "'%.40s' is reserved for parameters",
                         name->text);
    if (!*name->text)
        return json_fail(a, name, st, "an instruction's name is empty");
    const struct json *op = json_member(node, "op");
    if (!varies(op) && !strchr(op->text, '$'))
        TRY(check_op_name(a, op, st));
    return check_list_of(a, json_member(node, "operands"), JSON_STRING, st);
}

static bool check_computation(struct arena *a, const struct json *node,
                              struct status *st)
{
    static const struct member members[] = {
        {"parameters", JSON_ARRAY, true}, {"body", JSON_ARRAY, true},
        {"result", JSON_STRING, true},    {"algebra", JSON_STRING, false},
        {NULL, JSON_NULL, false},
    };
    TRY(check_members(a, node, members, st));
    TRY(check_list_of(a, json_member(node, "parameters"), JSON_STRING, st));
    const struct json *algebra = json_member(node, "algebra");
    if (algebra && !varies(algebra) && !json_is_string(algebra, "associative"))
        return json_fail(a, algebra, st, "expected 'associative'");
    const struct json *body = json_member(node, "body");
    if (body->kind != JSON_ARRAY)
        return true;
    for (const struct json *c = body->child; c; c = c->next)
        TRY(check_instruction(a, c, st));
    return true;
}

static bool check_computations(struct arena *a, const struct json *node,
                               struct status *st)
{
    if (!node)
        return true;
    if (node->kind != JSON_OBJECT)
        return json_fail(a, node, st, "expected an object");
    for (const struct json *c = node->child; c; c = c->next) {
        if (!*c->key)
            return json_fail(a, c, st, "a computation's name is empty");
        TRY(check_computation(a, c, st));
    }
    return true;
}

static bool check_module(struct arena *a, const struct json *node,
                         bool of_programs, struct status *st)
{
    static const struct member members[] = {
        {"computations", JSON_OBJECT, true},
        {"entry", JSON_STRING, true},
        {NULL, JSON_NULL, false},
    };
    static const struct member placed[] = {
        {"computations", JSON_OBJECT, true},
        {"entry", JSON_STRING, true},
        {"devices", JSON_ARRAY, true},
        {NULL, JSON_NULL, false},
    };
    TRY(check_members(a, node, of_programs ? placed : members, st));
    TRY(check_computations(a, json_member(node, "computations"), st));
    if (of_programs)
        TRY(check_list_of(a, json_member(node, "devices"), JSON_NUMBER, st));
    return true;
}

/* ---- Cases --------------------------------------------------------------- */

static bool check_id(struct arena *a, const struct json *id, struct status *st)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    const char *text = id->text;
    if (id->length == 0 || id->length > 200
        || text[strspn(text, letters)] != '\0' || strchr("._-", text[0]))
        return json_fail(a, id, st,
                         "invalid id '%.40s': expected [a-z0-9][a-z0-9._-]*, "
                         "at most 200 characters",
                         text);
    return true;
}

static bool check_why(struct arena *a, const struct json *why,
                      struct status *st)
{
    if (why->kind != JSON_STRING || why->length == 0)
        return json_fail(a, why, st, "expected one line of text");
    for (const char *c = why->text; *c; c++)
        if ((unsigned char)*c < ' ')
            return json_fail(a, why, st, "expected one line of text");
    return true;
}

static bool check_expect(struct arena *a, const struct json *node,
                         struct status *st)
{
    static const char *const names[] = {"error", NULL};
    if (!node || node->kind == JSON_ARRAY || varies(node))
        return true;
    if (node->kind != JSON_OBJECT)
        return json_fail(a, node, st,
                         "expected a list of literals or {\"error\": ...}");
    TRY(json_only(a, node, names, st));
    const struct json *error = json_member(node, "error");
    if (!error)
        return json_fail(a, node, st, "lacks 'error'");
    if (error->kind != JSON_ARRAY)
        return need_kind(a, error, JSON_STRING, st);
    if (error->count == 0)
        return json_fail(a, error, st, "the list of error classes is empty");
    return check_list_of(a, error, JSON_STRING, st);
}

static bool check_policies(struct arena *a, const struct json *node,
                           struct status *st)
{
    if (!node || varies(node))
        return true;
    if (node->kind != JSON_OBJECT && node->kind != JSON_ARRAY)
        return json_fail(a, node, st, "expected an object or a list of names");
    for (const struct json *c = node->child; c; c = c->next)
        TRY(need_kind(a, c, JSON_STRING, st));
    return true;
}

static bool body_has(struct arena *a, const struct json *body, const char *op)
{
    struct status none;
    for (const struct json *c = body ? body->child : NULL; c; c = c->next) {
        const struct json *line = c;
        if (c->kind == JSON_STRING && !line_instruction(a, c, &line, &none))
            continue;
        const struct json *own = json_member(line, "op");
        /* A variable stands for any. */
        if (json_is_string(own, op)
            || (own && own->kind == JSON_STRING && *own->text == '$'))
            return true;
    }
    return false;
}

static bool computations_have(struct arena *a, const struct json *node,
                              const char *op)
{
    const struct json *list = json_member(node, "computations");
    const struct op *known = op_table_find(op);
    bool parameter = known && known->role == OP_ROLE_PARAMETER;
    for (const struct json *c = list ? list->child : NULL; c; c = c->next) {
        const struct json *own = json_member(c, "parameters");
        if (body_has(a, json_member(c, "body"), op)
            || (parameter && own && own->count > 0))
            return true;
    }
    return false;
}

/* A program of several operations may belong to another one of them than the
 * rest of its file. */
static bool check_own_op(struct arena *a, const struct json *node,
                         struct status *st)
{
    const struct json *op = json_member(node, "op");
    const struct json *module = json_member(node, "module");
    if (!op)
        return true;
    if (!module || module->kind != JSON_OBJECT)
        return json_fail(a, op, st,
                         "only a case with a 'module' has its own "
                         "operation");
    TRY(check_op_name(a, op, st));
    if (!computations_have(a, module, op->text))
        return json_fail(a, op, st, "the module has no %s", op->text);
    return true;
}

/* A single operation, a module, or programs: one of them. */
static bool check_program(struct arena *a, const struct json *node,
                          struct status *st)
{
    const struct json *module = json_member(node, "module");
    const struct json *programs = json_member(node, "programs");
    const struct json *attributes = json_member(node, "attributes");
    if (module && programs)
        return json_fail(a, programs, st,
                         "'module' and 'programs' exclude "
                         "each other");
    if (attributes && (module || programs))
        return json_fail(a, attributes, st,
                         "attributes belong to a single operation, not to a "
                         "module");
    if (module && module->kind == JSON_OBJECT)
        TRY(check_module(a, module, false, st));
    if (programs && programs->kind == JSON_ARRAY) {
        if (programs->count == 0)
            return json_fail(a, programs, st, "the list is empty");
        for (const struct json *c = programs->child; c; c = c->next)
            TRY(check_module(a, c, true, st));
    }
    return check_computations(a, json_member(node, "computations"), st);
}

bool case_check_case(struct arena *a, const struct json *node,
                     struct status *st)
{
    static const struct member members[] = {
        {"id", JSON_STRING, true},
        {"why", JSON_STRING, true},
        {"op", JSON_STRING, false},
        {"covers", JSON_ARRAY, false},
        {"each", JSON_NULL, false},
        {"inputs", JSON_ARRAY, false},
        {"attributes", JSON_OBJECT, false},
        {"module", JSON_OBJECT, false},
        {"programs", JSON_ARRAY, false},
        {"computations", JSON_OBJECT, false},
        {"replicas", JSON_NUMBER, false},
        {"partitions", JSON_NUMBER, false},
        {"infeed", JSON_ARRAY, false},
        {"outfeed", JSON_ARRAY, false},
        {"expect", JSON_NULL, false},
        {"policies", JSON_NULL, false},
        {"profile", JSON_STRING, false},
        {NULL, JSON_NULL, false},
    };
    TRY(check_members(a, node, members, st));
    TRY(check_id(a, json_member(node, "id"), st));
    TRY(check_why(a, json_member(node, "why"), st));
    TRY(check_list_of(a, json_member(node, "covers"), JSON_STRING, st));
    TRY(check_expect(a, json_member(node, "expect"), st));
    TRY(check_policies(a, json_member(node, "policies"), st));
    TRY(check_program(a, node, st));
    return check_own_op(a, node, st);
}

bool case_check_op(struct arena *a, const struct json *root,
                   const struct json *node, struct status *st)
{
    const struct json *op = json_member(root, "op");
    const struct json *module = json_member(node, "module");
    const struct json *programs = json_member(node, "programs");
    bool found = (!module && !programs) || json_member(node, "op")
                 || computations_have(a, module, op->text)
                 || computations_have(a, node, op->text)
                 || computations_have(a, root, op->text);
    for (const struct json *c = programs ? programs->child : NULL; c;
         c = c->next)
        found = found || computations_have(a, c, op->text);
    return found
           || json_fail(a, module ? module : programs, st,
                        "the module has no %s, the operation of its file "
                        "('op' gives the case another one)",
                        op->text);
}

bool case_check_file(struct arena *a, const struct json *root,
                     struct status *st)
{
    static const struct member members[] = {
        {"format", JSON_STRING, true},
        {"op", JSON_STRING, true},
        {"source", JSON_STRING, false},
        {"generator", JSON_STRING, false},
        {"computations", JSON_OBJECT, false},
        {"cases", JSON_ARRAY, true},
        {NULL, JSON_NULL, false},
    };
    if (root->kind == JSON_OBJECT) {
        const struct json *format = json_member(root, "format");
        if (!format)
            return json_fail(a, root, st, "lacks 'format'");
        if (!json_is_string(format, "assay-case/1"))
            return json_fail(a, format, st, "expected 'assay-case/1'");
    }
    TRY(check_members(a, root, members, st));
    const struct json *op = json_member(root, "op");
    TRY(check_op_name(a, op, st));
    const struct json *cases = json_member(root, "cases");
    if (cases->kind != JSON_ARRAY)
        return json_fail(a, cases, st, "expected a list");
    if (cases->count == 0)
        return json_fail(a, cases, st, "the list of cases is empty");
    return check_computations(a, json_member(root, "computations"), st);
}
