/* attribute.c - see attribute.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Two kinds of error are distinguished.  A value of the wrong JSON kind, or an
 * unknown member, is a mistake in the file (INPUT).  A value of the right kind
 * that no operation takes, or one that is missing, is a mistake in the program
 * (ATTRIBUTE), which a case may expect.  Both have a place.
 */
#include "interp/program/attribute.h"

#include <string.h>

#include "interp/data/data.h"
#include "interp/data/number.h"

struct reader {
    struct arena *arena;
    const struct limits *limits;
    attribute_lookup *find;
    void *context;
    int count;
    struct attribute *list;
};

/* Record an ATTRIBUTE failure at a value. */
static bool reject(struct arena *a, const struct json *at, struct status *st,
                   const char *text)
{
    if (st->code == STATUS_OK && at)
        json_place(a, at, st);
    return FAIL(st, ATTRIBUTE, "%s", text);
}

/* ---- As JSON text -------------------------------------------------------- */

static size_t append_text(char *to, size_t at, const char *text)
{
    size_t n = strlen(text);
    if (to)
        memcpy(to + at, text, n);
    return at + n;
}

/* Write node from at on (nowhere, if to is NULL); return where it ends. */
static size_t put_json(struct arena *a, char *to, size_t at,
                       const struct json *node)
{
    if (node->kind == JSON_NULL)
        return append_text(to, at, "null");
    if (node->kind == JSON_BOOL)
        return append_text(to, at, node->boolean ? "true" : "false");
    if (node->kind == JSON_NUMBER)
        return append_text(to, at, node->text);
    if (node->kind == JSON_STRING)
        return append_text(to, at, json_quote(a, node->text));
    bool object = node->kind == JSON_OBJECT;
    at = append_text(to, at, object ? "{" : "[");
    for (const struct json *c = node->child; c; c = c->next) {
        if (object) {
            at = append_text(to, at, json_quote(a, c->key));
            at = append_text(to, at, ":");
        }
        at = put_json(a, to, at, c);
        if (c->next)
            at = append_text(to, at, ",");
    }
    return append_text(to, at, object ? "}" : "]");
}

const char *attribute_json_text(struct arena *a, const struct json *node)
{
    char *text = arena_alloc(a, put_json(a, NULL, 0, node) + 1);
    put_json(a, text, 0, node);
    return text;
}

/* ---- One form each ------------------------------------------------------- */

static bool read_int(struct reader *r, const struct json *node,
                     struct attribute *to, struct status *st)
{
    int64_t *value = arena_new(r->arena, int64_t, 1);
    to->ints = value;
    to->count = 1;
    return json_int(r->arena, node, value, st);
}

static bool read_ints(struct reader *r, const struct json *node,
                      struct attribute *to, struct status *st)
{
    int64_t *values;
    TRY(json_ints(r->arena, node, &to->count, &values, st));
    to->ints = values;
    return true;
}

static bool need_array(struct reader *r, const struct json *node,
                       const char *of, struct status *st)
{
    if (node->kind != JSON_ARRAY)
        return json_fail(r->arena, node, st, "expected a list of %s", of);
    return true;
}

/* Lists of integers, end to end; each has size of them, if size is not 0. */
static bool read_lists(struct reader *r, const struct json *node, int size,
                       struct attribute *to, struct status *st)
{
    TRY(need_array(r, node, size ? "pairs" : "lists of integers", st));
    int64_t *parts = arena_new(r->arena, int64_t, node->count);
    int total = 0, at = 0;
    for (const struct json *c = node->child; c; c = c->next) {
        TRY(need_array(r, c, "integers", st));
        if (size && c->count != size)
            return json_fail(r->arena, c, st,
                             "expected a pair, found %d values", c->count);
        total += c->count;
    }
    int64_t *ints = arena_new(r->arena, int64_t, total);
    for (const struct json *c = node->child; c; c = c->next) {
        parts[to->part_count++] = c->count;
        for (const struct json *i = c->child; i; i = i->next)
            TRY(json_int(r->arena, i, &ints[at++], st));
    }
    to->ints = ints;
    to->count = total;
    to->parts = parts;
    if (size) {
        to->parts = NULL;
        to->part_count = 0;
    }
    return true;
}

