/* interval.c - see interval.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/interval.h"

#include "gen/policy/arithmetic_excess_precision.h"
#include "gen/policy/max_signed_zero.h"
#include "interp/program/interval_goal.h"
#include "interp/program/op_way.h"
#include "interp/program/program_policy.h"

/* One operand's ends in one replica; NULL where it is exact. */
struct span {
    struct literal *low, *high;
    struct literal *middle; /* what is nearest to zero, if that matters */
};

enum {
    WAYS_MAX = 4 /* operands that may go either way: 2^4 evaluations */
};

/* The whole propagation of one instruction in all replicas. */
struct propagation {
    struct eval *evs;
    int count, operands;
    struct span *spans;    /* [replica * operands + operand] */
    bool *used;            /* operands that are inexact somewhere */
    bool held;             /* corners are of some of these: mixes_ways */
    unsigned char **peaks; /* of each replica (interval.h), or NULL */
};

static bool is_complex(const struct shape *s)
{
    return s->kind == SHAPE_ARRAY && dtype_class(s->dtype) == DTYPE_COMPLEX;
}

static int monotone(const struct propagation *p, int operand)
{
    const struct instruction *in = p->evs[0].in;
    const struct op *op = in->op;
    int way = op->monotone_of ? op->monotone_of(in, operand)
                              : op->monotone[operand < 3 ? operand : 2];
    if ((way == OP_EITHER || (op->elementwise && op->ranges))
        && is_complex(in->shape))
        return OP_NEITHER; /* each part rises with some and falls with others */
    /* The modulus of a complex number, in both of its parts. */
    return way == OP_VALLEY && is_complex(p->evs[0].operands[operand]->shape)
                   && !is_complex(in->shape)
               ? OP_WAY_MODULUS
               : way;
}

static bool find_spans(struct propagation *p, bool *any, struct status *st)
{
    for (int i = 0; i < p->count * p->operands; i++) {
        struct span *s = &p->spans[i];
        int k = i % p->operands;
        TRY(interval_goal_operand(&p->evs[i / p->operands], k, &s->low,
                                  &s->high, st));
        if (s->low)
            *any = p->used[k] = true;
    }
    return true;
}

/* Does a unit of operand k change its sign, or may it be zero? */
static bool meets_zero(const struct propagation *p, int k)
{
    bool zero = false;
    for (int r = 0; r < p->count && !zero; r++)
        if (p->spans[r * p->operands + k].low)
            interval_hull_open(p->spans[r * p->operands + k].low,
                               p->spans[r * p->operands + k].high, &zero);
    return zero;
}

/* ": its element 3 is from -1e-07 to 2e-07", of operand k. */
static const char *tell_open(const struct propagation *p, int k)
{
    for (int r = 0; r < p->count; r++) {
        const struct span *s = &p->spans[r * p->operands + k];
        bool zero;
        int64_t i = s->low ? interval_hull_open(s->low, s->high, &zero) : -1;
        if (i >= 0)
            return arena_printf(
                p->evs[r].arena, ": its %s",
                interval_hull_told(p->evs[r].arena, s->low, s->high, i));
    }
    return "";
}

static void find_middles(struct propagation *p, int k)
{
    for (int r = 0; r < p->count; r++) {
        struct span *s = &p->spans[r * p->operands + k];
        if (s->low)
            s->middle =
                interval_magnitude_middle(p->evs[r].arena, s->low, s->high);
    }
}

/* Take as ends what is nearest to zero and farthest from it. */
static void turn_spans(struct propagation *p, bool *crosses)
{
    for (int i = 0; i < p->count * p->operands; i++) {
        struct span *s = &p->spans[i];
        if (s->low)
            interval_magnitude_turn(p->evs[i / p->operands].arena, &s->low,
                                    &s->high, crosses);
    }
}

/* Is operand k held at all of its values while others take their ends? */
static bool is_held(const struct propagation *p, int k)
{
    return p->held && p->used[k] && monotone(p, k) == OP_NEITHER;
}

/* Evaluate again with chosen ends: bit k of high takes operand k's high end,
 * or its low one where the result falls; middle takes middles where there are
 * any. */
static bool evaluate_ends(const struct propagation *p, unsigned high,
                          bool middle, struct eval *again, struct status *st)
{
    struct literal **values = arena_new(p->evs[0].arena, struct literal *,
                                        (size_t)p->count * (size_t)p->operands);
    for (int i = 0; i < p->count * p->operands; i++) {
        const struct span *s = &p->spans[i];
        int k = i % p->operands;
        bool up = high >> (k < 31 ? k : 31) & 1;
        if (s->low && !is_held(p, k))
            values[i] = middle && s->middle ? s->middle : up ? s->high : s->low;
    }
    return interval_nan_again(p->evs, p->count, values, again, st);
}

