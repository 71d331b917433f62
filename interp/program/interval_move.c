/* interval_move.c - see interval.h.  Tests: test_judge_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Where a unit comes from is found by evaluating the instruction on numbers of
 * units instead of their values, as many bits at a time as all of them have;
 * and once more with the complement of the first bits, which tells units that
 * were moved from those of other operands.
 */
#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"

/* The operands whose units are followed, of all replicas, one after the other:
 * unit i of goals[k] has the number first[k] + i. */
struct mover {
    struct eval *evs;
    int count, operands;
    const struct goal **goals;     /* [replica * operands + operand], or NULL */
    const struct literal **values; /* theirs */
    uint64_t *first;
    uint64_t units;
    int width; /* bits of a pattern of each */
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

/* Does it say more of its units than that they were given so? */
static bool says_more(const struct goal *g)
{
    return g->rule != GOAL_MOVED || g->nan_units || g->sources || g->computed;
}

static bool is_float(const struct goal *g)
{
    return dtype_class(dtype_unit(g->value->shape->dtype)) == DTYPE_FLOAT;
}

/* Number the units of one operand. */
static void follow(struct mover *m, int i, const struct literal *value)
{
    int bits = dtype_table[dtype_unit(value->shape->dtype)].bits;
    m->values[i] = value;
    m->first[i] = m->units + 1;
    m->units += (uint64_t)literal_units(value);
    m->width = bits < m->width ? bits : m->width;
}

/* False if one that varies cannot be followed. */
static bool find_goals(struct mover *m)
{
    bool any = false;
    for (int i = 0; i < m->count * m->operands; i++) {
        const struct eval *ev = &m->evs[i / m->operands];
        int k = i % m->operands;
        const struct outcome *o = ev->outcomes[k];
        if (!o->goals)
            continue;
        bool settled = true;
        for (int j = 0; j < o->count; j++)
            settled =
                settled
                && interval_goal_settled(ev->machine->profile, o->goals[j]);
        const struct goal *g = o->count == 1 ? o->goals[0] : NULL;
        bool follows =
            g && g->rule != GOAL_CHECK && monotone(ev->in, k) == OP_RISING;
        if (!settled && !follows)
            return false;
        any = any || !settled;
        if (!follows || !says_more(g))
            continue;
        m->goals[i] = g;
        follow(m, i, g->value);
    }
    return any;
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
        if (!m->values[i])
            continue;
        struct arena *a = m->evs[i / (size_t)m->operands].arena;
        values[i] = literal_copy(a, m->values[i]);
        uint64_t mask = UINT64_MAX >> (64 - m->width);
        for (int64_t u = 0, units = literal_units(values[i]); u < units; u++) {
            uint64_t x = (m->first[i] + (uint64_t)u) >> shift;
            literal_set(values[i], u, (complement ? ~x : x) & mask);
        }
    }
    return interval_nan_again(m->evs, m->count, values, again, st);
}

/* All passes that tell the numbers apart. */
static bool evaluate_all(const struct mover *m, struct eval **passes, int *used,
                         struct status *st)
{
    struct arena *a = m->evs[0].arena;
    *used = 0;
    for (int shift = 0; shift < 64 && m->units >> shift > 0;
         shift += m->width) {
        passes[*used] = arena_new(a, struct eval, (size_t)m->count);
        TRY(evaluate_numbers(m, shift, false, passes[(*used)++], st));
    }
    passes[*used] = arena_new(a, struct eval, (size_t)m->count);
    return evaluate_numbers(m, 0, true, passes[(*used)++], st);
}

/* The numbers of the units that went to those of result leaf of replica r, 0
 * where another one did; false if they are not what they are taken for. */
static bool read_numbers(const struct mover *m, struct eval *const *passes,
                         int count, int r, int leaf, uint64_t *from)
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
    }
    return true;
}

/* ---- Their goals --------------------------------------------------------- */

/* The goal that has the unit of that number, which is not 0, and its place
 * there. */
static const struct goal *find_unit(const struct mover *m, uint64_t number,
                                    int64_t *at)
{
    int k = m->count * m->operands - 1;
    while (!m->goals[k] || m->first[k] > number)
        k--;
    *at = (int64_t)(number - m->first[k]);
    return m->goals[k];
}

/* Units judged by the norm of a complex number move as a pair. */
static bool may_take(const struct goal *to, int64_t i, const struct goal *from,
                     int64_t at)
{
    from = goal_source(from, &at);
    return from->rule != GOAL_REAL || !from->real.complex_norm
           || (dtype_class(to->value->shape->dtype) == DTYPE_COMPLEX
               && (i & 1) == (at & 1));
}

