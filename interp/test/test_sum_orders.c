/* test_sum_orders.c - sums and products in every order against their sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Each tree of additions and multiplications is evaluated in the processor's
 * binary32 (IEEE 754), fused and not, flushed and not: every result must be
 * right.  How much wider a set is than what is reachable is bounded, too.
 */
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/specification/profile.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

enum {
    LEAVES = 6,
    REACHED = 4096
};

static struct arena arena;

static float float_of(uint64_t bits)
{
    uint32_t b = (uint32_t)bits;
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}

static uint64_t bits_of(float f)
{
    uint32_t b;
    memcpy(&b, &f, sizeof b);
    return b;
}

/* ---- Every tree ---------------------------------------------------------- */

/* A leaf is a product a * b that is not yet rounded; anything else is a. */
struct node {
    bool product;
    float a, b;
};

struct trees {
    bool multiply, keeps_order, flush;
    int count;
    uint64_t reached[REACHED];
};

static float flushed(const struct trees *t, float x)
{
    return t->flush && fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

static float rounded(const struct trees *t, struct node x)
{
    return x.product ? flushed(t, x.a * x.b) : x.a;
}

static void reach(struct trees *t, uint64_t bits)
{
    for (int i = 0; i < t->count; i++)
        if (t->reached[i] == bits)
            return;
    if (t->count < REACHED)
        t->reached[t->count++] = bits;
}

static void combine(struct trees *t, const struct node *nodes, int n);

/* Nodes i and j, of which one is left out, become one. */
static void become(struct trees *t, const struct node *nodes, int n, int i,
                   int j, float value)
{
    struct node less[LEAVES];
    int count = 0;
    for (int k = 0; k < n; k++)
        if (k != j)
            less[count++] =
                k == i ? (struct node){.a = flushed(t, value)} : nodes[k];
    combine(t, less, count);
}

static void combine(struct trees *t, const struct node *nodes, int n)
{
    if (n == 1) {
        reach(t, bits_of(rounded(t, nodes[0])));
        return;
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && (!t->keeps_order || j == i + 1); j++) {
            struct node x = nodes[i], y = nodes[j];
            float u = rounded(t, x), v = rounded(t, y);
            become(t, nodes, n, i, j, t->multiply ? u * v : u + v);
            if (x.product)
                become(t, nodes, n, i, j, fmaf(x.a, x.b, v));
            if (y.product)
                become(t, nodes, n, i, j, fmaf(y.a, y.b, u));
        }
}

/* ---- Sets ---------------------------------------------------------------- */

/* f32, or bf16, which is the upper half of it. */
static struct literal *list_of(const char *type, int n, const float *values)
{
    struct literal *l = slow_program_literal(
        &arena, arena_printf(&arena, "%s[%d]", type, n), 0, NULL);
    bool half = l->shape->dtype == DT_bf16;
    for (int i = 0; i < n; i++)
        literal_set(l, i, bits_of(values[i]) >> (half ? 16 : 0));
    return l;
}

static struct goal *run(struct slow_program *p, const char *profile)
{
    p->profile = profile;
    p->want_exact = true;
    if (!slow_program_run(p))
        OK(false, "%s", p->status.text);
    return p->outcomes[0].goals[0];
}

static struct goal *goal_of_dot(const char *profile, const char *type, int n,
                                const float *a, const float *b)
{
    struct slow_program *p = slow_program_new(&arena, "Dot");
    slow_program_operand(p, list_of(type, n, a));
    slow_program_operand(p, list_of(type, n, b));
    slow_program_type(p, ATTRIBUTE_PREFERRED_ELEMENT_TYPE, DT_f32);
    /* What TF32 may do to the operands is not a question of order. */
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_PRECISION_CONFIG, 0, 0);
    p->attributes[p->attribute_count - 1].string = "[\"HIGHEST\",\"HIGHEST\"]";
    return run(p, profile);
}

static struct goal *goal_of_reduce(const char *profile, const char *builtin,
                                   int n, const float *a)
{
    float init = strcmp(builtin, "mul") == 0;
    struct slow_program *p = slow_program_new(&arena, "Reduce");
    struct literal *scalar = slow_program_literal(&arena, "f32[]", 0, NULL);
    literal_set(scalar, 0, bits_of(init));
    slow_program_operand(p, list_of("f32", n, a));
    slow_program_operand(p, scalar);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, builtin);
    slow_program_int(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 0);
    return run(p, profile);
}

