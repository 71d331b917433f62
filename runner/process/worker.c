/* worker.c - see worker.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The inputs are the case's own data and the outputs lie between guards in
 * memory that is filled with bytes drawn from the seed.  A sample of cases is
 * executed a second time over the complement of that fill: a byte that differs
 * as the fill does was never written.  Programs are compiled once and kept,
 * for the cases that differ only in data.
 *
 * A stray write of a backend must not become another case's verdict: the plan
 * and the specification are read-only here, and what is shared with the runner
 * is compared after each call with what the worker itself wrote there.
 */
#include "runner/process/worker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/hash.h"
#include "interp/base/random.h"
#include "interp/base/text.h"
#include "interp/library/abi.h"
#include "interp/specification/spec.h"
#include "runner/plugin/extension.h"
#include "runner/plugin/plugin.h"
#include "runner/plugin/plugin_state.h"
#include "runner/process/child.h"
#include "runner/process/sandbox.h"
#include "runner/process/worker_private.h"

enum {
    SAMPLE_ONE_IN = 16,
    ERROR_GUARD = 256,
};

void worker_enter(struct worker *w, enum job_phase phase)
{
    job_enter(&w->job->shared->worker, phase);
    job_enter(&w->left.worker, phase);
    if (w->context->on_phase)
        w->context->on_phase(&w->left.worker, false);
}

void worker_at(struct worker *w, int64_t position)
{
    job_at(&w->job->shared->worker, position);
    job_at(&w->left.worker, position);
}

void worker_taken(struct worker *w, int64_t next, int64_t end)
{
    atomic_store(&w->job->shared->next, next);
    atomic_store(&w->job->shared->end, end);
    atomic_store(&w->left.next, next);
    atomic_store(&w->left.end, end);
}

bool worker_samples(uint64_t seed, int64_t number)
{
    struct random r = {seed ^ (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15)};
    return random_next(&r) % SAMPLE_ONE_IN == 0;
}

/* ---- Calling the backend ------------------------------------------------- */

static void say(struct worker *w, int32_t code, enum job_phase phase,
                const char *text)
{
    w->record.code = code;
    w->record.phase = (int32_t)phase;
    text_clean(w->record.text, sizeof w->record.text, text);
}

static void shut(struct worker *w, bool on)
{
    const struct job_context *x = w->context;
    ring_protect(w->job->shared, sizeof *w->job->shared, on);
    ring_protect(x->counter, sizeof *x->counter, on);
    ring_protect(x->stop, sizeof *x->stop, on);
    ring_shut(w->job->outputs, on);
}

/* Control passes to the backend. */
static void hand_over(struct worker *w, enum job_phase phase)
{
    worker_enter(w, phase);
    if (w->context->careful)
        shut(w, true);
    plugin_state_give();
}

/* Control has returned.  A process that it forked has returned from the call,
 * too: the ring has one producer, and the case one result. */
static void take_back(struct worker *w)
{
    w->record.left |= plugin_state_take();
    if (getpid() != w->pid)
        _exit(EXIT_SUCCESS);
    if (w->context->careful)
        shut(w, false);
    if (memcmp(w->job->shared, &w->left, sizeof w->left) != 0
        || !ring_intact(w->job->outputs))
        _exit(JOB_DAMAGED);
}

/* An error between guards. */
struct guarded {
    unsigned char before[ERROR_GUARD];
    assay_error error;
    unsigned char behind[ERROR_GUARD];
};

static assay_error *open_error(struct guarded *g)
{
    memset(g, 0, sizeof *g);
    g->error.size = sizeof g->error;
    return &g->error;
}

static void close_error(struct worker *w, struct guarded *g)
{
    static const unsigned char nothing[ERROR_GUARD];
    g->error.text[sizeof g->error.text - 1] = '\0';
    if (memcmp(g->before, nothing, ERROR_GUARD) != 0
        || memcmp(g->behind, nothing, ERROR_GUARD) != 0)
        w->record.flags |= JOB_ERROR;
}

/* A fault of releasing an executable is not one of the case that runs. */
void worker_drop(struct worker *w, struct worker_executable *e)
{
    const struct job_record before = w->record;
    worker_at(w, -1);
    hand_over(w, JOB_RELEASE);
    w->plugin.backend->release(w->plugin.backend, e->made);
    take_back(w);
    worker_at(w, w->position);
    w->record = before;
    e->made = NULL;
    e->used = 0;
}

