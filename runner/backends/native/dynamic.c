/* dynamic.c - operations on arrays whose sizes are known at run time only.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Such an array behaves as the array of just the elements that count.  So
 * these are taken out, the instruction is checked anew with their shapes, and
 * run as any other; what comes out is put where the bounds have it.  Which
 * dimensions of a result are dynamic is as the host says.
 */
#include <string.h>

#include "native.h"

/* ---- Checking, with the bounds ---------------------------------------------
 */

/* The same shape with static dimensions. */
static const struct shape *fixed(struct memory *m, const struct shape *s)
{
    if (!shape_is_dynamic(s))
        return s;
    if (s->kind != ASSAY_TUPLE)
        return shape_flagged(m, s, NULL);
    const struct shape **elements =
        memory_new(m, (size_t)s->rank + 1, sizeof *elements);
    for (int i = 0; i < s->rank; i++)
        elements[i] = fixed(m, s->elements[i]);
    return shape_tuple(m, s->rank, elements);
}

/* The same shape with the dynamic dimensions of another. */
static const struct shape *flagged(struct memory *m, const struct shape *s,
                                   const struct shape *like)
{
    if (like->kind != s->kind || like->rank != s->rank)
        return s;
    if (s->kind != ASSAY_TUPLE)
        return shape_flagged(m, s, like->dynamic);
    const struct shape **elements =
        memory_new(m, (size_t)s->rank + 1, sizeof *elements);
    for (int i = 0; i < s->rank; i++)
        elements[i] = flagged(m, s->elements[i], like->elements[i]);
    return shape_tuple(m, s->rank, elements);
}

assay_code dynamic_check(struct check *c)
{
    const struct shape *const *own = c->operands;
    const struct shape **operands =
        memory_new(c->memory, (size_t)c->count + 1, sizeof *operands);
    for (int i = 0; i < c->count; i++)
        operands[i] = fixed(c->memory, own[i]);
    c->operands = operands;
    assay_code code = c->node->op->check(c);
    c->operands = own;
    if (code == ASSAY_OK && c->node->op->run == NULL)
        code = program_fail(c, ASSAY_UNSUPPORTED, "dynamic dimensions");
    if (code == ASSAY_OK && c->node->given != NULL)
        c->result = flagged(c->memory, c->result, c->node->given);
    return code;
}

/* ---- Sizes that must agree -------------------------------------------------
 */

/* The dimension that dimension i of operand k has in common with those of
 * other operands, or -1. */
static int axis(const struct node *n, int rank, int low, int k, int i)
{
    const struct op *op = n->op;
    if (op->check == binary_check || op->check == binary_check_complex
        || op->check == compare_check)
        return binary_place(n, rank, low, i);
    if (op->check == move_check_concat)
        return i == attribute_int(n, "dimension", 0) ? -1 : i;
    if (op->check == compare_check_select || op->check == compare_check_clamp
        || op->check == slices_check_map || op->check == sort_check)
        return i;
    if (op->check == reduce_check || op->check == window_check_reduce)
        return k < n->count / 2 ? i : -1;
    if (op->check == scan_check)
        return k < attribute_int(n, "num_inputs", 1) ? i : -1;
    return -1;
}

/* Where one operand's dimension is dynamic, another's is cut to its size. */
static assay_code agree(const struct run *r, int64_t (*sizes)[RANK_MAX])
{
    int64_t common[RANK_MAX], bounds[RANK_MAX];
    int rank = 0;
    for (int k = 0; k < r->node->count; k++)
        if (r->operands[k]->shape->kind == ASSAY_ARRAY
            && r->operands[k]->shape->rank > rank)
            rank = r->operands[k]->shape->rank;
    for (int i = 0; i < rank; i++)
        common[i] = -1;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < r->node->count; k++) {
            const struct shape *s = r->operands[k]->shape;
            for (int i = 0; s->kind == ASSAY_ARRAY && i < s->rank; i++) {
                int a = axis(r->node, rank, s->rank, k, i);
                if (a < 0)
                    continue;
                int bound = s->dynamic != NULL && s->dynamic[i];
                if (turn == 0 && bound && common[a] < 0) {
                    common[a] = sizes[k][i];
                    bounds[a] = s->dims[i];
                } else if (common[a] >= 0 && bound
                           && common[a] != sizes[k][i]) {
                    return memory_fail(
                        r->machine->error, ASSAY_SHAPE,
                        "'%s': sizes %lld and %lld in dimension %d",
                        r->node->name, (long long)common[a],
                        (long long)sizes[k][i], a);
                } else if (turn == 1 && common[a] >= 0
                           && s->dims[i] == bounds[a]) {
                    sizes[k][i] = common[a];
                }
            }
        }
    return ASSAY_OK;
}

/* ---- Attributes that name sizes --------------------------------------------
 */

/* The ints of an attribute of n, to be changed. */
static int64_t *own_ints(struct memory *m, struct node *n, const char *name)
{
    for (int i = 0; i < n->attribute_count; i++)
        if (strcmp(n->attributes[i].name, name) == 0) {
            int64_t *ints =
                memory_ints(m, n->attributes[i].ints, n->attributes[i].count);
            n->attributes[i].ints = ints;
            return ints;
        }
    return NULL;
}

static void cut(int64_t *x, int64_t limit)
{
    if (*x > limit)
        *x = limit;
}

static void adapt_slice(struct memory *m, struct node *n, const struct shape *s,
                        const int64_t *sizes)
{
    int64_t *start = own_ints(m, n, "start_indices");
    int64_t *limit = own_ints(m, n, "limit_indices");
    for (int i = 0; i < s->rank; i++) {
        cut(&start[i], sizes[i]);
        cut(&limit[i], sizes[i]);
    }
}

