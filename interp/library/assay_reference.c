/* assay_reference.c - see assay/reference.h: the library's public interface.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whatever allocates goes through call_run: it is unwound to there when memory
 * runs out.  Nothing is shared by threads but what does not change: the tables
 * of the specification, once they are read, and an open file's cases.
 * Verdicts are in assay_reference_judge.c.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "interp/case/case_expect.h"
#include "interp/data/show.h"
#include "interp/filter/judge_fast.h"
#include "interp/judge/accept_text.h"
#include "interp/library/abi.h"
#include "interp/library/call.h"
#include "interp/library/result.h"

/* ---- Calls -------------------------------------------------------------- */

/* The arguments of one call. */
struct request {
    struct arena *arena;
    assay_reference *reference;
    assay_reference_result *result;
    const char *path, *text; /* text: NULL: a file */
    uint64_t length;
    const assay_reference_options *options;
    struct output *output;
    int64_t element;
    const char *answer;
};

static void *new_object(size_t size, struct status *st)
{
    void *object = calloc(1, size);
    if (!object)
        FAIL(st, SYSTEM, "out of memory");
    return object;
}

/* ---- Files -------------------------------------------------------------- */

#define OPTION(o, member) \
    ((o) && ASSAY_HAS(assay_reference_options, (o), member) ? (o)->member : 0)

static bool take_options(assay_reference *r, const assay_reference_options *o,
                         struct status *st)
{
    const char *name = OPTION(o, profile);
    int64_t steps = OPTION(o, steps), bytes = OPTION(o, evaluate_bytes);
    int64_t literal = OPTION(o, literal_bytes);
    if (steps < 0 || bytes < 0 || literal < 0)
        return FAIL(st, INPUT, "a limit is negative");
    r->limits = (struct limits)LIMITS_DEFAULT;
    r->values_only = OPTION(o, values_only) != 0;
    r->operands = OPTION(o, operands);
    r->operand_count = r->operands ? OPTION(o, operand_count) : 0;
    r->limits.steps = steps ? steps : r->limits.steps;
    r->limits.evaluate_bytes = bytes ? bytes : r->limits.evaluate_bytes;
    r->limits.literal_bytes = literal ? literal : r->limits.literal_bytes;
    r->profile_name = name ? arena_text(&r->arena, name) : NULL;
    return profile_load(&r->arena, name ? name : "spec", &r->profile, st);
}

/* The last part of a path, without its suffix. */
static const char *stem(struct arena *a, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return arena_printf(
        a, "%.*s",
        (int)(dot && dot > name ? (size_t)(dot - name) : strlen(name)), name);
}

static bool read_cases(void *context, struct status *st)
{
    const struct request *q = context;
    assay_reference *r = q->reference;
    const struct limits *limits = &r->limits;
    TRY(take_options(r, q->options, st));
    if (!q->text)
        return case_file_read(&r->arena, q->path, stem(&r->arena, q->path),
                              limits, &r->file, st);
    /* A text is in memory already: a limit for files would only hide how many
     * elements a caller may have. */
    return case_file_parse(&r->arena, q->path, q->path, q->text,
                           (size_t)q->length, limits, &r->file, st);
}

static assay_code open_cases(struct request *q, assay_reference **reference,
                             assay_error *error)
{
    struct status st = {STATUS_OK};
    if (!reference)
        return call_missing(error, "reference");
    *reference = NULL;
    if (!q->path)
        return call_missing(error, q->text ? "name" : "path");
    assay_reference *r = new_object(sizeof *r, &st);
    if (r) {
        q->reference = r;
        q->arena = &r->arena;
    }
    bool good = r && call_run(q->arena, read_cases, q, &st);
    assay_code code = good ? ASSAY_OK : call_fail(error, &st);
    *reference = good ? r : NULL;
    if (!good)
        assay_reference_close(r);
    return code;
}

assay_code assay_reference_open(const char *path,
                                const assay_reference_options *options,
                                assay_reference **reference, assay_error *error)
{
    struct request q = {.path = path, .options = options};
    return open_cases(&q, reference, error);
}

