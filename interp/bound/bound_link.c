/* bound_link.c - from which units of operands a unit is computed, and its
 * slopes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "interp/bound/bound_node.h"
#include "interp/check/check_fft.h"
#include "interp/ops/elementwise.h"
#include "interp/ops/monoid.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/program/interval.h"
#include "interp/program/uses.h"

/* The links of one node, as they are found: those of unit 0 first. */
struct linker {
    struct bound_graph *graph;
    struct bound_node *node;
    struct eval ev; /* with the local outcome */
    int64_t room, used;
    bool failed, adds; /* a sum or difference that is correctly rounded */
    bool chooses;      /* the larger or the lesser one */
    bool wider;        /* operands may be passed on unrounded */
    slope_function *slope;
    slope_parts_function *slope_parts; /* of complex operands */
    struct bound_use use;              /* of the unit whose links are put */
    /* What its terms may be above and below 0, and how many may be either. */
    double *above, *below;
    size_t terms;
};

static struct bound_link link_of(int node, int at, struct enclosure slope)
{
    double middle = slope.low + (slope.high - slope.low) / 2;
    struct enclosure rest = enclosure_sub(slope, enclosure_point(middle));
    double within = enclosure_is_point(slope) ? 0 : enclosure_most(rest);
    return (struct bound_link){node, at, middle, bound_rounded(middle, within)};
}

/* All that unit u of operand k may be, which may be exact. */
static struct enclosure range_at(const struct linker *l, int k, int64_t u)
{
    int number = l->node->operands[k];
    const struct literal *v = l->ev.operands[k];
    if (number != BOUND_EXACT)
        return l->graph->nodes[number]->box[u];
    return enclosure_point(
        bound_node_double(dtype_unit(v->shape->dtype), literal_get(v, u)));
}

static double flushed_at(const struct linker *l, int k, struct enclosure range)
{
    return bound_node_flushed(
        l->graph->profile, dtype_unit(l->ev.operands[k]->shape->dtype), range);
}

/* The same, with what it may be taken for. */
static struct enclosure box_at(const struct linker *l, int k, int64_t u)
{
    struct enclosure range = range_at(l, k, u);
    return flushed_at(l, k, range) > 0
               ? enclosure_hull(range, enclosure_point(0))
               : range;
}

static bool reference_flushes(const struct linker *l)
{
    return uses_any(l->ev.machine);
}

/* The reference's value, with what it takes it for. */
static struct enclosure value_at(const struct linker *l, int k, int64_t u)
{
    const struct literal *v = l->ev.operands[k];
    struct enclosure e = enclosure_point(
        bound_node_double(dtype_unit(v->shape->dtype), literal_get(v, u)));
    return reference_flushes(l) && flushed_at(l, k, e) > 0
               ? enclosure_hull(e, enclosure_point(0))
               : e;
}

static void put_slope(struct linker *l, int operand, int64_t unit,
                      struct enclosure slope)
{
    int number = l->node->operands[operand];
    struct enclosure range = range_at(l, operand, unit);
    double flushed = flushed_at(l, operand, range);
    bool none = enclosure_is_point(slope) && slope.low == 0;
    if (none || (enclosure_is_point(range) && flushed == 0))
        return;
    bool followed = number != BOUND_EXACT && !enclosure_is_point(range);
    if (!enclosure_is_finite(slope) || (followed && l->used == l->room)) {
        l->failed = true;
        return;
    }
    l->use.flushed +=
        enclosure_most(slope) * flushed * (reference_flushes(l) ? 2 : 1);
    if (followed)
        l->node->links[l->used++] =
            link_of(number, l->graph->nodes[number]->at + (int)unit, slope);
}

/* Is unit i one number, or one infinity?  Then it has no links. */
static bool stays(const struct linker *l, int64_t i)
{
    return l->node->far[i] == 0;
}

static void end_unit(struct linker *l, int64_t i)
{
    l->node->first[i + 1] = l->used;
    l->use.flushed *= 1 + 0x1p-20;
    l->node->use[i] = l->use;
    l->use = (struct bound_use){.flushed = 0};
}

