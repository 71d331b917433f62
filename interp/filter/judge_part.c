/* judge_part.c - see judge_fast.h.  Tests: test_judge_fast.c,
 * test_judge_screen.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/filter/judge_fast.h"
#include "interp/program/op.h"

const struct instruction *judge_part_single(const struct test_case *c)
{
    const struct program *p = c->program;
    const struct computation *e = p ? p->entry : NULL;
    if (!e || p->computation_count != 1 || p->entries || c->replicas > 1
        || c->partitions > 1 || c->expect_count != 0 || c->input_count < 1
        || c->input_count > 2 || e->count != c->input_count + 1
        || e->parameter_count != c->input_count)
        return NULL;
    const struct instruction *in = e->instructions[e->root];
    if (!in->op->elementwise || !in->shape
        || c->input_count != in->operand_count || in->shape->rank != 1
        || shape_has_dynamic(in->shape))
        return NULL;
    for (int i = 0; i < in->operand_count; i++)
        if (in->operands[i] != e->parameters[i]
            || !shape_equal(c->inputs[0][i]->shape, in->shape))
            return NULL;
    return in;
}

static struct literal *pick(struct arena *a, const struct literal *from,
                            const int64_t *units, int64_t count)
{
    struct literal *l =
        literal_new(a, shape_array(a, from->shape->dtype, 1, &count));
    for (int64_t i = 0; i < count; i++)
        literal_set(l, i, literal_get(from, units[i]));
    return l;
}

struct test_case *judge_part_case(const struct judge_whole *w,
                                  const int64_t *units, int64_t count)
{
    struct arena *a = w->arena;
    struct test_case *c = arena_new(a, struct test_case, 1);
    struct status st = {0};
    *c = *w->by->made;
    c->inputs = arena_new(a, struct literal **, 1);
    c->inputs[0] = arena_new(a, struct literal *, 2);
    c->program = program_new(a, w->by->mode.limits);
    struct computation *main = program_computation(c->program, "main");
    int *operands = arena_new(a, int, 2);
    for (int k = 0; k < c->input_count; k++) {
        struct literal *l = pick(a, k == 0 ? w->x : w->y, units, count);
        c->inputs[0][k] = l;
        operands[k] = program_parameter(c->program, main, k, l->shape);
    }
    struct instruction in = *w->in;
    in.operand_count = c->input_count;
    in.operands = operands;
    in.source = NULL;
    program_add(c->program, main, &in);
    c->program->entry = main;
    return program_infer(c->program, &st) ? c : NULL;
}

bool judge_part_evaluate(const struct judge_whole *w, const struct test_case *c,
                         bool want_exact, struct judge_reference *r)
{
    struct judge_mode mode = w->by->mode;
    struct status st = {0};
    mode.want_exact = want_exact;
    return judge_reference(w->arena, c, &mode, r, &st);
}

bool judge_part(const struct judge_whole *w, const struct judge_given *given,
                const int64_t *units, int64_t count, struct verdict *v)
{
    struct judge_reference plain;
    struct judge_value by = *w->by;
    struct judge_given part = *given;
    enum verdict_status status;
    char text[sizeof v->why];
    v->bins = arena_new(w->arena, int64_t, VERDICT_BINS);
    if (count == 0)
        return true;
    const struct literal *got = pick(w->arena, w->got, units, count);
    part.got.dims = part.got.sizes = &count;
    part.got.bytes = part.got.held =
        (uint64_t)count * (uint64_t)dtype_unit_bytes(w->in->shape->dtype);
    part.got.data = got->data;
    by.made = judge_part_case(w, units, count);
    by.plain = &plain;
    if (!by.made || !judge_part_evaluate(w, by.made, false, &plain)
        || !judge_value(&by, &part, 1, v, &status, text, sizeof text))
        return false;
    v->error.unit = v->error.has ? units[v->error.unit] : 0;
    for (int i = 0; i < v->wrong_count; i++)
        v->wrong[i].unit = units[v->wrong[i].unit];
    return true;
}