static struct worker_executable *kept_find(struct worker *w, struct hash hash)
{
    struct worker_executable *oldest = &w->kept[0];
    for (int i = 0; i < WORKER_KEPT; i++) {
        struct worker_executable *e = &w->kept[i];
        if (e->made && memcmp(&e->hash, &hash, sizeof hash) == 0)
            return e;
        if (e->used < oldest->used)
            oldest = e;
    }
    if (oldest->made)
        worker_drop(w, oldest);
    oldest->hash = hash;
    return oldest;
}

bool worker_compile(struct worker *w, struct worker_executable **found)
{
    struct worker_executable *e = kept_find(w, w->program->hash);
    *found = e;
    e->used = ++w->uses;
    if (e->made)
        return true;
    struct guarded guarded;
    assay_error *error = open_error(&guarded);
    assay_backend *b = w->plugin.backend;
    hand_over(w, JOB_COMPILE);
    int64_t start = ring_clock_ns();
    assay_code code = b->compile(b, w->program->program, &e->made, error);
    w->record.compile_ns = ring_clock_ns() - start;
    w->record.time_ns += w->record.compile_ns;
    take_back(w);
    close_error(w, &guarded);
    if (!abi_case_whole(w->program))
        w->record.flags |= JOB_PROGRAM;
    bool made = code == ASSAY_OK && e->made;
    if (made && !w->record.left
        && !(w->record.flags & (JOB_PROGRAM | JOB_ERROR)))
        return true;
    if (made) { /* so that the next case with it is found to be wrong, too */
        worker_drop(w, e);
        return false;
    }
    e->made = NULL;
    e->used = 0;
    if (code == ASSAY_OK)
        say(w, ASSAY_FAILED, JOB_COMPILE, "compile returned no executable");
    else
        say(w, code, JOB_COMPILE, error->text);
    return false;
}

static void on_outfeed(void *context, int32_t replica,
                       const assay_tensor *value)
{
    const struct worker_ticket *ticket = context;
    struct worker *w = ticket->worker;
    if (!atomic_load(&ticket->open))
        return;
    struct worker_outfed *o = arena_new(&w->arena, struct worker_outfed, 1);
    o->replica = replica;
    o->value = abi_literal(&w->arena, value);
    *w->outfeed_end = o;
    w->outfeed_end = &o->next;
    w->record.outfeed_count++;
}

bool worker_execute(struct worker *w, struct worker_executable *e,
                    assay_output *const *outputs, bool second)
{
    struct guarded guarded;
    assay_error *error = open_error(&guarded);
    assay_backend *b = w->plugin.backend;
    struct worker_ticket *ticket =
        &w->tickets[w->executions++ % WORKER_TICKETS];
    ticket->worker = w;
    atomic_store(&ticket->open, true);
    const assay_execution x = {.size = sizeof x,
                               .inputs = w->program->inputs,
                               .outputs = outputs,
                               .infeed = w->program->infeed,
                               .infeed_start = w->program->infeed_start,
                               .outfeed = on_outfeed,
                               .outfeed_context = ticket};
    w->outfeed = NULL;
    w->outfeed_end = &w->outfeed;
    w->record.outfeed_count = 0;
    hand_over(w, JOB_EXECUTE);
    int64_t start = ring_clock_ns();
    assay_code code = b->execute(b, e->made, &x, error);
    w->record.time_ns += ring_clock_ns() - start;
    atomic_store(&ticket->open, false);
    take_back(w);
    close_error(w, &guarded);
    struct hash after = worker_input_hash(w->program);
    if (memcmp(&w->record.inputs, &after, sizeof after) != 0)
        w->record.flags |= JOB_INPUT;
    if (!worker_input_whole(w->program))
        w->record.flags |= JOB_BESIDE;
    worker_memory_check(w->context->memory_bytes, w->memory_before,
                        w->record.time_ns);
    int broken = worker_output_broken(&w->room, outputs, second);
    if (broken >= 0) {
        w->record.flags |= JOB_GUARD;
        w->record.where = broken;
    }
    if (code != ASSAY_OK)
        say(w, code, JOB_EXECUTE, error->text);
    return code == ASSAY_OK && broken < 0;
}

/* ---- Twice --------------------------------------------------------------- */

