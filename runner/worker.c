/* worker.c - see worker.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The inputs are the case's own data and the outputs lie between guards in
 * memory that is filled with bytes drawn from the seed.  A sample of cases is
 * executed a second time over the complement of that fill: a byte that differs
 * as the fill does was never written.  Programs are compiled once and kept,
 * for the cases that differ in data alone.
 */
#include "runner/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/base/random.h"
#include "runner/abi.h"
#include "runner/extension.h"
#include "runner/hash.h"
#include "runner/plugin.h"
#include "runner/worker_memory.h"

enum {
    GUARD_BYTES = 64,
    GUARD_BYTE = 0xa5,
    SAMPLE_ONE_IN = 16,
    KEPT = 32, /* executables */
};

struct executable {
    struct hash hash;
    assay_executable *made;
    uint64_t used;
};

struct outfed {
    int32_t replica;
    const struct literal *value;
    struct outfed *next;
};

struct worker {
    const struct job_context *context;
    struct job *job;
    struct plugin plugin;
    struct arena arena; /* of one case */
    struct executable kept[KEPT];
    uint64_t uses;
    int64_t memory_before; /* the backend was opened */
    unsigned char *pool;   /* of outputs */
    size_t pool_bytes;
    /* Of the running case: */
    int64_t position;
    struct job_record record;
    const struct abi_case *program;
    assay_output *const *outputs;  /* of the run that counts */
    assay_output *const *outputs2; /* of the second one, if they differ */
    struct outfed *outfeed, **outfeed_end;
};

static void enter(struct worker *w, enum job_phase phase)
{
    struct job_place *place = &w->job->shared->worker;
    atomic_store(&place->since, share_clock());
    atomic_store(&place->phase, (int32_t)phase);
}

static int64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool worker_samples(uint64_t seed, int64_t number)
{
    struct random r = {seed ^ (uint64_t)number * UINT64_C(0x9e3779b97f4a7c15)};
    return random_next(&r) % SAMPLE_ONE_IN == 0;
}

/* ---- Outputs between guards
 * ---------------------------------------------------- */

/* The i-th of 8 bytes of the fill. */
static void fill(unsigned char *to, uint64_t bytes, uint64_t seed, bool second)
{
    struct random r = {seed};
    uint64_t flip = second ? UINT64_MAX : 0;
    for (; bytes > 0;) {
        uint64_t x = random_next(&r) ^ flip, n = bytes < 8 ? bytes : 8;
        memcpy(to, &x, n);
        to += n;
        bytes -= n;
    }
}

static uint64_t fill_seed(const struct worker *w)
{
    return w->context->seed * 31 + (uint64_t)w->position;
}

static uint64_t shape_size(const assay_shape *s)
{
    enum dtype type;
    if (s->kind != ASSAY_ARRAY
        || !dtype_parse(s->dtype, strlen(s->dtype), &type))
        return 0;
    uint64_t n = (uint64_t)dtype_bytes(type);
    for (int i = 0; i < s->rank; i++)
        n *= (uint64_t)s->dims[i];
    return n;
}

static uint64_t room_of(uint64_t bytes)
{
    return ((bytes + 63) & ~UINT64_C(63)) + 2 * GUARD_BYTES;
}

static bool pool_grow(struct worker *w, uint64_t bytes)
{
    if (bytes <= w->pool_bytes)
        return true;
    free(w->pool);
    w->pool = malloc(bytes);
    w->pool_bytes = w->pool ? bytes : 0;
    return w->pool != NULL;
}

/* Outputs of all replicas, in the pool from *at on. */
static assay_output *const *outputs_new(struct worker *w, uint64_t *at,
                                        bool second)
{
    const struct abi_case *c = w->program;
    size_t n = (size_t)c->output_count * (size_t)c->replicas;
    assay_output **out = arena_new(&w->arena, assay_output *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const assay_shape *s = c->program->outputs[i % (size_t)c->output_count];
        assay_output *o = arena_new(&w->arena, assay_output, 1);
        o->size = sizeof *o;
        o->capacity = shape_size(s);
        unsigned char *p = w->pool + *at;
        memset(p, GUARD_BYTE, room_of(o->capacity));
        o->data = p + GUARD_BYTES;
        fill(o->data, o->capacity, fill_seed(w) + i, second);
        o->rank_capacity = SHAPE_RANK_MAX;
        o->rank = -1;
        o->dims = arena_new(&w->arena, int64_t, SHAPE_RANK_MAX);
        o->sizes = arena_new(&w->arena, int64_t, SHAPE_RANK_MAX);
        *at += room_of(o->capacity);
        out[i] = o;
    }
    return out;
}

