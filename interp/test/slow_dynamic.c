/* slow_dynamic.c - see slow_dynamic.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/slow_dynamic.h"

#include <stdlib.h>

#include "interp/test/tap.h"

int64_t slow_dynamic_draw(struct slow_dynamic *t, int64_t low, int64_t high)
{
    return random_between(&t->draws, low, high);
}

int64_t slow_dynamic_size(struct slow_dynamic *t, int64_t bound)
{
    return slow_dynamic_draw(t, 0, 2) ? slow_dynamic_draw(t, 0, bound) : bound;
}

struct literal *slow_dynamic_make(struct slow_dynamic *t, const char *type,
                                  int64_t low, int64_t high, int rank,
                                  const int64_t *bounds, const int64_t *sizes)
{
    const char *text = arena_printf(&t->arena, "%s[", type);
    for (int i = 0; i < rank; i++) {
        bool dynamic = sizes[i] < bounds[i] || slow_dynamic_draw(t, 0, 3) == 0;
        text = arena_printf(&t->arena, "%s%s%s%d", text, i ? "," : "",
                            dynamic ? "<=" : "", (int)bounds[i]);
    }
    text = arena_printf(&t->arena, "%s]", text);
    struct literal *l =
        slow_program_random(&t->arena, text, random_next(&t->draws), low, high);
    for (int i = 0; l->sizes && i < rank; i++)
        l->sizes[i] = sizes[i];
    return l;
}

struct literal *slow_dynamic_compact(struct slow_dynamic *t,
                                     const struct literal *l)
{
    const struct shape *s = l->shape;
    int64_t index[SHAPE_RANK_MAX] = {0};
    const int64_t *sizes = l->sizes ? l->sizes : s->dims;
    struct literal *to = literal_new(
        &t->arena, shape_array(&t->arena, s->dtype, s->rank, sizes));
    int64_t n = shape_elements(to->shape);
    for (int64_t i = 0; i < n; i++) {
        literal_move(to, i, l, shape_linear(s->rank, s->dims, index));
        shape_next_index(s->rank, sizes, index);
    }
    return to;
}

struct slow_program *slow_dynamic_program(struct slow_dynamic *t,
                                          const char *op, bool fixed, int count,
                                          struct literal *const *operands)
{
    struct slow_program *p = slow_program_new(&t->arena, op);
    for (int i = 0; i < count; i++)
        slow_program_operand(p, fixed ? slow_dynamic_compact(t, operands[i])
                                      : operands[i]);
    return p;
}

void slow_dynamic_sample(struct slow_dynamic *t)
{
    t->rank = (int)slow_dynamic_draw(t, 1, SLOW_DYNAMIC_RANK);
    for (int i = 0; i < t->rank; i++) {
        t->bounds[i] = slow_dynamic_draw(t, 1, 5);
        t->sizes[i] = slow_dynamic_size(t, t->bounds[i]);
    }
    t->operands[0] =
        slow_dynamic_make(t, "s32", -99, 99, t->rank, t->bounds, t->sizes);
}

void slow_dynamic_open(struct slow_dynamic *t, const char *op, int count)
{
    for (int i = 0; i < 2; i++)
        t->p[i] = slow_dynamic_program(t, op, i == 1, count, t->operands);
}

void slow_dynamic_ints(struct slow_dynamic *t, enum attribute_name name,
                       int count, const int64_t *ints)
{
    for (int i = 0; i < 2; i++)
        slow_program_ints(t->p[i], name, count, ints);
}

void slow_dynamic_int(struct slow_dynamic *t, enum attribute_name name,
                      int64_t value)
{
    slow_dynamic_ints(t, name, 1, &value);
}

void slow_dynamic_builtin(struct slow_dynamic *t, enum attribute_name name,
                          const char *builtin)
{
    for (int i = 0; i < 2; i++)
        slow_program_builtin(t->p[i], name, builtin);
}

void slow_dynamic_compare(struct slow_dynamic *t)
{
    for (int i = 0; i < 2; i++)
        if (!OK(slow_program_run(t->p[i]), "%s", t->p[i]->status.text))
            return;
    const struct literal *got = slow_program_value(t->p[0]);
    const struct literal *want = slow_program_value(t->p[1]);
    for (int i = 0; i < shape_leaves(want->shape); i++)
        OK(literal_equal(slow_dynamic_compact(t, literal_leaf(got, i)),
                         literal_leaf(want, i)),
           "%s of %s", t->p[0]->op->name,
           shape_text(&t->arena, t->p[0]->operands[0][0]->shape));
}

void slow_dynamic_repeat(struct slow_dynamic *t,
                         slow_dynamic_check *const *checks)
{
    const char *many = getenv("ASSAY_TEST_LONG");
    for (int i = many && *many ? 20000 : 500; i > 0; i--) {
        for (int k = 0; checks[k]; k++)
            checks[k]();
        arena_reset(&t->arena);
    }
}
