/* judge_fast.c - see judge_fast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The host's arithmetic decides nothing here but by bounds: what a bound does
 * not decide goes to MPFR.
 */
#include "interp/judge/judge_fast.h"

#include <math.h>
#include <string.h>

#include "interp/base/slow.h"
#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_compare.h"
#include "interp/judge/judge_ways.h"
#include "interp/judge/verdict_set.h"
#include "interp/program/op.h"

enum {
    BLOCK = 512,
    OPEN_SHARE = 4, /* more than 1 unit in so many: not worth it */
};

#define MILLION 1e6

/* What decides whether a result that is not correctly rounded is right. */
struct allowance {
    double ulps;      /* of error, at most; 0: nothing is known, and of two
                         operands nothing but correct rounding is asked */
    double low, high; /* the function's range, ends rounded inwards */
    enum accept_nan nan;
};

struct sorting {
    const struct judge_value *by;
    struct arena *arena;
    const struct instruction *in;
    const struct fast_kernel *kernel;
    struct fast_compare compare;
    const struct literal *x, *y, *got; /* y: NULL if there is one operand */
    enum dtype unit;
    struct allowance allowance;
    double record; /* a larger error may be the largest one */
    int64_t same, inside, not_numbers;
    int64_t bins[VERDICT_BINS];
    struct fast_compare_bins small; /* of what fast_compare_all decided */
    int64_t *open, open_count;      /* units for judge_value, in order */
};

/* ---- The same case, of some of its units --------------------------------- */

/* The instruction that the case is, if it is a single one and has a kernel. */
static const struct instruction *find_single(const struct test_case *c,
                                             const struct fast_kernel **kernel)
{
    const struct program *p = c->program;
    const struct computation *e = p ? p->entry : NULL;
    if (!e || p->computation_count != 1 || p->entries || c->replicas > 1
        || c->partitions > 1 || c->expect_count != 0 || c->input_count > 2
        || e->count != c->input_count + 1
        || e->parameter_count != c->input_count)
        return NULL;
    const struct instruction *in = e->instructions[e->root];
    *kernel = fast_find(in->op->name);
    if (!*kernel || !in->op->elementwise || !in->shape
        || in->operand_count != ((*kernel)->function ? 1 : 2)
        || c->input_count != in->operand_count || in->shape->rank != 1
        || !fast_compare_takes(in->shape->dtype)
        || shape_has_dynamic(in->shape))
        return NULL;
    for (int i = 0; i < in->operand_count; i++)
        if (in->operands[i] != e->parameters[i]
            || !shape_equal(c->inputs[0][i]->shape, in->shape))
            return NULL;
    return in;
}

static struct literal *pick(struct arena *a, const struct literal *from,
                            const int64_t *units, int64_t count)
{
    struct literal *l =
        literal_new(a, shape_array(a, from->shape->dtype, 1, &count));
    for (int64_t i = 0; i < count; i++)
        literal_set(l, i, literal_get(from, units[i]));
    return l;
}

/* The case of these units alone. */
static struct test_case *part_of(const struct sorting *s, const int64_t *units,
                                 int64_t count)
{
    struct arena *a = s->arena;
    struct test_case *c = arena_new(a, struct test_case, 1);
    struct status st = {0};
    *c = *s->by->made;
    c->inputs = arena_new(a, struct literal **, 1);
    c->inputs[0] = arena_new(a, struct literal *, 2);
    c->program = program_new(a, s->by->mode.limits);
    struct computation *main = program_computation(c->program, "main");
    int *operands = arena_new(a, int, 2);
    for (int k = 0; k < c->input_count; k++) {
        struct literal *l = pick(a, k == 0 ? s->x : s->y, units, count);
        c->inputs[0][k] = l;
        operands[k] = program_parameter(c->program, main, k, l->shape);
    }
    program_add(c->program, main, s->in->name, s->in->op, c->input_count,
                operands, s->in->attribute_count, s->in->attributes, NULL);
    c->program->entry = main;
    return program_infer(c->program, &st) ? c : NULL;
}

