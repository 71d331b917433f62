/* bound_link.c - from which units of operands a unit is computed, and its
 * slopes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/bound/bound_node.h"
#include "interp/ops/dot.h"
#include "interp/ops/elementwise.h"
#include "interp/ops/monoid.h"
#include "interp/program/attribute.h"
#include "interp/program/interval_bilinear.h"
#include "interp/program/interval_move.h"

/* The links of one node, as they are found: those of unit 0 first. */
struct linker {
    struct bound_graph *graph;
    const struct instruction *in;
    struct bound_node *node;
    struct eval ev; /* with the local outcome */
    int64_t room, used;
    bool failed;
    slope_function *slope;
};

static void put(struct linker *l, int operand, int64_t unit,
                struct enclosure slope)
{
    int number = l->in->operands[operand];
    const struct bound_node *from = &l->graph->nodes[number];
    bool none = enclosure_is_point(slope) && slope.low == 0;
    if (!from->inexact || none || enclosure_is_point(from->box[unit]))
        return;
    if (!enclosure_is_finite(slope) || l->used == l->room)
        l->failed = true;
    else
        l->node->links[l->used++] = (struct bound_link){number, unit, slope};
}

static void end_unit(struct linker *l, int64_t i)
{
    l->node->first[i + 1] = l->used;
}

static bool open_links(struct linker *l, int64_t most)
{
    struct arena *a = l->graph->arena;
    struct bound_node *n = l->node;
    if (most < 0 || most > BOUND_LINKS - l->graph->links)
        return false;
    l->room = most;
    n->first = arena_new(a, int64_t, (size_t)n->units + 1);
    n->links = arena_new(a, struct bound_link, (size_t)most + 1);
    return true;
}

/* Unit u of operand k, which may be exact. */
static struct enclosure box_at(const struct linker *l, int k, int64_t u)
{
    const struct bound_node *n = &l->graph->nodes[l->in->operands[k]];
    const struct literal *v = l->ev.operands[k];
    if (n->inexact)
        return n->box[u];
    return enclosure_point(
        bound_node_double(v->shape->dtype, literal_get(v, u)));
}

/* ---- Units that move ----------------------------------------------------- */

static bool link_moved(struct linker *l)
{
    struct arena *a = l->graph->arena;
    size_t count = (size_t)l->in->operand_count;
    bool *followed = arena_new(a, bool, count);
    uint64_t *from = arena_new(a, uint64_t, (size_t)l->node->units + 1);
    for (size_t k = 0; k < count; k++)
        followed[k] = l->graph->nodes[l->in->operands[k]].inexact;
    if (!interval_move_trace(&l->ev, followed, from)
        || !open_links(l, l->node->units))
        return false;
    for (int64_t i = 0; i < l->node->units; i++) {
        uint64_t at = from[i];
        for (size_t k = 0; k < count && at > 0; k++) {
            uint64_t units =
                followed[k] ? (uint64_t)literal_units(l->ev.operands[k]) : 0;
            if (followed[k] && at <= units) {
                put(l, (int)k, (int64_t)at - 1, enclosure_point(1));
                break;
            }
            at -= units;
        }
        end_unit(l, i);
    }
    return true;
}

/* ---- Functions of elements ----------------------------------------------- */

static void link_element(void *context, int64_t i, const int64_t *at)
{
    struct linker *l = context;
    struct enclosure x[SLOPE_OPERANDS], d[SLOPE_OPERANDS];
    bool moves = false, finite = true;
    for (int k = 0; k < l->in->operand_count; k++) {
        x[k] = box_at(l, k, at[k]);
        moves = moves || !enclosure_is_point(x[k]);
        finite = finite && enclosure_is_finite(x[k]);
    }
    if (moves && (!finite || !l->slope(x, d)))
        l->failed = true;
    for (int k = 0; moves && !l->failed && k < l->in->operand_count; k++)
        put(l, k, at[k], d[k]);
    end_unit(l, i);
}

static bool all_floats(const struct linker *l)
{
    for (int k = 0; k < l->in->operand_count; k++) {
        const struct shape *s = l->ev.operands[k]->shape;
        if (s->kind != SHAPE_ARRAY || dtype_class(s->dtype) != DTYPE_FLOAT)
            return false;
    }
    return true;
}

static bool link_elements(struct linker *l)
{
    if (!all_floats(l) || !open_links(l, l->node->units * l->ev.count))
        return false;
    elementwise_each(&l->ev, l->in->shape, link_element, l);
    return !l->failed;
}

/* ---- Sums of products ---------------------------------------------------- */