static bool read_pairs(struct reader *r, const struct json *node,
                       struct attribute *to, struct status *st)
{
    return read_lists(r, node, 2, to, st);
}

static bool read_groups(struct reader *r, const struct json *node,
                        struct attribute *to, struct status *st)
{
    return read_lists(r, node, 0, to, st);
}

static bool read_bool(struct reader *r, const struct json *node,
                      struct attribute *to, struct status *st)
{
    int64_t *value = arena_new(r->arena, int64_t, 1);
    bool b;
    TRY(json_bool(r->arena, node, &b, st));
    *value = b;
    to->ints = value;
    to->count = 1;
    return true;
}

static bool read_bools(struct reader *r, const struct json *node,
                       struct attribute *to, struct status *st)
{
    TRY(need_array(r, node, "true and false", st));
    int64_t *values = arena_new(r->arena, int64_t, node->count);
    to->ints = values;
    for (const struct json *c = node->child; c; c = c->next) {
        bool b;
        TRY(json_bool(r->arena, c, &b, st));
        values[to->count++] = b;
    }
    return true;
}

static bool read_type(struct reader *r, const struct json *node,
                      struct attribute *to, struct status *st)
{
    TRY(json_string(r->arena, node, &to->string, st));
    if (!dtype_parse(to->string, strlen(to->string), &to->dtype))
        return json_fail(r->arena, node, st, "unknown element type '%.40s'",
                         to->string);
    return true;
}

static bool read_shape(struct reader *r, const struct json *node,
                       struct attribute *to, struct status *st)
{
    const char *text;
    struct status why = {STATUS_OK};
    TRY(json_string(r->arena, node, &text, st));
    if (!shape_parse(r->arena, text, &to->shape, &why))
        return json_fail(r->arena, node, st, "%s", why.text);
    return true;
}

static bool read_string(struct reader *r, const struct json *node,
                        struct attribute *to, struct status *st)
{
    return json_string(r->arena, node, &to->string, st);
}

/* The place of text in names, or -1. */
static int place(const char *const *names, const char *text)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    return -1;
}

static bool read_name(struct reader *r, const struct json *node,
                      const struct spec_attribute *spec, int64_t *number,
                      const char **text, struct status *st)
{
    TRY(json_string(r->arena, node, text, st));
    *number = place(spec->names, *text);
    if (*number >= 0)
        return true;
    const char *all = "";
    for (int i = 0; spec->names[i]; i++)
        all = arena_printf(r->arena, "%s%s'%s'", all, i ? ", " : "",
                           spec->names[i]);
    return reject(
        r->arena, node, st,
        arena_printf(r->arena, "'%.40s' is not one of %.150s", *text, all));
}

static bool read_names(struct reader *r, const struct json *node,
                       const struct spec_attribute *spec, struct attribute *to,
                       struct status *st)
{
    TRY(need_array(r, node, "names", st));
    int64_t *numbers = arena_new(r->arena, int64_t, (size_t)node->count);
    to->ints = numbers;
    size_t length = 1;
    for (const struct json *c = node->child; c; c = c->next) {
        const char *text;
        TRY(read_name(r, c, spec, &numbers[to->count++], &text, st));
        length += strlen(text) + 1;
    }
    char *all = arena_alloc(r->arena, length);
    size_t at = 0;
    for (const struct json *c = node->child; c; c = c->next) {
        at = append_text(all, at, c->text);
        at = append_text(all, at, c->next ? "," : "");
    }
    to->string = all;
    return true;
}

static bool read_number(struct reader *r, const struct json *node,
                        struct attribute *to, struct status *st)
{
    uint64_t bits[2];
    bool nan;
    TRY(number_element(r->arena, node, DT_f32, bits, &nan, st));
    struct literal *l = literal_new(r->arena, shape_scalar(r->arena, DT_f32));
    literal_set(l, 0, bits[0]);
    to->literal = l;
    return true;
}

static bool read_literal(struct reader *r, const struct json *node,
                         struct attribute *to, struct status *st)
{
    struct literal *l;
    TRY(data_literal(r->arena, node, r->limits, &l, st));
    to->literal = l;
    return true;
}

static bool add_computation(struct reader *r, const struct json *node,
                            struct attribute *to, struct status *st)
{
    const char *name;
    TRY(json_string(r->arena, node, &name, st));
    int i = to->computation_count++;
    to->computations[i] = r->find ? r->find(r->context, name) : NULL;
    if (!to->computations[i])
        to->builtins[i] = name;
    return true;
}

