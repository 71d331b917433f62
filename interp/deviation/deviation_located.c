/* deviation_located.c - see deviation_located.h; interp/test/test_place.c
 * tests this.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_located.h"

#include <string.h>

#include "interp/deviation/deviation_run.h"
#include "interp/form/form_apply.h"
#include "interp/program/evaluate.h"

enum {
    END = 1 << 14 /* elements */
};

/* ---- Any program --------------------------------------------------------- */

struct located {
    const struct deviation_use *use;
    const struct place_table *places;
    bool *any;            /* the deviation changed an instruction */
    struct status *ended; /* the first evaluation that a limit ended */
};

/* Is the instruction at the place, or may elements of it be? */
static bool is_there(const struct located *l, const struct machine *m,
                     const struct instruction *in)
{
    const struct place_at at = {.program = m->program,
                                .computation = program_home(m->program, in),
                                .in = in,
                                .execution = l->use->execution};
    uint64_t bit = UINT64_C(1) << l->use->place->number;
    return at.computation && !in->op->passes && in->op->role == OP_ROLE_NONE
           && place_is_step(l->places, m->program, at.computation)
           && ((l->places->of_elements & bit)
               || (place_of_instruction(l->places, &at) & bit));
}

/* The instruction alone, of parameters. */
static struct program *alone(struct arena *a, const struct eval *ev,
                             struct status *st)
{
    struct program *p = form_build_program(a, ev->machine->program);
    struct computation *c = program_computation(p, "place");
    struct instruction in = *ev->in;
    int *operands = arena_new(a, int, (size_t)ev->count + 1);
    for (int k = 0; k < ev->count; k++)
        operands[k] = program_parameter(p, c, k, ev->operands[k]->shape);
    in.operands = operands;
    c->root = program_add(p, c, &in);
    p->entry = c;
    return program_infer(p, st) ? p : NULL;
}

/* Its result under the deviation at any place; NULL if the deviation does not
 * apply to it. */
static const struct literal *deviating(struct arena *a, const struct located *l,
                                       const struct eval *ev)
{
    struct status ignored = {0};
    struct deviation_use use = *l->use;
    struct program *p = alone(a, ev, &ignored);
    struct literal **inputs =
        arena_new(a, struct literal *, (size_t)ev->count + 1);
    struct literal *const *rows[] = {inputs};
    struct outcome out;
    use.place = NULL;
    for (int k = 0; k < ev->count; k++)
        inputs[k] = literal_copy(a, ev->operands[k]);
    struct machine m = {.program = p,
                        .profile = ev->machine->profile,
                        .limits = ev->machine->limits,
                        .flush = ev->machine->flush,
                        .sources = ev->machine->sources,
                        .replicas = 1,
                        .custom_calls = ev->machine->custom_calls};
    if (p && deviation_run(a, &use, &m, rows, &out, &ignored))
        return out.value;
    if (ignored.code == STATUS_SYSTEM && l->ended->code == STATUS_OK)
        *l->ended = ignored;
    return NULL;
}

static void mix_leaf(struct literal *to, const struct literal *other,
                     const struct place_table *places, uint64_t bit,
                     const struct place_array *array)
{
    int64_t n = to->shape->kind == SHAPE_ARRAY ? shape_elements(to->shape) : 0;
    for (int64_t i = 0; i < n; i++)
        if (place_of_element(places, array, i) & bit)
            literal_move(to, i, other, i);
}

/* l has the shape s, which lives longer than its own. */
static void take_shape(struct literal *l, const struct shape *s)
{
    l->shape = s;
    for (int i = 0; s->kind == SHAPE_TUPLE && i < s->rank; i++)
        take_shape(l->elements[i], s->elements[i]);
}