static bool open_links(struct linker *l, int64_t most)
{
    struct arena *a = l->graph->arena;
    struct bound_node *n = l->node;
    if (most < 0 || most > BOUND_LINKS - l->graph->links)
        return false;
    bool followed = false;
    for (int k = 0; k < l->ev.count; k++)
        followed |= n->operands[k] != BOUND_EXACT;
    l->room = followed ? most : 0;
    n->first = arena_new(a, int64_t, (size_t)n->units + 1);
    n->links = arena_new(a, struct bound_link, (size_t)l->room + 1);
    n->use = arena_new(a, struct bound_use, (size_t)n->units + 1);
    return true;
}

/* ---- Units that move ----------------------------------------------------- */

static bool link_moved(struct linker *l)
{
    struct arena *a = l->graph->arena;
    size_t count = (size_t)l->ev.count;
    bool *followed = arena_new(a, bool, count);
    uint64_t *from = arena_new(a, uint64_t, (size_t)l->node->units + 1);
    for (size_t k = 0; k < count; k++)
        followed[k] = l->node->operands[k] != BOUND_EXACT;
    if (!interval_move_trace(&l->ev, followed, from)
        || !open_links(l, l->node->units))
        return false;
    for (int64_t i = 0; i < l->node->units; i++) {
        uint64_t at = from[i];
        for (size_t k = 0; k < count && at > 0; k++) {
            uint64_t units =
                followed[k] ? (uint64_t)literal_units(l->ev.operands[k]) : 0;
            if (followed[k] && at <= units) {
                put_slope(l, (int)k, (int64_t)at - 1, enclosure_point(1));
                break;
            }
            at -= units;
        }
        end_unit(l, i);
    }
    return true;
}

/* ---- Fourier transforms -------------------------------------------------- */

static bool link_transform(struct linker *l)
{
    const struct check_fft *p = bound_fft(l->ev.out.goals[0]);
    int64_t most, block = p ? check_fft_units_in(p) : 0;
    if (!p || __builtin_mul_overflow(l->node->units, block, &most)
        || !open_links(l, most))
        return false;
    struct bound_roots *roots = bound_fft_roots(l->graph->arena, p);
    int64_t units = check_fft_units_out(p);
    for (int64_t u = 0; u < l->node->units; u++) {
        for (int64_t i = 0; i < block; i++)
            put_slope(l, 0, u / units * block + i,
                      bound_fft_slope(roots, u % units, i));
        end_unit(l, u);
    }
    return !l->failed;
}

/* ---- Functions of elements ----------------------------------------------- */

/* Numbers of the type that are this large are multiples of it; of zeros alone
 * anything. */
static double quantum_of(enum dtype unit, struct enclosure range)
{
    return enclosure_most(range) == 0
               ? HUGE_VAL
               : bound_node_ulp(unit, enclosure_least(range));
}

static bool adds(const struct linker *l)
{
    const struct op *op = l->ev.in->op;
    const struct goal *g = l->ev.out.goals[0];
    struct rule_basis b = rule_basis(l->graph->profile, g);
    return (op->monoid == &monoid_add || op->monoid_of_negative == &monoid_add)
           && bound_noise_rounded(&b, g);
}

/* The numbers of a unit of an operand. */
static void find_unit(const struct linker *l, int k, int64_t unit, int *node,
                      int *at)
{
    *node = l->node->operands[k];
    *at = *node == BOUND_EXACT ? 0 : l->graph->nodes[*node]->at + (int)unit;
}

/* One of two operands is chosen.  The slopes, which lie between 0 and 1, add up
 * to 1: the result moves as the mean of both does, and by half of what they
 * move apart.  What the other half of a slope adds where a use takes another
 * value than the operand's is added here. */
static void put_choice(struct linker *l, const int64_t *at)
{
    int node[2], unit[2];
    for (int k = 0; k < 2; k++) {
        struct bound_link *last = &l->node->links[l->used];
        find_unit(l, k, at[k], &node[k], &unit[k]);
        put_slope(l, k, at[k], enclosure_of(0, 1));
        if (l->node->links + l->used == last)
            continue;
        *last = (struct bound_link){last->node, last->at, 0.5, 0};
        if (l->wider)
            l->use.chosen +=
                bound_noise_of_rounding(l->graph->nodes[node[k]],
                                        unit[k] - l->graph->nodes[node[k]]->at);
    }
    double both = l->use.chosen + bound_apart(l->graph, node, unit);
    l->use.chosen = both > 0 ? nextafter(both / 2, HUGE_VAL) : 0;
}

