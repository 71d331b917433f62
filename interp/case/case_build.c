/* case_build.c - see case_build.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/case/case_build.h"

#include <stdlib.h>
#include <string.h>

#include "interp/data/line.h"
#include "interp/program/attribute.h"
#include "interp/program/op_table.h"

/* A computation that was looked up. */
struct built {
    const struct json *node;
    struct computation *computation;
    struct built *next;
};

struct case_build {
    struct arena *arena;
    const struct limits *limits;
    const struct json *scopes[CASE_BUILD_SCOPES];
    struct program *program;
    struct built *built;
    int depth;
    int number;        /* of the program, where there are several */
    struct status *st; /* for find_computation */
};

struct case_build *case_build_new(struct arena *a, const struct limits *limits,
                                  const struct json *const *scopes,
                                  struct program **program)
{
    struct case_build *b = arena_new(a, struct case_build, 1);
    b->arena = a;
    b->limits = limits;
    memcpy(b->scopes, scopes, sizeof b->scopes);
    b->program = program_new(a, limits);
    *program = b->program;
    return b;
}

void case_build_next(struct case_build *b, const struct json *computations)
{
    b->scopes[0] = computations;
    b->built = NULL;
    b->number++;
}

/* Computations of several programs in one: their names are made to differ. */
static const char *named(struct case_build *b, const char *name)
{
    return b->number == 0 ? name
                          : arena_printf(b->arena, "%s.%d", name, b->number);
}

/* Record a failure of the program at a value. */
static bool reject(struct case_build *b, const struct json *at, enum code code,
                   struct status *st, const char *text)
{
    if (st->code == STATUS_OK)
        json_place(b->arena, at, st);
    return status_set(st, code, __FILE__, "%s", text);
}

static const struct json *look_up(const struct case_build *b, const char *name)
{
    for (int i = 0; i < CASE_BUILD_SCOPES; i++) {
        const struct json *node = json_member(b->scopes[i], name);
        if (node)
            return node;
    }
    return NULL;
}

/* ---- Bodies -------------------------------------------------------------- */

/* An instruction of a body while it is put in order. */
struct step {
    const struct json *node;
    const char *name;
    int *operands; /* as steps; parameters: -1 - number */
    int operand_count;
    int next_operand; /* to visit */
    enum {
        UNSEEN,
        OPEN,
        PLACED
    } state;
    int number; /* of the instruction in the computation */
};

struct body {
    struct case_build *build;
    struct computation *computation;
    int parameter_count, count;
    struct step *steps;
    struct step **sorted; /* by name */
};

