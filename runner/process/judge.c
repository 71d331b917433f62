/* judge.c - see judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/process/judge.h"

#include <assay/backend.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/case/case_expect.h"
#include "interp/deviation/deviation_judge.h"
#include "interp/filter/judge_fast.h"
#include "interp/judge/judge_each.h"
#include "interp/judge/judge_reference.h"
#include "interp/judge/judge_value.h"
#include "interp/judge/judge_ways.h"
#include "interp/library/abi.h"
#include "runner/plugin/abi_case.h"
#include "runner/plugin/custom_call.h"
#include "runner/plugin/plugin_state.h"
#include "runner/process/inputs.h"

struct judging {
    struct arena *arena;
    const struct job_context *context;
    const struct profile *profile; /* with the case's own choices */
    struct judge_given_record given;
    const struct plan_case *planned;
    const struct test_case *made;
    struct job_result *result;
    struct job_place *place;
    struct memo *memo; /* of the cases before, too; or NULL */
};

void judge_enter(const struct job_context *x, struct job_place *place,
                 enum job_phase phase)
{
    job_enter(place, phase);
    if (x->on_phase)
        x->on_phase(place, true);
}

/* The judge reads the backend's results from here on; an earlier death is not
 * the backend's fault. */
static void enter_backend(struct judging *j)
{
    if (j->place)
        judge_enter(j->context, j->place, JOB_JUDGE);
}

__attribute__((format(printf, 3, 4))) static bool
conclude(struct judging *j, enum verdict_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(j->result->text, sizeof j->result->text, format, args);
    va_end(args);
    j->result->status = (int32_t)status;
    return true;
}

static bool blame_reference(struct judging *j, const char *text)
{
    j->result->reference_wrong = true;
    return conclude(j, VERDICT_LIMIT, "%s", text);
}

/* How the reference evaluates the case. */
static struct judge_mode mode_of(const struct judging *j)
{
    return (struct judge_mode){.profile = j->profile,
                               .limits = j->context->limits,
                               .custom_calls = custom_call_lookup(),
                               .memo = j->memo};
}

/* ---- Conduct ------------------------------------------------------------ */

/* Messages for state that a call may not leave behind, by enum
 * plugin_state_left. */
static const struct {
    uint32_t left;
    const char *text;
} left_behind[] = {
    {PLUGIN_STATE_MODE, "changed the floating-point environment"},
    {PLUGIN_STATE_REGISTERS, "left x87 registers in use (MMX without EMMS)"},
    {PLUGIN_STATE_BACKWARDS, "left the direction flag set"},
    {PLUGIN_STATE_ALIGNMENT, "left the alignment check flag set"},
};

/* True if the backend did what none may do, whatever its result is. */
static bool breaks_abi(struct judging *j)
{
    const struct job_record *r = j->given.head;
    if (r->flags & JOB_GUARD)
        return conclude(j, VERDICT_FAIL, "wrote outside output %d", r->where);
    if (r->flags & JOB_BAD_CASE)
        return conclude(j, VERDICT_FAIL,
                        "the case cannot be made beside the backend: %.200s",
                        r->text);
    if (j->result->disturbed)
        return conclude(j, VERDICT_FAIL, "%s",
                        "the program or an input had been changed before the"
                        " execution");
    if (r->flags & JOB_INPUT)
        return conclude(j, VERDICT_FAIL, "%s", "changed an input");
    if (r->flags & JOB_BESIDE)
        return conclude(j, VERDICT_FAIL, "%s", "wrote outside an input");
    if (r->flags & JOB_PROGRAM)
        return conclude(j, VERDICT_FAIL, "%s", "changed the program");
    if (r->flags & JOB_ERROR)
        return conclude(j, VERDICT_FAIL, "%s",
                        "wrote outside the text of an error");
    for (size_t i = 0; i < sizeof left_behind / sizeof *left_behind; i++)
        if (r->left & left_behind[i].left)
            return conclude(j, VERDICT_FAIL, "%s", left_behind[i].text);
    return false;
}

/* ---- Cases that must be rejected ----------------------------------------- */

static bool reference_rejects(struct judging *j)
{
    const struct test_case *c = j->made;
    struct status st = c->rejection;
    if (!c->rejected) {
        struct judge_reference r;
        const struct judge_mode mode = mode_of(j);
        if (judge_reference(j->arena, c, &mode, &r, &st)) {
            blame_reference(j, "the reference accepts a program that the case"
                               " expects to be rejected");
            return false;
        }
    }
    if (case_expect_error(c, st.code))
        return true;
    char why[JOB_TEXT];
    snprintf(why, sizeof why,
             "the reference rejects with class %s, the case expects %s: %.200s",
             status_name(st.code), status_name(c->errors[0]), st.text);
    blame_reference(j, why);
    return false;
}

