/* evaluate.c - see evaluate.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All replicas run one instruction before any runs the next, so a collective
 * finds its partners' operands at hand.  Control flow calls evaluate_group
 * again with the replicas that go that way.
 */
#include "interp/program/evaluate.h"

#include <assert.h>
#include <inttypes.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/memory.h"
#include "interp/program/channel.h"
#include "interp/program/interval.h"
#include "interp/program/uses.h"

enum {
    DEPTH_MAX = 256,       /* computations that call one another */
    EXACT_BYTES = 48,      /* about what a goal keeps of a unit */
    INSTRUCTION_STEPS = 64 /* elements that one takes as long as */
};

struct evaluate_frame {
    struct arena arena;
    bool used;
    struct evaluate_frame *outer, *inner;
};

/* Frames are kept for the next call: machine->scratch is the innermost one
 * in use, or the outermost one while none is. */
struct arena *evaluate_frame(struct machine *m)
{
    struct evaluate_frame *f = m->scratch;
    if (!f || f->used) {
        struct evaluate_frame *inner = f ? f->inner : NULL;
        if (!inner) {
            inner = calloc(1, sizeof *inner);
            if (!inner)
                memory_out(sizeof *inner);
            memory_hold(inner, free);
            inner->outer = f;
            if (f)
                f->inner = inner;
        }
        f = inner;
    }
    f->used = true;
    m->scratch = f;
    return &f->arena;
}

void evaluate_release(struct machine *m)
{
    struct evaluate_frame *f = m->scratch;
    assert(f && f->used);
    arena_reset(&f->arena);
    f->used = false;
    if (f->outer)
        m->scratch = f->outer;
}

static void free_frames(struct machine *m)
{
    struct evaluate_frame *f = m->scratch;
    while (f && f->outer)
        f = f->outer;
    while (f) {
        struct evaluate_frame *inner = f->inner;
        arena_free(&f->arena);
        memory_drop(f);
        free(f);
        f = inner;
    }
    m->scratch = NULL;
}

/* One run of one computation. */
struct run {
    struct arena *arena;
    struct machine *machine;
    const struct computation *c;
    int count;
    const int *replicas;
    bool want_exact;
    struct outcome **values; /* [instruction][replica] */
    struct eval *evs;        /* one a replica, used again and again */
    bool waiting;            /* something waits for a channel */
};

static int64_t bytes_of(const struct shape *s, bool want_exact)
{
    if (s->kind == SHAPE_ARRAY) {
        int64_t n = shape_bytes(s);
        int64_t units = n / dtype_unit_bytes(s->dtype);
        if (want_exact && dtype_class(s->dtype) >= DTYPE_FLOAT)
            n += units * EXACT_BYTES;
        return n + 256;
    }
    int64_t n = 64;
    for (int i = 0; s->kind == SHAPE_TUPLE && i < s->rank; i++)
        n += bytes_of(s->elements[i], want_exact);
    return n;
}

static int64_t elements_of(const struct shape *s)
{
    int64_t n = 0;
    if (s->kind == SHAPE_ARRAY)
        return shape_elements(s);
    for (int i = 0; s->kind == SHAPE_TUPLE && i < s->rank; i++)
        n += elements_of(s->elements[i]);
    return n;
}

/* Compares the arenas' real size with the limit, whatever the shapes say. */
static bool is_full(const struct run *r)
{
    uint64_t bytes = r->arena->bytes;
    for (const struct evaluate_frame *f = r->machine->scratch; f; f = f->outer)
        if (&f->arena != r->arena)
            bytes += f->arena.bytes;
    return bytes > (uint64_t)r->machine->limits->evaluate_bytes;
}

