/* judge.c - see judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/judge.h"

#include <assay/backend.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner/abi.h"
#include "runner/judge_reference.h"
#include "runner/judge_wrong.h"
#include "runner/store.h"

/* One result that a backend gave, as the ring has it. */
struct given {
    struct verdict_got got;
    int64_t replica;
};

struct judging {
    struct arena *arena;
    const struct job_context *context;
    const struct profile *profile; /* with the case's own choices */
    const struct job_record *record;
    struct given *outputs, *outputs2, *outfeed;
    const struct test_case *made;
    struct job_result *result;
};

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

static void blame_reference(struct judging *j, const char *text)
{
    conclude(j, VERDICT_LIMIT, "%s", text);
    j->result->reference_wrong = true;
}

/* ---- Reading a record, which nobody has checked
 * ------------------------------------ */

struct reader {
    const unsigned char *at, *end;
};

static const void *take(struct reader *r, uint64_t bytes)
{
    const unsigned char *p = r->at;
    uint64_t whole = (bytes + 7) & ~UINT64_C(7);
    if (whole < bytes || whole > (uint64_t)(r->end - r->at))
        return NULL;
    r->at += whole;
    return p;
}

static bool read_output(struct reader *r, struct given *to)
{
    const struct job_output *head = take(r, sizeof *head);
    if (!head || head->dims < 0 || head->dims > SHAPE_RANK_MAX)
        return false;
    uint64_t dims = (uint64_t)head->dims * sizeof(int64_t);
    to->got.dtype = head->dtype;
    to->got.rank = head->rank;
    to->got.bytes = head->bytes;
    to->got.dims = take(r, dims);
    to->got.sizes = take(r, dims);
    to->got.data = take(r, head->data_bytes);
    to->replica = head->replica;
    return to->got.dims && to->got.sizes && to->got.data
           && (head->bytes > head->data_bytes
               || head->bytes == head->data_bytes)
           && memchr(head->dtype, '\0', sizeof head->dtype)
           && (head->dims == head->rank || head->dims == 0);
}

static bool read_outputs(struct arena *a, struct reader *r, int32_t count,
                         struct given **to)
{
    if (count < 0 || (uint64_t)count > (uint64_t)(r->end - r->at))
        return false;
    *to = arena_new(a, struct given, (size_t)count + 1);
    for (int32_t i = 0; i < count; i++)
        if (!read_output(r, &(*to)[i]))
            return false;
    return true;
}

static bool read_record(struct judging *j, const void *record, uint64_t length)
{
    struct reader r = {record, (const unsigned char *)record + length};
    const struct job_record *head = take(&r, sizeof *head);
    if (!head || head->position < 0
        || head->position >= j->context->pending_count
        || !memchr(head->text, '\0', sizeof head->text))
        return false;
    j->record = head;
    if (!read_outputs(j->arena, &r, head->output_count, &j->outputs))
        return false;
    if (head->flags & JOB_TWICE
        && !read_outputs(j->arena, &r, head->output_count, &j->outputs2))
        return false;
    return read_outputs(j->arena, &r, head->outfeed_count, &j->outfeed);
}

/* ---- Cases that must be rejected
 * ------------------------------------------------------ */

static bool expects(const struct test_case *c, enum code class)
{
    for (int i = 0; i < c->error_count; i++)
        if (c->errors[i] == class)
            return true;
    return false;
}

static bool reference_rejects(struct judging *j)
{
    const struct test_case *c = j->made;
    struct status st = c->rejection;
    if (!c->rejected) {
        struct judge_reference r;
        memset(&st, 0, sizeof st);
        if (judge_reference(j->arena, c, NULL, j->profile, j->context->limits,
                            false, &r, &st)) {
            blame_reference(j, "the reference accepts what the case says must"
                               " be rejected");
            return false;
        }
    }
    if (expects(c, st.code))
        return true;
    char why[JOB_TEXT];
    snprintf(why, sizeof why,
             "the reference rejects with class %s, the case expects %s: %.200s",
             status_name(st.code), status_name(c->errors[0]), st.text);
    blame_reference(j, why);
    return false;
}

