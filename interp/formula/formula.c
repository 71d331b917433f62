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

enum {
    DEPTH_MAX = 32 /* of a formula */
};

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
    const struct shape *s = formula_shape(f, f->whole ? 0 : f->at);
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

/* One operand of "self" after the other, each by the same formula. */
static bool add_each(struct formula *f, const struct json *list, int *count,
                     int *operands, struct status *st)
{
    if (list->kind != JSON_ARRAY || list->count != 1 || f->each)
        return json_fail(f->arena, list, st, "expected {\"each\": [FORMULA]}");
    f->each = true;
    for (f->at = 0; f->at < f->in->operand_count; f->at++)
        TRY(formula_add(f, list->child, &operands[(*count)++], st));
    f->each = false;
    f->at = 0;
    return true;
}

/* An operand for each dimension of the operand. */
static bool add_each_dimension(struct formula *f, const struct json *list,
                               int *count, int *operands, struct status *st)
{
    const struct shape *s = formula_shape(f, f->whole ? 0 : f->at);
    if (list->kind != JSON_ARRAY || list->count != 1)
        return json_fail(f->arena, list, st,
                         "expected {\"each-dimension\": [FORMULA]}");
    for (int d = 0; s->kind == SHAPE_ARRAY && d < s->rank; d++)
        TRY(formula_add(f, list->child, &operands[(*count)++], st));
    return true;
}

static bool is_list_of(const struct json *node, const char *key)
{
    return node->kind == JSON_OBJECT && node->child
           && strcmp(node->child->key, key) == 0;
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

static bool find_type(const struct formula *f, const char *name,
                      enum dtype *type)
{
    enum dtype own = formula_shape(f, 0)->dtype;
    if (strcmp(name, "own") == 0)
        *type = own;
    else if (strcmp(name, "result") == 0)
        *type = f->in->shape->dtype;
    else if (strcmp(name, "other-sign") == 0)
        *type = other_sign(own);
    else if (strcmp(name, "bits") == 0)
        *type = bits_type(own);
    else
        return dtype_parse(name, strlen(name), type);
    return true;
}

static bool add_call(struct formula *f, const struct json *node, int *number,
                     struct status *st)
{
    const struct json *list = node->child;
    const char *key = list ? list->key : "";
    size_t length = strcspn(key, ":");
    const struct op *op =
        op_table_find(arena_printf(f->arena, "%.*s", (int)length, key));
    bool self = strcmp(key, "self") == 0;
    struct attribute *at = arena_new(f->arena, struct attribute, 1);
    *at = (struct attribute){.name = ATTRIBUTE_NEW_ELEMENT_TYPE,
                             .form = SPEC_TYPE};
    if (!list || (!op && !self) || (self && list->next)
        || list->kind != JSON_ARRAY
        || (key[length] && !find_type(f, key + length + 1, &at->dtype)))
        return json_fail(f->arena, node, st, "expected {\"OPERATION\": [...]}");
    if (op == &op_Constant && !list->next)
        return list->child && list->child->text && key[length]
                   ? add_constant(f, list->child->text, &at->dtype, number, st)
                   : json_fail(f->arena, node, st,
                               "expected {\"Constant:TYPE\": [NUMBER]}");
    const struct shape *own = formula_shape(f, f->whole ? 0 : f->at);
    size_t most = (size_t)f->in->operand_count + (size_t)own->rank + 1;
    int *operands = arena_new(f->arena, int, (size_t)list->count *most + 1);
    int n = 0;
    for (const struct json *c = list->child; c; c = c->next)
        if (self && is_list_of(c, "each"))
            TRY(add_each(f, c->child, &n, operands, st));
        else if (is_list_of(c, "each-dimension"))
            TRY(add_each_dimension(f, c->child, &n, operands, st));
        else
            TRY(formula_add(f, c, &operands[n++], st));
    struct instruction in = {.name = name_of(f),
                             .op = op,
                             .operand_count = n,
                             .operands = operands,
                             .attribute_count = key[length] ? 1 : 0,
                             .attributes = at};
    if (list->next)
        TRY(formula_attribute(f, op, list->next, &in.attribute_count,
                              &in.attributes, st));
    *number = self ? add_self(f, n, operands)
                   : program_add(f->program, f->entry, &in);
    return true;
}

bool formula_add(struct formula *f, const struct json *node, int *number,
                 struct status *st)
{
    if (++f->depth > DEPTH_MAX)
        return json_fail(f->arena, node, st, "formula too deep");
    if (node->kind == JSON_OBJECT) {
        TRY(add_call(f, node, number, st));
    } else if (node->kind == JSON_NUMBER) {
        TRY(add_constant(f, node->text, NULL, number, st));
    } else {
        int old = find_value(f, node->text);
        int named = find_named(f, node->text);
        if (named >= 0)
            *number = named;
        else if (old >= 0)
            *number = add_operand(f, old);
        else if (strcmp(node->text, "result") == 0)
            *number = add_result(f);
        else
            TRY(add_constant(f, node->text, NULL, number, st));
    }
    f->depth--;
    return true;
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