static bool guards_hold(const assay_output *o, uint64_t capacity,
                        const unsigned char *data)
{
    uint64_t room = room_of(capacity);
    const unsigned char *p = data - GUARD_BYTES;
    for (uint64_t i = 0; i < GUARD_BYTES; i++)
        if (p[i] != GUARD_BYTE)
            return false;
    for (uint64_t i = GUARD_BYTES + capacity; i < room; i++)
        if (p[i] != GUARD_BYTE)
            return false;
    return o->data == data;
}

/* The first output that was written outside its bounds, or -1. */
static int guards_broken(struct worker *w, assay_output *const *out,
                         uint64_t at)
{
    const struct abi_case *c = w->program;
    int n = c->output_count * c->replicas;
    for (int i = 0; i < n; i++) {
        uint64_t capacity =
            shape_size(c->program->outputs[i % c->output_count]);
        if (!guards_hold(out[i], capacity, w->pool + at + GUARD_BYTES))
            return i;
        at += room_of(capacity);
    }
    return -1;
}

static uint64_t held(const assay_output *o, uint64_t capacity)
{
    return o->bytes < capacity ? o->bytes : capacity;
}

/* Is there a byte that is the fill of both runs?  The results of a generator
 * of random numbers differ in other bytes as well, and meet both fills by
 * chance: then four such bytes must stand in a row. */
static bool has_fill(const unsigned char *x, const unsigned char *y,
                     uint64_t bytes, uint64_t seed)
{
    struct random r = {seed};
    uint64_t draw = 0, row = 0, longest = 0;
    bool differ = false;
    for (uint64_t k = 0; k < bytes; k++) {
        draw = k % 8 == 0 ? random_next(&r) : draw >> 8;
        unsigned char f = (unsigned char)draw;
        bool fill = x[k] == f && y[k] == (unsigned char)~f;
        row = fill ? row + 1 : 0;
        longest = row > longest ? row : longest;
        differ = differ || (!fill && x[k] != y[k]);
    }
    return longest > (differ ? 3 : 0);
}

/* An output that was not written, or -1; dynamic arrays have room that nobody
 * need write. */
static int unwritten(struct worker *w)
{
    const struct abi_case *c = w->program;
    int n = c->output_count * c->replicas;
    for (int i = 0; i < n; i++) {
        const assay_shape *s = c->program->outputs[i % c->output_count];
        uint64_t capacity = shape_size(s), bytes;
        const unsigned char *x = w->outputs[i]->data, *y = w->outputs2[i]->data;
        if (s->dynamic)
            continue;
        bytes = held(w->outputs[i], capacity);
        if (has_fill(x, y, bytes, fill_seed(w) + (uint64_t)i))
            return i;
    }
    return -1;
}

static bool outputs_differ(struct worker *w)
{
    const struct abi_case *c = w->program;
    int n = c->output_count * c->replicas;
    for (int i = 0; i < n; i++) {
        const assay_output *x = w->outputs[i], *y = w->outputs2[i];
        uint64_t capacity =
            shape_size(c->program->outputs[i % c->output_count]);
        size_t dims = x->rank > 0 && x->rank <= SHAPE_RANK_MAX
                          ? (size_t)x->rank * sizeof *x->dims
                          : 0;
        if (memcmp(x->dtype, y->dtype, sizeof x->dtype) != 0
            || x->rank != y->rank || x->bytes != y->bytes
            || memcmp(x->dims, y->dims, dims) != 0
            || memcmp(x->sizes, y->sizes, dims) != 0
            || memcmp(x->data, y->data, held(x, capacity)) != 0)
            return true;
    }
    return false;
}

