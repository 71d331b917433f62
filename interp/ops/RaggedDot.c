/* RaggedDot - DotGeneral with one dimension cut into groups of run-time size.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The ragged dimension of lhs is free, contracting or a batch dimension.  The
 * groups are runs along it: one list of sizes for all, or one for each place in
 * the batch dimensions and in the dimensions of its own kind before it.
 */
#include <inttypes.h>

#include "gen/policy/ragged_outside.h"
#include "interp/ops/dot.h"
#include "interp/stablehlo/stablehlo_form.h"

enum mode {
    FREE,
    CONTRACTING,
    BATCH
};

struct ragged {
    struct dot_numbers n;
    enum mode mode;
    int dimension; /* of lhs */
    int group;     /* of rhs; -1: it has none */
    int64_t groups;
    /* Dimensions of lhs that have lists of their own. */
    int prefix_count;
    int64_t prefix[SHAPE_RANK_MAX];
    bool shared; /* there is one list for all */
};

#define NUMBERS "dimension_numbers."

/* Everything that follows from dimension numbers that are known to be good. */
static void read_ragged(const struct instruction *in, const struct shape *lhs,
                        const struct shape *sizes, struct ragged *r)
{
    struct dimnums groups = dimnums_get(in, ATTRIBUTE_RHS_GROUP_DIMENSIONS);
    const struct dimnums *batch = &r->n.batch[0];
    const struct dimnums *contracting = &r->n.contracting[0];
    r->n = dot_get(in);
    r->dimension = (int)dimnums_get(in, ATTRIBUTE_LHS_RAGGED_DIMENSIONS).at[0];
    r->group = groups.count ? (int)groups.at[0] : -1;
    r->mode = dimnums_find(batch, r->dimension) >= 0         ? BATCH
              : dimnums_find(contracting, r->dimension) >= 0 ? CONTRACTING
                                                             : FREE;
    r->prefix_count = 0;
    for (int i = 0; i < batch->count && batch->at[i] != r->dimension; i++)
        r->prefix[r->prefix_count++] = batch->at[i];
    for (int i = 0;
         r->mode == CONTRACTING && contracting->at[i] != r->dimension; i++)
        r->prefix[r->prefix_count++] = contracting->at[i];
    for (int d = 0; r->mode == FREE && d < r->dimension && d < lhs->rank; d++)
        if (dimnums_find(batch, d) < 0 && dimnums_find(contracting, d) < 0)
            r->prefix[r->prefix_count++] = d;
    r->shared = sizes->rank == 1;
    r->groups = sizes->dims[sizes->rank - 1];
}

static bool check_numbers(const struct infer *in, struct status *st)
{
    struct dimnums ragged =
        dimnums_get(in->in, ATTRIBUTE_LHS_RAGGED_DIMENSIONS);
    struct dimnums groups = dimnums_get(in->in, ATTRIBUTE_RHS_GROUP_DIMENSIONS);
    struct dot_numbers n = dot_get(in->in);
    TRY(dimnums_count(in, &ragged, 1, st));
    TRY(dimnums_check(in, &ragged, in->operands[0]->rank, false, st));
    TRY(dimnums_check(in, &groups, in->operands[1]->rank, false, st));
    for (int i = 0; i < groups.count; i++)
        if (dimnums_find(&n.batch[1], groups.at[i]) >= 0
            || dimnums_find(&n.contracting[1], groups.at[i]) >= 0)
            return FAIL(st, ATTRIBUTE,
                        "RaggedDot: group dimension %" PRId64
                        " of rhs is a batch or contracting dimension",
                        groups.at[i]);
    return true;
}