static bool judge_rejection(struct judging *j)
{
    const struct job_record *r = j->record;
    const struct test_case *c = j->made;
    if (!reference_rejects(j))
        return true;
    if (r->flags & JOB_NO_PROGRAM)
        return conclude(j, VERDICT_UNSUPPORTED, "%s",
                        "the ABI cannot express a program that is malformed "
                        "in this way");
    if (r->flags & JOB_DECLINED)
        return conclude(j, VERDICT_UNSUPPORTED, "%s", r->text);
    if (r->code == ASSAY_OK)
        return conclude(j, VERDICT_ACCEPTED, "accepted, %s is due",
                        status_name(c->errors[0]));
    if (r->code == ASSAY_REJECTED && r->flags & JOB_CLASSLESS)
        return conclude(j, VERDICT_PASS, "%s", "");
    enum code class = abi_code(r->code);
    if (expects(c, class))
        return conclude(j, VERDICT_PASS, "%s", "");
    if (r->code == ASSAY_UNSUPPORTED)
        return conclude(j, VERDICT_UNSUPPORTED, "%s", r->text);
    char why[JOB_TEXT];
    snprintf(why, sizeof why, "rejected with %s, %s is due: %.200s",
             r->code == ASSAY_FAILED     ? "no class (failed)"
             : r->code == ASSAY_REJECTED ? "no class"
                                         : status_name(class),
             status_name(c->errors[0]), r->text);
    return conclude(j, VERDICT_WRONG_CLASS, "%s", why);
}

/* ---- Values
 * ------------------------------------------------------------------------------
 */

/* The leaves of all replicas, laid out; false if a layout is wrong. */
static bool lay_out(struct judging *j, const struct judge_reference *ref,
                    const struct given *given, struct verdict_leaf **leaves,
                    int *count, char *why, size_t size)
{
    int n = 0, total = 0;
    for (int r = 0; r < ref->replicas; r++)
        total += ref->outcomes[r].count;
    *leaves = arena_new(j->arena, struct verdict_leaf, (size_t)total + 1);
    *count = 0;
    if (total != j->record->output_count) {
        snprintf(why, size, "%d outputs, %d are due", j->record->output_count,
                 total);
        return false;
    }
    for (int r = 0; r < ref->replicas; r++)
        for (int i = 0; i < ref->outcomes[r].count; i++, n++) {
            const struct literal *want =
                literal_leaf(ref->outcomes[r].value, i);
            struct literal *got;
            char text[160];
            if (!verdict_layout(j->arena, want, &given[n].got, &got, text,
                                sizeof text)) {
                snprintf(why, size, "output %d of replica %d: %s", i, r, text);
                return false;
            }
            if (!ref->outcomes[r].goals[i])
                continue;
            struct verdict_leaf *leaf = &(*leaves)[(*count)++];
            leaf->replica = r;
            leaf->leaf = i;
            leaf->goal = ref->outcomes[r].goals[i];
            leaf->got = got;
        }
    return true;
}

static bool all_same(struct verdict *v, const struct verdict_leaf *leaves,
                     int count)
{
    for (int i = 0; i < count; i++)
        if (!verdict_same(v, &leaves[i]))
            return false;
    return true;
}

/* Point the leaves at the goals of another evaluation. */
static void retarget(struct verdict_leaf *leaves, int count,
                     const struct judge_reference *ref, bool flushed)
{
    for (int i = 0; i < count; i++) {
        leaves[i].goal = ref->outcomes[leaves[i].replica].goals[leaves[i].leaf];
        leaves[i].flushed = flushed;
    }
}

static bool any_pending(const struct verdict_leaf *leaves, int count)
{
    for (int i = 0; i < count; i++)
        if (memchr(leaves[i].state, VERDICT_PENDING,
                   (size_t)literal_units(leaves[i].got)))
            return true;
    return false;
}