/* The dimensions of an operand in the order in which the result and its sums
 * go through them. */
struct walk {
    int rank;
    int64_t dims[3 * SHAPE_RANK_MAX], strides[2][3 * SHAPE_RANK_MAX];
};

static void walk_add(struct walk *w, int64_t size, int64_t left, int64_t right)
{
    w->dims[w->rank] = size;
    w->strides[0][w->rank] = left;
    w->strides[1][w->rank++] = right;
}

static int64_t walk_size(const struct walk *w)
{
    int64_t n = 1;
    for (int i = 0; i < w->rank; i++)
        n *= w->dims[i];
    return n;
}

static int64_t walk_at(const struct walk *w, int side, int64_t i)
{
    int64_t at = 0;
    for (int d = w->rank - 1; d >= 0; d--) {
        at += i % w->dims[d] * w->strides[side][d];
        i /= w->dims[d];
    }
    return at;
}

/* Is the sum of the products of the reference's operands the exact sum?  It is
 * not where the operands are rounded first. */
static bool is_sum(const struct linker *l, int64_t i, struct enclosure products)
{
    const struct goal *g = l->ev.out.goals[0];
    if (g->rule != GOAL_SUM || !g->sum.sums)
        return false;
    const struct real *y = &g->sum.sums[i].sum;
    MPFR_DECL_INIT(x, 128);
    if (y->kind > REAL_FINITE)
        return false;
    real_to_mpfr(x, y);
    return enclosure_has(enclosure_out(products), mpfr_get_d(x, MPFR_RNDN));
}

static double value_at(const struct linker *l, int k, int64_t u)
{
    const struct literal *v = l->ev.operands[k];
    return bound_node_double(v->shape->dtype, literal_get(v, u));
}

static struct dot_numbers numbers_of(const struct linker *l)
{
    static const int64_t first[] = {0, 1};
    if (attribute_find(l->in, ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS))
        return dot_get(l->in);
    return (struct dot_numbers){
        .contracting = {{"lhs", 1, &first[l->ev.operands[0]->shape->rank - 1]},
                        {"rhs", 1, &first[0]}}};
}

/* The dimensions of the result, and of each sum. */
static void find_walks(const struct linker *l, struct walk *result,
                       struct walk *sum)
{
    struct dot_numbers n = numbers_of(l);
    int64_t strides[2][SHAPE_RANK_MAX];
    const struct shape *s[2];
    for (int k = 0; k < 2; k++) {
        s[k] = l->ev.operands[k]->shape;
        shape_strides(s[k]->rank, s[k]->dims, strides[k]);
    }
    for (int i = 0; i < n.batch[0].count; i++)
        walk_add(result, s[0]->dims[n.batch[0].at[i]],
                 strides[0][n.batch[0].at[i]], strides[1][n.batch[1].at[i]]);
    for (int i = 0; i < n.contracting[0].count; i++)
        walk_add(sum, s[0]->dims[n.contracting[0].at[i]],
                 strides[0][n.contracting[0].at[i]],
                 strides[1][n.contracting[1].at[i]]);
    for (int k = 0; k < 2; k++)
        for (int d = 0; d < s[k]->rank; d++)
            if (dimnums_find(&n.batch[k], d) < 0
                && dimnums_find(&n.contracting[k], d) < 0)
                walk_add(result, s[k]->dims[d], k ? 0 : strides[0][d],
                         k ? strides[1][d] : 0);
}

static bool link_products(struct linker *l)
{
    struct walk result = {0}, sum = {0};
    if (!all_floats(l) || l->in->operand_count != 2
        || attribute_find(l->in, ATTRIBUTE_WINDOW_STRIDES))
        return false;
    find_walks(l, &result, &sum);
    int64_t terms = walk_size(&sum), most;
    if (walk_size(&result) != l->node->units
        || __builtin_mul_overflow(2 * l->node->units, terms, &most)
        || !open_links(l, most))
        return false;
    for (int64_t i = 0; i < l->node->units && !l->failed; i++) {
        int64_t left = walk_at(&result, 0, i), right = walk_at(&result, 1, i);
        struct enclosure products = {0, 0};
        for (int64_t k = 0; k < terms; k++) {
            int64_t a = left + walk_at(&sum, 0, k);
            int64_t b = right + walk_at(&sum, 1, k);
            put(l, 0, a, box_at(l, 1, b));
            put(l, 1, b, box_at(l, 0, a));
            products = enclosure_add(
                products, enclosure_mul(enclosure_point(value_at(l, 0, a)),
                                        enclosure_point(value_at(l, 1, b))));
        }
        l->failed = l->failed || !is_sum(l, i, products);
        end_unit(l, i);
    }
    return !l->failed;
}

