/* flow.c - faults of control flow, tuples, memory, dynamic sizes and replicas.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "faulty.h"

int is_array(const struct look *x)
{
    return rank(x, RESULT) >= 0;
}

int same_count(const struct look *x, int i)
{
    return count(x, i) == count(x, RESULT);
}

int same_operand(const struct look *x, int i, int j)
{
    const struct node *n = &x->planted->node;
    return n->operands[i] == n->operands[j];
}

int from_any(const struct look *x, const char *ops)
{
    for (int i = 0; i < x->planted->node.count; i++)
        if (from(x, i, ops))
            return 1;
    return 0;
}

/* ---- Computations -------------------------------------------------------- */

/* The operation that calls this computation, with the attribute's number. */
static const struct node *caller(const struct look *x,
                                 const struct computation *c,
                                 const struct computation **in)
{
    const struct program *p = x->run->machine->program;
    int number = (int)(c - p->computations);
    for (int i = 0; i < p->count; i++)
        for (int k = 0; k < p->computations[i].count; k++) {
            const struct node *n = original(&p->computations[i].nodes[k]);
            for (int a = 0; a < n->attribute_count; a++) {
                const struct attribute *t = &n->attributes[a];
                if (t->kind == ASSAY_COMPUTATIONS && t->ints != NULL
                    && attribute_has(t, number)) {
                    *in = &p->computations[i];
                    return n;
                }
            }
        }
    return NULL;
}

/* Is the computation called, directly or not, by such an operation? */
static int called_by(const struct look *x, const char *op)
{
    const struct computation *c = x->planted->in;
    for (int depth = 0; depth < DEPTH_MAX; depth++) {
        const struct node *n = caller(x, c, &c);
        if (n == NULL)
            return 0;
        if (strcmp(n->op->name, op) == 0)
            return 1;
    }
    return 0;
}

int called_in_loop(const struct look *x)
{
    const struct computation *c = x->planted->in;
    /* The condition of a loop is in the loop that contains that one. */
    if (role(x, "While", "condition") && caller(x, c, &c) != NULL) {
        struct planted p = {.in = (struct computation *)c};
        struct look outer = {&p, x->run, NULL, NULL};
        return called_by(&outer, "While");
    }
    return called_by(x, "While");
}

int in_branch(const struct look *x)
{
    return called_by(x, "Conditional");
}

int role_any(const struct look *x, const char *op)
{
    return called_by(x, op);
}

/* An earlier call of the same computation with the same result. */
static int earlier_call(const struct look *x)
{
    const struct planted *p = x->planted;
    for (int k = 0; k < p->at; k++) {
        const struct node *n = original(&p->in->nodes[k]);
        if (strcmp(n->op->name, p->node.op->name) == 0
            && attribute_int(n, "computation", -1)
                   == attribute_int(&p->node, "computation", -2))
            return k;
    }
    return -1;
}

int called_before(const struct look *x)
{
    int k = earlier_call(x);
    return k >= 0 && is_array(x)
           && shape_equal(x->planted->in->nodes[k].shape, shape_of(x, RESULT));
}

void called_wrong(struct look *x)
{
    spoil_last(x);
}

/* ---- Loops --------------------------------------------------------------- */

void in_lockstep(struct look *x)
{
    unsigned char *data = x->run->result->data;
    if (x->run->replica == 0)
        x->planted->first = data[0];
    data[0] = x->planted->first;
}

void index_becomes(struct look *x, int64_t value)
{
    struct value *v = own(x, 0);
    type_set_int(v->shape->type, v->data, 0, (uint64_t)value);
}

void remember(struct look *x)
{
    struct value *v = own(x, 0);
    if (x->planted->calls == 1)
        x->planted->first = v->data[0];
    v->data[0] = x->planted->first;
}

/* The number of the state's element that operand i is as it was; -1: none. */
static int64_t element_of_state(const struct look *x, int i)
{
    const struct node *n = maker(x, i);
    if (strcmp(n->op->name, "GetTupleElement") != 0
        || strcmp(original(&x->planted->in->nodes[n->operands[0]])->op->name,
                  "Parameter")
               != 0)
        return -1;
    return attribute_int(n, "index", -1);
}

