/* formula.c - see formula.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What does not fit (a constant that the type lacks, an operation that does not
 * accept the type) makes the program invalid, so the deviation does not apply
 * to it.
 */
#include "interp/formula/formula.h"

#include <inttypes.h>
#include <string.h>

#include "interp/data/number.h"
#include "interp/exact/real.h"
#include "interp/program/op_table.h"

/* Names differ: some backends get a program as text. */
static const char *name_of(const struct formula *f)
{
    return arena_printf(f->arena, "%s_%d", f->name, f->entry->count);
}

static const struct instruction *operand_of(const struct formula *f,
                                            const struct instruction *in, int k)
{
    return f->old->entry->instructions[in->operands[k]];
}

const struct shape *formula_shape(const struct formula *f, int k)
{
    return operand_of(f, f->in, k)->shape;
}

/* The operand whose type and sizes count. */
static const struct shape *own_shape(const struct formula *f)
{
    return formula_shape(f, f->whole ? 0 : f->at);
}

const char *formula_operand(struct arena *a, const struct op *op, int k)
{
    /* A module's inputs are not the operands of one operation. */
    const struct spec_op *spec = op ? spec_op_find(op->name) : NULL;
    for (int i = 0; spec && i <= k && i < spec->operand_count; i++) {
        if (spec->operands[i].variadic)
            break;
        if (i == k)
            return spec->operands[i].name;
    }
    return arena_printf(a, "%d", k);
}

/* ---- Constants ----------------------------------------------------------- */

/* A bound of an integer type, as text. */
static const char *bound_text(struct arena *a, enum dtype t, bool top)
{
    uint64_t half = UINT64_C(1) << (dtype_table[t].bits - 1);
    if (dtype_class(t) == DTYPE_UINT)
        return top ? arena_printf(a, "%" PRIu64, dtype_mask(t)) : "0";
    return top ? arena_printf(a, "%" PRIu64, half - 1)
               : arena_printf(a, "-%" PRIu64, half);
}

/* The smallest normal number of a float type, and its largest power of two:
 * one has the lowest bit of the exponent, the other only bits of it. */
static const char *float_text(struct arena *a, enum dtype t, const char *dot)
{
    uint64_t least = real_min_normal(t);
    bool top = strcmp(dot, ".top-power") == 0;
    if (!top && strcmp(dot, ".least-normal") != 0)
        return NULL;
    uint64_t bits = top ? real_max(t, false) & ~(least - 1) : least;
    return arena_printf(a, "bits:%" PRIx64, bits);
}

/* The constants that depend on a type; NULL if text is none. */
static const char *constant_text(struct arena *a, const char *text,
                                 enum dtype own, enum dtype result)
{
    bool results = strncmp(text, "result.", 7) == 0;
    const char *dot = strchr(text, '.');
    enum dtype t = results ? result : own;
    if (!results && strncmp(text, "type.", 5) != 0)
        return NULL;
    if (dtype_class(t) == DTYPE_FLOAT)
        return float_text(a, t, dot);
    if (!dtype_is_integer(t))
        return NULL;
    if (strcmp(dot, ".max") == 0 || strcmp(dot, ".min") == 0)
        return bound_text(a, t, dot[2] == 'a');
    if (strcmp(dot, ".top-bit") == 0)
        return dtype_class(t) == DTYPE_SINT
                   ? bound_text(a, t, false)
                   : arena_printf(a, "%" PRIu64,
                                  UINT64_C(1) << (dtype_table[t].bits - 1));
    return strcmp(dot, ".shift-mask") == 0
               ? arena_printf(a, "%d", dtype_table[t].bits - 1)
               : NULL;
}

/* Does a scalar operand represent an array of the result's shape? */
static bool spreads_scalars(const struct formula *f)
{
    return f->whole && f->in->op->elementwise;
}

static bool add_constant(struct formula *f, const char *text,
                         const enum dtype *type, int *number, struct status *st)
{
    struct arena *a = f->arena;
    const struct shape *s = own_shape(f);
    uint64_t bits[2] = {0};
    bool nan;
    if (s->kind != SHAPE_ARRAY || shape_has_dynamic(s))
        return FAIL(st, UNSUPPORTED, "no constant of this shape");
    enum dtype own = type ? *type : s->dtype;
    /* With a scalar operand that represents an array, as in add_operand. */
    const struct shape *to =
        spreads_scalars(f) && s->rank == 0 ? f->in->shape : s;
    if (to->kind != SHAPE_ARRAY || shape_has_dynamic(to))
        to = s;
    const char *known = constant_text(a, text, own, f->in->shape->dtype);
    if (known)
        text = known;
    const struct json value = {
        .kind = JSON_STRING, .text = text, .length = strlen(text)};
    TRY(number_element(a, &value, dtype_unit(own), bits, &nan, st));
    struct literal *l = literal_new(a, shape_array(a, own, to->rank, to->dims));
    int64_t n = literal_units(l);
    for (int64_t i = 0; i < n; i += dtype_units(own))
        literal_set(l, i, bits[0]);
    struct attribute *at = arena_new(a, struct attribute, 1);
    *at = (struct attribute){
        .name = ATTRIBUTE_LITERAL, .form = SPEC_LITERAL, .literal = l};
    struct instruction in = {.name = name_of(f),
                             .op = &op_Constant,
                             .attribute_count = 1,
                             .attributes = at};
    *number = program_add(f->program, f->entry, &in);
    return true;
}

