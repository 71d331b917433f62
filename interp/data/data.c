/* data.c - see data.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/data/data.h"

#include <inttypes.h>
#include <string.h>

#include "interp/data/generate.h"
#include "interp/data/number.h"
#include "interp/exact/real.h"

/* ---- Literals ----------------------------------------------------------- */

struct reader {
    struct arena *arena;
    const struct limits *limits;
    struct status *st;
    unsigned char *nan; /* per unit, if any NaN counts; else NULL */
};

static void store(struct reader *r, struct literal *l, int64_t element,
                  const uint64_t bits[2], bool nan)
{
    int n = dtype_units(l->shape->dtype);
    for (int u = 0; u < n; u++) {
        literal_set(l, n * element + u, bits[u]);
        if (r->nan && nan && real_is_nan(dtype_unit(l->shape->dtype), bits[u]))
            r->nan[n * element + u] = 1;
    }
}

static bool read_data(struct reader *r, const struct json *node, int dim,
                      struct literal *l, int64_t *next)
{
    const struct shape *s = l->shape;
    uint64_t bits[2];
    bool nan;
    if (dim == s->rank) {
        TRY(number_element(r->arena, node, s->dtype, bits, &nan, r->st));
        store(r, l, (*next)++, bits, nan);
        return true;
    }
    if (node->kind != JSON_ARRAY || node->count != s->dims[dim])
        return json_fail(r->arena, node, r->st,
                         "dimension %d needs a list of %" PRId64 " elements",
                         dim, s->dims[dim]);
    for (const struct json *n = node->child; n; n = n->next)
        TRY(read_data(r, n, dim + 1, l, next));
    return true;
}

static bool read_splat(struct reader *r, const struct json *node,
                       struct literal *l)
{
    uint64_t bits[2];
    bool nan;
    TRY(number_element(r->arena, node, l->shape->dtype, bits, &nan, r->st));
    for (int64_t i = 0, n = shape_elements(l->shape); i < n; i++)
        store(r, l, i, bits, nan);
    return true;
}

static bool read_bit_list(struct reader *r, const struct json *node,
                          struct literal *l)
{
    enum dtype unit = dtype_unit(l->shape->dtype);
    int units = dtype_units(l->shape->dtype);
    int64_t count = shape_elements(l->shape), i = 0;
    if (node->kind != JSON_ARRAY || node->count != count)
        return json_fail(r->arena, node, r->st,
                         "expected a flat list of %" PRId64 " bit patterns",
                         count);
    for (const struct json *n = node->child; n; n = n->next, i++) {
        if (n->kind != JSON_STRING)
            return json_fail(r->arena, n, r->st, "expected a string");
        const char *text = n->text;
        for (int u = 0; u < units; u++) {
            size_t length = u + 1 < units ? strcspn(text, ":") : strlen(text);
            struct status inner = {STATUS_OK};
            uint64_t bits;
            if (!number_bits(text, length, unit, &bits, &inner))
                return json_fail(r->arena, n, r->st, "%s", inner.text);
            literal_set(l, units * i + u, bits);
            text += length + (text[length] == ':');
        }
    }
    return true;
}

/* The value of a hexadecimal digit; 16 if it is none. */
static unsigned digit(char c)
{
    return c >= '0' && c <= '9'   ? (unsigned)(c - '0')
           : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
           : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
                                  : 16;
}

static bool read_hex(struct reader *r, const struct json *node,
                     struct literal *l)
{
    size_t bytes = (size_t)shape_bytes(l->shape);
    if (node->kind != JSON_STRING || node->length != 2 * bytes)
        return json_fail(r->arena, node, r->st,
                         "expected a string of %zu hexadecimal digits",
                         2 * bytes);
    for (size_t i = 0; i < bytes; i++) {
        unsigned high = digit(node->text[2 * i]);
        unsigned low = digit(node->text[2 * i + 1]);
        if (high > 15 || low > 15)
            return json_fail(r->arena, node, r->st,
                             "byte %zu: '%c' is not a hexadecimal digit", i,
                             node->text[2 * i + (high <= 15)]);
        l->data[i] = (unsigned char)(high << 4 | low);
    }
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        if (literal_get(l, i) & ~dtype_mask(l->shape->dtype))
            return json_fail(r->arena, node, r->st,
                             "element %" PRId64 " has more bits than %s", i,
                             dtype_table[l->shape->dtype].name);
    return true;
}

