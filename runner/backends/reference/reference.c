/* reference.c - the exact interpreter as a backend.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * It shows that the ABI carries everything that the interpreter needs, and
 * tests the path through it: each value that it returns is the reference's own.
 * Option: profile=NAME, or deviation=NAME, which gives what a program returns
 * under a deviation of spec/deviations.json, or under two of them, "A + B" (and
 * the exact result of programs to which it does not apply).  NAME@PLACE is one
 * that holds at that place of spec/places.json only.
 */
#include <assay/backend.h>
#include <assay/ext/custom_call.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/deviation/deviation_pair.h"
#include "interp/deviation/deviation_run.h"
#include "interp/ops/custom.h"
#include "interp/program/evaluate.h"
#include "runner/backends/reference/import.h"

/* A deviation may make a loop endless, and each round takes memory: it ends
 * after so many steps, or four times those of the program itself. */
static const int64_t STEPS_WRONG = INT64_C(1) << 25;

struct reference {
    assay_backend backend;
    struct arena arena;   /* the profile's */
    struct arena scratch; /* of one execution */
    const struct profile *profile;
    struct deviation_pair deviation; /* count == 0: none */
    struct limits limits;
    const assay_host *host;
    struct custom_lookup lookup; /* functions that the host knows */
};

struct assay_executable {
    struct arena arena;
    struct program *program;
    int64_t executions;
};

static assay_code fail(const struct status *st, assay_error *error)
{
    static const assay_code codes[STATUS_COUNT] = {
#define STATUS(code, name, meaning)
#define STATUS_CLASS(code, name, meaning) [STATUS_##code] = ASSAY_##code,
#include "interp/base/status.def"
        [STATUS_OK] = ASSAY_OK,
        [STATUS_INPUT] = ASSAY_FAILED,
        [STATUS_SYSTEM] = ASSAY_FAILED,
    };
    snprintf(error->text, sizeof error->text, "%s", st->text);
    return codes[st->code];
}

static const char *capability(assay_backend *backend, const char *name)
{
    (void)backend;
    if (strcmp(name, "replicas") == 0)
        return "64";
    if (strcmp(name, "programs") == 0)
        return "yes";
    if (strcmp(name, "subnormal") == 0)
        return "preserve";
    return NULL;
}

static int32_t property(assay_backend *backend, int32_t i, const char **key,
                        const char **value)
{
    const struct reference *self = backend->self;
    if (i != 0)
        return 0;
    *key = "profile";
    *value = profile_name(self->profile);
    return 1;
}

static void release(assay_backend *backend, assay_executable *x)
{
    (void)backend;
    if (!x)
        return;
    arena_free(&x->arena);
    free(x);
}

static assay_code compile(assay_backend *backend, const assay_program *program,
                          assay_executable **executable, assay_error *error)
{
    struct reference *self = backend->self;
    struct status st = {0};
    assay_executable *x = calloc(1, sizeof *x);
    *executable = NULL;
    if (!x)
        return ASSAY_FAILED;
    if (import_program(&x->arena, program, &self->limits, &x->program, &st)
        && program_infer(x->program, &st)) {
        *executable = x;
        return ASSAY_OK;
    }
    release(backend, x);
    return fail(&st, error);
}

/* A function for CustomCall, from the host. */
static bool find_function(void *context, const char *name,
                          custom_function **function, struct status *st)
{
    const struct reference *self = context;
    const assay_custom_call *calls =
        self->host->extension(self->host, ASSAY_CUSTOM_CALL);
    assay_error error = {.size = sizeof error};
    *function = calls->find(self->host, name, &error);
    return *function || !error.text[0]
           || FAIL(st, SYSTEM, "%.200s", error.text);
}

/* ---- Executing ----------------------------------------------------------- */

static bool read_inputs(struct arena *a, const struct program *p,
                        const assay_execution *e, struct literal ***inputs,
                        struct status *st)
{
    const struct computation *c = p->entry;
    int rows = p->replicas * p->partitions, next = 0;
    for (int r = 0; r < rows; r++) {
        inputs[r] = arena_new(a, struct literal *, (size_t)c->parameter_count);
        for (int i = 0; i < c->parameter_count; i++)
            TRY(import_literal(a, c->instructions[c->parameters[i]]->shape,
                               e->inputs, &next, &inputs[r][i], st));
    }
    return true;
}

/* Reads the data of Infeed, as arrays: one literal each. */
static bool read_infeed(struct arena *a, struct machine *m, int rows,
                        const assay_execution *e, struct status *st)
{
    m->infeed = arena_new(a, struct literal **, (size_t)rows);
    m->infeed_count = arena_new(a, int, (size_t)rows);
    for (int r = 0; e->infeed && r < rows; r++) {
        int next = (int)e->infeed_start[r], n = 0;
        int end = (int)e->infeed_start[r + 1];
        m->infeed[r] = arena_new(a, struct literal *, (size_t)(end - next));
        while (next < end) {
            const struct shape *s;
            TRY(import_shape(a, e->infeed[next]->shape, &s, st));
            TRY(import_literal(a, s, e->infeed, &next, &m->infeed[r][n++], st));
        }
        m->infeed_count[r] = n;
    }
    return true;
}

