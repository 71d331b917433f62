/* plan.c - see plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/folder.h"
#include "interp/base/glob.h"
#include "interp/base/text.h"
#include "interp/form/form.h"
#include "interp/program/op_table.h"
#include "interp/specification/spec.h"
#include "runner/plan/plan_form.h"

struct making {
    struct arena *arena;
    const struct plan_options *options;
    const struct limits *limits;
    struct plan *plan;
    int64_t room;
    struct choice {
        const struct json *include, *exclude; /* globs; NULL: all, none */
    } tier, whole, constant;  /* whole: the tier that tier is part of */
    struct plan_names own;    /* the tier's cases by name; none: all */
    const struct json *alone; /* globs; NULL: none */
    bool formed;              /* the tier has a covering array of forms, */
    bool each;                /* of each form, not of their classes */
    bool arrayed;             /* while it is made */
    struct forming {          /* the cases of one folder */
        int64_t count, room;
        const struct case_stub **stubs;
        int64_t first; /* of the formed ones in the plan */
    } forming;
};

/* ---- Names --------------------------------------------------------------- */

const char *plan_name(struct arena *a, const struct plan_case *c)
{
    return case_name(a, c->stub, c->form);
}

static const struct json *binding(const struct case_stub *stub,
                                  const char *variable, size_t length)
{
    for (int i = 0; i < stub->binding_count; i++)
        if (strlen(stub->variables[i]) == length
            && memcmp(stub->variables[i], variable, length) == 0)
            return stub->values[i];
    return NULL;
}

/* A type's name at the start of text, where $T stands for its binding. */
static const char *type_at(struct arena *a, const struct case_stub *stub,
                           const char *text)
{
    size_t n = strcspn(text, "[");
    enum dtype type;
    if (text[0] == '$') {
        const struct json *value = binding(stub, text + 1, n - 1);
        if (!value || value->kind != JSON_STRING)
            return NULL;
        text = value->text;
        n = strcspn(text, "[");
    }
    return dtype_parse(text, n, &type) ? arena_printf(a, "%.*s", (int)n, text)
                                       : NULL;
}

const char *plan_type(struct arena *a, const struct case_stub *stub)
{
    const struct json *bound = binding(stub, "T", 1);
    if (bound && bound->kind == JSON_STRING)
        return type_at(a, stub, bound->text);
    const struct json *input = json_at(json_member(stub->node, "inputs"), 0);
    if (input && input->kind == JSON_ARRAY)
        input = json_at(input, 0);
    if (!input || input->kind != JSON_OBJECT)
        return NULL;
    const struct json *shape = json_member(input, "shape");
    return shape && shape->kind == JSON_STRING ? type_at(a, stub, shape->text)
                                               : NULL;
}

/* ---- Choosing ------------------------------------------------------------ */

static bool any_matches(const struct json *globs, const char *name)
{
    for (const struct json *g = globs ? globs->child : NULL; g; g = g->next)
        if (g->kind == JSON_STRING && glob_match(g->text, name))
            return true;
    return false;
}

static bool is_chosen(const struct choice *c, const char *name)
{
    return (!c->include || any_matches(c->include, name))
           && !any_matches(c->exclude, name);
}

static bool wanted(const struct making *m, const char *name)
{
    bool found = m->options->filter_count == 0;
    for (int i = 0; i < m->options->filter_count; i++)
        if ((!found || m->plan->matched[i] == 0)
            && glob_match(m->options->filters[i], name)) {
            m->plan->matched[i]++;
            found = true;
        }
    for (int i = 0; i < m->options->exclude_count && found; i++)
        found = !glob_match(m->options->excludes[i], name);
    return found
           && (!m->options->names || plan_names_has(m->options->names, name));
}

const char *plan_filter_text(struct arena *a, const struct plan_options *o)
{
    const char *all = "";
    for (int i = 0; i < o->filter_count; i++)
        all = arena_printf(a, "%s%s%s", all, *all ? " " : "", o->filters[i]);
    for (int i = 0; i < o->exclude_count; i++)
        all = arena_printf(a, "%s%s!%s", all, *all ? " " : "", o->excludes[i]);
    if (o->names)
        all = arena_printf(a, "%s%slist:%.12s", all, *all ? " " : "",
                           plan_names_digest(a, o->names));
    return *all ? all : NULL;
}