/* A step is an instruction, and an element that it makes. */
static bool charge(const struct run *r, const struct instruction *in,
                   struct status *st)
{
    struct machine *m = r->machine;
    m->steps += r->count * INSTRUCTION_STEPS;
    if (!in->op->passes)
        m->steps += r->count * elements_of(in->shape);
    if (m->steps > m->limits->steps)
        return FAIL(st, SYSTEM,
                    "limit: more than %" PRId64 " steps (--limit-steps)",
                    m->limits->steps);
    if (!in->op->passes)
        m->bytes += r->count * bytes_of(in->shape, r->want_exact);
    if (m->bytes > m->limits->evaluate_bytes || is_full(r))
        return FAIL(st, SYSTEM,
                    "limit: more than %" PRId64
                    " bytes of values (--limit-evaluate-bytes)",
                    m->limits->evaluate_bytes);
    return true;
}

/* Under an environment an instruction is given single values, without the
 * alternatives. */
static void take_operands(const struct run *r, const struct instruction *in,
                          const struct literal **operands,
                          const struct outcome **outcomes)
{
    const struct machine_environment *e = r->machine->environment;
    for (int k = 0; e && !in->op->passes && k < in->operand_count; k++) {
        struct outcome *made = arena_new(r->arena, struct outcome, 1);
        const struct literal *own =
            e->take ? e->take(e->context, r->arena, in, operands[k])
                    : operands[k];
        made->value = own == operands[k] ? outcomes[k]->value
                                         : literal_copy(r->arena, own);
        outcomes[k] = made;
        operands[k] = made->value;
    }
}

/* An environment's results follow from exact values, or from patterns. */
static bool wants_exact(const struct run *r)
{
    const struct machine_environment *e = r->machine->environment;
    return r->want_exact || (e && e->give && !e->patterns);
}

static const struct machine_follower *follower_of(const struct run *r)
{
    const struct machine_follower *f = r->machine->follower;
    return f && f->arena == r->arena && r->count == 1 && r->want_exact ? f
                                                                       : NULL;
}

static struct outcome copy_goals(struct arena *a, const struct outcome *from)
{
    struct outcome to = *from;
    size_t n = (size_t)from->count;
    if (!from->goals)
        return to;
    to.goals = arena_new(a, struct goal *, n);
    memcpy(to.goals, from->goals, n * sizeof *to.goals);
    return to;
}

/* Extends what an instruction gives for the values of its operands to what it
 * may give for all that they may be. */
static bool propagate(struct run *r, struct status *st)
{
    const struct machine_follower *f = follower_of(r);
    if (!f)
        return interval_propagate(r->evs, r->count, st);
    struct outcome local = copy_goals(r->arena, &r->evs[0].out);
    if (!interval_propagate(r->evs, 1, st)) {
        if (st->code != STATUS_UNSUPPORTED
            || !f->refused(f->context, &r->evs[0]))
            return false;
        *st = (struct status){0};
        r->evs[0].out = copy_goals(r->arena, &local);
        TRY(interval_propagate(r->evs, 1, st));
    }
    f->made(f->context, &r->evs[0], &local);
    return true;
}

static bool run_instruction(struct run *r, int number, struct status *st)
{
    const struct instruction *in = r->c->instructions[number];
    size_t n = (size_t)in->operand_count;
    for (size_t k = 0; k < n; k++)
        if (!r->values[in->operands[k]])
            return true; /* it waits */
    TRY(charge(r, in, st));
    for (int i = 0; i < r->count; i++) {
        const struct literal **operands =
            arena_new(r->arena, const struct literal *, n);
        const struct outcome **outcomes =
            arena_new(r->arena, const struct outcome *, n);
        for (size_t k = 0; k < n; k++) {
            outcomes[k] = &r->values[in->operands[k]][i];
            operands[k] = outcomes[k]->value;
        }
        take_operands(r, in, operands, outcomes);
        r->evs[i] = (struct eval){.arena = r->arena,
                                  .machine = r->machine,
                                  .in = in,
                                  .replica = r->replicas[i],
                                  .count = in->operand_count,
                                  .operands = operands,
                                  .outcomes = outcomes,
                                  .want_exact = wants_exact(r)};
    }
    if (in->op->eval_group)
        TRY(in->op->eval_group(r->evs, r->count, st));
    else
        for (int i = 0; i < r->count; i++)
            TRY(in->op->eval(&r->evs[i], st));
    for (int i = 0; i < r->count; i++)
        if (!r->evs[i].out.value) {
            r->waiting = true;
            return true;
        }
    const struct machine_environment *e = r->machine->environment;
    for (int i = 0; e && e->give && i < r->count; i++)
        e->give(e->context, &r->evs[i]);
    if (!e && r->want_exact && !in->op->passes)
        TRY(propagate(r, st));
    for (int i = 0; r->want_exact && !in->op->passes && i < r->count; i++)
        uses_settle(&r->evs[i]);
    struct outcome *out = arena_new(r->arena, struct outcome, (size_t)r->count);
    for (int i = 0; i < r->count; i++)
        out[i] = r->evs[i].out;
    r->values[number] = out;
    return true;
}

