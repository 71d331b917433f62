/* judge_fast.c - see judge_fast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The host's arithmetic decides only by bounds: what a bound does not decide
 * goes to MPFR.
 */
#include "interp/filter/judge_fast.h"

#include <math.h>
#include <stdlib.h>

#include "interp/base/slow.h"
#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_compare.h"
#include "interp/fast/fast_near.h"
#include "interp/goal/rule.h"
#include "interp/judge/judge_ways.h"
#include "interp/program/op.h"

enum {
    BLOCK = FAST_COMPARE_BLOCK,
    OPEN_SHARE = 4, /* more than 1 unit in this many: not worth it */
};

#define MILLION 1e6
#define EIGHTH  0.125

/* The allowance that decides whether a result is right that is not correctly
 * rounded. */
struct allowance {
    double ulps;      /* of error, at most; 0: nothing is known, or nothing but
                         correct rounding is asked */
    double low, high; /* the function's range, ends rounded inwards */
    enum accept_nan nan;
};

struct sorting {
    struct judge_whole whole;
    const struct fast_kernel *kernel;
    const struct fast_near *near; /* its limit; NULL: none */
    struct fast_compare compare;
    enum dtype unit;
    struct allowance allowance;
    int64_t same, inside, not_numbers;
    int64_t bins[VERDICT_BINS];
    int64_t compared[FAST_COMPARE_BINS];  /* not yet in these */
    int64_t *open, open_count, open_room; /* for judge_value, in order */
    double *most; /* what a block's largest error may be */
    double least; /* the largest error is not below */
};

const struct instruction *judge_fast_single(const struct test_case *c,
                                            const struct fast_kernel **kernel)
{
    const struct instruction *in = judge_part_single(c);
    *kernel = in ? fast_find(in->op->name) : NULL;
    return *kernel && in->operand_count == ((*kernel)->function ? 1 : 2)
                   && fast_compare_takes(in->shape->dtype)
               ? in
               : NULL;
}

/* ---- What the profile allows --------------------------------------------- */

/* Truncated; inf where it is infinite. */
static double number(const struct real *r)
{
    mpfr_t x;
    mpfr_init2(x, 128);
    real_to_mpfr(x, r);
    double d = mpfr_get_d(x, MPFR_RNDZ);
    mpfr_clear(x);
    return d;
}

/* From the goal of one unit, as they do not depend on it. */
static bool find_allowance(struct sorting *s)
{
    struct judge_reference exact;
    const int64_t first = 0;
    const struct test_case *c = judge_part_case(&s->whole, &first, 1);
    if (!c || !judge_part_evaluate(&s->whole, c, true, &exact))
        return false;
    const struct goal *g = judge_ways_goal(s->whole.arena, &exact, 0, 0);
    if (g->rule != GOAL_REAL || !g->real.y || g->real.complex_norm
        || g->real.has_budget)
        return false;
    const struct rule_basis b = rule_basis(s->whole.by->mode.profile, g);
    struct allowance *a = &s->allowance;
    *a = (struct allowance){
        .low = -INFINITY, .high = INFINITY, .nan = b.rules.nan};
    if (b.rules.clip) {
        a->low = number(&b.rules.low);
        a->high = number(&b.rules.high);
    }
    /* XLA's budget is |y| times the type's epsilon, which is not less. */
    bool ulps = b.budget->kind == ACCEPT_ULP || b.budget->kind == ACCEPT_XLA;
    bool rounded = s->kernel->source != NULL;
    if (ulps && b.budget->ulps.kind == REAL_FINITE && !g->real.unit_budgets
        && rounded)
        a->ulps = number(&b.budget->ulps);
    s->compare =
        fast_compare_of(s->unit, rounded ? FAST_ERROR : 0,
                        (b.rules.subnormal & ACCEPT_FLUSH_RESULTS) != 0);
    fast_compare_allow(&s->compare, a->ulps, a->low, a->high);
    return true;
}

/* ---- Sorting ------------------------------------------------------------- */

/* The kinds of units that fast_compare_all leaves open. */
struct look {
    enum {
        LOOK_OPEN, /* here, too */
        LOOK_SAME,
        LOOK_INSIDE, /* another value that is right */
        LOOK_NAN     /* of another kind than the reference's, and right */
    } kind;
    int bin;
    double ulps, margin; /* of its error; -1: not measured */
};

/* A NaN where the function has none, by any rule that does not look at the
 * reference's own. */
static struct look look_at_nan(const struct sorting *s, uint64_t got)
{
    struct look as = {.ulps = -1};
    if (!real_is_nan(s->unit, got))
        return as;
    if (got == real_nan(s->unit, false))
        as.kind = LOOK_SAME;
    else if (s->allowance.nan == ACCEPT_NAN_ANY
             || (s->allowance.nan == ACCEPT_NAN_QUIET
                 && !real_is_signalling(s->unit, got)))
        as.kind = LOOK_NAN;
    return as;
}

