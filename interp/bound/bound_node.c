/* bound_node.c - see bound_node.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/bound/bound_node.h"

#include "interp/program/interval_goal.h"

double bound_node_double(enum dtype unit, uint64_t bits)
{
    MPFR_DECL_INIT(x, 64);
    if (real_is_nan(unit, bits))
        return NAN;
    if (!real_is_finite(unit, bits))
        return real_is_negative(unit, bits) ? -HUGE_VAL : HUGE_VAL;
    real_bits_to_mpfr(x, unit, bits);
    return mpfr_get_d(x, MPFR_RNDN);
}

double bound_node_normal(enum dtype unit)
{
    return ldexp(1, (int)dtype_table[unit].emin);
}

double bound_node_ulp(enum dtype unit, double x)
{
    const struct dtype_info *t = &dtype_table[unit];
    int e = x > 0 ? ilogb(x) : (int)t->emin;
    return ldexp(1, (e < t->emin ? (int)t->emin : e) - t->precision + 1);
}

double bound_node_flushed(const struct profile *p, enum dtype unit,
                          struct enclosure box)
{
    double normal = bound_node_normal(unit);
    if (enclosure_least(box) >= normal || profile_rules(p, unit).subnormal == 0)
        return 0;
    return fmin(normal, enclosure_most(box));
}

/* A box without finite ends is everything, but for one infinity that stays: a
 * use that takes the unrounded result (wider) may take a number for it. */
static struct enclosure box_of(enum dtype unit, uint64_t low, uint64_t high,
                               bool wider)
{
    struct enclosure e = enclosure_of(bound_node_double(unit, low),
                                      bound_node_double(unit, high));
    return enclosure_is_finite(e) || (enclosure_is_point(e) && !wider)
               ? e
               : enclosure_of(-HUGE_VAL, HUGE_VAL);
}

/* The largest distance from v; 0 of an infinity alone. */
static double far_of(struct enclosure box, double v)
{
    if (enclosure_is_point(box) && box.low == v)
        return 0;
    return enclosure_most(enclosure_sub(box, enclosure_point(v)));
}

bool bound_node_box(struct bound_graph *g, struct bound_node *n)
{
    struct literal *low, *high;
    const char *why;
    bool wider = rule_basis(g->profile, n->goal).wider;
    if (!interval_goal_ends(g->arena, g->profile, n->goal, &low, &high, &why))
        return false;
    for (int64_t i = 0; i < n->units; i++) {
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        n->box[i] = box_of(n->unit, literal_get(low ? low : n->value, i),
                           literal_get(high ? high : n->value, i), wider);
        n->far[i] = far_of(n->box[i], v);
    }
    return true;
}

/* Noise alone: all that the box allows. */
static void keep_box(struct bound_node *n)
{
    n->first = NULL;
    n->order = NULL;
    n->balls = NULL;
    for (int64_t i = 0; i < n->units; i++) {
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        n->noise[i] = isfinite(v) ? enclosure_sub(n->box[i], enclosure_point(v))
                                  : enclosure_of(-HUGE_VAL, HUGE_VAL);
        if (n->far[i] == 0)
            n->noise[i] = enclosure_point(0);
    }
}

bool bound_node_noise(struct bound_graph *g, struct bound_node *n)
{
    if (!bound_noise(g, n))
        return false;
    for (int64_t i = 0; i < n->units; i++) {
        if (n->far[i] != 0)
            continue;
        n->noise[i] = enclosure_point(0);
        for (int64_t k = n->first[i]; k < n->first[i + 1]; k++)
            n->links[k].slope = n->links[k].within = 0;
    }
    return true;
}

static int add(struct bound_graph *g, struct bound_node *n)
{
    if (g->count == g->room) {
        int room = g->room ? 2 * g->room : 64;
        struct bound_node **nodes =
            arena_new(g->arena, struct bound_node *, (size_t)room);
        for (int i = 1; i < g->count; i++)
            nodes[i] = g->nodes[i];
        g->nodes = nodes;
        g->room = room;
        g->count += g->count == BOUND_EXACT;
    }
    g->nodes[g->count] = n;
    return g->count++;
}

static bool is_followed(const struct shape *s)
{
    return s->kind == SHAPE_ARRAY && !shape_has_dynamic(s)
           && dtype_class(dtype_unit(s->dtype)) == DTYPE_FLOAT;
}

