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
    return attribute_find(l->in, ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS)
               ? dot_get(l->in)
               : dot_matrix(l->ev.operands[0]->shape);
}

/* The terms of unit i, whose first one is at from. */
static void put_products(struct linker *l, struct dot_steps *inner,
                         const int64_t *from, int64_t i)
{
    struct enclosure products = {0, 0};
    int64_t at[DOT_SIDES] = {from[0], from[1]};
    do {
        put(l, 0, at[0], box_at(l, 1, at[1]));
        put(l, 1, at[1], box_at(l, 0, at[0]));
        products = enclosure_add(
            products, enclosure_mul(enclosure_point(value_at(l, 0, at[0])),
                                    enclosure_point(value_at(l, 1, at[1]))));
    } while (dot_next(inner, at));
    l->failed = l->failed || !is_sum(l, i, products);
    end_unit(l, i);
}

static bool link_products(struct linker *l)
{
    struct dot_steps outer = {0}, inner = {0};
    int64_t most, at[DOT_SIDES] = {0};
    if (!all_floats(l) || l->in->operand_count != 2
        || attribute_find(l->in, ATTRIBUTE_WINDOW_STRIDES))
        return false;
    const struct shape *const shapes[] = {l->ev.operands[0]->shape,
                                          l->ev.operands[1]->shape};
    struct dot_numbers n = numbers_of(l);
    dot_plan(shapes, &n, &outer, &inner);
    if (dot_places(&outer) != l->node->units || dot_places(&inner) == 0
        || __builtin_mul_overflow(2 * l->node->units, dot_places(&inner), &most)
        || !open_links(l, most))
        return false;
    for (int64_t i = 0; i < l->node->units && !l->failed; i++) {
        put_products(l, &inner, at, i);
        dot_next(&outer, at);
    }
    return !l->failed;
}

/* ---- Reductions ---------------------------------------------------------- */

/* Steps over the kept dimensions and over the reduced ones. */
static void find_reduced(const struct linker *l, struct dot_steps *outer,
                         struct dot_steps *inner)
{
    const struct shape *s = l->ev.operands[0]->shape;
    struct dimnums d = dimnums_get(l->in, ATTRIBUTE_DIMENSIONS_TO_REDUCE);
    int64_t strides[SHAPE_RANK_MAX];
    shape_strides(s->rank, s->dims, strides);
    for (int i = 0; i < s->rank; i++)
        dot_step(dimnums_find(&d, i) < 0 ? outer : inner, s->dims[i],
                 strides[i], 0, 0);
}

/* A box, or its negative where a least element is looked for. */
static struct enclosure turned(struct enclosure x, double sign)
{
    return sign < 0 ? enclosure_neg(x) : x;
}

/* All that may be the largest (sign 1) or the least (-1) of the terms from on;
 * the initial value is one of them. */
static void put_extremum(struct linker *l, struct dot_steps *inner,
                         const int64_t *from, double sign)
{
    int64_t at[DOT_SIDES] = {from[0]};
    struct enclosure init = turned(box_at(l, 1, 0), sign);
    double sure = init.low;
    do {
        sure = fmax(sure, turned(box_at(l, 0, at[0]), sign).low);
    } while (dot_next(inner, at));
    do {
        if (turned(box_at(l, 0, at[0]), sign).high >= sure)
            put(l, 0, at[0], enclosure_of(0, 1));
    } while (dot_next(inner, at));
    if (init.high >= sure)
        put(l, 1, 0, enclosure_of(0, 1));
}

static void put_terms(struct linker *l, struct dot_steps *inner,
                      const int64_t *from)
{
    int64_t at[DOT_SIDES] = {from[0]};
    do {
        put(l, 0, at[0], enclosure_point(1));
    } while (dot_next(inner, at));
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
    struct dot_steps outer = {0}, inner = {0};
    int64_t most, at[DOT_SIDES] = {0};
    if (!all_floats(l) || l->in->operand_count != 2)
        return false;
    double kind = kind_of(l);
    find_reduced(l, &outer, &inner);
    if (isnan(kind) || dot_places(&outer) != l->node->units
        || dot_places(&inner) == 0
        || __builtin_mul_overflow(l->node->units, dot_places(&inner) + 1, &most)
        || !open_links(l, most))
        return false;
    for (int64_t i = 0; i < l->node->units; i++) {
        if (kind != 0)
            put_extremum(l, &inner, at, kind);
        else
            put_terms(l, &inner, at);
        end_unit(l, i);
        dot_next(&outer, at);
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