/* ---- Operands ------------------------------------------------------------ */

/* An operand; a scalar that represents an array of the result's shape becomes
 * that array, as not every operation of a formula accepts such scalars. */
static int add_operand(struct formula *f, int old)
{
    const struct shape *from = f->old->entry->instructions[old]->shape;
    const struct shape *to = f->in->shape;
    if (!spreads_scalars(f) || from->kind != SHAPE_ARRAY || from->rank > 0
        || to->kind != SHAPE_ARRAY || to->rank == 0 || shape_has_dynamic(to))
        return f->map[old];
    int64_t *sizes = arena_new(f->arena, int64_t, (size_t)to->rank);
    memcpy(sizes, to->dims, (size_t)to->rank * sizeof *sizes);
    struct attribute *at = arena_new(f->arena, struct attribute, 1);
    *at = (struct attribute){.name = ATTRIBUTE_BROADCAST_SIZES,
                             .form = SPEC_INTS,
                             .count = to->rank,
                             .ints = sizes};
    struct instruction in = {.name = name_of(f),
                             .op = &op_Broadcast,
                             .operand_count = 1,
                             .operands = &f->map[old],
                             .attribute_count = 1,
                             .attributes = at};
    return program_add(f->program, f->entry, &in);
}

/* The value of that name in "with", or -1. */
static int find_named(const struct formula *f, const char *name)
{
    const struct json *n = f->named_count > 0 ? f->with->child : NULL;
    for (int k = 0; k < f->named_count; k++, n = n->next)
        if (strcmp(n->key, name) == 0)
            return f->named[k];
    return -1;
}

/* The operand of that name, or -1. */
static int find_operand(const struct formula *f, const struct instruction *in,
                        const char *name, size_t length)
{
    for (int k = 0; k < in->operand_count; k++) {
        const char *own = formula_operand(f->arena, in->op, k);
        if (strlen(own) == length && strncmp(own, name, length) == 0)
            return k;
    }
    return -1;
}

/* Its number in the old entry, or -1: "lhs", "lhs.rhs". */
static int find_value(const struct formula *f, const char *name)
{
    const struct instruction *in = f->in;
    size_t n = strcspn(name, ".");
    int k = find_operand(f, in, name, n);
    if ((!f->whole || f->each) && strcmp(name, "operand") == 0)
        k = f->at;
    if (k < 0 || !name[n])
        return k < 0 ? -1 : in->operands[k];
    in = operand_of(f, in, k);
    k = find_operand(f, in, name + n + 1, strlen(name + n + 1));
    return k < 0 ? -1 : in->operands[k];
}

static int add_self(struct formula *f, int count, const int *operands)
{
    struct instruction in = *f->in;
    in.name = name_of(f);
    in.operand_count = count;
    in.operands = operands;
    return program_add(f->program, f->entry, &in);
}

static int add_result(struct formula *f)
{
    int n = f->in->operand_count;
    int *operands = arena_new(f->arena, int, (size_t)n + 1);
    for (int k = 0; k < n; k++)
        operands[k] = f->map[f->in->operands[k]];
    return add_self(f, n, operands);
}

static bool is_call(const struct json *node, const char *op)
{
    return node->kind == JSON_OBJECT
           && json_is_string(json_member(node, "op"), op);
}

/* The part that "each" and "each-dimension" repeat. */
static const struct json *repeated(const struct json *call)
{
    return json_at(json_member(call, "operands"), 0);
}

/* One operand of "self" after the other, each by the same formula. */
static bool add_each(struct formula *f, const struct json *call, int *count,
                     int *operands, struct status *st)
{
    if (f->each)
        return json_fail(f->arena, call, st, "each() inside each()");
    f->each = true;
    for (f->at = 0; f->at < f->in->operand_count; f->at++)
        TRY(formula_add(f, repeated(call), &operands[(*count)++], st));
    f->each = false;
    f->at = 0;
    return true;
}

/* An operand for each dimension of the operand. */
static bool add_each_dimension(struct formula *f, const struct json *call,
                               int *count, int *operands, struct status *st)
{
    const struct shape *s = own_shape(f);
    for (int d = 0; s->kind == SHAPE_ARRAY && d < s->rank; d++)
        TRY(formula_add(f, repeated(call), &operands[(*count)++], st));
    return true;
}