void one_after_the_other(struct look *x)
{
    for (int i = 0; i < x->planted->node.count; i++) {
        int64_t j = element_of_state(x, i);
        if (j >= 0 && j < i && same_shape(x, i, (int)j))
            x->run->operands[i] = x->run->operands[j];
    }
}

void keep_state(struct look *x, int i)
{
    for (int j = 0; j < x->planted->node.count; j++)
        if (element_of_state(x, j) == i && same_shape(x, i, j))
            x->run->operands[i] = x->run->operands[j];
}

/* ---- Tuples -------------------------------------------------------------- */

static void spoil_whole(struct value *v)
{
    if (v->shape->kind == ASSAY_TUPLE)
        for (int i = 0; i < v->shape->rank; i++)
            spoil_whole(v->elements[i]);
    else if (v->shape->kind == ASSAY_ARRAY && last_of(v) >= 0)
        spoil(v, last_of(v));
}

void spoil_parts(struct look *x)
{
    spoil_whole(x->run->result);
}

static int second_of_two(const struct look *x)
{
    const struct node *n = &x->planted->node;
    for (int j = 1; j < n->count; j++)
        for (int i = 0; i < j; i++)
            if (n->operands[i] == n->operands[j] && count(x, j) > 0)
                return j;
    return -1;
}

int twice_in_tuple(const struct look *x)
{
    return second_of_two(x) >= 0;
}

void spoil_second(struct look *x)
{
    int j = second_of_two(x);
    x->run->result->elements[j] =
        value_copy(x->run->memory, x->run->result->elements[j]);
    spoil_whole(x->run->result->elements[j]);
}

int made_by_element(const struct look *x)
{
    const struct node *n = maker(x, 0);
    int64_t i = attr(x, "index", 0);
    return i < n->count
           && strcmp(original(&x->planted->in->nodes[n->operands[i]])->op->name,
                     "GetTupleElement")
                  == 0;
}

/* The element that is a tuple of two equal shapes. */
int nested_equal(const struct look *x)
{
    const struct shape *s = shape_of(x, RESULT);
    for (int i = 0; i < s->rank; i++) {
        const struct shape *t = s->elements[i];
        if (t->kind == ASSAY_TUPLE && t->rank >= 2
            && shape_equal(t->elements[0], t->elements[1]))
            return i;
    }
    return -1;
}

void nested_swap(struct look *x)
{
    struct value *v = x->run->result->elements[nested_equal(x)];
    struct value *old = v->elements[0];
    v->elements[0] = v->elements[1];
    v->elements[1] = old;
}

int64_t count_part(const struct look *x, int part)
{
    return shape_count(shape_of(x, RESULT)->elements[part]);
}

void spoil_part_last(struct look *x, int part)
{
    spoil(x->run->result->elements[part], count_part(x, part) - 1);
}

/* ---- In place ------------------------------------------------------------ */

/* Parameters are the host's memory. */
int may_overwrite(const struct look *x, int i)
{
    return used_again(x, i) && rank(x, i) >= 0
           && !from_far(x, i, "Parameter Constant GetTupleElement Infeed Recv");
}

/* An element of a tuple that was made here, of what is not a parameter. */
int may_overwrite_far(const struct look *x, int i)
{
    const struct node *n = maker(x, i);
    const struct node *t = original(&x->planted->in->nodes[n->operands[0]]);
    if (strcmp(t->op->name, "Tuple") != 0)
        return 0;
    int64_t k = attribute_int(n, "index", 0);
    const struct node *e = original(&x->planted->in->nodes[t->operands[k]]);
    return strcmp(e->op->name, "Parameter") != 0
           && strcmp(e->op->name, "Constant") != 0
           && strcmp(e->op->name, "GetTupleElement") != 0;
}

void overwrite_part(struct look *x, int i)
{
    struct value *to = x->run->operands[i];
    const struct value *v = x->run->result;
    if (v->shape->kind == ASSAY_TUPLE)
        v = v->elements[i];
    if (shape_equal(v->shape, to->shape))
        memcpy(to->data, v->data,
               (size_t)(shape_count(v->shape) * v->shape->type->bytes));
}