static struct accept_set set_of(const struct goal *g, const char *name)
{
    struct status st = {0};
    const struct profile *profile;
    struct accept_set set = {.any = g->free_units && g->free_units[0]};
    if (!profile_load(&arena, name, &profile, &st))
        OK(false, "%s", st.text);
    struct accept_rules rules = profile_rules(profile, DT_f32);
    if (!set.any)
        accept_accumulation(&set, DT_f32, &g->sum.sums[0],
                            literal_get(g->value, 0), &rules);
    for (const struct goal_other *o = g->others; o; o = o->next)
        accept_add(&set, DT_f32, o->bits);
    return set;
}

static bool has(const struct accept_set *set, float x)
{
    return accept_has(set, DT_f32, bits_of(x));
}

/* ---- Many random lists --------------------------------------------------- */

/* How much wider are the sets than what was reached, with the usual seed? */
struct tally {
    const char *name;
    long tried, refused, any;
    double reached, allowed;
};

static void compare_set(struct tally *c, const struct trees *t,
                        const struct accept_set *set)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    for (int i = 0; i < t->count; i++) {
        bool nan = isnan(float_of(t->reached[i]));
        c->tried++;
        c->refused += !accept_has(set, DT_f32, t->reached[i]);
        int64_t key = nan ? 0 : real_key(DT_f32, t->reached[i]);
        if (!isfinite(float_of(t->reached[i])))
            continue;
        low = key < low ? key : low;
        high = key > high ? key : high;
    }
    c->any += set->any;
    if (low > high || set->any || set->count == 0)
        return;
    c->reached += (double)(high - low) + 1;
    for (int i = 0; i < set->count; i++)
        if (isfinite(float_of(real_from_key(DT_f32, set->range[i].high)))
            || set->range[i].low != set->range[i].high)
            c->allowed += (double)(set->range[i].high - set->range[i].low) + 1;
}

static void report(const struct tally *c, double most)
{
    OK(c->tried > 1000 && c->refused == 0 && c->any == 0,
       "%s: %ld of %ld reachable results are refused", c->name, c->refused,
       c->tried);
    OK(c->allowed <= most * c->reached || tap_seed(0) != 0,
       "%s: sets are %.2f times as wide as what is reachable", c->name,
       c->allowed / c->reached);
}

/* A significand of a few bits or of all, and an exponent. */
static float draw(struct random *r, int digits, int low, int high)
{
    int64_t bits = random_between(r, 0, 1) ? digits : random_between(r, 0, 3);
    int64_t m = random_between(r, INT64_C(1) << bits, (2 << bits) - 1);
    float x = ldexpf((float)m, (int)(random_between(r, low, high) - bits));
    return random_between(r, 0, 1) ? x : -x;
}

/* Products from 2^-152 to 2^-120, of which many are not multiples of 2^-149. */
static void dots(const char *profile, const char *type, double most)
{
    int digits = strcmp(type, "f32") == 0 ? 23 : 7;
    struct random r = {tap_seed(11)};
    struct tally c = {.name = profile};
    for (int round = 0; round < 3000; round++) {
        float a[4], b[4];
        struct node nodes[4];
        int n = (int)random_between(&r, 1, 4);
        int top = (int)random_between(&r, -74, -60);
        for (int i = 0; i < n; i++) {
            a[i] = draw(&r, digits, -76, top);
            b[i] = draw(&r, digits, -76, -74);
            nodes[i] = (struct node){true, a[i], b[i]};
        }
        struct trees t = {.flush = false};
        combine(&t, nodes, n);
        struct accept_set set =
            set_of(goal_of_dot(profile, type, n, a, b), profile);
        compare_set(&c, &t, &set);
    }
    report(&c, most);
}

/* A factor may be 0 or infinity. */
static float draw_factor(struct random *r, int low, int high)
{
    int64_t special = random_between(r, 0, 60);
    return special == 0 ? 0 : special == 1 ? INFINITY : draw(r, 23, low, high);
}

