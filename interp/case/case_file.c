/* case_file.c - reading a case file and expanding `each`.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An object of lists gives every combination, the last variable running
 * fastest; a list of objects gives one case an object.  Either way the name of
 * a case contains its values, in the order in which the file names the
 * variables: scalars as they are, others by their place in the list.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/case/case.h"
#include "interp/case/case_check.h"

enum {
    VARIABLES_MAX = 16,
    NAME_MAX_BYTES = 160 /* of one value in a name */
};

/* The expansion of one case. */
struct expansion {
    struct arena *arena;
    struct case_file *file;
    const struct json *node;
    int count; /* variables */
    const char *names[VARIABLES_MAX];
    const struct json *lists[VARIABLES_MAX]; /* product: their values */
    const char *id;
};

static bool check_variable(struct arena *a, const struct json *at,
                           struct status *st)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    const char *name = at->key;
    if (!*name || name[strspn(name, letters)] || strchr("0123456789", *name))
        return json_fail(a, at, st, "'%.40s' is not a variable name", name);
    return true;
}

static bool is_scalar(const struct json *value)
{
    return value->kind != JSON_ARRAY && value->kind != JSON_OBJECT;
}

/* A value that a name shows must be short and printable. */
static bool check_value(struct arena *a, const struct json *value,
                        struct status *st)
{
    if (!is_scalar(value) || !value->text)
        return true;
    if (value->length > NAME_MAX_BYTES)
        return json_fail(a, value, st,
                         "a value in a case's name is longer "
                         "than %d bytes",
                         NAME_MAX_BYTES);
    for (const char *c = value->text; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return json_fail(a, value, st,
                             "a value in a case's name contains a "
                             "blank or a control character");
    return true;
}

/* The value as a name shows it; i is its place in its list. */
static const char *value_text(struct arena *a, const struct json *value, int i)
{
    if (value->kind == JSON_BOOL)
        return value->boolean ? "true" : "false";
    if (value->kind == JSON_NULL)
        return "null";
    return is_scalar(value) ? value->text : arena_printf(a, "%d", i);
}

/* Append a stub; texts are the values as a name shows them. */
static void add_stub(struct expansion *e, const struct json *const *values,
                     const char *const *texts, const char *const *variables)
{
    struct case_file *file = e->file;
    struct case_stub *stub = &file->stubs[file->stub_count++];
    stub->file = file;
    stub->node = e->node;
    const struct json *op = json_member(e->node, "op");
    stub->op = op ? op->text : file->op;
    stub->binding_count = e->count;
    stub->variables = variables;
    stub->values = values;
    size_t length = strlen(file->name) + strlen(e->id) + 2;
    for (int i = 0; i < e->count; i++)
        length += strlen(e->names[i]) + strlen(texts[i]) + 2;
    const char *parts[4 * VARIABLES_MAX + 3];
    int n = 0;
    parts[n++] = file->name;
    parts[n++] = "/";
    parts[n++] = e->id;
    for (int i = 0; i < e->count; i++) {
        parts[n++] = i == 0 ? "@" : ",";
        parts[n++] = e->names[i];
        parts[n++] = "=";
        parts[n++] = texts[i];
    }
    char *name = arena_alloc(e->arena, length), *at = name;
    for (int i = 0; i < n; i++) {
        size_t k = strlen(parts[i]);
        memcpy(at, parts[i], k);
        at += k;
    }
    stub->name = name;
}

static const char *const *keep_names(struct expansion *e)
{
    const char **names = arena_new(e->arena, const char *, (size_t)e->count);
    memcpy(names, e->names, (size_t)e->count * sizeof *names);
    return names;
}

static void expand_product(struct expansion *e)
{
    const char *const *names = keep_names(e);
    const struct json *value[VARIABLES_MAX];
    int place[VARIABLES_MAX] = {0};
    for (int i = 0; i < e->count; i++)
        value[i] = e->lists[i]->child;
    for (;;) {
        const struct json **values =
            arena_new(e->arena, const struct json *, (size_t)e->count);
        const char *texts[VARIABLES_MAX];
        for (int i = 0; i < e->count; i++) {
            values[i] = value[i];
            texts[i] = value_text(e->arena, value[i], place[i]);
        }
        add_stub(e, values, texts, names);
        int i = e->count - 1;
        for (; i >= 0 && !value[i]->next; i--) {
            value[i] = e->lists[i]->child;
            place[i] = 0;
        }
        if (i < 0)
            return;
        value[i] = value[i]->next;
        place[i]++;
    }
}

static void expand_zip(struct expansion *e, const struct json *list)
{
    const char *const *names = keep_names(e);
    int place = 0;
    for (const struct json *o = list->child; o; o = o->next, place++) {
        const struct json **values =
            arena_new(e->arena, const struct json *, (size_t)e->count);
        const char *texts[VARIABLES_MAX];
        for (int i = 0; i < e->count; i++) {
            values[i] = json_member(o, e->names[i]);
            texts[i] = value_text(e->arena, values[i], place);
        }
        add_stub(e, values, texts, names);
    }
}

/* Record the variables of an object; all objects of a list have the same ones.
 * */
static bool read_variables(struct expansion *e, const struct json *object,
                           struct status *st)
{
    struct arena *a = e->arena;
    if (object->kind != JSON_OBJECT)
        return json_fail(a, object, st, "expected an object");
    if (object->count == 0)
        return json_fail(a, object, st, "expected at least one variable");
    if (object->count > VARIABLES_MAX)
        return json_fail(a, object, st, "more than %d variables",
                         VARIABLES_MAX);
    for (const struct json *m = object->child; m; m = m->next) {
        TRY(check_variable(a, m, st));
        e->names[e->count] = m->key;
        e->lists[e->count++] = m;
    }
    return true;
}

static bool check_product(struct expansion *e, int64_t room, int64_t *count,
                          struct status *st)
{
    *count = 1;
    for (int i = 0; i < e->count; i++) {
        const struct json *list = e->lists[i];
        if (list->kind != JSON_ARRAY)
            return json_fail(e->arena, list, st, "expected a list of values");
        if (list->count == 0)
            return json_fail(e->arena, list, st, "the list of values is empty");
        for (const struct json *v = list->child; v; v = v->next)
            TRY(check_value(e->arena, v, st));
        *count *= list->count;
        if (*count > room)
            return true; /* the caller says so */
    }
    return true;
}

static bool check_zip(struct expansion *e, const struct json *list,
                      struct status *st)
{
    for (const struct json *o = list->child; o; o = o->next) {
        if (o->kind != JSON_OBJECT)
            return json_fail(e->arena, o, st, "expected an object");
        for (const struct json *v = o->child; v; v = v->next) {
            if (!json_member(list->child, v->key))
                return json_fail(e->arena, v, st,
                                 "the first object of 'each' lacks '%.40s'",
                                 v->key);
            TRY(check_value(e->arena, v, st));
        }
        if (o->count != e->count)
            return json_fail(e->arena, o, st,
                             "expected the %d variables of the first object",
                             e->count);
    }
    return true;
}

/* Check `each` and count the cases it gives. */
static bool plan(struct expansion *e, int64_t room, int64_t *count,
                 struct status *st)
{
    const struct json *each = json_member(e->node, "each");
    e->count = 0;
    *count = 1;
    if (!each)
        return true;
    if (each->kind == JSON_OBJECT) {
        TRY(read_variables(e, each, st));
        return check_product(e, room, count, st);
    }
    if (each->kind != JSON_ARRAY)
        return json_fail(e->arena, each, st, "expected an object or a list");
    if (each->count == 0)
        return json_fail(e->arena, each, st, "the list is empty");
    TRY(read_variables(e, each->child, st));
    *count = each->count;
    return check_zip(e, each, st);
}

static void expand(struct expansion *e)
{
    const struct json *each = json_member(e->node, "each");
    if (!each)
        add_stub(e, NULL, NULL, NULL);
    else if (each->kind == JSON_OBJECT)
        expand_product(e);
    else
        expand_zip(e, each);
}

static int compare_names(const void *a, const void *b)
{
    const struct case_stub *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

/* Every case has its own name. */
static bool check_names(struct arena *a, const struct case_file *file,
                        struct status *st)
{
    const struct case_stub **list =
        arena_new(a, const struct case_stub *, (size_t)file->stub_count);
    for (int i = 0; i < file->stub_count; i++)
        list[i] = &file->stubs[i];
    qsort(list, (size_t)file->stub_count, sizeof *list, compare_names);
    for (int i = 1; i < file->stub_count; i++)
        if (strcmp(list[i - 1]->name, list[i]->name) == 0) {
            const struct json *node =
                list[i] > list[i - 1] ? list[i]->node : list[i - 1]->node;
            const struct json *each = json_member(node, "each");
            return json_fail(a, each ? each : json_member(node, "id"), st,
                             "duplicate case name '%.160s'", list[i]->name);
        }
    return true;
}

static bool expand_all(struct arena *a, struct case_file *file,
                       const struct limits *limits, struct status *st)
{
    const struct json *cases = json_member(file->root, "cases");
    int64_t total = 0, count, most = limits->file_cases;
    if (most > INT32_MAX)
        most = INT32_MAX;
    for (const struct json *c = cases->child; c; c = c->next) {
        struct expansion e = {.arena = a, .file = file, .node = c};
        TRY(case_check_case(a, c, st) && case_check_op(a, file->root, c, st));
        TRY(plan(&e, most - total, &count, st));
        total += count;
        if (total > most)
            return json_fail(a, c, st,
                             "the file expands to more than %lld cases "
                             "(--limit-file-cases)",
                             (long long)most);
    }
    file->stubs = arena_new(a, struct case_stub, (size_t)total);
    for (const struct json *c = cases->child; c; c = c->next) {
        struct expansion e = {.arena = a, .file = file, .node = c};
        e.id = json_member(c, "id")->text;
        TRY(plan(&e, most, &count, st));
        expand(&e);
    }
    return check_names(a, file, st);
}

static struct case_file *new_file(struct arena *a, const char *path,
                                  const char *name)
{
    struct case_file *f = arena_new(a, struct case_file, 1);
    f->arena = a;
    f->path = arena_text(a, path);
    f->name = arena_text(a, name);
    return f;
}

/* A file whose text is JSON. */
static bool finish(struct arena *a, struct case_file *f,
                   const struct limits *limits, struct case_file **file,
                   struct status *st)
{
    TRY(spec_load(st));
    TRY(case_check_file(a, f->root, st));
    f->op = json_member(f->root, "op")->text;
    TRY(expand_all(a, f, limits, st));
    *file = f;
    return true;
}

bool case_file_read(struct arena *a, const char *path, const char *name,
                    const struct limits *limits, struct case_file **file,
                    struct status *st)
{
    struct case_file *f = new_file(a, path, name);
    TRY(json_read(a, f->path, (size_t)limits->file_bytes, &f->root, st));
    return finish(a, f, limits, file, st);
}

bool case_file_parse(struct arena *a, const char *path, const char *name,
                     const char *text, size_t length,
                     const struct limits *limits, struct case_file **file,
                     struct status *st)
{
    struct case_file *f = new_file(a, path, name);
    TRY(json_parse(a, f->path, text, length, &f->root, st));
    return finish(a, f, limits, file, st);
}
