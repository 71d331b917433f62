/* slow_dynamic.c - see slow_dynamic.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/slow_dynamic.h"

#include <string.h>

#include "interp/test/tap.h"

int64_t slow_dynamic_draw(struct slow_dynamic *t, int64_t low, int64_t high)
{
    return random_between(&t->draws, low, high);
}

int64_t slow_dynamic_size(struct slow_dynamic *t, int64_t least, int64_t bound)
{
    return slow_dynamic_draw(t, 0, 2) ? slow_dynamic_draw(t, least, bound)
                                      : bound;
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

void slow_dynamic_ints(struct slow_program *p, enum attribute_name name,
                       int count, const int64_t *values)
{
    int64_t *own = arena_new(p->arena, int64_t, (size_t)count + 1);
    memcpy(own, values, (size_t)count * sizeof *own);
    slow_program_ints(p, name, count, own);
}

void slow_dynamic_compare(struct slow_dynamic *t, struct slow_program *dynamic,
                          struct slow_program *fixed)
{
    if (!OK(slow_program_run(dynamic), "%s", dynamic->status.text)
        || !OK(slow_program_run(fixed), "%s", fixed->status.text))
        return;
    const struct literal *got = slow_program_value(dynamic);
    const struct literal *want = slow_program_value(fixed);
    for (int i = 0; i < shape_leaves(want->shape); i++)
        OK(literal_equal(slow_dynamic_compact(t, literal_leaf(got, i)),
                         literal_leaf(want, i)),
           "%s of %s", dynamic->op->name,
           shape_text(&t->arena, dynamic->operands[0][0]->shape));
}
