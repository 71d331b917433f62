/* interval_move.c - see interval_move.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where a unit comes from is found by evaluating the instruction on numbers of
 * units instead of their values, as many bits at a time as all of them have;
 * and once more with the complement of the first bits, which tells units that
 * were moved from those of other operands.
 */
#include "interp/program/interval_move.h"

#include <string.h>

#include "interp/program/interval_goal.h"
#include "interp/program/interval_nan.h"

/* The operands whose units are followed, of all replicas, one after the other:
 * unit i of goals[k] has the number first[k] + i. */
struct mover {
    struct eval *evs;
    int count, operands;
    const struct goal **goals; /* [replica * operands + operand], or NULL */
    uint64_t *first;
    uint64_t units;
    int width; /* bits of a pattern of each */
    const struct goal *model;
};

/* ---- Which instructions -------------------------------------------------- */

static int monotone(const struct instruction *in, int k)
{
    const struct op *op = in->op;
    return op->monotone_of ? op->monotone_of(in, k)
                           : op->monotone[k < 2 ? k : 2];
}

static bool gives_moved(const struct eval *ev)
{
    for (int i = 0; i < ev->out.count; i++) {
        const struct goal *g = ev->out.goals[i];
        if (!g || g->rule != GOAL_MOVED || g->nan_units || g->others)
            return false;
    }
    return ev->out.count > 0;
}

static bool same_budget(const struct goal *a, const struct goal *b)
{
    const struct goal_real *x = &a->real, *y = &b->real;
    bool one_class = x->accuracy == y->accuracy
                     || (x->accuracy && y->accuracy
                         && strcmp(x->accuracy, y->accuracy) == 0);
    return one_class && x->zero_open == y->zero_open && !x->has_budget
           && !y->has_budget;
}

/* Can units of both be in one goal? */
static bool is_like(const struct goal *a, const struct goal *b)
{
    return a->rule == b->rule && a->overflow == b->overflow && !a->clip
           && !b->clip
           && dtype_unit(a->value->shape->dtype)
                  == dtype_unit(b->value->shape->dtype)
           && (a->rule != GOAL_REAL || same_budget(a, b));
}

/* Are its units judged one by one, by what goals can hold for each? */
static bool is_apart(const struct goal *g)
{
    if (g->rule == GOAL_REAL)
        return g->real.y && !g->real.complex_norm && !g->real.cancelled_units;
    return (g->rule == GOAL_SUM && g->sum.sums) || g->rule == GOAL_BITS;
}

static bool find_goals(struct mover *m)
{
    m->width = 64;
    for (int i = 0; i < m->count * m->operands; i++) {
        const struct eval *ev = &m->evs[i / m->operands];
        int k = i % m->operands;
        const struct outcome *o = ev->outcomes[k];
        if (!o->goals)
            continue;
        for (int j = 0; j < o->count; j++)
            if (!interval_goal_settled(ev->machine->profile, o->goals[j]))
                m->goals[i] = o->goals[j];
        const struct goal *g = m->goals[i];
        if (!g)
            continue;
        m->model = m->model ? m->model : g;
        if (o->count != 1 || monotone(ev->in, k) != OP_RISING || !is_apart(g)
            || !is_like(m->model, g))
            return false;
        m->first[i] = m->units + 1;
        m->units += (uint64_t)literal_units(g->value);
        int bits = dtype_table[dtype_unit(g->value->shape->dtype)].bits;
        m->width = bits < m->width ? bits : m->width;
    }
    return m->model != NULL;
}

/* ---- Where units come from ----------------------------------------------- */

/* Evaluate on bits of the numbers of units from shift on, or on their
 * complement. */
static bool evaluate_numbers(const struct mover *m, int shift, bool complement,
                             struct eval *again, struct status *st)
{
    size_t n = (size_t)m->count * (size_t)m->operands;
    struct literal **values = arena_new(m->evs[0].arena, struct literal *, n);
    for (size_t i = 0; i < n; i++) {
        if (!m->goals[i])
            continue;
        struct arena *a = m->evs[i / (size_t)m->operands].arena;
        values[i] = literal_copy(a, m->goals[i]->value);
        uint64_t mask = UINT64_MAX >> (64 - m->width);
        for (int64_t u = 0, units = literal_units(values[i]); u < units; u++) {
            uint64_t x = (m->first[i] + (uint64_t)u) >> shift;
            literal_set(values[i], u, (complement ? ~x : x) & mask);
        }
    }
    return interval_nan_again(m->evs, m->count, values, again, st);
}

/* The numbers of the units that went to those of result leaf of replica r, 0
 * where another one did, *any if some did; false if they are not what they are
 * taken for. */
static bool read_numbers(const struct mover *m, struct eval *const *passes,
                         int count, int r, int leaf, uint64_t *from, bool *any)
{
    const struct literal *value = m->evs[r].out.goals[leaf]->value;
    for (int64_t i = 0, n = literal_units(value); i < n; i++) {
        uint64_t bits[65];
        for (int k = 0; k < count; k++)
            bits[k] = literal_get(passes[k][r].out.goals[leaf]->value, i);
        uint64_t mask = UINT64_MAX >> (64 - m->width);
        from[i] = 0;
        if ((bits[0] ^ bits[count - 1]) != mask) {
            if (bits[0] != bits[count - 1])
                return false;
            continue;
        }
        for (int k = 0; k < count - 1; k++)
            from[i] |= bits[k] << (k * m->width);
        if (from[i] == 0 || from[i] > m->units)
            return false;
        *any = true;
    }
    return true;
}