/* ---- Reductions ---------------------------------------------------------- */

static void find_reduced(const struct linker *l, struct walk *result,
                         struct walk *sum)
{
    const struct shape *s = l->ev.operands[0]->shape;
    struct dimnums d = dimnums_get(l->in, ATTRIBUTE_DIMENSIONS_TO_REDUCE);
    int64_t strides[SHAPE_RANK_MAX];
    shape_strides(s->rank, s->dims, strides);
    for (int i = 0; i < s->rank; i++)
        walk_add(dimnums_find(&d, i) < 0 ? result : sum, s->dims[i], strides[i],
                 0);
}

/* The hull of what unit i is the largest (sign 1) or least (-1) of; the initial
 * value is one of them. */
static void put_extremum(struct linker *l, const struct walk *sum, int64_t base,
                         double sign)
{
    int64_t terms = walk_size(sum);
    struct enclosure sure = enclosure_point(-HUGE_VAL);
    struct enclosure init = box_at(l, 1, 0);
    init = sign < 0 ? enclosure_neg(init) : init;
    sure.low = fmax(sure.low, init.low);
    for (int64_t k = 0; k < terms; k++) {
        struct enclosure x = box_at(l, 0, base + walk_at(sum, 0, k));
        x = sign < 0 ? enclosure_neg(x) : x;
        sure.low = fmax(sure.low, x.low);
    }
    for (int64_t k = 0; k < terms; k++) {
        int64_t at = base + walk_at(sum, 0, k);
        struct enclosure x = box_at(l, 0, at);
        x = sign < 0 ? enclosure_neg(x) : x;
        if (x.high >= sure.low)
            put(l, 0, at, enclosure_of(0, 1));
    }
    if (init.high >= sure.low)
        put(l, 1, 0, enclosure_of(0, 1));
}

/* 1 and -1 for the reduction to a largest and least element, 0 for a sum from
 * 0, NaN for others. */
static double kind_of(const struct linker *l)
{
    const struct op *op =
        program_monoid(eval_computation(&l->ev, ATTRIBUTE_COMPUTATION, 0));
    enum dtype unit = l->node->unit;
    struct enclosure init = box_at(l, 1, 0);
    if (monoid_rounds(op, unit, MONOID_SUM))
        return enclosure_is_point(init) && init.low == 0 ? 0 : NAN;
    if (op && op->monoid == &monoid_max)
        return 1;
    return op && op->monoid == &monoid_min ? -1 : NAN;
}

static bool link_reduced(struct linker *l)
{
    struct walk result = {0}, sum = {0};
    if (!all_floats(l) || l->in->operand_count != 2)
        return false;
    double kind = kind_of(l);
    find_reduced(l, &result, &sum);
    int64_t terms = walk_size(&sum), most;
    if (isnan(kind) || walk_size(&result) != l->node->units
        || __builtin_mul_overflow(l->node->units, terms + 1, &most)
        || !open_links(l, most))
        return false;
    for (int64_t i = 0; i < l->node->units; i++) {
        int64_t base = walk_at(&result, 0, i);
        if (kind != 0)
            put_extremum(l, &sum, base, kind);
        for (int64_t k = 0; kind == 0 && k < terms; k++)
            put(l, 0, base + walk_at(&sum, 0, k), enclosure_point(1));
        end_unit(l, i);
    }
    return !l->failed;
}

static slope_function *slope_of(const struct op *op)
{
    return op->elementwise ? op->elementwise->slope : op->slope;
}

bool bound_link(struct bound_graph *g, int number)
{
    const struct machine_step *step = &g->trace[number];
    struct linker l = {.graph = g,
                       .in = g->entry->instructions[number],
                       .node = &g->nodes[number],
                       .ev = *step->ev,
                       .slope = slope_of(g->entry->instructions[number]->op)};
    l.ev.out = step->local;
    bool linked;
    if (step->local.count != 1 || !step->local.goals[0])
        return false;
    if (step->local.goals[0]->rule == GOAL_MOVED)
        linked = link_moved(&l);
    else if (l.slope)
        linked = link_elements(&l);
    else if (attribute_find(l.in, ATTRIBUTE_DIMENSIONS_TO_REDUCE))
        linked = link_reduced(&l);
    else
        linked = interval_bilinear_knows(l.in) && link_products(&l);
    g->links += linked ? l.used : 0;
    return linked;
}
