/* bound_noise.c - how far one instruction alone may be from its function.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A bound holds for every value that the operands may have, not only for the
 * reference's, at which a result may be exact by chance.
 */
#include <float.h>

#include "interp/bound/bound_node.h"
#include "interp/exact/accept_bound.h"
#include "interp/ops/elementwise.h"
#include "interp/program/interval.h"
#include "interp/program/interval_goal.h"

/* A number of a budget, or infinity. */
static double above(const struct real *r)
{
    ACCEPT_BOUND(x);
    if (r->kind > REAL_FINITE)
        return HUGE_VAL;
    accept_bound_above(x, r);
    return mpfr_get_d(x, MPFR_RNDU);
}

/* The largest magnitude that an exact result may have whose rounding is in the
 * box. */
static double most_exact(enum dtype unit, struct enclosure box)
{
    double most = enclosure_most(box);
    return most + bound_node_ulp(unit, most);
}

/* Half of an ulp or more: half of the smallest f64 is not a number of f64, and
 * would be rounded to 0. */
static double half(double ulp)
{
    return fmax(ulp / 2, DBL_TRUE_MIN);
}

/* How far a budget lets a result be from an exact one of that magnitude or
 * less, products rounded up. */
static double reach_of(const struct accept_budget *b, enum dtype unit,
                       double most)
{
    double ulp = bound_node_ulp(unit, most), far = ulp,
           relative = above(&b->rel);
    double ulps = above(&b->ulps);
    switch (b->kind) {
    case ACCEPT_EXACT:
    case ACCEPT_CR:
        return half(ulp);
    case ACCEPT_FAITHFUL:
        return ulp;
    case ACCEPT_ULP:
        far = fmax(far, fmax(ulps * ulp, relative * most));
        break;
    case ACCEPT_XLA:
        relative = fmax(relative, ulps * bound_node_ulp(unit, 1));
        far = fmax(far, relative * most);
        break;
    case ACCEPT_ANY:
        return HUGE_VAL;
    }
    return nextafter(fmax(far, above(&b->abs)), HUGE_VAL);
}

/* The same of a part of a complex number, whose modulus is that at most. */
static double whole_reach_of(const struct accept_budget *b, enum dtype unit,
                             double most)
{
    ACCEPT_BOUND(size);
    ACCEPT_BOUND(far);
    mpfr_set_d(size, most, MPFR_RNDU);
    rule_real_norm(far, b, unit, size);
    return fmax(reach_of(b, unit, most), mpfr_get_d(far, MPFR_RNDU));
}

/* The widest budget of the class, where budgets depend on the operands. */
static double widest(const struct rule_basis *b, const struct goal *g,
                     enum dtype unit, double most)
{
    const struct accept_budget *budget;
    double far = 0;
    double (*reach)(const struct accept_budget *, enum dtype, double) =
        g->real.complex_norm ? whole_reach_of : reach_of;
    if (!g->real.unit_budgets)
        return reach(b->budget, unit, most);
    for (int n = 0; (budget = profile_budget_nth(b->profile, g->real.accuracy,
                                                 unit, n, NULL));
         n++)
        far = fmax(far, reach(budget, unit, most));
    return far;
}

/* The largest exact magnitude that counts for the budget of unit i: of a
 * complex number its modulus. */
static double most_of(const struct bound_node *n, const struct goal *local,
                      int64_t i)
{
    double own = most_exact(n->unit, n->box[i]);
    if (!local->real.complex_norm)
        return own;
    return hypot(own, most_exact(n->unit, n->box[i ^ 1])) * (1 + 0x1p-50);
}

/* The reference's own error, v - y. */
static struct enclosure own_error(double v, const struct real *y)
{
    ACCEPT_BRACKET(b);
    ACCEPT_BOUND(x);
    struct enclosure e;
    accept_bound_magnitude(&b, y);
    mpfr_set_d(x, y->negative ? -v : v, MPFR_RNDN);
    mpfr_sub(b.high, x, b.high, MPFR_RNDD);
    mpfr_sub(b.low, x, b.low, MPFR_RNDU);
    e = enclosure_of(mpfr_get_d(b.high, MPFR_RNDD),
                     mpfr_get_d(b.low, MPFR_RNDU));
    return y->negative ? enclosure_neg(e) : e;
}

struct enclosure bound_noise_around(double far, double v, const struct real *y)
{
    struct enclosure own = own_error(v, y);
    if (far == 0 && own.low == 0 && own.high == 0)
        return own;
    return enclosure_sub(enclosure_of(-far, far), own);
}

/* How far a number may be off that was rounded twice, first to a wider type:
 * half an ulp, and half a unit in that type.  Most have at least 4 more
 * bits; of f8e3m4, bf16 has 3. */