/* Parts of an element of a type: a complex one has two. */
static int parts_of(const struct shape *s)
{
    return dtype_units(s->dtype);
}

/* Is an operand the same unit as the first, and not exact? */
static bool is_first(const struct linker *l, const int64_t *at, int k)
{
    const int *from = l->node->operands;
    return from[0] != BOUND_EXACT && from[0] == from[k] && at[0] == at[k];
}

/* Part of the element i, from elements of the operands. */
static void link_part(struct linker *l, int64_t i, int part, const int64_t *at)
{
    struct enclosure x[SLOPE_OPERANDS], d[SLOPE_OPERANDS];
    int parts = parts_of(l->ev.operands[0]->shape);
    int64_t own = i * parts_of(l->ev.in->shape) + part;
    bool moves = false;
    struct bound_use use = {.quantum = HUGE_VAL, .smaller = HUGE_VAL};
    for (int k = 0; !stays(l, own) && k < l->ev.count * parts; k++) {
        int64_t unit = at[k / parts] * parts + k % parts;
        struct enclosure range = range_at(l, k / parts, unit);
        x[k] = box_at(l, k / parts, unit);
        moves = moves || !enclosure_is_point(x[k]);
        if (k % parts != part)
            continue;
        use.quantum = fmin(use.quantum, quantum_of(l->node->unit, range));
        use.smaller = fmin(use.smaller, enclosure_most(range));
    }
    if (l->adds && l->ev.in->op->monoid_of_negative && is_first(l, at, 1))
        use.smaller = 0; /* a number less itself */
    if (l->adds)
        l->use = use;
    if (l->slope == slope_clamp && is_first(l, at, 2)
        && flushed_at(l, 2, range_at(l, 2, at[2])) == 0) {
        put_slope(l, 2, at[2], enclosure_point(1));
        moves = false; /* both bounds are one number */
    }
    /* From v to w one operand moves after the other: the slope of each is that
     * where those behind it have not moved yet. */
    for (int k = l->ev.count * parts - 1; moves && !l->failed && k >= 0; k--) {
        int64_t unit = at[k / parts] * parts + k % parts;
        l->failed = parts > 1 ? !l->slope_parts(x, d, part) : !l->slope(x, d);
        if (l->chooses && !enclosure_is_point(d[0])) {
            put_choice(l, at);
            break;
        }
        put_slope(l, k / parts, unit, d[k]);
        x[k] = value_at(l, k / parts, unit);
    }
    end_unit(l, own);
}

static void link_element(void *context, int64_t i, const int64_t *at)
{
    struct linker *l = context;
    for (int part = 0; part < parts_of(l->ev.in->shape); part++)
        link_part(l, i, part, at);
}

static bool all_floats(const struct linker *l)
{
    for (int k = 0; k < l->ev.count; k++) {
        const struct shape *s = l->ev.operands[k]->shape;
        if (s->kind != SHAPE_ARRAY || dtype_class(s->dtype) != DTYPE_FLOAT)
            return false;
    }
    return true;
}

static bool all_complex(const struct linker *l)
{
    for (int k = 0; k < l->ev.count; k++)
        if (parts_of(l->ev.operands[k]->shape) != 2)
            return false;
    return true;
}

static bool link_elements(struct linker *l)
{
    bool real = l->slope && all_floats(l) && parts_of(l->ev.in->shape) == 1;
    int parts = real ? 1 : 2;
    if (!(real || (l->slope_parts && all_complex(l)))
        || !open_links(l, l->node->units * l->ev.count * parts))
        return false;
    l->adds = adds(l);
    l->chooses = l->slope == slope_max || l->slope == slope_min;
    l->wider = rule_basis(l->graph->profile, l->ev.out.goals[0]).wider;
    elementwise_each(&l->ev, l->ev.in->shape, link_element, l);
    return !l->failed;
}

/* ---- Terms --------------------------------------------------------------- */

/* As in struct eval_terms. */
struct term {
    int64_t i, j;
};

/* Put the links of a unit with these terms. */
typedef void take_terms(struct linker *l, const struct term *terms,
                        int64_t count, int64_t i);

/* A walk over the terms of all units: the first one counts them. */
struct walk {
    struct linker *linker;
    take_terms *take;
    struct term *terms; /* of one unit; NULL: count */
    int64_t count, total, most, units;
};

