/* record_detail.c - see record.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result comes as one block of memory from the judge's process: struct
 * job_result, then its wrong units, bins, remarks and causes (job.h).
 */
#include <stdio.h>
#include <string.h>

#include "interp/case/case_subst.h"
#include "interp/case/case_write.h"
#include "runner/record.h"

enum {
    JSON_BYTES_MAX = 64 << 10 /* of a case that is kept with a failure */
};

struct text {
    char *at;
    size_t length, room;
    bool full;
};

/* A truncated text is dropped: half of a document is useless. */
static void append_text(struct text *t, const char *s, size_t n)
{
    if (t->full || n > t->room - t->length) {
        t->full = true;
        return;
    }
    memcpy(t->at + t->length, s, n);
    t->length += n;
}

static void put_json(struct arena *a, struct text *t, const struct json *node)
{
    const char *quoted;
    switch (node->kind) {
    case JSON_NULL:
        append_text(t, "null", 4);
        return;
    case JSON_BOOL:
        append_text(t, node->boolean ? "true" : "false", node->boolean ? 4 : 5);
        return;
    case JSON_NUMBER:
        append_text(t, node->text, node->length);
        return;
    case JSON_STRING:
        quoted = json_quote(a, node->text);
        append_text(t, quoted, strlen(quoted));
        return;
    case JSON_ARRAY:
    case JSON_OBJECT:
        break;
    }
    append_text(t, node->kind == JSON_ARRAY ? "[" : "{", 1);
    for (const struct json *n = node->child; n && !t->full; n = n->next) {
        if (n != node->child)
            append_text(t, ",", 1);
        if (node->kind == JSON_OBJECT) {
            quoted = json_quote(a, n->key);
            append_text(t, quoted, strlen(quoted));
            append_text(t, ":", 1);
        }
        put_json(a, t, n);
    }
    append_text(t, node->kind == JSON_ARRAY ? "]" : "}", 1);
}

/* A JSON value as compact text; NULL if it is longer than limit bytes. */
static const char *json_text(struct arena *a, const struct json *node,
                             size_t limit)
{
    if (!node)
        return NULL;
    struct text t = {arena_alloc(a, limit + 1), 0, limit, false};
    put_json(a, &t, node);
    return t.full ? NULL : t.at;
}

static bool add_wrong(struct store *store, int64_t plan, int n,
                      const struct job_wrong *from, struct status *st)
{
    struct store_operand operands[JOB_OPERANDS];
    struct store_wrong w = {.plan = plan,
                            .n = n,
                            .replica = from->replica,
                            .output = from->leaf,
                            .place = from->place,
                            .type = dtype_table[from->type].name,
                            .got = from->got,
                            .want = from->want,
                            .has_low = from->has_set,
                            .low = from->low,
                            .has_high = from->has_set,
                            .high = from->high,
                            .accept = from->accept,
                            .has_error = from->has_error,
                            .error = from->error,
                            .has_share = from->has_share,
                            .share = from->share,
                            .operand_count = from->operand_count,
                            .operands = operands};
    for (int i = 0; i < from->operand_count; i++)
        operands[i] = (struct store_operand){
            .type = dtype_table[from->operands[i].type].name,
            .bits = from->operands[i].bits,
            .has_imaginary = from->operands[i].complex != 0,
            .imaginary = from->operands[i].imaginary};
    return store_wrong_add(store, &w, st);
}

const char *record_detail_covers(struct arena *a, const struct json *node)
{
    const struct json *covers = json_member(node, "covers");
    const char *all = NULL;
    for (const struct json *n = covers ? covers->child : NULL; n; n = n->next)
        if (n->kind == JSON_STRING)
            all = all ? arena_printf(a, "%s %s", all, n->text) : n->text;
    return all;
}

/* The text of a case with the program of its form, as a backend gets it. */
static const char *with_form(struct arena *a, const struct plan_case *c,
                             const char *text)
{
    static const struct limits limits = LIMITS_DEFAULT;
    struct test_case *t;
    struct status ignored = {0};
    size_t n = text ? strlen(text) : 0;
    if (!c->form || n == 0 || text[n - 1] != '}'
        || !case_make(a, c->stub, c->form, &limits, &t, &ignored)
        || !t->written->program)
        return text;
    const char *program =
        case_write(a, t->written->program, t->name, t->rejected);
    return arena_printf(a, "%.*s, \"form\": %s, \"written\": %s}", (int)(n - 1),
                        text, json_quote(a, c->form), program);
}