/* Is it well inside the budget and the function's range? */
static bool is_allowed(const struct sorting *s, double got, double ulps)
{
    return got >= s->allowance.low && got <= s->allowance.high
           && ulps < s->allowance.ulps * (1 - 0x1p-20);
}

/* Classifies a number whose error is known to a margin. */
static struct look look_by(const struct sorting *s, double v, double got,
                           double ulps, double margin)
{
    /* MPFR's value is cut off at 64 bits, so of 24 the error that is reported
     * is within 2^-40 ulp of the true one, and a bin's edge may lie between
     * them. */
    struct look as = {.margin = margin + ulps * 0x1p-49 + 0x1p-39, .ulps = -1};
    double above = ulps + as.margin, below = ulps - as.margin;
    /* Millionths are rounded to nearest before they are put into bins. */
    int bin = verdict_bin((int64_t)(below * MILLION + 0.5));
    if (bin != verdict_bin((int64_t)(above * MILLION + 0.5)))
        return as;
    if (above < 0.5)
        as.kind = LOOK_SAME;
    else if (below > 0.5 && is_allowed(s, got, above))
        as.kind = LOOK_INSIDE;
    as.bin = got < v ? -bin : bin;
    as.ulps = ulps;
    return as;
}

/* A number next to the function's value, far from all that is special; closely:
 * by the function's limit, if it is near one. */
static struct look look_near(const struct sorting *s, double x, double v,
                             double got, bool closely)
{
    const struct fast_compare *c = &s->compare;
    struct look as = {.ulps = -1};
    double m = fabs(v), near = c->error + 0x1p-52, ulps, margin;
    double low = m * (1 - near), high = m * (1 + near);
    uint64_t e = fast_bits(low) >> FAST_FRACTION;
    if (!(low >= 2 * c->normal && high <= c->max / 2)
        || !(fabs(got) >= c->normal) || !(fabs(got) <= c->max)
        || signbit(v) != signbit(got))
        return as;
    if (fast_bits(high) >> FAST_FRACTION == e) {
        double per_ulp =
            fast_double((2 * FAST_BIAS - e) << FAST_FRACTION) * c->scale;
        as = look_by(s, v, got, fabs(got - v) * per_ulp, c->margin);
    }
    if ((closely || as.kind == LOOK_OPEN) && s->near
        && fast_near_error(s->near, x, got, dtype_table[s->unit].precision,
                           &ulps, &margin))
        as = look_by(s, v, got, ulps, margin);
    return as;
}

static struct look look_at(const struct sorting *s, int64_t unit, double x,
                           double v, double got)
{
    struct look as = {.ulps = -1};
    /* A kernel cannot tell signalling NaNs from quiet ones. */
    if (isinf(x) || (isnan(x) && !isnan(v)))
        return as;
    if (isnan(v))
        return look_at_nan(s, literal_get(s->whole.got, unit));
    if (isinf(v)) {
        as.kind = v == got ? LOOK_SAME : LOOK_OPEN;
        return as;
    }
    return x != 0 ? look_near(s, x, v, got, false) : as;
}

/* A block of units, as numbers and compared. */
struct block {
    FAST_COMPARE_ALIGNED double x[BLOCK], y[BLOCK], v[BLOCK], got[BLOCK];
    struct fast_compare_block compared;
};

static void read(const struct sorting *s, const struct literal *from,
                 int64_t at, int n, double *to)
{
    fast_compare_read(s->unit, from->data + at * dtype_unit_bytes(s->unit), n,
                      to);
}

static int length_of(const struct sorting *s, int64_t from)
{
    int64_t rest = literal_units(s->whole.x) - from;
    return rest < BLOCK ? (int)rest : BLOCK;
}

static void compare_block(const struct sorting *s, int64_t from,
                          struct block *b)
{
    int n = length_of(s, from);
    read(s, s->whole.x, from, n, b->x);
    read(s, s->whole.got, from, n, b->got);
    if (s->whole.y) {
        read(s, s->whole.y, from, n, b->y);
        s->kernel->function2(b->x, b->y, b->v, n);
        fast_compare_larger(b->x, b->y, n);
    } else {
        s->kernel->function(b->x, b->v, n);
    }
    fast_compare_all(&s->compare, b->x, b->v, b->got, n, &b->compared);
}

static bool is_open(const struct block *b, int i)
{
    return fast_compare_place(&b->compared, i) == FAST_COMPARE_OPEN;
}

static void leave_open(struct sorting *s, int64_t unit)
{
    ARENA_GROW(s->whole.arena, s->open, s->open_count, s->open_room);
    s->open[s->open_count++] = unit;
}