static double narrowed(enum dtype unit, double ulp)
{
    const struct dtype_info *own = &dtype_table[unit];
    int more = 4;
    for (int i = 0; i < DT_COUNT; i++) {
        const struct dtype_info *t = &dtype_table[i];
        int bits = t->precision - own->precision;
        if (t->class == DTYPE_FLOAT && t->emin <= own->emin
            && t->emax >= own->emax && bits > 0 && bits < more)
            more = bits;
    }
    return nextafter((0.5 + ldexp(0.5, -more)) * ulp, HUGE_VAL);
}

static double widest_ulp(const struct bound_node *n, int64_t i)
{
    return bound_node_ulp(n->unit, most_exact(n->unit, n->box[i]));
}

double bound_noise_of_rounding(const struct bound_node *n, int64_t i)
{
    return narrowed(n->unit, widest_ulp(n, i));
}

enum {
    GROUPED = 8 /* links of a unit, at most, of which equal ones are looked for
                 */
};

/* The slopes of links k to end - 1 that are of the same unit as link k, whose
 * uses take one number or another: all that rise, or all that fall.  0 if an
 * earlier link from first on has them. */
static double slope_by_use(const struct bound_node *n, int64_t first, int64_t k,
                           int64_t end)
{
    const struct bound_link *own = &n->links[k];
    double rise = fmax(own->slope + own->within, 0);
    double fall = fmax(own->within - own->slope, 0);
    for (int64_t j = first; end - first <= GROUPED && j < end; j++) {
        const struct bound_link *l = &n->links[j];
        if (j == k || l->at != own->at)
            continue;
        if (j < k)
            return 0;
        rise += fmax(l->slope + l->within, 0);
        fall += fmax(l->within - l->slope, 0);
    }
    return fmax(rise, fall);
}

double bound_noise_by_use(const struct bound_graph *g,
                          const struct bound_node *n, int64_t i, bool wider)
{
    double far = 0;
    int64_t first = n->first[i], end = n->first[i + 1];
    for (int64_t k = first; wider && k < end; k++) {
        const struct bound_link *l = &n->links[k];
        const struct bound_node *from = g->nodes[l->node];
        double slope = slope_by_use(n, first, k, end);
        double off = slope * bound_noise_of_rounding(from, l->at - from->at);
        far += slope > 0 ? nextafter(off, HUGE_VAL) : 0;
    }
    return far * (1 + 0x1p-20) + n->use[i].flushed + n->use[i].chosen;
}

/* Results below the normal range may become 0 or the smallest normal number, by
 * flushing, and where a function is composed of others that underflow. */
static double underflow(const struct bound_node *n, int64_t i)
{
    double least = bound_node_normal(n->unit);
    return enclosure_least(n->box[i]) <= 2 * least ? least : 0;
}

/* No sum of nothing else is more than 0. */
static double sum_up(double x, double y)
{
    return x == 0 || y == 0 ? x + y : nextafter(x + y, HUGE_VAL);
}

bool bound_noise_rounded(const struct rule_basis *b, const struct goal *g)
{
    return g->rule == GOAL_REAL && !b->wider && !g->real.unit_budgets
           && (b->budget->kind == ACCEPT_EXACT || b->budget->kind == ACCEPT_CR);
}

/* How far such a result may be from the exact one.  A sum is exact where the
 * type has the multiples of what its terms are multiples of; and no number of
 * the type is nearer to it than its rounding, not even one of the terms. */
static double rounding(const struct rule_basis *b, const struct bound_node *n,
                       int64_t i, double most)
{
    const struct bound_use *use = &n->use[i];
    bool exact = most <= ldexp(use->quantum, dtype_table[n->unit].precision);
    bool normal = use->quantum >= bound_node_normal(n->unit);
    double far = exact ? 0 : reach_of(b->budget, n->unit, most);
    if (use->quantum > 0)
        far = fmin(far, use->smaller);
    return sum_up(far, b->rules.subnormal && !normal ? underflow(n, i) : 0);
}

static int composite_of(const struct bound_node *n)
{
    const struct op *op = n->ev.in ? n->ev.in->op : NULL;
    return op && op->elementwise ? op->elementwise->composite : 0;
}

/* The part of the result by which the roundings of a formula may move it. */
static double composite_part(const struct bound_node *n)
{
    double u = ldexp(1, -dtype_table[n->unit].precision), by = 1;
    for (int k = composite_of(n); k > 0; k--)
        by /= 1 - u;
    return (by - 1) * (1 + 0x1p-10);
}