/* ---- Calling the backend
 * ---------------------------------------------------------- */

static void say(struct worker *w, int32_t code, enum job_phase phase,
                const char *text)
{
    w->record.code = code;
    w->record.phase = (int32_t)phase;
    plugin_text(w->record.text, sizeof w->record.text, text);
}

static struct executable *kept_find(struct worker *w, struct hash hash)
{
    struct executable *oldest = &w->kept[0];
    for (int i = 0; i < KEPT; i++) {
        struct executable *e = &w->kept[i];
        if (e->made && memcmp(&e->hash, &hash, sizeof hash) == 0)
            return e;
        if (e->used < oldest->used)
            oldest = e;
    }
    if (oldest->made) {
        enter(w, JOB_RELEASE);
        w->plugin.backend->release(w->plugin.backend, oldest->made);
        oldest->made = NULL;
        oldest->used = 0;
    }
    oldest->hash = hash;
    return oldest;
}

static bool compile(struct worker *w, struct executable **found)
{
    struct executable *e = kept_find(w, w->program->hash);
    *found = e;
    e->used = ++w->uses;
    if (e->made)
        return true;
    assay_error error = {.size = sizeof error};
    assay_backend *b = w->plugin.backend;
    enter(w, JOB_COMPILE);
    int64_t start = clock_ns();
    assay_code code = b->compile(b, w->program->program, &e->made, &error);
    w->record.compile_ns = clock_ns() - start;
    w->record.time_ns += w->record.compile_ns;
    if (code == ASSAY_OK && e->made)
        return true;
    e->made = NULL;
    e->used = 0;
    error.text[sizeof error.text - 1] = '\0';
    if (code == ASSAY_OK)
        say(w, ASSAY_FAILED, JOB_COMPILE, "compile gave no executable");
    else
        say(w, code, JOB_COMPILE, error.text);
    return false;
}

static void on_outfeed(void *context, int32_t replica,
                       const assay_tensor *value)
{
    struct worker *w = context;
    struct outfed *o = arena_new(&w->arena, struct outfed, 1);
    o->replica = replica;
    o->value = abi_literal(&w->arena, value);
    if (!o->value)
        return;
    *w->outfeed_end = o;
    w->outfeed_end = &o->next;
    w->record.outfeed_count++;
}

static void hash_inputs(const struct abi_case *c, struct hash *h)
{
    for (int i = 0; i < c->input_count * c->replicas; i++)
        hash_bytes(h, c->inputs[i]->data, c->inputs[i]->bytes);
}

static bool execute(struct worker *w, struct executable *e,
                    assay_output *const *outputs, uint64_t at)
{
    struct hash before = {{3, 4}}, after = before;
    hash_inputs(w->program, &before);
    assay_error error = {.size = sizeof error};
    assay_backend *b = w->plugin.backend;
    const assay_execution x = {.size = sizeof x,
                               .inputs = w->program->inputs,
                               .outputs = outputs,
                               .infeed = w->program->infeed,
                               .infeed_start = w->program->infeed_start,
                               .outfeed = on_outfeed,
                               .outfeed_context = w};
    w->outfeed = NULL;
    w->outfeed_end = &w->outfeed;
    w->record.outfeed_count = 0;
    enter(w, JOB_EXECUTE);
    int64_t start = clock_ns();
    assay_code code = b->execute(b, e->made, &x, &error);
    w->record.time_ns += clock_ns() - start;
    hash_inputs(w->program, &after);
    if (memcmp(&before, &after, sizeof before) != 0)
        w->record.flags |= JOB_INPUT;
    worker_memory_check(w->context->memory_bytes, w->memory_before);
    int broken = guards_broken(w, outputs, at);
    if (broken >= 0) {
        w->record.flags |= JOB_GUARD;
        w->record.where = broken;
    }
    error.text[sizeof error.text - 1] = '\0';
    if (code != ASSAY_OK)
        say(w, code, JOB_EXECUTE, error.text);
    return code == ASSAY_OK && broken < 0;
}

