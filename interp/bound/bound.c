/* bound.c - see bound.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A sweep goes from one unit of a result back to the parameters.  What it
 * carries is, for each unit of each instruction, the derivative of the result
 * by that unit: the adjoint.  All that multiplies a noise is added up.
 */
#include "interp/bound/bound.h"

#include "interp/bound/bound_node.h"
#include "interp/exact/accept_bound.h"
#include "interp/fast/fast.h"
#include "interp/program/op_table.h"

enum {
    GROWTH = 2 /* of boxes until they are narrowed again */
};

/* Links that all sweeps of a program may follow; and before these, those that
 * narrow each node that is wide, whatever it was before.  Between two that are
 * narrowed, boxes forget that values are correlated: in a deep program that
 * squares their width with each layer. */
static const int64_t sweep_links = (int64_t)1 << 30;
static const int64_t early_links = (int64_t)1 << 28;

/* The width of boxes, as a part of their values.  Terms of second order are
 * then 2^-30 of the values: less than roundings of f32. */
static const double narrow_enough = 0x1p-15;

/* The same for a type: its roundings are 2^6 times as large. */
static bool is_wide(enum dtype unit, double wide)
{
    return wide > ldexp(1, -3 - dtype_table[unit].precision / 2);
}

/* Units of a node that are swept together, in one lane each. */
enum {
    LANES = 4
};

/* Sums of products, rounded to nearest, and bounds of their errors. */
struct total {
    double sum[LANES], within[LANES];
};

struct sweep {
    struct bound_graph graph;
    struct total *adjoints; /* of all units of all nodes */
    unsigned char *lanes;   /* to which something was added, of each: bits */
    int *touched;           /* those of a node to which something was added,
                               from its first unit on, */
    int *count;             /* and how many these are, by node */
    double *squares;        /* of adjoints: sums by ball of a node and lane, */
    int64_t balls;          /* for which there is room */
    int64_t units, nodes;   /* for which there is room */
    int64_t left;           /* links */
    const struct bound_result *given; /* bound_given */
};

static void make_room(struct sweep *s)
{
    const struct bound_graph *g = &s->graph;
    if (s->units < g->units) {
        s->units = 2 * g->units < BOUND_UNITS ? 2 * g->units : BOUND_UNITS;
        s->adjoints = arena_new(g->arena, struct total, (size_t)s->units);
        s->lanes = arena_new(g->arena, unsigned char, (size_t)s->units);
        s->touched = arena_new(g->arena, int, (size_t)s->units);
    }
    if (s->nodes < g->room) {
        s->count = arena_new(g->arena, int, (size_t)g->room);
        s->nodes = g->room;
    }
    if (s->balls < g->balls) {
        s->squares = arena_new(g->arena, double, (size_t)g->balls *LANES);
        s->balls = g->balls;
    }
}

/* A unit's adjoints, each taken for one number; 0 in other lanes. */
struct settled {
    double by[LANES];
    unsigned lanes;
};

/* Add the product of x and y: within is bound_rounded of what y may be off.
 * What the addition is off is itself a number (Knuth), so that terms that
 * cancel leave nothing.  Products of which one factor is less than 2^-500 may
 * underflow, here and below, each by at most 2^-1074. */
static void add_product(double *sum, double *off, double x, double y,
                        double within)
{
    double product = x * y, was = *sum, now = was + product;
    double part = now - was, size = fabs(y) + within;
    bool tiny = (fabs(x) < 0x1p-500) | (size < 0x1p-500);
    bool zero = (x == 0) | (size == 0);
    *off += fabs((was - (now - part)) + (product - part)) + fabs(x) * within
            + (tiny & !zero ? 0x1p-1072 : 0);
    *sum = now;
}

/* A computed sum of bounds, none of which is negative, is too small by less
 * than a part of 2^29. */
static double error_of(double within)
{
    return within * (1 + 0x1p-20);
}

static void follow(struct sweep *s, const struct bound_link *l,
                   const struct settled *own)
{
    struct total *t = &s->adjoints[l->at];
    if (s->lanes[l->at] == 0)
        s->touched[s->graph.nodes[l->node]->at + s->count[l->node]++] = l->at;
    s->lanes[l->at] |= (unsigned char)own->lanes;
    for (int i = 0; i < LANES; i++)
        add_product(&t->sum[i], &t->within[i], own->by[i], l->slope, l->within);
}

/* Add what the noise of a unit moves.  The error of its adjoint is added here,
 * too, times the most that the unit may differ from the reference's: carried
 * on, it would grow with every link. */
