/* stablehlo_write.c - see stablehlo_write.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/stablehlo/stablehlo_write.h"

#include <inttypes.h>
#include <stdlib.h>

#include "interp/data/show.h"
#include "interp/program/op.h"

enum {
    HEX_ELEMENTS = 16,          /* longer constants are written as bytes */
    INSTRUCTIONS_MAX = 1 << 20, /* lines of the text, about */
    DEPTH_MAX = 250             /* of regions; inference allows fewer */
};

const char *stablehlo_write_type(struct stablehlo_writer *w,
                                 const struct shape *s)
{
    if (s->kind == SHAPE_TOKEN)
        return "!stablehlo.token";
    const char *mlir = dtype_table[s->dtype].mlir;
    if (*mlir == '\0') {
        FAIL(w->st, UNSUPPORTED, "StableHLO has no element type %s",
             dtype_table[s->dtype].name);
        return "none";
    }
    const char *dims = "", *bounds = "";
    for (int i = 0; i < s->rank; i++) {
        bool dynamic = s->dynamic && s->dynamic[i];
        const char *size = arena_printf(w->arena, "%" PRId64, s->dims[i]);
        dims = arena_printf(w->arena, "%s%sx", dims, dynamic ? "?" : size);
        bounds = arena_printf(w->arena, "%s%s%s", bounds, i ? ", " : "",
                              dynamic ? size : "?");
    }
    if (s->dynamic)
        return arena_printf(w->arena, "tensor<%s%s, #stablehlo.bounds<%s>>",
                            dims, mlir, bounds);
    return arena_printf(w->arena, "tensor<%s%s>", dims, mlir);
}

struct stablehlo_value stablehlo_write_names(struct stablehlo_writer *w,
                                             const struct shape *s)
{
    struct stablehlo_value v = {.count = shape_leaves(s)};
    v.names = arena_new(w->arena, const char *, (size_t)v.count);
    v.shapes = arena_new(w->arena, const struct shape *, (size_t)v.count);
    for (int i = 0; i < v.count; i++) {
        v.names[i] = arena_printf(w->arena, "%%%d", w->next++);
        v.shapes[i] = shape_leaf(s, i);
    }
    return v;
}

void stablehlo_write_line(struct stablehlo_writer *w)
{
    fprintf(w->out, "%*s", 2 * w->indent, "");
}

void stablehlo_write_list(struct stablehlo_writer *w,
                          const struct stablehlo_value *v)
{
    for (int i = 0; i < v->count; i++)
        fprintf(w->out, "%s%s", i ? ", " : "", v->names[i]);
}

void stablehlo_write_types(struct stablehlo_writer *w,
                           const struct stablehlo_value *v)
{
    fputc('(', w->out);
    for (int i = 0; i < v->count; i++)
        fprintf(w->out, "%s%s", i ? ", " : "",
                stablehlo_write_type(w, v->shapes[i]));
    fputc(')', w->out);
}

void stablehlo_write_ints(struct stablehlo_writer *w, int count,
                          const int64_t *ints)
{
    fputc('[', w->out);
    for (int i = 0; i < count; i++)
        fprintf(w->out, "%s%" PRId64, i ? ", " : "", ints[i]);
    fputc(']', w->out);
}

void stablehlo_write_array(struct stablehlo_writer *w, int count,
                           const int64_t *ints)
{
    fputs("array<i64", w->out);
    for (int i = 0; i < count; i++)
        fprintf(w->out, "%s%" PRId64, i ? ", " : ": ", ints[i]);
    fputc('>', w->out);
}

/* ---- Constants ---------------------------------------------------------- */

static void write_unit(struct stablehlo_writer *w, enum dtype unit,
                       uint64_t bits)
{
    /* A float's bits in hexadecimal: no decimal is ever rounded. */
    if (dtype_class(unit) == DTYPE_FLOAT)
        fprintf(w->out, "0x%s", show_bits(w->arena, unit, bits));
    else
        fputs(show_decimal(w->arena, unit, bits), w->out);
}

static void write_element(struct stablehlo_writer *w, const struct literal *l,
                          int64_t i)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    if (dtype_units(l->shape->dtype) == 1) {
        write_unit(w, unit, literal_get(l, i));
        return;
    }
    fputc('(', w->out);
    write_unit(w, unit, literal_get(l, 2 * i));
    fputs(", ", w->out);
    write_unit(w, unit, literal_get(l, 2 * i + 1));
    fputc(')', w->out);
}

