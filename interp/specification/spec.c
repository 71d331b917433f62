/* spec.c - see spec.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation's file is first merged with its families (spec_family.h), then
 * read.  In what is inherited, $OP stands for the operation's name.
 */
#include "interp/specification/spec.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/dtype.h"
#include "interp/base/embed.h"
#include "interp/base/folder.h"
#include "interp/base/memory.h"
#include "interp/specification/spec_family.h"

static struct arena memory = {.paged = true};
static const struct json **files; /* as embed_files; NULL: not JSON */
static struct spec_op *ops;
static int op_count;
static atomic_bool loaded;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

/* One operation being read: its file with what it inherits, and its name. */
struct reading {
    const struct json *whole;
    const char *name;
};

/* text with every $OP replaced by the operation's name. */
static const char *with_name(const char *text, const char *name)
{
    const char *at = text ? strstr(text, "$OP") : NULL;
    if (!at)
        return text;
    const char *rest = with_name(at + 3, name);
    return arena_printf(&memory, "%.*s%s%s", (int)(at - text), text, name,
                        rest);
}

static bool read_string(const struct reading *r, const struct json *node,
                        const char *key, const char **value, struct status *st)
{
    const struct json *m = json_member(node, key);
    *value = NULL;
    if (!m)
        return true;
    TRY(json_string(&memory, m, value, st));
    *value = with_name(*value, r->name);
    return true;
}

static bool need_string(const struct reading *r, const struct json *node,
                        const char *key, const char **value, struct status *st)
{
    TRY(read_string(r, node, key, value, st));
    if (!*value)
        return json_fail(&memory, node, st, "lacks \"%s\"", key);
    return true;
}

static bool expect_array(const struct json *node, struct status *st)
{
    if (node && node->kind != JSON_ARRAY)
        return json_fail(&memory, node, st, "expected an array");
    return true;
}

/* Strings of an array, with a NULL after the last. */
static bool read_strings(const struct json *node, const char *const **list,
                         struct status *st)
{
    TRY(expect_array(node, st));
    const char **strings = arena_new(&memory, const char *, node->count + 1);
    int n = 0;
    for (const struct json *c = node->child; c; c = c->next)
        TRY(json_string(&memory, c, &strings[n++], st));
    *list = strings;
    return true;
}

/* ---- Operands ---------------------------------------------------------- */

static const struct {
    const char *name;
    unsigned classes; /* bits: 1 << enum dtype_class */
} groups[] = {
    {"pred", 1u << DTYPE_PRED},
    {"sint", 1u << DTYPE_SINT},
    {"uint", 1u << DTYPE_UINT},
    {"int", 1u << DTYPE_SINT | 1u << DTYPE_UINT},
    {"float", 1u << DTYPE_FLOAT},
    {"complex", 1u << DTYPE_COMPLEX},
    {"any", ~0u},
};

static uint64_t types_of(const char *name)
{
    uint64_t bits = 0;
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        if (strcmp(groups[g].name, name) != 0)
            continue;
        for (int t = 0; t < DT_COUNT; t++)
            if (groups[g].classes >> dtype_class((enum dtype)t) & 1)
                bits |= UINT64_C(1) << t;
    }
    enum dtype type;
    if (dtype_parse(name, strlen(name), &type))
        bits |= UINT64_C(1) << type;
    return bits;
}

static bool read_types(const struct json *node, uint64_t *types,
                       struct status *st)
{
    TRY(expect_array(node, st));
    for (const struct json *c = node->child; c; c = c->next) {
        const char *name;
        TRY(json_string(&memory, c, &name, st));
        uint64_t bits = types_of(name);
        if (!bits)
            return json_fail(&memory, c, st, "unknown element type \"%s\"",
                             name);
        *types |= bits;
    }
    return true;
}

static bool read_operand(const struct reading *r, const struct json *node,
                         struct spec_operand *operand, struct status *st)
{
    static const char *const names[] = {
        "name", "types", "variadic", "minimum", "optional", "text", NULL};
    TRY(json_only(&memory, node, names, st));
    TRY(need_string(r, node, "name", &operand->name, st));
    TRY(need_string(r, node, "text", &operand->text, st));
    const struct json *m = json_member(node, "types");
    if (m)
        TRY(read_types(m, &operand->types, st));
    if ((m = json_member(node, "variadic")))
        TRY(json_bool(&memory, m, &operand->variadic, st));
    if ((m = json_member(node, "optional")))
        TRY(json_bool(&memory, m, &operand->optional, st));
    int64_t minimum = 1;
    if ((m = json_member(node, "minimum")))
        TRY(json_int(&memory, m, &minimum, st));
    if (minimum < 0 || minimum > 1000)
        return json_fail(&memory, m, st, "expected 0 to 1000");
    operand->minimum = operand->variadic ? (int)minimum : 0;
    return true;
}