/* A failure within a called computation names the inner instruction, not the
 * caller. */
static bool run_one(struct run *r, int number, struct status *st)
{
    struct machine *m = r->machine;
    const struct machine_call call = {r->c->instructions[number], m->call};
    m->failed = NULL;
    m->call = &call;
    bool good = run_instruction(r, number, st);
    m->call = call.caller;
    if (!good && !m->failed)
        m->failed = call.in;
    return good;
}

static bool run_all(struct run *r, const struct outcome *const *arguments,
                    struct outcome *results, struct status *st)
{
    const struct computation *c = r->c;
    size_t count = (size_t)r->count;
    r->values = arena_new(r->arena, struct outcome *, (size_t)c->count);
    r->evs = arena_new(r->arena, struct eval, count);
    for (int k = 0; k < c->parameter_count; k++) {
        struct outcome *out = arena_new(r->arena, struct outcome, count);
        for (int i = 0; i < r->count; i++)
            out[i] = arguments[i][k];
        r->values[c->parameters[k]] = out;
    }
    for (int i = 0; i < c->count; i++)
        if (!r->values[i] && !run_one(r, i, st))
            return false;
    for (int i = 0; i < r->count; i++)
        results[i] = r->waiting ? (struct outcome){0} : r->values[c->root][i];
    return true;
}

bool evaluate_group(struct arena *a, struct machine *machine,
                    const struct computation *c, int count, const int *replicas,
                    bool want_exact, const struct outcome *const *arguments,
                    struct outcome *results, struct status *st)
{
    struct run r = {.arena = a,
                    .machine = machine,
                    .c = c,
                    .count = count,
                    .replicas = replicas,
                    .want_exact = want_exact};
    if (machine->depth >= DEPTH_MAX)
        return FAIL(st, SYSTEM, "limit: computations call one another %d deep",
                    DEPTH_MAX);
    machine->depth++;
    bool ok = run_all(&r, arguments, results, st);
    machine->depth--;
    return ok;
}

/* Every leaf of a program's result has a goal. */
static void complete(struct arena *a, struct outcome *out)
{
    if (out->goals)
        return;
    out->count = shape_leaves(out->value->shape);
    out->goals = arena_new(a, struct goal *, (size_t)out->count);
    for (int i = 0; i < out->count; i++) {
        struct literal *leaf = literal_leaf(out->value, i);
        if (leaf->shape->kind == SHAPE_ARRAY)
            out->goals[i] = goal_of(a, leaf, GOAL_MOVED);
    }
}

/* The inputs must be what the entry's parameters say. */
static bool check_input(struct arena *a, const struct computation *c,
                        int replica, int k, const struct literal *l,
                        struct status *st)
{
    const struct shape *s = c->instructions[c->parameters[k]]->shape;
    if (shape_equal(s, l->shape))
        return true;
    return FAIL(st, SHAPE, "parameter %d is %s; replica %d is given %s", k,
                shape_text(a, s), replica, shape_text(a, l->shape));
}