static void settle(struct sweep *s, const struct bound_node *n, int64_t u,
                   bool first, struct settled *to, struct total *far,
                   double *order)
{
    struct total *own = &s->adjoints[n->at + u];
    unsigned lanes = s->lanes[n->at + u];
    s->lanes[n->at + u] = 0;
    struct enclosure noise = n->noise[u];
    double middle = noise.low + (noise.high - noise.low) / 2;
    double half =
        bound_rounded(middle, fmax(noise.high - middle, middle - noise.low));
    *to = (struct settled){.lanes = lanes};
    for (int i = 0; i < LANES; i++) {
        if (!(lanes >> i & 1))
            continue;
        double error = first ? 0 : error_of(own->within[i]);
        to->by[i] = own->sum[i];
        add_product(&far->sum[i], &far->within[i], to->by[i], middle, half);
        if (!first)
            far->within[i] += error * n->far[u];
        if (n->order)
            order[i] += fmax(fabs(to->by[i]) - error, 0) * n->order[u];
    }
    *own = (struct total){.sum = {0}};
}

/* Note the adjoints of a unit of a ball. */
static void note_ball(struct sweep *s, const struct bound_node *n, int64_t u,
                      const struct settled *own, struct total *far)
{
    int64_t ball = u / n->ball_units;
    for (int i = 0; i < LANES; i++) {
        double by = fabs(own->by[i]);
        if (by < 0x1p-500)
            far->within[i] += by * n->balls[ball];
        else
            s->squares[ball * LANES + i] += by * by;
    }
}

/* Add what the noise of a node's balls moves. */
static void settle_balls(struct sweep *s, const struct bound_node *n,
                         struct total *far)
{
    for (int64_t b = 0; b < n->units / n->ball_units; b++)
        for (int i = 0; i < LANES; i++) {
            double *squares = &s->squares[b * LANES + i];
            far->within[i] += sqrt(*squares) * n->balls[b];
            *squares = 0;
        }
}

/* How far units at[0..count-1] of a node may be from the reference's; order:
 * the part of that for which the order of additions accounts. */
static void sweep(struct sweep *s, int node, const int64_t *at, int count,
                  struct enclosure *to, double *order)
{
    struct total far = {.sum = {0}};
    struct settled own = {.by = {0}};
    for (int i = 0; i < count; i++) {
        struct bound_link start = {node, s->graph.nodes[node]->at + (int)at[i],
                                   1, 0};
        own.by[i] = 1;
        own.lanes = 1U << i;
        follow(s, &start, &own);
        own = (struct settled){.by = {0}};
        order[i] = 0;
    }
    for (int n = node; n > BOUND_EXACT; n--) {
        const struct bound_node *from = s->graph.nodes[n];
        for (int t = 0; t < s->count[n]; t++) {
            int u = s->touched[from->at + t] - from->at;
            settle(s, from, u, n == node, &own, &far, order);
            if (from->balls)
                note_ball(s, from, u, &own, &far);
            if (!from->first)
                continue;
            s->left -= from->first[u + 1] - from->first[u];
            for (int64_t k = from->first[u]; k < from->first[u + 1]; k++)
                follow(s, &from->links[k], &own);
        }
        if (from->balls && s->count[n] > 0)
            settle_balls(s, from, &far);
        s->count[n] = 0;
    }
    for (int i = 0; i < count; i++) {
        double error = error_of(far.within[i]);
        to[i] = enclosure_point(far.sum[i]);
        if (error != 0)
            to[i] = enclosure_out(
                enclosure_of(far.sum[i] - error, far.sum[i] + error));
        to[i] = enclosure_check(to[i]);
    }
}

/* The last number of the type that does not pass v + x, or, outward, the first
 * that does not fall short of it; false if it is not finite. */
static bool end_at(enum dtype unit, double v, double x, bool up, bool outward,
                   int64_t *key)
{
    ACCEPT_BOUND(sum);
    if (!isfinite(x))
        return false;
    mpfr_set_d(sum, v, MPFR_RNDN);
    mpfr_add_d(sum, sum, x, up ? MPFR_RNDU : MPFR_RNDD);
    struct real r = real_from_mpfr(sum, 0);
    if (r.kind == REAL_ZERO) {
        *key = real_key(unit, real_zero(unit, !up));
        return true;
    }
    *key = accept_bound_inward(&r, unit, up == outward);
    uint64_t bits = real_from_key(unit, *key);
    if (!real_is_finite(unit, bits))
        return false;
    if (real_is_zero(unit, bits))
        *key = real_key(unit, real_zero(unit, !up));
    return true;
}

