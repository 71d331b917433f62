/* dynamic.c - see dynamic.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dynamic.h"

#include <inttypes.h>
#include <string.h>

#include "interp/check/check.h"
#include "interp/goal/goal_gather.h"

bool dynamic_is(const struct shape *s, int64_t d)
{
    return s->dynamic && s->dynamic[d];
}

void dynamic_mark(struct infer *in, const bool *flags)
{
    const struct shape *s = in->result;
    in->result = shape_dynamic(in->arena, s->dtype, s->rank, s->dims, flags);
}

bool dynamic_refuse(const struct infer *in, int operand, const bool *allowed,
                    const char *why, struct status *st)
{
    const struct shape *s = in->operands[operand];
    for (int d = 0; d < s->rank; d++)
        if (dynamic_is(s, d) && !(allowed && allowed[d]))
            return FAIL(st, UNSUPPORTED,
                        "%s: operand %d is %s, dynamic in dimension %d: %s",
                        in->op->name, operand, shape_text(in->arena, s), d,
                        why);
    return true;
}

bool dynamic_batch(struct infer *in, int batch, struct status *st)
{
    bool may[SHAPE_RANK_MAX] = {false}, flags[SHAPE_RANK_MAX] = {false};
    for (int d = 0; d < batch; d++) {
        may[d] = true;
        for (int i = 0; i < in->count; i++)
            flags[d] = flags[d] || dynamic_is(in->operands[i], d);
    }
    for (int i = 0; i < in->count; i++)
        TRY(dynamic_refuse(in, i, may, "only a batch can be", st));
    dynamic_mark(in, flags);
    return true;
}

bool dynamic_any(const struct eval *ev)
{
    for (int i = 0; i < ev->count; i++)
        if (ev->operands[i]->sizes)
            return true;
    return false;
}

struct dynamic dynamic_open(struct eval *ev)
{
    struct dynamic p = {.ev = ev, .in = *ev->in};
    p.sizes = arena_new(ev->arena, int64_t *, (size_t)ev->count);
    for (int i = 0; i < ev->count; i++) {
        const struct literal *l = ev->operands[i];
        const struct shape *s = l->shape;
        if (s->kind != SHAPE_ARRAY)
            continue;
        p.sizes[i] = arena_new(ev->arena, int64_t, (size_t)s->rank + 1);
        for (int d = 0; d < s->rank; d++)
            p.sizes[i][d] = l->sizes ? l->sizes[d] : s->dims[d];
    }
    return p;
}

bool dynamic_follow(struct dynamic *p, int i, int64_t di, int k, int64_t dk,
                    struct status *st)
{
    int64_t due = p->sizes[i][di], *size = &p->sizes[k][dk];
    if (dynamic_is(p->ev->operands[k]->shape, dk) ? *size != due : *size < due)
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: %s of %" PRId64 " elements in dimension "
                    "%" PRId64 " of operand %d and %" PRId64
                    " in dimension %" PRId64 " of operand %d",
                    p->in.op->name, due, di, i, *size, dk, k);
    *size = due;
    return true;
}

bool dynamic_pair(struct dynamic *p, int i, int64_t di, int k, int64_t dk,
                  struct status *st)
{
    return dynamic_is(p->ev->operands[i]->shape, di)
               ? dynamic_follow(p, i, di, k, dk, st)
               : dynamic_follow(p, k, dk, i, di, st);
}

void dynamic_set_ints(struct dynamic *p, enum attribute_name name,
                      const int64_t *ints)
{
    size_t n = (size_t)p->in.attribute_count;
    struct attribute *all = arena_new(p->ev->arena, struct attribute, n);
    memcpy(all, p->in.attributes, n * sizeof *all);
    p->in.attributes = all;
    for (size_t i = 0; i < n; i++)
        if (all[i].name == name)
            all[i].ints = ints;
}

/* Just the elements within those sizes. */
static const struct literal *compact(struct arena *a, const struct literal *l,
                                     const int64_t *sizes)
{
    const struct shape *s = l->shape;
    int64_t index[SHAPE_RANK_MAX] = {0};
    if (s->kind != SHAPE_ARRAY)
        return l;
    struct literal *to =
        literal_new(a, shape_array(a, s->dtype, s->rank, sizes));
    int64_t n = shape_elements(to->shape);
    for (int64_t i = 0; i < n; i++) {
        literal_move(to, i, l, shape_linear(s->rank, s->dims, index));
        shape_next_index(s->rank, sizes, index);
    }
    return to;
}

