/* case_write.c - see case_write.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Attributes are written, as they are read, by their forms.  Literals are
 * written as bytes, so no element is rounded.  Parameters are
 * not instructions in this format: an operand names one p0, p1, ...  (A
 * Parameter whose number makes the program invalid stays an instruction.)
 */
#include "interp/case/case_write.h"

#include <string.h>

#include "interp/base/json.h"
#include "interp/data/show.h"
#include "interp/program/attribute.h"
#include "interp/program/op.h"

enum {
    ROOM = 1024,   /* of a text at first; a small program's */
    INT_BYTES = 20 /* characters of an int64_t */
};

struct writer {
    struct arena *arena;
    char *text; /* not yet ended by a NUL */
    size_t length, room;
    bool more; /* in the list or object that is being written */
};

/* Room for that many characters, which are part of the text from now on.  Not
 * by stdio, which takes most of the time of a small program's text. */
static char *add(struct writer *w, size_t bytes)
{
    if (bytes > w->room - w->length) {
        size_t room = w->room ? w->room : ROOM;
        while (room - w->length < bytes)
            room *= 2;
        w->text = arena_more(w->arena, w->text, w->length, room, 1);
        w->room = room;
    }
    char *place = w->text + w->length;
    w->length += bytes;
    return place;
}

static void write_char(struct writer *w, char c)
{
    *add(w, 1) = c;
}

static void puts_all(struct writer *w, const char *text)
{
    size_t bytes = strlen(text);
    memcpy(add(w, bytes), text, bytes);
}

static void put_int(struct writer *w, int64_t value)
{
    char digits[INT_BYTES], *d = digits + sizeof digits;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--d = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--d = '-';
    size_t bytes = (size_t)(digits + sizeof digits - d);
    memcpy(add(w, bytes), d, bytes);
}

static void begin(struct writer *w, char bracket)
{
    write_char(w, bracket);
    w->more = false;
}

static void end(struct writer *w, char bracket)
{
    write_char(w, bracket);
    w->more = true;
}

static void item(struct writer *w)
{
    if (w->more)
        write_char(w, ',');
    w->more = true;
}

static void string(struct writer *w, const char *text)
{
    puts_all(w, json_quote(w->arena, text));
}

static void key(struct writer *w, const char *name)
{
    item(w);
    string(w, name);
    write_char(w, ':');
}

static void string_member(struct writer *w, const char *name, const char *text)
{
    key(w, name);
    string(w, text);
}

static void int_member(struct writer *w, const char *name, int64_t value)
{
    key(w, name);
    put_int(w, value);
}

/* ---- Values -------------------------------------------------------------- */

static void write_ints(struct writer *w, int count, const int64_t *ints)
{
    begin(w, '[');
    for (int i = 0; i < count; i++) {
        item(w);
        put_int(w, ints[i]);
    }
    end(w, ']');
}

static void write_bool(struct writer *w, int64_t value)
{
    puts_all(w, value ? "true" : "false");
}

static void write_bytes(struct writer *w, const struct literal *l)
{
    static const char digits[] = "0123456789abcdef";
    int64_t bytes = shape_bytes(l->shape);
    key(w, "hex");
    write_char(w, '"');
    char *to = add(w, 2 * (size_t)bytes);
    for (int64_t i = 0; i < bytes; i++) {
        to[2 * i] = digits[l->data[i] >> 4];
        to[2 * i + 1] = digits[l->data[i] & 15];
    }
    write_char(w, '"');
}

/* Only the dynamic dimensions have an actual size of their own. */
static void write_sizes(struct writer *w, const struct literal *l)
{
    key(w, "dynamic_sizes");
    begin(w, '[');
    for (int i = 0; i < l->shape->rank; i++)
        if (l->shape->dynamic[i]) {
            item(w);
            put_int(w, l->sizes[i]);
        }
    end(w, ']');
}

static void write_literal(struct writer *w, const struct literal *l)
{
    begin(w, '{');
    string_member(w, "shape", shape_text(w->arena, l->shape));
    if (l->shape->kind == SHAPE_TUPLE) {
        key(w, "tuple");
        begin(w, '[');
        for (int i = 0; i < l->shape->rank; i++) {
            item(w);
            write_literal(w, l->elements[i]);
        }
        end(w, ']');
    } else if (l->shape->kind == SHAPE_ARRAY) {
        write_bytes(w, l);
        if (l->sizes && l->shape->dynamic)
            write_sizes(w, l);
    }
    end(w, '}');
}

/* ---- One form each ------------------------------------------------------- */

typedef void form_writer(struct writer *w, const struct attribute *at);

static void form_int(struct writer *w, const struct attribute *at)
{
    put_int(w, at->ints[0]);
}

static void form_ints(struct writer *w, const struct attribute *at)
{
    write_ints(w, at->count, at->ints);
}

