/* test_interval.c - intervals through operations, against every value.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * u = exp(x) - y is inexact; v = op(u) must allow just what op allows for each
 * value that u may have, tried one by one.  The types have 256 patterns, and
 * wide.json lets all that is computed in them be two ulps off.
 */
#include <stdio.h>

#include "interp/program/evaluate.h"
#include "interp/program/interval_goal.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena, each;
static const struct limits limits = LIMITS_DEFAULT;
static const struct profile *profile;

enum {
    PATTERNS = 256,
    OTHERS = 5
};

static int node(struct program *p, struct computation *c, const char *op,
                int count, int a, int b)
{
    struct slow_program made = {.arena = &each, .program = p};
    return slow_program_add(&made, c, op, count, (int[]){a, b});
}

/* The operation on u and an exact value: which of its two operands u is. */
struct trial {
    const char *op;
    int count, place;
};

static void apply(struct program *p, struct computation *c,
                  const struct trial *t, int u, int exact)
{
    if (t->count == 1)
        node(p, c, t->op, 1, u, 0);
    else
        node(p, c, t->op, 2, t->place ? exact : u, t->place ? u : exact);
}

/* Evaluate and give the ends of the result. */
static bool run(struct program *p, struct literal *const *inputs,
                struct literal **low, struct literal **high, struct status *st)
{
    struct machine m = {.program = p,
                        .profile = profile,
                        .limits = &limits,
                        .want_exact = true,
                        .replicas = 1};
    struct outcome out;
    const char *why = "";
    if (!program_infer(p, st)
        || !evaluate_program(&each, &m, &inputs, &out, st))
        return false;
    if (!interval_goal_ends(&each, profile, out.goals[0], low, high, &why))
        return FAIL(st, UNSUPPORTED, "%s", why);
    if (!*low)
        *low = *high = out.value;
    return true;
}

static struct literal *scalar(const struct shape *s, uint64_t bits)
{
    struct literal *l = literal_new(&each, s);
    literal_set(l, 0, bits);
    return l;
}

/* op alone on every pattern. */
struct table {
    uint64_t low[PATTERNS], high[PATTERNS];
};

static bool make_table(struct table *to, const struct trial *t, enum dtype type,
                       uint64_t exact)
{
    int64_t dims = PATTERNS;
    const struct shape *s = shape_array(&each, type, 1, &dims);
    struct program *p = program_new(&each, &limits);
    struct computation *c = program_computation(p, "main");
    struct literal *inputs[2] = {literal_new(&each, s), literal_new(&each, s)};
    struct status st = {STATUS_OK};
    for (int i = 0; i < PATTERNS; i++) {
        literal_set(inputs[0], i, (uint64_t)i);
        literal_set(inputs[1], i, exact);
    }
    int a = program_parameter(p, c, 0, s), b = program_parameter(p, c, 1, s);
    apply(p, c, t, a, b);
    p->entry = c;
    struct literal *low, *high;
    if (!run(p, inputs, &low, &high, &st))
        return false;
    for (int i = 0; i < PATTERNS; i++) {
        to->low[i] = literal_get(low, i);
        to->high[i] = literal_get(high, i);
    }
    return true;
}

/* exp(x) - y, and op of it if there is one. */
static bool compose(const struct trial *t, enum dtype type, uint64_t x,
                    uint64_t y, uint64_t exact, struct literal **low,
                    struct literal **high, struct status *st)
{
    const struct shape *s = shape_scalar(&each, type);
    struct literal *inputs[3] = {scalar(s, x), scalar(s, y), scalar(s, exact)};
    struct program *p = program_new(&each, &limits);
    struct computation *c = program_computation(p, "main");
    int a = program_parameter(p, c, 0, s), b = program_parameter(p, c, 1, s);
    int d = program_parameter(p, c, 2, s);
    int u = node(p, c, "Sub", 2, node(p, c, "Exp", 1, a, 0), b);
    if (t)
        apply(p, c, t, u, d);
    p->entry = c;
    return run(p, inputs, low, high, st);
}

/* The hull of what a table allows between two patterns. */
struct hull {
    bool nan, number;
    int64_t low, high; /* keys */
};

static void widen_hull(struct hull *h, enum dtype type, uint64_t bits)
{
    if (real_is_nan(type, bits)) {
        h->nan = true;
        return;
    }
    int64_t key = real_key(type, bits);
    if (!h->number || key < h->low)
        h->low = key;
    if (!h->number || key > h->high)
        h->high = key;
    h->number = true;
}

static struct hull find_hull(const struct table *table, enum dtype type,
                             uint64_t low, uint64_t high)
{
    struct hull h = {0};
    for (int i = 0; i < PATTERNS; i++) {
        uint64_t bits = (uint64_t)i;
        bool inside = real_is_nan(type, low)
                          ? bits == low
                          : !real_is_nan(type, bits)
                                && real_key(type, low) <= real_key(type, bits)
                                && real_key(type, bits) <= real_key(type, high);
        if (!inside)
            continue;
        widen_hull(&h, type, table->low[i]);
        widen_hull(&h, type, table->high[i]);
    }
    return h;
}