assay_code assay_reference_parse(const char *name, const char *text,
                                 uint64_t length,
                                 const assay_reference_options *options,
                                 assay_reference **reference,
                                 assay_error *error)
{
    struct request q = {.path = name,
                        .text = text ? text : "",
                        .length = length,
                        .options = options};
    if (reference)
        *reference = NULL;
    if (!text && length > 0)
        return call_missing(error, "text");
    return open_cases(&q, reference, error);
}

void assay_reference_close(assay_reference *r)
{
    if (!r)
        return;
    arena_free(&r->arena);
    free(r);
}

int64_t assay_reference_count(const assay_reference *r)
{
    return r ? r->file->stub_count : 0;
}

const char *assay_reference_name(const assay_reference *r, int64_t number)
{
    return r && number >= 0 && number < r->file->stub_count
               ? r->file->stubs[number].name
               : NULL;
}

/* ---- Evaluation ---------------------------------------------------------- */

static assay_code code_of(enum code code)
{
    for (assay_code c = ASSAY_OK; c <= ASSAY_UNSUPPORTED; c++)
        if (abi_code(c) == code)
            return c;
    return ASSAY_FAILED;
}

/* The program has no values: is that expected? */
static void refuse(assay_reference_result *r, const struct status *why)
{
    r->code = code_of(why->code);
    r->why = arena_text(&r->arena, why->text);
    bool due = r->made->error_count > 0
                   ? case_expect_error(r->made, why->code)
                   : r->made->expect_count == 0 && !r->made->rejected;
    r->differs = due ? NULL : r->why;
}

static void keep_outputs(assay_reference_result *r)
{
    int n = r->evaluated.replicas, k = 0;
    r->outputs = r->evaluated.outcomes[0].count;
    r->output =
        arena_new(&r->arena, struct output, (size_t)(n * r->outputs) + 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < r->outputs; j++, k++) {
            const struct outcome *o = &r->evaluated.outcomes[i];
            struct output *to = &r->output[k];
            to->value = literal_leaf(o->value, j);
            to->tensor = abi_tensor(&r->arena, to->value);
            to->goal = o->goals ? o->goals[j] : NULL;
            if (r->of->values_only)
                to->goal = NULL;
            else if (!to->goal && to->value->shape->kind == SHAPE_ARRAY)
                to->goal =
                    goal_of(&r->arena, literal_leaf(o->value, j), GOAL_MOVED);
        }
}

static void keep_inputs(assay_reference_result *r)
{
    const struct test_case *t = r->made;
    int n = 0, k = 0;
    for (int i = 0; i < t->input_count; i++)
        r->inputs += shape_leaves(t->inputs[0][i]->shape);
    n = t->replicas * r->inputs;
    r->input = arena_new(&r->arena, const assay_tensor *, (size_t)n + 1);
    for (int i = 0; i < t->replicas; i++)
        for (int j = 0; j < t->input_count; j++)
            for (int m = 0; m < shape_leaves(t->inputs[i][j]->shape); m++)
                r->input[k++] =
                    abi_tensor(&r->arena, literal_leaf(t->inputs[i][j], m));
}

static void compare_expected(assay_reference_result *r)
{
    struct arena *a = &r->arena;
    const struct test_case *t = r->made;
    struct machine *m = arena_new(a, struct machine, 1);
    m->replicas = r->evaluated.replicas;
    m->outfeed = r->evaluated.outfeed;
    m->outfeed_count = r->evaluated.outfeed_count;
    if (t->error_count > 0)
        r->differs = "expected an error, but the program has a result";
    else
        r->differs = case_expect_results(a, t, r->evaluated.outcomes);
    if (!r->differs)
        r->differs = case_expect_outfeed(a, t, m);
}

