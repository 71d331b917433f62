/* scatter.c - Scatter: updates at computed places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "native.h"

#define DN "dimension_numbers."

struct numbers {
    const struct attribute *window, *inserted, *map, *batching;
    const struct attribute *indices_batching;
    int64_t vector_dim;
};

static const struct attribute none = {"",   ASSAY_INTS, 0,    NULL, 0,
                                      NULL, NULL,       NULL, NULL};

static const struct attribute *list(const struct node *n, const char *name)
{
    const struct attribute *a = attribute_find(n, name);
    return a != NULL ? a : &none;
}

static void read_numbers(const struct node *n, struct numbers *d)
{
    d->window = list(n, DN "update_window_dims");
    d->inserted = list(n, DN "inserted_window_dims");
    d->map = list(n, DN "scatter_dims_to_operand_dims");
    d->batching = list(n, DN "input_batching_dims");
    d->indices_batching = list(n, DN "scatter_indices_batching_dims");
    d->vector_dim = attribute_int(n, DN "index_vector_dim", -1);
}

static assay_code increasing(struct check *c, const struct attribute *a,
                             int rank)
{
    assay_code code = attribute_dimensions(c, a, rank);
    for (int64_t i = 1; code == ASSAY_OK && i < a->count; i++)
        if (a->ints[i] < a->ints[i - 1])
            code =
                program_fail(c, ASSAY_ATTRIBUTE, "%s must increase", a->name);
    return code;
}

static assay_code check_arrays(struct check *c, int n)
{
    const struct shape *const *updates = c->operands + n + 1;
    for (int i = 0; i < c->count; i++)
        if (c->operands[i]->kind != ASSAY_ARRAY)
            return program_fail(c, ASSAY_TYPE, "operand %d is no array", i);
    if (!type_is_integer(c->operands[n]->type))
        return program_fail(c, ASSAY_TYPE, "indices of type %s",
                            c->operands[n]->type->name);
    for (int i = 0; i < n; i++) {
        if (!shape_same_dims(c->operands[i], c->operands[0])
            || !shape_same_dims(updates[i], updates[0]))
            return program_fail(c, ASSAY_SHAPE,
                                "operands or updates 0 and %d differ in shape",
                                i);
        if (updates[i]->type != c->operands[i]->type)
            return program_fail(c, ASSAY_TYPE, "operand %d is %s, updates %s",
                                i, c->operands[i]->type->name,
                                updates[i]->type->name);
    }
    return ASSAY_OK;
}

static assay_code check_called(struct check *c, int n)
{
    const struct computation *f;
    const struct shape **scalars =
        memory_new(c->memory, 2 * (size_t)n, sizeof *scalars);
    for (int i = 0; i < n; i++)
        scalars[i] = scalars[n + i] =
            shape_new(c->memory, c->operands[i]->type, 0, NULL);
    assay_code code =
        program_called(c, "update_computation", 0, 2 * n, scalars, &f);
    if (code != ASSAY_OK)
        return code;
    const struct shape *due =
        n == 1 ? scalars[0] : shape_tuple(c->memory, n, scalars);
    if (!shape_equal(f->nodes[f->root].shape, due))
        return program_fail(c, ASSAY_COMPUTATION,
                            "the result of %s has another shape", f->name);
    return ASSAY_OK;
}

static assay_code check_lists(struct check *c, const struct numbers *d,
                              const struct shape *x, const struct shape *s,
                              const struct shape *u)
{
    assay_code code = increasing(c, d->window, u->rank);
    if (code == ASSAY_OK)
        code = increasing(c, d->inserted, x->rank);
    if (code == ASSAY_OK)
        code = increasing(c, d->batching, x->rank);
    if (code == ASSAY_OK)
        code = attribute_dimensions(c, d->map, x->rank);
    if (code == ASSAY_OK)
        code = attribute_dimensions(c, d->indices_batching, s->rank);
    if (code != ASSAY_OK)
        return code;
    int64_t vector = d->vector_dim < s->rank ? s->dims[d->vector_dim] : 1;
    if (d->map->count != vector)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "scatter_dims_to_operand_dims has %d entries, "
                            "index vectors %d",
                            (int)d->map->count, (int)vector);
    if (d->batching->count != d->indices_batching->count)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "batching dimensions of different number");
    for (int64_t i = 0; i < d->batching->count; i++) {
        int64_t k = d->batching->ints[i], e = d->indices_batching->ints[i];
        if (attribute_has(d->inserted, k) || attribute_has(d->map, k)
            || e == d->vector_dim)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "a dimension is batching and something else");
        if (x->dims[k] != s->dims[e])
            return program_fail(c, ASSAY_SHAPE,
                                "batching dimensions of different size");
    }
    return ASSAY_OK;
}

/* The operand's next dimension that a window has, from i on. */
static int next_window(const struct numbers *d, int i)
{
    while (attribute_has(d->inserted, i) || attribute_has(d->batching, i))
        i++;
    return i;
}

static assay_code check_sizes(struct check *c, const struct numbers *d,
                              const struct shape *x, const struct shape *s,
                              const struct shape *u)
{
    int window = 0, at = 0;
    for (int i = 0; i < u->rank; i++) {
        if (attribute_has(d->window, i)) {
            window = next_window(d, window);
            if (u->dims[i] > x->dims[window++])
                return program_fail(c, ASSAY_SHAPE,
                                    "dimension %d of a window is too large", i);
        } else {
            at += at == d->vector_dim;
            if (u->dims[i] != s->dims[at++])
                return program_fail(c, ASSAY_SHAPE,
                                    "dimension %d of updates is not that of "
                                    "the indices",
                                    i);
        }
    }
    return ASSAY_OK;
}

