/* formula_attribute.c - attributes that follow from an operand's shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A row of a table holds for operands of any shape, so the attributes of its
 * operations are formulas of the sizes: "{n+1}" is a number, and an item of a
 * list {"each": X} stands for X of each dimension, whose number is d and whose
 * size is n; {"rest": X} leaves out the first one.  What is not in braces stays
 * as it is.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "interp/formula/formula.h"
#include "interp/program/attribute.h"

struct sizes {
    struct arena *arena;
    const struct shape *shape;
    int d; /* of "each"; -1: outside */
};

/* ---- Numbers ------------------------------------------------------------- */

/* The largest divisor of n that is not above its root. */
static int64_t half(int64_t n)
{
    int64_t most = 1;
    for (int64_t k = 2; k * k <= n; k++)
        if (n % k == 0)
            most = k;
    return most;
}

static bool variable(const struct sizes *s, char name, int64_t *value)
{
    const struct shape *shape = s->shape;
    int rank = shape->rank;
    int64_t e = shape_elements(shape);
    switch (name) {
    case 'r': /* rank */
        *value = rank;
        return true;
    case 'e': /* elements */
        *value = e;
        return true;
    case 'h': /* a factor of e, */
        *value = half(e);
        return e > 0;
    case 'k': /* and one of what is left */
        *value = e > 0 ? half(e / half(e)) : 0;
        return e > 0;
    case 'd': /* number of a dimension */
        *value = s->d;
        return s->d >= 0;
    case 'n': /* its size */
        *value = s->d >= 0 ? shape->dims[s->d] : 0;
        return s->d >= 0;
    case 'a': /* size of the first dimension */
        *value = rank > 0 ? shape->dims[0] : 0;
        return rank > 0;
    case 'z': /* size of the last one */
        *value = rank > 0 ? shape->dims[rank - 1] : 0;
        return rank > 0;
    default:
        return false;
    }
}

static bool factor(const struct sizes *s, const char **at, int64_t *value)
{
    if (!isdigit((unsigned char)**at))
        return variable(s, *(*at)++, value);
    for (*value = 0; isdigit((unsigned char)**at); (*at)++)
        *value = *value * 10 + (**at - '0');
    return true;
}

/* Terms, then sums, from left to right. */
static bool number(const struct sizes *s, const char *at, int64_t *value)
{
    int64_t sum = 0, term, next;
    char sign = '+', by;
    for (;;) {
        TRY(factor(s, &at, &term));
        while ((by = *at) == '*' || by == '/') {
            at++;
            TRY(factor(s, &at, &next) && (by == '*' || next != 0));
            term = by == '*' ? term * next : term / next;
        }
        sum += sign == '+' ? term : -term;
        sign = *at++;
        if (sign != '+' && sign != '-')
            break;
    }
    *value = sum;
    return !sign;
}

/* ---- Texts --------------------------------------------------------------- */

/* The text for {name}: a word, or a number. */
static const char *value_of(const struct sizes *s, const char *name)
{
    struct arena *a = s->arena;
    const char *type = dtype_table[s->shape->dtype].name;
    const enum dtype_class class = dtype_class(s->shape->dtype);
    int64_t n;
    if (strcmp(name, "type") == 0)
        return type;
    if (strcmp(name, "sizes") == 0) {
        const char *all = "";
        for (int i = 0; i < s->shape->rank; i++)
            all = arena_printf(a, "%s%s%" PRId64, all, i ? "," : "",
                               s->shape->dims[i]);
        return all;
    }
    if (strcmp(name, "one") == 0)
        return class == DTYPE_PRED      ? "true"
               : class == DTYPE_COMPLEX ? "[1, 1]"
                                        : "1";
    return number(s, name, &n) ? arena_printf(a, "%" PRId64, n) : NULL;
}

/* A string with its braces replaced; one that is nothing but a brace becomes
 * what is in it, of any kind. */
static const char *text_of(const struct sizes *s, const struct json *node)
{
    struct arena *a = s->arena;
    const char *all = "", *at = node->text, *open;
    while ((open = strchr(at, '{')) && strchr(open, '}')) {
        size_t n = (size_t)(strchr(open, '}') - open);
        const char *value =
            value_of(s, arena_printf(a, "%.*s", (int)n - 1, open + 1));
        if (!value)
            return NULL;
        bool word = isalpha((unsigned char)value[0]) && value[0] != 't';
        if (open == node->text && !open[n + 1] && !word)
            return value;
        all = arena_printf(a, "%s%.*s%s", all, (int)(open - at), at, value);
        at = open + n + 1;
    }
    return json_quote(a, arena_printf(a, "%s%s", all, at));
}

static const char *write(const struct sizes *s, const struct json *node);

/* The items that an item of a list stands for. */
static const char *items_of(const struct sizes *s, const struct json *item)
{
    const struct json *each = json_member(item, "each");
    const struct json *rest = json_member(item, "rest");
    const char *all = "";
    if (!each && !rest)
        return write(s, item);
    for (int d = rest ? 1 : 0; d < s->shape->rank; d++) {
        const struct sizes at = {s->arena, s->shape, d};
        const char *one = write(&at, each ? each : rest);
        if (!one)
            return NULL;
        all = arena_printf(s->arena, "%s%s%s", all, all[0] ? ", " : "", one);
    }
    return all;
}

static const char *write_children(const struct sizes *s,
                                  const struct json *node)
{
    const char *all = "";
    for (const struct json *c = node->child; c; c = c->next) {
        const char *one = items_of(s, c);
        if (!one)
            return NULL;
        const char *key =
            node->kind == JSON_OBJECT
                ? arena_printf(s->arena, "%s: ", json_quote(s->arena, c->key))
                : "";
        all = arena_printf(s->arena, "%s%s%s%s", all,
                           all[0] && one[0] ? ", " : "", key, one);
    }
    return all;
}

/* JSON; NULL if a formula has no value for this shape. */
static const char *write(const struct sizes *s, const struct json *node)
{
    switch (node->kind) {
    case JSON_STRING:
        return text_of(s, node);
    case JSON_NUMBER:
        return node->text;
    case JSON_BOOL:
        return node->boolean ? "true" : "false";
    case JSON_NULL:
        return "null";
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    const char *all = write_children(s, node);
    bool list = node->kind == JSON_ARRAY;
    return all ? arena_printf(s->arena, "%s%s%s", list ? "[" : "{", all,
                              list ? "]" : "}")
               : NULL;
}

bool formula_attribute_json(struct arena *a, const struct shape *shape,
                            const struct json *node, const struct json **made,
                            struct status *st)
{
    const struct sizes s = {a, shape, -1};
    const char *text = shape->kind == SHAPE_ARRAY ? write(&s, node) : NULL;
    if (!text)
        return FAIL(st, UNSUPPORTED, "no such attribute for %s",
                    shape_text(a, shape));
    return json_parse(a, node->path, text, strlen(text), made, st);
}

static const struct computation *no_computation(void *context, const char *name)
{
    return NULL;
}

bool formula_attribute(const struct formula *f, const struct op *op,
                       const struct json *given, int *count,
                       struct attribute **attributes, struct status *st)
{
    const struct json *made;
    const struct spec_op *spec = op ? spec_op_find(op->name) : NULL;
    if (!spec)
        return json_fail(f->arena, given, st, "no attributes are expected");
    TRY(formula_attribute_json(f->arena, formula_shape(f, f->whole ? 0 : f->at),
                               given, &made, st));
    return attribute_read(f->arena, spec, made, f->program->limits,
                          no_computation, NULL, count, attributes, st);
}