static void adapt_broadcast(struct memory *m, struct node *n,
                            const struct shape *s, const int64_t *sizes)
{
    const int64_t *places = attribute_find(n, "broadcast_dimensions")->ints;
    int64_t *out = own_ints(m, n, "out_dim_size");
    for (int i = 0; i < s->rank; i++)
        if (s->dynamic[i])
            out[places[i]] = sizes[i];
}

/* Dynamic dimensions stay, in their order. */
static void adapt_reshape(struct memory *m, struct node *n,
                          const struct shape *s, const int64_t *sizes)
{
    const uint8_t *to = n->shape->dynamic;
    int64_t *out = own_ints(m, n, "new_sizes");
    int k = 0;
    for (int i = 0; i < s->rank; i++) {
        if (!s->dynamic[i])
            continue;
        while (to != NULL && k < n->shape->rank && !to[k])
            k++;
        if (to != NULL && k < n->shape->rank)
            out[k++] = sizes[i];
    }
}

/* Where there are fewer than k, all of them come. */
static void adapt_top_k(struct memory *m, struct node *n, const struct shape *s,
                        const int64_t *sizes)
{
    int64_t *k = own_ints(m, n, "k");
    if (s->rank > 0)
        cut(k, sizes[s->rank - 1]);
}

static struct node *adapt(const struct run *r, const int64_t *sizes)
{
    static const struct {
        assay_code (*check)(struct check *c);
        void (*adapt)(struct memory *m, struct node *n, const struct shape *s,
                      const int64_t *sizes);
    } table[] = {
        {move_check_slice, adapt_slice},
        {move_check_broadcast_in_dim, adapt_broadcast},
        {move_check_reshape, adapt_reshape},
        {sort_check_top_k, adapt_top_k},
    };
    struct node *n = memory_new(r->memory, 1, sizeof *n);
    *n = *r->node;
    n->attributes = memory_new(r->memory, (size_t)n->attribute_count + 1,
                               sizeof *n->attributes);
    for (int i = 0; i < n->attribute_count; i++)
        n->attributes[i] = r->node->attributes[i];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (n->op->check == table[i].check)
            table[i].adapt(r->memory, n, r->operands[0]->shape, sizes);
    return n;
}

/* ---- Running ---------------------------------------------------------------
 */

/* The elements up to these sizes. */
static struct value *compact(struct memory *m, struct value *v,
                             const int64_t *sizes)
{
    const int64_t zero[RANK_MAX] = {0};
    const struct shape *s = v->shape;
    struct value *to;
    if (s->kind == ASSAY_TOKEN)
        return v;
    if (s->kind == ASSAY_TUPLE) {
        to = value_new(m, fixed(m, s));
        for (int i = 0; i < s->rank; i++) {
            int64_t own[RANK_MAX];
            const struct value *e = v->elements[i];
            for (int k = 0; e->shape->kind == ASSAY_ARRAY && k < e->shape->rank;
                 k++)
                own[k] = value_size(e, k);
            to->elements[i] = compact(m, v->elements[i], own);
        }
        return to;
    }
    to = value_new(m, shape_new(m, s->type, s->rank, sizes));
    value_copy_box(to, zero, v, zero, sizes);
    return to;
}

/* The reverse: in a shape with bounds. */
static struct value *expand(struct memory *m, const struct shape *s,
                            const struct value *v)
{
    const int64_t zero[RANK_MAX] = {0};
    int64_t box[RANK_MAX];
    struct value *to = value_new(m, s);
    for (int i = 0; s->kind == ASSAY_TUPLE && i < s->rank; i++)
        to->elements[i] = expand(m, s->elements[i], v->elements[i]);
    if (s->kind != ASSAY_ARRAY)
        return to;
    for (int i = 0; i < s->rank; i++) {
        box[i] = v->shape->dims[i];
        cut(&box[i], s->dims[i]);
        if (to->sizes != NULL && s->dynamic[i])
            to->sizes[i] = box[i];
    }
    value_copy_box(to, zero, v, zero, box);
    return to;
}

assay_code dynamic_run(struct run *r)
{
    size_t n = (size_t)r->node->count;
    struct memory *m = r->memory;
    int64_t(*sizes)[RANK_MAX] = memory_new(m, n, sizeof *sizes);
    struct value **operands = memory_new(m, n, sizeof *operands);
    const struct shape **shapes = memory_new(m, n, sizeof *shapes);
    for (size_t k = 0; k < n; k++) {
        const struct value *v = r->operands[k];
        for (int i = 0; v->shape->kind == ASSAY_ARRAY && i < v->shape->rank;
             i++)
            sizes[k][i] = value_size(v, i);
    }
    assay_code code = agree(r, sizes);
    if (code != ASSAY_OK)
        return code;
    for (size_t k = 0; k < n; k++) {
        operands[k] = compact(m, r->operands[k], sizes[k]);
        shapes[k] = operands[k]->shape;
    }
    struct node *node = adapt(r, sizes[0]);
    struct check check = {m,    r->machine->error, r->machine->program,
                          node, r->node->count,    shapes,
                          NULL};
    code = node->op->check(&check);
    if (code != ASSAY_OK)
        return code;
    node->shape = check.result;
    struct run inner = *r;
    inner.node = node;
    inner.operands = operands;
    code = node->op->run(&inner);
    if (code == ASSAY_OK)
        r->result = expand(m, r->node->shape, inner.result);
    return code;
}