static void run_program(struct worker *w, bool twice)
{
    const struct abi_case *c = w->program;
    struct executable *e;
    uint64_t bytes = 0, first = 0;
    if (!compile(w, &e))
        return;
    w->record.phase = JOB_EXECUTE;
    if (!c->program->outputs) {
        w->record.phase = JOB_COMPILE;
        return;
    }
    for (int i = 0; i < c->output_count; i++)
        bytes +=
            room_of(shape_size(c->program->outputs[i])) * (uint64_t)c->replicas;
    if (!pool_grow(w, 2 * bytes)) {
        w->record.flags |= JOB_TOO_LARGE;
        return;
    }
    w->outputs = outputs_new(w, &first, false);
    bool good = execute(w, e, w->outputs, 0);
    w->record.output_count = good ? c->output_count * c->replicas : 0;
    if (good && twice && c->output_count > 0) {
        uint64_t second = first;
        int64_t time_ns = w->record.time_ns;
        w->outputs2 = outputs_new(w, &second, true);
        good = execute(w, e, w->outputs2, first);
        w->record.time_ns = time_ns;
        int left = good ? unwritten(w) : -1;
        if (!good)
            w->record.output_count = 0;
        if (left >= 0) {
            w->record.flags |= JOB_UNWRITTEN;
            w->record.where = left;
        } else if (good && outputs_differ(w)) {
            w->record.flags |= JOB_TWICE;
        }
    }
}

/* ---- Sending
 * ----------------------------------------------------------------------------
 */

static uint64_t round8(uint64_t n)
{
    return (n + 7) & ~UINT64_C(7);
}

static void put(unsigned char **to, const void *data, uint64_t bytes)
{
    if (*to) {
        if (bytes > 0)
            memcpy(*to, data, bytes);
        *to += round8(bytes);
    }
}

/* Append an output, or only count its bytes if *to is NULL. */
static uint64_t put_output(unsigned char **to, const assay_output *o,
                           uint64_t capacity)
{
    struct job_output head = {.bytes = o->bytes, .rank = o->rank};
    memcpy(head.dtype, o->dtype, sizeof head.dtype);
    head.dtype[sizeof head.dtype - 1] = '\0';
    head.dims = o->rank > 0 && o->rank <= SHAPE_RANK_MAX ? o->rank : 0;
    head.data_bytes = held(o, capacity);
    uint64_t dims = (uint64_t)head.dims * sizeof *o->dims;
    put(to, &head, sizeof head);
    put(to, o->dims, dims);
    put(to, o->sizes, dims);
    put(to, o->data, head.data_bytes);
    return sizeof head + 2 * dims + round8(head.data_bytes);
}

static uint64_t put_outfed(unsigned char **to, const struct outfed *o)
{
    const struct shape *s = o->value->shape;
    struct job_output head = {.replica = o->replica};
    bool array = s->kind == SHAPE_ARRAY;
    snprintf(head.dtype, sizeof head.dtype, "%s",
             array ? dtype_table[s->dtype].name : "token");
    head.rank = head.dims = array ? s->rank : 0;
    head.bytes = head.data_bytes = array ? (uint64_t)shape_bytes(s) : 0;
    uint64_t dims = (uint64_t)head.dims * sizeof *s->dims;
    put(to, &head, sizeof head);
    put(to, s->dims, dims);
    put(to, s->dims, dims);
    put(to, o->value->data, head.data_bytes);
    return sizeof head + 2 * dims + round8(head.data_bytes);
}

static uint64_t put_all(struct worker *w, unsigned char *to)
{
    uint64_t n = round8(sizeof w->record);
    put(&to, &w->record, sizeof w->record);
    for (int run = 0; run < 2; run++) {
        assay_output *const *out = run == 0 ? w->outputs : w->outputs2;
        if (run == 1 && !(w->record.flags & JOB_TWICE))
            break;
        for (int i = 0; i < w->record.output_count; i++) {
            const assay_shape *s =
                w->program->program->outputs[i % w->program->output_count];
            n += put_output(&to, out[i], shape_size(s));
        }
    }
    for (const struct outfed *o = w->outfeed; o; o = o->next)
        n += put_outfed(&to, o);
    return n;
}