/* Narrow the range of a unit; outward: of one that others are computed from,
 * where it may be a number of a wider type. */
static bool narrow_unit(struct goal *g, enum dtype unit, int64_t i,
                        struct enclosure far, double order, bool outward)
{
    double most = enclosure_most(far);
    uint64_t value = literal_get(g->value, i);
    double v = bound_node_double(unit, value);
    int64_t own = real_key(unit, value), key;
    bool narrowed = false;
    if (end_at(unit, v, far.low, false, outward, &key) && key <= own
        && key > real_key(unit, literal_get(g->range.low, i))) {
        literal_set(g->range.low, i, real_from_key(unit, key));
        narrowed = true;
    }
    if (end_at(unit, v, far.high, true, outward, &key) && key >= own
        && key < real_key(unit, literal_get(g->range.high, i))) {
        literal_set(g->range.high, i, real_from_key(unit, key));
        narrowed = true;
    }
    /* The share of the order is known only at an end that was narrowed. */
    if (narrowed && most > 0 && isfinite(most))
        g->range.order[i] = (signed char)fmin(100, 100 * order / most);
    return narrowed;
}

/* The ranges of a goal's units in a goal of their own, or NULL: it has none. */
static struct goal *ranges_of(struct arena *a, const struct goal *g)
{
    struct goal *to = NULL;
    for (int64_t i = 0, n = literal_units(g->value); i < n; i++) {
        int64_t at = i;
        const struct goal *from = goal_source(g, &at);
        if (from->rule != GOAL_RANGE)
            continue;
        if (!to) {
            to = goal_of(a, g->value, GOAL_BITS);
            goal_make_range(to);
            to->range.order = arena_new(a, signed char, (size_t)n);
        }
        to->range.order[i] = -1;
        literal_set(to->range.low, i, literal_get(from->range.low, at));
        literal_set(to->range.high, i, literal_get(from->range.high, at));
    }
    return to;
}

static bool is_range(const struct goal *g)
{
    return g
           && (g->rule == GOAL_RANGE
               || (g->rule == GOAL_MOVED && g->sources != NULL));
}

/* Is there something to narrow? */
static bool is_open(const struct bound_node *n, const struct goal *range,
                    int64_t i)
{
    int64_t at = i;
    return enclosure_is_finite(n->box[i])
           && literal_get(range->range.low, i)
                  != literal_get(range->range.high, i)
           && goal_source(n->goal, &at)->rule == GOAL_RANGE;
}

/* Does it make no difference how wide the range of a unit is?  So it is where
 * nothing is judged by it, and where the number that was given is beyond both
 * ends: no narrower ones hold it, either.  Zeros may stand for numbers between
 * them. */
static bool is_settled(const struct goal *range,
                       const struct bound_result *given, int64_t i)
{
    enum dtype unit = given->got->shape->dtype;
    if (given->open && !given->open[i])
        return true;
    if (dtype_class(unit) != DTYPE_FLOAT)
        return false;
    uint64_t bits = literal_get(given->got, i);
    int64_t key = real_key(unit, bits);
    return !real_is_nan(unit, bits) && !real_is_zero(unit, bits)
           && (key < real_key(unit, literal_get(range->range.low, i))
               || key > real_key(unit, literal_get(range->range.high, i)));
}

/* The multiples of a power of two, if it is one. */
static struct enclosure multiples(struct enclosure e, double quantum)
{
    struct enclosure to = enclosure_of(ceil(e.low / quantum) * quantum,
                                       floor(e.high / quantum) * quantum);
    return quantum > 0 && enclosure_is_finite(to) && to.low <= to.high ? to : e;
}

/* Narrow the ranges of a node's units, while so many links are left; those of
 * a result only where that may decide (given: or NULL).  Units that moved are
 * judged by goals of other instructions. */
static bool narrow(struct sweep *s, int number, int64_t until, bool outward,
                   const struct bound_result *given)
{
    const struct bound_node *n = s->graph.nodes[number];
    struct goal *g = n->goal;
    if (!n->known || !n->first || !is_range(g))
        return false;
    bool moved = g->rule == GOAL_MOVED, any = false;
    struct goal *to = ranges_of(s->graph.arena, g);
    for (int64_t i = 0; to && i < n->units && s->left > until;) {
        int64_t at[LANES];
        struct enclosure far[LANES];
        double order[LANES];
        int count = 0;
        for (; i < n->units && count < LANES; i++)
            if (is_open(n, to, i) && !(given && is_settled(to, given, i)))
                at[count++] = i;
        if (count > 0)
            sweep(s, number, at, count, far, order);
        for (int k = 0; k < count; k++) {
            far[k] = multiples(far[k], n->use[at[k]].quantum);
            any |= narrow_unit(to, n->unit, at[k], far[k], order[k], outward);
            if (moved)
                g->sources[at[k]] = (struct goal_source){to, at[k]};
        }
    }
    if (to && !moved)
        g->range = to->range;
    return any;
}

