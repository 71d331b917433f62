/* elementwise.c - see elementwise.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One instruction goes through infer (its shape), then eval: make_goal says how
 * the result is judged, elementwise_each walks over the elements, and
 * do_element gives one to the function of its class.  do_fast does the same
 * for a whole array where the processor's arithmetic is exact enough.
 */
#include "interp/ops/elementwise.h"

#include <assert.h>
#include <string.h>

#include "interp/exact/enclose.h"
#include "interp/ops/monoid.h"
#include "interp/program/attribute.h"
#include "interp/program/memo.h"

/* ---- Shapes -------------------------------------------------------------- */

bool elementwise_infer_as(struct infer *in, enum dtype dtype, struct status *st)
{
    const struct shape *s = in->operands[0];
    TRY(infer_array(in, dtype, s->rank, s->dims, st));
    if (shape_has_dynamic(s))
        in->result =
            shape_dynamic(in->arena, dtype, s->rank, s->dims, s->dynamic);
    return true;
}

static enum dtype component_of(enum dtype t, enum elementwise_result kind)
{
    switch (kind) {
    case ELEMENTWISE_PRED:
        return DT_pred;
    case ELEMENTWISE_COMPONENT:
        return dtype_unit(t);
    case ELEMENTWISE_COMPLEX:
        for (int c = 0; c < DT_COUNT; c++)
            if (dtype_class((enum dtype)c) == DTYPE_COMPLEX
                && dtype_unit((enum dtype)c) == t)
                return (enum dtype)c;
        return DT_COUNT;
    case ELEMENTWISE_SAME:
    default:
        return t;
    }
}

static bool allows(const struct elementwise *e, enum dtype t)
{
    switch (dtype_class(t)) {
    case DTYPE_PRED:
        return e->pred;
    case DTYPE_SINT:
    case DTYPE_UINT:
        return e->integer;
    case DTYPE_FLOAT: /* special alone is not a function: it handles exceptions
                       */
        return e->exact || e->real || e->real2;
    case DTYPE_COMPLEX:
    default:
        return e->parts || e->complex;
    }
}

bool elementwise_infer(struct infer *in, struct status *st)
{
    const struct elementwise *e = in->op->elementwise;
    enum dtype t = in->operands[0]->dtype;

    for (int i = 0; i < in->count; i++) {
        const struct shape *s = in->operands[i];
        if (s->kind != SHAPE_ARRAY)
            return FAIL(st, TYPE, "%s: operand %d is %s, not an array",
                        in->op->name, i, shape_text(in->arena, s));
        /* The documents give both operands one type T; precision too. */
        if (s->dtype != t)
            return FAIL(
                st, TYPE,
                "%s: operand 0 is %s, operand %d %s; expected the same type",
                in->op->name, dtype_table[t].name, i,
                dtype_table[s->dtype].name);
    }
    enum dtype result = component_of(t, e->result);
    if (!allows(e, t) || result == DT_COUNT)
        return FAIL(st, TYPE, "%s is not defined for %s", in->op->name,
                    dtype_table[t].name);
    if (e->equal_sizes && !shape_same_dims(in->operands[0], in->operands[1]))
        return FAIL(st, SHAPE,
                    "%s: operands are %s and %s; expected equal "
                    "dimensions",
                    in->op->name, shape_text(in->arena, in->operands[0]),
                    shape_text(in->arena, in->operands[1]));
    if (e->arity == 2)
        return broadcast_infer(in, result, st);
    return elementwise_infer_as(in, result, st);
}

bool elementwise_sizes(struct eval *ev, struct literal *value,
                       struct status *st)
{
    /* Sizes of dynamic dimensions are data: whether those of two operands agree
     * is known only now.  No document specifies the result if they differ. */
    int rank = value->shape->rank;
    bool found[SHAPE_RANK_MAX] = {false};