static void of_bits(const struct bound_graph *g, struct bound_node *n,
                    bool wider)
{
    for (int64_t i = 0; i < n->units; i++) {
        double far = bound_noise_by_use(g, n, i, wider);
        n->noise[i] = enclosure_of(-far, far);
    }
}

static void of_function(const struct bound_graph *g, struct bound_node *n,
                        const struct goal *local)
{
    struct rule_basis b = rule_basis(g->profile, local);
    bool rounded = bound_noise_rounded(&b, local);
    for (int64_t i = 0; i < n->units; i++) {
        if (n->far[i] == 0)
            continue;
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        double most = most_of(n, local, i);
        double far = rounded ? rounding(&b, n, i, most)
                             : widest(&b, local, n->unit, most);
        if (b.wider)
            far = fmax(far, narrowed(n->unit, bound_node_ulp(n->unit, most)));
        if (local->others)
            far = fmax(far, most * composite_part(n));
        if (!rounded || local->others)
            far = nextafter(far + underflow(n, i), HUGE_VAL);
        far = sum_up(far, bound_noise_by_use(g, n, i, b.wider));
        n->noise[i] = bound_noise_around(far, v, &local->real.y[i]);
    }
}

enum {
    SUM_BITS_LEAST = 16 /* of a type in which partial sums do not saturate */
};

/* Far from the largest number no result overflows. */
static bool is_plain(const struct bound_node *n, const struct goal *local)
{
    double last = bound_node_double(n->unit, real_max(n->unit, false)) / 4;
    if (local->free_units || local->nan_units
        || (local->others && composite_of(n) == 0)
        || !real_has_negative_zero(n->unit)
        || (local->rule == GOAL_SUM
            && dtype_table[n->unit].bits < SUM_BITS_LEAST))
        return false;
    for (int64_t i = 0; i < n->units; i++)
        if (n->far[i] != 0 && !(enclosure_most(n->box[i]) < last))
            return false;
    return true;
}

static struct bound_partials partials_of(const struct bound_node *n, int64_t i)
{
    return n->first ? n->use[i].partials : (struct bound_partials){0, 0};
}

/* The error of a sum in the result's own type has its last rounding, unless
 * another accumulator would be right, too: u times a single product is less
 * than its roundings to f16 and then to bf16. */
static double last_rounding(const struct bound_node *n,
                            const struct rule_basis *b,
                            const struct accept_sum *sum, bool also, double ulp)
{
    if (b->wider)
        return narrowed(n->unit, ulp);
    bool own = sum->accumulator == n->unit && !also;
    return own && sum->roundings > 0 ? 0 : half(ulp);
}

/* accept_accumulation_error, E (M and s as in accept.h), or less: what the
 * terms are off by, and u times what each addition rounds.  That is the
 * computed sum of some terms.  The exact one is no larger than (M + |s|) / 2,
 * to which all terms of its sign come, and the computed one is within E of it.
 */
static void partial_error(mpfr_ptr error, const struct accept_sum *sum,
                          struct bound_partials partials)
{
    ACCEPT_BOUND(all);
    ACCEPT_BOUND(x);
    accept_accumulation_error(error, sum);
    if (sum->additions == 0 || sum->also || sum->roundings == 0
        || sum->growth == ACCEPT_GROWTH_PRODUCT
        || dtype_class(sum->accumulator) != DTYPE_FLOAT)
        return;
    accept_bound_above(all, &sum->magnitude);
    accept_bound_above(x, &sum->sum);
    mpfr_add(all, all, x, MPFR_RNDU);
    mpfr_mul_ui(all, all, (uint64_t)sum->additions, MPFR_RNDU);
    mpfr_div_2ui(all, all, 1, MPFR_RNDU);
    mpfr_mul_ui(x, error, (uint64_t)sum->additions, MPFR_RNDU);
    mpfr_add(all, all, x, MPFR_RNDU);
    if (mpfr_cmp_d(error, partials.off) <= 0
        && mpfr_cmp_d(all, partials.all) > 0)
        mpfr_set_d(all, partials.all, MPFR_RNDU);
    mpfr_mul_2si(all, all, -(int64_t)dtype_table[sum->accumulator].precision,
                 MPFR_RNDU);
    struct accept_sum terms = *sum;
    terms.roundings = sum->term_roundings;
    accept_accumulation_error(x, &terms);
    mpfr_add(all, all, x, MPFR_RNDU);
    mpfr_min(error, error, all, MPFR_RNDU);
}

/* How far a sum of exact numbers, in the result's own type, may be from s;
 * false if its set is not that: a partial product may vanish. */