static void note_term(void *context, int64_t i, int64_t j)
{
    struct walk *w = context;
    if (w->terms)
        w->terms[w->count] = (struct term){i, j};
    w->count++;
}

static void note_sizes(struct linker *l, struct enclosure term)
{
    if (enclosure_most(term) == 0)
        return; /* adding it rounds nothing */
    l->above[l->terms] = fmax(term.high, 0);
    l->below[l->terms++] = fmax(-term.low, 0);
}

static int larger_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The power of two that is no larger. */
static double power_below(double x)
{
    int exponent;
    frexp(x, &exponent);
    return x > 0 && isfinite(x) ? ldexp(0.5, exponent) : x;
}

/* A number x is rounded by u times power_below(x) at most, and the sum of m
 * terms is no larger than the m largest of one sign.  In a tree over n terms,
 * at most n - m + 1 sums have m terms or more: such a part of the tree with j
 * sums has j + 1 branches, of which two under its lowest sum have m terms
 * together, the others 1 each.  So the k-th largest has no more terms than it
 * would have if all were added in turn. */
static struct bound_partials all_partials(struct linker *l, int64_t count)
{
    double u = ldexp(1, -dtype_table[l->node->unit].precision);
    double above = 0, below = 0, magnitude = 0;
    struct bound_partials to = {0, 0};
    for (size_t m = 0; m < l->terms; m++)
        magnitude += fmax(l->above[m], l->below[m]);
    to.off = 2 * u * ((double)count + 4) * magnitude;
    qsort(l->above, l->terms, sizeof *l->above, larger_first);
    qsort(l->below, l->terms, sizeof *l->below, larger_first);
    for (size_t m = 0; m < l->terms; m++) {
        above += l->above[m];
        below += l->below[m];
        double most = fmax(above, below) * (1 + 0x1p-20) + to.off;
        to.all += m > 0 ? power_below(most) : 0;
    }
    l->terms = 0;
    to.all *= 1 + 0x1p-20;
    return to.all > 0 ? to : (struct bound_partials){0, 0};
}

static void end_terms(void *context, int64_t i)
{
    struct walk *w = context;
    struct linker *l = w->linker;
    if (w->units++ != i || i >= l->node->units)
        l->failed = true;
    if (w->terms && !l->failed) {
        if (!stays(l, i))
            w->take(l, w->terms, w->count, i);
        l->use.partials = all_partials(l, w->count);
        end_unit(l, i);
    }
    w->total += w->count;
    w->most = w->count > w->most ? w->count : w->most;
    w->count = 0;
}

static bool walk_units(struct linker *l, struct walk *w)
{
    struct eval_terms terms = {w, note_term, end_terms};
    struct status st = {0};
    struct eval ev = l->ev;
    ev.terms = &terms;
    w->units = 0;
    return ev.in->op->eval && ev.in->op->eval(&ev, &st) && !l->failed
           && w->units == l->node->units;
}

