/* dynamic.c - operations on arrays whose sizes are known at run time only.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Such an array behaves like the array of the elements within its sizes.  So
 * these are extracted, the instruction is checked again with their shapes and
 * run as any other, and the results go to their places within the bounds.
 * Which dimensions of a result are dynamic is as the host says.
 */
#include <string.h>

#include "native.h"

/* Further rules of an operation; all may be NULL. */
struct rule {
    assay_code (*check)(struct check *c); /* the operations with that check */
    /* Say what must not be dynamic. */
    assay_code (*refuse)(struct check *c);
    /* The dimension that dimension i of operand k has in common with those of
     * other operands, or -1. */
    int (*axis)(const struct run *r, int k, int i);
    /* Change attributes that name sizes, or the sizes to take. */
    void (*adapt)(const struct run *r, struct node *n,
                  int64_t (*sizes)[RANK_MAX]);
    /* The operands are taken with their bounds; set the result's sizes. */
    void (*keep)(const struct run *r);
};

static int is_dynamic(const struct shape *s, int d)
{
    return s->dynamic != NULL && s->dynamic[d];
}

/* ---- Common dimensions --------------------------------------------------- */

static int same_axis(const struct run *r, int k, int i)
{
    (void)r;
    (void)k;
    return i;
}

static int broadcast_axis(const struct run *r, int k, int i)
{
    int x = r->operands[0]->shape->rank, y = r->operands[1]->shape->rank;
    return binary_place(r->node, x > y ? x : y, r->operands[k]->shape->rank, i);
}

static int concat_axis(const struct run *r, int k, int i)
{
    (void)k;
    return i == attribute_int(r->node, "dimension", 0) ? -1 : i;
}

/* Arrays first, initial values after them. */
static int half_axis(const struct run *r, int k, int i)
{
    return k < r->node->count / 2 ? i : -1;
}

static int scan_axis(const struct run *r, int k, int i)
{
    return k < attribute_int(r->node, "num_inputs", 1) ? i : -1;
}

static int batch_axis(const struct run *r, int k, int i)
{
    return i < r->operands[k]->shape->rank - 2 ? i : -1;
}

/* Vectors go along one dimension of the arrays. */
static int feature_axis(const struct run *r, int k, int i)
{
    return r->operands[k]->shape->rank == 1
               ? (int)attribute_int(r->node, "feature_index", 0)
               : i;
}

/* ---- Attributes and sizes ------------------------------------------------ */

int64_t *dynamic_ints(const struct run *r, struct node *n, const char *name)
{
    int i = 0;
    while (strcmp(n->attributes[i].name, name) != 0)
        i++;
    int64_t *ints =
        memory_ints(r->memory, n->attributes[i].ints, n->attributes[i].count);
    n->attributes[i].ints = ints;
    return ints;
}

static void cut(int64_t *x, int64_t limit)
{
    if (*x > limit)
        *x = limit;
}

static void adapt_slice(const struct run *r, struct node *n,
                        int64_t (*sizes)[RANK_MAX])
{
    int64_t *start = dynamic_ints(r, n, "start_indices");
    int64_t *limit = dynamic_ints(r, n, "limit_indices");
    for (int i = 0; i < r->operands[0]->shape->rank; i++) {
        cut(&start[i], sizes[0][i]);
        cut(&limit[i], sizes[0][i]);
    }
}

static void adapt_broadcast(const struct run *r, struct node *n,
                            int64_t (*sizes)[RANK_MAX])
{
    const struct shape *s = r->operands[0]->shape;
    const int64_t *places = attribute_find(n, "broadcast_dimensions")->ints;
    int64_t *out = dynamic_ints(r, n, "out_dim_size");
    for (int i = 0; i < s->rank; i++)
        if (is_dynamic(s, i))
            out[places[i]] = sizes[0][i];
}

/* If there are fewer than k, all of them are returned. */
static void adapt_top_k(const struct run *r, struct node *n,
                        int64_t (*sizes)[RANK_MAX])
{
    int rank = r->operands[0]->shape->rank;
    if (rank > 0)
        cut(dynamic_ints(r, n, "k"), sizes[0][rank - 1]);
}

static const struct rule rules[] = {
    {.check = binary_check, .axis = broadcast_axis},
    {.check = binary_check_complex, .axis = broadcast_axis},
    {.check = compare_check, .axis = broadcast_axis},
    {.check = compare_check_select, .axis = same_axis},
    {.check = compare_check_clamp, .axis = same_axis},
    {.check = convert_check_bitcast, .refuse = convert_refuse_bitcast},
    {.check = slices_check_map, .axis = same_axis},
    {.check = sort_check, .axis = same_axis},
    {.check = sort_check_top_k, .adapt = adapt_top_k},
    {.check = reduce_check, .axis = half_axis},
    {.check = window_check_reduce, .axis = half_axis},
    {.check = scan_check, .axis = scan_axis},
    {.check = move_check_concat, .axis = concat_axis},
    {.check = move_check_slice, .adapt = adapt_slice},
    {.check = move_check_broadcast_in_dim, .adapt = adapt_broadcast},
    {.check = reshape_check, .refuse = reshape_refuse, .adapt = reshape_adapt},
    {.check = scatter_check, .keep = scatter_keep},
    {.check = slices_check_dynamic, .keep = slices_keep_dynamic},
    {.check = slices_check_update, .keep = slices_keep_update},
    {.check = gather_check, .keep = gather_keep},
    {.check = contract_check_dot, .axis = contract_axis},
    {.check = contract_check_dot_general, .axis = contract_axis},
    {.check = conv_check, .refuse = conv_refuse, .axis = conv_axis},
    {.check = linalg_check_solve, .axis = batch_axis},
    {.check = batchnorm_check_one, .axis = feature_axis},
    {.check = batchnorm_check_three, .axis = feature_axis},
};