static void judge_leaves(struct judging *j, struct verdict *v,
                         struct verdict_leaf *leaves, int count)
{
    for (int i = 0; i < count;) {
        const struct goal *g = leaves[i].goal;
        int n = 1;
        leaves[i].state =
            arena_alloc(j->arena, (size_t)literal_units(leaves[i].got) + 1);
        if (g->rule != GOAL_CHECK) {
            if (v->bins || !verdict_same(v, &leaves[i]))
                verdict_units(v, j->profile, &leaves[i]);
            i++;
            continue;
        }
        for (; i + n < count; n++) {
            const struct verdict_leaf *next = &leaves[i + n];
            if (next->replica != leaves[i].replica
                || next->goal->rule != GOAL_CHECK
                || next->goal->check != g->check
                || next->goal->check_data != g->check_data)
                break;
            leaves[i + n].state =
                arena_alloc(j->arena, (size_t)literal_units(next->got) + 1);
        }
        verdict_check(v, j->arena, &leaves[i], n);
        i += n;
    }
}

static void try_flushed(struct judging *j, struct verdict *v,
                        struct verdict_leaf *leaves, int count)
{
    const struct test_case *c = j->made;
    const struct plan_case *p =
        &j->context->plan->cases[j->context->pending[j->record->position]];
    struct status st = {0};
    struct literal ***inputs;
    struct test_case *parameters;
    if (p->variant == CASE_CONSTANT) {
        if (!case_make(j->arena, p->stub, CASE_PARAMETER, j->context->limits,
                       &parameters, &st))
            return;
        c = parameters;
    }
    for (int way = 0;
         any_pending(leaves, count)
         && judge_reference_flush(j->arena, c, j->profile, way, &inputs);
         way++) {
        struct judge_reference ref;
        if (!inputs
            || !judge_reference(
                j->arena, c, (struct literal *const *const *)inputs, j->profile,
                j->context->limits, true, &ref, &st))
            continue;
        retarget(leaves, count, &ref, true);
        for (int i = 0; i < count; i++)
            if (leaves[i].goal && leaves[i].goal->rule != GOAL_CHECK)
                verdict_units(v, j->profile, &leaves[i]);
    }
}

/* Judge one set of outputs.  False if the reference reached a limit. */
static bool judge_values(struct judging *j, const struct judge_reference *plain,
                         const struct given *given, struct verdict *v,
                         enum verdict_status *status, char *text, size_t size)
{
    struct verdict_leaf *leaves;
    struct judge_reference exact;
    struct status st = {0};
    int count;
    *status = VERDICT_FAIL;
    if (!lay_out(j, plain, given, &leaves, &count, text, size))
        return true;
    int64_t *bins = v->bins;
    if (!bins && all_same(v, leaves, count)) {
        *status = verdict_end(v, j->profile, text, size);
        return true;
    }
    memset(v, 0, sizeof *v);
    v->bins = bins;
    if (!judge_reference(j->arena, j->made, NULL, j->profile,
                         j->context->limits, true, &exact, &st)) {
        conclude(j, VERDICT_LIMIT, "%s", st.text);
        return false;
    }
    retarget(leaves, count, &exact, false);
    judge_leaves(j, v, leaves, count);
    if (any_pending(leaves, count))
        try_flushed(j, v, leaves, count);
    retarget(leaves, count, &exact, false);
    for (int i = 0; i < count; i++)
        verdict_pending(v, j->arena, j->profile, &leaves[i]);
    *status = verdict_end(v, j->profile, text, size);
    return true;
}

