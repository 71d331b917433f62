/* case.c - one case, ready to run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/case/case.h"

#include "interp/case/case_build.h"
#include "interp/case/case_check.h"
#include "interp/case/case_subst.h"
#include "interp/form/form_apply.h"
#include "interp/program/op_table.h"

/* A case being made. */
struct making {
    struct arena *arena;
    const struct limits *limits;
    struct test_case *test;
    const struct json *node;
    bool nested; /* inputs, expect, ... are lists of lists, one a replica */
};

/* The list of that name: NULL if the case has none. */
static bool list_of(const struct making *m, const char *name,
                    const struct json **list, struct status *st)
{
    *list = json_member(m->node, name);
    if (*list && (*list)->kind != JSON_ARRAY)
        return json_fail(m->arena, *list, st, "expected a list");
    return true;
}

/* The lists of each replica; without replicas there is one. */
static bool rows_of(const struct making *m, const struct json *list,
                    const struct json ***rows, struct status *st)
{
    int count = m->test->replicas, n = 0;
    *rows = arena_new(m->arena, const struct json *, (size_t)count);
    if (!m->nested) {
        (*rows)[0] = list;
        return true;
    }
    if (list->count != count)
        return json_fail(m->arena, list, st,
                         "expected %d lists, one for each replica, found %d",
                         count, list->count);
    for (const struct json *c = list->child; c; c = c->next) {
        if (c->kind != JSON_ARRAY)
            return json_fail(m->arena, c, st,
                             "expected a list of literals, those of replica %d",
                             n);
        (*rows)[n++] = c;
    }
    return true;
}

/* A list of literals as an array of its values. */
static const struct json **children(struct arena *a, const struct json *list)
{
    const struct json **nodes =
        arena_new(a, const struct json *, (size_t)list->count);
    int n = 0;
    for (const struct json *c = list->child; c; c = c->next)
        nodes[n++] = c;
    return nodes;
}

/* ---- Words --------------------------------------------------------------- */

static bool read_covers(struct making *m, struct status *st)
{
    const struct json *list;
    TRY(list_of(m, "covers", &list, st));
    if (!list)
        return true;
    const char **covers =
        arena_new(m->arena, const char *, (size_t)list->count);
    m->test->covers = covers;
    for (const struct json *c = list->child; c; c = c->next)
        TRY(json_string(m->arena, c, &covers[m->test->cover_count++], st));
    return true;
}

static bool read_error(struct making *m, const struct json *node,
                       struct status *st)
{
    struct test_case *t = m->test;
    const char *name;
    TRY(json_string(m->arena, node, &name, st));
    enum code class;
    if (!status_find_class(name, &class))
        return json_fail(m->arena, node, st, "unknown error class '%.40s'",
                         name);
    for (int i = 0; i < t->error_count; i++)
        if (t->errors[i] == class)
            return json_fail(m->arena, node, st, "duplicate '%s'", name);
    t->errors[t->error_count++] = class;
    return true;
}

static bool read_errors(struct making *m, struct status *st)
{
    const struct json *expect = json_member(m->node, "expect");
    const struct json *error = json_member(expect, "error");
    if (!error)
        return true;
    if (error->kind != JSON_ARRAY)
        return read_error(m, error, st);
    for (const struct json *c = error->child; c; c = c->next)
        TRY(read_error(m, c, st));
    return true;
}

/* A count from 1 to the limit. */
static bool read_count(struct making *m, const char *name, int *count,
                       struct status *st)
{
    const struct json *node = json_member(m->node, name);
    int64_t n;
    *count = 1;
    if (!node)
        return true;
    m->nested = true;
    TRY(json_int(m->arena, node, &n, st));
    if (n < 1 || n > CASE_CHECK_REPLICAS_MAX)
        return json_fail(m->arena, node, st, "expected 1 to %d",
                         CASE_CHECK_REPLICAS_MAX);
    *count = (int)n;
    return true;
}

static bool read_words(struct making *m, struct status *st)
{
    struct test_case *t = m->test;
    int replicas;
    t->why = json_member(m->node, "why")->text;
    t->policies = json_member(m->node, "policies");
    const struct json *profile = json_member(m->node, "profile");
    if (profile)
        TRY(json_string(m->arena, profile, &t->profile, st));
    TRY(read_covers(m, st));
    TRY(read_errors(m, st));
    TRY(read_count(m, "replicas", &replicas, st));
    TRY(read_count(m, "partitions", &t->partitions, st));
    t->replicas = replicas * t->partitions;
    if (t->replicas > CASE_CHECK_REPLICAS_MAX)
        return json_fail(m->arena, m->node, st,
                         "replicas times partitions is %d; expected at most %d",
                         t->replicas, CASE_CHECK_REPLICAS_MAX);
    return true;
}