static void mix(const struct located *l, struct eval *ev,
                const struct literal *other)
{
    uint64_t bit = UINT64_C(1) << l->use->place->number;
    *l->any = true;
    struct literal *mixed = literal_copy(
        ev->arena, l->places->of_elements & bit ? ev->out.value : other);
    take_shape(mixed, ev->out.value->shape);
    int n = shape_leaves(mixed->shape);
    for (int i = 0; i < n && (l->places->of_elements & bit); i++) {
        const struct place_array array = {
            .right = literal_leaf(ev->out.value, i),
            .by_element = place_by_element(ev->in->op),
            .count = ev->count,
            .operands = ev->operands};
        mix_leaf(literal_leaf(mixed, i), literal_leaf(other, i), l->places, bit,
                 &array);
    }
    ev->out.value = mixed;
    ev->out.goals = NULL;
}

/* The program's memory has the result alone: a deviation may make a loop
 * endless. */
static void give(const void *context, struct eval *ev)
{
    const struct located *l = context;
    struct arena scratch = ARENA_INIT;
    if (!is_there(l, ev->machine, ev->in))
        return;
    const struct literal *other = deviating(&scratch, l, ev);
    if (other && shape_equal(other->shape, ev->out.value->shape))
        mix(l, ev, other);
    arena_free(&scratch);
}

bool deviation_located_run(struct arena *a, const struct deviation_use *use,
                           struct machine *m,
                           struct literal *const *const *inputs,
                           struct outcome *outcomes, struct status *st)
{
    bool any = false;
    struct status ended = {STATUS_OK};
    struct located l = {.use = use, .any = &any, .ended = &ended};
    const struct machine_environment environment = {.context = &l,
                                                    .give = give};
    TRY(place_read(&l.places, st));
    if (m->replicas > 1)
        return FAIL(st, UNSUPPORTED, "%s: several processes", use->name);
    m->environment = &environment;
    bool good = evaluate_program(a, m, inputs, outcomes, st);
    m->environment = NULL;
    if (good && ended.code != STATUS_OK) {
        *st = ended;
        return false;
    }
    return good
           && (any
               || FAIL(st, UNSUPPORTED, "%s does not apply to this program",
                       use->name));
}

/* ---- One operation ------------------------------------------------------- */

/* The instruction that gives array number *leaf of a value, and which of its
 * own arrays that is; NULL if it is not the operation's. */
static const struct instruction *giver(const struct computation *c, int number,
                                       int *leaf)
{
    const struct instruction *in = c->instructions[number];
    for (int k = 0; in->op->role == OP_ROLE_TUPLE && k < in->operand_count;
         k++) {
        int n = shape_leaves(c->instructions[in->operands[k]]->shape);
        if (*leaf < n)
            return giver(c, in->operands[k], leaf);
        *leaf -= n;
    }
    return in->op->role == OP_ROLE_NONE ? in : NULL;
}

/* Does nothing but the operation decide what the program gives? */
static bool is_alone(const struct test_case *c)
{
    const struct program *p = c->program;
    if (!c->op || p->entries || p->replicas > 1 || p->partitions > 1
        || c->replicas > 1)
        return false;
    for (int i = 0; i < p->entry->count; i++) {
        const struct instruction *in = p->entry->instructions[i];
        if (in->op->role == OP_ROLE_NONE
            && (in->op->passes || strcmp(in->op->name, c->op) != 0))
            return false;
        for (int k = 0; k < in->operand_count; k++)
            if (in->op->role == OP_ROLE_NONE
                && p->entry->instructions[in->operands[k]]->op->role
                       == OP_ROLE_NONE)
                return false;
    }
    return true;
}

/* The value of an instruction without operands; NULL if it has no own one. */
static const struct literal *source_of(const struct test_case *c, int number)
{
    const struct computation *entry = c->program->entry;
    const struct instruction *in = entry->instructions[number];
    for (int i = 0; i < entry->parameter_count && i < c->input_count; i++)
        if (entry->parameters[i] == number)
            return c->inputs[0][i];
    return in->op->role == OP_ROLE_CONSTANT && in->attribute_count > 0
               ? in->attributes[0].literal
               : NULL;
}

