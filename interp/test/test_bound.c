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

/* The range of e^x - e^x: its length in numbers of f32, -1 if it failed. */
static int64_t length(evaluation *evaluate)
{
    const struct shape *s = shape_scalar(&arena, DT_f32);
    struct slow_program *made = slow_program_new(&arena, "Sub");
    struct program *p = made->program;
    struct literal *x = literal_new(&arena, s), *const inputs[] = {x};
    struct literal *const *const rows[] = {inputs};
    struct status st = {STATUS_OK};
    struct machine m = {
        .program = p, .limits = p->limits, .want_exact = true, .replicas = 1};
    struct outcome out;
    p->entry = program_computation(p, "main");
    literal_set(x, 0, 0x3fc00000); /* 1.5 */
    int own = program_parameter(p, p->entry, 0, s);
    int e = slow_program_add(made, p->entry, "Exp", 1, &own), both[] = {e, e};
    p->entry->root = slow_program_add(made, p->entry, "Sub", 2, both);
    if (!profile_load(&arena, "spec", &m.profile, &st) || !program_infer(p, &st)
        || !evaluate(&arena, &m, rows, &out, &st)
        || out.goals[0]->rule != GOAL_RANGE)
        return -1;
    const struct goal *g = out.goals[0];
    return real_key(DT_f32, literal_get(g->range.high, 0))
           - real_key(DT_f32, literal_get(g->range.low, 0));
}

/* c / (e^x - e^x + c), c = 10^-7: intervals reach beyond zero. */
static bool divides(evaluation *evaluate)
{
    const struct shape *s = shape_scalar(&arena, DT_f32);
    struct slow_program *made = slow_program_new(&arena, "Div");
    struct program *p = made->program;
    struct literal *x = literal_new(&arena, s), *c = literal_new(&arena, s);
    struct literal *const inputs[] = {x, c};
    struct literal *const *const rows[] = {inputs};
    struct status st = {STATUS_OK};
    struct machine m = {
        .program = p, .limits = p->limits, .want_exact = true, .replicas = 1};
    struct outcome out;
    p->entry = program_computation(p, "main");
    literal_set(x, 0, 0x3fc00000);
    literal_set(c, 0, 0x33d6bf95);
    int own = program_parameter(p, p->entry, 0, s);
    int small = program_parameter(p, p->entry, 1, s);
    int e = slow_program_add(made, p->entry, "Exp", 1, &own), both[] = {e, e};
    int zero = slow_program_add(made, p->entry, "Sub", 2, both);
    int sum = slow_program_add(made, p->entry, "Add", 2, (int[]){zero, small});
    p->entry->root =
        slow_program_add(made, p->entry, "Div", 2, (int[]){small, sum});
    return profile_load(&arena, "spec", &m.profile, &st)
           && program_infer(p, &st) && evaluate(&arena, &m, rows, &out, &st);
}

/* x x + c - (x x + c), where x = 1 + 2^-12 and c is near -x x: 0, and 2^-24 if
 * one of both sums is fused with the product, which is rounded by as much. */
static bool fuses(const char *profile)
{
    const struct shape *s = shape_scalar(&arena, DT_f32);
    struct slow_program *made = slow_program_new(&arena, "Sub");
    struct program *p = made->program;
    struct literal *x = literal_new(&arena, s), *c = literal_new(&arena, s);
    struct literal *const inputs[] = {x, c};
    struct literal *const *const rows[] = {inputs};
    struct status st = {STATUS_OK};
    struct machine m = {
        .program = p, .limits = p->limits, .want_exact = true, .replicas = 1};
    struct outcome out;
    p->entry = program_computation(p, "main");
    literal_set(x, 0, 0x3f800800);
    literal_set(c, 0, 0xbf800fe0); /* 2^-18 - 1 - 2^-11 */
    int own = program_parameter(p, p->entry, 0, s);
    int other = program_parameter(p, p->entry, 1, s), both[2];
    int square = slow_program_add(made, p->entry, "Mul", 2, (int[]){own, own});
    for (int k = 0; k < 2; k++)
        both[k] =
            slow_program_add(made, p->entry, "Add", 2, (int[]){square, other});
    p->entry->root = slow_program_add(made, p->entry, "Sub", 2, both);
    if (!profile_load(&arena, profile, &m.profile, &st)
        || !program_infer(p, &st)
        || !bound_program(&arena, &m, rows, &out, &st))
        return false;
    const struct goal *g = out.goals[0];
    return g->rule == GOAL_RANGE
           && real_key(DT_f32, literal_get(g->range.high, 0))
                  >= real_key(DT_f32, 0x33800000);
}

int main(void)
{
    int64_t wide = length(evaluate_program);
    int64_t bounded = length(bound_program);
    OK(wide > 0, "intervals give a range");
    OK(bounded >= 0 && bounded < wide, "which the second bound narrows");
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