/* What Outfeed sent is data on the move: bit by bit, in order. */
static bool judge_outfeed(struct judging *j, const struct judge_reference *ref,
                          char *why, size_t size)
{
    int *seen = arena_new(j->arena, int, (size_t)ref->replicas);
    for (int i = 0; i < j->record->outfeed_count; i++) {
        const struct given *g = &j->outfeed[i];
        int64_t r = g->replica;
        struct literal *got;
        char text[160];
        if (r < 0 || r >= ref->replicas || seen[r] >= ref->outfeed_count[r]) {
            snprintf(why, size, "more outfeed than is due");
            return false;
        }
        const struct literal *want = ref->outfeed[r][seen[r]++];
        if (want->shape->kind == SHAPE_TUPLE)
            return true;
        if (!verdict_layout(j->arena, want, &g->got, &got, text, sizeof text)) {
            snprintf(why, size, "outfeed %d of replica %d: %s", seen[r] - 1,
                     (int)r, text);
            return false;
        }
        if (!literal_equal(want, got)) {
            snprintf(why, size, "outfeed %d of replica %d differs", seen[r] - 1,
                     (int)r);
            return false;
        }
    }
    for (int r = 0; r < ref->replicas; r++)
        if (seen[r] < ref->outfeed_count[r]) {
            snprintf(why, size, "%d of %d outfeeds of replica %d", seen[r],
                     ref->outfeed_count[r], r);
            return false;
        }
    return true;
}

static void count(struct judging *j, const struct verdict *v)
{
    struct job_result *r = j->result;
    r->units = v->units;
    r->correct = v->correct;
    r->bad = v->bad;
    r->special = v->special;
    r->has_error = v->has_error;
    r->error = v->error;
    r->worst_unit = v->has_error ? v->worst_unit : -1;
    r->flags = (v->branch[VERDICT_RESULTS] > 0 ? STORE_FLUSHED_RESULTS : 0)
               | (v->branch[VERDICT_OPERANDS] > 0 ? STORE_FLUSHED_OPERANDS : 0)
               | (v->undecided > 0 ? STORE_UNDECIDED : 0);
}

static bool judge_result(struct judging *j)
{
    struct judge_reference ref;
    struct status st = {0};
    enum verdict_status status, status2;
    char text[JOB_TEXT - 64];
    if (!judge_reference(j->arena, j->made, NULL, j->profile,
                         j->context->limits, false, &ref, &st))
        return conclude(j, VERDICT_LIMIT, "the reference: %s", st.text);
    if (judge_reference_contradicts(j->arena, j->made, &ref, text,
                                    sizeof text)) {
        blame_reference(j, text);
        return true;
    }
    struct verdict *v = arena_new(j->arena, struct verdict, 1);
    if (j->context->bins)
        v->bins = arena_new(j->arena, int64_t, VERDICT_BINS);
    if (!judge_values(j, &ref, j->outputs, v, &status, text, sizeof text))
        return true;
    if (!verdict_is_failure(status)
        && !judge_outfeed(j, &ref, text, sizeof text))
        status = VERDICT_FAIL;
    count(j, v);
    conclude(j, status, "%s", text);
    j->result = judge_wrong(j->arena, j->made, &ref, v, j->result);
    if (!(j->record->flags & JOB_TWICE))
        return true;
    v = arena_new(j->arena, struct verdict, 1);
    if (!judge_values(j, &ref, j->outputs2, v, &status2, text, sizeof text)
        || verdict_is_failure(status) == verdict_is_failure(status2))
        return true;
    if (status2 == VERDICT_FAIL)
        return conclude(j, VERDICT_FLAKE, "right at first, then wrong: %.200s",
                        text);
    return conclude(j, VERDICT_FLAKE, "wrong at first, then right");
}

/* ---- All together
 * ----------------------------------------------------------------------------
 */