static void form_pairs(struct writer *w, const struct attribute *at)
{
    begin(w, '[');
    for (int i = 0; i + 1 < at->count; i += 2) {
        item(w);
        write_ints(w, 2, at->ints + i);
    }
    end(w, ']');
}

static void form_groups(struct writer *w, const struct attribute *at)
{
    int64_t from = 0;
    begin(w, '[');
    for (int i = 0; i < at->part_count; from += at->parts[i++]) {
        item(w);
        write_ints(w, (int)at->parts[i], at->ints + from);
    }
    end(w, ']');
}

static void form_bool(struct writer *w, const struct attribute *at)
{
    write_bool(w, at->ints[0]);
}

static void form_bools(struct writer *w, const struct attribute *at)
{
    begin(w, '[');
    for (int i = 0; i < at->count; i++) {
        item(w);
        write_bool(w, at->ints[i]);
    }
    end(w, ']');
}

static void form_type(struct writer *w, const struct attribute *at)
{
    string(w, dtype_table[at->dtype].name);
}

static void form_shape(struct writer *w, const struct attribute *at)
{
    string(w, shape_text(w->arena, at->shape));
}

static void form_string(struct writer *w, const struct attribute *at)
{
    string(w, at->string);
}

/* "HIGHEST,DEFAULT", as the reader joins them. */
static void form_names(struct writer *w, const struct attribute *at)
{
    begin(w, '[');
    for (const char *from = at->string; from && *from;) {
        size_t n = strcspn(from, ",");
        item(w);
        string(w, arena_printf(w->arena, "%.*s", (int)n, from));
        from += n + (from[n] == ',');
    }
    end(w, ']');
}

static void form_object(struct writer *w, const struct attribute *at)
{
    puts_all(w, at->string);
}

/* Writes a string that reads back to the same bits. */
static void form_build_number(struct writer *w, const struct attribute *at)
{
    string(w, show_element(w->arena, at->literal, 0));
}

static void form_literal(struct writer *w, const struct attribute *at)
{
    write_literal(w, at->literal);
}

static void form_computations(struct writer *w, const struct attribute *at)
{
    bool one = at->form == SPEC_COMPUTATION;
    if (!one)
        begin(w, '[');
    for (int i = 0; i < at->computation_count; i++) {
        if (!one)
            item(w);
        const struct computation *c = at->computations[i];
        string(w, c ? c->name : at->builtins[i]);
    }
    if (!one)
        end(w, ']');
}

static void form_window_padding(struct writer *w, const struct attribute *at)
{
    if (at->string)
        string(w, at->string);
    else
        form_pairs(w, at);
}

static void form_padding_config(struct writer *w, const struct attribute *at)
{
    static const char *const names[] = {"edge_padding_low", "edge_padding_high",
                                        "interior_padding"};
    begin(w, '[');
    for (int i = 0; i + 2 < at->count; i += 3) {
        item(w);
        begin(w, '{');
        for (int k = 0; k < 3; k++)
            int_member(w, names[k], at->ints[i + k]);
        end(w, '}');
    }
    end(w, ']');
}

static void form_accuracy(struct writer *w, const struct attribute *at)
{
    static const char *const names[] = {"atol", "rtol", "ulps"};
    if (!at->literal) {
        string(w, at->string);
        return;
    }
    begin(w, '{');
    for (int i = 0; i < 3; i++)
        string_member(w, names[i],
                      show_element(w->arena, at->literal->elements[i], 0));
    end(w, '}');
}

/* The members of dimension numbers are written one by one. */
static form_writer *const writers[] = {
    [SPEC_INT] = form_int,
    [SPEC_INTS] = form_ints,
    [SPEC_PAIRS] = form_pairs,
    [SPEC_GROUPS] = form_groups,
    [SPEC_BOOL] = form_bool,
    [SPEC_BOOLS] = form_bools,
    [SPEC_TYPE] = form_type,
    [SPEC_SHAPE] = form_shape,
    [SPEC_NAME] = form_string,
    [SPEC_NAMES] = form_names,
    [SPEC_STRING] = form_string,
    [SPEC_NUMBER] = form_build_number,
    [SPEC_LITERAL] = form_literal,
    [SPEC_COMPUTATION] = form_computations,
    [SPEC_COMPUTATIONS] = form_computations,
    [SPEC_WINDOW_PADDING] = form_window_padding,
    [SPEC_PADDING_CONFIG] = form_padding_config,
    [SPEC_ACCURACY] = form_accuracy,
    [SPEC_DIMENSION_NUMBERS] = NULL,
    [SPEC_OBJECT] = form_object,
};

/* ---- Instructions -------------------------------------------------------- */