    for (int d = 0; value->sizes && d < rank; d++)
        value->sizes[d] = value->shape->dims[d];
    for (int k = 0; value->sizes && k < ev->count; k++) {
        const struct literal *l = ev->operands[k];
        int64_t where[SHAPE_RANK_MAX];
        if (!l->sizes)
            continue;
        broadcast_place(ev->in, l->shape, rank, where);
        for (int i = 0; i < l->shape->rank; i++) {
            int64_t *size = &value->sizes[where[i]];
            if (!l->shape->dynamic[i])
                continue;
            if (found[where[i]] && *size != l->sizes[i])
                return FAIL(st, UNSUPPORTED,
                            "inadmissible: operands have %lld and %lld "
                            "elements in dynamic dimension %lld",
                            (long long)*size, (long long)l->sizes[i],
                            (long long)where[i]);
            *size = l->sizes[i];
            found[where[i]] = true;
        }
    }
    return true;
}

/* ---- Walking ------------------------------------------------------------- */

/* Is operand k read in order (step 1) or one element (step 0)?  Else -1. */
static int simple_step(const struct shape *operand, const struct shape *result)
{
    if (operand->rank == 0)
        return 0;
    return shape_same_dims(operand, result) ? 1 : -1;
}

/* Operands whose dimensions go to others of the result. */
static void walk_broadcast(const struct eval *ev, const struct shape *result,
                           elementwise_body *body, void *context)
{
    int64_t count = shape_elements(result), at[3] = {0};
    int64_t strides[3][SHAPE_RANK_MAX], index[SHAPE_RANK_MAX] = {0};

    for (int k = 0; k < ev->count; k++)
        broadcast_strides(ev->in, ev->operands[k]->shape, result, strides[k]);
    for (int64_t i = 0; i < count; i++) {
        body(context, i, at);
        /* The next index, the last dimension fastest.  An operand that lacks a
         * dimension has stride 0 there, and reads the same element again. */
        for (int d = result->rank - 1; d >= 0; d--) {
            index[d]++;
            for (int k = 0; k < ev->count; k++)
                at[k] += strides[k][d];
            if (index[d] < result->dims[d])
                break;
            for (int k = 0; k < ev->count; k++)
                at[k] -= strides[k][d] * index[d];
            index[d] = 0;
        }
    }
}

void elementwise_each(const struct eval *ev, const struct shape *result,
                      elementwise_body *body, void *context)
{
    int64_t count = shape_elements(result), at[3] = {0};
    int step[3] = {0};
    bool simple = true;

    /* Most instructions need no index: operands of the result's dimensions, or
     * scalars. */
    assert(ev->count <= 3);
    for (int k = 0; k < ev->count; k++) {
        step[k] = simple_step(ev->operands[k]->shape, result);
        simple &= step[k] >= 0;
    }
    if (!simple) {
        walk_broadcast(ev, result, body, context);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        body(context, i, at);
        for (int k = 0; k < 3; k++)
            at[k] += step[k];
    }
}

/* ---- One element --------------------------------------------------------- */

bool elementwise_any_nan(enum dtype unit, const uint64_t *x, int n)
{
    for (int i = 0; i < n; i++)
        if (real_is_nan(unit, x[i]))
            return true;
    return false;
}

bool elementwise_any_signalling(enum dtype unit, const uint64_t *x, int n)
{
    for (int i = 0; i < n; i++)
        if (real_is_signalling(unit, x[i]))
            return true;
    return false;
}

/* Is an operand one for which IEEE 754 and C11 (F.10) list exact values? */
static bool any_special(enum dtype unit, const uint64_t *x, int n)
{
    for (int i = 0; i < n; i++)
        if (real_is_zero(unit, x[i]) || real_is_inf(unit, x[i]))
            return true;
    return false;
}

/* A result that is a pattern, with the freedom that the function left in the
 * job, which is used up. */
static void put_bits(struct elementwise_job *j, int64_t unit, uint64_t bits)
{
    goal_bits(j->goal, unit, bits);
    if (j->free)
        goal_free_unit(j->goal, unit);
    if (j->also)
        goal_or(j->goal, unit, j->also_bits);
    j->free = j->also = false;
}

static void put_real(struct elementwise_job *j, int64_t unit,
                     const struct real *y)
{
    if (j->what->exact_real && j->goal->rule != GOAL_REAL)
        put_bits(j, unit, real_round(y, j->result, j->goal->overflow));
    else
        goal_real(j->goal, unit, y);
}