static void write_elements(struct stablehlo_writer *w, const struct literal *l,
                           int dim, int64_t *next)
{
    if (dim == l->shape->rank) {
        write_element(w, l, (*next)++);
        return;
    }
    fputc('[', w->out);
    for (int64_t i = 0; i < l->shape->dims[dim]; i++) {
        if (i > 0)
            fputs(", ", w->out);
        write_elements(w, l, dim + 1, next);
    }
    fputc(']', w->out);
}

const char *stablehlo_write_constant(struct stablehlo_writer *w,
                                     const struct literal *l)
{
    const char *type = stablehlo_write_type(w, l->shape);
    const char *name = arena_printf(w->arena, "%%%d", w->next++);
    int64_t n = shape_elements(l->shape), next = 0;
    stablehlo_write_line(w);
    fprintf(w->out, "%s = \"stablehlo.constant\"() {value = dense<", name);
    if (n > HEX_ELEMENTS && dtype_class(l->shape->dtype) != DTYPE_PRED) {
        fputs("\"0x", w->out);
        for (int64_t i = 0; i < shape_bytes(l->shape); i++)
            fprintf(w->out, "%02X", l->data[i]);
        fputc('"', w->out);
    } else if (n > 0) {
        write_elements(w, l, 0, &next);
    }
    fprintf(w->out, "> : %s} : () -> %s\n", type, type);
    return name;
}

/* ---- Computations ------------------------------------------------------- */

/* A wrong number omits a parameter, which a text form without numbers cannot
 * express. */
static bool check_parameter(struct stablehlo_writer *w,
                            const struct computation *c, int number)
{
    for (int i = 0; i < c->parameter_count; i++)
        if (c->parameters[i] == number)
            return true;
    return FAIL(w->st, UNSUPPORTED, "StableHLO parameters have no numbers");
}

/* A region is written wherever it is used, so a text may be longer than its
 * program by any factor, and one that inference rejected may have no end. */
static bool check_size(struct stablehlo_writer *w)
{
    if (w->depth > DEPTH_MAX)
        return FAIL(w->st, UNSUPPORTED,
                    "StableHLO text cannot express regions nested more than "
                    "%d deep",
                    DEPTH_MAX);
    if (++w->written > INSTRUCTIONS_MAX
        || ftell(w->out) / 4 > w->program->limits->literal_bytes)
        return FAIL(w->st, UNSUPPORTED,
                    "the StableHLO text is too long: each region is written "
                    "wherever it is used");
    return true;
}

/* Instructions of c whose parameters have these values; what the root is. */
static bool write_body(struct stablehlo_writer *w, const struct computation *c,
                       const struct stablehlo_value *parameters,
                       struct stablehlo_value *root)
{
    const struct computation *outer = w->body;
    w->body = c;
    w->depth++;
    struct stablehlo_value *values =
        arena_new(w->arena, struct stablehlo_value, (size_t)c->count);
    for (int i = 0; i < c->parameter_count; i++)
        values[c->parameters[i]] = parameters[i];
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        TRY(check_size(w));
        if (in->op->role == OP_ROLE_PARAMETER) {
            TRY(check_parameter(w, c, i));
            continue;
        }
        struct stablehlo_value *operands = arena_new(
            w->arena, struct stablehlo_value, (size_t)in->operand_count);
        for (int k = 0; k < in->operand_count; k++)
            operands[k] = values[in->operands[k]];
        TRY(stablehlo_op_write(
            w, &(struct stablehlo_item){in, operands, &values[i]}));
    }
    *root = values[c->root];
    w->depth--;
    w->body = outer;
    return true;
}

/* Names for all parameters, one after the other, with their types.  NULL where
 * inference ended before it came to one of them. */
static struct stablehlo_value *write_parameters(struct stablehlo_writer *w,
                                                const struct computation *c,
                                                bool without_tokens)
{
    struct stablehlo_value *values =
        arena_new(w->arena, struct stablehlo_value, (size_t)c->parameter_count);
    bool first = true;
    for (int i = 0; i < c->parameter_count; i++) {
        const struct shape *shape = c->instructions[c->parameters[i]]->shape;
        if (!shape) {
            FAIL(w->st, UNSUPPORTED,
                 "StableHLO text needs the type of parameter %d, which the "
                 "invalid program lacks",
                 i);
            return NULL;
        }
        values[i] = stablehlo_write_names(w, shape);
        for (int k = 0; k < values[i].count; k++) {
            if (without_tokens && values[i].shapes[k]->kind == SHAPE_TOKEN)
                continue;
            fprintf(w->out, "%s%s: %s", first ? "" : ", ", values[i].names[k],
                    stablehlo_write_type(w, values[i].shapes[k]));
            first = false;
        }
    }
    return values;
}