static void send(struct worker *w)
{
    struct share_ring *ring = w->job->outputs;
    uint64_t bytes = put_all(w, NULL);
    if (!share_fits(ring, bytes)) {
        w->record.flags |= JOB_TOO_LARGE;
        w->record.output_count = w->record.outfeed_count = 0;
        w->record.flags &= ~(uint32_t)JOB_TWICE;
        w->outfeed = NULL;
        bytes = put_all(w, NULL);
    }
    unsigned char *to = share_reserve(ring, bytes);
    if (!to)
        enter(w, JOB_WAIT);
    for (int turns = 0; !to; to = share_reserve(ring, bytes))
        share_wait(&turns);
    put_all(w, to);
    share_publish(ring, to, bytes);
}

/* ---- Cases
 * ----------------------------------------------------------------------------------
 */

static void run_case(struct worker *w, int64_t position)
{
    const struct job_context *x = w->context;
    struct job_shared *shared = w->job->shared;
    const struct plan_case *p = &x->plan->cases[x->pending[position]];
    struct test_case *c;
    struct status st = {0};
    bool again = atomic_load(&shared->again) == position;
    w->position = position;
    memset(&w->record, 0, sizeof w->record);
    w->record.position = position;
    w->record.attempt = again ? 2 : 1;
    w->outputs = w->outputs2 = NULL;
    w->outfeed = NULL;
    atomic_store(&shared->worker.attempt, w->record.attempt);
    enter(w, JOB_MAKE);
    atomic_store(&shared->worker.position, position);
    if (!case_make(&w->arena, p->stub, p->variant, x->limits, &c, &st)) {
        w->record.flags |= JOB_BAD_CASE;
        say(w, ASSAY_FAILED, JOB_MAKE, st.text);
    } else if (!c->program || !c->program->entry) {
        w->record.flags |= JOB_NO_PROGRAM;
    } else {
        w->program = abi_case(&w->arena, c);
        extension_program(&w->arena, c->program);
        if (w->plugin.classless)
            w->record.flags |= JOB_CLASSLESS;
        if (plugin_declines(&w->plugin, w->program->program, w->record.text,
                            sizeof w->record.text))
            w->record.flags |= JOB_DECLINED;
        else
            run_program(
                w, x->twice || worker_samples(x->seed, x->pending[position]));
    }
    send(w);
    atomic_store(&shared->worker.position, -1);
    atomic_store(&shared->worker.phase, JOB_IDLE);
    arena_reset(&w->arena);
}

/* The next case: of the batch, or of a new one. */
static int64_t take(struct worker *w)
{
    struct job_shared *shared = w->job->shared;
    int64_t next = atomic_load(&shared->next);
    if (next >= atomic_load(&shared->end)) {
        next = atomic_fetch_add(w->context->counter, JOB_BATCH);
        int64_t end = next + JOB_BATCH;
        if (end > w->context->pending_count)
            end = w->context->pending_count;
        atomic_store(&shared->next, next);
        atomic_store(&shared->end, end);
    }
    return next < w->context->pending_count ? next : -1;
}

int worker_run(const struct job_context *context, struct job *job)
{
    struct worker *w = calloc(1, sizeof *w);
    struct status st = {0};
    if (!w)
        return EXIT_FAILURE;
    w->context = context;
    w->job = job;
    worker_memory_limit(context->memory_bytes);
    w->memory_before = worker_memory_peak();
    enter(w, JOB_OPEN);
    if (!plugin_open(context->backend_path, context->backend_options,
                     &w->plugin, &st)) {
        fprintf(stderr, "%s\n", st.text);
        return EXIT_FAILURE;
    }
    for (int64_t p; !atomic_load(context->stop) && (p = take(w)) >= 0;) {
        run_case(w, p);
        atomic_store(&job->shared->next, p + 1);
    }
    enter(w, JOB_CLOSE);
    atomic_store(&job->shared->worker.done, 1);
    for (int i = 0; i < KEPT; i++)
        if (w->kept[i].made)
            w->plugin.backend->release(w->plugin.backend, w->kept[i].made);
    plugin_close(&w->plugin);
    return EXIT_SUCCESS;
}