static bool check_sizes(const struct infer *in, const struct ragged *r,
                        struct status *st)
{
    const struct shape *lhs = in->operands[0], *sizes = in->operands[2];
    int due = r->mode == FREE ? 1 : 0;
    struct dimnums groups = dimnums_get(in->in, ATTRIBUTE_RHS_GROUP_DIMENSIONS);
    TRY(dimnums_count(in, &groups, due, st));
    if (r->group >= 0 && in->operands[1]->dims[r->group] != r->groups)
        return FAIL(st, SHAPE,
                    "RaggedDot: rhs has %" PRId64 " groups, group_sizes "
                    "%" PRId64,
                    in->operands[1]->dims[r->group], r->groups);
    if (r->shared)
        return true;
    if (sizes->rank != r->prefix_count + 1)
        return FAIL(st, SHAPE,
                    "RaggedDot: group_sizes is %s; expected 1 or %d dimensions",
                    shape_text(in->arena, sizes), r->prefix_count + 1);
    for (int i = 0; i < r->prefix_count; i++)
        if (sizes->dims[i] != lhs->dims[r->prefix[i]])
            return FAIL(st, SHAPE,
                        "RaggedDot: dimension %d of group_sizes has size "
                        "%" PRId64 ", dimension %" PRId64 " of lhs %" PRId64,
                        i, sizes->dims[i], r->prefix[i],
                        lhs->dims[r->prefix[i]]);
    return true;
}

/* As DotGeneral infers it; then the group dimension is removed, or added. */
static bool infer(struct infer *in, struct status *st)
{
    const struct shape *two[] = {in->operands[0], in->operands[1]};
    struct infer dot = *in;
    struct ragged r = {.n = dot_get(in->in)};
    int64_t dims[2 * SHAPE_RANK_MAX];
    int rank = 0;
    TRY(dimnums_static(in, st));
    dot.count = 2;
    dot.operands = two;
    TRY(dot_infer(&dot, &r.n, st));
    if (in->operands[2]->rank < 1)
        return FAIL(st, SHAPE,
                    "RaggedDot: group_sizes is a scalar; expected at least one "
                    "dimension");
    TRY(check_numbers(in, st));
    read_ragged(in->in, in->operands[0], in->operands[2], &r);
    TRY(check_sizes(in, &r, st));
    if (r.mode == CONTRACTING)
        dims[rank++] = r.groups;
    for (int d = 0; d < r.n.batch[0].count; d++)
        dims[rank++] = two[0]->dims[r.n.batch[0].at[d]];
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < two[side]->rank; d++)
            if (dimnums_find(&r.n.batch[side], d) < 0
                && dimnums_find(&r.n.contracting[side], d) < 0
                && (side == 0 || d != r.group))
                dims[rank++] = two[side]->dims[d];
    return infer_array(in, dot.result->dtype, rank, dims, st);
}

/* ---- Values -------------------------------------------------------------- */

/* The group of each place along the ragged dimension, -1 for none; list after
 * list.  *odd: sizes are negative or go beyond the dimension. */
static int64_t *find_groups(const struct eval *ev, const struct ragged *r,
                            bool *odd)
{
    const struct literal *sizes = ev->operands[2];
    int64_t length = ev->operands[0]->shape->dims[r->dimension];
    int64_t lists = 1;
    for (int i = 0; i < sizes->shape->rank - 1; i++)
        lists *= sizes->shape->dims[i];
    int64_t *to = arena_new(ev->arena, int64_t, (size_t)(lists * length) + 1);
    for (int64_t l = 0; l < lists; l++) {
        int64_t at = 0;
        for (int64_t g = 0; g < r->groups; g++) {
            int64_t size = literal_int(sizes, l * r->groups + g);
            *odd = *odd || size < 0 || size > length - at;
            for (; size > 0 && at < length; size--)
                to[l * length + at++] = g;
        }
        while (at < length)
            to[l * length + at++] = -1;
    }
    return to;
}

/* How far a step in dimension d of lhs goes in the table of groups. */
static int64_t table_step(const struct ragged *r, const struct shape *lhs,
                          int d)
{
    int64_t step = lhs->dims[r->dimension];
    if (d == r->dimension)
        return 1;
    for (int i = r->prefix_count - 1; i >= 0 && !r->shared; i--) {
        if (r->prefix[i] == d)
            return step;
        step *= lhs->dims[r->prefix[i]];
    }
    return 0;
}

/* Steps over the result except the group dimension of a contracting mode, and
 * over the terms of each element. */