/* op is "add", "mul", or "abs", which adds magnitudes. */
static void check_reductions(const char *name, const char *op, int low,
                             int high, bool flush, double most)
{
    bool multiply = strcmp(op, "mul") == 0, one_sign = strcmp(op, "abs") == 0;
    struct random r = {tap_seed(multiply ? 13 : 12)};
    struct tally c = {.name = name};
    for (int round = 0; round < 2000; round++) {
        float a[5];
        struct node nodes[5];
        int n = (int)random_between(&r, 2, 5);
        for (int i = 0; i < n; i++) {
            a[i] =
                multiply ? draw_factor(&r, low, high) : draw(&r, 23, low, high);
            if (one_sign)
                a[i] = fabsf(a[i]);
            nodes[i] = (struct node){.a = a[i]};
        }
        struct trees t = {.multiply = multiply, .flush = flush};
        combine(&t, nodes, n);
        const char *profile = flush ? "spec" : "strict";
        struct accept_set set = set_of(
            goal_of_reduce(profile, multiply ? "mul" : "add", n, a), profile);
        compare_set(&c, &t, &set);
    }
    report(&c, most);
}

static const struct goal *goal_of_complex(const char *profile, int n,
                                          const float (*z)[2])
{
    static const int64_t one[] = {1, 0};
    struct slow_program *p = slow_program_new(&arena, "Reduce");
    struct literal *l = slow_program_literal(
        &arena, arena_printf(&arena, "c64[%d]", n), 0, NULL);
    for (int i = 0; i < 2 * n; i++)
        literal_set(l, i, bits_of(z[i / 2][i % 2]));
    slow_program_operand(p, l);
    slow_program_values(p, "c64[]", 2, one);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, "mul");
    slow_program_int(p, ATTRIBUTE_DIMENSIONS_TO_REDUCE, 0);
    return run(p, profile);
}

static struct accept_set set_of_part(const struct goal *g, const char *name,
                                     int part)
{
    struct goal one = *g;
    struct literal *value = slow_program_literal(&arena, "f32[]", 0, NULL);
    literal_set(value, 0, literal_get(g->value, part));
    one.value = value;
    one.sum.sums = g->sum.sums + part;
    one.free_units = g->free_units ? g->free_units + part : NULL;
    one.others = NULL;
    struct accept_set set = set_of(&one, name);
    for (const struct goal_other *o = g->others; o; o = o->next)
        if (o->unit == part)
            accept_add(&set, DT_f32, o->bits);
    return set;
}

struct parts {
    struct accept_set set[2];
    struct tally *tally;
    int64_t low[2], high[2];
};

/* less = z with its numbers i and j replaced by their product. */
static void multiply(int n, float (*z)[2], int i, int j, bool fused,
                     float (*less)[2])
{
    float a = z[i][0], b = z[i][1], c = z[j][0], d = z[j][1];
    int to = 0;
    for (int k = 0; k < n; k++)
        if (k != i && k != j)
            memcpy(less[to++], z[k], sizeof z[k]);
    less[to][0] = fused ? fmaf(a, c, -(b * d)) : a * c - b * d;
    less[to][1] = fused ? fmaf(a, d, b * c) : a * d + b * c;
}

/* Every order of these factors, by the usual formula, with and without fused
 * operations. */
static void reach_complex(struct parts *p, int n, float (*z)[2])
{
    float less[4][2];
    for (int k = 0; n == 1 && k < 2; k++) {
        int64_t key = real_key(DT_f32, bits_of(z[0][k]));
        p->tally->tried++;
        p->tally->refused += !has(&p->set[k], z[0][k]);
        p->low[k] = key < p->low[k] ? key : p->low[k];
        p->high[k] = key > p->high[k] ? key : p->high[k];
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int fused = 0; fused < 2; fused++) {
                multiply(n, z, i, j, fused, less);
                reach_complex(p, n - 1, less);
            }
}