/* The two ends of an operand, which may be one value. */
static void find_ends(const struct propagation *p, int r, int k,
                      struct literal **low, struct literal **high)
{
    const struct span *s = &p->spans[r * p->operands + k];
    *low = s->low ? s->low : p->evs[r].outcomes[k]->value;
    *high = s->low ? s->high : p->evs[r].outcomes[k]->value;
}

/* Set peaks if the function is monotone where the operands are. */
static void find_peaks(struct propagation *p)
{
    struct arena *a = p->evs[0].arena;
    unsigned char **peaks = arena_new(a, unsigned char *, (size_t)p->count);
    if (!interval_box_knows(&p->evs[0]) || p->operands > 2)
        return;
    for (int r = 0; r < p->count; r++) {
        struct literal *low[2], *high[2];
        for (int k = 0; k < p->operands; k++)
            find_ends(p, r, k, &low[k], &high[k]);
        if (!interval_box_monotone(&p->evs[r], low, high, &peaks[r]))
            return;
    }
    p->peaks = peaks;
}

/* A value compared with itself, to learn whether it is a NaN.  With a wider
 * intermediate it might be compared with its own rounding. */
static bool is_self_comparison(const struct propagation *p)
{
    const struct instruction *in = p->evs[0].in;
    return in->op->compare && in->operands[0] == in->operands[1]
           && !profile_arithmetic_excess_precision_is_accept(
               p->evs[0].machine->profile);
}

/* A product of a value with itself is least where that is nearest to zero.  A
 * wider intermediate may stand for one of both, but has the same sign, and lies
 * between the same ends. */
static bool is_square(const struct propagation *p)
{
    const struct instruction *in = p->evs[0].in;
    return in->op->monotone[0] == OP_EITHER && in->op->monotone[1] == OP_EITHER
           && in->operand_count == 2 && in->operands[0] == in->operands[1]
           && dtype_class(in->shape->dtype) == DTYPE_FLOAT;
}

/* How the result depends on operand k, for the values it may have. */
static int choose_way(struct propagation *p, int k, bool *middle)
{
    const struct instruction *in = p->evs[0].in;
    int way = monotone(p, k);
    if (way == OP_WAY_PRODUCT || way == OP_WAY_MODULUS)
        return OP_RISING; /* of magnitudes: turn_spans */
    bool parts =
        is_complex(p->evs[0].operands[k]->shape) || is_complex(in->shape);
    if (parts
        && (way == OP_EITHER || way == OP_VALLEY || way == OP_NONZERO
            || interval_box_is_function(in)))
        return OP_NEITHER;
    if (is_self_comparison(p))
        return OP_RISING; /* of both: they are one value */
    if (p->peaks)
        return OP_EITHER;
    if (is_square(p)) {
        find_middles(p, k);
        *middle = true;
        return OP_RISING;
    }
    if (way == OP_NONZERO) {
        for (int r = 0; r < p->count; r++)
            interval_goal_flush(&p->evs[r], k,
                                &p->spans[r * p->operands + k].low,
                                &p->spans[r * p->operands + k].high);
        return meets_zero(p, k) ? OP_NEITHER : OP_EITHER;
    }
    if (way >= OP_WAY_SUM) /* not in this place */
        return OP_NEITHER;
    if (way != OP_VALLEY)
        return way;
    find_middles(p, k);
    *middle = true;
    return OP_EITHER;
}

/* A result without elements depends on nothing. */
static bool choose_ways(struct propagation *p, unsigned *falling,
                        unsigned *either, bool *steps, bool *middle,
                        struct status *st)
{
    const struct instruction *in = p->evs[0].in;
    bool empty =
        in->shape->kind == SHAPE_ARRAY && shape_elements(in->shape) == 0;
    for (int k = 0, ways = 0; k < p->operands && !empty; k++) {
        if (!p->used[k] || is_held(p, k))
            continue;
        int way = choose_way(p, k, middle);
        if (way == OP_NEITHER || k >= 31)
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: operand %d of %s is inexact%s", k,
                        in->op->name, tell_open(p, k));
        if (way == OP_EITHER && ++ways > WAYS_MAX)
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: too many inexact operands of %s",
                        in->op->name);
        *falling |= way == OP_FALLING ? 1U << k : 0;
        *either |= way == OP_EITHER ? 1U << k : 0;
        *steps = *steps || way == OP_STEPS;
    }
    return true;
}