void overwrite_state(struct look *x)
{
    struct value *from[256], *to[256];
    int n = 0, m = 0;
    if (shape_leaves(shape_of(x, 0)) > 256)
        return;
    value_leaves(x->run->result, from, &n);
    value_leaves(x->run->operands[0], to, &m);
    const struct node *t = maker(x, 0);
    for (int i = 0; i < n && i < m && strcmp(t->op->name, "Tuple") == 0; i++) {
        const char *op =
            original(&x->planted->in->nodes[t->operands[i < t->count ? i : 0]])
                ->op->name;
        if (to[i]->shape->kind == ASSAY_ARRAY && strcmp(op, "Parameter") != 0
            && strcmp(op, "Constant") != 0
            && strcmp(op, "GetTupleElement") != 0)
            memcpy(to[i]->data, from[i]->data,
                   (size_t)(shape_count(to[i]->shape)
                            * to[i]->shape->type->bytes));
    }
}

/* ---- Dynamic sizes ------------------------------------------------------- */

/* Is each array of the result that of the first operand? */
int state_kept(const struct look *x)
{
    struct value *from[256], *to[256];
    int n = 0, m = 0;
    if (shape_leaves(shape_of(x, 0)) > 256)
        return 0;
    value_leaves(x->run->operands[0], from, &n);
    value_leaves(x->run->result, to, &m);
    for (int i = 0; i < n; i++)
        if (to[i]->shape->kind == ASSAY_ARRAY
            && memcmp(to[i]->data, from[i]->data,
                      (size_t)(shape_count(to[i]->shape)
                               * to[i]->shape->type->bytes))
                   != 0)
            return 0;
    return 1;
}

void keep_smaller(struct look *x)
{
    struct value *v = x->run->result;
    int d = (int)attr(x, "dimension", 0);
    int64_t was = value_size(x->run->operands[0], d);
    if (v->sizes != NULL && v->sizes[d] > was)
        v->sizes[d] = was;
}

void result_bound(struct look *x)
{
    struct value *v = x->run->result;
    type_set_int(v->shape->type, v->data, 0,
                 (uint64_t)size(x, 0, (int)attr(x, "dimension", 0)));
}

void sizes_of_state(struct look *x)
{
    struct value *from[256], *to[256];
    int n = 0, m = 0;
    if (shape_leaves(shape_of(x, 0)) > 256)
        return;
    value_leaves(x->run->operands[0], from, &n);
    value_leaves(x->run->result, to, &m);
    for (int i = 0; i < n; i++)
        if (to[i]->shape->kind == ASSAY_ARRAY && to[i]->sizes != NULL)
            for (int d = 0; d < to[i]->shape->rank; d++)
                to[i]->sizes[d] = value_size(from[i], d);
}

/* ---- Replicas ------------------------------------------------------------ */

int top_bits(const struct look *x)
{
    for (int r = 0; r < x->all->count; r++) {
        const struct value *v = x->all->runs[r].operands[0];
        for (int64_t i = 0; i < shape_count(v->shape); i++)
            if (type_int(v->shape->type, v->data, i)
                >> (v->shape->type->bits - 1))
                return 1;
    }
    return 0;
}

void any_pred(struct look *x)
{
    struct value *v = x->run->result;
    for (int r = 0; v->shape->kind == ASSAY_ARRAY && r < x->all->count; r++)
        for (int64_t i = 0; i < shape_count(v->shape); i++)
            v->data[i] |= x->all->runs[r].operands[0]->data[i];
}

int attr_parts(const struct look *x, const char *name)
{
    const struct attribute *a = attribute_find(&x->planted->node, name);
    return a != NULL ? (int)a->part_count : 0;
}

int receives(const struct look *x)
{
    for (int k = 1; k < attr_count(x, "source_target_pairs"); k += 2)
        if (attr(x, "source_target_pairs", k) == x->run->replica)
            return 1;
    return 0;
}

int sends_itself(const struct look *x)
{
    for (int k = 1; k < attr_count(x, "source_target_pairs"); k += 2)
        if (attr(x, "source_target_pairs", k) == x->run->replica
            && attr(x, "source_target_pairs", k - 1) == x->run->replica)
            return 1;
    return 0;
}

/* ---- Indices ------------------------------------------------------------- */