static bool read_sizes(struct reader *r, const struct json *node,
                       struct literal *l)
{
    const struct json *sizes = json_member(node, "dynamic_sizes");
    int count;
    int64_t *values;
    if (!sizes)
        return true;
    if (!l->sizes)
        return json_fail(r->arena, sizes, r->st,
                         "the shape has no dynamic dimension");
    TRY(json_ints(r->arena, sizes, &count, &values, r->st));
    int next = 0;
    for (int i = 0; i < l->shape->rank; i++) {
        if (!l->shape->dynamic[i])
            continue;
        if (next >= count)
            return json_fail(r->arena, sizes, r->st,
                             "expected a size for each dynamic dimension");
        if (values[next] < 0 || values[next] > l->shape->dims[i])
            return json_fail(r->arena, sizes, r->st,
                             "size %" PRId64 " is outside 0..%" PRId64,
                             values[next], l->shape->dims[i]);
        l->sizes[i] = values[next++];
    }
    if (next != count)
        return json_fail(r->arena, sizes, r->st,
                         "expected a size for each dynamic dimension");
    return true;
}

/* Finds the form that a literal has: exactly one. */
static const struct json *find_form(struct reader *r, const struct json *node)
{
    static const char *const forms[] = {
        "data",  "splat",    "iota",      "bits",   "hex",
        "sweep", "specials", "midpoints", "random", "tuple"};
    static const char *const members[] = {
        "shape", "data",  "splat",         "iota",      "bits",
        "hex",   "sweep", "specials",      "midpoints", "random",
        "tuple", "outer", "dynamic_sizes", NULL};
    const struct json *found = NULL;
    if (!json_only(r->arena, node, members, r->st))
        return NULL;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct json *form = json_member(node, forms[i]);
        if (form && found) {
            json_fail(r->arena, form, r->st,
                      "a literal cannot have both '%s' and "
                      "'%s'",
                      found->key, form->key);
            return NULL;
        }
        found = form ? form : found;
    }
    if (!found)
        json_fail(r->arena, node, r->st,
                  "a literal needs data, splat, iota, bits, hex, sweep, "
                  "specials, midpoints, random or tuple");
    return found;
}

static bool read_generated(struct reader *r, const struct json *form,
                           struct literal *l, int64_t stride, int64_t length)
{
    int64_t dimension;
    if (strcmp(form->key, "sweep") == 0)
        return generate_sweep(r->arena, form, l, stride, r->st);
    if (strcmp(form->key, "specials") == 0)
        return generate_specials(r->arena, form, l, stride, r->st);
    if (strcmp(form->key, "midpoints") == 0)
        return generate_midpoints(r->arena, form, l, stride, r->st);
    if (strcmp(form->key, "random") == 0)
        return generate_random(r->arena, form, l, stride, length, r->st);
    TRY(json_int(r->arena, form, &dimension, r->st));
    if (dimension < 0 || dimension >= l->shape->rank)
        return json_fail(r->arena, form, r->st,
                         "the shape has no dimension %" PRId64, dimension);
    generate_iota(l, (int)dimension);
    return true;
}