static bool read_operands(const struct reading *r, struct spec_op *op,
                          struct status *st)
{
    const struct json *node = json_member(r->whole, "operands");
    if (!node)
        return json_fail(&memory, r->whole, st, "lacks \"operands\"");
    TRY(expect_array(node, st));
    struct spec_operand *list =
        arena_new(&memory, struct spec_operand, node->count);
    op->operands = list;
    for (const struct json *c = node->child; c; c = c->next)
        TRY(read_operand(r, c, &list[op->operand_count++], st));
    return true;
}

/* ---- Attributes -------------------------------------------------------- */

static bool read_members(const struct reading *r, const struct json *node,
                         int *count, struct spec_attribute *list,
                         struct status *st);

static bool read_form(const struct json *node, enum spec_form *form,
                      struct status *st)
{
    const char *name;
    TRY(json_string(&memory, node, &name, st));
    if (!spec_form_find(name, form))
        return json_fail(&memory, node, st, "unknown form \"%s\"", name);
    return true;
}

static bool read_attribute(const struct reading *r, const struct json *node,
                           struct spec_attribute *attribute, struct status *st)
{
    static const char *const names[] = {"name",  "form",      "default",
                                        "names", "members",   "optional",
                                        "text",  "stablehlo", NULL};
    TRY(json_only(&memory, node, names, st));
    TRY(need_string(r, node, "name", &attribute->name, st));
    TRY(need_string(r, node, "text", &attribute->text, st));
    if (!json_member(node, "form"))
        return json_fail(&memory, node, st, "lacks \"form\"");
    TRY(read_form(json_member(node, "form"), &attribute->form, st));
    attribute->id = attribute_name_find(attribute->name);
    attribute->default_value = json_member(node, "default");
    const struct json *m = json_member(node, "optional");
    if (m)
        TRY(json_bool(&memory, m, &attribute->optional, st));
    if ((m = json_member(node, "stablehlo")))
        TRY(json_string(&memory, m, &attribute->stablehlo, st));
    m = json_member(node, "names");
    bool named = attribute->form == SPEC_NAME || attribute->form == SPEC_NAMES;
    if (named && !m)
        return json_fail(&memory, node, st, "lacks \"names\"");
    if (m)
        TRY(read_strings(m, &attribute->names, st));
    m = json_member(node, "members");
    if (attribute->form == SPEC_DIMENSION_NUMBERS && !m)
        return json_fail(&memory, node, st, "lacks \"members\"");
    if (!m)
        return true;
    TRY(expect_array(m, st));
    struct spec_attribute *members =
        arena_new(&memory, struct spec_attribute, m->count);
    attribute->members = members;
    TRY(read_members(r, m, &attribute->member_count, members, st));
    for (int i = 0; i < attribute->member_count; i++)
        members[i].id = attribute_name_find(
            arena_printf(&memory, "%s.%s", attribute->name, members[i].name));
    return true;
}

/* Append the attributes of a list to list[*count]. */
static bool read_members(const struct reading *r, const struct json *node,
                         int *count, struct spec_attribute *list,
                         struct status *st)
{
    for (const struct json *c = node ? node->child : NULL; c; c = c->next) {
        struct spec_attribute *next = &list[*count];
        TRY(read_attribute(r, c, next, st));
        for (int i = 0; i < *count; i++)
            if (strcmp(list[i].name, next->name) == 0)
                return json_fail(&memory, c, st, "duplicate \"%s\"",
                                 next->name);
        ++*count;
    }
    return true;
}

/* ---- Lists ---- */

/* The list of that name, which may be missing, and its length. */
static bool open_list(const struct reading *r, const char *key,
                      const struct json **first, int *length, struct status *st)
{
    const struct json *list = json_member(r->whole, key);
    TRY(expect_array(list, st));
    *first = list ? list->child : NULL;
    *length = list ? list->count : 0;
    return true;
}

static bool read_attributes(const struct reading *r, struct spec_op *op,
                            struct status *st)
{
    const struct json *list = json_member(r->whole, "attributes");
    TRY(expect_array(list, st));
    struct spec_attribute *made =
        arena_new(&memory, struct spec_attribute, list ? list->count : 0);
    op->attributes = made;
    return read_members(r, list, &op->attribute_count, made, st);
}

static bool read_policies(const struct reading *r, struct spec_op *op,
                          struct status *st)
{
    static const char *const none[] = {NULL};
    const struct json *list = json_member(r->whole, "policies");
    op->policies = none;
    return !list || read_strings(list, &op->policies, st);
}