/* ---- Values from which others are computed ------------------------------- */

/* What was given for the result of an instruction, where that is the program's
 * one result, or only converted to its own type then; else NULL. */
static const struct bound_result *find_given(const struct sweep *s,
                                             const struct eval *ev)
{
    const struct computation *c = ev->machine->program->entry;
    const struct instruction *in = c->instructions[c->root];
    if (!s->given || in->shape->kind != SHAPE_ARRAY)
        return NULL;
    while (in != ev->in && in->op == &op_ConvertElementType
           && shape_equal(in->shape, c->instructions[in->operands[0]]->shape))
        in = c->instructions[in->operands[0]];
    return in == ev->in && s->given[0].got ? &s->given[0] : NULL;
}

/* A quarter of all links are left for results. */
static bool narrow_node(struct sweep *s, int number, int64_t until,
                        const struct bound_result *given)
{
    struct bound_node *n = s->graph.nodes[number];
    make_room(s);
    if (!narrow(s, number, until, true, given))
        return false;
    n->known = bound_node_box(&s->graph, n) && bound_node_noise(&s->graph, n);
    n->wide = bound_node_width(n);
    return true;
}

/* Boxes that grow make slopes useless, and what uses them inadmissible, so they
 * are narrowed before. */
static void made(void *context, const struct eval *ev,
                 const struct outcome *local)
{
    struct sweep *s = context;
    const struct computation *c = ev->machine->program->entry;
    const struct goal *g = ev->out.count == 1 ? ev->out.goals[0] : NULL;
    if (g && g->rule == GOAL_SUM && ev->in != c->instructions[c->root])
        bound_node_sum(&s->graph, ev, local);
    if (!is_range(g))
        return;
    int number = bound_node_make(&s->graph, ev, local);
    if (number == BOUND_EXACT)
        return;
    const struct bound_node *n = s->graph.nodes[number];
    double wide = n->first ? bound_node_width(n) : 0;
    if (s->left > sweep_links && is_wide(n->unit, wide))
        narrow_node(s, number, sweep_links, find_given(s, ev));
    else if (wide > narrow_enough && wide > GROWTH * n->wide)
        narrow_node(s, number, sweep_links / 4, find_given(s, ev));
}

static bool refused(void *context, const struct eval *ev)
{
    struct sweep *s = context;
    bool any = false;
    for (int k = 0; k < ev->count; k++) {
        int number = bound_node_of(&s->graph, ev->outcomes[k]);
        if (number != BOUND_EXACT)
            any |= narrow_node(s, number, sweep_links / 4, NULL);
    }
    return any;
}

/* ---- Programs ------------------------------------------------------------ */

static void narrow_results(struct sweep *s, const struct outcome *out)
{
    make_room(s);
    for (int i = 0; i < out->count; i++) {
        struct goal *g = out->goals ? out->goals[i] : NULL;
        if (!is_range(g))
            continue;
        int number = bound_node_of(
            &s->graph,
            &(struct outcome){.value = g->value, .count = 1, .goals = &g});
        if (number != BOUND_EXACT)
            narrow(s, number, 0, false,
                   s->given && s->given[i].got ? &s->given[i] : NULL);
    }
}

bool bound_given(struct arena *a, struct machine *m,
                 struct literal *const *const *inputs,
                 const struct bound_result *given, struct outcome *outcomes,
                 struct status *st)
{
    bool plain = m->want_exact && m->replicas == 1 && !m->environment
                 && !m->program->entries && fast_is_ieee();
    if (!plain)
        return evaluate_program(a, m, inputs, outcomes, st);
    struct sweep s = {.graph = {.arena = a, .profile = m->profile},
                      .left = sweep_links + early_links,
                      .given = given};
    const struct machine_follower follower = {&s, a, made, refused};
    m->follower = &follower;
    bool good = evaluate_program(a, m, inputs, outcomes, st);
    m->follower = NULL;
    if (good && outcomes[0].value)
        narrow_results(&s, &outcomes[0]);
    return good;
}

bool bound_program(struct arena *a, struct machine *m,
                   struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st)
{
    return bound_given(a, m, inputs, NULL, outcomes, st);
}
