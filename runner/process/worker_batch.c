/* worker_batch.c - several cases, compiled and executed as one program.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A compiler takes tens of milliseconds for a program of one small operation,
 * and less than one for each more that the program has.  So the cases that a
 * worker takes together are joined (interp/program/join.h), and each gets a
 * record as if it had been alone, with its own inputs and outputs.
 *
 * A batch that is refused is halved until the refused case is alone, while that
 * takes less than it saves; others of a kind that is refused are left out.  A
 * case without a record is run alone in a later round, and so is one whose
 * record is not judged right (supervise_batch.c).  So nothing here decides what
 * a backend gets wrong.  batch.t and evil.t test this.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/program/join.h"
#include "runner/plugin/extension.h"
#include "runner/process/worker_private.h"

enum {
    /* The most bytes of inputs, outputs and constants.  Larger cases are few,
     * and what compiling costs is not what they cost. */
    CASE_BYTES = 1 << 20,
    BATCH_BYTES = 16 << 20,
    ARENA_BYTES = 256 << 20, /* of the cases that were made */
    LEAVES = 512,  /* of results: what a compiler does within one call's time */
    REFUSED = 256, /* kinds of program that were refused */
    REFUSED_ENOUGH = 2 /* times: more of that kind are run alone at once */
};

/* Unsuccessful compiling may take this long for each case taken, or this share
 * of what a case alone takes: after that the rest is run alone. */
#define VAIN_NS    5000000
#define VAIN_SHARE 2

struct member {
    int64_t position;
    const struct test_case *made;
    const struct abi_case *own; /* as it is alone */
    struct hash inputs;         /* as they were before the execution */
    uint64_t kind;
};

struct refusal {
    uint64_t kind;
    int times;
};

struct worker_batch {
    struct member members[JOB_BATCH_MAX];
    int count;
    uint64_t bytes;
    int leaves;
    int64_t taken, vain_ns;
    int64_t alone_ns; /* what all cases took that were compiled alone */
    int alone;        /* how many these are */
    struct refusal refused[REFUSED];
};

/* ---- Which cases --------------------------------------------------------- */

static uint64_t tensor_bytes(const assay_tensor *const *t, int count)
{
    uint64_t n = 0;
    for (int i = 0; i < count; i++)
        n += t[i]->bytes;
    return n;
}

static uint64_t constant_bytes(const assay_program *p)
{
    uint64_t n = 0;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++) {
            const assay_instruction *in = p->computations[i]->instructions[k];
            for (int a = 0; a < in->attribute_count; a++)
                if (in->attributes[a]->kind == ASSAY_LITERAL)
                    n += tensor_bytes(in->attributes[a]->literals,
                                      in->attributes[a]->count);
        }
    return n;
}

static uint64_t output_bytes(const struct test_case *c)
{
    const struct shape *s = c->program->entry->result;
    uint64_t n = 0;
    for (int i = shape_leaves(s); i-- > 0;)
        n += (uint64_t)shape_bytes(shape_leaf(s, i));
    return n;
}

static uint64_t bytes_of(const struct member *m)
{
    return tensor_bytes(m->own->inputs, m->own->input_count)
           + constant_bytes(m->own->program) + output_bytes(m->made);
}

/* Operations and element types: compilers refuse by these. */
static uint64_t kind_of(const assay_program *p)
{
    struct hash h = {{9, 10}};
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->instruction_count; k++) {
            const assay_instruction *in = p->computations[i]->instructions[k];
            hash_text(&h, in->op);
            hash_text(&h, in->shape->dtype);
        }
    return h.h[0] ^ h.h[1];
}

static struct refusal *refusal_of(struct worker_batch *b, uint64_t kind)
{
    return &b->refused[kind % REFUSED];
}

static bool is_refused(struct worker_batch *b, uint64_t kind)
{
    const struct refusal *r = refusal_of(b, kind);
    return r->kind == kind && r->times >= REFUSED_ENOUGH;
}

static void note_refusal(struct worker_batch *b, uint64_t kind)
{
    struct refusal *r = refusal_of(b, kind);
    if (r->kind != kind)
        *r = (struct refusal){.kind = kind};
    r->times++;
}

/* Make the case; false if it is one to run alone. */
static bool make_member(struct worker *w, int64_t position, struct member *m)
{
    const struct job_context *x = w->context;
    const struct plan_case *p = &x->plan->cases[x->pending[position]];
    struct test_case *made;
    const struct test_case *c;
    struct status st = {0};
    char why[JOB_TEXT];
    worker_begin(w, position);
    worker_enter(w, JOB_MAKE);
    worker_at(w, position);
    const enum job_lone lone = worker_lone(x, position);
    if (lone == JOB_LONE || lone == JOB_LAST
        || !case_make(&w->arena, p->stub, p->form, x->limits, &made, &st))
        return false;
    c = made->written;
    if (c->rejected || c->error_count > 0 || c->infeed_count || c->outfeed_count
        || c->replicas != 1 || !c->program || !c->program->entry
        || !join_allows(c->program)
        || c->input_count != c->program->entry->parameter_count)
        return false;
    *m = (struct member){.position = position, .made = c};
    m->own = abi_case(&w->arena, c);
    m->kind = kind_of(m->own->program);
    return !is_refused(w->batch, m->kind)
           && !plugin_declines(&w->plugin, m->own->program, why, sizeof why);
}