static void complex_products(const char *profile, int low, int high, bool axis,
                             double most)
{
    struct random r = {tap_seed(14)};
    struct tally c = {.name = profile};
    for (int round = 0; round < 400; round++) {
        float z[4][2];
        int n = (int)random_between(&r, 2, 4);
        for (int i = 0; i < n; i++) {
            int at = (int)random_between(&r, low, high);
            z[i][0] = draw(&r, 23, at - 1, at + 1);
            z[i][1] = axis ? 0 : draw(&r, 23, at - 1, at + 1);
        }
        const struct goal *g =
            goal_of_complex(profile, n, (const float(*)[2])z);
        struct parts p = {.tally = &c};
        for (int k = 0; k < 2; k++) {
            p.set[k] = set_of_part(g, profile, k);
            p.low[k] = INT64_MAX;
            p.high[k] = INT64_MIN;
            c.any += p.set[k].any;
        }
        reach_complex(&p, n, z);
        for (int k = 0; k < 2; k++) {
            c.reached += (double)(p.high[k] - p.low[k] + 1);
            for (int i = 0; i < p.set[k].count; i++)
                c.allowed += (double)(p.set[k].range[i].high
                                      - p.set[k].range[i].low + 1);
        }
    }
    report(&c, most);
}

/* (1 + 2i)(3 - i) = 5 + 5i, and (2 + 2i) times that is 20i; with five times 1
 * more than six factors. */
static void gaussian_integers(void)
{
    static const float z[8][2] = {{1, 2}, {3, -1}, {2, 2}, {1, 0},
                                  {1, 0}, {-1, 0}, {1, 0}, {-1, 0}};
    const struct goal *g = goal_of_complex("spec", 8, z);
    struct accept_set re = set_of_part(g, "spec", 0);
    struct accept_set im = set_of_part(g, "spec", 1);
    OK(has(&re, 0) && has(&re, -0.0f) && !has(&re, 0x1p-149f)
           && !has(&re, 0x1p-20f),
       "the real part is zero, of either sign");
    OK(has(&im, 20) && !has(&im, 20 + 0x1p-19f), "the other one is 20");
    /* (1 + 2^-23) (1 + i) twice: 2i (1 + 2^-22 + 2^-46), no f32.  In one
     * product |z| sqrt(5) 2^-24 is 2.2 ulps of 2^-23: at most 3, of 2 and 0. */
    static const float twice[2][2] = {{0x1.000002p0f, 0x1.000002p0f},
                                      {0x1.000002p0f, 0x1.000002p0f}};
    g = goal_of_complex("strict", 2, twice);
    re = set_of_part(g, "strict", 0);
    im = set_of_part(g, "strict", 1);
    OK(has(&re, 0) && has(&re, 0x1p-23f) && !has(&re, 0x1p-21f), "near zero");
    OK(has(&im, 0x1.000004p1f) && has(&im, 0x1.000006p1f)
           && !has(&im, 0x1.000008p1f) && !has(&im, 0x1p1f),
       "near 2");
}

/* ---- By hand ------------------------------------------------------------- */

/* Products of 0.75 * 2^-149 each.  Rounded they are 2^-149, in sum 3 * 2^-149;
 * the exact sum, 2.25 * 2^-149, gives 2 * 2^-149.  Three times half of 2^-149
 * can be lost or gained: 0.75 to 3.75 of them are right. */
static void products_that_underflow(const char *profile)
{
    const float a[] = {0x1.8p-76f, 0x1.8p-76f, 0x1.8p-76f};
    const float b[] = {0x1p-74f, 0x1p-74f, 0x1p-74f};
    struct accept_set set =
        set_of(goal_of_dot(profile, "f32", 3, a, b), profile);
    OK(has(&set, 0x2p-149f) && has(&set, 0x3p-149f), "%s: both", profile);
    OK(!has(&set, 0) && !has(&set, 0x4p-149f), "%s: no more", profile);
    set = set_of(goal_of_dot(profile, "f32", 1, a, b), profile);
    OK(has(&set, 0x1p-149f) && !has(&set, 0) && !has(&set, 0x2p-149f),
       "%s: one product has one value", profile);
}