struct counts {
    int right, wrong, refused, refused_wrongly;
    int inexact; /* u is an interval */
};

/* Is a refusal due?  The hull is not an interval of numbers, or all numbers, or
 * a divisor may be zero. */
static bool may_refuse(const struct hull *h, enum dtype type, uint64_t low,
                       uint64_t high)
{
    bool zero =
        !real_is_nan(type, low)
        && real_key(type, low) <= real_key(type, real_zero(type, false))
        && real_key(type, real_zero(type, true)) <= real_key(type, high);
    return h->nan || zero;
}

/* Never too little; too much by a budget's two ulps where an interval contains
 * a power of two that no single value gives. */
static bool covers(int64_t excess)
{
    return excess >= 0 && excess <= 2;
}

static void try_one(const struct trial *t, enum dtype type,
                    const struct table *table, uint64_t x, uint64_t y,
                    uint64_t exact, struct counts *n)
{
    struct literal *low, *high, *vlow, *vhigh;
    struct status st = {STATUS_OK}, other = {STATUS_OK};
    if (!compose(NULL, type, x, y, exact, &low, &high, &st))
        return;
    uint64_t from = literal_get(low, 0), to = literal_get(high, 0);
    struct hull h = find_hull(table, type, from, to);
    n->inexact += from != to;
    if (!compose(t, type, x, y, exact, &vlow, &vhigh, &other)) {
        n->refused++;
        n->refused_wrongly += !may_refuse(&h, type, from, to);
        return;
    }
    uint64_t a = literal_get(vlow, 0), b = literal_get(vhigh, 0);
    bool nan = real_is_nan(type, a);
    bool good = nan ? h.nan && !h.number
                    : !h.nan && covers(h.low - real_key(type, a))
                          && covers(real_key(type, b) - h.high);
    n->right += good;
    if (!good && n->wrong++ == 0)
        printf("# %s x %02x y %02x: u in %02x..%02x, v in %02x..%02x\n", t->op,
               (unsigned)x, (unsigned)y, (unsigned)from, (unsigned)to,
               (unsigned)a, (unsigned)b);
}

static void try_op(const struct trial *t, enum dtype type, uint64_t exact)
{
    struct counts n = {0};
    struct table table;
    if (!make_table(&table, t, type, exact)) {
        OK(false, "%s alone", t->op);
        return;
    }
    for (int x = 0; x < PATTERNS; x += 3) {
        struct literal *low, *high;
        struct status st = {STATUS_OK};
        arena_reset(&each);
        if (!compose(NULL, type, (uint64_t)x, 0, exact, &low, &high, &st)
            || real_is_nan(type, literal_get(low, 0)))
            continue;
        /* Neighbours of exp(x): differences of both signs, and none. */
        uint64_t middle = literal_get(low, 0);
        for (int k = 0; k < OTHERS; k++)
            try_one(t, type, &table, (uint64_t)x,
                    (middle + (uint64_t)k - 1) & (PATTERNS - 1), exact, &n);
        try_one(t, type, &table, (uint64_t)x, 0, exact, &n);
    }
    OK(n.wrong == 0 && n.refused_wrongly == 0 && n.right > n.refused
           && n.inexact > n.right / 2,
       "%s of %s (%02x): %d right, %d wrong, %d refused, %d of these wrongly",
       t->op, dtype_table[type].name, (unsigned)exact, n.right, n.wrong,
       n.refused, n.refused_wrongly);
    arena_reset(&each);
}

int main(void)
{
    static const struct trial trials[] = {
        {"Abs", 1, 0},  {"Cosh", 1, 0},  {"Rsqrt", 1, 0}, {"Neg", 1, 0},
        {"Exp", 1, 0},  {"Log", 1, 0},   {"Sqrt", 1, 0},  {"Tanh", 1, 0},
        {"Erfc", 1, 0}, {"Cbrt", 1, 0},  {"Div", 2, 0},   {"Div", 2, 1},
        {"Mul", 2, 0},  {"Sub", 2, 1},   {"Add", 2, 0},   {"Max", 2, 0},
        {"Min", 2, 1},  {"Expm1", 1, 0}, {"Log1p", 1, 0},
    };
    static const enum dtype types[] = {DT_f8e5m2, DT_f8e4m3};
    struct status st = {STATUS_OK};
    if (!spec_load(&st)
        || !profile_load(&arena, "interp/test/wide.json", &profile, &st)) {
        OK(false, "%s", st.text);
        return tap_done();
    }
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++)
        for (int k = 0; k < 2; k++) {
            uint64_t one = real_one(types[k]);
            try_op(&trials[i], types[k], one + 1);
            if (trials[i].count == 2) {
                uint64_t sign = 0x80;
                try_op(&trials[i], types[k], (one + 3) | sign);
            }
        }
    arena_free(&each);
    arena_free(&arena);
    evaluate_end();
    return tap_done();
}