/* ---- Data ---------------------------------------------------------------- */

static bool read_literals(const struct making *m, const struct json *list,
                          struct literal ***literals, struct status *st)
{
    *literals = arena_new(m->arena, struct literal *, (size_t)list->count);
    return data_inputs(m->arena, children(m->arena, list), list->count,
                       m->limits, *literals, st);
}

/* Every replica has as many inputs, of the same shapes, as the first. */
static bool check_row(const struct making *m, const struct json *row, int r,
                      struct status *st)
{
    const struct test_case *t = m->test;
    if (row->count != t->input_count)
        return json_fail(m->arena, row, st,
                         "replica %d has %d inputs; replica 0 has %d", r,
                         row->count, t->input_count);
    for (int i = 0; i < t->input_count; i++)
        if (!shape_equal(t->inputs[0][i]->shape, t->inputs[r][i]->shape))
            return json_fail(m->arena, json_at(row, i), st,
                             "input %d is %s; that of replica 0 is %s", i,
                             shape_text(m->arena, t->inputs[r][i]->shape),
                             shape_text(m->arena, t->inputs[0][i]->shape));
    return true;
}

static bool read_inputs(struct making *m, struct status *st)
{
    struct test_case *t = m->test;
    const struct json *list, **rows;
    t->inputs = arena_new(m->arena, struct literal **, (size_t)t->replicas);
    TRY(list_of(m, "inputs", &list, st));
    if (!list)
        return true;
    TRY(rows_of(m, list, &rows, st));
    for (int r = 0; r < t->replicas; r++) {
        if (r == 0)
            t->input_count = rows[0]->count;
        TRY(read_literals(m, rows[r], &t->inputs[r], st));
        TRY(check_row(m, rows[r], r, st));
    }
    return true;
}

static bool read_infeed(struct making *m, struct status *st)
{
    struct test_case *t = m->test;
    const struct json *list, **rows;
    TRY(list_of(m, "infeed", &list, st));
    if (!list)
        return true;
    TRY(rows_of(m, list, &rows, st));
    t->infeed_count = arena_new(m->arena, int, (size_t)t->replicas);
    t->infeed = arena_new(m->arena, struct literal **, (size_t)t->replicas);
    for (int r = 0; r < t->replicas; r++) {
        t->infeed_count[r] = rows[r]->count;
        TRY(read_literals(m, rows[r], &t->infeed[r], st));
    }
    return true;
}

static bool read_outfeed(struct making *m, struct status *st)
{
    struct test_case *t = m->test;
    const struct json *list, **rows;
    TRY(list_of(m, "outfeed", &list, st));
    if (!list)
        return true;
    TRY(rows_of(m, list, &rows, st));
    t->outfeed_count = arena_new(m->arena, int, (size_t)t->replicas);
    t->outfeed = arena_new(m->arena, struct expected *, (size_t)t->replicas);
    for (int r = 0; r < t->replicas; r++) {
        int n = 0;
        t->outfeed_count[r] = rows[r]->count;
        t->outfeed[r] =
            arena_new(m->arena, struct expected, (size_t)rows[r]->count);
        for (const struct json *c = rows[r]->child; c; c = c->next)
            TRY(data_expected(m->arena, c, m->limits, &t->outfeed[r][n++], st));
    }
    return true;
}

/* ---- Expectations -------------------------------------------------------- */

/* Read what node says of a result of that shape into one entry for each array
 * or token; false (with st untouched) if it cannot be split so. */
static bool splits(const struct json *node, const struct shape *shape)
{
    if (shape->kind != SHAPE_TUPLE || json_member(node, "any"))
        return true;
    const struct json *tuple = json_member(node, "tuple");
    if (!tuple || tuple->kind != JSON_ARRAY || tuple->count != shape->rank)
        return false;
    int i = 0;
    for (const struct json *c = tuple->child; c; c = c->next)
        if (!splits(c, shape->elements[i++]))
            return false;
    return true;
}

static bool split(const struct making *m, const struct json *node,
                  const struct shape *shape, struct expected **next,
                  struct status *st)
{
    if (shape->kind != SHAPE_TUPLE)
        return data_expected(m->arena, node, m->limits, (*next)++, st);
    if (json_member(node, "any")) {
        struct expected any;
        TRY(data_expected(m->arena, node, m->limits, &any, st));
        for (int i = shape_leaves(shape); i > 0; i--)
            *(*next)++ = any;
        return true;
    }
    int i = 0;
    for (const struct json *c = json_member(node, "tuple")->child; c;
         c = c->next)
        TRY(split(m, c, shape->elements[i++], next, st));
    return true;
}