/* Links of an instruction that lists its terms, so many for each term. */
static bool link_terms(struct linker *l, int links, take_terms *take)
{
    struct walk w = {.linker = l, .take = take};
    int64_t most;
    for (int k = 0; k < l->ev.count; k++)
        if (shape_has_dynamic(l->ev.operands[k]->shape))
            return false;
    if (!walk_units(l, &w)
        || __builtin_mul_overflow(w.total + w.units, links, &most)
        || !open_links(l, most))
        return false;
    w.terms = arena_new(l->graph->arena, struct term, (size_t)w.most + 1);
    l->above = arena_new(l->graph->arena, double, (size_t)w.most + 1);
    l->below = arena_new(l->graph->arena, double, (size_t)w.most + 1);
    return walk_units(l, &w);
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

/* The terms of unit i. */
static void put_products(struct linker *l, const struct term *terms,
                         int64_t count, int64_t i)
{
    struct enclosure products = {0, 0};
    for (const struct term *t = terms; t < terms + count; t++) {
        /* a' b' - a b = (a' - a) b' + a (b' - b) */
        struct enclosure x = box_at(l, 0, t->i), y = box_at(l, 1, t->j);
        put_slope(l, 0, t->i, y);
        if (enclosure_most(x) > 0 && enclosure_most(y) > 0)
            note_sizes(l, enclosure_mul(x, y));
        struct enclosure a = value_at(l, 0, t->i), b = value_at(l, 1, t->j);
        put_slope(l, 1, t->j, a);
        products = enclosure_add(products, enclosure_mul(a, b));
        l->failed =
            l->failed || !enclosure_is_point(a) || !enclosure_is_point(b);
    }
    l->failed = l->failed || !is_sum(l, i, products);
}

static bool link_products(struct linker *l)
{
    return all_floats(l) && l->ev.count == 2 && link_terms(l, 2, put_products);
}

/* ---- Reductions ---------------------------------------------------------- */

/* A box, or its negative where a least element is looked for. */
static struct enclosure turned(struct enclosure x, double sign)
{
    return sign < 0 ? enclosure_neg(x) : x;
}

/* All that may be the largest (sign 1) or the least (-1) of the terms; the
 * initial value is one of them. */
static void put_extremum(struct linker *l, const struct term *terms,
                         int64_t count, double sign)
{
    struct enclosure init = turned(box_at(l, 1, 0), sign);
    double sure = init.low;
    for (const struct term *t = terms; t < terms + count; t++)
        if (t->i >= 0)
            sure = fmax(sure, turned(box_at(l, 0, t->i), sign).low);
    for (const struct term *t = terms; t < terms + count; t++)
        if (t->i >= 0 && turned(box_at(l, 0, t->i), sign).high >= sure)
            put_slope(l, 0, t->i, enclosure_of(0, 1));
    if (init.high >= sure)
        put_slope(l, 1, 0, enclosure_of(0, 1));
}

static void put_largest(struct linker *l, const struct term *terms,
                        int64_t count, int64_t i)
{
    put_extremum(l, terms, count, 1);
}

static void put_least(struct linker *l, const struct term *terms, int64_t count,
                      int64_t i)
{
    put_extremum(l, terms, count, -1);
}

/* The initial value, which also pads windows, is 0. */
static void put_terms(struct linker *l, const struct term *terms, int64_t count,
                      int64_t i)
{
    for (const struct term *t = terms; t < terms + count; t++) {
        if (t->i < 0)
            continue;
        put_slope(l, 0, t->i, enclosure_point(1));
        note_sizes(l, box_at(l, 0, t->i));
    }
}

/* For the reduction to a largest and least element, and a sum from 0; NULL for
 * others. */
static take_terms *find_reduction(const struct linker *l)
{
    const struct op *op =
        program_monoid(eval_computation(&l->ev, ATTRIBUTE_COMPUTATION, 0));
    struct enclosure init = box_at(l, 1, 0);
    if (monoid_rounds(op, l->node->unit, MONOID_SUM))
        return enclosure_is_point(init) && init.low == 0 ? put_terms : NULL;
    if (op && op->monoid == &monoid_max)
        return put_largest;
    return op && op->monoid == &monoid_min ? put_least : NULL;
}

static bool link_reduced(struct linker *l)
{
    take_terms *take =
        all_floats(l) && l->ev.count == 2 ? find_reduction(l) : NULL;
    return take && link_terms(l, 1, take);
}

static slope_function *slope_of(const struct op *op)
{
    return op->elementwise ? op->elementwise->slope : op->slope;
}

static slope_parts_function *slope_parts_of(const struct op *op)
{
    return op->elementwise ? op->elementwise->slope_parts : NULL;
}

bool bound_link(struct bound_graph *g, struct bound_node *n)
{
    struct linker l = {.graph = g,
                       .node = n,
                       .ev = n->ev,
                       .slope = slope_of(n->ev.in->op),
                       .slope_parts = slope_parts_of(n->ev.in->op)};
    const struct instruction *in = n->ev.in;
    l.ev.out = n->local;
    bool linked;
    if (n->local.goals[0]->rule == GOAL_MOVED)
        linked = link_moved(&l);
    else if (n->local.goals[0]->rule == GOAL_CHECK)
        linked = link_transform(&l);
    else if (l.slope || l.slope_parts)
        linked = link_elements(&l);
    else if (attribute_find(in, ATTRIBUTE_DIMENSIONS_TO_REDUCE)
             || attribute_find(in, ATTRIBUTE_WINDOW_DIMENSIONS))
        linked = link_reduced(&l);
    else
        linked = interval_bilinear_knows(in) && link_products(&l);
    g->links += linked ? l.used : 0;
    return linked;
}