/* By a kernel, if it is one function that has one. */
static bool evaluate_fast(assay_reference_result *r,
                          const struct judge_mode *mode)
{
    struct literal *value = judge_exact(&r->arena, r->made, mode);
    if (!value)
        return false;
    struct outcome *out = arena_new(&r->arena, struct outcome, 1);
    *out = (struct outcome){.value = value, .count = 1};
    r->evaluated = (struct judge_reference){
        .outcomes = out,
        .replicas = 1,
        .outfeed = arena_new(&r->arena, struct literal **, 1),
        .outfeed_count = arena_new(&r->arena, int, 1)};
    r->evaluated.outfeed[0] = NULL;
    r->evaluated.outfeed_count[0] = 0;
    return true;
}

/* The data of one input, in place of those of the text. */
static bool put_operand(struct literal *l, int64_t number,
                        const assay_tensor *t, struct status *st)
{
    const struct shape *s = l->shape;
    bool array = s->kind == SHAPE_ARRAY && !shape_has_dynamic(s);
    if (!array || t->bytes != (uint64_t)shape_bytes(s)
        || (t->bytes && !t->data))
        return FAIL(st, INPUT,
                    "operand %" PRId64 " has %" PRIu64
                    " bytes, the input is not an array of as many",
                    number, t->bytes);
    if (t->bytes)
        memcpy(l->data, t->data, (size_t)t->bytes);
    uint64_t unused = ~dtype_mask(s->dtype);
    if (8 * dtype_unit_bytes(s->dtype)
        == dtype_table[dtype_unit(s->dtype)].bits)
        return true;
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        if (literal_get(l, i) & unused)
            return FAIL(st, INPUT,
                        "operand %" PRId64 ": element %" PRId64
                        " has more bits than %s",
                        number, i, dtype_table[s->dtype].name);
    return true;
}

static bool put_operands(const assay_reference *of, const struct test_case *t,
                         struct status *st)
{
    for (int64_t k = 0; k < of->operand_count && !t->rejected; k++) {
        if (of->operands[k] && k >= t->input_count)
            return FAIL(st, INPUT,
                        "operand %" PRId64 ": the case has %d inputs", k,
                        t->input_count);
        for (int r = 0; of->operands[k] && r < t->replicas; r++)
            TRY(put_operand(t->inputs[r][k], k, of->operands[k], st));
    }
    return true;
}

static bool evaluate(void *context, struct status *st)
{
    assay_reference_result *r = ((struct request *)context)->result;
    const assay_reference *of = r->of;
    struct status own = {STATUS_OK};
    TRY(case_make(&r->arena, r->stub, NULL, &of->limits, &r->made, st));
    TRY(put_operands(of, r->made, st));
    const struct profile *p = of->profile;
    if (r->made->profile && !of->profile_name)
        TRY(profile_load(&r->arena, r->made->profile, &p, st));
    TRY(profile_with(&r->arena, p, r->made->policies, &r->profile, st));
    if (r->made->rejected) {
        refuse(r, &r->made->rejection);
        return true;
    }
    const struct judge_mode mode = {
        .profile = r->profile, .limits = &of->limits, .want_exact = true};
    if (!(of->values_only && evaluate_fast(r, &mode))
        && !judge_reference(&r->arena, r->made, &mode, &r->evaluated, &own)) {
        r->evaluated.replicas = 0;
        if (code_of(own.code) == ASSAY_FAILED) {
            *st = own;
            return false;
        }
        refuse(r, &own);
        return true;
    }
    keep_outputs(r);
    keep_inputs(r);
    compare_expected(r);
    return true;
}

assay_code assay_reference_evaluate(assay_reference *reference, int64_t number,
                                    assay_reference_result **result,
                                    assay_error *error)
{
    struct status st = {STATUS_OK};
    if (!result)
        return call_missing(error, "result");
    *result = NULL;
    if (!reference)
        return call_missing(error, "reference");
    assay_reference_result *r = new_object(sizeof *r, &st);
    bool good = r != NULL;
    if (good && (number < 0 || number >= reference->file->stub_count))
        good = FAIL(&st, INPUT, "no case %lld", (long long)number);
    if (good) {
        struct request q = {.arena = &r->arena, .result = r};
        r->of = reference;
        r->stub = &reference->file->stubs[number];
        good = call_run(q.arena, evaluate, &q, &st);
    }
    assay_code code = good ? ASSAY_OK : call_fail(error, &st);
    *result = good ? r : NULL;
    if (!good)
        assay_reference_release(r);
    return code;
}

