/* json.c - see json.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/file.h"
#include "interp/base/json_scan.h"
#include "interp/base/memory.h"
#include "interp/base/text.h"

/* ---- Building the tree -------------------------------------------------- */

struct builder {
    struct arena *arena;
    const char *path;
    const struct json_scan *scan;
    size_t next; /* value of the scan */
    struct status *st;
};

static int compare_keys(const void *a, const void *b)
{
    const struct json *const *x = a, *const *y = b;
    return strcmp((*x)->key, (*y)->key);
}

/* No two members of an object have one name. */
static bool check_unique(struct builder *b, const struct json *object)
{
    struct arena *a = b->arena;
    const struct json **members =
        arena_new(a, const struct json *, (size_t)object->count);
    int n = 0;
    for (const struct json *m = object->child; m; m = m->next)
        members[n++] = m;
    qsort(members, (size_t)n, sizeof members[0], compare_keys);
    for (int i = 1; i < n; i++)
        if (strcmp(members[i - 1]->key, members[i]->key) == 0) {
            const struct json *second = members[i]->line > members[i - 1]->line
                                            ? members[i]
                                            : members[i - 1];
            return json_fail(a, second, b->st, "duplicate member '%s'",
                             second->key);
        }
    return true;
}

static char *copy_text(struct arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    memcpy(copy, text, length);
    return copy;
}

static struct json *build(struct builder *b, const cJSON *from,
                          const struct json *parent);

static bool build_children(struct builder *b, const cJSON *from,
                           struct json *node)
{
    const struct json **link = &node->child;
    for (const cJSON *c = from->child; c; c = c->next) {
        struct json *child = build(b, c, node);
        if (!child)
            return false;
        *link = child;
        link = &child->next;
        node->count++;
    }
    return node->kind != JSON_OBJECT || node->count < 2
           || check_unique(b, node);
}

/* One value and all below it; the scan's values come in the same order. */
static struct json *build(struct builder *b, const cJSON *from,
                          const struct json *parent)
{
    const struct json_scan_value *v = &b->scan->values[b->next++];
    const char *text = b->scan->text + v->start;
    struct json *node = arena_new(b->arena, struct json, 1);
    node->line = v->line;
    node->column = v->column;
    node->path = b->path;
    node->parent = parent;
    if (from->string)
        node->key = copy_text(b->arena, from->string, strlen(from->string));

    if (cJSON_IsObject(from) || cJSON_IsArray(from)) {
        node->kind = cJSON_IsObject(from) ? JSON_OBJECT : JSON_ARRAY;
        return build_children(b, from, node) ? node : NULL;
    }
    if (cJSON_IsString(from)) {
        node->kind = JSON_STRING;
        node->length = strlen(from->valuestring);
        node->text = copy_text(b->arena, from->valuestring, node->length);
    } else if (cJSON_IsNumber(from)) {
        node->kind = JSON_NUMBER;
        node->length = v->length;
        node->text = copy_text(b->arena, text, v->length);
    } else if (cJSON_IsBool(from)) {
        node->kind = JSON_BOOL;
        node->boolean = cJSON_IsTrue(from);
    } else {
        node->kind = JSON_NULL;
    }
    return node;
}

static bool fail_at(struct status *st, const char *path, unsigned line,
                    unsigned column, const char *what)
{
    if (st->code == STATUS_OK) {
        st->path = path;
        st->line = line;
        st->column = column;
    }
    return FAIL(st, INPUT, "%s", what);
}

static void delete_tree(void *tree)
{
    cJSON_Delete(tree);
}

bool json_parse(struct arena *a, const char *path, const char *text,
                size_t length, const struct json **root, struct status *st)
{
    struct json_scan scan;
    bool good = json_scan_text(&scan, text, length, JSON_DEPTH_MAX);
    if (!good) {
        fail_at(st, path, scan.error_line, scan.error_column, scan.error);
        json_scan_free(&scan);
        return false;
    }
    memory_hold(scan.values, free);
    cJSON *tree = cJSON_ParseWithLength(text, length);
    if (tree) {
        struct builder b = {a, path, &scan, 0, st};
        memory_hold(tree, delete_tree);
        *root = build(&b, tree, NULL);
        good = *root != NULL;
        memory_drop(tree);
    } else {
        good = fail_at(st, path, 1, 1, "not enough memory for this text");
    }
    cJSON_Delete(tree);
    memory_drop(scan.values);
    json_scan_free(&scan);
    return good;
}

static bool fail_system(struct status *st, const char *path, const char *what)
{
    char why[80];
    if (strerror_r(errno, why, sizeof why) != 0)
        snprintf(why, sizeof why, "error %d", errno);
    if (st->code == STATUS_OK)
        st->path = path;
    return FAIL(st, SYSTEM, "%s: %s", what, why);
}

bool json_read(struct arena *a, const char *path, size_t limit_bytes,
               const struct json **root, struct status *st)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return fail_system(st, path, "cannot open the file");
    size_t length = 0;
    char *text = file_read(f, limit_bytes, &length);
    bool good = !ferror(f) || fail_system(st, path, "cannot read the file");
    fclose(f);
    if (!text)
        return good && fail_at(st, path, 0, 0, "not enough memory to read");
    memory_hold(text, free);
    if (good && length > limit_bytes) {
        good = fail_at(st, path, 0, 0,
                       arena_printf(a,
                                    "the file is larger than the limit of "
                                    "%zu bytes (--limit-file-bytes)",
                                    limit_bytes));
    } else if (good) {
        good = json_parse(a, path, text, length, root, st);
    }
    memory_drop(text);
    free(text);
    return good;
}