static bool outfeeds_differ(const struct worker_outfed *a,
                            const struct worker_outfed *b)
{
    for (; a && b; a = a->next, b = b->next)
        if (a->replica != b->replica || !a->value != !b->value
            || (a->value && !literal_equal(a->value, b->value)))
            return true;
    return a || b;
}

/* Everything was noted of its first execution; this notes what the second one
 * did otherwise. */
static void run_again(struct worker *w, struct worker_executable *e)
{
    const struct job_record first = w->record;
    struct worker_outfed *outfeed = w->outfeed;
    w->outputs2 = worker_output_new(&w->room, true);
    bool good = worker_execute(w, e, w->outputs2, true);
    const struct worker_outfed *again = w->outfeed;
    int32_t count = w->record.outfeed_count;
    w->outfeed = outfeed;
    w->record.outfeed_count = first.outfeed_count;
    w->record.time_ns = first.time_ns;
    if (!good) {
        w->record.flags |= w->record.code != ASSAY_OK ? JOB_SECOND : 0;
        w->record.code = ASSAY_OK;
        return;
    }
    int left = worker_output_unwritten(&w->room, w->outputs, w->outputs2);
    if (left >= 0) {
        w->record.flags |= JOB_UNWRITTEN;
        w->record.where = left;
    } else if (worker_output_differ(&w->room, w->outputs, w->outputs2)
               || outfeeds_differ(outfeed, again)) {
        w->record.flags |= JOB_TWICE;
        w->record.outfeed2_count = count;
        w->outfeed2 = again;
    }
}

/* ---- Programs ------------------------------------------------------------ */

static void run_program(struct worker *w, bool twice)
{
    const struct abi_case *c = w->program;
    struct worker_executable *e;
    if (!worker_compile(w, &e))
        return;
    w->record.phase = JOB_EXECUTE;
    if (!c->program->outputs) {
        w->record.phase = JOB_COMPILE;
        return;
    }
    w->room.arena = &w->arena;
    w->room.program = c;
    w->room.seed = w->context->seed * 31 + (uint64_t)w->position;
    if (!worker_output_room(&w->room)) {
        w->record.flags |= JOB_TOO_LARGE;
        return;
    }
    /* Damage that is already there is not due to this execution: no case has
     * hash 0. */
    if (worker_input_whole(w->program))
        w->record.inputs = worker_input_hash(w->program);
    w->record.flags |= JOB_EXECUTED;
    w->outputs = worker_output_new(&w->room, false);
    bool good = worker_execute(w, e, w->outputs, false);
    w->record.output_count = good ? c->output_count * c->replicas : 0;
    if (good && twice)
        run_again(w, e);
}

/* ---- Cases --------------------------------------------------------------- */

void worker_begin(struct worker *w, int64_t position)
{
    int attempt = w->context->attempt;
    child_begin_words();
    w->position = position;
    memset(&w->record, 0, sizeof w->record);
    w->record.position = position;
    w->record.attempt = attempt > 1 ? attempt : 1;
    w->outputs = w->outputs2 = NULL;
    w->outfeed = NULL;
    w->outfeed2 = NULL;
}

/* Making a case and room for two executions takes twice its data and more.  So
 * that at least half of the memory is the backend's: with less, that it takes
 * too much would say nothing of it. */
static bool leaves_room(struct worker *w)
{
    const int64_t most = w->context->memory_bytes;
    uint64_t data = worker_output_data(w->program);
    char text[JOB_TEXT];
    if (most <= 0 || data <= (uint64_t)most / 4)
        return true;
    snprintf(text, sizeof text,
             "its inputs and outputs take %" PRIu64
             " MiB, more than a quarter of the limit of %" PRId64
             " MiB (--memory)",
             data >> 20, most >> 20);
    w->record.flags |= JOB_TOO_LARGE;
    say(w, ASSAY_OK, JOB_MAKE, text);
    return false;
}