const char *plan_forms_text(struct arena *a, const struct plan_options *o)
{
    const char *all = "";
    for (int i = 0; i < o->form_count; i++)
        all = arena_printf(a, "%s%s%s", all, *all ? " " : "", o->forms[i]);
    return all;
}

/* Is a filter one name, without special characters? */
static bool is_name(const char *filter)
{
    return !filter[glob_plain(filter)];
}

/* Could a filter match a case of a file or folder of that name?  Compares what
 * precedes the first special character; a covering array needs all cases of the
 * folder. */
static bool file_wanted(const void *context, const char *name)
{
    const struct making *m = context;
    size_t n = strlen(name);
    bool found = m->options->filter_count == 0;
    for (int i = 0; i < m->options->filter_count && !found; i++) {
        const char *glob = m->options->filters[i];
        size_t plain = glob_plain(glob), folder = strcspn(glob, "/");
        if (m->formed && !is_name(glob) && folder < plain)
            plain = folder + 1;
        found = strncmp(glob, name, plain < n ? plain : n) == 0;
    }
    return found
           && (m->own.count == 0 || plan_names_below(&m->own, name, false))
           && (!m->options->names
               || plan_names_below(m->options->names, name, m->formed));
}

/* The cases of a file that the tier includes. */
struct chosen {
    int64_t count;
    struct plan_case *cases;
};

static bool is_of_tier(struct making *m, const char *name)
{
    return is_chosen(&m->tier, name) && is_chosen(&m->whole, name)
           && (m->own.count == 0 || plan_names_has(&m->own, name));
}

static void choose(struct making *m, struct chosen *to,
                   const struct case_stub *stub, const char *form)
{
    struct plan_case c = {stub, form, false};
    const struct json *profile = json_member(stub->node, "profile");
    if (profile && m->options->profile && profile->text
        && strcmp(profile->text, m->options->profile) != 0)
        return;
    const char *name = plan_name(m->arena, &c);
    if (!is_of_tier(m, name))
        return;
    c.alone = any_matches(m->alone, name);
    to->cases[to->count++] = c;
}

static void add(struct making *m, const struct chosen *from)
{
    struct plan *p = m->plan;
    for (int64_t i = 0; i < from->count; i++) {
        if (!wanted(m, plan_name(m->arena, &from->cases[i])))
            continue;
        ARENA_GROW(m->arena, p->cases, p->count, m->room);
        p->cases[p->count++] = from->cases[i];
    }
}

static bool same_value(const struct json *a, const struct json *b)
{
    return a == b
           || (a && b && a->kind == b->kind && a->text && b->text
               && strcmp(a->text, b->text) == 0);
}

/* Is there a token in it?  There are no constant ones. */
static bool has_token(const struct json *node)
{
    if (node->key && strcmp(node->key, "shape") == 0 && node->text)
        return strstr(node->text, "token[]") != NULL;
    for (const struct json *c = node->child; c; c = c->next)
        if (has_token(c))
            return true;
    return false;
}

/* Constants: a compiler folds them, so there is a form of a case in which its
 * operands are Constant instructions; one length and one data set for each
 * type, and only where a value is expected.  A compile costs a hundred
 * executions, and folding knows no lengths: spec/tiers.json leaves out further
 * lengths and more data. */
static bool has_constant_form(const struct making *m,
                              const struct case_file *file, int i)
{
    const struct case_stub *stub = &file->stubs[i];
    const struct json *node = stub->node, *expect = json_member(node, "expect");
    const struct json *inputs = json_member(node, "inputs");
    if (!is_chosen(&m->constant, stub->name))
        return false;
    if (!inputs || inputs->count == 0 || json_member(node, "module")
        || (stub->op && strcmp(stub->op, op_Parameter.name) == 0)
        || json_member(node, "replicas") || json_member(node, "partitions")
        || json_member(node, "programs") || has_token(inputs))
        return false;
    if (expect && expect->kind == JSON_OBJECT && json_member(expect, "error"))
        return false;
    const struct json *type = binding(stub, "T", 1);
    for (int k = i - 1; k >= 0 && file->stubs[k].node == node; k--)
        if (same_value(binding(&file->stubs[k], "T", 1), type))
            return false;
    return true;
}

/* ---- Forms --------------------------------------------------------------- */