/* A node without links. */
static int add_leaf(struct bound_graph *g, const struct outcome *o)
{
    struct bound_node *n = arena_new(g->arena, struct bound_node, 1);
    const struct shape *s = o->value->shape;
    if (is_followed(s) && o->count == 1
        && literal_units(o->value) <= BOUND_UNITS - g->units) {
        n->goal = o->goals[0];
        n->unit = dtype_unit(s->dtype);
        n->units = literal_units(o->value);
        n->value = n->goal->value;
        n->at = (int)g->units;
        g->units += n->units;
        n->box = arena_new(g->arena, struct enclosure, (size_t)n->units + 1);
        n->noise = arena_new(g->arena, struct enclosure, (size_t)n->units + 1);
        n->far = arena_new(g->arena, double, (size_t)n->units + 1);
        n->known = bound_node_box(g, n);
        if (n->known)
            keep_box(n);
        if (n->known && bound_fft(n->goal))
            bound_fft_noise(g, n, n->goal);
    }
    int number = add(g, n);
    if (n->goal)
        n->goal->node = number;
    return number;
}

int bound_node_of(struct bound_graph *g, const struct outcome *o)
{
    const struct goal *goal = o->goals && o->count == 1 ? o->goals[0] : NULL;
    int number = goal ? goal->node : 0;
    /* A copy of a goal has the number of another one's node. */
    if (number > 0 && number < g->count && g->nodes[number]->goal == goal
        && o->value->shape->kind == SHAPE_ARRAY)
        return number;
    return interval_goal_exact(g->arena, g->profile, o) ? BOUND_EXACT
                                                        : add_leaf(g, o);
}

static bool operands_known(const struct bound_graph *g,
                           const struct bound_node *n)
{
    bool any = false;
    for (int k = 0; k < n->ev.count; k++) {
        if (n->operands[k] != BOUND_EXACT && !g->nodes[n->operands[k]]->known)
            return false;
        any = any || n->operands[k] != BOUND_EXACT;
    }
    return any;
}

double bound_node_width(const struct bound_node *n)
{
    double most = 0, wide = 0;
    for (int64_t i = 0; i < n->units; i++) {
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        if (!isfinite(v) && n->far[i] == 0)
            continue;
        most = fmax(most, fabs(v));
        wide = fmax(wide, n->box[i].high - n->box[i].low);
    }
    return wide > 0 ? wide / most : 0;
}

/* How wide the operands were where they were narrowed. */
static double width_before(const struct bound_graph *g,
                           const struct bound_node *n)
{
    double wide = n->first ? 0 : bound_node_width(n);
    for (int k = 0; n->first && k < n->ev.count; k++)
        if (n->operands[k] != BOUND_EXACT)
            wide = fmax(wide, g->nodes[n->operands[k]]->wide);
    return wide;
}

/* The node of an instruction with its operands; NULL if it is not known. */
static struct bound_node *find_node(struct bound_graph *g,
                                    const struct eval *ev,
                                    const struct outcome *local, int *number)
{
    int *operands = arena_new(g->arena, int, (size_t)ev->count + 1);
    for (int k = 0; k < ev->count; k++)
        operands[k] = bound_node_of(g, ev->outcomes[k]);
    *number = bound_node_of(g, &ev->out);
    struct bound_node *n = *number == BOUND_EXACT ? NULL : g->nodes[*number];
    if (!n || !n->known)
        return NULL;
    n->ev = *ev;
    n->local = *local;
    n->operands = operands;
    return n;
}

void bound_node_sum(struct bound_graph *g, const struct eval *ev,
                    const struct outcome *local)
{
    int number;
    struct bound_node *n = find_node(g, ev, local, &number);
    for (int k = 0; n && k < ev->count; k++)
        if (n->operands[k] != BOUND_EXACT)
            return;
    if (!n || !bound_noise_narrows(g, n))
        return;
    if (!bound_link(g, n))
        n->first = NULL;
    bound_noise_narrow(n);
    keep_box(n);
}

int bound_node_make(struct bound_graph *g, const struct eval *ev,
                    const struct outcome *local)
{
    int number;
    struct bound_node *n = find_node(g, ev, local, &number);
    if (!n)
        return number;
    if (!(operands_known(g, n) && local->count == 1 && local->goals
          && local->goals[0] && bound_link(g, n) && bound_node_noise(g, n)))
        keep_box(n);
    n->wide = width_before(g, n);
    return number;
}
