/* deviation_environment.c - see deviation_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"

static bool has_policy(const struct deviation *d, const struct spec_op *spec)
{
    for (const struct json *n = d->policies->child; n; n = n->next)
        if (spec_op_names(spec, n->text))
            return true;
    return false;
}

bool deviation_environment_concerns(const struct deviation *d,
                                    const struct op *op)
{
    const struct spec_op *spec = spec_op_find(op->name);
    if (op->passes || !spec)
        return false;
    if (d->policies)
        return has_policy(d, spec);
    if (!d->where)
        return true;
    for (const struct json *n = d->where->child; n; n = n->next)
        if (spec->accuracy && strcmp(n->text, spec->accuracy) == 0)
            return true;
    return false;
}

static bool has_type(const struct deviation *d, enum dtype t)
{
    return dtype_class(dtype_unit(t)) == DTYPE_FLOAT
           && (d->types == 0 || d->types >> t & 1);
}

/* A copy with each unit stepped, NULL if none changes.  y is by unit; NULL:
 * the values are exact. */
static struct literal *stepped(struct arena *a, const struct deviation *d,
                               const struct literal *l, const struct goal *g)
{
    struct literal *copy = NULL;
    if (l->shape->kind != SHAPE_ARRAY || !has_type(d, l->shape->dtype))
        return NULL;
    enum dtype unit = dtype_unit(l->shape->dtype);
    int64_t n = literal_units(l);
    for (int64_t i = 0; i < n; i++) {
        uint64_t bits = literal_get(l, i);
        struct deviation_rounding r = {unit, NULL, bits, d->step->via};
        struct real y;
        if (d->step->exact) {
            const struct real *exact = g ? goal_exact(g, i) : NULL;
            y = exact ? *exact : real_from_bits(unit, bits);
            r.y = &y;
        }
        uint64_t other = d->step->body(&r);
        if (other == bits)
            continue;
        if (!copy)
            copy = literal_copy(a, l);
        literal_set(copy, i, other);
    }
    return copy;
}

uint64_t deviation_environment_unit(const struct deviation *d,
                                    const struct op *op,
                                    const struct literal *result, int64_t unit)
{
    enum dtype type = result->shape->dtype;
    uint64_t bits = literal_get(result, unit);
    const struct real y = real_from_bits(dtype_unit(type), bits);
    const struct deviation_rounding r = {dtype_unit(type), &y, bits,
                                         d->step->via};
    return has_type(d, type) && deviation_environment_concerns(d, op)
               ? d->step->body(&r)
               : bits;
}

static const struct literal *take_operand(const void *context, struct arena *a,
                                          const struct instruction *in,
                                          const struct literal *operand)
{
    const struct deviation *d = context;
    if (!deviation_environment_concerns(d, in->op))
        return operand;
    const struct literal *other = stepped(a, d, operand, NULL);
    return other ? other : operand;
}

bool deviation_environment_takes(const struct deviation *d, struct arena *a,
                                 const struct instruction *in,
                                 const struct literal *operand)
{
    return take_operand(d, a, in, operand) != operand;
}

/* The value whose leaves are these, in the order of its shape. */
static struct literal *assemble(struct arena *a, const struct literal *old,
                                struct literal *const *leaves, int *next)
{
    if (old->shape->kind != SHAPE_TUPLE)
        return leaves[(*next)++];
    size_t n = (size_t)old->shape->rank;
    struct literal *l = arena_new(a, struct literal, 1);
    *l = *old;
    l->elements = arena_new(a, struct literal *, n);
    for (size_t i = 0; i < n; i++)
        l->elements[i] = assemble(a, old->elements[i], leaves, next);
    return l;
}

void deviation_environment_give(const struct deviation *d, struct eval *ev)
{
    if (!deviation_environment_concerns(d, ev->in->op))
        return;
    struct outcome *out = &ev->out;
    int n = shape_leaves(out->value->shape), next = 0;
    struct literal **leaves =
        arena_new(ev->arena, struct literal *, (size_t)n + 1);
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const struct goal *g = out->goals ? out->goals[i] : NULL;
        leaves[i] = literal_leaf(out->value, i);
        struct literal *other = stepped(ev->arena, d, leaves[i], g);
        goals[i] = out->goals ? out->goals[i] : NULL;
        if (!other)
            continue;
        leaves[i] = other;
        goals[i] = goal_of(ev->arena, other, GOAL_BITS);
    }
    out->value = assemble(ev->arena, out->value, leaves, &next);
    if (out->goals)
        out->goals = goals;
}

static void give(const void *context, struct eval *ev)
{
    deviation_environment_give(context, ev);
}

static int64_t start(const void *context, enum dtype type, int64_t index,
                     int64_t most, int64_t size)
{
    const struct deviation *d = context;
    return d->start->body(type, (uint64_t)index & dtype_mask(type), most, size);
}

void deviation_environment(const struct deviation *d, struct machine *m,
                           struct machine_environment *environment)
{
    *environment = (struct machine_environment){
        .context = d,
        .take = d->step && !d->on_results ? take_operand : NULL,
        .give = d->step && d->on_results ? give : NULL,
        .patterns = d->step && !d->step->exact,
        .start = d->start ? start : NULL,
        .running = d->running,
        .accumulator = d->accumulator,
        .ties_last = d->ties_last};
    m->environment = environment;
}