static int compare_steps(const void *a, const void *b)
{
    const struct step *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* The number of a name "p0", "p1", ...; -1 for any other. */
static int parameter_number(const char *name)
{
    if (name[0] != 'p' || !name[1] || strspn(name + 1, "0123456789") > 6
        || name[1 + strspn(name + 1, "0123456789")] != '\0')
        return -1;
    if (name[1] == '0' && name[2])
        return -1;
    return (int)strtol(name + 1, NULL, 10);
}

/* Resolves a name in a body: a step, or -1 - number of a parameter. */
static bool resolve(const struct body *body, const struct json *name, int *to,
                    struct status *st)
{
    struct case_build *b = body->build;
    if (name->kind != JSON_STRING)
        return json_fail(b->arena, name, st, "expected a name");
    int p = parameter_number(name->text);
    if (p >= 0 && p < body->parameter_count) {
        *to = -1 - p;
        return true;
    }
    struct step key = {.name = name->text}, *k = &key;
    struct step **found = body->count
                              ? bsearch(&k, body->sorted, (size_t)body->count,
                                        sizeof *body->sorted, compare_steps)
                              : NULL;
    if (!found)
        return reject(
            b, name, STATUS_STRUCTURE, st,
            arena_printf(b->arena, "unknown instruction '%.80s'", name->text));
    *to = (int)(*found - body->steps);
    return true;
}

static bool read_steps(struct body *body, const struct json *list,
                       struct status *st)
{
    struct arena *a = body->build->arena;
    if (list->kind != JSON_ARRAY)
        return json_fail(a, list, st, "expected a list of instructions");
    body->count = list->count;
    body->steps = arena_new(a, struct step, (size_t)list->count);
    body->sorted = arena_new(a, struct step *, (size_t)list->count);
    int n = 0;
    for (const struct json *c = list->child; c; c = c->next, n++) {
        struct step *s = &body->steps[n];
        s->node = c;
        if (c->kind == JSON_STRING)
            TRY(line_instruction(a, c, &s->node, st));
        TRY(json_string(a, json_member(s->node, "name"), &s->name, st));
        body->sorted[n] = s;
    }
    qsort(body->sorted, (size_t)n, sizeof *body->sorted, compare_steps);
    for (int i = 1; i < n; i++)
        if (strcmp(body->sorted[i - 1]->name, body->sorted[i]->name) == 0)
            return json_fail(a, json_member(body->sorted[i]->node, "name"), st,
                             "duplicate instruction '%.80s'",
                             body->sorted[i]->name);
    for (n = 0; n < body->count; n++) {
        struct step *s = &body->steps[n];
        const struct json *operands = json_member(s->node, "operands");
        if (!operands)
            continue;
        if (operands->kind != JSON_ARRAY)
            return json_fail(a, operands, st, "expected a list of names");
        s->operands = arena_new(a, int, (size_t)operands->count);
        for (const struct json *o = operands->child; o; o = o->next)
            TRY(resolve(body, o, &s->operands[s->operand_count++], st));
    }
    return true;
}

/* The operation of that name; UNSUPPORTED if it is not implemented. */
static bool find_op(struct case_build *b, const struct json *at,
                    const char *name, const struct op **op,
                    const struct spec_op **spec, struct status *st)
{
    *spec = spec_op_find(name);
    if (!*spec)
        return json_fail(b->arena, at, st, "unknown operation '%.40s'%s", name,
                         spec_op_hint((char[TEXT_HINT]){0}, name));
    *op = op_table_find(name);
    if (!*op)
        return reject(b, at, STATUS_UNSUPPORTED, st,
                      arena_printf(b->arena, "%s is not implemented", name));
    return true;
}

static const struct computation *find_computation(void *context,
                                                  const char *name);

static bool read_attributes(struct case_build *b, const struct spec_op *spec,
                            const struct json *at, int *count,
                            struct attribute **attributes, struct status *st)
{
    const struct json *object = json_member(at, "attributes");
    struct status *outer = b->st;
    b->st = st;
    bool good = attribute_read(b->arena, spec, object, b->limits,
                               find_computation, b, count, attributes, st);
    b->st = outer;
    if (good && st->code == STATUS_OK)
        return true;
    if (st->code != STATUS_OK && !st->path)
        json_place(b->arena, at, st);
    return false;
}

/* Append a step whose operands are placed. */
static bool place(struct body *body, struct step *s, struct status *st)
{
    struct case_build *b = body->build;
    const struct spec_op *spec;
    const struct json *name = json_member(s->node, "op");
    const char *text;
    TRY(json_string(b->arena, name, &text, st));
    struct instruction in = {
        .name = s->name, .operand_count = s->operand_count, .source = s->node};
    TRY(find_op(b, name, text, &in.op, &spec, st));
    TRY(read_attributes(b, spec, s->node, &in.attribute_count, &in.attributes,
                        st));
    int *operands = arena_new(b->arena, int, (size_t)s->operand_count);
    for (int i = 0; i < s->operand_count; i++) {
        int o = s->operands[i];
        operands[i] = o < 0 ? -1 - o : body->steps[o].number;
    }
    in.operands = operands;
    s->number = program_add(b->program, body->computation, &in);
    s->state = PLACED;
    return true;
}

/* Place a step after the steps that it depends on.  The stack holds the steps
 * that are open; it is never deeper than there are steps. */
static bool visit(struct body *body, struct step *first, struct step **stack,
                  struct status *st)
{
    int depth = 0;
    stack[depth++] = first;
    first->state = OPEN;
    while (depth > 0) {
        struct step *s = stack[depth - 1];
        if (s->next_operand == s->operand_count) {
            TRY(place(body, s, st));
            depth--;
            continue;
        }
        int o = s->operands[s->next_operand++];
        struct step *on = o < 0 ? NULL : &body->steps[o];
        if (!on || on->state == PLACED)
            continue;
        if (on->state == OPEN)
            return reject(body->build, s->node, STATUS_STRUCTURE, st,
                          arena_printf(body->build->arena,
                                       "'%.80s' depends on itself", on->name));
        on->state = OPEN;
        stack[depth++] = on;
    }
    return true;
}

static bool read_parameters(struct body *body, const struct json *list,
                            struct status *st)
{
    struct case_build *b = body->build;
    if (list->kind != JSON_ARRAY)
        return json_fail(b->arena, list, st, "expected a list of shapes");
    for (const struct json *c = list->child; c; c = c->next) {
        const char *text;
        const struct shape *shape;
        struct status why = {STATUS_OK};
        TRY(json_string(b->arena, c, &text, st));
        if (!shape_parse(b->arena, text, &shape, &why))
            return json_fail(b->arena, c, st, "%s", why.text);
        program_parameter(b->program, body->computation,
                          body->parameter_count++, shape);
    }
    return true;
}

static bool read_body(struct case_build *b, const struct json *node,
                      struct computation *c, struct status *st)
{
    struct body body = {.build = b, .computation = c};
    TRY(read_parameters(&body, json_member(node, "parameters"), st));
    TRY(read_steps(&body, json_member(node, "body"), st));
    struct step **stack =
        arena_new(b->arena, struct step *, (size_t)body.count);
    for (int i = 0; i < body.count; i++)
        if (body.steps[i].state == UNSEEN)
            TRY(visit(&body, &body.steps[i], stack, st));
    int result;
    TRY(resolve(&body, json_member(node, "result"), &result, st));
    c->root = result < 0 ? -1 - result : body.steps[result].number;
    c->associative =
        json_is_string(json_member(node, "algebra"), "associative");
    return true;
}

/* Build the computation at node, unless it is there. */
static bool build(struct case_build *b, const struct json *node,
                  struct computation **computation, struct status *st)
{
    for (const struct built *x = b->built; x; x = x->next)
        if (x->node == node) {
            *computation = x->computation;
            return true;
        }
    if (b->depth == CASE_BUILD_DEPTH_MAX)
        return json_fail(b->arena, node, st,
                         "computations are nested deeper than %d",
                         CASE_BUILD_DEPTH_MAX);
    struct built *x = arena_new(b->arena, struct built, 1);
    x->node = node;
    x->computation = program_computation(b->program, named(b, node->key));
    x->next = b->built;
    b->built = x;
    *computation = x->computation;
    b->depth++;
    bool good = read_body(b, node, x->computation, st);
    b->depth--;
    return good;
}

/* An attribute_lookup. */
static const struct computation *find_computation(void *context,
                                                  const char *name)
{
    struct case_build *b = context;
    const struct json *node = look_up(b, name);
    struct computation *c;
    return node && b->st->code == STATUS_OK && build(b, node, &c, b->st) ? c
                                                                         : NULL;
}

/* ---- Entries ------------------------------------------------------------- */

static int *add_inputs(struct case_build *b, struct computation *c, int count,
                       struct literal *const *inputs)
{
    int *operands = arena_new(b->arena, int, (size_t)count);
    for (int i = 0; i < count; i++)
        operands[i] = program_parameter(b->program, c, i, inputs[i]->shape);
    return operands;
}

/* A name for the entry that no computation of the case has. */
static const char *entry_name(const struct case_build *b)
{
    const char *name = "main";
    while (look_up(b, name))
        name = arena_printf(b->arena, "%s_", name);
    return name;
}

bool case_build_single(struct case_build *b, const char *name,
                       const struct json *at, int count,
                       struct literal *const *inputs, struct status *st)
{
    const struct spec_op *spec;
    struct instruction in = {.name = "result", .source = at};
    TRY(find_op(b, at, name, &in.op, &spec, st));
    b->program->entry = program_computation(b->program, entry_name(b));
    struct computation *entry = b->program->entry;
    TRY(read_attributes(b, spec, at, &in.attribute_count, &in.attributes, st));
    /* Parameter itself takes the inputs. */
    if (in.op->role != OP_ROLE_PARAMETER) {
        in.operand_count = count;
        in.operands = add_inputs(b, entry, count, inputs);
    }
    program_add(b->program, entry, &in);
    return true;
}

bool case_build_module(struct case_build *b, const struct json *name, int count,
                       struct literal *const *inputs, struct status *st)
{
    const char *text;
    TRY(json_string(b->arena, name, &text, st));
    const struct json *node = json_member(b->scopes[0], text);
    if (!node)
        return json_fail(b->arena, name, st,
                         "the module has no computation '%.80s'", text);
    const struct json *shapes = json_member(node, "parameters");
    if (shapes->kind == JSON_ARRAY && shapes->count != count)
        return json_fail(b->arena, shapes, st,
                         "the entry has %d parameters; the case has %d inputs",
                         shapes->count, count);
    struct computation *c;
    TRY(build(b, node, &c, st));
    b->program->entry = c;
    for (int i = 0; i < count; i++) {
        const struct shape *s = c->instructions[i]->attributes[1].shape;
        if (!shape_equal(s, inputs[i]->shape))
            return json_fail(b->arena, json_at(shapes, i), st,
                             "input %d of the case is %s", i,
                             shape_text(b->arena, inputs[i]->shape));
    }
    struct computation *other;
    for (const struct json *m = b->scopes[0]->child; m; m = m->next)
        TRY(build(b, m, &other, st));
    return true;
}