static bool evaluate_part(const struct sorting *s, const struct test_case *c,
                          bool want_exact, struct judge_reference *r)
{
    struct judge_mode mode = s->by->mode;
    struct status st = {0};
    mode.want_exact = want_exact;
    return judge_reference(s->arena, c, &mode, r, &st);
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
    const struct test_case *c = part_of(s, &first, 1);
    if (!c || !evaluate_part(s, c, true, &exact))
        return false;
    const struct goal *g = judge_ways_goal(s->arena, &exact, 0, 0);
    if (g->rule != GOAL_REAL || !g->y || g->complex_norm || g->has_budget)
        return false;
    const struct verdict_set_basis b =
        verdict_set_basis(s->by->mode.profile, g);
    struct allowance *a = &s->allowance;
    *a = (struct allowance){
        .low = -INFINITY, .high = INFINITY, .nan = b.rules.nan};
    if (b.rules.clip) {
        a->low = number(&b.rules.low);
        a->high = number(&b.rules.high);
    }
    /* XLA's budget is |y| times the type's epsilon, which is not less. */
    bool ulps = b.budget->kind == ACCEPT_ULP || b.budget->kind == ACCEPT_XLA;
    if (ulps && b.budget->ulps.kind == REAL_FINITE && !g->unit_budgets
        && s->kernel->function)
        a->ulps = number(&b.budget->ulps);
    s->compare =
        fast_compare_of(s->unit, s->kernel->function ? FAST_ERROR : 0,
                        (b.rules.subnormal & ACCEPT_FLUSH_RESULTS) != 0);
    return true;
}

/* ---- Sorting ------------------------------------------------------------- */

/* Is unit i, which has that error, surely no larger than one before it?  If
 * not, it must be the next one that is left open. */
static bool is_record(struct sorting *s, double ulps)
{
    double margin = s->compare.margin;
    if (ulps <= s->record)
        return false;
    /* What is due to be reported is rounded to millionths. */
    double least = floor((ulps - margin) * MILLION + 0.5);
    double next = (least + 0.499) / MILLION - margin;
    s->record = next > s->record ? next : s->record;
    return true;
}

static void count_bin(struct sorting *s, int bin)
{
    s->bins[bin - VERDICT_BIN_FIRST]++;
}

/* A NaN where the function has none, by any rule that does not look at the
 * reference's own. */
static bool take_nan(struct sorting *s, uint64_t got)
{
    bool good = false;
    if (!real_is_nan(s->unit, got))
        return false;
    switch (s->allowance.nan) {
    case ACCEPT_NAN_ANY:
        good = true;
        break;
    case ACCEPT_NAN_QUIET:
        good = !real_is_signalling(s->unit, got);
        break;
    case ACCEPT_NAN_CANONICAL:
    case ACCEPT_NAN_PAYLOAD:
        break;
    }
    if (got == real_nan(s->unit, false))
        s->same++;
    else if (good)
        s->inside++;
    else
        return false;
    s->not_numbers += got != real_nan(s->unit, false);
    count_bin(s, 0);
    return true;
}

/* A number next to the correctly rounded one, well inside the budget and the
 * function's range, and far from all that is special. */
static bool take_near(struct sorting *s, double v, double got)
{
    const struct fast_compare *c = &s->compare;
    double m = fabs(v), near = c->error + 0x1p-52;
    double low = m * (1 - near), high = m * (1 + near);
    uint64_t e = fast_bits(low) >> FAST_FRACTION;
    if (!(low >= 2 * c->normal && high <= c->max / 2)
        || fast_bits(high) >> FAST_FRACTION != e || !(fabs(got) >= c->normal)
        || !(fabs(got) <= c->max) || signbit(v) != signbit(got)
        || got < s->allowance.low || got > s->allowance.high)
        return false;
    double per_ulp =
        fast_double((2 * FAST_BIAS - e) << FAST_FRACTION) * c->scale;
    double ulps = fabs(got - v) * per_ulp;
    if (!(ulps + c->margin < s->allowance.ulps * (1 - 0x1p-20)))
        return false;
    double below = (ulps - c->margin) * MILLION + 0.5,
           above = (ulps + c->margin) * MILLION + 0.5;
    int bin = verdict_bin((int64_t)below);
    if (below < 1 || bin != verdict_bin((int64_t)above) || is_record(s, ulps))
        return false;
    s->inside++;
    count_bin(s, got < v ? -bin : bin);
    return true;
}

/* What fast_compare_all did not decide. */
static bool take(struct sorting *s, int64_t i, double x, double v, double got)
{
    uint64_t bits = literal_get(s->got, i);
    if (isinf(x))
        return false;
    if (isnan(v))
        return take_nan(s, bits);
    if (isinf(v)) {
        if (v != got)
            return false;
        s->same++;
        count_bin(s, 0);
        return true;
    }
    return x != 0 && take_near(s, v, got);
}

static void read(const struct sorting *s, const struct literal *from,
                 int64_t at, int n, double *to)
{
    fast_compare_read(s->unit, from->data + at * dtype_unit_bytes(s->unit), n,
                      to);
}