static bool read_computations(struct reader *r, const struct json *node,
                              struct attribute *to, struct status *st)
{
    bool one = to->form == SPEC_COMPUTATION;
    if (!one)
        TRY(need_array(r, node, "computations", st));
    int room = one ? 1 : node->count;
    to->computations = arena_new(r->arena, const struct computation *, room);
    to->builtins = arena_new(r->arena, const char *, room);
    if (one)
        return add_computation(r, node, to, st);
    for (const struct json *c = node->child; c; c = c->next)
        TRY(add_computation(r, c, to, st));
    return true;
}

static bool read_window_padding(struct reader *r, const struct json *node,
                                struct attribute *to, struct status *st)
{
    if (node->kind != JSON_STRING)
        return read_pairs(r, node, to, st);
    to->string = node->text;
    if (strcmp(to->string, "SAME") != 0 && strcmp(to->string, "VALID") != 0)
        return reject(r->arena, node, st,
                      "expected 'SAME', 'VALID' or pairs of low and high");
    return true;
}

static bool read_padding_config(struct reader *r, const struct json *node,
                                struct attribute *to, struct status *st)
{
    static const char *const names[] = {"edge_padding_low", "edge_padding_high",
                                        "interior_padding", NULL};
    TRY(need_array(r, node, "objects, one a dimension", st));
    int64_t *ints = arena_new(r->arena, int64_t, 3 * (size_t)node->count);
    to->ints = ints;
    for (const struct json *c = node->child; c; c = c->next) {
        TRY(json_only(r->arena, c, names, st));
        for (int i = 0; names[i]; i++, to->count++) {
            const struct json *m = json_member(c, names[i]);
            if (m)
                TRY(json_int(r->arena, m, &ints[to->count], st));
        }
    }
    return true;
}

/* A tolerance: a number that is not negative, rounded to f64. */
static bool read_tolerance(struct reader *r, const struct json *object,
                           const char *name, struct literal **to,
                           struct status *st)
{
    *to = literal_new(r->arena, shape_scalar(r->arena, DT_f64));
    const struct json *node = json_member(object, name);
    if (!node)
        return true;
    if (node->kind != JSON_NUMBER && node->kind != JSON_STRING)
        return json_fail(r->arena, node, st, "expected a number");
    uint64_t bits;
    bool exact;
    struct status why = {STATUS_OK};
    if (!number_read(node->text, DT_f64, &bits, &exact, &why))
        return json_fail(r->arena, node, st, "%s", why.text);
    if (bits >> 63)
        return reject(r->arena, node, st, "a tolerance is negative");
    literal_set(*to, 0, bits);
    return true;
}

static bool read_accuracy(struct reader *r, const struct json *node,
                          struct attribute *to, struct status *st)
{
    static const char *const names[] = {"atol", "rtol", "ulps", NULL};
    if (node->kind == JSON_STRING) {
        to->string = node->text;
        if (strcmp(to->string, "DEFAULT") != 0
            && strcmp(to->string, "HIGHEST") != 0)
            return reject(r->arena, node, st,
                          "expected 'DEFAULT', 'HIGHEST' or tolerances");
        return true;
    }
    if (node->kind != JSON_OBJECT)
        return json_fail(r->arena, node, st, "expected a name or an object");
    TRY(json_only(r->arena, node, names, st));
    struct literal *parts[3];
    for (int i = 0; i < 3; i++)
        TRY(read_tolerance(r, node, names[i], &parts[i], st));
    to->string = "TOLERANCE";
    to->literal = literal_tuple(r->arena, 3, parts);
    return true;
}

static bool read_object(struct reader *r, const struct json *node,
                        struct attribute *to, struct status *st)
{
    if (node->kind != JSON_OBJECT)
        return json_fail(r->arena, node, st, "expected an object");
    to->string = attribute_json_text(r->arena, node);
    return true;
}

/* ---- Attributes ---------------------------------------------------------- */

typedef bool form_reader(struct reader *r, const struct json *node,
                         struct attribute *to, struct status *st);