static void plan(const struct eval *ev, const struct ragged *r,
                 const int64_t own[2][SHAPE_RANK_MAX], struct dot_steps *outer,
                 struct dot_steps *inner)
{
    const struct shape *lhs = ev->operands[0]->shape;
    const struct shape *rhs = ev->operands[1]->shape;
    const struct dimnums *batch = r->n.batch, *contracting = r->n.contracting;
    for (int i = 0; i < batch[0].count; i++) {
        int d = (int)batch[0].at[i];
        dot_step(outer, lhs->dims[d], own[0][d], own[1][batch[1].at[i]],
                 table_step(r, lhs, d));
    }
    for (int d = 0; d < lhs->rank; d++)
        if (dimnums_find(&batch[0], d) < 0
            && dimnums_find(&contracting[0], d) < 0)
            dot_step(outer, lhs->dims[d], own[0][d], 0, table_step(r, lhs, d));
    for (int d = 0; d < rhs->rank; d++)
        if (dimnums_find(&batch[1], d) < 0
            && dimnums_find(&contracting[1], d) < 0 && d != r->group)
            dot_step(outer, rhs->dims[d], 0, own[1][d], 0);
    for (int i = 0; i < contracting[0].count; i++) {
        int d = (int)contracting[0].at[i];
        dot_step(inner, lhs->dims[d], own[0][d], own[1][contracting[1].at[i]],
                 table_step(r, lhs, d));
    }
}

struct terms {
    const struct literal *lhs, *rhs;
    const struct ragged *r;
    const int64_t *groups;
    int64_t group_stride; /* of rhs */
    struct dot_steps inner;
};

/* Add the terms of one element of the result's group g.  False: it belongs to
 * no group. */
static bool add_terms(struct terms *t, struct dot_sum *sum, const int64_t *at,
                      int64_t g)
{
    int64_t from[DOT_SIDES] = {at[0], at[1], at[2]};
    if (t->r->mode != CONTRACTING) {
        g = t->groups[at[2]];
        if (g < 0)
            return false;
        from[1] += g * t->group_stride;
    }
    do
        if (t->r->mode != CONTRACTING || t->groups[from[2]] == g)
            dot_sum_add(sum, t->lhs, from[0], t->rhs, from[1]);
    while (dot_next(&t->inner, from));
    return true;
}

static void free_element(struct goal *g, int64_t i)
{
    int units = dtype_units(g->value->shape->dtype);
    for (int u = 0; u < units; u++)
        goal_free_unit(g, i * units + u);
}

static bool eval(struct eval *ev, struct status *st)
{
    struct ragged r = {.n = dot_get(ev->in)};
    struct terms t = {.lhs = ev->operands[0], .rhs = ev->operands[1], .r = &r};
    struct dot_steps outer = {0};
    int64_t own[2][SHAPE_RANK_MAX], at[DOT_SIDES] = {0};
    int64_t elements = shape_elements(ev->in->shape);
    struct goal *goal = dot_sum_goal(ev, ev->in->shape);
    struct dot_sum *sum = dot_sum_open(ev, goal);
    const struct shape *lhs = t.lhs->shape, *rhs = t.rhs->shape;
    bool odd = false;
    bool empty = shape_elements(lhs) == 0 || shape_elements(rhs) == 0;
    bool done;
    TRY(dot_open(ev, &done, st));
    if (done)
        return true;
    read_ragged(ev->in, lhs, ev->operands[2]->shape, &r);
    t.groups = find_groups(ev, &r, &odd);
    if (!empty) {
        shape_strides(lhs->rank, lhs->dims, own[0]);
        shape_strides(rhs->rank, rhs->dims, own[1]);
        t.group_stride = r.group >= 0 ? own[1][r.group] : 0;
        plan(ev, &r, (const int64_t(*)[SHAPE_RANK_MAX])own, &outer, &t.inner);
    }
    int64_t groups = r.mode == CONTRACTING ? r.groups : 1;
    /* No document says that batches of no group give 0. */
    bool any = ev->want_exact
               && (r.mode == BATCH
                   || profile_ragged_outside_is_any(ev->machine->profile));
    for (int64_t i = 0; i < elements; i++) {
        dot_sum_start(sum);
        if (!empty) {
            bool inside = add_terms(&t, sum, at, i / (elements / groups));
            if (any && !inside)
                free_element(goal, i);
            dot_next(&outer, at);
        }
        dot_sum_finish(sum, i);
    }
    if (odd)
        goal_make_free(goal);
    return eval_return_one(ev, goal);
}

const struct op op_RaggedDot = {
    .name = "RaggedDot",
    .infer = infer,
    .eval = eval,
    .stablehlo = STABLEHLO_FORM(.numbers = "chlo.ragged_dot")};