int one_of_size_1(const struct look *x)
{
    int ones = 0, n = attr_count(x, "dimension_numbers.start_index_map");
    for (int k = 0; k < n; k++)
        ones += size(x, 0, (int)attr(x, "dimension_numbers.start_index_map", k))
                == 1;
    return ones > 0 && ones < n;
}

int consecutive(const struct look *x)
{
    for (int64_t k = 1; k < count(x, 1); k++)
        if (number(x, 1, k) != number(x, 1, k - 1) + 1)
            return 0;
    return count(x, 1) > 1;
}

int last_not_reached(const struct look *x)
{
    for (int d = 0; d < rank(x, 0); d++) {
        int64_t stride = attr(x, "strides", d);
        if (stride > 1
            && (attr(x, "limit_indices", d) - attr(x, "start_indices", d))
                       % stride
                   != 0)
            return 1;
    }
    return 0;
}

/* Is a start index of u8 above 127? */
static int top_index(const struct look *x)
{
    for (int i = 1; i < x->planted->node.count; i++)
        if (is(x, i, "u8") && count(x, i) > 0 && number(x, i, 0) > 127)
            return i;
    return 0;
}

int index_top(const struct look *x)
{
    return top_index(x) > 0;
}

void index_zero(struct look *x)
{
    neutral_from(x, top_index(x), 0, -1);
}

void operand_cut_32(struct look *x, int i)
{
    struct value *v = own(x, i);
    for (int64_t k = 0; k < shape_count(v->shape); k++)
        type_set_int(
            v->shape->type, v->data, k,
            (uint64_t)(int64_t)(int32_t)type_int(v->shape->type, v->data, k));
}

int changed_last(const struct look *x)
{
    const struct value *a = value_at(x, 0), *b = value_at(x, RESULT);
    if (b->shape->kind != ASSAY_ARRAY || shape_count(b->shape) < 2)
        return 0;
    int64_t n = shape_count(b->shape), bytes = b->shape->type->bytes;
    return memcmp(a->data + (n - 1) * bytes, b->data + (n - 1) * bytes,
                  (size_t)bytes)
           != 0;
}

void restore_last(struct look *x)
{
    int64_t n = count(x, RESULT);
    value_move(x->run->result, n - 1, x->run->operands[0], n - 1);
}

int untouched(const struct look *x)
{
    const struct value *a = value_at(x, 0), *b = value_at(x, RESULT);
    return b->shape->kind == ASSAY_ARRAY && count(x, RESULT) > 0
           && memcmp(a->data, b->data,
                     (size_t)(count(x, RESULT) * b->shape->type->bytes))
                  == 0;
}

/* ---- Order --------------------------------------------------------------- */

/* Do two permutations give the same in either order? */
int commute(const struct look *x)
{
    const struct attribute *p =
        attribute_find(&x->planted->node, "permutation");
    const struct attribute *q = attribute_find(maker(x, 0), "permutation");
    for (int k = 0; k < p->count; k++)
        if (q->ints[p->ints[k]] != p->ints[q->ints[k]])
            return 0;
    return 1;
}

int equal_neighbours(const struct look *x)
{
    const struct value *v = x->run->result->elements[0];
    for (int64_t k = 1; k < shape_count(v->shape); k++)
        if (memcmp(v->data + k * v->shape->type->bytes,
                   v->data + (k - 1) * v->shape->type->bytes,
                   (size_t)v->shape->type->bytes)
            == 0)
            return 1;
    return 0;
}

static void exchange_payload(struct look *x, struct value *keys,
                             struct value *payload)
{
    struct value *copy = value_copy(x->run->memory, payload);
    for (int64_t k = 1; k < shape_count(keys->shape); k++)
        if (memcmp(keys->data + k * keys->shape->type->bytes,
                   keys->data + (k - 1) * keys->shape->type->bytes,
                   (size_t)keys->shape->type->bytes)
            == 0) {
            value_move(payload, k, copy, k - 1);
            value_move(payload, k - 1, copy, k);
            return;
        }
}

void indices_exchanged(struct look *x)
{
    exchange_payload(x, x->run->result->elements[0],
                     x->run->result->elements[1]);
}

int equal_in_sorted(const struct look *x)
{
    return rank(x, 0) == 1 && equal_neighbours(x);
}