/* With which class did the backend reject a program? */
static const char *class_words(const struct judging *j, enum code class)
{
    int32_t code = j->given.head->code;
    return code == ASSAY_FAILED     ? "no class (failed)"
           : code == ASSAY_REJECTED ? "no class"
           : !abi_code_known(code)
               ? arena_printf(j->arena, "the unknown code %" PRId32, code)
               : status_name(class);
}

static bool judge_rejection(struct judging *j)
{
    const struct job_record *r = j->given.head;
    const struct test_case *c = j->made;
    if (!reference_rejects(j))
        return true;
    if (r->flags & JOB_NO_PROGRAM)
        return conclude(j, VERDICT_UNSUPPORTED, "%s",
                        "the ABI cannot express a program that is malformed "
                        "in this way");
    if (r->flags & JOB_DECLINED)
        return conclude(j, VERDICT_UNSUPPORTED, "%s", r->text);
    if (breaks_abi(j))
        return true;
    if (r->code == ASSAY_OK)
        return conclude(j, VERDICT_ACCEPTED, "accepted, expected %s",
                        status_name(c->errors[0]));
    if (r->code == ASSAY_REJECTED && r->flags & JOB_CLASSLESS)
        return conclude(j, VERDICT_PASS, "%s", "");
    enum code class = abi_code(r->code);
    if (case_expect_error(c, class))
        return conclude(j, VERDICT_PASS, "%s", "");
    if (r->code == ASSAY_UNSUPPORTED)
        return conclude(j, VERDICT_UNSUPPORTED, "%s", r->text);
    char why[JOB_TEXT];
    snprintf(why, sizeof why, "rejected with %s, expected %s: %.200s",
             class_words(j, class), status_name(c->errors[0]), r->text);
    return conclude(j, VERDICT_WRONG_CLASS, "%s", why);
}

static void count(struct judging *j, const struct verdict *v)
{
    struct job_result *r = j->result;
    r->units = v->units;
    r->correct = v->whole > 0 && v->whole == v->units
                     ? -1
                     : v->correct + (v->why[0] ? 0 : v->whole);
    r->bad = v->bad;
    r->special = v->special;
    r->has_error = v->error.has;
    r->error = v->error.size;
    r->has_share = v->share.has;
    r->share = v->share.size;
    r->worst_unit = v->error.has   ? v->error.unit
                    : v->share.has ? v->share.unit
                                   : -1;
    r->flags =
        (v->branch[VERDICT_RESULTS] > 0 ? VERDICT_FLUSHED_RESULTS : 0)
        | (v->branch[VERDICT_OPERANDS] > 0 ? VERDICT_FLUSHED_OPERANDS : 0)
        | (v->undecided > 0 ? VERDICT_UNDECIDED : 0);
}

/* Is there a result that may be any of several, but each time the same? */
static bool must_repeat(const struct judge_reference *plain)
{
    for (int r = 0; r < plain->replicas; r++)
        for (int i = 0; i < plain->outcomes[r].count; i++) {
            const struct goal *g = plain->outcomes[r].goals[i];
            if (g && g->repeats)
                return true;
        }
    return false;
}

struct execution {
    struct judge_given *outputs, *outfeed;
    int output_count, outfeed_count;
};

/* Its results, and if they are right what it wrote to the outfeed. */
static bool judge_execution(const struct judge_value *by,
                            const struct execution *x, struct verdict *v,
                            enum verdict_status *status, char *text,
                            size_t size)
{
    if (!judge_value(by, x->outputs, x->output_count, v, status, text, size))
        return false;
    if (!verdict_is_failure(*status))
        judge_value_outfeed(by, x->outfeed, x->outfeed_count, v, status, text,
                            size);
    return true;
}

/* The second execution, where its bits differ. */
static void judge_second(struct judging *j, const struct judge_value *by,
                         enum verdict_status first, const char *first_text)
{
    enum verdict_status second;
    char text[JOB_TEXT - 64];
    struct verdict *v = arena_new(j->arena, struct verdict, 1);
    const struct job_record *head = j->given.head;
    const struct execution x = {j->given.outputs2, j->given.outfeed2,
                                head->output_count, head->outfeed2_count};
    if (!judge_execution(by, &x, v, &second, text, sizeof text))
        return;
    if (!verdict_is_failure(first) && !verdict_is_failure(second)
        && must_repeat(by->plain))
        conclude(j, VERDICT_FAIL, "%s",
                 "two executions returned different results");
    if (verdict_is_failure(first) == verdict_is_failure(second))
        return;
    if (verdict_is_failure(second))
        conclude(j, VERDICT_FLAKE, "right at first, then wrong: %.200s", text);
    else
        conclude(j, VERDICT_FLAKE, "wrong at first (%.200s), then right",
                 first_text);
}