/* Members of one object, "dimension_numbers.NAME", follow one another. */
static void write_attributes(struct writer *w, const struct instruction *in)
{
    const char *open = NULL; /* the object's name and dot */
    size_t length = 0;
    begin(w, '{');
    for (int i = 0; i < in->attribute_count; i++) {
        const struct attribute *at = &in->attributes[i];
        const char *name = attribute_name_text(at->name);
        const char *dot = strchr(name, '.');
        if (open && strncmp(name, open, length) != 0) {
            end(w, '}');
            open = NULL;
        }
        if (dot && !open) {
            open = name;
            length = (size_t)(dot - name) + 1;
            key(w, arena_printf(w->arena, "%.*s", (int)length - 1, open));
            begin(w, '{');
        }
        key(w, attribute_name_short(at->name));
        writers[at->form](w, at);
    }
    if (open)
        end(w, '}');
    end(w, '}');
}

/* The number by which others refer to a parameter; -1 for any other
 * instruction, and for a Parameter with an invalid number. */
static int parameter_number(const struct computation *c, int i)
{
    for (int k = 0; k < c->parameter_count; k++)
        if (c->parameters[k] == i)
            return k;
    return -1;
}

static const char *name_of(struct writer *w, const struct computation *c, int i)
{
    int number = parameter_number(c, i);
    if (number >= 0)
        return arena_printf(w->arena, "p%d", number);
    const char *name = c->instructions[i]->name;
    bool reserved = name[0] == 'p' && name[1]
                    && strspn(name + 1, "0123456789") == strlen(name + 1);
    return reserved ? arena_printf(w->arena, "parameter.%s", name) : name;
}

static void write_instruction(struct writer *w, const struct computation *c,
                              int number)
{
    const struct instruction *in = c->instructions[number];
    begin(w, '{');
    string_member(w, "name", name_of(w, c, number));
    string_member(w, "op", in->op->name);
    key(w, "operands");
    begin(w, '[');
    for (int i = 0; i < in->operand_count; i++) {
        item(w);
        string(w, name_of(w, c, in->operands[i]));
    }
    end(w, ']');
    if (in->attribute_count > 0) {
        key(w, "attributes");
        write_attributes(w, in);
    }
    if (in->shape)
        string_member(w, "shape", shape_text(w->arena, in->shape));
    end(w, '}');
}

static void write_computation(struct writer *w, const struct computation *c)
{
    key(w, c->name);
    begin(w, '{');
    key(w, "parameters");
    begin(w, '[');
    for (int i = 0; i < c->parameter_count; i++) {
        const struct instruction *in = c->instructions[c->parameters[i]];
        item(w);
        string(w, shape_text(w->arena,
                             attribute_find(in, ATTRIBUTE_SHAPE)->shape));
    }
    end(w, ']');
    key(w, "body");
    begin(w, '[');
    for (int i = 0; i < c->count; i++)
        if (parameter_number(c, i) < 0) {
            item(w);
            write_instruction(w, c, i);
        }
    end(w, ']');
    if (c->root >= 0 && c->root < c->count)
        string_member(w, "result", name_of(w, c, c->root));
    if (c->associative)
        string_member(w, "algebra", "associative");
    end(w, '}');
}

/* ---- The document -------------------------------------------------------- */

static void write_leaves(struct writer *w, const struct shape *s)
{
    int n = s ? shape_leaves(s) : 0;
    for (int i = 0; i < n; i++) {
        item(w);
        string(w, shape_text(w->arena, shape_leaf(s, i)));
    }
}

static void write_inputs(struct writer *w, const struct computation *entry)
{
    key(w, "inputs");
    begin(w, '[');
    for (int i = 0; i < entry->parameter_count; i++)
        write_leaves(w, entry->instructions[entry->parameters[i]]->shape);
    end(w, ']');
}

static void write_program(struct writer *w, const struct program *p,
                          const char *name, bool rejected)
{
    int rows = p->replicas * p->partitions;
    begin(w, '{');
    string_member(w, "format", "assay-program/1");
    string_member(w, "name", name);
    int_member(w, "replicas", p->replicas);
    int_member(w, "partitions", p->partitions);
    write_inputs(w, p->entry);
    if (!rejected && p->entry->result) {
        key(w, "outputs");
        begin(w, '[');
        write_leaves(w, p->entry->result);
        end(w, ']');
    }
    key(w, "module");
    begin(w, '{');
    key(w, "computations");
    begin(w, '{');
    for (int i = 0; i < p->computation_count; i++)
        write_computation(w, p->computations[i]);
    end(w, '}');
    string_member(w, "entry", p->entry->name);
    end(w, '}');
    if (p->entries) {
        key(w, "entries");
        begin(w, '[');
        for (int i = 0; i < rows; i++) {
            item(w);
            string(w, p->entries[i]->name);
        }
        end(w, ']');
    }
    end(w, '}');
}

const char *case_write(struct arena *a, const struct program *p,
                       const char *name, bool rejected)
{
    struct writer w = {.arena = a};
    write_program(&w, p, name, rejected);
    write_char(&w, '\0');
    return w.text;
}
