/* test_bracket.c - reductions by computations of any kind.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is right is worked out by hand from 004:1234-1250 (the initial value is
 * to be an identity, and may enter in any place: f(10, f(11, f(12, f(init,
 * 13))))) and 004:1368 (as a left argument), or computed in every tree by the C
 * library's expf and logf, which are within an ulp.
 */
#include <math.h>
#include <string.h>

#include "interp/specification/profile.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;

static uint32_t bits_of(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

static float float_of(uint64_t bits)
{
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

/* ---- Running a reduction ------------------------------------------------- */

static struct slow_program *reduction(const char *profile)
{
    struct slow_program *p = slow_program_new(&arena, "Reduce");
    p->profile = profile;
    p->want_exact = true;
    return p;
}

static const struct goal *finish(struct slow_program *p, int which)
{
    slow_program_int(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 0);
    if (!slow_program_run(p)) {
        OK(false, "%s", p->status.text);
        return NULL;
    }
    return p->outcomes[0].goals[which];
}

static const struct goal *integers(const char *profile, const char *builtin,
                                   int n, const int64_t *values, int64_t init)
{
    struct slow_program *p = reduction(profile);
    slow_program_values(p, arena_printf(&arena, "s32[%d]", n), n, values);
    slow_program_values(p, "s32[]", 1, &init);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, builtin);
    return finish(p, 0);
}

static bool is_free(const struct goal *g)
{
    return g->free_units && g->free_units[0];
}

static bool has(const struct goal *g, int64_t value)
{
    if (is_free(g) || (int32_t)literal_get(g->value, 0) == value)
        return true;
    for (const struct goal_other *o = g->others; o; o = o->next)
        if ((int32_t)o->bits == value)
            return true;
    return false;
}

/* How many of the numbers from -200 to 200 are right? */
static int count(const struct goal *g)
{
    int n = 0;
    for (int v = -200; v <= 200; v++)
        n += has(g, v);
    return n;
}

/* ---- The initial value --------------------------------------------------- */

static void not_associative(void)
{
    static const int64_t two[] = {10, 11}, three[] = {1, 2, 3};
    const struct goal *g = integers("strict", "sub", 2, two, 100);
    OK(has(g, 79) && has(g, 101) && has(g, -79) && count(g) == 3,
       "(100 - 10) - 11, 100 - (10 - 11), 10 - (100 - 11)");
    g = integers("spec", "sub", 2, two, 100);
    OK(has(g, 101) && is_free(g), "no document says what it is");
    /* Puts 0 before one of them, or before what some of them give. */
    g = integers("strict", "sub", 3, three, 0);
    for (int v = -6; v <= 6; v += 2)
        OK(has(g, v), "1, 2, 3 and 0 give %d", v);
    EQ_INT(count(g), 7, "and nothing else");
}

static void associative(void)
{
    static const int64_t two[] = {3, 1};
    const struct goal *g = integers("strict", "first", 2, two, 5);
    OK(has(g, 5) && has(g, 3) && count(g) == 2, "f(5, ..), f(3, f(5, 1))");
    g = integers("spec", "first", 2, two, 5);
    OK(is_free(g), "it depends on where the initial value is");
    for (int spec = 0; spec < 2; spec++) {
        const char *profile = spec ? "spec" : "strict";
        g = integers(profile, "first", 1, two, 7);
        OK(has(g, 7) && count(g) == 1, "%s: f(7, 3)", profile);
        g = integers(profile, "second", 2, two, 9);
        OK(has(g, 1) && count(g) == 1, "%s: a left argument", profile);
    }
}

/* (value, place) of the greater value, the left one if they are equal. */
static const struct computation *make_argmax(struct slow_program *p)
{
    struct computation *c = program_computation(p->program, "argmax");
    const struct shape *real = shape_scalar(&arena, DT_f32);
    const struct shape *place = shape_scalar(&arena, DT_s32);
    int at[4];
    for (int i = 0; i < 4; i++)
        at[i] = program_parameter(p->program, c, i, i & 1 ? place : real);
    int greater[] = {at[2], at[0]};
    int take = slow_program_add(p, c, "Gt", 2, greater);
    int values[] = {take, at[2], at[0]}, places[] = {take, at[3], at[1]};
    int both[] = {slow_program_add(p, c, "Select", 3, values),
                  slow_program_add(p, c, "Select", 3, places)};
    c->root = slow_program_add(p, c, "Tuple", 2, both);
    return c;
}

static const struct goal *argmax(const char *profile, float a, float b,
                                 int64_t init)
{
    static const int64_t places[] = {0, 1};
    struct slow_program *p = reduction(profile);
    struct literal *values = slow_program_literal(&arena, "f32[2]", 0, NULL);
    struct literal *least = slow_program_literal(&arena, "f32[]", 0, NULL);
    literal_set(values, 0, bits_of(a));
    literal_set(values, 1, bits_of(b));
    literal_set(least, 0, bits_of(-INFINITY));
    slow_program_operand(p, values);
    slow_program_values(p, "s32[2]", 2, places);
    slow_program_operand(p, least);
    slow_program_values(p, "s32[]", 1, &init);
    slow_program_computation(p, ATTRIBUTE_COMPUTATION, make_argmax(p));
    return finish(p, 1);
}

static void several_operands(void)
{
    const struct goal *g = argmax("strict", -INFINITY, -INFINITY, 7);
    OK(has(g, 7) && has(g, 0) && count(g) == 2, "before all, or before 1");
    OK(is_free(argmax("spec", -INFINITY, -INFINITY, 7)), "no identity");
    for (int spec = 0; spec < 2; spec++) {
        g = argmax(spec ? "spec" : "strict", 1, 3, 7);
        OK(has(g, 1) && count(g) == 1, "an identity of these values");
    }
}

/* ---- A computation that rounds ------------------------------------------- */

/* log(e^x + e^y), via the greater one. */
static const struct computation *make_log_sum(struct slow_program *p)
{
    struct computation *c = program_computation(p->program, "log-sum");
    const struct shape *s = shape_scalar(&arena, DT_f32);
    int at[] = {program_parameter(p->program, c, 0, s),
                program_parameter(p->program, c, 1, s)};
    int most = slow_program_add(p, c, "Max", 2, at), terms[2];
    for (int i = 0; i < 2; i++) {
        int less[] = {at[i], most};
        int by = slow_program_add(p, c, "Sub", 2, less);
        terms[i] = slow_program_add(p, c, "Exp", 1, &by);
    }
    int sum = slow_program_add(p, c, "Add", 2, terms);
    int both[] = {most, slow_program_add(p, c, "Log", 1, &sum)};
    c->root = slow_program_add(p, c, "Add", 2, both);
    return c;
}

static float log_sum(float x, float y)
{
    float most = fmaxf(x, y);
    return most + logf(expf(x - most) + expf(y - most));
}

static struct slow_program *log_sums(const char *profile, int n,
                                     const float *values)
{
    struct slow_program *p = reduction(profile);
    struct literal *l = slow_program_literal(
        &arena, arena_printf(&arena, "f32[%d]", n), 0, NULL);
    struct literal *init = slow_program_literal(&arena, "f32[]", 0, NULL);
    for (int i = 0; i < n; i++)
        literal_set(l, i, bits_of(values[i]));
    literal_set(init, 0, bits_of(-INFINITY));
    slow_program_operand(p, l);
    slow_program_operand(p, init);
    slow_program_computation(p, ATTRIBUTE_COMPUTATION, make_log_sum(p));
    return p;
}

struct ends {
    float low, high;
    int refused;
};

/* Every tree of these values. */
static void reach(struct ends *e, const struct goal *g, int n,
                  const float *values)
{
    float less[6];
    if (n == 1) {
        bool inside = values[0] >= float_of(literal_get(g->range.low, 0))
                      && values[0] <= float_of(literal_get(g->range.high, 0));
        e->refused += !inside;
        e->low = fminf(e->low, values[0]);
        e->high = fmaxf(e->high, values[0]);
        return;
    }
    for (int i = 0; i + 1 < n; i++) {
        for (int k = 0, to = 0; k < n; k++)
            if (k != i + 1)
                less[to++] = values[k];
        less[i] = log_sum(values[i], values[i + 1]);
        reach(e, g, n - 1, less);
    }
}

static void rounding(void)
{
    static const float values[] = {1, 2.5f, -0.5f, 0.25f, 3, -7, 0.1f};
    static const int64_t most[2][3] = {{4, 16, 32}, {32, 320, 2560}};
    for (int spec = 0; spec < 2; spec++)
        for (int n = 2; n <= 6; n += 2) {
            const char *profile = spec ? "spec" : "strict";
            const struct goal *g = finish(log_sums(profile, n, values), 0);
            if (!g || g->rule != GOAL_RANGE) {
                OK(false, "no ends");
                continue;
            }
            struct ends e = {INFINITY, -INFINITY, 0};
            reach(&e, g, n, values);
            EQ_INT(e.refused, 0, "%s: trees of %d values", profile, n);
            int64_t width = (int64_t)(literal_get(g->range.high, 0)
                                      - literal_get(g->range.low, 0));
            /* An interval forgets that x stands in it three times. */
            OK(width <= most[spec][n / 2 - 1], "%d values: %lld ulps", n,
               (long long)width);
        }
    struct slow_program *p = log_sums("spec", 7, values);
    slow_program_int(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 0);
    OK(!slow_program_run(p) && p->status.code == STATUS_UNSUPPORTED
           && strstr(p->status.text, "'log-sum' rounds"),
       "seven values are refused: %s", p->status.text);
}

/* log(e^x + e^y) as it stands: of x and -inf it is log(e^x), which is x but for
 * roundings (expf(1) is below e, and its logarithm 1 - 2^-24). */
static const struct computation *make_plain_log_sum(struct slow_program *p)
{
    struct computation *c = program_computation(p->program, "plain");
    const struct shape *s = shape_scalar(&arena, DT_f32);
    int terms[2];
    for (int i = 0; i < 2; i++) {
        int at = program_parameter(p->program, c, i, s);
        terms[i] = slow_program_add(p, c, "Exp", 1, &at);
    }
    int sum = slow_program_add(p, c, "Add", 2, terms);
    c->root = slow_program_add(p, c, "Log", 1, &sum);
    return c;
}

static const struct goal *plain_log_sums(const char *profile, float init)
{
    static const float values[] = {1, 2.5f, -0.5f};
    struct slow_program *p = reduction(profile);
    struct literal *l = slow_program_literal(&arena, "f32[3]", 0, NULL);
    struct literal *first = slow_program_literal(&arena, "f32[]", 0, NULL);
    for (int i = 0; i < 3; i++)
        literal_set(l, i, bits_of(values[i]));
    literal_set(first, 0, bits_of(init));
    slow_program_operand(p, l);
    slow_program_operand(p, first);
    slow_program_computation(p, ATTRIBUTE_COMPUTATION, make_plain_log_sum(p));
    return finish(p, 0);
}

static float plain(float x, float y)
{
    return logf(expf(x) + expf(y));
}

static void rounded_identity(void)
{
    for (int spec = 0; spec < 2; spec++) {
        const struct goal *g =
            plain_log_sums(spec ? "spec" : "strict", -INFINITY);
        if (!g || is_free(g) || g->rule != GOAL_RANGE) {
            OK(false, "no ends");
            continue;
        }
        float low = float_of(literal_get(g->range.low, 0));
        float high = float_of(literal_get(g->range.high, 0));
        /* Bit k of uses: the initial value before term k; bits 3 and 4: before
         * the two combined first, and before all. */
        for (int uses = spec ? 0 : 1; uses < 32; uses++) {
            if (!spec && (uses & (uses - 1)))
                continue; /* once */
            float x[] = {1, 2.5f, -0.5f};
            for (int k = 0; k < 3; k++)
                x[k] = uses >> k & 1 ? plain(-INFINITY, x[k]) : x[k];
            for (int left = 0; left < 2; left++) {
                float both = plain(x[!left], x[1 + !left]);
                both = uses & 8 ? plain(-INFINITY, both) : both;
                float all = left ? plain(both, x[2]) : plain(x[0], both);
                all = uses & 16 ? plain(-INFINITY, all) : all;
                OK(all >= low && all <= high, "way %d of %d lies between", uses,
                   left);
            }
        }
        /* log(e + e^2.5 + e^-0.5) = 2.74131... */
        OK(low > 2.74f && high < 2.742f, "from %a to %a", low, high);
    }
    OK(is_free(plain_log_sums("spec", 0)), "0 is no identity");
}

int main(void)
{
    rounded_identity();
    not_associative();
    associative();
    several_operands();
    rounding();
    return tap_done();
}