static bool read_constraint(const struct reading *r, const struct json *node,
                            struct spec_constraint *constraint,
                            struct status *st)
{
    static const char *const names[] = {"id",     "class",  "level", "text",
                                        "source", "sha256", NULL};
    const char *class, *level;
    TRY(json_only(&memory, node, names, st));
    TRY(need_string(r, node, "id", &constraint->id, st));
    TRY(need_string(r, node, "text", &constraint->text, st));
    TRY(need_string(r, node, "source", &constraint->source, st));
    TRY(need_string(r, node, "class", &class, st));
    if (!status_find_class(class, &constraint->class))
        return json_fail(&memory, json_member(node, "class"), st,
                         "unknown error class \"%s\"", class);
    TRY(read_string(r, node, "level", &level, st));
    if (level && strcmp(level, "builder") != 0 && strcmp(level, "program") != 0)
        return json_fail(&memory, json_member(node, "level"), st,
                         "expected \"builder\" or \"program\"");
    constraint->builder = level && strcmp(level, "builder") == 0;
    return true;
}

static bool read_constraints(const struct reading *r, struct spec_op *op,
                             struct status *st)
{
    const struct json *c;
    int length;
    TRY(open_list(r, "constraints", &c, &length, st));
    struct spec_constraint *list =
        arena_new(&memory, struct spec_constraint, length);
    op->constraints = list;
    for (; c; c = c->next)
        TRY(read_constraint(r, c, &list[op->constraint_count++], st));
    return true;
}

static bool read_requirement(const struct reading *r, const struct json *node,
                             struct spec_requirement *requirement,
                             struct status *st)
{
    static const char *const names[] = {
        "id", "text", "source", "sha256", "untestable", "when", NULL};
    TRY(json_only(&memory, node, names, st));
    requirement->when = json_member(node, "when");
    TRY(need_string(r, node, "id", &requirement->id, st));
    TRY(need_string(r, node, "text", &requirement->text, st));
    TRY(read_string(r, node, "source", &requirement->source, st));
    TRY(read_string(r, node, "sha256", &requirement->sha256, st));
    return read_string(r, node, "untestable", &requirement->untestable, st);
}

static bool read_requirements(const struct reading *r, struct spec_op *op,
                              struct status *st)
{
    const struct json *c;
    int length;
    TRY(open_list(r, "requirements", &c, &length, st));
    struct spec_requirement *list =
        arena_new(&memory, struct spec_requirement, length);
    op->requirements = list;
    for (; c; c = c->next)
        TRY(read_requirement(r, c, &list[op->requirement_count++], st));
    return true;
}

/* ---- Operations -------------------------------------------------------- */

static bool read_stablehlo(const struct reading *r, struct spec_op *op,
                           struct status *st)
{
    const struct json *node = json_member(r->whole, "stablehlo");
    if (node && node->kind == JSON_OBJECT) {
        TRY(need_string(r, node, "missing", &op->stablehlo_missing, st));
        return true;
    }
    if (node) {
        TRY(json_string(&memory, node, &op->stablehlo, st));
        op->stablehlo = with_name(op->stablehlo, r->name);
    }
    return true;
}

static bool read_words(const struct reading *r, struct spec_op *op,
                       struct status *st)
{
    const struct {
        const char *key, **value;
    } words[] = {
        {"summary", &op->summary},
        {"accuracy", &op->accuracy},
        {"tuple_result", &op->tuple_result},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct json *m = json_member(r->whole, words[i].key);
        if (!m)
            continue;
        TRY(json_string(&memory, m, words[i].value, st));
        *words[i].value = with_name(*words[i].value, r->name);
    }
    return true;
}

static bool read_result(const struct reading *r, struct spec_op *op,
                        struct status *st)
{
    static const char *const names[] = {"text", "shape", "value", NULL};
    const struct json *node = json_member(r->whole, "result");
    if (!node)
        return json_fail(&memory, r->whole, st, "lacks \"result\"");
    TRY(json_only(&memory, node, names, st));
    TRY(need_string(r, node, "text", &op->result.text, st));
    TRY(need_string(r, node, "shape", &op->result.shape, st));
    return need_string(r, node, "value", &op->result.value, st);
}

static bool read_group_mode(const struct reading *r, struct spec_op *op,
                            struct status *st)
{
    static const char *const names[] = {[SPEC_MODE_NONE] = "none",
                                        [SPEC_MODE_CHANNEL] = "channel",
                                        [SPEC_MODE_GLOBAL] = "global",
                                        [SPEC_MODES] = NULL};
    const struct json *node = json_member(r->whole, "group_mode");
    if (!node)
        return true;
    TRY(json_only(&memory, node, names, st));
    for (int i = 0; i < SPEC_MODES; i++)
        TRY(read_string(r, node, names[i], &op->group_mode[i], st));
    return true;
}

static const struct json *family_file(const char *name)
{
    return spec_file(arena_printf(&memory, "spec/families/%s.json", name));
}