/* ---- Joining ------------------------------------------------------------- */

static const struct abi_case *join_members(struct worker *w,
                                           const struct member *m, int n)
{
    struct arena *a = &w->arena;
    const struct program **programs =
        arena_new(a, const struct program *, (size_t)n);
    struct test_case *c = arena_new(a, struct test_case, 1);
    struct literal ***rows = arena_new(a, struct literal **, 1);
    for (int i = 0; i < n; i++) {
        programs[i] = m[i].made->program;
        c->input_count += m[i].made->input_count;
    }
    rows[0] = arena_new(a, struct literal *, (size_t)c->input_count + 1);
    int next = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m[i].made->input_count; k++)
            rows[0][next++] = m[i].made->inputs[0][k];
    c->name = arena_printf(a, "batch of %d cases from %s", n, m[0].made->name);
    c->replicas = c->partitions = 1;
    c->inputs = rows;
    c->program = join(a, w->context->limits, n, programs);
    const struct abi_case *to = abi_case(a, c);
    worker_input_guard(a, to);
    extension_program(a, c->program);
    return to;
}

/* A member's part of what was executed: its program, with the tensors of the
 * joined one, from this input on. */
static const struct abi_case *part_of(struct worker *w, const struct member *m,
                                      const struct abi_case *joined, int input)
{
    struct abi_case *part = arena_new(&w->arena, struct abi_case, 1);
    *part = *m->own;
    part->inputs = joined->inputs + input;
    return part;
}

static void hash_inputs(struct worker *w, struct member *m, int n)
{
    int input = 0;
    for (int i = 0; i < n; i++) {
        const struct abi_case *part = part_of(w, &m[i], w->program, input);
        input += part->input_count;
        m[i].inputs = (struct hash){{0}};
        if (worker_input_whole(part))
            m[i].inputs = worker_input_hash(part);
    }
}

/* ---- Executing ----------------------------------------------------------- */

/* An execution of a whole batch. */
struct executed {
    const struct abi_case *joined;
    assay_output *const *outputs, *const *outputs2;
    struct worker_output room;
    struct job_record record;
};

static bool samples_any(const struct worker *w, const struct member *m, int n)
{
    for (int i = 0; i < n; i++)
        if (worker_samples(w->context->seed,
                           w->context->pending[m[i].position]))
            return true;
    return false;
}

/* False if there are no outputs to look at. */
static bool execute(struct worker *w, struct worker_executable *e,
                    struct member *m, int n, struct executed *x)
{
    struct worker_output *room = &w->room;
    room->arena = &w->arena;
    room->program = w->program;
    room->seed = w->context->seed * 31 + (uint64_t)w->position;
    if (!worker_output_room(room))
        return false;
    if (worker_input_whole(w->program))
        w->record.inputs = worker_input_hash(w->program);
    hash_inputs(w, m, n);
    x->outputs = worker_output_new(room, false);
    worker_execute(w, e, x->outputs, false);
    if (w->record.code != ASSAY_OK || !samples_any(w, m, n))
        return w->record.code == ASSAY_OK;
    int64_t time_ns = w->record.time_ns;
    x->outputs2 = worker_output_new(room, true);
    worker_execute(w, e, x->outputs2, true);
    w->record.time_ns = time_ns;
    return w->record.code == ASSAY_OK;
}

/* The worker's observations on one member; w->room and w->outputs are its part.
 * */
static void look(struct worker *w, const struct member *m,
                 const struct abi_case *part)
{
    struct job_record *r = &w->record;
    struct hash after = worker_input_hash(part);
    bool sampled =
        w->outputs2
        && worker_samples(w->context->seed, w->context->pending[m->position]);
    int broken = worker_output_broken(&w->room, w->outputs, false);
    if (broken < 0 && sampled)
        broken = worker_output_broken(&w->room, w->outputs2, true);
    if (memcmp(&m->inputs, &after, sizeof after) != 0)
        r->flags |= JOB_INPUT;
    if (!worker_input_whole(part))
        r->flags |= JOB_BESIDE;
    if (broken >= 0) {
        r->flags |= JOB_GUARD;
        r->where = broken;
    }
    r->output_count = broken < 0 ? part->output_count : 0;
    if (!sampled || broken >= 0 || part->output_count == 0)
        return;
    int left = worker_output_unwritten(&w->room, w->outputs, w->outputs2);
    if (left >= 0) {
        r->flags |= JOB_UNWRITTEN;
        r->where = left;
    } else if (worker_output_differ(&w->room, w->outputs, w->outputs2)) {
        r->flags |= JOB_TWICE;
    }
}