/* Room for what the caller did not give. */
static void prepare(struct arena *a, struct machine *m)
{
    size_t n = (size_t)m->replicas;
    m->feeds = a;
    if (!m->infeed || !m->infeed_count) {
        m->infeed = arena_new(a, struct literal **, n);
        m->infeed_count = arena_new(a, int, n);
    }
    m->infeed_next = arena_new(a, int, n);
    m->outfeed = arena_new(a, struct literal **, n);
    m->outfeed_count = arena_new(a, int, n);
    m->outfeed_room = arena_new(a, int, n);
    m->fed = arena_new(a, struct machine_fed *, n);
    m->fed_room = arena_new(a, int, n);
    channel_open(a, m);
}

/* One of the programs that run side by side: an entry on some processes. */
struct part {
    const struct computation *entry;
    int count;
    int *processes;
    bool done;
};

static struct part *find_parts(struct arena *a, const struct machine *m,
                               int *count)
{
    const struct program *p = m->program;
    int n = m->replicas;
    struct part *parts = arena_new(a, struct part, (size_t)n);
    *count = 0;
    for (int i = 0; i < n; i++) {
        const struct computation *entry = p->entries ? p->entries[i] : p->entry;
        int k = 0;
        while (k < *count && parts[k].entry != entry)
            k++;
        if (k == *count) {
            parts[k].entry = entry;
            parts[k].processes = arena_new(a, int, (size_t)n);
            ++*count;
        }
        parts[k].processes[parts[k].count++] = i;
    }
    return parts;
}

/* Run a program as far as possible. */
static bool run_part(struct arena *a, struct machine *m, struct part *part,
                     struct literal *const *const *inputs,
                     struct outcome *outcomes, struct status *st)
{
    const struct computation *c = part->entry;
    size_t n = (size_t)part->count;
    struct outcome *results = arena_new(a, struct outcome, n);
    const struct outcome **arguments = arena_new(a, const struct outcome *, n);
    for (int i = 0; i < part->count; i++) {
        int process = part->processes[i];
        struct outcome *own =
            arena_new(a, struct outcome, (size_t)c->parameter_count);
        for (int k = 0; k < c->parameter_count; k++) {
            TRY(check_input(a, c, process, k, inputs[process][k], st));
            own[k].value = inputs[process][k];
        }
        arguments[i] = own;
        m->infeed_next[process] = m->outfeed_count[process] = 0;
    }
    channel_begin(m, part->count, part->processes);
    TRY(evaluate_group(a, m, c, part->count, part->processes, m->want_exact,
                       arguments, results, st));
    part->done = results[0].value != NULL;
    for (int i = 0; i < part->count; i++)
        outcomes[part->processes[i]] = results[i];
    return true;
}

/* Until all programs have finished. */
static bool run_parts(struct arena *a, struct machine *m,
                      struct literal *const *const *inputs,
                      struct outcome *outcomes, struct status *st)
{
    int count, left;
    struct part *parts = find_parts(a, m, &count);
    do {
        bool ended = false;
        left = 0;
        channel_round(m);
        for (int i = 0; i < count; i++) {
            if (parts[i].done)
                continue;
            TRY(run_part(a, m, &parts[i], inputs, outcomes, st));
            left += !parts[i].done;
            ended = ended || parts[i].done;
        }
        if (left > 0 && !ended && !channel_moved(m))
            return channel_deadlock(m, st);
    } while (left > 0);
    return true;
}

bool evaluate_program(struct arena *a, struct machine *machine,
                      struct literal *const *const *inputs,
                      struct outcome *outcomes, struct status *st)
{
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
    if (machine->replicas < 1)
        machine->replicas = 1;
    prepare(a, machine);
    bool ok = run_parts(a, machine, inputs, outcomes, st);
    free_frames(machine);
    for (int i = 0; ok && i < machine->replicas; i++)
        complete(a, &outcomes[i]);
    return ok;
}

void evaluate_end(void)
{
    mpfr_free_cache();
}