static void add_formed(void *context, const struct case_stub *stub,
                       const char *form)
{
    struct making *m = context;
    struct plan *p = m->plan;
    struct plan_case c = {stub, form, false};
    const char *name = plan_name(m->arena, &c);
    /* spec/tiers.json says which cases have that form alone. */
    bool known = m->arrayed && strcmp(form, "constant") == 0;
    if (known || !is_of_tier(m, name) || !wanted(m, name))
        return;
    /* The tier's own constants come before. */
    bool listed = m->options->form_count == 0 && strcmp(form, "constant") == 0;
    for (int64_t i = listed ? 0 : m->forming.first; i < p->count; i++)
        if (p->cases[i].stub == stub && p->cases[i].form
            && strcmp(p->cases[i].form, form) == 0)
            return;
    c.alone = any_matches(m->alone, name);
    ARENA_GROW(m->arena, p->cases, p->count, m->room);
    p->cases[p->count++] = c;
}

static struct plan_forming forming_of(struct making *m)
{
    return (struct plan_forming){.arena = m->arena,
                                 .limits = m->limits,
                                 .give = add_formed,
                                 .context = m};
}

/* A filter that is the name of a case in a form selects it, whatever the tier
 * plans. */
static void add_named(struct making *m, const struct case_stub *stub)
{
    const struct plan_forming f = forming_of(m);
    size_t n = strlen(stub->name);
    for (int i = 0; i < m->options->filter_count; i++) {
        const char *filter = m->options->filters[i];
        if (is_name(filter) && strncmp(filter, stub->name, n) == 0
            && filter[n] == '#')
            plan_form_one(&f, stub, filter + n + 1);
    }
    for (int64_t i = plan_names_form(&m->own, stub->name, 0); i >= 0;
         i = plan_names_form(&m->own, stub->name, i + 1))
        plan_form_one(&f, stub, m->own.names[i] + n + 1);
}

/* A case of the tier; its forms follow at the folder's end. */
static void note_stub(struct making *m, const struct case_stub *stub)
{
    struct forming *to = &m->forming;
    ARENA_GROW(m->arena, to->stubs, to->count, to->room);
    to->stubs[to->count++] = stub;
}

/* Are only cases wanted that have a name? */
static bool are_names(const struct plan_options *o)
{
    bool all = o->filter_count > 0;
    for (int i = 0; i < o->filter_count; i++)
        all = all && is_name(o->filters[i]);
    return all;
}

/* The forms of the folder's cases: those asked for, or the covering array. */
static bool add_forms(struct making *m, struct status *st)
{
    const struct plan_options *o = m->options;
    const struct plan_forming f = forming_of(m);
    struct forming *of = &m->forming;
    of->first = m->plan->count;
    for (int64_t i = 0; i < of->count; i++) {
        add_named(m, of->stubs[i]);
        if (o->form_count > 0)
            TRY(plan_form_all(&f, of->stubs[i], o->form_count, o->forms, st));
    }
    m->arrayed = m->formed && !are_names(o);
    if (m->arrayed)
        TRY(plan_form_array(&f, of->count, of->stubs, m->each, st));
    m->arrayed = false;
    of->count = 0;
    return true;
}

/* ---- Files --------------------------------------------------------------- */

static bool read_file(struct making *m, const char *path, const char *name,
                      struct status *st)
{
    struct case_file *file;
    TRY(case_file_read(m->arena, path, name, m->limits, &file, st));
    m->plan->file_count++;
    size_t room = 2 * (size_t)file->stub_count + 1; /* two forms */
    struct chosen chosen = {0, arena_new(m->arena, struct plan_case, room)};
    for (int i = 0; i < file->stub_count; i++) {
        int64_t before = chosen.count;
        choose(m, &chosen, &file->stubs[i], NULL);
        if (chosen.count > before
            || plan_names_form(&m->own, file->stubs[i].name, 0) >= 0)
            note_stub(m, &file->stubs[i]);
        if (m->options->form_count == 0 && has_constant_form(m, file, i))
            choose(m, &chosen, &file->stubs[i], "constant");
    }
    add(m, &chosen);
    return true;
}

/* Up to the slash. */
static bool same_folder(const char *a, const char *b)
{
    size_t n = strcspn(a, "/");
    return strncmp(a, b, n) == 0 && b[n] == a[n];
}

static bool read_folder(struct making *m, const char *path, struct status *st)
{
    struct folder_walk walk = {.wanted = file_wanted, .context = m};
    TRY(folder_walk(m->arena, &walk, path, st));
    for (int i = 0; i < walk.count; i++) {
        TRY(read_file(m, walk.files[i].path, walk.files[i].name, st));
        if (i + 1 == walk.count
            || !same_folder(walk.files[i].name, walk.files[i + 1].name))
            TRY(add_forms(m, st));
    }
    return true;
}