/* One replica's list: the elements of a tuple of n >= 2, the whole result, or,
 * if it fits neither, the list itself. */
static bool read_expected(const struct making *m, const struct json *list,
                          const struct shape *result, int *count,
                          struct expected **expected, struct status *st)
{
    bool elements = result && result->kind == SHAPE_TUPLE && list->count >= 2
                    && list->count == result->rank;
    bool fits = result && (elements || list->count == 1);
    int i = 0;
    for (const struct json *c = list->child; c && fits; c = c->next)
        fits = splits(c, elements ? result->elements[i++] : result);
    int room = fits ? shape_leaves(result) : list->count;
    struct expected *next = arena_new(m->arena, struct expected, (size_t)room);
    *expected = next;
    *count = room;
    i = 0;
    for (const struct json *c = list->child; c; c = c->next)
        if (fits)
            TRY(split(m, c, elements ? result->elements[i++] : result, &next,
                      st));
        else
            TRY(data_expected(m->arena, c, m->limits, next++, st));
    return true;
}

static bool read_expect(struct making *m, struct status *st)
{
    struct test_case *t = m->test;
    const struct json *list = json_member(m->node, "expect"), **rows;
    if (!list || list->kind == JSON_OBJECT)
        return true;
    TRY(list_of(m, "expect", &list, st));
    TRY(rows_of(m, list, &rows, st));
    const struct shape *result =
        t->program && !t->rejected ? t->program->entry->result : NULL;
    t->expect = arena_new(m->arena, struct expected *, (size_t)t->replicas);
    for (int r = 0; r < t->replicas; r++) {
        int count;
        if (rows[r]->count == 0)
            return json_fail(m->arena, rows[r], st,
                             "the list of expected results is empty");
        TRY(read_expected(m, rows[r], result, &count, &t->expect[r], st));
        if (r > 0 && count != t->expect_count)
            return json_fail(m->arena, rows[r], st,
                             "replica %d has %d results; replica 0 has %d", r,
                             count, t->expect_count);
        t->expect_count = count;
    }
    return true;
}

/* ---- The program --------------------------------------------------------- */

/* Reads which processes run the program that was just built. */
static bool place(const struct making *m, const struct json *programs,
                  const struct json *one, struct program *p, struct status *st)
{
    const struct json *devices = json_member(one, "devices");
    for (const struct json *c = devices->child; c; c = c->next) {
        int64_t device;
        TRY(json_int(m->arena, c, &device, st));
        if (device < 0 || device >= m->test->replicas)
            return json_fail(m->arena, c, st,
                             "expected less than %d, the number of devices",
                             m->test->replicas);
        if (p->entries[device])
            return json_fail(m->arena, c, st,
                             "this device already runs another program");
        p->entries[device] = p->entry;
    }
    if (one->next)
        return true;
    for (int i = 0; i < m->test->replicas; i++)
        if (!p->entries[i])
            return json_fail(m->arena, programs, st,
                             "no program lists device %d", i);
    p->entry = (struct computation *)(uintptr_t)p->entries[0];
    return true;
}

/* All take and return values of the same shapes, so one row stands for all. */
static bool build_programs(struct making *m, struct case_build *b,
                           const struct json *programs, struct program *p,
                           struct status *st)
{
    struct test_case *t = m->test;
    p->entries =
        arena_new(m->arena, const struct computation *, (size_t)t->replicas);
    for (const struct json *c = programs->child; c; c = c->next) {
        if (c != programs->child)
            case_build_next(b, json_member(c, "computations"));
        TRY(case_build_module(b, json_member(c, "entry"), t->input_count,
                              t->inputs[0], st));
        TRY(place(m, programs, c, p, st));
    }
    if (programs->count == 1)
        p->entries = NULL;
    return true;
}

static bool build(struct making *m, struct program **program, struct status *st)
{
    struct test_case *t = m->test;
    const struct json *module = json_member(m->node, "module");
    const struct json *programs = json_member(m->node, "programs");
    if (programs)
        module = programs->child;
    const struct json *const scopes[CASE_BUILD_SCOPES] = {
        json_member(module, "computations"),
        json_member(m->node, "computations"),
        json_member(t->stub->file->root, "computations"),
    };
    struct case_build *b = case_build_new(m->arena, m->limits, scopes, program);
    (*program)->partitions = t->partitions;
    (*program)->replicas = t->replicas / t->partitions;
    if (programs)
        return build_programs(m, b, programs, *program, st);
    if (module)
        return case_build_module(b, json_member(module, "entry"),
                                 t->input_count, t->inputs[0], st);
    return case_build_single(b, t->op, m->node, t->input_count, t->inputs[0],
                             st);
}