/* What the worker saw, before any value is looked at; true if that decides. */
static bool judge_conduct(struct judging *j)
{
    const struct job_record *r = j->record;
    if (r->flags & JOB_NO_PROGRAM || r->flags & JOB_DECLINED
        || r->code == ASSAY_UNSUPPORTED)
        return conclude(j, VERDICT_UNSUPPORTED, "%s", r->text);
    if (r->flags & JOB_GUARD)
        return conclude(j, VERDICT_FAIL, "wrote outside output %d", r->where);
    if (r->flags & JOB_INPUT)
        return conclude(j, VERDICT_FAIL, "%s", "changed an input");
    if (r->flags & JOB_TOO_LARGE)
        return conclude(j, VERDICT_LIMIT, "%s",
                        "the outputs are too large for the runner");
    if (r->code != ASSAY_OK) {
        enum code class = abi_code(r->code);
        return conclude(j, VERDICT_REFUSED, "%s%s%.240s",
                        class == STATUS_SYSTEM ? "failed" : status_name(class),
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
        &x->plan->cases[x->pending[j->record->position]];
    struct test_case *c;
    struct status st = {0};
    if (!case_make(j->arena, p->stub, p->variant, x->limits, &c, &st)) {
        blame_reference(j, arena_printf(j->arena, "%s:%u:%u: %s",
                                        st.path ? st.path : "?", st.line,
                                        st.column, st.text));
        return true;
    }
    j->made = c;
    j->profile = x->profile;
    if (c->policies
        && !profile_with(j->arena, x->profile, c->policies, &j->profile, &st)) {
        blame_reference(j, st.text);
        return true;
    }
    if (c->error_count > 0)
        return judge_rejection(j);
    if (c->rejected && c->rejection.code == STATUS_UNSUPPORTED)
        return conclude(j, VERDICT_LIMIT, "the reference: %s",
                        c->rejection.text);
    if (c->rejected) {
        blame_reference(j, c->rejection.text);
        return true;
    }
    return judge_conduct(j) || judge_result(j);
}

struct job_result *judge_record(struct arena *a,
                                const struct job_context *context,
                                const void *record, uint64_t length)
{
    struct judging j = {.arena = a, .context = context};
    j.result = arena_new(a, struct job_result, 1);
    j.result->position = -1;
    j.result->units = -1;
    j.result->worst_unit = -1;
    if (!read_record(&j, record, length)) {
        conclude(&j, VERDICT_CRASH, "%s",
                 "the backend overwrote the runner's memory");
        if (length >= sizeof(struct job_record))
            j.result->position = ((const struct job_record *)record)->position;
        return j.result;
    }
    j.result->position = j.record->position;
    j.result->attempt = j.record->attempt;
    j.result->time_ns = j.record->time_ns;
    j.result->compile_ns = j.record->compile_ns;
    judge_case(&j);
    return j.result;
}

static void send(struct share_ring *ring, const struct job_result *result)
{
    uint64_t bytes = sizeof *result
                     + (uint64_t)result->wrong_count * sizeof(struct job_wrong)
                     + (uint64_t)result->bin_count * sizeof(struct job_bin);
    void *to = share_reserve(ring, bytes);
    for (int turns = 0; !to; to = share_reserve(ring, bytes))
        share_wait(&turns);
    memcpy(to, result, bytes);
    share_publish(ring, to, bytes);
}

int judge_run(const struct job_context *context, struct job *job)
{
    struct arena arena = ARENA_INIT;
    struct job_place *place = &job->shared->judge;
    int turns = 0;
    for (;;) {
        uint64_t length;
        /* In this order: what was sent before the end is still read. */
        bool done = atomic_load(&job->shared->worker.done);
        const void *record = share_front(job->outputs, &length);
        if (!record && done)
            break;
        if (!record) {
            share_wait(&turns);
            continue;
        }
        turns = 0;
        const struct job_record *head = record;
        atomic_store(&place->since, share_clock());
        atomic_store(&place->attempt,
                     length >= sizeof *head ? head->attempt : 1);
        atomic_store(&place->position,
                     length >= sizeof *head ? head->position : -1);
        atomic_store(&place->phase, JOB_EVALUATE);
        send(job->results, judge_record(&arena, context, record, length));
        atomic_store(&place->phase, JOB_IDLE);
        atomic_store(&place->position, -1);
        share_release(job->outputs);
        arena_reset(&arena);
    }
    atomic_store(&place->done, 1);
    evaluate_end();
    arena_free(&arena);
    return EXIT_SUCCESS;
}
