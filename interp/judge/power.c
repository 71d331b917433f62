/* power.c - see power.h; tools/test/power.t tests it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A term is left out, doubled or turned by changing one element of the last
 * operand that has several: the one of median magnitude, so that it is neither
 * the largest term nor a negligible one.  All sums that it enters are wrong.
 */
#include "interp/judge/power.h"

#include <string.h>

#include "interp/base/pairs.h"
#include "interp/program/interval.h"

enum kind {
    OPERANDS, /* all of them are rounded to bf16 */
    SUMS,     /* partial sums are rounded to the next narrower type */
    TERM      /* the sign, and the power of two, of one element change */
};

struct mistake {
    const char *name;
    enum kind kind;
    enum {
        ZERO,
        TWICE,
        TURNED
    } term;
};

static const struct mistake mistakes[POWER_MISTAKES] = {
    {"bf16 operands", OPERANDS, ZERO},
    {"a missing term", TERM, ZERO},
    {"a narrowed accumulator", SUMS, ZERO},
    {"a doubled term", TERM, TWICE},
    {"a wrong sign", TERM, TURNED}};

/* ---- Which instructions -------------------------------------------------- */

static bool is_float(const struct shape *s)
{
    return s->kind == SHAPE_ARRAY && dtype_class(s->dtype) == DTYPE_FLOAT;
}

/* Is its result, or one of them, a sum of floats? */
static bool is_sum(const struct instruction *in)
{
    const struct spec_op *spec = spec_op_find(in->op->name);
    const char *accuracy = spec ? spec->accuracy : NULL;
    const struct shape *first = in->shape;
    while (first->kind == SHAPE_TUPLE && first->rank > 0)
        first = first->elements[0];
    return accuracy && strcmp(accuracy, "accumulated") == 0 && is_float(first);
}

/* The only computation that it calls, or NULL. */
static const struct computation *called(const struct instruction *in)
{
    const struct computation *found = NULL;
    int n = 0;
    for (int i = 0; i < in->attribute_count; i++)
        for (int k = 0; k < in->attributes[i].computation_count; k++, n++)
            found = in->attributes[i].computations[k];
    return n == 1 ? found : NULL;
}

/* Is each element of its last operand a factor of terms, or a term? */
static bool has_terms(const struct instruction *in)
{
    const struct computation *c = called(in);
    if (!c)
        return interval_bilinear_knows(in);
    const char *name = c->instructions[c->root]->op->builtin;
    return c->count == c->parameter_count + 1 && name
           && strcmp(name, "add") == 0;
}

static bool any_sum(const struct program *p)
{
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++)
            if (is_sum(p->computations[i]->instructions[k]))
                return true;
    return false;
}

/* ---- What the evaluator is given ----------------------------------------- */

/* One evaluation with a mistake. */
struct trial {
    const struct mistake *what;
    enum dtype accumulator; /* of SUMS */
    int operand;            /* that the evaluator takes next */
};

static uint64_t through_bf16(enum dtype unit, uint64_t bits)
{
    struct real y = real_from_bits(unit, bits);
    struct real z =
        real_from_bits(DT_bf16, real_round(&y, DT_bf16, REAL_OVERFLOW_TYPE));
    return real_is_nan(unit, bits) ? bits
                                   : real_round(&z, unit, REAL_OVERFLOW_TYPE);
}

static const struct literal *round_all(struct arena *a, const struct literal *l)
{
    enum dtype unit = l->shape->dtype;
    struct literal *to = literal_copy(a, l);
    for (int64_t i = 0, n = literal_units(l); i < n; i++)
        literal_set(to, i, through_bf16(unit, literal_get(l, i)));
    return to;
}

/* The number of the element of median magnitude, among those that are finite
 * and not zero; -1: there are none. */
static int64_t median(struct arena *a, const struct literal *l)
{
    enum dtype unit = l->shape->dtype;
    int64_t n = 0, units = literal_units(l);
    struct pair *all = arena_new(a, struct pair, 2 * (size_t)units + 1);
    for (int64_t i = 0; i < units; i++) {
        uint64_t bits = literal_get(l, i);
        if (real_is_finite(unit, bits) && !real_is_zero(unit, bits))
            all[n++] =
                (struct pair){(int64_t)(bits & ~real_formats[unit].sign), i};
    }
    pairs_sort(all, n, all + n);
    return n > 0 ? all[n / 2].place : -1;
}

static const struct literal *change_term(struct arena *a,
                                         const struct mistake *what,
                                         const struct literal *l)
{
    enum dtype unit = l->shape->dtype;
    int64_t i = median(a, l);
    if (i < 0)
        return l;
    struct literal *to = literal_copy(a, l);
    struct real y = real_from_bits(unit, literal_get(l, i));
    y.exponent++;
    uint64_t bits = what->term == ZERO ? real_zero(unit, false)
                    : what->term == TWICE
                        ? real_round(&y, unit, REAL_OVERFLOW_TYPE)
                        : literal_get(l, i) ^ real_formats[unit].sign;
    literal_set(to, i, bits);
    return to;
}

static bool has_several(const struct computation *c,
                        const struct instruction *in, int k)
{
    const struct shape *s = c->instructions[in->operands[k]]->shape;
    return is_float(s) && shape_elements(s) > 1;
}

/* Is operand k the last one with several elements? */
static bool is_last(const struct program *p, const struct instruction *in,
                    int k)
{
    const struct computation *own = program_home(p, in);
    for (int later = k + 1; own && later < in->operand_count; later++)
        if (has_several(own, in, later))
            return false;
    return own && has_several(own, in, k);
}