/* A real function of operands that are not NaN. */
static struct memo_value compute(struct elementwise_job *j, const uint64_t *x)
{
    const struct elementwise *e = j->what;
    int ternary;
    real_bits_to_mpfr(j->x, j->unit, x[0]);
    if (e->arity == 2) {
        real_bits_to_mpfr(j->x2, j->unit, x[1]);
        /* Towards zero, with the sign of what was cut off: enough to round once
         * to any narrower type (real.h). */
        ternary = e->real2(j->y, j->x, j->x2, MPFR_RNDZ);
    } else {
        ternary = e->real(j->y, j->x, MPFR_RNDZ);
    }
    if (ternary == ENCLOSE_UNDECIDED)
        j->goal->undecided++;
    struct real y = real_from_mpfr(j->y, ternary);
    if (y.kind == REAL_NAN)
        y.negative = false; /* the canonical one */
    return (struct memo_value){y, ternary == 0};
}

static struct memo_value value_of(struct elementwise_job *j, const uint64_t *x)
{
    struct memo *memo = j->ev->machine->memo;
    if (!memo)
        return compute(j, x);
    const struct memo_key key = {
        j->what, {x[0], j->what->arity == 2 ? x[1] : 0}, j->unit};
    const struct memo_value *known = memo_find(memo, &key);
    if (known)
        return *known;
    int64_t undecided = j->goal->undecided;
    struct memo_value y = compute(j, x);
    if (j->goal->undecided == undecided)
        memo_put(memo, &key, &y);
    return y;
}

/* The order matters: special goes first, because pow(x, 0) is 1 for NaN, too;
 * then NaN operands, so that MPFR never sees one. */
static void do_real(struct elementwise_job *j, int64_t unit, const uint64_t *x)
{
    const struct elementwise *e = j->what;
    uint64_t bits;

    if (e->special && e->special(j, x, &bits)) {
        put_bits(j, unit, bits);
        /* By policy function.special-value no budget is around it. */
        if (j->special_exact)
            goal_exact_unit(j->goal, unit);
        return;
    }
    if (elementwise_any_nan(j->unit, x, e->arity)) {
        put_bits(j, unit, real_nan(j->result, false));
        return;
    }
    int64_t undecided = j->goal->undecided;
    struct memo_value y = value_of(j, x);
    put_real(j, unit, &y.y);
    if (j->goal->undecided != undecided)
        goal_free_unit(j->goal, unit);
    /* exp(0) is 1 exactly; exp(1), of an operand that is not special, has a
     * budget even where it happens to be exact. */
    if (j->special_exact && y.exact && any_special(j->unit, x, e->arity))
        goal_exact_unit(j->goal, unit);
}

static void do_complex(struct elementwise_job *j, int64_t i, const uint64_t *x)
{
    const struct elementwise *e = j->what;
    struct complex_work *w = j->complex;
    int units = e->result == ELEMENTWISE_COMPONENT ? 1 : 2;
    struct real y[2];
    bool finite = true;

    for (int k = 0; k < e->arity; k++) {
        real_bits_to_mpfr(w->z[k].re, j->unit, x[2 * k]);
        real_bits_to_mpfr(w->z[k].im, j->unit, x[2 * k + 1]);
    }
    for (int k = 0; k < 2 * e->arity; k++)
        finite &= real_is_finite(j->unit, x[k]);
    w->undecided = w->free = false;
    w->signs = w->cancelled = 0;
    e->complex(w, y);
    /* A pole, too: Log(0). */
    finite &=
        y[0].kind <= REAL_FINITE && (units == 1 || y[1].kind <= REAL_FINITE);
    j->goal->undecided += w->undecided;
    /* Parts are judged one by one, and where norm-wise accuracy is permitted,
     * together (interp/judge/verdict_set.c). */
    for (int u = 0; u < units; u++) {
        goal_real(j->goal, units * i + u, &y[u]);
        if (w->cancelled >> u & 1)
            goal_cancelled_unit(j->goal, units * i + u);
        if (w->free || (!finite && j->special_any))
            goal_free_unit(j->goal, units * i + u);
        else if (w->signs >> u & 1
                 || (j->zero_either && y[u].kind == REAL_ZERO))
            goal_either_unit(j->goal, units * i + u);
    }
}