static void run_case(struct worker *w, int64_t position)
{
    const struct job_context *x = w->context;
    const struct plan_case *p = &x->plan->cases[x->pending[position]];
    struct test_case *c;
    struct status st = {0};
    worker_begin(w, position);
    worker_enter(w, JOB_MAKE);
    worker_at(w, position);
    bool made = case_make(&w->arena, p->stub, p->form, x->limits, &c, &st);
    const struct test_case *as = made ? c->written : NULL;
    if (!made) {
        w->record.flags |= JOB_BAD_CASE;
        say(w, ASSAY_FAILED, JOB_MAKE, st.text);
    } else if (!as->program || !as->program->entry) {
        w->record.flags |= JOB_NO_PROGRAM;
    } else {
        w->program = abi_case(&w->arena, as);
        w->record.program = w->program->hash;
        worker_input_guard(&w->arena, w->program);
        extension_program(&w->arena, as->program);
        if (w->plugin.classless)
            w->record.flags |= JOB_CLASSLESS;
        if (plugin_declines(&w->plugin, w->program->program, w->record.text,
                            sizeof w->record.text))
            w->record.flags |= JOB_DECLINED;
        else if (leaves_room(w))
            run_program(
                w, x->twice || worker_samples(x->seed, x->pending[position]));
    }
    worker_send(w);
    worker_enter(w, JOB_IDLE);
    arena_reset(&w->arena);
}

enum job_lone worker_lone(const struct job_context *x, int64_t position)
{
    return x->lone ? (enum job_lone)x->lone[x->pending[position]]
                   : JOB_NOT_LONE;
}

/* The next case: of those that were taken, or of more. */
static int64_t take_number(struct worker *w)
{
    int64_t next = atomic_load(&w->left.next);
    if (next < 0 || next >= atomic_load(&w->left.end)) {
        int64_t step = w->context->batch > 1 ? w->context->batch : JOB_TAKEN;
        next = atomic_fetch_add(w->context->counter, step);
        int64_t end = next + step;
        if (end > w->context->pending_count)
            end = w->context->pending_count;
        worker_taken(w, next, end);
    }
    return next >= 0 && next < w->context->pending_count ? next : -1;
}

/* Not on the stack, nor freed: a thread that the backend has left behind may
 * still use it when worker_run returns. */
static struct worker the_worker;

/* The backend is not even closed: that could be what crashes. */
static _Noreturn void leave(struct worker *w)
{
    worker_at(w, -1);
    worker_enter(w, JOB_CLOSE);
    _exit(JOB_LEFT);
}

/* The backend asks for another process, because of an earlier case.  Only if
 * there was one: each process that leaves has brought the run forward. */
static void leave_earlier(void)
{
    struct worker *w = &the_worker;
    if (w->sent == 0 || getpid() != w->pid)
        return;
    if (w->context->careful)
        shut(w, false);
    leave(w);
}

int worker_run(const struct job_context *context, struct job *job)
{
    struct worker *w = memset(&the_worker, 0, sizeof the_worker);
    struct status st = {0};
    w->context = context;
    w->job = job;
    w->pid = getpid();
    w->left = *job->shared;
    ring_begin(job->outputs);
    if (context->plan_arena) {
        arena_protect(context->plan_arena);
        spec_protect();
    }
    worker_memory_limit(context->memory_bytes);
    w->memory_before = worker_memory_peak();
    worker_enter(w, JOB_OPEN);
    char why[120];
    int listener = -1;
    if (context->sandbox
        && !sandbox_enter(context->sandbox, job->folder, &listener, why,
                          sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return EXIT_FAILURE;
    }
    extension_leave(leave_earlier);
    child_give(listener);
    plugin_state_begin();
    hand_over(w, JOB_OPEN);
    if (!plugin_open(context->backend_path, context->backend_options,
                     &w->plugin, &st)) {
        fprintf(stderr, "%s\n", st.text);
        return EXIT_FAILURE;
    }
    plugin_state_opened();
    take_back(w);
    for (int64_t p; !atomic_load(context->stop) && (p = take_number(w)) >= 0;) {
        if (context->batch > 1)
            worker_batch(w);
        else
            run_case(w, p);
        if (context->batch <= 1 && worker_lone(context, p) == JOB_LAST)
            leave(w);
    }
    worker_enter(w, JOB_CLOSE);
    atomic_store(&job->shared->worker.done, 1);
    if (context->careful)
        shut(w, true);
    plugin_state_give();
    for (int i = 0; i < WORKER_KEPT; i++)
        if (w->kept[i].made)
            w->plugin.backend->release(w->plugin.backend, w->kept[i].made);
    plugin_close(&w->plugin);
    return EXIT_SUCCESS;
}