static bool read_array(struct reader *r, const struct json *node,
                       const struct json *form, const struct shape *s,
                       int64_t stride, int64_t length, struct literal **literal)
{
    struct status size = {STATUS_OK};
    if (!shape_check_size(s->rank, s->dims, s->dtype, r->limits->literal_bytes,
                          &size)) {
        (void)json_fail(r->arena, json_member(node, "shape"), r->st, "%s",
                        size.text);
        r->st->code = size.code == STATUS_SYSTEM ? STATUS_SYSTEM : STATUS_INPUT;
        return false;
    }
    struct literal *l = literal_new(r->arena, s);
    *literal = l;
    int64_t next = 0;
    TRY(read_sizes(r, node, l));
    if (strcmp(form->key, "data") == 0)
        return read_data(r, form, 0, l, &next);
    if (strcmp(form->key, "splat") == 0)
        return read_splat(r, form, l);
    if (strcmp(form->key, "bits") == 0)
        return read_bit_list(r, form, l);
    if (strcmp(form->key, "hex") == 0)
        return read_hex(r, form, l);
    if (strcmp(form->key, "tuple") == 0)
        return json_fail(r->arena, form, r->st,
                         "only a literal with a tuple shape may have 'tuple'");
    return read_generated(r, form, l, stride, length);
}

static bool read_literal(struct reader *r, const struct json *node,
                         int64_t stride, int64_t length,
                         struct literal **literal);

static bool read_tuple(struct reader *r, const struct json *form,
                       const struct shape *shape, struct literal **literal)
{
    if (form->kind != JSON_ARRAY)
        return json_fail(r->arena, form, r->st, "expected a list of literals");
    struct literal **elements =
        arena_new(r->arena, struct literal *, (size_t)form->count);
    int i = 0;
    for (const struct json *n = form->child; n; n = n->next, i++)
        TRY(read_literal(r, n, 1, 0, &elements[i]));
    *literal = literal_tuple(r->arena, form->count, elements);
    if (shape && !shape_equal(shape, (*literal)->shape))
        return json_fail(r->arena, form, r->st,
                         "the elements have shape %.100s, expected %.100s",
                         shape_text(r->arena, (*literal)->shape),
                         shape_text(r->arena, shape));
    return true;
}

static bool read_literal(struct reader *r, const struct json *node,
                         int64_t stride, int64_t length,
                         struct literal **literal)
{
    const struct json *text = json_member(node, "shape");
    const struct shape *s = NULL;
    struct status inner = {STATUS_OK};
    if (text) {
        if (text->kind != JSON_STRING)
            return json_fail(r->arena, text, r->st, "expected a string");
        if (!shape_parse(r->arena, text->text, &s, &inner))
            return json_fail(r->arena, text, r->st, "%s", inner.text);
    }
    if (s && s->kind == SHAPE_TOKEN) {
        if (node->count != 1)
            return json_fail(r->arena, node, r->st, "a token has no data");
        *literal = literal_new(r->arena, s);
        return true;
    }
    const struct json *form = find_form(r, node);
    if (!form)
        return false;
    if (!s && strcmp(form->key, "tuple") != 0)
        return json_fail(r->arena, node, r->st, "the literal has no 'shape'");
    if (!s || s->kind == SHAPE_TUPLE) {
        if (strcmp(form->key, "tuple") != 0)
            return json_fail(r->arena, form, r->st,
                             "the literal of a tuple needs 'tuple'");
        return read_tuple(r, form, s, literal);
    }
    return read_array(r, node, form, s, stride, length, literal);
}

bool data_literal(struct arena *a, const struct json *node,
                  const struct limits *limits, struct literal **literal,
                  struct status *st)
{
    struct reader r = {a, limits, st, NULL};
    return read_literal(&r, node, 1, 0, literal);
}

/* ---- The inputs of a case ------------------------------------------------ */

static bool is_outer(const struct json *node)
{
    const struct json *outer = json_member(node, "outer");
    return outer && outer->kind == JSON_BOOL && outer->boolean;
}