const char *plan_folder(struct arena *a)
{
    const char *own = folder_own(a);
    /* Where it is installed; where it is built, also with SAN= or COV=. */
    static const char *const places[] = {"../share/assay/cases", "../cases",
                                         "../../cases"};
    enum {
        PLACES = sizeof places / sizeof places[0]
    };
    const char *folder = "";
    for (int i = 0; i < PLACES; i++) {
        folder = folder_shown(folder_beside(a, own, places[i]));
        if (access(folder, R_OK | X_OK) == 0)
            return folder;
    }
    return folder_beside(a, own, places[0]);
}

static struct choice get_choice(const struct json *node)
{
    return (struct choice){json_member(node, "include"),
                           json_member(node, "exclude")};
}

/* A file of the specification that names a tier's cases. */
static bool read_names(struct making *m, const struct json *path,
                       struct status *st)
{
    const struct json *file = spec_file(path->text);
    const struct json *cases = json_member(file, "cases");
    if (!cases || cases->kind != JSON_ARRAY)
        return FAIL(st, INPUT, "%.60s: expected a list 'cases'", path->text);
    for (const struct json *c = cases->child; c; c = c->next)
        plan_names_add(m->arena, &m->own, c->text);
    plan_names_end(m->arena, &m->own);
    return true;
}

static bool unknown_tier(const struct json *tiers, const char *name,
                         struct status *st)
{
    enum {
        NAMES = 16
    };
    const char *names[NAMES], *all = NULL;
    struct arena a = ARENA_INIT;
    int n = 0;
    for (const struct json *t = tiers ? tiers->child : NULL; t && n < NAMES;
         t = t->next) {
        names[n++] = t->key;
        all = all ? arena_printf(&a, "%s, %s", all, t->key) : t->key;
    }
    FAIL(st, INPUT, "unknown tier '%.60s'%s; expected one of %s", name,
         text_hint((char[TEXT_HINT]){0}, name, names, n), all ? all : "none");
    arena_free(&a);
    return false;
}

static bool find_tier(struct making *m, struct status *st)
{
    const char *name = m->options->tier;
    const struct json *tiers = spec_file("spec/tiers.json");
    if (!tiers)
        return true;
    m->constant = get_choice(json_member(tiers, "constant"));
    m->alone = json_member(tiers, "alone");
    if (!name)
        return true;
    const struct json *tier = json_member(json_member(tiers, "tiers"), name);
    if (!tier || tier->kind != JSON_OBJECT)
        return unknown_tier(json_member(tiers, "tiers"), name, st);
    m->tier = get_choice(tier);
    const struct json *of = json_member(tier, "of");
    if (of && of->kind == JSON_STRING)
        m->whole =
            get_choice(json_member(json_member(tiers, "tiers"), of->text));
    /* Cases of somebody's own are run as they were written, all of them. */
    const struct json *cases = json_member(tier, "cases");
    m->plan->sampled = cases && !m->options->cases;
    if (m->plan->sampled)
        TRY(read_names(m, cases, st));
    m->formed = !m->options->cases && m->options->form_count == 0
                && json_member(tier, "forms") != NULL;
    m->each = json_is_string(json_member(tier, "forms"), "each");
    return true;
}

bool plan_make(struct arena *a, const struct plan_options *options,
               const struct limits *limits, struct plan *plan,
               struct status *st)
{
    struct making m = {
        .arena = a, .options = options, .limits = limits, .plan = plan};
    memset(plan, 0, sizeof *plan);
    plan->matched = arena_new(a, int64_t, (size_t)options->filter_count + 1);
    TRY(spec_load(st));
    TRY(find_tier(&m, st));
    for (int i = 0; i < options->form_count; i++)
        TRY(form_known(options->forms[i], st));
    plan->folder = options->cases ? options->cases : plan_folder(a);
    if (!options->cases && access(plan->folder, R_OK | X_OK) != 0)
        return FAIL(st, INPUT,
                    "the suite is not beside the command (in %.200s); name "
                    "its folder with --cases",
                    plan->folder);
    TRY(read_folder(&m, plan->folder, st));
    return digest_suite(a, plan->folder, plan->suite, st);
}
