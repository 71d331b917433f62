/* case_subst.c - see case_subst.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/case/case_subst.h"

#include <string.h>

enum {
    TEXT_MAX = 1 << 20 /* of one string after substitution */
};

struct subst {
    struct arena *arena;
    const struct case_stub *stub;
    struct status *st;
};

/* The variable whose name text starts with, the longest if there are several;
 * -1 if there is none. */
static int variable_at(const struct subst *s, const char *text)
{
    int found = -1;
    size_t longest = 0;
    for (int i = 0; i < s->stub->binding_count; i++) {
        size_t n = strlen(s->stub->variables[i]);
        if (n > longest && strncmp(text, s->stub->variables[i], n) == 0) {
            longest = n;
            found = i;
        }
    }
    return found;
}

/* The text of a scalar inside a string, or NULL. */
static const char *scalar_text(const struct json *value)
{
    if (value->kind == JSON_BOOL)
        return value->boolean ? "true" : "false";
    if (value->kind == JSON_STRING || value->kind == JSON_NUMBER)
        return value->text;
    return NULL;
}

/* Replace the variables of a string: into to, or only measure. */
static bool replace(const struct subst *s, const struct json *node, char *to,
                    size_t *length)
{
    size_t n = 0;
    for (const char *c = node->text; *c;) {
        int v = *c == '$' ? variable_at(s, c + 1) : -1;
        if (v < 0) {
            if (to)
                to[n] = *c;
            n++;
            c++;
            continue;
        }
        const char *text = scalar_text(s->stub->values[v]);
        if (!text)
            return json_fail(s->arena, node, s->st,
                             "the value of '%s' cannot be part of a string",
                             s->stub->variables[v]);
        size_t k = strlen(text);
        if (to)
            memcpy(to + n, text, k);
        n += k;
        c += 1 + strlen(s->stub->variables[v]);
    }
    if (n > TEXT_MAX && n > node->length)
        return json_fail(s->arena, node, s->st,
                         "the string is longer than %d bytes with its "
                         "variables replaced",
                         TEXT_MAX);
    *length = n;
    return true;
}

static struct json *copy(const struct subst *s, const struct json *node,
                         const struct json *parent, bool replacing);

/* A string, which may become any kind of value. */
static struct json *copy_string(const struct subst *s, const struct json *node,
                                struct json *to)
{
    int v = node->text[0] == '$' ? variable_at(s, node->text + 1) : -1;
    if (v >= 0 && strcmp(node->text + 1, s->stub->variables[v]) == 0) {
        struct json *value = copy(s, s->stub->values[v], to->parent, false);
        value->key = node->key;
        return value;
    }
    size_t length;
    if (!replace(s, node, NULL, &length))
        return NULL;
    char *text = arena_alloc(s->arena, length + 1);
    replace(s, node, text, &length);
    to->text = text;
    to->length = length;
    return to;
}

/* A deep copy below parent; NULL after a failure. */
static struct json *copy(const struct subst *s, const struct json *node,
                         const struct json *parent, bool replacing)
{
    struct json *to = arena_new(s->arena, struct json, 1);
    *to = *node;
    to->parent = parent;
    to->next = to->child = NULL;
    if (replacing && node->kind == JSON_STRING && strchr(node->text, '$'))
        return copy_string(s, node, to);
    const struct json **link = &to->child;
    for (const struct json *c = node->child; c; c = c->next) {
        struct json *child = copy(s, c, to, replacing);
        if (!child)
            return NULL;
        *link = child;
        link = &child->next;
    }
    return to;
}

/* The copied case is in no list, so its pointer goes through an object
 * whose member has the number as its name. */
static const struct json *stand_in(struct arena *a, const struct json *node,
                                   struct json *list, const char **key)
{
    int i = 0;
    for (const struct json *c = node->parent->child; c != node; c = c->next)
        i++;
    *list = *node->parent;
    list->kind = JSON_OBJECT;
    list->child = NULL;
    *key = arena_printf(a, "%d", i);
    return list;
}

bool case_subst(struct arena *a, const struct case_stub *stub,
                const struct json **node, struct status *st)
{
    *node = stub->node;
    if (stub->binding_count == 0)
        return true;
    const struct subst s = {a, stub, st};
    struct json *list = arena_new(a, struct json, 1);
    const char *key;
    const struct json *parent = stand_in(a, stub->node, list, &key);
    struct json *to = arena_new(a, struct json, 1);
    *to = *stub->node;
    to->parent = parent;
    to->key = key;
    to->next = to->child = NULL;
    const struct json **link = &to->child;
    for (const struct json *c = stub->node->child; c; c = c->next) {
        /* The list of all bindings may be long, and no case needs it. */
        if (strcmp(c->key, "each") == 0) {
            to->count--;
            continue;
        }
        struct json *child = copy(&s, c, to, strcmp(c->key, "id") != 0);
        TRY(child);
        *link = child;
        link = &child->next;
    }
    *node = to;
    return true;
}