/* The smallest n with n^power >= count. */
static int64_t root_up(int64_t count, int power)
{
    int64_t n = 1;
    for (;; n++) {
        int64_t product = 1;
        for (int i = 0; i < power && product < count; i++)
            product *= n;
        if (product >= count)
            return n;
    }
}

/* The length of the sequence of an outer input; 1 if its shape is invalid
 * (which reading it will report). */
static int64_t outer_length(struct arena *a, const struct json *node, int outer)
{
    struct status st = {STATUS_OK};
    const struct json *text = json_member(node, "shape");
    const struct shape *s;
    if (!text || text->kind != JSON_STRING
        || !shape_parse(a, text->text, &s, &st) || s->kind != SHAPE_ARRAY)
        return 1;
    int64_t own = generate_length(node, s->dtype);
    if (own > 0)
        return own;
    int64_t count = shape_elements(s);
    return count > 0 ? root_up(count, outer) : 1;
}

bool data_inputs(struct arena *a, const struct json *const *nodes, int count,
                 const struct limits *limits, struct literal **literals,
                 struct status *st)
{
    struct reader r = {a, limits, st, NULL};
    int outer = 0;
    for (int i = 0; i < count; i++)
        outer += is_outer(nodes[i]);
    int64_t *lengths = arena_new(a, int64_t, (size_t)count + 1);
    int64_t *strides = arena_new(a, int64_t, (size_t)count + 1);
    int64_t stride = 1; /* the last input is the fastest */
    for (int i = count - 1; i >= 0; i--) {
        strides[i] = 1;
        if (!is_outer(nodes[i]))
            continue;
        lengths[i] = outer_length(a, nodes[i], outer);
        strides[i] = stride;
        stride =
            stride > INT64_MAX / lengths[i] ? INT64_MAX : stride * lengths[i];
    }
    for (int i = 0; i < count; i++)
        TRY(read_literal(&r, nodes[i], strides[i], lengths[i], &literals[i]));
    return true;
}

/* ---- Expectations -------------------------------------------------------- */

static bool expect_literal(struct arena *a, const struct json *node,
                           const struct limits *limits,
                           struct expected *expected, struct status *st)
{
    const struct json *text = json_member(node, "shape");
    struct status inner = {STATUS_OK};
    struct reader r = {a, limits, st, NULL};
    const struct shape *s;
    /* A tuple's "nan" stay bit patterns: expect its elements one by one. */
    if (text && text->kind == JSON_STRING
        && shape_parse(a, text->text, &s, &inner) && s->kind == SHAPE_ARRAY
        && shape_check_size(s->rank, s->dims, s->dtype, limits->literal_bytes,
                            &inner)) {
        int64_t units = shape_elements(s) * dtype_units(s->dtype);
        r.nan = arena_alloc(a, (size_t)units);
        expected->nan = r.nan;
    }
    return read_literal(&r, node, 1, 0, &expected->value);
}

bool data_expected(struct arena *a, const struct json *node,
                   const struct limits *limits, struct expected *expected,
                   struct status *st)
{
    *expected = (struct expected){NULL};
    const struct json *any = json_member(node, "any");
    const struct json *one_of = json_member(node, "one_of");
    if (!any && !one_of)
        return expect_literal(a, node, limits, expected, st);
    if (node->count != 1)
        return json_fail(a, node, st, "'%s' must be the only member",
                         any ? "any" : "one_of");
    if (any) {
        if (any->kind != JSON_BOOL || !any->boolean)
            return json_fail(a, any, st, "expected true");
        return true;
    }
    if (one_of->kind != JSON_ARRAY || one_of->count == 0)
        return json_fail(a, one_of, st, "expected a list of literals");
    struct expected *all = arena_new(a, struct expected, (size_t)one_of->count);
    int i = 0;
    for (const struct json *n = one_of->child; n; n = n->next, i++)
        TRY(expect_literal(a, n, limits, &all[i], st));
    *expected = all[0];
    expected->count = one_of->count - 1;
    expected->others = all + 1;
    return true;
}