enum {
    EXPLAIN_S = 1 /* of processor time, for one case */
};
struct start {
    clock_t used;
    struct timespec wall; /* quicker to ask, and no less than what was used */
};

static bool has_time(void *context)
{
    const struct start *start = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - start->wall.tv_sec < EXPLAIN_S
           || clock() - start->used < EXPLAIN_S * CLOCKS_PER_SEC;
}

/* Why is it wrong?  From here on a death is not the backend's fault. */
static void explain(struct judging *j, const struct judge_value *by,
                    const struct verdict *v)
{
    struct deviation_cause causes[DEVIATION_CAUSES];
    const struct deviation_table *table = j->context->deviations;
    /* In a batch nothing is final, and of what is tried again (record_again.c)
     * the first result is kept. */
    if (!table || v->bad == 0 || j->given.head->batch > 0 || j->context->twice)
        return;
    if (j->place)
        judge_enter(j->context, j->place, JOB_EVALUATE);
    struct start start = {.used = clock()};
    clock_gettime(CLOCK_MONOTONIC, &start.wall);
    struct deviation_search search = {has_time, &start, false};
    int n = deviation_judge_explain(by, table, j->given.outputs,
                                    j->given.head->output_count, v, &search,
                                    causes);
    enter_backend(j);
    size_t bytes = job_result_bytes(j->result);
    struct job_result *r =
        arena_alloc(j->arena, bytes + (size_t)n * sizeof(struct job_cause));
    memcpy(r, j->result, bytes);
    struct job_cause *to = (struct job_cause *)((char *)r + bytes);
    for (int i = 0; i < n; i++) {
        to[i] = (struct job_cause){.units = causes[i].units,
                                   .moved = causes[i].moved,
                                   .exact = causes[i].exact,
                                   .held = -1};
        snprintf(to[i].name, sizeof to[i].name, "%s", causes[i].name);
        snprintf(to[i].text, sizeof to[i].text, "%s", causes[i].text);
    }
    r->cause_count = (int32_t)n;
    r->flags |= search.ended ? VERDICT_SEARCH_ENDED : 0;
    j->result = r;
}

/* A part of a sweep, by a kernel, or of a hunt, by estimates; false if that
 * does not do. */
static bool judge_sweep(struct judging *j)
{
    struct judge_reference shape;
    enum verdict_status status;
    char text[JOB_TEXT - 64];
    const struct job_record *head = j->given.head;
    const struct judge_value by = {.arena = j->arena,
                                   .mode = mode_of(j),
                                   .made = j->made,
                                   .bins = j->context->bins};
    if (head->flags & (JOB_TWICE | JOB_SECOND) || head->outfeed_count != 0
        || head->output_count != 1)
        return false;
    struct verdict *v = arena_new(j->arena, struct verdict, 1);
    enter_backend(j);
    if (!judge_fast(&by, j->given.outputs, v, &shape, &status, text,
                    sizeof text)
        && !(j->context->screen
             && judge_screen(&by, j->given.outputs, v, &shape, &status, text,
                             sizeof text))) {
        if (j->place)
            judge_enter(j->context, j->place, JOB_EVALUATE);
        return false;
    }
    count(j, v);
    conclude(j, status, "%s", text);
    j->result = judge_wrong(j->arena, j->made, &shape, v, j->result);
    return true;
}

/* Are the results of consecutive inputs in order? */
static void judge_order(struct judging *j)
{
    const struct monotone *m = j->context->monotone;
    struct literal *got;
    char text[JOB_TEXT];
    if (!m || j->result->units < 1 || j->given.head->output_count != 1)
        return;
    const struct literal want = {.shape = j->made->program->entry->result};
    if (verdict_layout(j->arena, &want, &j->given.outputs->got, &got, text,
                       sizeof text))
        j->result->order =
            monotone_count(m, literal_get(j->made->inputs[0][0], 0), got);
}

/* All that the verdict follows from beside the case. */
static struct hash hash_of(const struct execution *x)
{
    struct hash h = {{7, 8}};
    judge_given_hash(&h, x->outputs, x->output_count);
    judge_given_hash(&h, x->outfeed, x->outfeed_count);
    return h;
}