/* ---- Calls --------------------------------------------------------------- */

/* The integer type of the same width; itself if there is none. */
static enum dtype other_sign(enum dtype t)
{
    for (int i = 0; i < DT_COUNT && dtype_is_integer(t); i++)
        if (dtype_is_integer((enum dtype)i) && i != (int)t
            && dtype_table[i].bits == dtype_table[t].bits)
            return (enum dtype)i;
    return t;
}

/* The unsigned type of the same width; itself if there is none. */
static enum dtype bits_type(enum dtype t)
{
    for (int i = 0; i < DT_COUNT; i++)
        if (dtype_class((enum dtype)i) == DTYPE_UINT
            && dtype_table[i].bits == dtype_table[t].bits)
            return (enum dtype)i;
    return t;
}

/* Type of that name, which formula_read knows. */
static enum dtype type_of(const struct formula *f, const char *name)
{
    enum dtype own = formula_shape(f, 0)->dtype, type = own;
    if (strcmp(name, "result") == 0)
        return f->in->shape->dtype;
    if (strcmp(name, "other-sign") == 0)
        return other_sign(own);
    if (strcmp(name, "bits") == 0)
        return bits_type(own);
    dtype_parse(name, strlen(name), &type);
    return type;
}

/* A constant of another type: Constant:u32(1). */
static bool add_typed(struct formula *f, const struct json *call,
                      const enum dtype *type, int *number, struct status *st)
{
    const struct json *value = json_at(json_member(call, "operands"), 0);
    if (!type || !value || value->kind == JSON_OBJECT || value->next)
        return json_fail(f->arena, call, st, "expected Constant:TYPE(NUMBER)");
    return add_constant(f, value->text, type, number, st);
}

static bool add_operands(struct formula *f, const struct json *list, bool self,
                         int *count, int *operands, struct status *st)
{
    for (const struct json *c = list->child; c; c = c->next)
        if (self && is_call(c, "each"))
            TRY(add_each(f, c, count, operands, st));
        else if (is_call(c, "each-dimension"))
            TRY(add_each_dimension(f, c, count, operands, st));
        else
            TRY(formula_add(f, c, &operands[(*count)++], st));
    return true;
}

static bool add_call(struct formula *f, const struct json *call, int *number,
                     struct status *st)
{
    const char *name = json_member(call, "op")->text;
    const struct json *type = json_member(call, "type");
    const struct json *list = json_member(call, "operands");
    const struct json *given = json_member(call, "attributes");
    const struct op *op = op_table_find(name);
    bool self = strcmp(name, "self") == 0;
    struct attribute *at = arena_new(f->arena, struct attribute, 1);
    *at = (struct attribute){.name = ATTRIBUTE_NEW_ELEMENT_TYPE,
                             .form = SPEC_TYPE,
                             .dtype =
                                 type ? type_of(f, type->text) : (enum dtype)0};
    if (op == &op_Constant && !given)
        return add_typed(f, call, type ? &at->dtype : NULL, number, st);
    size_t most = (size_t)f->in->operand_count + (size_t)own_shape(f)->rank + 1;
    int n = 0,
        *operands = arena_new(f->arena, int, (size_t)list->count *most + 1);
    TRY(add_operands(f, list, self, &n, operands, st));
    struct instruction in = {.name = name_of(f),
                             .op = op,
                             .operand_count = n,
                             .operands = operands,
                             .attribute_count = type ? 1 : 0,
                             .attributes = at};
    if (given)
        TRY(formula_attribute(f, op, given, &in.attribute_count, &in.attributes,
                              st));
    *number = self ? add_self(f, n, operands)
                   : program_add(f->program, f->entry, &in);
    return true;
}

static bool add_word(struct formula *f, const char *word, int *number,
                     struct status *st)
{
    int old = find_value(f, word), named = find_named(f, word);
    if (named >= 0)
        *number = named;
    else if (old >= 0)
        *number = add_operand(f, old);
    else if (strcmp(word, "result") == 0)
        *number = add_result(f);
    else
        return add_constant(f, word, NULL, number, st);
    return true;
}

bool formula_add(struct formula *f, const struct json *node, int *number,
                 struct status *st)
{
    if (node->kind == JSON_OBJECT)
        return add_call(f, node, number, st);
    return node->kind == JSON_STRING
               ? add_word(f, node->text, number, st)
               : add_constant(f, node->text, NULL, number, st);
}

bool formula_all(struct formula *f, const struct json *node, int *number,
                 struct status *st)
{
    const struct json *with = f->with;
    f->named_count = 0;
    if (with)
        f->named = arena_new(f->arena, int, (size_t)with->count + 1);
    for (const struct json *n = with ? with->child : NULL; n; n = n->next) {
        TRY(formula_add(f, n, &f->named[f->named_count], st));
        f->named_count++;
    }
    return formula_add(f, node, number, st);
}