static bool include_all(const struct propagation *p, struct eval *again,
                        struct goal ***goals, struct interval_reach ***reach,
                        struct status *st)
{
    for (int r = 0; r < p->count; r++)
        for (int i = 0; i < p->evs[r].out.count; i++) {
            const struct goal *from = again[r].out.goals[i];
            if (!goals[r][i])
                continue;
            TRY(interval_hull_include(&again[r], goals[r][i], from, st));
            if (reach[r][i] && interval_hull_rounds(from))
                interval_reach_extend(reach[r][i], from);
        }
    return true;
}

/* May unit i of the result of one replica vary with the operands?  Only of an
 * operation on elements is it known that other units have no part in it: a
 * window's sum, a cumulative one and an AllReduce have as many units as their
 * operand, too. */
static bool may_move(const struct propagation *p, int r, int64_t i, int64_t n)
{
    const struct op *op = p->evs[r].in->op;
    if (!op->elementwise && !op->slope)
        return true;
    for (int k = 0; k < p->operands; k++) {
        const struct span *s = &p->spans[r * p->operands + k];
        if (s->low
            && (literal_units(s->low) != n
                || literal_get(s->low, i) != literal_get(s->high, i)))
            return true;
    }
    return false;
}

/* Values between the corners, where these extend further than the corners. */
static bool include_between(const struct propagation *p, struct eval *again,
                            struct goal ***goals,
                            struct interval_reach ***reach, struct status *st)
{
    for (int r = 0; r < p->count; r++)
        for (int i = 0; i < p->evs[r].out.count; i++) {
            int64_t n = reach[r][i] ? literal_units(goals[r][i]->value) : 0;
            for (int64_t k = 0; k < n; k++)
                if (may_move(p, r, k, n)
                    && !interval_reach_include(
                        p->evs[r].machine->profile, goals[r][i],
                        again[r].out.goals[i], &reach[r][i][k], k))
                    return interval_hull_fail(&again[r], st);
        }
    return true;
}

/* A maximum of zeros of both signs may be either, by policy: an end that is a
 * zero may be the other one, which is a value between the corners. */
static bool include_zeros(const struct propagation *p,
                          struct goal *const *goals, int r)
{
    for (int i = 0; i < p->evs[r].out.count; i++) {
        struct goal *g = goals[i];
        enum dtype unit = g ? dtype_unit(g->value->shape->dtype) : DT_pred;
        if (dtype_class(unit) != DTYPE_FLOAT || !real_has_negative_zero(unit))
            continue;
        for (int64_t k = 0, n = literal_units(g->value); k < n; k++) {
            struct goal_ends e = {literal_get(g->range.low, k),
                                  literal_get(g->range.high, k)};
            if (!may_move(p, r, k, n)
                || !(real_is_zero(unit, e.low) || real_is_zero(unit, e.high)))
                continue;
            if (!goal_ends_widen(&e, unit, real_zero(unit, false))
                || !goal_ends_widen(&e, unit, real_zero(unit, true)))
                return false;
            literal_set(g->range.low, k, e.low);
            literal_set(g->range.high, k, e.high);
        }
    }
    return true;
}

/* A maximum of operands that are flushed may return one of them as it is. */
static bool include_picks(const struct propagation *p,
                          struct goal *const *goals, int r)
{
    const struct eval *ev = &p->evs[r];
    int n = p->operands;
    bool own = ev->in->op->elementwise != NULL;
    int count = own ? n : p->count * n;
    struct literal **low =
        arena_new(ev->arena, struct literal *, (size_t)count);
    struct literal **high =
        arena_new(ev->arena, struct literal *, (size_t)count);
    for (int k = 0; k < count; k++)
        find_ends(p, own ? r : k / n, k % n, &low[k], &high[k]);
    for (int i = 0; i < ev->out.count; i++)
        if (goals[i] && !interval_pick(ev, goals[i], low, high, count))
            return false;
    return true;
}

/* 1 and -1 of a function of one array, where it has them. */
static bool include_peaks(const struct propagation *p, struct eval *again,
                          struct goal ***goals, struct status *st)
{
    struct real one = real_from_int(1);
    for (int r = 0; p->peaks && r < p->count; r++)
        for (int64_t i = 0, n = literal_units(goals[r][0]->value); i < n; i++)
            for (int side = 0; side < 2; side++) {
                one.negative = side == 1;
                if ((p->peaks[r][i] & (side ? INTERVAL_BOTTOM : INTERVAL_TOP))
                    && !interval_reach_value(p->evs[r].machine->profile,
                                             goals[r][0], again[r].out.goals[0],
                                             &one, i))
                    return interval_hull_fail(&again[r], st);
            }
    return true;
}