static const struct rule *rule_of(const struct node *n)
{
    static const struct rule none = {0};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].check == n->op->check)
            return &rules[i];
    return &none;
}

/* ---- Checking, with the bounds ------------------------------------------- */

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
    if (code == ASSAY_OK && rule_of(c->node)->refuse != NULL)
        code = rule_of(c->node)->refuse(c);
    if (code == ASSAY_OK && c->node->op->run == NULL)
        code = program_fail(c, ASSAY_UNSUPPORTED, "dynamic dimensions");
    if (code == ASSAY_OK && c->node->given != NULL)
        c->result = flagged(c->memory, c->result, c->node->given);
    return code;
}

/* ---- Running ------------------------------------------------------------- */

/* One operand's part in the sizes in common: of its dynamic dimensions it
 * gives them, the others are cut to them. */
static assay_code agree(const struct run *r, const struct rule *rule, int k,
                        int64_t *sizes, int64_t *common, int64_t *bounds,
                        int cutting)
{
    const struct shape *s = r->operands[k]->shape;
    for (int i = 0; s->kind == ASSAY_ARRAY && i < s->rank; i++) {
        int a = rule->axis(r, k, i);
        if (a < 0)
            continue;
        if (is_dynamic(s, i) && common[a] < 0) {
            common[a] = sizes[i];
            bounds[a] = s->dims[i];
        } else if (is_dynamic(s, i) && common[a] != sizes[i]) {
            return memory_fail(r->machine->error, ASSAY_SHAPE,
                               "'%s': sizes %lld and %lld in one dimension",
                               r->node->name, (long long)common[a],
                               (long long)sizes[i]);
        } else if (cutting && common[a] >= 0 && s->dims[i] == bounds[a]) {
            sizes[i] = common[a];
        }
    }
    return ASSAY_OK;
}

/* How much of each operand to take. */
static assay_code find_sizes(const struct run *r, const struct rule *rule,
                             int64_t (*sizes)[RANK_MAX])
{
    int64_t common[RANK_MAX], bounds[RANK_MAX];
    for (int i = 0; i < RANK_MAX; i++)
        common[i] = -1;
    for (int k = 0; k < r->node->count; k++) {
        const struct value *v = r->operands[k];
        for (int i = 0; v->shape->kind == ASSAY_ARRAY && i < v->shape->rank;
             i++)
            sizes[k][i] = value_size(v, i);
    }
    for (int k = 0; rule->axis != NULL && k < 2 * r->node->count; k++) {
        int at = k % r->node->count;
        TRY(agree(r, rule, at, sizes[at], common, bounds, at < k));
    }
    return ASSAY_OK;
}

/* A copy whose attributes can be changed. */
static struct node *copy_node(const struct run *r)
{
    struct node *n = memory_new(r->memory, 1, sizeof *n);
    size_t count = (size_t)r->node->attribute_count;
    *n = *r->node;
    n->attributes = memory_new(r->memory, count + 1, sizeof *n->attributes);
    for (size_t i = 0; i < count; i++)
        n->attributes[i] = r->node->attributes[i];
    return n;
}

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

static assay_code run_kept(struct run *r, const struct rule *rule)
{
    TRY(r->node->op->run(r));
    if (shape_is_dynamic(r->result->shape))
        rule->keep(r);
    return ASSAY_OK;
}

assay_code dynamic_run(struct run *r)
{
    const struct rule *rule = rule_of(r->node);
    size_t n = (size_t)r->node->count;
    struct memory *m = r->memory;
    int64_t(*sizes)[RANK_MAX] = memory_new(m, n, sizeof *sizes);
    struct value **operands = memory_new(m, n, sizeof *operands);
    const struct shape **shapes = memory_new(m, n, sizeof *shapes);
    if (rule->keep != NULL)
        return run_kept(r, rule);
    TRY(find_sizes(r, rule, sizes));
    struct run inner = *r;
    struct node *node = copy_node(r);
    if (rule->adapt != NULL)
        rule->adapt(r, node, sizes);
    for (size_t k = 0; k < n; k++) {
        operands[k] = compact(m, r->operands[k], sizes[k]);
        shapes[k] = operands[k]->shape;
    }
    struct check check = {m,    r->machine->error, r->machine->program,
                          node, r->node->count,    shapes,
                          NULL};
    TRY(node->op->check(&check));
    node->shape = check.result;
    inner.node = node;
    inner.operands = operands;
    TRY(node->op->run(&inner));
    r->result = expand(m, r->node->shape, inner.result);
    return ASSAY_OK;
}