/* A record for each member. */
static void send_members(struct worker *w, const struct member *m, int n,
                         const struct executed *x)
{
    /* Flags that concern no member in particular concern all. */
    uint32_t all = x->record.flags & (JOB_PROGRAM | JOB_ERROR | JOB_EXECUTED);
    int input = 0, output = 0;
    for (int i = 0; i < n; i++) {
        const struct abi_case *part = part_of(w, &m[i], x->joined, input);
        worker_begin(w, m[i].position);
        w->program = part;
        w->room = x->room;
        w->record.flags = all;
        w->record.left = x->record.left;
        w->record.program = part->hash;
        w->record.phase = JOB_EXECUTE;
        w->record.time_ns = x->record.time_ns / n;
        w->record.compile_ns = x->record.compile_ns / n;
        w->record.batch = n;
        w->record.batch_first = m[0].position;
        w->record.inputs = m[i].inputs;
        if (x->outputs) {
            w->room.program = part;
            w->room.sizes += output;
            w->room.data[0] += output;
            w->room.data[1] += output;
            w->room.seed += (uint64_t)output;
            w->outputs = x->outputs + output;
            w->outputs2 = x->outputs2 ? x->outputs2 + output : NULL;
            look(w, &m[i], part);
        }
        input += part->input_count;
        output += part->output_count;
        worker_send(w);
    }
    w->room = x->room;
}

static void note_time(struct worker_batch *b, int n, bool good, int64_t ns)
{
    if (!good)
        b->vain_ns += ns;
    if (n == 1) {
        b->alone_ns += ns;
        b->alone++;
    }
}

/* Compile, execute and send them; false if they are refused. */
static bool run_members(struct worker *w, struct member *m, int n)
{
    struct executed x = {0};
    struct worker_executable *e;
    char why[JOB_TEXT];
    worker_begin(w, m[0].position);
    worker_at(w, m[0].position);
    w->program = x.joined = join_members(w, m, n);
    if (plugin_declines(&w->plugin, w->program->program, why, sizeof why))
        return false;
    int64_t start = ring_clock_ns(), end;
    bool good = false, made = worker_compile(w, &e);
    if (made) {
        w->record.flags |= JOB_EXECUTED;
        good = execute(w, e, m, n, &x);
        worker_drop(w, e);
    } else if (w->record.code == ASSAY_OK) {
        good = true; /* it compiles, but does something else as well */
    }
    end = ring_clock_ns();
    x.record = w->record;
    x.room = w->room;
    if (good)
        send_members(w, m, n, &x);
    note_time(w->batch, n, good, end - start);
    return good;
}

static bool is_vain(const struct worker_batch *b)
{
    int64_t most = b->alone ? b->alone_ns / b->alone / VAIN_SHARE : 0;
    return b->vain_ns > (most > VAIN_NS ? most : VAIN_NS) * b->taken;
}

/* Only those whose kind is not known to be refused: how many are left? */
static int leave_out(struct worker_batch *b, struct member *m, int n)
{
    int left = 0;
    for (int i = 0; i < n; i++)
        if (!is_refused(b, m[i].kind))
            m[left++] = m[i];
    return left;
}

static void run_alone(struct worker *w, struct member *m)
{
    if (!run_members(w, m, 1))
        note_refusal(w->batch, m->kind);
}

/* In halves, to find out which of them are refused. */
static void search_members(struct worker *w, struct member *m, int n)
{
    struct worker_batch *b = w->batch;
    if (is_vain(b) || (n = leave_out(b, m, n)) == 0)
        return;
    if (n == 1) {
        run_alone(w, m);
        return;
    }
    if (run_members(w, m, n))
        return;
    if (b->alone == 0) { /* so that it is known how long it takes */
        run_alone(w, m++);
        n--;
    }
    search_members(w, m, n / 2);
    search_members(w, m + n / 2, n - n / 2);
}

static void run_all(struct worker *w)
{
    struct worker_batch *b = w->batch;
    if (b->count > 0)
        search_members(w, b->members, b->count);
    b->count = b->leaves = 0;
    b->bytes = 0;
    worker_enter(w, JOB_IDLE);
    worker_at(w, -1);
    arena_reset(&w->arena);
}

/* Unless it is large. */
static void add_member(struct worker_batch *b, const struct member *m)
{
    uint64_t bytes = bytes_of(m);
    if (bytes > CASE_BYTES || m->own->output_count > LEAVES)
        return;
    b->members[b->count++] = *m;
    b->bytes += bytes;
    b->leaves += m->own->output_count;
}

void worker_batch(struct worker *w)
{
    int64_t next = atomic_load(&w->left.next), end = atomic_load(&w->left.end);
    if (!w->batch)
        w->batch = calloc(1, sizeof *w->batch);
    if (!w->batch)
        _Exit(JOB_NO_MEMORY);
    struct worker_batch *b = w->batch;
    b->vain_ns = 0;
    b->taken = end - next;
    for (int64_t p = next; p < end; p++) {
        struct member m;
        if (make_member(w, p, &m))
            add_member(b, &m);
        if (b->bytes > BATCH_BYTES || b->count == JOB_BATCH_MAX
            || b->leaves > LEAVES || w->arena.bytes > ARENA_BYTES)
            run_all(w);
    }
    run_all(w);
    worker_taken(w, end, end);
}