/* ---- Their goals --------------------------------------------------------- */

static struct goal *open_goal(const struct mover *m, const struct goal *moved)
{
    const struct goal *like = m->model;
    struct arena *a = moved->arena;
    struct goal *g = goal_of(a, moved->value, like->rule);
    size_t n = (size_t)literal_units(g->value);
    g->overflow = like->overflow;
    g->want_exact = true;
    g->free_units = moved->free_units;
    if (g->rule == GOAL_REAL) {
        g->real.y = arena_new(a, struct real, n);
        g->real.accuracy = like->real.accuracy;
        g->real.zero_open = like->real.zero_open;
    } else if (g->rule == GOAL_SUM) {
        g->sum.sums = arena_new(a, struct accept_sum, n);
    }
    return g;
}

/* A unit that did not come from such an operand. */
static void keep_unit(struct goal *g, int64_t i)
{
    goal_bits(g, i, literal_get(g->value, i));
    goal_kept_unit(g, i);
    if (g->rule == GOAL_REAL)
        goal_exact_unit(g, i);
}

/* The last one comes first, here as there. */
static void add_others(struct goal *g, int64_t i, const struct goal_other *o)
{
    if (!o)
        return;
    add_others(g, i, o->same);
    goal_or(g, i, o->bits);
}

static void take_unit(struct goal *g, int64_t i, const struct goal *from,
                      int64_t at)
{
    add_others(g, i, goal_others(from, at));
    if (from->nan_units && from->nan_units[at])
        goal_nan_unit(g, i);
    if (from->kept_units && from->kept_units[at])
        goal_kept_unit(g, i);
    if (g->rule == GOAL_SUM)
        g->sum.sums[i] = from->sum.sums[at];
    if (g->rule != GOAL_REAL)
        return;
    const struct goal_real *r = &from->real;
    g->real.y[i] = r->y[at];
    if (r->unit_budgets && r->unit_budgets[at])
        goal_unit_budget(g, i, r->unit_budgets[at]);
    if (r->exact_units && r->exact_units[at])
        goal_exact_unit(g, i);
    if (r->either_units && r->either_units[at])
        goal_either_unit(g, i);
}

/* A NaN that was moved keeps its pattern, which only a GOAL_MOVED can say. */
static bool is_moved_nan(const struct goal *g, int64_t i)
{
    enum dtype unit = dtype_unit(g->value->shape->dtype);
    return dtype_class(unit) == DTYPE_FLOAT
           && real_is_nan(unit, literal_get(g->value, i));
}

/* NULL if such a goal cannot hold a unit. */
static struct goal *gather(const struct mover *m, const struct goal *moved,
                           const uint64_t *from)
{
    struct goal *g = open_goal(m, moved);
    int n = m->count * m->operands;
    for (int64_t i = 0, units = literal_units(g->value); i < units; i++) {
        int k = n - 1;
        while (k >= 0 && !(m->goals[k] && m->first[k] <= from[i]))
            k--;
        if (k < 0 && is_moved_nan(g, i))
            return NULL;
        if (k < 0)
            keep_unit(g, i);
        else
            take_unit(g, i, m->goals[k], (int64_t)(from[i] - m->first[k]));
    }
    return g;
}

/* The goals of all results of replica r; false: see read_numbers, gather. */
static bool gather_all(const struct mover *m, struct eval *const *passes,
                       int count, int r, struct goal **made)
{
    const struct eval *ev = &m->evs[r];
    for (int i = 0; i < ev->out.count; i++) {
        struct goal *g = ev->out.goals[i];
        bool any = false;
        uint64_t *from =
            arena_new(ev->arena, uint64_t, (size_t)literal_units(g->value) + 1);
        if (!read_numbers(m, passes, count, r, i, from, &any))
            return false;
        made[i] = any ? gather(m, g, from) : g;
        if (!made[i])
            return false;
    }
    return true;
}

bool interval_move(struct eval *evs, int count, bool *moved, struct status *st)
{
    struct arena *a = evs[0].arena;
    size_t n = (size_t)count * (size_t)evs[0].count;
    struct mover m = {.evs = evs,
                      .count = count,
                      .operands = evs[0].count,
                      .goals = arena_new(a, const struct goal *, n),
                      .first = arena_new(a, uint64_t, n)};
    *moved = false;
    for (int r = 0; r < count; r++)
        if (!gives_moved(&evs[r]))
            return true;
    if (!find_goals(&m))
        return true;
    struct eval *passes[65];
    int used = 0;
    for (int shift = 0; shift < 64 && m.units >> shift > 0; shift += m.width) {
        passes[used] = arena_new(a, struct eval, (size_t)count);
        TRY(evaluate_numbers(&m, shift, false, passes[used++], st));
    }
    passes[used] = arena_new(a, struct eval, (size_t)count);
    TRY(evaluate_numbers(&m, 0, true, passes[used++], st));
    struct goal ***made = arena_new(a, struct goal **, (size_t)count);
    for (int r = 0; r < count; r++) {
        made[r] = arena_new(a, struct goal *, (size_t)evs[r].out.count);
        if (!gather_all(&m, passes, used, r, made[r]))
            return true;
    }
    for (int r = 0; r < count; r++)
        evs[r].out.goals = made[r];
    *moved = true;
    return true;
}