/* Max of two operands that were flushed for the comparison is one of the
 * unflushed operands. */
static void pick(struct elementwise_job *j, int64_t i, const int64_t *at,
                 const uint64_t *flushed)
{
    uint64_t from[3];
    for (int k = 0; k < j->what->arity; k++)
        from[k] = literal_get(j->kept[k], at[k]);
    elementwise_flush_pick(j->ev, j->goal, i, from, flushed,
                           monoid_swaps_zeros(j->ev));
}

static void do_element(void *context, int64_t i, const int64_t *at)
{
    struct elementwise_job *j = context;
    const struct elementwise *e = j->what;
    int units = dtype_units(j->type);
    uint64_t x[6];

    for (int k = 0; k < e->arity; k++)
        for (int u = 0; u < units; u++)
            x[k * units + u] =
                literal_get(j->ev->operands[k], at[k] * units + u);
    j->index = i;
    switch (dtype_class(j->type)) {
    case DTYPE_PRED:
        put_bits(j, i, e->pred(j, x));
        break;
    case DTYPE_SINT:
    case DTYPE_UINT:
        put_bits(j, i, e->integer(j, x));
        break;
    case DTYPE_FLOAT:
        if (e->result == ELEMENTWISE_COMPLEX) {
            put_bits(j, 2 * i, x[0]);
            put_bits(j, 2 * i + 1, x[1]);
        } else if (e->exact) {
            uint64_t bits = e->exact(j, x);
            /* 0 - x for -x: a flushed result is +0, whatever the sign of x. */
            if (j->signs && real_is_subnormal(j->result, bits))
                bits = real_zero(j->result, false);
            put_bits(j, i, bits);
            if (j->kept)
                pick(j, i, at, x);
        } else {
            do_real(j, i, x);
        }
        break;
    case DTYPE_COMPLEX:
        if (e->parts) {
            int n = e->result == ELEMENTWISE_SAME ? 2 : 1;
            for (int u = 0; u < n; u++)
                put_bits(j, n * i + u, e->parts(j, x, u));
        } else {
            do_complex(j, i, x);
        }
        break;
    }
    if (j->domains)
        elementwise_budget_at(
            j->ev, j->goal, i,
            &(struct profile_element){j->unit, units, e->arity, x});
}

/* ---- One instruction ----------------------------------------------------- */

static bool number(const struct literal *l, struct real *r)
{
    *r = real_from_bits(l->shape->dtype, literal_get(l, 0));
    return r->kind == REAL_FINITE;
}

/* The budget that attribute result_accuracy asks for, if any. */
static void read_budget(const struct eval *ev, struct goal *goal)
{
    /* DEFAULT and HIGHEST are names: the profile's budget applies to both. */
    const struct attribute *a =
        attribute_find(ev->in, ATTRIBUTE_RESULT_ACCURACY);
    if (!a || !a->string || strcmp(a->string, "TOLERANCE") != 0 || !a->literal)
        return;
    struct literal *const *part = a->literal->elements;
    struct accept_budget *b = &goal->real.budget;
    memset(b, 0, sizeof *b);
    b->kind = ACCEPT_XLA;
    b->both_sides = true;
    number(part[0], &b->abs);
    number(part[1], &b->rel);
    number(part[2], &b->ulps);
    goal->real.has_budget = true;
}

bool elementwise_has_domains(const struct eval *ev, const struct goal *goal)
{
    return ev->want_exact && goal->rule == GOAL_REAL && !goal->real.has_budget
           && goal->real.accuracy
           && profile_has_domains(ev->machine->profile, goal->real.accuracy,
                                  dtype_unit(goal->value->shape->dtype));
}

void elementwise_budget_at(const struct eval *ev, struct goal *goal, int64_t i,
                           const struct profile_element *element)
{
    enum dtype t = goal->value->shape->dtype;
    const struct accept_budget *budget = profile_budget_at(
        ev->machine->profile, goal->real.accuracy, dtype_unit(t), element);
    for (int u = 0; u < dtype_units(t); u++)
        goal_unit_budget(goal, dtype_units(t) * i + u, budget);
}