/* A Parameter among the instructions adds a parameter. */
static bool check_inputs(const struct making *m, const struct program *p,
                         struct status *st)
{
    const struct test_case *t = m->test;
    for (int i = 0; i < t->replicas; i++) {
        const struct computation *c = p->entries ? p->entries[i] : p->entry;
        if (c->parameter_count > t->input_count)
            return json_fail(
                m->arena, m->node, st,
                "the entry has %d parameters; the case has %d inputs",
                c->parameter_count, t->input_count);
    }
    return true;
}

/* Build and infer; what is wrong with the program is kept as its rejection,
 * what is wrong with the case fails. */
static bool make_program(struct making *m, struct status *st)
{
    struct test_case *t = m->test;
    struct status why = {STATUS_OK};
    struct program *program;
    bool built = build(m, &program, &why);
    bool good = built && program_infer(program, &why);
    if (built)
        t->program = program;
    if (good)
        return check_inputs(m, program, st);
    if (why.code == STATUS_INPUT) {
        *st = why;
        return false;
    }
    t->rejected = true;
    t->rejection = why;
    return true;
}

/* ---- Forms --------------------------------------------------------------- */

const struct op *case_op(const struct case_stub *stub)
{
    const struct json *node = stub->node;
    return json_member(node, "module") || json_member(node, "programs")
                   || !stub->op
               ? NULL
               : op_table_find(stub->op);
}

const char *case_name(struct arena *a, const struct case_stub *stub,
                      const char *form)
{
    return form ? arena_printf(a, "%s#%s", stub->name, form) : stub->name;
}

/* The plain case as a form takes it: of one process, all by parameters. */
static bool plain_form(const struct making *m, struct form_case *plain,
                       struct status *st)
{
    const struct test_case *t = m->test;
    int n = t->input_count;
    if (t->replicas != 1 || t->program->entries
        || n != t->program->entry->parameter_count)
        return json_fail(m->arena, m->node, st,
                         "only programs of one process have forms");
    int *origins = arena_new(m->arena, int, (size_t)n + 1);
    for (int i = 0; i < n; i++)
        origins[i] = i;
    *plain = (struct form_case){t->program, n, t->inputs[0], origins};
    return true;
}

static void set_form(struct arena *a, struct test_case *t,
                     const struct form_case *from)
{
    t->program = from->program;
    t->input_count = from->count;
    t->inputs = arena_new(a, struct literal **, 1);
    t->inputs[0] = arena_new(a, struct literal *, (size_t)from->count + 1);
    for (int i = 0; i < from->count; i++)
        t->inputs[0][i] = from->inputs[i];
}

/* The expected results are those of the plain case, if its data stay. */
static bool make_form(struct making *m, const char *name, struct status *st)
{
    struct test_case *t = m->test, *written;
    struct form_uses uses;
    struct form_case plain, data, other;
    struct status why = {STATUS_OK};
    TRY(form_find(m->arena, name, case_op(t->stub), &uses, st));
    if (t->rejected || t->error_count > 0)
        return true;
    TRY(plain_form(m, &plain, st));
    if (!form_apply(m->arena, m->limits, &uses, &plain, &data, &other, &why))
        return json_fail(m->arena, m->node, st, "form %s: %.200s", name,
                         why.text);
    if (data.program != plain.program) {
        t->expect_count = 0;
        t->expect = NULL;
    }
    set_form(m->arena, t, &data);
    written = arena_new(m->arena, struct test_case, 1);
    *written = *t;
    set_form(m->arena, written, &other);
    written->written = written;
    t->written = written;
    return true;
}

static bool make(struct making *m, struct status *st)
{
    TRY(case_check_case(m->arena, m->node, st));
    TRY(read_words(m, st));
    TRY(read_inputs(m, st));
    TRY(read_infeed(m, st));
    TRY(read_outfeed(m, st));
    TRY(make_program(m, st));
    return read_expect(m, st);
}

bool case_make(struct arena *a, const struct case_stub *stub, const char *form,
               const struct limits *limits, struct test_case **made,
               struct status *st)
{
    struct test_case *t = arena_new(a, struct test_case, 1);
    struct making m = {.arena = a, .limits = limits, .test = t};
    t->stub = stub;
    t->op = stub->op;
    t->name = case_name(a, stub, form);
    t->written = t;
    TRY(spec_load(st));
    TRY(case_subst(a, stub, &m.node, st));
    t->node = m.node;
    TRY(make(&m, st));
    if (form)
        TRY(make_form(&m, form, st));
    *made = t;
    return true;
}