static void fill(struct arena *a, const struct test_case *c,
                 const struct literal *right, struct deviation_located *to)
{
    const struct computation *entry = c->program->entry;
    to->count = shape_leaves(right->shape);
    to->arrays = arena_new(a, struct place_array, (size_t)to->count + 1);
    for (int i = 0; i < to->count; i++) {
        int leaf = i;
        const struct instruction *in = giver(entry, entry->root, &leaf);
        const struct literal **operands = arena_new(
            a, const struct literal *, in ? (size_t)in->operand_count + 1 : 1);
        for (int k = 0; in && k < in->operand_count; k++)
            operands[k] = source_of(c, in->operands[k]);
        to->arrays[i] =
            (struct place_array){.right = literal_leaf(right, i),
                                 .by_element = in && place_by_element(in->op),
                                 .count = in ? in->operand_count : 0,
                                 .operands = operands};
    }
}

/* Is it of the type of the result?  A form counts the trips of a loop. */
static bool is_own(const struct test_case *c, const struct place_at *at)
{
    return shape_first(at->in->shape)->dtype
           == shape_first(c->program->entry->result)->dtype;
}

static bool is_step(const struct test_case *c, const struct place_table *places,
                    const struct place_at *at)
{
    return strcmp(at->in->op->name, c->op) == 0
           && place_is_step(places, at->program, at->computation);
}

bool deviation_located_at(struct arena *a, const struct test_case *c,
                          const struct literal *right,
                          struct deviation_located *to, struct status *st)
{
    const struct place_table *places;
    const struct program *p = c->written->program;
    bool any = false;
    *to = (struct deviation_located){.all = UINT64_MAX, .some = UINT64_MAX};
    TRY(place_read(&places, st));
    if (!is_alone(c))
        return false;
    to->some = 0;
    /* All of them have it, or the place is none of the case's. */
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++) {
            const struct place_at at = {
                .program = p,
                .computation = p->computations[i],
                .in = p->computations[i]->instructions[k]};
            if (!is_step(c, places, &at))
                continue;
            uint64_t own = place_of_instruction(places, &at);
            to->some |= own;
            if (!is_own(c, &at))
                continue;
            any = true;
            to->all &= own;
        }
    to->places = places;
    if (right)
        fill(a, c, right, to);
    return any;
}

uint64_t deviation_located_element(const struct deviation_located *at,
                                   int array, int64_t i)
{
    return at->all | place_of_element(at->places, &at->arrays[array], i);
}

/* Looks only at the ends of a long array. */
uint64_t deviation_located_all(const struct deviation_located *at)
{
    uint64_t all = at->all;
    for (int k = 0; k < at->count; k++) {
        const struct shape *s = at->arrays[k].right->shape;
        int64_t n = s->kind == SHAPE_ARRAY ? shape_elements(s) : 0;
        for (int64_t i = 0; i < n; i++) {
            all |= place_of_element(at->places, &at->arrays[k], i);
            if (i + 1 == END && n > 2 * END)
                i = n - END - 1;
        }
    }
    return all;
}

struct literal *deviation_located_mix(struct arena *a,
                                      const struct deviation_located *at,
                                      const struct place *place,
                                      const struct literal *right,
                                      const struct literal *other)
{
    uint64_t bit = UINT64_C(1) << place->number;
    struct literal *mixed = literal_copy(a, right);
    for (int k = 0; k < at->count; k++) {
        struct literal *to = literal_leaf(mixed, k);
        const struct literal *from = literal_leaf(other, k);
        int64_t n =
            to->shape->kind == SHAPE_ARRAY ? shape_elements(to->shape) : 0;
        for (int64_t i = 0; i < n; i++)
            if (deviation_located_element(at, k, i) & bit)
                literal_move(to, i, from, i);
    }
    return mixed;
}