static bool sort_block(struct sorting *s, int64_t from, int n)
{
    double x[BLOCK], y[BLOCK], v[BLOCK], got[BLOCK], ulps[BLOCK];
    double bin[BLOCK];
    read(s, s->x, from, n, x);
    read(s, s->got, from, n, got);
    if (s->y) {
        read(s, s->y, from, n, y);
        s->kernel->function2(x, y, v, n);
        fast_compare_larger(x, y, n);
    } else {
        s->kernel->function(x, v, n);
    }
    fast_compare_all(&s->compare, x, v, got, n, bin, ulps);
    for (int i = 0;; i++) {
        i = fast_compare_count(bin, ulps, s->record, i, n, &s->small);
        if (i >= n)
            return true;
        if (bin[i] == FAST_COMPARE_LOOK) {
            if (take(s, from + i, x[i], v[i], got[i]))
                continue;
        } else {
            is_record(s, ulps[i]);
        }
        if (s->open_count >= literal_units(s->x) / OPEN_SHARE)
            return false;
        s->open[s->open_count++] = from + i;
    }
}

static bool sort_all(struct sorting *s)
{
    int64_t n = literal_units(s->x);
    s->record = -0.5;
    s->open = arena_alloc(s->arena, (size_t)n / OPEN_SHARE * sizeof *s->open
                                        + sizeof *s->open);
    for (int64_t i = 0; i < n; i += BLOCK)
        if (!sort_block(s, i, n - i < BLOCK ? (int)(n - i) : BLOCK))
            return false;
    for (int b = -FAST_COMPARE_BIN; b <= FAST_COMPARE_BIN; b++)
        for (int k = 0; k < FAST_COMPARE_LANES; k++) {
            int64_t count = s->small.count[b + FAST_COMPARE_BIN][k];
            s->bins[b - VERDICT_BIN_FIRST] += count;
            s->same += count;
        }
    return true;
}

/* ---- Putting together ---------------------------------------------------- */

/* Judge the open units as a case of their own; v speaks of the whole. */
static bool judge_open(const struct sorting *s, const struct judge_given *given,
                       struct verdict *v)
{
    int64_t n = s->open_count;
    struct judge_reference plain;
    struct judge_value by = *s->by;
    struct judge_given part = *given;
    enum verdict_status status;
    char text[sizeof v->why];
    v->bins = arena_new(s->arena, int64_t, VERDICT_BINS);
    if (n == 0)
        return true;
    const struct literal *got = pick(s->arena, s->got, s->open, n);
    part.got.dims = part.got.sizes = &n;
    part.got.bytes = part.got.held =
        (uint64_t)n * (uint64_t)dtype_unit_bytes(s->unit);
    part.got.data = got->data;
    by.made = part_of(s, s->open, n);
    by.plain = &plain;
    if (!by.made || !evaluate_part(s, by.made, false, &plain)
        || !judge_value(&by, &part, 1, v, &status, text, sizeof text))
        return false;
    v->error.unit = v->error.has ? s->open[v->error.unit] : 0;
    for (int i = 0; i < v->wrong_count; i++)
        v->wrong[i].unit = s->open[v->wrong[i].unit];
    return true;
}

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
                int count, struct verdict *v, struct judge_reference *reference,
                enum verdict_status *status, char *text, size_t size)
{
    struct sorting s = {.by = by, .arena = by->arena};
    struct literal *got;
    if (slow() || !by->bins || count != 1 || by->mode.evaluate
        || by->mode.inputs || by->stub || !fast_is_ieee()
        || !(s.in = find_single(by->made, &s.kernel)))
        return false;
    s.x = by->made->inputs[0][0];
    s.y = s.kernel->function2 ? by->made->inputs[0][1] : NULL;
    s.unit = s.in->shape->dtype;
    /* Of what is due the shape is asked for alone. */
    struct literal *shape = arena_new(s.arena, struct literal, 1);
    shape->shape = s.in->shape;
    if (literal_units(s.x) == 0
        || !verdict_layout(s.arena, shape, &given->got, &got, text, size))
        return false;
    s.got = got;
    if (!find_allowance(&s) || !sort_all(&s) || !judge_open(&s, given, v))
        return false;
    add_sorted(&s, v);
    *reference = (struct judge_reference){
        .outcomes = arena_new(s.arena, struct outcome, 1), .replicas = 1};
    reference->outcomes[0].value = shape;
    *status = verdict_end(v, by->mode.profile, text, size);
    return true;
}