static void write_output(const struct literal *l, assay_output *out)
{
    const struct shape *s = l->shape;
    const char *type = "token";
    out->rank = 0;
    out->bytes = 0;
    if (s->kind == SHAPE_ARRAY) {
        type = dtype_table[s->dtype].name;
        out->rank = s->rank;
        out->bytes = (uint64_t)shape_bytes(s);
        for (int i = 0; i < s->rank && i < out->rank_capacity; i++) {
            out->dims[i] = s->dims[i];
            out->sizes[i] = l->sizes ? l->sizes[i] : s->dims[i];
        }
    }
    snprintf(out->dtype, sizeof out->dtype, "%s", type);
    uint64_t n = out->bytes < out->capacity ? out->bytes : out->capacity;
    if (n > 0)
        memcpy(out->data, l->data, (size_t)n);
}

static void write_outfeed(const struct machine *m, int rows,
                          const assay_execution *e)
{
    for (int r = 0; e->outfeed && r < rows; r++)
        for (int i = 0; i < m->outfeed_count[r]; i++) {
            const struct literal *l = m->outfeed[r][i];
            for (int k = 0; k < shape_leaves(l->shape); k++) {
                const struct literal *leaf = literal_leaf(l, k);
                if (leaf->shape->kind != SHAPE_ARRAY)
                    continue;
                assay_shape shape = {.size = sizeof shape,
                                     .kind = ASSAY_ARRAY,
                                     .rank = leaf->shape->rank,
                                     .dtype =
                                         dtype_table[leaf->shape->dtype].name,
                                     .dims = leaf->shape->dims};
                assay_tensor t = {.size = sizeof t,
                                  .shape = &shape,
                                  .data = leaf->data,
                                  .bytes = (uint64_t)shape_bytes(leaf->shape),
                                  .sizes = leaf->sizes};
                e->outfeed(e->outfeed_context, r, &t);
            }
        }
}

/* Units that a deviation changes become what it gives. */
static void change(int rows, const struct outcome *plain,
                   const struct outcome *other, struct outcome *to)
{
    for (int r = 0; r < rows; r++)
        for (int i = 0; i < shape_leaves(plain[r].value->shape); i++) {
            const struct literal *want = literal_leaf(plain[r].value, i);
            const struct literal *from = literal_leaf(other[r].value, i);
            if (want->shape->kind != SHAPE_ARRAY)
                continue;
            for (int64_t u = 0; u < literal_units(want); u++)
                if (literal_get(from, u) != literal_get(want, u))
                    literal_set(literal_leaf(to[r].value, i), u,
                                literal_get(from, u));
        }
}

/* Under one deviation, within so many steps: *wrong is the machine that did
 * it. */
static bool evaluate_wrong(struct arena *a, const struct reference *self,
                           const struct deviation_use *use, int64_t steps,
                           struct machine *wrong,
                           struct literal *const *const *inputs,
                           struct outcome *outcomes, struct status *why)
{
    struct limits few = self->limits;
    few.steps = steps;
    wrong->limits = &few;
    *why = (struct status){0};
    bool good = deviation_run(a, use, wrong, inputs, outcomes, why);
    wrong->limits = &self->limits;
    return good;
}

/* Where the deviation does not apply, the result is the right one. */
static bool evaluate_single(struct arena *a, const struct reference *self,
                            const struct deviation_use *use, struct machine *m,
                            struct literal *const *const *inputs,
                            struct outcome *outcomes, struct status *st)
{
    const struct machine start = *m;
    struct machine wrong = start;
    struct status why;
    int64_t most = self->limits.steps;
    int64_t few = most < STEPS_WRONG ? most : STEPS_WRONG;
    bool done =
        evaluate_wrong(a, self, use, few, &wrong, inputs, outcomes, &why);
    if (!done)
        TRY(evaluate_program(a, m, inputs, outcomes, st));
    int64_t more = m->steps > most / 4 ? most : 4 * m->steps;
    if (!done && why.code == STATUS_SYSTEM && more > few) {
        size_t rows = (size_t)start.replicas;
        struct outcome *other = arena_new(a, struct outcome, rows);
        few = more;
        wrong = start;
        done = evaluate_wrong(a, self, use, few, &wrong, inputs, other, &why);
        for (size_t r = 0; done && r < rows; r++)
            outcomes[r] = other[r];
    }
    if (done)
        *m = wrong;
    /* After half of the steps or more, their limit is taken for the cause. */
    return done || why.code != STATUS_SYSTEM || wrong.steps <= few / 2
           || FAIL(st, SYSTEM, "no end within %" PRId64 " steps under %s", few,
                   use->name);
}