static bool add_detail(struct arena *a, struct store *store, int64_t plan,
                       const struct plan_case *c,
                       const struct job_result *result,
                       const struct record_origin *origin, bool whole,
                       struct status *st)
{
    const struct json *node = c->stub->node, *made = NULL;
    struct status ignored = {0};
    /* made: with the variables' values, so that it can be run elsewhere. */
    if (!whole || !case_subst(a, c->stub, &made, &ignored))
        made = NULL;
    struct store_detail d = {
        .plan = plan,
        .message = result->text,
        .requirements = record_detail_covers(a, node),
        .command = origin->command,
        .at = origin->program ? origin->program
                              : arena_printf(a, "%s:%u:%u", c->stub->file->path,
                                             node->line, node->column),
        .inputs = json_text(a, json_member(made, "inputs"), JSON_BYTES_MAX),
        .program = with_form(a, c, json_text(a, made, JSON_BYTES_MAX)),
    };
    return store_add(store, STORE_DETAIL, &d, st);
}

struct expect_found record_detail_found(const struct job_result *result)
{
    const struct job_wrong *w = (const struct job_wrong *)(result + 1);
    struct expect_found f = {.status = (enum verdict_status)result->status};
    const struct job_cause *cause = job_causes(result);
    int n = expect_by_units(result->text) ? result->wrong_count : 0;
    f.message = f.status != VERDICT_FLAKE && expect_by_units(result->text)
                    ? NULL
                    : result->text;
    if (f.status != VERDICT_FAIL)
        return f;
    for (int i = 0; i < result->cause_count && i < EXPECT_CAUSES; i++)
        f.causes[f.cause_count++] = cause[i].name;
    f.searched = !(result->flags & VERDICT_SEARCH_ENDED);
    for (int i = 0; i < n; i++, w++)
        expect_found_unit(&f,
                          verdict_nature((enum dtype)w->type, w->got, w->want,
                                         w->has_error, w->has_share),
                          w->error, w->share);
    expect_found_end(&f, n < result->bad, result->error, result->share);
    return f;
}

struct store_result record_detail_row(int64_t plan, enum verdict_status status,
                                      const struct job_result *result)
{
    return (struct store_result){
        .plan = plan,
        .status = (int64_t)status,
        .attempt = result->attempt > 0 ? result->attempt : 1,
        .time = result->time_ns,
        .units = result->units,
        .correct = result->correct,
        .bad = result->bad,
        .special = result->special,
        .has_error = result->has_error,
        .error = result->error,
        .has_share = result->has_share,
        .share = result->share,
        .worst_unit = result->worst_unit,
        .worst_input = result->worst_input[0] ? result->worst_input : NULL,
        .flags = result->flags};
}

bool record_detail(struct arena *a, struct store *store, int64_t plan,
                   const struct plan_case *c, enum verdict_status status,
                   const struct job_result *result,
                   const struct record_origin *origin, struct status *st)
{
    const struct job_wrong *w = (const struct job_wrong *)(result + 1);
    const struct store_result row = record_detail_row(plan, status, result);
    TRY(store_result_add(store, &row, st));
    const struct job_bin *b = (const struct job_bin *)(w + result->wrong_count);
    for (int i = 0; i < result->bin_count; i++)
        TRY(store_add(store, STORE_BIN,
                      &(struct store_bin){
                          .plan = plan, .bin = b[i].bin, .count = b[i].count},
                      st));
    const struct job_remark *remark =
        (const struct job_remark *)(b + result->bin_count);
    for (int i = 0; status == VERDICT_WARN && i < result->remark_count; i++)
        TRY(store_add(store, STORE_REMARK,
                      &(struct store_remark){.plan = plan,
                                             .name = remark[i].name,
                                             .units = remark[i].units},
                      st));
    const struct job_cause *cause = job_causes(result);
    for (int i = 0; i < result->cause_count; i++)
        TRY(store_add(store, STORE_CAUSE,
                      &(struct store_cause){.plan = plan,
                                            .n = i,
                                            .name = cause[i].name,
                                            .text = cause[i].text,
                                            .units = cause[i].units,
                                            .moved = cause[i].moved,
                                            .exact = cause[i].exact != 0},
                      st));
    /* Most cases pass: for them the counts are enough, and the case file has
     * the rest. */
    if (status == VERDICT_PASS && !result->reference_wrong)
        return true;
    bool whole = verdict_is_failure(status) || result->reference_wrong
                 || status == VERDICT_XFAIL;
    TRY(add_detail(a, store, plan, c, result, origin, whole, st));
    for (int i = 0; i < result->wrong_count; i++)
        TRY(add_wrong(store, plan, i, &w[i], st));
    return true;
}