static void write_return(struct stablehlo_writer *w, const char *op,
                         const struct stablehlo_value *v)
{
    stablehlo_write_line(w);
    fprintf(w->out, "\"%s\"(", op);
    stablehlo_write_list(w, v);
    fputs(") : ", w->out);
    stablehlo_write_types(w, v);
    fputs(" -> ()\n", w->out);
}

bool stablehlo_write_region(struct stablehlo_writer *w,
                            const struct computation *c)
{
    struct stablehlo_value root;
    fputs("{\n", w->out);
    stablehlo_write_line(w);
    fputs("^bb0(", w->out);
    struct stablehlo_value *parameters = write_parameters(w, c, false);
    TRY(parameters);
    fputs("):\n", w->out);
    w->indent++;
    TRY(write_body(w, c, parameters, &root));
    write_return(w, "stablehlo.return", &root);
    w->indent--;
    stablehlo_write_line(w);
    fputc('}', w->out);
    return true;
}

bool stablehlo_write_branch(struct stablehlo_writer *w,
                            const struct computation *c,
                            const struct stablehlo_value *arguments)
{
    struct stablehlo_value root;
    fputs("{\n", w->out);
    w->indent++;
    TRY(write_body(w, c, arguments, &root));
    write_return(w, "stablehlo.return", &root);
    w->indent--;
    stablehlo_write_line(w);
    fputc('}', w->out);
    return true;
}

const char *stablehlo_write_function(struct stablehlo_writer *w,
                                     const struct computation *c)
{
    int i = 0;
    while (i < w->function_count && w->functions[i] != c)
        i++;
    if (i == w->function_count) {
        ARENA_GROW(w->arena, w->functions, i, w->function_room);
        w->functions[w->function_count++] = c;
    }
    return arena_printf(w->arena, "@computation_%d", i);
}

static void drop_tokens(struct stablehlo_writer *w, struct stablehlo_value *v)
{
    struct stablehlo_value kept = {0};
    kept.names = arena_new(w->arena, const char *, (size_t)v->count);
    kept.shapes = arena_new(w->arena, const struct shape *, (size_t)v->count);
    for (int i = 0; i < v->count; i++)
        if (v->shapes[i]->kind != SHAPE_TOKEN) {
            kept.names[kept.count] = v->names[i];
            kept.shapes[kept.count++] = v->shapes[i];
        }
    *v = kept;
}

/* The body is written to a buffer: the signature, which comes first, has the
 * types of what the body returns. */
static bool write_aside(struct stablehlo_writer *w, const struct computation *c,
                        const struct stablehlo_value *parameters,
                        struct stablehlo_value *root, const char **text)
{
    char *buffer = NULL;
    size_t size = 0;
    FILE *out = w->out;
    w->out = open_memstream(&buffer, &size);
    if (!w->out) {
        w->out = out;
        return FAIL(w->st, SYSTEM, "not enough memory for the StableHLO text");
    }
    bool good = write_body(w, c, parameters, root);
    if (fclose(w->out) != 0)
        good = FAIL(w->st, SYSTEM, "not enough memory for the StableHLO text");
    w->out = out;
    if (good)
        *text = arena_text(w->arena, buffer);
    free(buffer);
    return good;
}

bool stablehlo_write_definition(struct stablehlo_writer *w,
                                const struct computation *c, const char *name,
                                bool main)
{
    struct stablehlo_value root;
    const char *text = "";
    fprintf(w->out, "  func.func %s %s(", main ? "public" : "private", name);
    struct stablehlo_value *parameters = write_parameters(w, c, main);
    TRY(parameters);
    w->indent = 2;
    TRY(write_aside(w, c, parameters, &root, &text));
    if (main)
        drop_tokens(w, &root);
    fputs(") -> ", w->out);
    stablehlo_write_types(w, &root);
    fputs(" {\n", w->out);
    for (int i = 0; main && i < c->parameter_count; i++)
        for (int k = 0; k < parameters[i].count; k++)
            if (parameters[i].shapes[k]->kind == SHAPE_TOKEN)
                fprintf(w->out,
                        "    %s = \"stablehlo.after_all\"() : () -> "
                        "!stablehlo.token\n",
                        parameters[i].names[k]);
    fputs(text, w->out);
    write_return(w, "func.return", &root);
    fputs("  }\n", w->out);
    return true;
}