/* Under two deviations: of what both change the first one's. */
static bool evaluate_pair(struct arena *a, const struct reference *self,
                          struct machine *m,
                          struct literal *const *const *inputs,
                          struct outcome *outcomes, struct status *st)
{
    size_t rows = (size_t)m->replicas;
    struct outcome *plain = arena_new(a, struct outcome, rows);
    struct outcome *other = arena_new(a, struct outcome, rows);
    const struct machine start = *m;
    TRY(evaluate_program(a, m, inputs, plain, st));
    for (size_t r = 0; r < rows; r++) {
        outcomes[r] = plain[r];
        outcomes[r].value = literal_copy(a, plain[r].value);
    }
    for (int i = 1; i >= 0; i--) {
        struct machine wrong = start;
        TRY(evaluate_single(a, self, &self->deviation.uses[i], &wrong, inputs,
                            other, st));
        change((int)rows, plain, other, outcomes);
    }
    return true;
}

static bool evaluate(struct arena *a, const struct reference *self,
                     struct machine *m, struct literal *const *const *inputs,
                     struct outcome *outcomes, struct status *st)
{
    if (self->deviation.count == 2)
        return evaluate_pair(a, self, m, inputs, outcomes, st);
    if (self->deviation.count == 1)
        return evaluate_single(a, self, &self->deviation.uses[0], m, inputs,
                               outcomes, st);
    return evaluate_program(a, m, inputs, outcomes, st);
}

static bool run_program(struct arena *a, const struct reference *self,
                        const struct program *p, const assay_execution *e,
                        struct status *st)
{
    int rows = p->replicas * p->partitions;
    struct machine m = {.program = p,
                        .profile = self->profile,
                        .limits = &self->limits,
                        .replicas = rows,
                        .custom_calls =
                            self->lookup.find ? &self->lookup : NULL};
    struct literal ***inputs = arena_new(a, struct literal **, (size_t)rows);
    struct outcome *outcomes = arena_new(a, struct outcome, (size_t)rows);
    TRY(read_inputs(a, p, e, inputs, st));
    TRY(read_infeed(a, &m, rows, e, st));
    TRY(evaluate(a, self, &m, (struct literal *const *const *)inputs, outcomes,
                 st));
    for (int r = 0; r < rows; r++) {
        int n = shape_leaves(p->entry->result);
        for (int i = 0; i < n; i++)
            write_output(literal_leaf(outcomes[r].value, i),
                         e->outputs[r * n + i]);
    }
    write_outfeed(&m, rows, e);
    return true;
}

static assay_code execute(assay_backend *backend, assay_executable *x,
                          const assay_execution *execution, assay_error *error)
{
    struct reference *self = backend->self;
    struct status st = {0};
    x->executions++;
    for (int i = 0; i < self->deviation.count; i++)
        self->deviation.uses[i].execution = x->executions;
    bool ok = run_program(&self->scratch, self, x->program, execution, &st);
    arena_reset(&self->scratch);
    return ok ? ASSAY_OK : fail(&st, error);
}

/* ---- Opening ------------------------------------------------------------- */

static void close_reference(assay_backend *backend)
{
    struct reference *self = backend->self;
    evaluate_end();
    arena_free(&self->scratch);
    arena_free(&self->arena);
    free(self);
}

static bool start(struct reference *self, const char *options,
                  struct status *st)
{
    const char *name = "spec", *deviation = NULL;
    const struct deviation_table *table;
    if (options && strncmp(options, "deviation=", 10) == 0) {
        deviation = options + 10;
    } else if (options && options[0]) {
        if (strncmp(options, "profile=", 8) != 0 || strchr(options, ','))
            return FAIL(st, INPUT,
                        "expected the option 'profile=NAME', "
                        "'deviation=NAME' or 'deviation=NAME@PLACE', got '%s'",
                        options);
        name = options + 8;
    }
    if (deviation)
        TRY(deviation_read(&self->arena, &table, st)
            && deviation_pair_find(&self->arena, table,
                                   arena_text(&self->arena, deviation),
                                   &self->deviation, st));
    return spec_load(st)
           && profile_load(&self->arena, name, &self->profile, st);
}

ASSAY_EXPORT assay_code assay_backend_open(const assay_host *host,
                                           const char *options,
                                           assay_backend **backend,
                                           assay_error *error)
{
    struct status st = {0};
    struct reference *self = calloc(1, sizeof *self);
    if (!self)
        return ASSAY_FAILED;
    self->limits = (struct limits)LIMITS_DEFAULT;
    self->host = host;
    if (host->extension && host->extension(host, ASSAY_CUSTOM_CALL))
        self->lookup = (struct custom_lookup){find_function, self};
    if (!start(self, options, &st)) {
        arena_free(&self->arena);
        free(self);
        return fail(&st, error);
    }
    self->backend = (assay_backend){.size = sizeof self->backend,
                                    .name = "reference",
                                    .version = ASSAY_VERSION,
                                    .self = self,
                                    .property = property,
                                    .capability = capability,
                                    .compile = compile,
                                    .execute = execute,
                                    .release = release,
                                    .close = close_reference};
    *backend = &self->backend;
    return ASSAY_OK;
}