static struct goal *goal_of_scaled(float lhs, float lhs_scale, float rhs,
                                   float rhs_scale)
{
    const float factors[] = {lhs, lhs_scale, rhs, rhs_scale};
    struct slow_program *p = slow_program_new(&arena, "ScaledDot");
    for (int i = 0; i < 4; i++)
        slow_program_operand(p, list_of("f32", 1, &factors[i]));
    slow_program_int(p, ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS, 0);
    slow_program_int(p, ATTRIBUTE_RHS_CONTRACTING_DIMENSIONS, 0);
    return run(p, "strict");
}

/* A scaled factor of 0.75 * 2^-149 is 2^-149 once rounded, and 2^100 times
 * that is 2^-49; the exact product is 0.75 of it.  By way of the other scale
 * (1) it can be rounded twice: 2 * 2^-150 * 2^100 can be lost or gained. */
static void scaled_products(void)
{
    struct accept_set set =
        set_of(goal_of_scaled(0x1.8p-80f, 0x1p-70f, 0x1p100f, 1), "strict");
    OK(has(&set, 0x1p-49f) && has(&set, 0x1.8p-50f), "a scaled factor");
    OK(!has(&set, 0x1p-48f) && !has(&set, -0x1p-60f), "and no more");
    /* 2^200 is infinite, and times 2^-200 still. */
    set = set_of(goal_of_scaled(0x1p100f, 0x1p100f, 0x1p-100f, 0x1p-100f),
                 "strict");
    OK(has(&set, 1) && has(&set, INFINITY), "a scaled factor that overflows");
}

/* 1 + 2^-24 is a tie, which goes to 1; 1 + 2^-23 is never right. */
static void one_rounding(void)
{
    const float tie[] = {1, 0x1p-24f}, cancel[] = {1, -0x1.fffffep-1f};
    struct accept_set set =
        set_of(goal_of_reduce("strict", "add", 2, tie), "strict");
    OK(has(&set, 1) && !has(&set, 0x1.000002p0f), "a sum of two");
    set = set_of(goal_of_reduce("strict", "add", 2, cancel), "strict");
    OK(has(&set, 0x1p-24f) && !has(&set, 0x1.000002p-24f)
           && !has(&set, 0x1.fffffep-25f),
       "a difference of two");
    /* Three ones and 3 * 2^-25: s = 3 + 3 * 2^-25, E = 3 * 2^-24 / (1 - 3 *
     * 2^-24) * s, a little more than 9 * 2^-24; ulps of 2^-22 = 4 * 2^-24: s +-
     * E is 3 + 1.5 * 2^-24 +- 9.0000016 * 2^-24, so -7.5 to 10.5 units, and 3 -
     * 4, 3, 3 + 4, 3 + 8 units are right. */
    const float four[] = {1, 1, 1, 0x3p-25f};
    set = set_of(goal_of_reduce("strict", "add", 4, four), "strict");
    OK(has(&set, 3 - 0x4p-24f) && has(&set, 3 + 0x8p-24f), "inside E");
    OK(!has(&set, 3 - 0x8p-24f) && !has(&set, 3 + 0xcp-24f), "outside E");
}

/* Flushing 2^-127 from 2^-126 + 2^-127 + 2^-126 leaves 2^-125; nothing above
 * the exact sum, 0x1.4p-125, can come of it. */
static void flushing_only_loses(void)
{
    const float up[] = {0x1p-126f, 0x1p-127f, 0x1p-126f};
    const float down[] = {-0x1p-126f, -0x1p-127f, -0x1p-126f};
    struct accept_set set =
        set_of(goal_of_reduce("spec", "add", 3, up), "spec");
    OK(has(&set, 0x1p-125f) && has(&set, 0x1.4p-125f)
           && !has(&set, 0x1.400002p-125f),
       "terms above zero");
    set = set_of(goal_of_reduce("spec", "add", 3, down), "spec");
    OK(has(&set, -0x1p-125f) && has(&set, -0x1.4p-125f)
           && !has(&set, -0x1.400002p-125f),
       "terms below zero");
}

/* 2^-100 twice vanishes, 2^100 twice overflows: all of 1 (crosswise), 0,
 * infinity and NaN can be reached. */