/* The numbers of the units of all results of replica r; false: see
 * read_numbers, may_take. */
static bool find_numbers(const struct mover *m, struct eval *const *passes,
                         int count, int r, uint64_t **from)
{
    const struct eval *ev = &m->evs[r];
    for (int i = 0; i < ev->out.count; i++) {
        const struct goal *g = ev->out.goals[i];
        int64_t n = literal_units(g->value), at;
        from[i] = arena_new(ev->arena, uint64_t, (size_t)n + 1);
        if (!read_numbers(m, passes, count, r, i, from[i]))
            return false;
        for (int64_t u = 0; u < n; u++) {
            const struct goal *own =
                from[i][u] > 0 ? find_unit(m, from[i][u], &at) : NULL;
            if (own && !may_take(g, u, own, at))
                return false;
        }
    }
    return true;
}

/* May it be compiled to a maximum, because a computed predicate selects? */
static bool may_compute(const struct eval *ev)
{
    if (ev->in->op->role != OP_ROLE_SELECT)
        return false;
    const struct outcome *o = ev->outcomes[0];
    return o->goals && o->goals[0] && o->goals[0]->rule != GOAL_MOVED;
}

/* Each unit is judged by the goal that it had.  What did not come from such an
 * operand was given to the program. */
static void take_units(const struct mover *m, struct goal *g,
                       const uint64_t *from)
{
    for (int64_t i = 0, at, n = literal_units(g->value); i < n; i++) {
        const struct goal *own =
            from[i] > 0 ? find_unit(m, from[i], &at) : NULL;
        goal_take(g, i, own, own ? at : 0);
    }
}

void interval_move_exact(struct eval *evs, int count)
{
    bool computed = false;
    for (int r = 0; r < count && !computed; r++) {
        computed = may_compute(&evs[r]);
        for (int k = 0; k < evs[r].count && !computed; k++) {
            const struct outcome *o = evs[r].outcomes[k];
            for (int i = 0; o->goals && i < o->count && !computed; i++)
                computed = o->goals[i] && is_float(o->goals[i])
                           && says_more(o->goals[i]);
        }
    }
    for (int r = 0; computed && r < count; r++)
        for (int i = 0; i < evs[r].out.count; i++)
            if (evs[r].out.goals[i])
                goal_decided(evs[r].out.goals[i]);
}

static struct mover open_mover(struct eval *evs, int count)
{
    struct arena *a = evs[0].arena;
    size_t n = (size_t)count * (size_t)evs[0].count;
    return (struct mover){.evs = evs,
                          .count = count,
                          .operands = evs[0].count,
                          .width = 64,
                          .goals = arena_new(a, const struct goal *, n),
                          .values = arena_new(a, const struct literal *, n),
                          .first = arena_new(a, uint64_t, n)};
}

bool interval_move_trace(struct eval *ev, const bool *followed, uint64_t *from)
{
    struct mover m = open_mover(ev, 1);
    struct eval *passes[65];
    struct status st = {0};
    int used;
    if (!gives_moved(ev) || ev->out.count != 1)
        return false;
    for (int k = 0; k < m.operands; k++)
        if (followed[k]) {
            if (monotone(ev->in, k) != OP_RISING)
                return false;
            follow(&m, k, ev->operands[k]);
        }
    return evaluate_all(&m, passes, &used, &st)
           && read_numbers(&m, passes, used, 0, 0, from);
}

bool interval_move(struct eval *evs, int count, bool *moved, struct status *st)
{
    struct arena *a = evs[0].arena;
    struct mover m = open_mover(evs, count);
    *moved = false;
    for (int r = 0; r < count; r++)
        if (!gives_moved(&evs[r]))
            return true;
    if (!find_goals(&m))
        return true;
    struct eval *passes[65];
    int used;
    TRY(evaluate_all(&m, passes, &used, st));
    uint64_t ***from = arena_new(a, uint64_t **, (size_t)count);
    for (int r = 0; r < count; r++) {
        from[r] = arena_new(a, uint64_t *, (size_t)evs[r].out.count);
        if (!find_numbers(&m, passes, used, r, from[r]))
            return true;
    }
    for (int r = 0; r < count; r++)
        for (int i = 0; i < evs[r].out.count; i++)
            take_units(&m, evs[r].out.goals[i], from[r][i]);
    for (int r = 0; r < count; r++)
        for (int i = 0; i < evs[r].out.count; i++)
            if (may_compute(&evs[r]))
                goal_decided(evs[r].out.goals[i]);
    *moved = true;
    return true;
}
