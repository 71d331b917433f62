/* spec_family.c - see spec_family.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/specification/spec_family.h"

#include <string.h>

enum {
    FAMILIES_DEEP_MAX = 8
};

/* The lists in which rows of one key become one row.  Inherited rows that the
 * file does not name are kept, except operands. */
static const char *const row_lists[] = {"operands",    "attributes",
                                        "members",     "policies",
                                        "constraints", "requirements"};

static bool is_row_list(const char *key)
{
    for (size_t i = 0; i < sizeof row_lists / sizeof *row_lists; i++)
        if (strcmp(row_lists[i], key) == 0)
            return true;
    return false;
}

/* An empty array or object at the place of another. */
static struct json *open_like(struct arena *a, const struct json *model)
{
    struct json *node = arena_new(a, struct json, 1);
    *node = *model;
    node->child = node->next = NULL;
    node->count = 0;
    return node;
}

/* Append a copy of child, whose next it must be free to set. */
static void append(struct arena *a, struct json *to, const struct json *child)
{
    struct json *copy = arena_new(a, struct json, 1);
    const struct json **end = &to->child;
    while (*end)
        end = (const struct json **)&(*end)->next;
    *copy = *child;
    copy->next = NULL;
    *end = copy;
    to->count++;
}

/* A row's name, or its id without the operation's name, which differs between
 * a file and its family: ".error.rank".  NULL: it has neither. */
static const char *row_key(const struct json *row)
{
    const struct json *name = json_member(row, "name");
    const struct json *id = json_member(row, "id");
    if (name && name->kind == JSON_STRING)
        return name->text;
    return id && id->kind == JSON_STRING ? strchr(id->text, '.') : NULL;
}

static const struct json *row_like(const struct json *list,
                                   const struct json *row)
{
    const char *key = row_key(row);
    for (const struct json *c = list->child; key && c; c = c->next) {
        const char *other = row_key(c);
        if (other && strcmp(other, key) == 0)
            return c;
    }
    return NULL;
}

static const struct json *merge_objects(struct arena *a, const struct json *own,
                                        const struct json *base);

static const struct json *merge_lists(struct arena *a, const struct json *own,
                                      const struct json *base)
{
    struct json *list = open_like(a, own);
    for (const struct json *c = own->child; c; c = c->next) {
        const struct json *like = row_like(base, c);
        append(a, list, like ? merge_objects(a, c, like) : c);
    }
    if (strcmp(own->key, "operands") == 0)
        return list;
    for (const struct json *c = base->child; c; c = c->next)
        if (!row_like(own, c))
            append(a, list, c);
    return list;
}

static const struct json *merge_member(struct arena *a, const struct json *own,
                                       const struct json *base)
{
    if (!base || own->kind != base->kind)
        return own;
    if (own->kind == JSON_ARRAY && is_row_list(own->key))
        return merge_lists(a, own, base);
    if (own->kind == JSON_OBJECT && strcmp(own->key, "result") == 0)
        return merge_objects(a, own, base);
    return own;
}

static const struct json *merge_objects(struct arena *a, const struct json *own,
                                        const struct json *base)
{
    struct json *object = open_like(a, own);
    for (const struct json *m = own->child; m; m = m->next)
        append(a, object, merge_member(a, m, json_member(base, m->key)));
    for (const struct json *m = base->child; m; m = m->next)
        if (!json_member(own, m->key))
            append(a, object, m);
    return object;
}

static bool merge_at(struct arena *a, const struct json *own, int depth,
                     spec_family_find *find, const struct json **whole,
                     struct status *st);

/* Put the family that name is the name of under *whole. */
static bool merge_family(struct arena *a, const struct json *name, int depth,
                         spec_family_find *find, const struct json **whole,
                         struct status *st)
{
    const char *text;
    TRY(json_string(a, name, &text, st));
    const struct json *family = find(text);
    if (!family || family->kind != JSON_OBJECT)
        return json_fail(a, name, st, "no family \"%s\"", text);
    if (depth == FAMILIES_DEEP_MAX)
        return json_fail(a, name, st,
                         "families extend one another in a circle");
    TRY(merge_at(a, family, depth + 1, find, &family, st));
    *whole = merge_objects(a, *whole, family);
    return true;
}

static bool merge_at(struct arena *a, const struct json *own, int depth,
                     spec_family_find *find, const struct json **whole,
                     struct status *st)
{
    /* A family's "family" is its own name. */
    const struct json *family = depth == 0 ? json_member(own, "family") : NULL;
    const struct json *extends = json_member(own, "extends");
    *whole = own;
    if (extends && extends->kind != JSON_ARRAY)
        return json_fail(a, extends, st, "expected an array");
    if (family)
        TRY(merge_family(a, family, depth, find, whole, st));
    for (const struct json *c = extends ? extends->child : NULL; c; c = c->next)
        TRY(merge_family(a, c, depth, find, whole, st));
    return true;
}

bool spec_family_merge(struct arena *a, const struct json *own,
                       spec_family_find *find, const struct json **whole,
                       struct status *st)
{
    return merge_at(a, own, 0, find, whole, st);
}