void assay_reference_release(assay_reference_result *r)
{
    if (!r)
        return;
    arena_free(&r->arena);
    free(r);
}

/* ---- Results ------------------------------------------------------------- */

static const char no_result[] = "there is no result";

assay_code assay_reference_verdict(const assay_reference_result *r,
                                   const char **why)
{
    if (why)
        *why = !r ? no_result : r->why ? r->why : "";
    return r ? r->code : ASSAY_FAILED;
}

const char *assay_reference_differs(const assay_reference_result *r)
{
    return r ? r->differs : no_result;
}

int32_t assay_reference_replicas(const assay_reference_result *r)
{
    return r ? r->evaluated.replicas : 0;
}

int32_t assay_reference_inputs(const assay_reference_result *r)
{
    return r ? r->inputs : 0;
}

int32_t assay_reference_outputs(const assay_reference_result *r)
{
    return r ? r->outputs : 0;
}

const assay_tensor *assay_reference_input(assay_reference_result *r,
                                          int32_t replica, int32_t number)
{
    if (!r || replica < 0 || replica >= r->evaluated.replicas || number < 0
        || number >= r->inputs)
        return NULL;
    return r->input[replica * r->inputs + number];
}

static struct output *output_at(assay_reference_result *r, int32_t replica,
                                int32_t number)
{
    if (!r || replica < 0 || replica >= r->evaluated.replicas || number < 0
        || number >= r->outputs)
        return NULL;
    return &r->output[replica * r->outputs + number];
}

/* The same, if it has an element of that number. */
static struct output *find_element(assay_reference_result *r, int32_t replica,
                                   int32_t number, int64_t element)
{
    struct output *o = output_at(r, replica, number);
    return o && o->goal && element >= 0
                   && element < shape_elements(o->value->shape)
               ? o
               : NULL;
}

const assay_tensor *assay_reference_output(assay_reference_result *r,
                                           int32_t replica, int32_t number)
{
    struct output *o = output_at(r, replica, number);
    return o ? o->tensor : NULL;
}

/* The text that show gives for one element. */
static const char *tell(assay_reference_result *r, memory_body *show,
                        struct output *o, int64_t element)
{
    struct status st = {STATUS_OK};
    if (!o)
        return NULL;
    struct request q = {
        .arena = &r->arena, .result = r, .output = o, .element = element};
    return call_run(q.arena, show, &q, &st) ? q.answer : NULL;
}

static bool show_value(void *context, struct status *st)
{
    struct request *q = context;
    q->answer = show_element(q->arena, q->output->value, q->element);
    return true;
}

const char *assay_reference_value(assay_reference_result *r, int32_t replica,
                                  int32_t number, int64_t element)
{
    return tell(r, show_value, find_element(r, replica, number, element),
                element);
}

static bool show_accepts(void *context, struct status *st)
{
    struct request *q = context;
    struct output *o = q->output;
    const char **texts = o->accepts;
    if (!texts)
        texts = accept_text_texts(q->arena, q->result->profile, o->goal,
                                  literal_units(o->value));
    q->answer = texts[q->element];
    if (dtype_units(o->value->shape->dtype) == 2)
        q->answer = arena_printf(q->arena, "[%s, %s]", texts[2 * q->element],
                                 texts[2 * q->element + 1]);
    o->accepts = texts; /* last: an unwound call keeps nothing */
    return true;
}

const char *assay_reference_accepts(assay_reference_result *r, int32_t replica,
                                    int32_t number, int64_t element)
{
    return tell(r, show_accepts, find_element(r, replica, number, element),
                element);
}