/* Or, with -1, do as though it had not been counted. */
static void count_look(struct sorting *s, const struct look *as, int one)
{
    s->same += as->kind == LOOK_SAME ? one : 0;
    s->inside += as->kind == LOOK_SAME ? 0 : one;
    s->not_numbers += as->kind == LOOK_NAN ? one : 0;
    s->bins[as->bin - VERDICT_BIN_FIRST] += one;
}

/* Examine what a block left open; false if that is too much. */
static bool sort_open(struct sorting *s, int64_t from, const struct block *b,
                      double *most)
{
    for (int i = 0, n = length_of(s, from); i < n; i++) {
        if (!is_open(b, i))
            continue;
        struct look as = look_at(s, from + i, b->x[i], b->v[i], b->got[i]);
        if (as.kind == LOOK_OPEN) {
            if (s->open_count >= literal_units(s->whole.x) / OPEN_SHARE)
                return false;
            leave_open(s, from + i);
            continue;
        }
        count_look(s, &as, 1);
        if (as.ulps < 0)
            continue;
        *most = fmax(*most, as.ulps + as.margin);
        s->least = fmax(s->least, as.ulps - as.margin);
    }
    return true;
}

/* Where the function has no value at any of a block's units.  False if one of
 * them is to be examined by itself. */
static bool sort_nan(struct sorting *s, const struct block *b, int n)
{
    const uint32_t quiet = (uint32_t)real_nan(s->unit, false);
    const uint64_t beyond = fast_bits(FAST_INFINITY);
    int64_t same = 0, not_numbers = 0, infinite = 0;
    double due;
    fast_compare_read(s->unit, (const unsigned char *)&quiet, 1, &due);
    for (int i = 0; i < n; i++) {
        same += fast_bits(b->got[i]) == fast_bits(due);
        not_numbers += fast_bits(fast_abs(b->got[i])) > beyond;
        infinite += fast_bits(fast_abs(b->x[i])) == beyond;
    }
    if (infinite > 0 || not_numbers < n
        || (same < n && s->allowance.nan != ACCEPT_NAN_ANY))
        return false;
    s->same += same;
    s->inside += n - same;
    s->not_numbers += n - same;
    s->bins[-VERDICT_BIN_FIRST] += n;
    return true;
}

static bool sort_block(struct sorting *s, int64_t from, struct block *b,
                       double *most)
{
    const double margin = s->compare.margin;
    int n = length_of(s, from);
    compare_block(s, from, b);
    *most = -1;
    if (b->compared.nan && sort_nan(s, b, n))
        return true;
    fast_compare_count(&b->compared, n, s->compared);
    if (b->compared.most >= 0) {
        *most = b->compared.most * EIGHTH + margin;
        s->least = fmax(s->least, b->compared.most * EIGHTH - margin);
    }
    return !b->compared.open || sort_open(s, from, b, most);
}

static void add_compared(struct sorting *s)
{
    for (int i = 0; i < FAST_COMPARE_BINS; i++) {
        int bin = i - FAST_COMPARE_MOST;
        bool same = abs(bin) <= FAST_COMPARE_BIN;
        s->bins[bin - VERDICT_BIN_FIRST] += s->compared[i];
        s->same += same ? s->compared[i] : 0;
        s->inside += same ? 0 : s->compared[i];
    }
}

static bool sort_all(struct sorting *s)
{
    int64_t n = literal_units(s->whole.x);
    struct block b;
    s->least = -1;
    s->most =
        arena_alloc(s->whole.arena, (size_t)(n / BLOCK + 1) * sizeof *s->most);
    for (int64_t i = 0; i < n; i += BLOCK)
        if (!sort_block(s, i, &b, &s->most[i / BLOCK]))
            return false;
    add_compared(s);
    return true;
}

/* ---- The largest error --------------------------------------------------- */

/* A unit whose error may be the largest: that, rounded to millionths, is one
 * of low to high. */
struct candidate {
    int64_t unit, low, high;
    struct look as; /* how it was counted */
};

struct candidates {
    struct candidate *list;
    int64_t count, room, low; /* the largest one is not below */
    bool found;               /* the list has one that is not, either */
};

/* The first of several units with equal errors is reported. */
static bool may_be_first(const struct candidates *all, int64_t high)
{
    return high > all->low || (high == all->low && !all->found);
}

static int64_t millionths(double ulps)
{
    return (int64_t)floor(ulps * MILLION + 0.5);
}

