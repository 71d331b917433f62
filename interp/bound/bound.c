/* bound.c - see bound.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A sweep goes from one unit of a result back to the parameters.  What it
 * carries is, for each unit of each instruction, an enclosure of the derivative
 * of the result by that unit: the adjoint.  All that multiplies a noise is
 * added up.
 */
#include "interp/bound/bound.h"

#include "interp/bound/bound_node.h"
#include "interp/exact/accept_bound.h"
#include "interp/fast/fast.h"

enum {
    SWEEP_LINKS = 1 << 28 /* that all sweeps of a program may follow */
};

/* The adjoints of one node that are not zero. */
struct adjoint {
    struct enclosure *by; /* by unit; NULL until there is one */
    int64_t *touched, count;
};

struct sweep {
    struct bound_graph *graph;
    struct adjoint *adjoints;
    int64_t left; /* links */
};

static void add(struct sweep *s, int node, int64_t unit, struct enclosure by)
{
    struct adjoint *a = &s->adjoints[node];
    if (!a->by) {
        size_t n = (size_t)s->graph->nodes[node].units;
        a->by = arena_new(s->graph->arena, struct enclosure, n);
        a->touched = arena_new(s->graph->arena, int64_t, n);
    }
    struct enclosure *to = &a->by[unit];
    if (to->low == 0 && to->high == 0) {
        *to = by;
        a->touched[a->count++] = unit;
    } else {
        *to = enclosure_add(*to, by);
    }
}

/* How far unit i of a node may be from the reference's; *order: the part of
 * that for which the order of additions accounts. */
static struct enclosure distance(struct sweep *s, int node, int64_t i,
                                 double *order)
{
    struct enclosure sum = {0, 0};
    *order = 0;
    add(s, node, i, enclosure_point(1));
    for (int n = node; n >= 0; n--) {
        struct adjoint *a = &s->adjoints[n];
        const struct bound_node *from = &s->graph->nodes[n];
        for (int64_t t = 0; t < a->count; t++) {
            int64_t u = a->touched[t];
            struct enclosure by = a->by[u];
            a->by[u] = (struct enclosure){0, 0};
            /* A sum of both signs that is 0 is there twice. */
            if (by.low == 0 && by.high == 0)
                continue;
            sum = enclosure_add(sum, enclosure_mul(by, from->noise[u]));
            if (from->order)
                *order += enclosure_least(by) * from->order[u];
            if (!from->first)
                continue;
            s->left -= from->first[u + 1] - from->first[u];
            for (int64_t k = from->first[u]; k < from->first[u + 1]; k++) {
                const struct bound_link *l = &from->links[k];
                add(s, l->node, l->unit, enclosure_mul(by, l->slope));
            }
        }
        a->count = 0;
    }
    return sum;
}

/* The first number of the type at v + x or beyond it, away from the side that
 * is asked for; false if it is not finite. */
static bool end_at(enum dtype unit, double v, double x, bool up, int64_t *key)
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
    *key = accept_bound_inward(&r, unit, !up);
    uint64_t bits = real_from_key(unit, *key);
    if (!real_is_finite(unit, bits))
        return false;
    if (real_is_zero(unit, bits))
        *key = real_key(unit, real_zero(unit, !up));
    return true;
}

static void narrow_unit(struct goal *g, enum dtype unit, int64_t i,
                        struct enclosure far, double order)
{
    double most = enclosure_most(far);
    uint64_t value = literal_get(g->value, i);
    double v = bound_node_double(unit, value);
    int64_t own = real_key(unit, value), key;
    bool narrowed = false;
    if (end_at(unit, v, far.low, false, &key) && key <= own
        && key > real_key(unit, literal_get(g->range.low, i))) {
        literal_set(g->range.low, i, real_from_key(unit, key));
        narrowed = true;
    }
    if (end_at(unit, v, far.high, true, &key) && key >= own
        && key < real_key(unit, literal_get(g->range.high, i))) {
        literal_set(g->range.high, i, real_from_key(unit, key));
        narrowed = true;
    }
    /* Of an end that the interval has, the parts are not known. */
    if (narrowed && most > 0 && isfinite(most))
        g->range.order[i] = (signed char)fmin(100, 100 * order / most);
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

/* Units of results that moved are judged by goals of other instructions. */
static void narrow(struct sweep *s, int number, struct goal *g)
{
    const struct bound_node *n = &s->graph->nodes[number];
    bool moved = g && g->rule == GOAL_MOVED && g->sources;
    if (!g || !n->known || !n->first || !(g->rule == GOAL_RANGE || moved))
        return;
    struct goal *to = ranges_of(s->graph->arena, g);
    for (int64_t i = 0; to && i < n->units && s->left > 0; i++) {
        int64_t at = i;
        if (enclosure_is_finite(n->box[i])
            && literal_get(to->range.low, i) != literal_get(to->range.high, i)
            && goal_source(g, &at)->rule == GOAL_RANGE) {
            double order;
            struct enclosure far = distance(s, number, i, &order);
            narrow_unit(to, n->unit, i, far, order);
            if (moved)
                g->sources[i] = (struct goal_source){to, i};
        }
    }
    if (to && !moved)
        g->range = to->range;
}

/* The results of an entry: its root, or the arrays of the tuple that that is.
 */
static void narrow_results(struct sweep *s, struct outcome *out)
{
    const struct computation *c = s->graph->entry;
    const struct instruction *root = c->instructions[c->root];
    if (root->shape->kind == SHAPE_ARRAY) {
        narrow(s, c->root, out->goals[0]);
        return;
    }
    int leaf = 0;
    for (int k = 0; root->op->role == OP_ROLE_TUPLE && k < root->operand_count;
         k++) {
        int from = root->operands[k];
        const struct shape *shape = c->instructions[from]->shape;
        if (shape->kind == SHAPE_ARRAY)
            narrow(s, from, out->goals[leaf]);
        leaf += shape_leaves(shape);
    }
}

static bool has_ranges(const struct outcome *out)
{
    for (int i = 0; i < out->count; i++)
        if (out->goals[i]
            && (out->goals[i]->rule == GOAL_RANGE || out->goals[i]->sources))
            return true;
    return false;
}

static void bound(struct arena *a, const struct machine *m, struct outcome *out)
{
    const struct computation *c = m->program->entry;
    struct bound_graph graph = {
        .arena = a,
        .profile = m->profile,
        .entry = c,
        .trace = m->trace,
        .nodes = arena_new(a, struct bound_node, (size_t)c->count)};
    struct sweep s = {.graph = &graph,
                      .adjoints =
                          arena_new(a, struct adjoint, (size_t)c->count),
                      .left = SWEEP_LINKS};
    if (!out->goals || !has_ranges(out))
        return;
    for (int i = 0; i < c->count; i++)
        bound_node_make(&graph, i);
    narrow_results(&s, out);
}

bool bound_program(struct arena *a, struct machine *m,
                   struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st)
{
    bool plain = m->want_exact && m->replicas == 1 && !m->environment
                 && m->flush == MACHINE_KEEP && m->sources == MACHINE_KEEP
                 && !m->program->entries && fast_is_ieee();
    if (!plain)
        return evaluate_program(a, m, inputs, outcomes, st);
    size_t n = (size_t)m->program->entry->count;
    m->trace = arena_new(a, struct machine_step, n);
    bool good = evaluate_program(a, m, inputs, outcomes, st);
    if (good && outcomes[0].value)
        bound(a, m, &outcomes[0]);
    m->trace = NULL;
    return good;
}