/* How the result depends on the first inexact operand. */
static int first_way(const struct propagation *p)
{
    int k = 0;
    while (!p->used[k])
        k++;
    return monotone(p, k);
}

/* Units of one element, of operands that are known, are what they are alone:
 * own; the others lie in the hull. */
static struct goal *take_known(const struct propagation *p, int r,
                               const struct goal *own, struct goal *hull)
{
    int units = dtype_units(own->value->shape->dtype);
    int64_t n = literal_units(own->value), known = 0;
    struct goal *g = goal_of(own->arena, hull->value, GOAL_MOVED);
    if (hull->rule != GOAL_RANGE || own->rule == GOAL_CHECK)
        return hull;
    for (int64_t i = 0; i < n; i += units) {
        bool moves = false;
        for (int u = 0; u < units; u++)
            moves = moves || may_move(p, r, i + u, n);
        for (int u = 0; u < units; u++)
            goal_take(g, i + u, moves ? hull : own, i + u);
        known += !moves;
    }
    g->free_units = hull->free_units;
    return known > 0 ? g : hull;
}

/* Evaluate at every corner and take the hull of the results. */
static bool run_corners(struct propagation *p, struct status *st)
{
    struct arena *a = p->evs[0].arena;
    unsigned falling = 0, either = 0, all = (1U << 31) - 1;
    bool steps = false, middle = false, crosses = false;
    int way = first_way(p);
    if (way == OP_WAY_PRODUCT || way == OP_WAY_MODULUS)
        turn_spans(p, &crosses);
    else
        find_peaks(p);
    TRY(choose_ways(p, &falling, &either, &steps, &middle, st));
    struct goal ***goals = arena_new(a, struct goal **, (size_t)p->count);
    struct interval_reach ***reach =
        arena_new(a, struct interval_reach **, (size_t)p->count);
    struct eval *again = arena_new(a, struct eval, (size_t)p->count);
    for (int r = 0; r < p->count; r++)
        goals[r] = interval_hull_start(&p->evs[r], &reach[r]);
    unsigned sub = 0;
    do { /* every subset of the operands that go either way */
        for (int side = 0; side < 2 + middle; side++) {
            unsigned high = (side ? ~falling : falling) & ~either & all;
            TRY(evaluate_ends(p, high | sub, side == 2, again, st));
            TRY(include_all(p, again, goals, reach, st));
        }
        sub = (sub - either) & either;
    } while (sub);
    TRY(include_peaks(p, again, goals, st));
    TRY(include_between(p, again, goals, reach, st));
    bool most = program_policy_of(p->evs[0].in, MAX_SIGNED_ZERO_POLICY);
    bool zeros =
        most && profile_max_signed_zero_is_either(p->evs[0].machine->profile);
    for (int r = 0; r < p->count; r++) {
        if ((zeros && !include_zeros(p, goals[r], r))
            || (most && p->evs[r].spreads && !include_picks(p, goals[r], r))
            || (way == OP_WAY_PRODUCT
                && !interval_magnitude_signs(goals[r], p->evs[r].out.count,
                                             crosses)))
            return interval_hull_fail(&p->evs[r], st);
        struct outcome *out = &p->evs[r].out;
        struct goal **own = arena_new(a, struct goal *, (size_t)out->count);
        for (int i = 0; i < out->count; i++)
            own[i] = out->goals[i];
        TRY(interval_hull_finish(&p->evs[r], goals[r], steps, st));
        for (int i = 0; i < out->count; i++)
            if (own[i])
                out->goals[i] = take_known(p, r, own[i], out->goals[i]);
    }
    return true;
}

/* The ends of what a sum of products may be, in each replica. */
static bool run_bilinear(struct propagation *p, struct status *st)
{
    for (int r = 0; r < p->count; r++) {
        struct eval *ev = &p->evs[r];
        struct literal *low[2], *high[2];
        struct goal *ends[2];
        struct interval_reach **reach;
        struct goal **goals = interval_hull_start(ev, &reach);
        for (int k = 0; k < 2; k++)
            find_ends(p, r, k, &low[k], &high[k]);
        TRY(interval_bilinear(ev, low, high, ends, st));
        TRY(interval_hull_include(ev, goals[0], ev->out.goals[0], st));
        for (int side = 0; side < 2; side++)
            TRY(interval_hull_include(ev, goals[0], ends[side], st));
        TRY(interval_hull_finish(ev, goals, false, st));
    }
    return true;
}