/* The same bits as at the first try, which were wrong, are wrong again: that
 * try's result counts (record_again.c), and judging wrong results takes longer
 * than right ones. */
static bool is_as_before(const struct judging *j, const struct execution *x)
{
    const struct job_context *c = j->context;
    const struct job_record *head = j->given.head;
    if (!c->twice || !c->before || head->flags & (JOB_TWICE | JOB_SECOND))
        return false;
    const struct job_result *b = c->before[c->pending[head->position]];
    const struct hash none = {{0}};
    if (!b || b->status != VERDICT_FAIL
        || memcmp(&b->returned, &none, sizeof none) == 0)
        return false;
    const struct hash now = hash_of(x);
    return memcmp(&b->returned, &now, sizeof now) == 0;
}

static bool judge_result(struct judging *j)
{
    struct judge_reference ref;
    struct status st = {0};
    enum verdict_status status;
    char text[JOB_TEXT - 64];
    struct judge_mode mode = mode_of(j);
    const struct job_record *head = j->given.head;
    const struct execution x = {j->given.outputs, j->given.outfeed,
                                head->output_count, head->outfeed_count};
    struct judge_each each = {
        .given = j->context->each ? judge_each_given(j->arena, j->made->program,
                                                     x.outputs, x.output_count)
                                  : NULL};
    if (each.given) {
        mode.evaluate = judge_each;
        mode.context = &each;
    }
    if (is_as_before(j, &x))
        return conclude(
            j, VERDICT_FAIL, "%s",
            j->context->before[j->context->pending[head->position]]->text);
    if (!judge_reference(j->arena, j->made, &mode, &ref, &st))
        return conclude(j, VERDICT_LIMIT, "the reference: %s", st.text);
    if (judge_reference_contradicts(j->arena, j->made, &ref, text, sizeof text))
        return blame_reference(j, text);
    const struct judge_value by = {.arena = j->arena,
                                   .mode = mode,
                                   .made = j->made,
                                   .plain = &ref,
                                   .bins = j->context->bins,
                                   .unremarked = j->context->unremarked};
    struct verdict *v = arena_new(j->arena, struct verdict, 1);
    enter_backend(j);
    if (!judge_execution(&by, &x, v, &status, text, sizeof text))
        return conclude(j, VERDICT_LIMIT, "%s", text);
    if (each.refused > 0 && !verdict_is_failure(status))
        return conclude(j, VERDICT_LIMIT,
                        "the reference: %d of the values: %.200s", each.refused,
                        each.why);
    count(j, v);
    if (status == VERDICT_FAIL && !j->context->twice)
        j->result->returned = hash_of(&x);
    conclude(j, status, "%s", text);
    j->result = judge_wrong(j->arena, j->made, &ref, v, j->result);
    explain(j, &by, v);
    if (head->flags & JOB_TWICE && !each.given)
        judge_second(j, &by, status, text);
    if (head->flags & JOB_SECOND && !verdict_is_failure(status))
        conclude(j, VERDICT_FLAKE, "right at first, then refused: %.200s",
                 head->text);
    return true;
}

/* ---- All together -------------------------------------------------------- */

/* A program that a permitted choice makes an invalid one may be refused. */
static bool permits_refusal(struct judging *j)
{
    const struct judge_mode mode = mode_of(j);
    const struct job_record *r = j->given.head;
    bool classless = r->code == ASSAY_REJECTED && r->flags & JOB_CLASSLESS;
    enum code class = classless ? STATUS_OK : abi_code(r->code);
    if (class == STATUS_SYSTEM)
        return false;
    const char *policy = judge_permit_refuses(j->arena, j->made, &mode, class);
    if (!policy)
        return false;
    const struct job_result *before = j->result;
    j->result =
        arena_alloc(j->arena, sizeof *j->result + sizeof(struct job_remark));
    *j->result = *before;
    struct job_remark *remark = (struct job_remark *)(j->result + 1);
    snprintf(remark->name, sizeof remark->name, "%s", policy);
    j->result->remark_count = 1;
    return conclude(j, VERDICT_WARN, "permitted: refused, %s", policy);
}

/* Was it another program, or executed on other inputs, than the case has?  Or
 * could the worker not even make the case?  Then it is not a result of the
 * case: something has changed what the worker makes cases of. */