static void partial_products(void)
{
    const float both[] = {0x1p-100f, 0x1p-100f, 0x1p100f, 0x1p100f};
    struct accept_set set =
        set_of(goal_of_reduce("strict", "mul", 4, both), "strict");
    OK(has(&set, 1) && has(&set, 0) && has(&set, INFINITY) && has(&set, NAN),
       "both ends");
    OK(!has(&set, -1) && !has(&set, -0.0f) && !has(&set, -INFINITY)
           && !has(&set, 1e30f),
       "the product keeps its sign, and three roundings at most double it");
    const float over[] = {-0x1p100f, 0x1p100f, 0x1p-100f, 1.5f};
    set = set_of(goal_of_reduce("strict", "mul", 4, over), "strict");
    OK(has(&set, -0x1.8p100f) && has(&set, -INFINITY) && !has(&set, INFINITY)
           && !has(&set, NAN) && !has(&set, 0) && !has(&set, -0x1.8p101f),
       "only overflow");
    /* 0x1.8p-150 is 2^-149 once rounded: twice 2^-149 instead of 0x1.8p-149. */
    const float under[] = {0x1.8p-75f, 0x1p-75f, 2};
    set = set_of(goal_of_reduce("strict", "mul", 3, under), "strict");
    OK(has(&set, 0x1p-148f) && has(&set, 0x1p-149f) && !has(&set, INFINITY)
           && !has(&set, 0x4p-149f) && !has(&set, -0x1p-149f),
       "only underflow");
    /* No product below 2^-126 and 23 bits lost of none: (1 + 2^-23)^3 in two
     * roundings, within 2 * 2^-24 of it. */
    const float plain[] = {0x1.000002p0f, 0x1.000002p0f, 0x1.000002p0f};
    set = set_of(goal_of_reduce("strict", "mul", 3, plain), "strict");
    OK(has(&set, 1 + 0x3p-23f) && has(&set, 1 + 0x4p-23f)
           && !has(&set, 1 + 0x5p-23f) && !has(&set, 1 + 0x1p-23f),
       "neither");
    const float zero[] = {0x1p100f, 0x1p100f, -0.0f};
    set = set_of(goal_of_reduce("strict", "mul", 3, zero), "strict");
    OK(has(&set, -0.0f) && has(&set, NAN) && !has(&set, 0)
           && !has(&set, INFINITY) && !has(&set, 1),
       "infinity times zero");
    const float inf[] = {0x1p-100f, 0x1p-100f, INFINITY};
    set = set_of(goal_of_reduce("strict", "mul", 3, inf), "strict");
    OK(has(&set, INFINITY) && has(&set, NAN) && !has(&set, -INFINITY)
           && !has(&set, 0x1.fffffep127f),
       "zero times infinity");
}

int main(void)
{
    products_that_underflow("strict");
    products_that_underflow("stablehlo");
    products_that_underflow("xla-gpu-default");
    scaled_products();
    one_rounding();
    gaussian_integers();
    flushing_only_loses();
    partial_products();
    dots("strict", "f32", 3);
    dots("stablehlo", "f32", 3);
    dots("xla-gpu-default", "f32", 3);
    dots("strict", "bf16", 3);
    check_reductions("sums", "add", -5, 5, false, 10);
    check_reductions("sums of one sign", "abs", -5, 5, false, 3);
    check_reductions("sums near the end", "add", 122, 127, false, 10);
    check_reductions("tiny sums", "add", -149, -124, false, 3);
    check_reductions("flushed sums", "add", -149, -120, true, 40);
    check_reductions("flushed sums of one sign", "abs", -149, -120, true, 9);
    check_reductions("products", "mul", -3, 3, false, 2);
    check_reductions("products that underflow", "mul", -60, 5, false, 3);
    check_reductions("products of tiny ones", "mul", -80, -20, false, 2);
    check_reductions("products of anything", "mul", -149, 127, false, 2);
    check_reductions("products that overflow", "mul", 20, 80, false, 2);
    check_reductions("flushed products", "mul", -60, 5, true, 2);
    check_reductions("flushed products of anything", "mul", -149, 127, true, 2);
    complex_products("strict", -5, 5, false, 20);
    complex_products("spec", -5, 5, false, 20);
    complex_products("strict", -60, 20, false, 1000);
    complex_products("strict", -5, 5, true, 3);
    arena_free(&arena);
    return tap_done();
}