static bool sum_reach(const struct bound_node *n, int64_t i, mpfr_ptr far)
{
    const struct accept_sum *sum = &n->goal->sum.sums[i];
    if (sum->sum.kind > REAL_FINITE || sum->magnitude.kind > REAL_FINITE
        || sum->growth == ACCEPT_GROWTH_PRODUCT || sum->also
        || sum->accumulator != n->unit || sum->roundings < 2)
        return false;
    partial_error(far, sum, partials_of(n, i));
    return true;
}

bool bound_noise_narrows(const struct bound_graph *g,
                         const struct bound_node *n)
{
    return n->goal->rule == GOAL_SUM && n->goal->sum.sums
           && !rule_basis(g->profile, n->goal).wider && is_plain(n, n->goal);
}

void bound_noise_narrow(struct bound_node *n)
{
    for (int64_t i = 0; i < n->units; i++) {
        ACCEPT_BOUND(far);
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        if (n->far[i] == 0 || !sum_reach(n, i, far))
            continue;
        mpfr_add_d(far, far, underflow(n, i), MPFR_RNDU);
        struct enclosure around =
            enclosure_add(enclosure_point(v),
                          bound_noise_around(mpfr_get_d(far, MPFR_RNDU), v,
                                             &n->goal->sum.sums[i].sum));
        n->box[i].low = fmax(n->box[i].low, fmin(around.low, v));
        n->box[i].high = fmin(n->box[i].high, fmax(around.high, v));
        n->far[i] =
            enclosure_most(enclosure_sub(n->box[i], enclosure_point(v)));
    }
}

static bool of_sum(const struct bound_graph *g, struct bound_node *n,
                   const struct goal *local)
{
    struct rule_basis b = rule_basis(g->profile, local);
    struct literal *low[2], *high[2];
    struct eval ev = n->ev;
    for (int k = 0; k < 2; k++) {
        const struct outcome *o = ev.outcomes[k];
        const char *why;
        low[k] = NULL;
        if (o->goals
            && !interval_goal_ends(g->arena, g->profile, o->goals[0], &low[k],
                                   &high[k], &why))
            return false;
        if (!low[k])
            low[k] = high[k] = o->value;
    }
    const struct accept_sum *bounds = interval_bilinear_bound(&ev, low, high);
    if (!bounds)
        return false;
    n->order = arena_new(g->arena, double, (size_t)n->units + 1);
    for (int64_t i = 0; i < n->units; i++) {
        if (n->far[i] == 0)
            continue;
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        double ulp = widest_ulp(n, i);
        ACCEPT_BOUND(error);
        ACCEPT_BOUND(less);
        accept_accumulation_error(less, &bounds[i]);
        partial_error(error, &bounds[i], partials_of(n, i));
        double far = mpfr_get_d(error, MPFR_RNDU)
                     + last_rounding(n, &b, &bounds[i],
                                     local->sum.sums[i].also != NULL, ulp);
        mpfr_sub(less, less, error, MPFR_RNDU);
        accept_accumulation_order_error(error, &bounds[i]);
        mpfr_sub(error, error, less, MPFR_RNDD);
        n->order[i] = fmax(mpfr_get_d(error, MPFR_RNDD), 0);
        far = nextafter(far + underflow(n, i), HUGE_VAL);
        far = nextafter(far + bound_noise_by_use(g, n, i, b.wider), HUGE_VAL);
        n->noise[i] = bound_noise_around(far, v, &local->sum.sums[i].sum);
    }
    return true;
}

static bool all_finite(const struct bound_node *n, const struct goal *g)
{
    for (int64_t i = 0; i < n->units; i++) {
        const struct real *y = goal_exact(g, i);
        if (!y || (n->far[i] != 0 && y->kind > REAL_FINITE))
            return false;
    }
    return true;
}

bool bound_noise(struct bound_graph *g, struct bound_node *n)
{
    const struct goal *local = n->local.goals[0];
    if (!is_plain(n, local))
        return false;
    switch (local->rule) {
    case GOAL_BITS:
        of_bits(g, n, rule_basis(g->profile, local).wider);
        return true;
    case GOAL_MOVED:
        for (int64_t i = 0; i < n->units; i++)
            n->noise[i] = enclosure_point(0);
        return true;
    case GOAL_REAL:
        if (local->real.either_units
            || (local->real.cancelled_units && !local->real.complex_norm)
            || !local->real.y || !all_finite(n, local))
            return false;
        of_function(g, n, local);
        return true;
    case GOAL_SUM:
        return local->sum.sums && all_finite(n, local) && of_sum(g, n, local);
    case GOAL_CHECK:
        if (!bound_fft(local))
            return false;
        bound_fft_noise(g, n, local);
        return true;
    case GOAL_RANGE:
    case GOAL_FREE:
        break;
    }
    return false;
}
