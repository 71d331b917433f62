/* test_bound.c - a second bound of programs, and when there is none.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * e^x - e^x is 0 whatever e^x is rounded to.  Intervals do not see that, the
 * second bound does.  It is worked out in the thread's own arithmetic, so where
 * that rounds otherwise the range must stay as the intervals give it.  That
 * results of right evaluations are in the sets is tools/test/relations.t's.
 */
#include <fenv.h>

#include "interp/bound/bound.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;

typedef bool evaluation(struct arena *a, struct machine *machine,
                        struct literal *const *const *inputs,
                        struct outcome *outcomes, struct status *st);

/* A program of scalars of f32, its parameters and their values. */
struct trial {
    struct slow_program *made;
    struct computation *entry;
    struct literal *inputs[2];
    int own[2];
};

static struct trial trial_new(const char *op, uint64_t x, uint64_t c)
{
    const struct shape *s = shape_scalar(&arena, DT_f32);
    struct trial t = {.made = slow_program_new(&arena, op)};
    struct program *p = t.made->program;
    const uint64_t bits[] = {x, c};
    t.entry = p->entry = program_computation(p, "main");
    for (int k = 0; k < 2; k++) {
        t.inputs[k] = literal_new(&arena, s);
        literal_set(t.inputs[k], 0, bits[k]);
        t.own[k] = program_parameter(p, p->entry, k, s);
    }
    return t;
}

static int add(const struct trial *t, const char *op, int left, int right)
{
    return slow_program_add(t->made, t->entry, op, 2, (int[]){left, right});
}

/* e^x - e^x */
static int add_zero(const struct trial *t)
{
    int e = slow_program_add(t->made, t->entry, "Exp", 1, t->own);
    return add(t, "Sub", e, e);
}

static bool evaluates(const struct trial *t, int root, const char *profile,
                      evaluation *evaluate, const struct goal **g)
{
    struct program *p = t->made->program;
    struct literal *const *const rows[] = {t->inputs};
    struct status st = {STATUS_OK};
    struct machine m = {
        .program = p, .limits = p->limits, .want_exact = true, .replicas = 1};
    struct outcome out;
    t->entry->root = root;
    if (!profile_load(&arena, profile, &m.profile, &st)
        || !program_infer(p, &st) || !evaluate(&arena, &m, rows, &out, &st))
        return false;
    *g = out.goals[0];
    return true;
}

/* The range of e^x - e^x: its length in numbers of f32, -1 if it failed. */
static int64_t length(evaluation *evaluate)
{
    struct trial t = trial_new("Sub", 0x3fc00000, 0); /* 1.5 */
    const struct goal *g;
    if (!evaluates(&t, add_zero(&t), "spec", evaluate, &g)
        || g->rule != GOAL_RANGE)
        return -1;
    return real_key(DT_f32, literal_get(g->range.high, 0))
           - real_key(DT_f32, literal_get(g->range.low, 0));
}

static const struct bound_result *given;

static bool judges(struct arena *a, struct machine *machine,
                   struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st)
{
    return bound_given(a, machine, inputs, given, outcomes, st);
}

/* The length of the range where this number is to be judged, or not. */
static int64_t length_for(uint64_t bits, const bool *open)
{
    struct literal *number = literal_new(&arena, shape_scalar(&arena, DT_f32));
    const struct bound_result result = {.got = number, .open = open};
    literal_set(number, 0, bits);
    given = &result;
    return length(judges);
}

/* c / (e^x - e^x + c), c = 10^-7: intervals reach beyond zero. */
static bool divides(evaluation *evaluate)
{
    struct trial t = trial_new("Div", 0x3fc00000, 0x33d6bf95);
    const struct goal *g;
    int sum = add(&t, "Add", add_zero(&t), t.own[1]);
    return evaluates(&t, add(&t, "Div", t.own[1], sum), "spec", evaluate, &g);
}

/* x x + c - (x x + c), where x = 1 + 2^-12 and c is near -x x: 0, and 2^-24 if
 * one of both sums is fused with the product, which is rounded by as much. */
static bool fuses(const char *profile)
{
    /* c is 2^-18 - 1 - 2^-11. */
    struct trial t = trial_new("Sub", 0x3f800800, 0xbf800fe0);
    const struct goal *g;
    int square = add(&t, "Mul", t.own[0], t.own[0]);
    int sum = add(&t, "Add", square, t.own[1]);
    int other = add(&t, "Add", square, t.own[1]);
    return evaluates(&t, add(&t, "Sub", sum, other), profile, bound_program, &g)
           && g->rule == GOAL_RANGE
           && real_key(DT_f32, literal_get(g->range.high, 0))
                  >= real_key(DT_f32, 0x33800000);
}

int main(void)
{
    int64_t wide = length(evaluate_program);
    int64_t bounded = length(bound_program);
    OK(wide > 0, "intervals give a range");
    OK(bounded >= 0 && bounded < wide, "which the second bound narrows");
    /* Numbers near e^1.5, 4.48, are 2^-21 apart, and so intervals give
     * differences of that size. */
    OK(length_for(0x3f800000, NULL) == wide, "not where 1 is to be judged");
    OK(length_for(0x7f800000, NULL) == wide, "nor infinity");
    OK(length_for(0x34000000, NULL) == bounded, "but where 2^-23 is,");
    OK(length_for(0x80000000, NULL) == bounded, "a zero of either sign,");
    OK(length_for(0x7fc00000, NULL) == bounded, "or NaN");
    static const bool none = false, one = true;
    OK(length_for(0x34000000, &none) == wide, "unless nothing is judged");
    OK(length_for(0x34000000, &one) == bounded, "and so it is if one is");
    fesetround(FE_UPWARD);
    int64_t upward = length(bound_program);
    fesetround(FE_TONEAREST);
    OK(upward == wide, "not where the thread does not round to nearest");
    OK(length(bound_program) == bounded, "and afterwards as before");
    OK(!divides(evaluate_program), "intervals divide by what may be 0");
    OK(divides(bound_program), "it cannot be");
    OK(fuses("xla-cpu-default"), "each use of a product may be fused");
    OK(!fuses("spec"), "unless none is");
    arena_free(&arena);
    return tap_done();
}