/* ---- Places ------------------------------------------------------------- */

/* RFC 6901: ~ is ~0 and / is ~1. */
static const char *escape_key(struct arena *a, const char *key)
{
    char *escaped = arena_alloc(a, 2 * strlen(key) + 1), *e = escaped;
    for (const char *k = key; *k; k++) {
        if (*k == '~' || *k == '/') {
            *e++ = '~';
            *e++ = *k == '~' ? '0' : '1';
        } else {
            *e++ = *k;
        }
    }
    return escaped;
}

const char *json_pointer(struct arena *a, const struct json *node)
{
    if (!node || !node->parent)
        return "";
    const char *before = json_pointer(a, node->parent);
    if (node->parent->kind == JSON_OBJECT)
        return arena_printf(a, "%s/%s", before, escape_key(a, node->key));
    int i = 0;
    /* By place, for a node may stand for another (line.h). */
    for (const struct json *n = node->parent->child;
         n && (n->line != node->line || n->column != node->column); n = n->next)
        i++;
    return arena_printf(a, "%s/%d", before, i);
}

void json_place(struct arena *a, const struct json *at, struct status *st)
{
    st->path = at->path;
    st->line = at->line;
    st->column = at->column;
    st->member = json_pointer(a, at);
}

bool json_fail(struct arena *a, const struct json *at, struct status *st,
               const char *format, ...)
{
    if (st->code != STATUS_OK)
        return false;
    st->code = STATUS_INPUT;
    st->source = "interp/base/json.c";
    if (at)
        json_place(a, at, st);
    va_list args;
    va_start(args, format);
    vsnprintf(st->text, sizeof st->text, format, args);
    va_end(args);
    text_clean(st->text, sizeof st->text, st->text);
    return false;
}

/* ---- Reading ------------------------------------------------------------ */

const struct json *json_member(const struct json *node, const char *key)
{
    if (node && node->kind == JSON_OBJECT)
        for (const struct json *m = node->child; m; m = m->next)
            if (m->key[0] == key[0] && strcmp(m->key, key) == 0)
                return m;
    return NULL;
}

const struct json *json_at(const struct json *node, int i)
{
    if (!node || (node->kind != JSON_ARRAY && node->kind != JSON_OBJECT))
        return NULL;
    const struct json *n = node->child;
    while (n && i-- > 0)
        n = n->next;
    return n;
}

bool json_is_string(const struct json *node, const char *text)
{
    return node && node->kind == JSON_STRING && strcmp(node->text, text) == 0;
}

bool json_int(struct arena *a, const struct json *node, int64_t *value,
              struct status *st)
{
    if (node->kind != JSON_NUMBER || strpbrk(node->text, ".eE"))
        return json_fail(a, node, st, "expected an integer");
    errno = 0;
    char *end;
    intmax_t n = strtoimax(node->text, &end, 10);
    if (errno != 0 || *end != '\0' || n < INT64_MIN || n > INT64_MAX)
        return json_fail(a, node, st, "%.40s is outside the 64-bit integers",
                         node->text);
    *value = n;
    return true;
}

bool json_ints(struct arena *a, const struct json *node, int *count,
               int64_t **values, struct status *st)
{
    if (node->kind != JSON_ARRAY)
        return json_fail(a, node, st, "expected a list of integers");
    *count = node->count;
    *values = arena_new(a, int64_t, (size_t)node->count);
    int i = 0;
    for (const struct json *n = node->child; n; n = n->next)
        TRY(json_int(a, n, &(*values)[i++], st));
    return true;
}

bool json_bool(struct arena *a, const struct json *node, bool *value,
               struct status *st)
{
    if (node->kind != JSON_BOOL)
        return json_fail(a, node, st, "expected true or false");
    *value = node->boolean;
    return true;
}

bool json_string(struct arena *a, const struct json *node, const char **value,
                 struct status *st)
{
    if (node->kind != JSON_STRING)
        return json_fail(a, node, st, "expected a string");
    *value = node->text;
    return true;
}

bool json_only(struct arena *a, const struct json *node,
               const char *const *names, struct status *st)
{
    if (node->kind != JSON_OBJECT)
        return json_fail(a, node, st, "expected an object");
    for (const struct json *m = node->child; m; m = m->next) {
        char hint[TEXT_HINT];
        int n = 0;
        while (names[n] && strcmp(names[n], m->key) != 0)
            n++;
        if (!names[n])
            return json_fail(a, m, st, "unknown member '%.80s'%s", m->key,
                             text_hint(hint, m->key, names, n));
    }
    return true;
}

const char *json_quote(struct arena *a, const char *text)
{
    char *quoted = arena_alloc(a, 6 * strlen(text) + 3), *q = quoted;
    *q++ = '"';
    for (const char *t = text; *t; t++) {
        unsigned char c = (unsigned char)*t;
        if (c == '"' || c == '\\') {
            *q++ = '\\';
            *q++ = (char)c;
        } else if (c < 0x20 || c == 0x7f) {
            q += snprintf(q, 7, "\\u%04x", c);
        } else {
            *q++ = (char)c;
        }
    }
    *q++ = '"';
    return quoted;
}