struct context {
    const struct program *program;
    struct trial *trial;
};

/* The evaluator takes the operands of an instruction one after the other. */
static const struct literal *take_operand(const void *context, struct arena *a,
                                          const struct instruction *in,
                                          const struct literal *operand)
{
    const struct context *c = context;
    struct trial *t = c->trial;
    int k = t->operand++;
    if (t->operand == in->operand_count)
        t->operand = 0;
    if (!is_sum(in) || !is_float(operand->shape))
        return operand;
    if (t->what->kind == OPERANDS)
        return round_all(a, operand);
    return t->what->kind == TERM && has_terms(in) && is_last(c->program, in, k)
               ? change_term(a, t->what, operand)
               : operand;
}

static bool evaluate(void *context, struct arena *a, struct machine *m,
                     struct literal *const *const *inputs,
                     struct outcome *outcomes, struct status *st)
{
    struct trial *t = context;
    const struct context with = {m->program, t};
    const struct machine_environment environment = {
        .context = &with,
        .take = take_operand,
        .running = t->what->kind == SUMS,
        .accumulator = t->accumulator};
    m->environment = &environment;
    bool good = evaluate_program(a, m, inputs, outcomes, st);
    m->environment = NULL;
    return good;
}

/* ---- One after the other ------------------------------------------------- */

/* The next narrower type than that of the sums; DT_COUNT: none. */
static enum dtype narrower(const struct program *p)
{
    bool wide = false, middle = false;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++) {
            const struct instruction *in = p->computations[i]->instructions[k];
            const struct shape *s = in->shape;
            while (s->kind == SHAPE_TUPLE && s->rank > 0)
                s = s->elements[0];
            wide = wide || (is_sum(in) && s->dtype == DT_f64);
            middle = middle || (is_sum(in) && s->dtype == DT_f32);
        }
    return middle ? DT_bf16 : wide ? DT_f32 : DT_COUNT;
}

static bool same_values(const struct judge_reference *a,
                        const struct judge_reference *b)
{
    for (int r = 0; r < a->replicas; r++)
        if (!literal_equal(a->outcomes[r].value, b->outcomes[r].value))
            return false;
    return true;
}

/* Does the mistake change the result, and is that right?  False if it takes too
 * long. */
static bool try_mistake(const struct judge_value *by, struct trial *t,
                        bool *accepted)
{
    struct judge_reference wrong;
    struct status st = {STATUS_OK};
    struct judge_mode mode = by->mode;
    enum verdict_status status;
    char text[240];
    int n;
    *accepted = false;
    mode.want_exact = false;
    mode.evaluate = evaluate;
    mode.context = t;
    if (!judge_reference(by->arena, by->made, &mode, &wrong, &st))
        return false;
    if (same_values(&wrong, by->plain))
        return true;
    struct judge_given *given = judge_value_returned(by->arena, &wrong, &n);
    struct verdict *v = arena_new(by->arena, struct verdict, 1);
    if (!judge_value(by, given, n, v, &status, text, sizeof text))
        return false;
    *accepted = status == VERDICT_PASS; /* a remark would tell */
    return true;
}

bool power_applies(const struct test_case *c)
{
    return c->program && !c->rejected && c->error_count == 0
           && any_sum(c->program);
}

bool power(const struct judge_value *by, struct power *to)
{
    const struct program *p = by->made->program;
    struct judge_value of = *by;
    struct judge_reference kept[JUDGE_VALUE_KEPT] = {{.outcomes = NULL}};
    struct limits limits = *by->mode.limits;
    *to = (struct power){0};
    if (!power_applies(by->made))
        return false;
    if (limits.steps > POWER_STEPS)
        limits.steps = POWER_STEPS;
    of.mode.limits = &limits;
    of.enough = NULL;
    of.kept = kept;
    of.unremarked = true;
    enum dtype accumulator = narrower(p);
    for (int i = 0; i < POWER_MISTAKES; i++) {
        struct trial t = {.what = &mistakes[i], .accumulator = accumulator};
        bool accepted = false;
        if (t.what->kind == SUMS && accumulator == DT_COUNT)
            continue;
        if (!try_mistake(&of, &t, &accepted))
            return false;
        if (accepted)
            to->accepted[to->count++] = t.what->name;
    }
    return true;
}

bool power_of_stub(struct arena *a, const struct case_stub *stub,
                   const struct profile *profile, struct power *to)
{
    static const struct limits usual = LIMITS_DEFAULT;
    struct limits limits = usual;
    struct test_case *made;
    struct judge_reference plain;
    struct status st = {STATUS_OK};
    struct judge_value by = {.arena = a, .plain = &plain};
    *to = (struct power){0};
    limits.steps = POWER_STEPS_MANY;
    by.mode.limits = &limits;
    if (!case_make(a, stub, NULL, &usual, &made, &st) || !power_applies(made)
        || (made->profile && !profile_load(a, made->profile, &profile, &st))
        || !profile_with(a, profile, made->policies, &by.mode.profile, &st)
        || !judge_reference(a, made, &by.mode, &plain, &st))
        return false;
    by.made = made;
    return power(&by, to);
}

const char *power_text(struct arena *a, const struct power *p)
{
    const char *text = "";
    for (int i = 0; i < p->count; i++)
        text = arena_printf(a, "%s%s%s", text, i ? ", " : "", p->accepted[i]);
    return text;
}