static bool is_disturbed(const struct judging *j)
{
    static const struct hash none;
    const struct job_record *r = j->given.head;
    const struct test_case *as = j->made->written;
    if (r->flags & JOB_BAD_CASE)
        return true;
    if (memcmp(&r->program, &none, sizeof none) != 0
        && (!as->program || !as->program->entry
            || memcmp(&r->program, &abi_case(j->arena, as)->hash, sizeof none)
                   != 0))
        return true;
    if (!(r->flags & JOB_EXECUTED))
        return false;
    struct hash due = inputs_hash(as);
    return memcmp(&due, &r->inputs, sizeof due) != 0;
}

/* Judges what the worker observed, before any value is read; true if that
 * decides. */
static bool judge_conduct(struct judging *j)
{
    const struct job_record *r = j->given.head;
    if (r->flags & JOB_NO_PROGRAM || r->flags & JOB_DECLINED
        || r->code == ASSAY_UNSUPPORTED)
        return conclude(j, VERDICT_UNSUPPORTED, "%s", r->text);
    if (breaks_abi(j))
        return true;
    if (r->flags & JOB_TOO_LARGE)
        return conclude(
            j, VERDICT_LIMIT, "%s",
            r->text[0] ? r->text : "the outputs are too large for the runner");
    if (r->code != ASSAY_OK && permits_refusal(j))
        return true;
    if (r->code != ASSAY_OK) {
        enum code class = abi_code(r->code);
        return conclude(j, VERDICT_REFUSED, "%s%s%.240s",
                        abi_code_known(r->code) && class == STATUS_SYSTEM
                            ? "failed"
                            : class_words(j, class),
                        r->text[0] ? ": " : "", r->text);
    }
    if (r->flags & JOB_UNWRITTEN)
        return conclude(j, VERDICT_FAIL, "left bytes of output %d unwritten",
                        r->where);
    return false;
}

static bool judge_case(struct judging *j)
{
    const struct job_context *x = j->context;
    const struct plan_case *p =
        &x->plan->cases[x->pending[j->given.head->position]];
    struct test_case *c;
    struct status st = {0};
    if (!case_make(j->arena, p->stub, p->form, x->limits, &c, &st)) {
        if (st.code == STATUS_SYSTEM)
            return conclude(j, VERDICT_LIMIT, "%s", st.text);
        return blame_reference(j, arena_printf(j->arena, "%s:%u:%u: %s",
                                               st.path ? st.path : "?", st.line,
                                               st.column, st.text));
    }
    j->made = c;
    j->planned = p;
    j->profile = x->profile;
    if (c->policies
        && !profile_with(j->arena, x->profile, c->policies, &j->profile, &st))
        return blame_reference(j, st.text);
    j->result->disturbed = is_disturbed(j);
    /* Beyond one of our limits the expected result is unknown. */
    if (c->rejected && c->rejection.code == STATUS_SYSTEM)
        return conclude(j, VERDICT_LIMIT, "the reference: %s",
                        c->rejection.text);
    if (c->error_count > 0)
        return judge_rejection(j);
    if (c->rejected && c->rejection.code == STATUS_UNSUPPORTED)
        return conclude(j, VERDICT_LIMIT, "the reference: %s",
                        c->rejection.text);
    if (c->rejected)
        return blame_reference(j, c->rejection.text);
    if (judge_conduct(j))
        return true;
    bool judged = judge_sweep(j) || judge_result(j);
    judge_order(j);
    return judged;
}

struct job_result *judge_at(struct arena *a, const struct job_context *context,
                            struct job_place *place, struct memo *memo,
                            const void *record, uint64_t length)
{
    struct judging j = {
        .arena = a, .context = context, .place = place, .memo = memo};
    j.result = arena_new(a, struct job_result, 1);
    j.result->position = -1;
    j.result->units = -1;
    j.result->worst_unit = -1;
    if (!judge_given_read(a, record, length, &j.given)
        || j.given.head->position < 0
        || j.given.head->position >= context->pending_count) {
        conclude(&j, VERDICT_CRASH, "%s",
                 "the backend overwrote the runner's memory");
        if (length >= sizeof(struct job_record))
            j.result->position = ((const struct job_record *)record)->position;
        return j.result;
    }
    j.result->position = j.given.head->position;
    j.result->attempt = j.given.head->attempt;
    j.result->time_ns = j.given.head->time_ns;
    j.result->compile_ns = j.given.head->compile_ns;
    j.result->batch = j.given.head->batch;
    j.result->batch_first = j.given.head->batch_first;
    judge_case(&j);
    return j.result;
}

struct job_result *judge_record(struct arena *a,
                                const struct job_context *context,
                                const void *record, uint64_t length)
{
    return judge_at(a, context, NULL, NULL, record, length);
}