/* How each form is read; those without need the list of names or members. */
static form_reader *const readers[] = {
    [SPEC_INT] = read_int,
    [SPEC_INTS] = read_ints,
    [SPEC_PAIRS] = read_pairs,
    [SPEC_GROUPS] = read_groups,
    [SPEC_BOOL] = read_bool,
    [SPEC_BOOLS] = read_bools,
    [SPEC_TYPE] = read_type,
    [SPEC_SHAPE] = read_shape,
    [SPEC_NAME] = NULL,
    [SPEC_NAMES] = NULL,
    [SPEC_STRING] = read_string,
    [SPEC_NUMBER] = read_number,
    [SPEC_LITERAL] = read_literal,
    [SPEC_COMPUTATION] = read_computations,
    [SPEC_COMPUTATIONS] = read_computations,
    [SPEC_WINDOW_PADDING] = read_window_padding,
    [SPEC_PADDING_CONFIG] = read_padding_config,
    [SPEC_ACCURACY] = read_accuracy,
    [SPEC_DIMENSION_NUMBERS] = NULL,
    [SPEC_OBJECT] = read_object,
};

static bool read_value(struct reader *r, const struct spec_attribute *spec,
                       const char *prefix, const struct json *node,
                       struct status *st)
{
    struct attribute *to = &r->list[r->count++];
    to->name = spec->id;
    to->form = spec->form;
    if (spec->form == SPEC_NAME) {
        int64_t number;
        return read_name(r, node, spec, &number, &to->string, st);
    }
    if (spec->form == SPEC_NAMES)
        return read_names(r, node, spec, to, st);
    return readers[spec->form](r, node, to, st);
}

/* Fail at the first member that is none of the attributes. */
static bool check_known(struct reader *r, int count,
                        const struct spec_attribute *specs,
                        const struct json *object, struct status *st)
{
    const char **names = arena_new(r->arena, const char *, count + 1);
    for (int i = 0; i < count; i++)
        names[i] = specs[i].name;
    return json_only(r->arena, object, names, st);
}

/* Read the attributes of object, or the members of dimension_numbers. */
static bool read_all(struct reader *r, int count,
                     const struct spec_attribute *specs, const char *prefix,
                     const struct json *object, struct status *st)
{
    if (object)
        TRY(check_known(r, count, specs, object, st));
    for (int i = 0; i < count; i++) {
        const struct spec_attribute *spec = &specs[i];
        const struct json *node = json_member(object, spec->name);
        if (!node)
            node = spec->default_value;
        if (!node && spec->optional)
            continue;
        if (!node)
            return reject(r->arena, object, st,
                          arena_printf(r->arena, "attribute '%s%s' is missing",
                                       prefix, spec->name));
        if (spec->form == SPEC_DIMENSION_NUMBERS)
            TRY(read_all(r, spec->member_count, spec->members,
                         arena_printf(r->arena, "%s.", spec->name), node, st));
        else
            TRY(read_value(r, spec, prefix, node, st));
    }
    return true;
}

bool attribute_read(struct arena *a, const struct spec_op *op,
                    const struct json *object, const struct limits *limits,
                    attribute_lookup *find, void *context, int *count,
                    struct attribute **attributes, struct status *st)
{
    int room = op->attribute_count;
    for (int i = 0; i < op->attribute_count; i++)
        room += op->attributes[i].member_count;
    struct reader r = {
        .arena = a, .limits = limits, .find = find, .context = context};
    r.list = arena_new(a, struct attribute, room);
    TRY(read_all(&r, op->attribute_count, op->attributes, "", object, st));
    *count = r.count;
    *attributes = r.list;
    return true;
}

const struct attribute *attribute_find(const struct instruction *in,
                                       enum attribute_name name)
{
    for (int i = 0; i < in->attribute_count; i++)
        if (in->attributes[i].name == name)
            return &in->attributes[i];
    return NULL;
}

int64_t attribute_int(const struct instruction *in, enum attribute_name name,
                      int64_t fallback)
{
    const struct attribute *at = attribute_find(in, name);
    return at && at->count > 0 ? at->ints[0] : fallback;
}

bool attribute_bool(const struct instruction *in, enum attribute_name name,
                    bool fallback)
{
    return attribute_int(in, name, fallback) != 0;
}

const char *attribute_string(const struct instruction *in,
                             enum attribute_name name)
{
    const struct attribute *at = attribute_find(in, name);
    return at ? at->string : NULL;
}
