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

/* A box without finite ends is everything. */
static struct enclosure box_of(enum dtype unit, uint64_t low, uint64_t high)
{
    struct enclosure e = enclosure_of(bound_node_double(unit, low),
                                      bound_node_double(unit, high));
    return enclosure_is_finite(e) ? e : enclosure_of(-HUGE_VAL, HUGE_VAL);
}

static bool read_box(struct bound_graph *g, struct bound_node *n,
                     const struct goal *goal)
{
    struct literal *low, *high;
    const char *why;
    if (!interval_goal_ends(g->arena, g->profile, goal, &low, &high, &why))
        return false;
    n->inexact = low != NULL;
    n->box = arena_new(g->arena, struct enclosure, (size_t)n->units + 1);
    n->noise = arena_new(g->arena, struct enclosure, (size_t)n->units + 1);
    for (int64_t i = 0; i < n->units; i++)
        n->box[i] = box_of(n->unit, literal_get(low ? low : n->value, i),
                           literal_get(high ? high : n->value, i));
    return true;
}

/* Noise alone: all that the box allows. */
static void keep_box(struct bound_node *n)
{
    n->first = NULL;
    n->order = NULL;
    for (int64_t i = 0; i < n->units; i++) {
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        n->noise[i] = isfinite(v) ? enclosure_sub(n->box[i], enclosure_point(v))
                                  : enclosure_of(-HUGE_VAL, HUGE_VAL);
        if (enclosure_is_point(n->box[i]) && n->box[i].low == v)
            n->noise[i] = enclosure_point(0);
    }
}

static bool operands_known(const struct bound_graph *g,
                           const struct instruction *in)
{
    bool any = false;
    for (int k = 0; k < in->operand_count; k++) {
        const struct bound_node *n = &g->nodes[in->operands[k]];
        if (n->inexact && !n->known)
            return false;
        any = any || n->inexact;
    }
    return any;
}

void bound_node_make(struct bound_graph *g, int number)
{
    const struct machine_step *step = &g->trace[number];
    const struct instruction *in = g->entry->instructions[number];
    struct bound_node *n = &g->nodes[number];
    const struct shape *s = in->shape;
    const struct outcome *out = &step->out;
    if (!step->ev || !out->goals)
        return; /* exact */
    n->inexact = !interval_goal_exact(g->arena, g->profile, out);
    if (!n->inexact || s->kind != SHAPE_ARRAY || shape_has_dynamic(s)
        || dtype_class(s->dtype) != DTYPE_FLOAT || out->count != 1)
        return;
    n->unit = s->dtype;
    n->units = shape_elements(s);
    n->value = out->value;
    n->known = read_box(g, n, out->goals[0]);
    if (n->known
        && !(operands_known(g, in) && !in->op->passes && bound_link(g, number)
             && bound_noise(g, number)))
        keep_box(n);
}