/* ---- Results ------------------------------------------------------------- */

/* Units one after the other, to their places. */
struct spread {
    const int64_t *places;
    const int64_t *sizes; /* actual ones, of the result */
    int64_t count;        /* of elements */
    int units;
};

static int64_t unit_at(const struct spread *s, int64_t unit)
{
    return s->places[unit / s->units] * s->units + unit % s->units;
}

static struct literal *spread_out(struct arena *a, const struct spread *s,
                                  const struct shape *shape,
                                  const struct literal *from)
{
    struct literal *to = literal_new(a, shape);
    for (int64_t i = 0; i < s->count; i++)
        literal_move(to, s->places[i], from, i);
    for (int d = 0; to->sizes && d < shape->rank; d++)
        to->sizes[d] = shape->dynamic[d] ? s->sizes[d] : shape->dims[d];
    return to;
}

static void free_rest(struct goal *g, const struct spread *s)
{
    const struct shape *shape = g->value->shape;
    int64_t index[SHAPE_RANK_MAX] = {0}, next = 0;
    for (int64_t e = 0, n = shape_elements(shape); e < n; e++) {
        if (next < s->count && s->places[next] == e)
            next++;
        else if (literal_counts(g->value, index))
            for (int u = 0; u < s->units; u++)
                goal_free_unit(g, e * s->units + u);
        shape_next_index(shape->rank, shape->dims, index);
    }
}

static struct goal *widen(struct eval *ev, const struct goal *from,
                          const struct shape *shape, const int64_t *sizes)
{
    struct spread s = {
        .places = check_compact_places(ev->arena, from->value->shape, shape),
        .sizes = sizes ? sizes : from->value->shape->dims,
        .count = shape_elements(from->value->shape),
        .units = dtype_units(shape->dtype)};
    struct goal *g = goal_gather_like(
        ev->arena, spread_out(ev->arena, &s, shape, from->value), from);
    for (int64_t i = 0; i < s.count * s.units; i++)
        goal_gather_put(g, unit_at(&s, i), from, i);
    if (ev->want_exact)
        free_rest(g, &s);
    return g;
}

bool dynamic_eval(struct dynamic *p, struct status *st)
{
    struct eval *ev = p->ev, small = *ev;
    struct arena *a = ev->arena;
    const struct op *op = p->in.op;
    const struct literal **operands =
        arena_new(a, const struct literal *, (size_t)ev->count);
    const struct shape **shapes =
        arena_new(a, const struct shape *, (size_t)ev->count);
    for (int i = 0; i < ev->count; i++) {
        operands[i] = compact(a, ev->operands[i], p->sizes[i]);
        shapes[i] = operands[i]->shape;
    }
    struct status other = {STATUS_OK};
    struct infer in = {.arena = a,
                       .program =
                           (struct program *)(uintptr_t)ev->machine->program,
                       .op = op,
                       .in = &p->in,
                       .count = ev->count,
                       .operands = shapes};
    if (!op->infer(&in, &other))
        return FAIL(st, UNSUPPORTED, "inadmissible: by actual sizes, %s",
                    other.text);
    p->in.shape = in.result;
    small.in = &p->in;
    small.operands = operands;
    TRY(op->eval(&small, st));
    int n = small.out.count;
    struct goal **own = small.out.goals;
    struct goal **outer = arena_new(a, struct goal *, (size_t)n);
    for (int i = 0; i < n; i++) {
        outer[i] = widen(ev, own[i], shape_leaf(ev->in->shape, i),
                         p->like ? ev->operands[i]->sizes : NULL);
        if (own[i]->rule == GOAL_CHECK)
            goal_make_check(outer[i], check_compact, own, i);
    }
    return eval_return(ev, ev->in->shape, outer);
}

bool dynamic_eval_own(struct eval *ev, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    return dynamic_eval(&p, st);
}