/* Read spec/ops/NAME.json; stem is NAME.json. */
static bool read_op(const struct json *root, const char *stem,
                    struct spec_op *op, struct status *st)
{
    struct reading r = {.whole = root};
    if (root->kind != JSON_OBJECT)
        return json_fail(&memory, root, st, "expected an object");
    TRY(need_string(&r, root, "op", &r.name, st));
    size_t n = strlen(r.name);
    if (strncmp(stem, r.name, n) != 0 || strcmp(stem + n, ".json") != 0)
        return json_fail(&memory, json_member(root, "op"), st,
                         "\"%s\" is not the file's name", r.name);
    op->name = r.name;
    TRY(read_string(&r, root, "family", &op->family, st));
    TRY(spec_family_merge(&memory, root, family_file, &r.whole, st));
    TRY(read_words(&r, op, st));
    TRY(read_stablehlo(&r, op, st));
    TRY(read_operands(&r, op, st));
    TRY(read_result(&r, op, st));
    TRY(read_attributes(&r, op, st));
    TRY(read_group_mode(&r, op, st));
    TRY(read_policies(&r, op, st));
    TRY(read_constraints(&r, op, st));
    return read_requirements(&r, op, st);
}

static int compare_ops(const void *a, const void *b)
{
    const struct spec_op *x = a, *y = b;
    return strcmp(x->name, y->name);
}

/* The part of path below folder, or NULL. */
static const char *below(const char *path, const char *folder)
{
    size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 ? path + n : NULL;
}

static bool read_all(void *unused, struct status *st)
{
    int count = 0, found = 0;
    while (embed_files[count].path)
        count++;
    files = arena_new(&memory, const struct json *, count);
    for (int i = 0; i < count; i++) {
        const struct embed_file *f = &embed_files[i];
        if (!folder_ends(f->path, ".json") || !below(f->path, "spec/"))
            continue;
        TRY(json_parse(&memory, f->path, f->text, f->length, &files[i], st));
        found += below(f->path, "spec/ops/") != NULL;
    }
    ops = arena_new(&memory, struct spec_op, found);
    op_count = 0;
    for (int i = 0; i < count; i++) {
        const char *stem = below(embed_files[i].path, "spec/ops/");
        if (stem)
            TRY(read_op(files[i], stem, &ops[op_count++], st));
    }
    qsort(ops, (size_t)op_count, sizeof *ops, compare_ops);
    atomic_store(&loaded, true);
    return true;
}

static void forget_all(void *unused)
{
    memory = (struct arena){.paged = true};
    files = NULL;
    op_count = 0;
}

void spec_protect(void)
{
    arena_protect(&memory);
}

/* The tables outlive the call that reads them: a guard of their own keeps an
 * outer one from releasing them, and from jumping over the unlocking. */
bool spec_load(struct status *st)
{
    if (atomic_load(&loaded))
        return true;
    pthread_mutex_lock(&loading);
    bool good =
        atomic_load(&loaded)
        || (memory_guarded() ? memory_guard(read_all, NULL, forget_all, st)
                             : read_all(NULL, st));
    pthread_mutex_unlock(&loading);
    return good;
}

int spec_op_count(void)
{
    return op_count;
}

const struct spec_op *spec_op_at(int i)
{
    return &ops[i];
}

const struct spec_op *spec_op_find(const char *name)
{
    struct spec_op key = {.name = name};
    if (op_count == 0)
        return NULL;
    return bsearch(&key, ops, (size_t)op_count, sizeof *ops, compare_ops);
}

const struct json *spec_file(const char *path)
{
    for (int i = 0; files && embed_files[i].path; i++)
        if (strcmp(embed_files[i].path, path) == 0)
            return files[i];
    return NULL;
}

bool spec_op_names(const struct spec_op *op, const char *policy)
{
    const char *const *name = op->policies;
    while (name && *name && strcmp(*name, policy) != 0)
        name++;
    return name && *name;
}

const char *spec_op_hint(char *to, const char *name)
{
    enum {
        OP_NAMES_MAX = 512
    };
    const char *names[OP_NAMES_MAX];
    int n = 0;
    while (n < op_count && n < OP_NAMES_MAX) {
        names[n] = ops[n].name;
        n++;
    }
    return text_hint(to, name, names, n);
}

const struct spec_requirement *spec_requirement_find(const char *id)
{
    for (int i = 0; i < op_count; i++) {
        const struct spec_op *op = &ops[i];
        for (int k = 0; k < op->requirement_count; k++)
            if (strcmp(op->requirements[k].id, id) == 0)
                return &op->requirements[k];
    }
    return NULL;
}

const struct spec_constraint *spec_constraint_find(const char *id)
{
    for (int i = 0; i < op_count; i++) {
        const struct spec_op *op = &ops[i];
        for (int k = 0; k < op->constraint_count; k++)
            if (strcmp(op->constraints[k].id, id) == 0)
                return &op->constraints[k];
    }
    return NULL;
}