/* Whether the result is rounded, or its bits are what they are. */
static enum goal_rule rule_of(const struct elementwise *e, enum dtype t)
{
    if (e->moved)
        return GOAL_MOVED;
    if (dtype_class(t) == DTYPE_FLOAT)
        return e->exact || e->exact_real ? GOAL_BITS : GOAL_REAL;
    if (dtype_class(t) == DTYPE_COMPLEX)
        return e->parts ? GOAL_BITS : GOAL_REAL;
    return GOAL_BITS;
}

static struct goal *make_goal(struct eval *ev, const struct elementwise *e)
{
    enum dtype t = ev->operands[0]->shape->dtype;
    enum goal_rule rule = rule_of(e, t);
    struct goal *g = eval_goal(ev, ev->in->shape, rule, ev->want_exact);

    if (rule != GOAL_REAL)
        return g;
    bool complex = dtype_class(t) == DTYPE_COMPLEX;
    /* A range is one of real numbers: the parts of sin(z) are unbounded. */
    g->real.accuracy = complex ? e->accuracy_complex : e->accuracy;
    g->real.zero_open =
        !complex && ev->want_exact && elementwise_policy_zeros(ev);
    g->real.complex_norm =
        complex && e->complex_norm && e->result == ELEMENTWISE_SAME;
    if (!complex && (e->low || e->high)) {
        g->clip = true;
        g->clip_low = elementwise_end(e->low, true);
        g->clip_high = elementwise_end(e->high, false);
    }
    read_budget(ev, g);
    return g;
}

/* The whole array in the processor's arithmetic, which fills the goal and
 * skips the walk; a judge that asks for exact values needs the walk. */
static bool do_fast(struct eval *ev, const struct elementwise *e,
                    struct goal *g)
{
    if (e->fast == FAST_ARITH_NONE || ev->want_exact || g->rule != GOAL_REAL
        || ev->in->shape->dynamic)
        return false;
    const struct literal *x = ev->operands[0], *y = ev->operands[1];
    if (!shape_equal(x->shape, ev->in->shape)
        || !shape_equal(y->shape, ev->in->shape))
        return false;
    const unsigned char *const data[2] = {x->data, y->data};
    return fast_arith(e->fast, x->shape->dtype, data, shape_elements(x->shape),
                      g->value->data, &g->real.worst, &g->real.worst_unit);
}

bool elementwise_eval(struct eval *ev, struct status *st)
{
    const struct elementwise *e = ev->in->op->elementwise;
    enum dtype t = ev->operands[0]->shape->dtype;
    struct eval own = *ev;
    own.operands = elementwise_flush_operands(ev, e);
    ev->spreads = elementwise_flush_spreads(ev, e);
    struct elementwise_job j = {
        .ev = &own,
        .what = e,
        .kept = elementwise_flush_picks(ev, e) ? ev->operands : NULL,
        .signs = elementwise_flush_signs(ev, e),
        .type = t,
        .unit = dtype_unit(t),
        .result = dtype_unit(ev->in->shape->dtype),
        .width = 2,
    };

    TRY(elementwise_policy_order(ev, e, st));
    j.goal = make_goal(ev, e);
    elementwise_policy_read(&j);
    TRY(elementwise_sizes(ev, j.goal->value, st));
    bool real = dtype_class(t) == DTYPE_FLOAT && !e->exact;
    bool complex = dtype_class(t) == DTYPE_COMPLEX && e->complex;
    if (real || complex)
        j.width = real_width(j.unit);
    bool computes = dtype_class(t) >= DTYPE_FLOAT;
    if (computes) {
        mpfr_inits2(128, j.x, j.x2, (mpfr_ptr)0);
        mpfr_init2(j.y, j.width);
    }
    if (complex)
        j.complex = complex_new(ev->arena, j.width,
                                ev->machine->limits->precision_bits);
    j.domains = elementwise_has_domains(ev, j.goal);
    if (!do_fast(&own, e, j.goal))
        elementwise_each(&own, ev->in->shape, do_element, &j);

    if (computes)
        mpfr_clears(j.x, j.x2, j.y, (mpfr_ptr)0);
    if (complex)
        complex_free(j.complex);
    return eval_return_one(ev, j.goal);
}