static struct look counted_as(const struct sorting *s, int64_t unit,
                              const struct block *b, int i)
{
    if (is_open(b, i))
        return look_at(s, unit, b->x[i], b->v[i], b->got[i]);
    int bin = fast_compare_bin(fast_compare_place(&b->compared, i));
    double ulps = b->compared.eighths[i] * EIGHTH;
    return (struct look){abs(bin) <= FAST_COMPARE_BIN ? LOOK_SAME : LOOK_INSIDE,
                         bin, ulps, s->compare.margin};
}

static void add_candidate(const struct sorting *s, int64_t unit,
                          const struct block *b, int i, struct candidates *to)
{
    struct look as = counted_as(s, unit, b, i);
    if (as.kind == LOOK_OPEN || as.ulps < 0
        || !may_be_first(to, millionths(as.ulps + as.margin)))
        return;
    struct look closer =
        s->near ? look_near(s, b->x[i], b->v[i], b->got[i], true) : as;
    if (closer.ulps < 0)
        closer = as;
    struct candidate c = {unit, millionths(closer.ulps - closer.margin),
                          millionths(closer.ulps + closer.margin), as};
    if (!may_be_first(to, c.high))
        return;
    to->found |= c.low >= to->low;
    to->low = c.low > to->low ? c.low : to->low;
    ARENA_GROW(s->whole.arena, to->list, to->count, to->room);
    to->list[to->count++] = c;
}

/* All in order that may be the first one with the largest error. */
static struct candidates find_candidates(const struct sorting *s)
{
    int64_t n = literal_units(s->whole.x);
    struct candidates all = {.low = s->least < 0 ? 0 : millionths(s->least)};
    struct block b;
    for (int64_t i = 0; i < n; i += BLOCK) {
        if (!may_be_first(&all, millionths(s->most[i / BLOCK])))
            continue;
        compare_block(s, i, &b);
        for (int k = 0; k < length_of(s, i); k++)
            add_candidate(s, i + k, &b, k, &all);
    }
    return all;
}

/* Leave open, too, what may have the largest error: of the units that have it
 * the first is reported, so once one surely has it no later one can be, but for
 * those that may have more. */
static void open_largest(struct sorting *s)
{
    struct candidates c = find_candidates(s);
    const int64_t *before = s->open, left = s->open_count;
    int64_t at = 0;
    bool found = false;
    s->open = NULL;
    s->open_count = s->open_room = 0;
    for (int64_t i = 0; i < c.count; i++) {
        const struct candidate *one = &c.list[i];
        if (one->high < c.low + found)
            continue;
        while (at < left && before[at] < one->unit)
            leave_open(s, before[at++]);
        leave_open(s, one->unit);
        count_look(s, &one->as, -1);
        found |= one->low == c.low;
    }
    while (at < left)
        leave_open(s, before[at++]);
}

/* ---- Putting together ---------------------------------------------------- */

static void add_sorted(const struct sorting *s, struct verdict *v)
{
    int64_t units = s->same + s->inside;
    v->units += units;
    v->correct += s->same + s->not_numbers;
    v->branch[VERDICT_SAME] += s->same;
    v->branch[VERDICT_INSIDE] += s->inside;
    for (int i = 0; i < VERDICT_BINS; i++)
        v->bins[i] += s->bins[i];
    v->leaves = NULL;
    v->leaf_count = 0;
}

bool judge_fast(const struct judge_value *by, const struct judge_given *given,
                struct verdict *v, struct judge_reference *reference,
                enum verdict_status *status, char *text, size_t size)
{
    struct sorting s = {.whole = {.by = by, .arena = by->arena}};
    struct literal *got;
    if (slow() || !by->bins || by->mode.evaluate || by->mode.inputs
        || !fast_is_ieee()
        || !(s.whole.in = judge_fast_single(by->made, &s.kernel)))
        return false;
    s.whole.x = by->made->inputs[0][0];
    s.near = s.kernel->function ? fast_near_find(s.kernel->op) : NULL;
    s.whole.y = s.kernel->function2 ? by->made->inputs[0][1] : NULL;
    s.unit = s.whole.in->shape->dtype;
    /* Only the shape of the expected result is needed. */
    struct literal *shape = arena_new(s.whole.arena, struct literal, 1);
    shape->shape = s.whole.in->shape;
    if (literal_units(s.whole.x) == 0
        || !verdict_layout(s.whole.arena, shape, &given->got, &got, text, size))
        return false;
    s.whole.got = got;
    if (!find_allowance(&s) || !sort_all(&s))
        return false;
    open_largest(&s);
    if (!judge_part(&s.whole, given, s.open, s.open_count, v))
        return false;
    add_sorted(&s, v);
    *reference = (struct judge_reference){
        .outcomes = arena_new(s.whole.arena, struct outcome, 1), .replicas = 1};
    reference->outcomes[0].value = shape;
    *status = verdict_end(v, by->mode.profile, text, size);
    return true;
}