/* Give an operation the ends of its operands, or of those that are held. */
static bool give_ends(const struct propagation *p, int r, struct status *st)
{
    size_t n = (size_t)p->operands;
    struct eval *ev = &p->evs[r];
    struct literal **low = arena_new(ev->arena, struct literal *, n);
    struct literal **high = arena_new(ev->arena, struct literal *, n);
    for (int k = 0; k < p->operands; k++) {
        find_ends(p, r, k, &low[k], &high[k]);
        if (p->held && !is_held(p, k))
            high[k] = low[k];
        if (shape_has_dynamic(ev->operands[k]->shape))
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: operand %d of %s is dynamic, and "
                        "operands are inexact",
                        k, ev->in->op->name);
    }
    ev->low = low;
    ev->high = high;
    return true;
}

/* By the operation's own rule. */
static bool run_ranges(struct propagation *p, struct status *st)
{
    for (int r = 0; r < p->count; r++) {
        struct eval *ev = &p->evs[r];
        TRY(give_ends(p, r, st));
        ev->out = (struct outcome){0};
        TRY(ev->in->op->ranges(ev, st));
        ev->low = ev->high = NULL;
    }
    return true;
}

/* Is the first inexact operand one that decides something, the same for all of
 * its values (op.ranges), while the result rises with the last one? */
static bool mixes_ways(const struct propagation *p)
{
    int k = p->operands - 1;
    while (!p->used[k])
        k--;
    return p->evs[0].in->op->ranges && first_way(p) == OP_NEITHER
           && monotone(p, k) == OP_RISING;
}

/* Evaluate at the corners of some operands, each for all values of the others,
 * which op.eval is given, too. */
static bool run_held(struct propagation *p, struct status *st)
{
    p->held = true;
    for (int r = 0; r < p->count; r++)
        TRY(give_ends(p, r, st));
    TRY(run_corners(p, st));
    for (int r = 0; r < p->count; r++)
        p->evs[r].low = p->evs[r].high = NULL;
    return true;
}

static bool is_settled(const struct profile *p, const struct outcome *o)
{
    for (int i = 0; o->goals && i < o->count; i++)
        if (!interval_goal_settled(p, o->goals[i]))
            return false;
    return true;
}

static bool propagate(struct eval *evs, int count, struct status *st)
{
    struct arena *a = evs[0].arena;
    int n = evs[0].count;
    /* Most operands are: loops count and index. */
    bool settled = true;
    for (int r = 0; r < count && settled; r++)
        for (int k = 0; k < n && settled; k++)
            settled = is_settled(evs[r].machine->profile, evs[r].outcomes[k]);
    if (settled)
        interval_move_exact(evs, count);
    if (settled && !evs[0].spreads)
        return interval_nan_propagate(evs, count, st);
    if (interval_whole(evs, count))
        return true;
    bool moved;
    TRY(interval_move(evs, count, &moved, st));
    if (moved)
        return true;
    struct propagation p = {
        .evs = evs,
        .count = count,
        .operands = n,
        .spans = arena_new(a, struct span, (size_t)count * (size_t)n),
        .used = arena_new(a, bool, (size_t)n)};
    bool any = false;
    TRY(find_spans(&p, &any, st));
    if (!any)
        return interval_nan_propagate(evs, count, st);
    if (mixes_ways(&p))
        TRY(run_held(&p, st));
    else if (evs[0].in->op->ranges && first_way(&p) == OP_NEITHER)
        TRY(run_ranges(&p, st));
    else if (interval_bilinear_knows(evs[0].in))
        TRY(run_bilinear(&p, st));
    else
        TRY(run_corners(&p, st));
    return interval_nan_propagate(evs, count, st);
}

bool interval_propagate(struct eval *evs, int count, struct status *st)
{
    if (!interval_free_any(evs, count))
        return propagate(evs, count, st);
    struct arena *a = evs[0].arena;
    struct eval *rest = arena_new(a, struct eval, (size_t)count);
    for (int r = 0; r < count; r++) {
        size_t n = (size_t)evs[r].count;
        struct outcome *own = arena_new(a, struct outcome, n);
        const struct outcome **list = arena_new(a, const struct outcome *, n);
        for (size_t k = 0; k < n; k++) {
            own[k] = interval_free_rest(a, evs[r].outcomes[k]);
            list[k] = &own[k];
        }
        rest[r] = evs[r];
        rest[r].outcomes = list;
    }
    TRY(propagate(rest, count, st));
    for (int r = 0; r < count; r++)
        evs[r].out = rest[r].out;
    return interval_free_mark(evs, count, st);
}
