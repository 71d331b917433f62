/* stablehlo_composite.c - see stablehlo_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/base/json.h"
#include "interp/stablehlo/stablehlo_private.h"

static bool refuse(struct stablehlo_writer *w, const struct json *node)
{
    return FAIL(w->st, UNSUPPORTED,
                "composite_attributes: %s has no StableHLO form here",
                json_pointer(w->arena, node));
}

/* Text that JSON and MLIR write alike: no quote, no escape. */
static bool is_plain(const char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~' || *text == '"' || *text == '\\')
            return false;
    return true;
}

static bool write_integers(struct stablehlo_writer *w, const struct json *node)
{
    struct status st = {STATUS_OK};
    int count = 1, width = 32;
    int64_t one, *values = &one;
    bool list = node->kind == JSON_ARRAY;
    if (list ? !json_ints(w->arena, node, &count, &values, &st)
             : !json_int(w->arena, node, &one, &st))
        return refuse(w, node);
    for (int i = 0; i < count; i++)
        if (values[i] < INT32_MIN || values[i] > INT32_MAX)
            width = 64;
    if (!list) {
        fprintf(w->out, "%" PRId64 " : i%d", one, width);
        return true;
    }
    fputs(count > 0 ? "dense<[" : "dense<", w->out);
    for (int i = 0; i < count; i++)
        fprintf(w->out, "%s%" PRId64, i > 0 ? ", " : "", values[i]);
    fprintf(w->out, "%s> : tensor<%dxi%d>", count > 0 ? "]" : "", count, width);
    return true;
}

static bool write_object(struct stablehlo_writer *w, const struct json *node);

static bool write_value(struct stablehlo_writer *w, const struct json *node)
{
    switch (node->kind) {
    case JSON_BOOL:
        fputs(node->boolean ? "true" : "false", w->out);
        return true;
    case JSON_NUMBER:
    case JSON_ARRAY:
        return write_integers(w, node);
    case JSON_STRING:
        if (!is_plain(node->text))
            return refuse(w, node);
        fprintf(w->out, "\"%s\"", node->text);
        return true;
    case JSON_OBJECT:
        return write_object(w, node);
    case JSON_NULL:
        break;
    }
    return refuse(w, node);
}

static bool write_object(struct stablehlo_writer *w, const struct json *node)
{
    fputc('{', w->out);
    for (const struct json *c = node->child; c; c = c->next) {
        if (!is_plain(c->key) || !*c->key)
            return refuse(w, c);
        fprintf(w->out, "%s\"%s\" = ", c == node->child ? "" : ", ", c->key);
        TRY(write_value(w, c));
    }
    fputc('}', w->out);
    return true;
}

bool stablehlo_composite_attributes(struct stablehlo_writer *w,
                                    const char *object)
{
    const struct json *root;
    TRY(json_parse(w->arena, "composite_attributes", object, strlen(object),
                   &root, w->st));
    return write_object(w, root);
}