assay_code scatter_check(struct check *c)
{
    int n = c->count / 2;
    struct numbers d;
    read_numbers(c->node, &d);
    if (c->count % 2 == 0 || n < 1)
        return program_fail(c, ASSAY_STRUCTURE, "%d operands", c->count);
    const struct shape *x = c->operands[0], *s = c->operands[n];
    const struct shape *u = c->operands[n + 1];
    assay_code code = check_arrays(c, n);
    if (code == ASSAY_OK)
        code = check_called(c, n);
    if (code != ASSAY_OK)
        return code;
    if (d.vector_dim < 0 || d.vector_dim > s->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "index_vector_dim is %lld",
                            (long long)d.vector_dim);
    if (d.window->count + d.inserted->count + d.batching->count != x->rank
        || u->rank != s->rank - (d.vector_dim < s->rank) + (int)d.window->count)
        return program_fail(c, ASSAY_SHAPE,
                            "dimension numbers and ranks do not fit");
    code = check_lists(c, &d, x, s, u);
    if (code == ASSAY_OK)
        code = check_sizes(c, &d, x, s, u);
    if (code == ASSAY_OK)
        c->result = n == 1 ? x : shape_tuple(c->memory, n, c->operands);
    return code;
}

/* Component k of the index vector at place; one that is out of every range
 * stays so, whatever is added to it. */
static int64_t start_at(const struct numbers *d, const struct value *s,
                        int64_t *place, int64_t k)
{
    const int64_t far = INT64_C(1) << 40;
    if (d->vector_dim < s->shape->rank)
        place[d->vector_dim] = k;
    uint64_t x = type_int(s->shape->type, s->data,
                          shape_offset(s->shape->rank, s->shape->dims, place));
    if (s->shape->type->class == SINT && (int64_t)x < 0)
        return (int64_t)x < -far ? -far : (int64_t)x;
    return x > (uint64_t)far ? far : (int64_t)x;
}

/* The element that the update at that index goes to, or -1. */
static int64_t target(const struct numbers *d, const struct shape *x,
                      const struct value *s, int rank, const int64_t *index)
{
    int64_t place[RANK_MAX] = {0}, to[RANK_MAX] = {0};
    int at = 0, window = 0;
    for (int i = 0; i < rank; i++) {
        if (attribute_has(d->window, i)) {
            window = next_window(d, window);
            to[window++] = index[i];
        } else {
            at += at == d->vector_dim;
            place[at++] = index[i];
        }
    }
    for (int64_t i = 0; i < d->batching->count; i++)
        to[d->batching->ints[i]] = place[d->indices_batching->ints[i]];
    for (int64_t k = 0; k < d->map->count; k++)
        to[d->map->ints[k]] += start_at(d, s, place, k);
    for (int i = 0; i < x->rank; i++)
        if (to[i] < 0 || to[i] >= x->dims[i])
            return -1;
    return shape_offset(x->rank, x->dims, to);
}

static struct value *part(struct value *v, int n, int k)
{
    return n == 1 ? v : v->elements[k];
}

static void move(struct value *to, int64_t i, const struct value *from,
                 int64_t j)
{
    size_t size = (size_t)to->shape->type->bytes;
    memcpy(to->data + (size_t)i * size, from->data + (size_t)j * size, size);
}

static assay_code update(struct run *r, const struct computation *f,
                         struct value **arguments, int64_t to, int64_t from)
{
    int n = r->node->count / 2;
    struct value *out = r->result, *result;
    if (f->simple != NULL) {
        const struct value *u = r->operands[2];
        binary_apply(binary_find(f->simple->name), u->shape->type, out->data,
                     to, out->data, to, u->data, from);
        return ASSAY_OK;
    }
    for (int k = 0; k < n; k++) {
        move(arguments[k], 0, part(out, n, k), to);
        move(arguments[n + k], 0, r->operands[n + 1 + k], from);
    }
    struct memory *own = memory_begin(r->memory);
    assay_code code =
        machine_call(r->machine, own, f, 1, &r->replica, &arguments, &result);
    if (code != ASSAY_OK)
        return code;
    for (int k = 0; k < n; k++)
        move(part(out, n, k), to, part(result, n, k), 0);
    memory_end(r->memory, own);
    return ASSAY_OK;
}

assay_code scatter_run(struct run *r)
{
    int n = r->node->count / 2;
    const struct computation *f =
        machine_called(r->machine, r->node, "update_computation", 0);
    struct numbers d;
    read_numbers(r->node, &d);
    const struct shape *x = r->operands[0]->shape;
    const struct shape *u = r->operands[n + 1]->shape;
    struct value *out = machine_result(r);
    struct value **arguments =
        memory_new(r->memory, 2 * (size_t)n, sizeof *arguments);
    int64_t index[RANK_MAX] = {0}, count = shape_count(u);
    for (int k = 0; k < n; k++) {
        const struct type *t = r->operands[k]->shape->type;
        const struct shape *scalar = shape_new(r->memory, t, 0, NULL);
        arguments[k] = value_new(r->memory, scalar);
        arguments[n + k] = value_new(r->memory, scalar);
        if (shape_count(x) > 0)
            memcpy(part(out, n, k)->data, r->operands[k]->data,
                   (size_t)shape_count(x) * (size_t)t->bytes);
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t to = target(&d, x, r->operands[n], u->rank, index);
        if (to >= 0) {
            assay_code code = update(r, f, arguments, to, i);
            if (code != ASSAY_OK)
                return code;
        }
        shape_next(u->rank, u->dims, index);
    }
    return ASSAY_OK;
}
