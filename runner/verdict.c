/* verdict.c - see verdict.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * This is the one place that must be boring.
 */
#include "runner/verdict.h"

#include <stdio.h>
#include <string.h>

#include "runner/store.h"

static const struct {
    const char *text;
    bool failure;
    int colour;
} table[VERDICT_COUNT] = {
#define VERDICT(name, text, failure, tap, junit, colour, meaning) \
    [VERDICT_##name] = {text, failure, colour},
#include "runner/verdict.def"
#undef VERDICT
};

const char *verdict_name(enum verdict_status v)
{
    return (unsigned)v < VERDICT_COUNT ? table[v].text : "?";
}

enum verdict_status verdict_find(const char *name)
{
    for (int v = 0; v < VERDICT_COUNT; v++)
        if (strcmp(table[v].text, name) == 0)
            return (enum verdict_status)v;
    return VERDICT_COUNT;
}

bool verdict_is_failure(enum verdict_status v)
{
    return (unsigned)v >= VERDICT_COUNT || table[v].failure;
}

int verdict_colour(enum verdict_status v)
{
    return (unsigned)v < VERDICT_COUNT ? table[v].colour : 0;
}

/* ---- The whole array at once ----------------------------------------------
 */

static void remember(struct verdict_worst *worst,
                     const struct verdict_leaf *leaf, int64_t unit,
                     int64_t size)
{
    uint64_t magnitude = (uint64_t)(size < 0 ? -size : size);
    uint64_t most = (uint64_t)(worst->size < 0 ? -worst->size : worst->size);
    if (!worst->has || magnitude > most)
        *worst =
            (struct verdict_worst){true, size, leaf->replica, leaf->leaf, unit};
}

bool verdict_same(struct verdict *v, const struct verdict_leaf *leaf)
{
    const struct goal *g = leaf->goal;
    if (!literal_equal(g->value, leaf->got))
        return false;
    int64_t units = literal_units(g->value);
    v->units += units;
    v->correct += units;
    v->branch[VERDICT_SAME] += units;
    v->undecided += g->undecided;
    if (g->rule == GOAL_REAL)
        remember(&v->error, leaf, g->worst_unit, g->worst);
    if (leaf->state)
        memset(leaf->state, VERDICT_SAME, (size_t)units);
    return true;
}

/* ---- The acceptance set of a unit -------------------------------------------
 */

static enum dtype unit_type(const struct goal *g)
{
    return dtype_unit(g->value->shape->dtype);
}

static bool is_nan(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, bits);
}

static bool is_inf(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_inf(unit, bits);
}

static void set_bits(struct accept_set *set, enum dtype unit, uint64_t value,
                     const struct accept_rules *rules)
{
    accept_bits(set, unit, value);
    if (dtype_class(unit) != DTYPE_FLOAT)
        return;
    if (real_is_nan(unit, value)) {
        memset(set, 0, sizeof *set);
        set->nan = true;
        set->nan_rule = rules->nan;
        set->nan_bits = value;
    } else if (real_is_subnormal(unit, value)
               && rules->subnormal & ACCEPT_FLUSH_RESULTS) {
        bool negative = real_is_negative(unit, value);
        accept_add(set, unit, real_zero(unit, negative));
        if (rules->subnormal & ACCEPT_FLUSH_ANY_SIGN)
            accept_add(set, unit, real_zero(unit, !negative));
    }
}

/* Both zeros, where a zero is due and a policy lets it have either sign. */
static void add_zeros(struct accept_set *set, enum dtype unit, uint64_t value,
                      const struct accept_rules *rules)
{
    if (rules->zero_any_sign && dtype_class(unit) == DTYPE_FLOAT
        && real_is_zero(unit, value) && real_has_negative_zero(unit)) {
        accept_add(set, unit, real_zero(unit, false));
        accept_add(set, unit, real_zero(unit, true));
    }
}

/* A number between low and high may be subnormal, and so flushed. */
static void add_flushed(struct accept_set *set, enum dtype unit, uint64_t low,
                        uint64_t high, const struct accept_rules *rules)
{
    uint64_t normal = real_min_normal(unit), sign = real_formats[unit].sign;
    int64_t first = real_key(unit, low), last = real_key(unit, high);
    bool any = rules->subnormal & ACCEPT_FLUSH_ANY_SIGN;
    if (!(rules->subnormal & ACCEPT_FLUSH_RESULTS) || sign == 0)
        return;
    bool up = last > real_key(unit, 0) && first < real_key(unit, normal);
    bool down = first < real_key(unit, real_zero(unit, true))
                && last > real_key(unit, normal | sign);
    if (up || (down && any))
        accept_add(set, unit, real_zero(unit, false));
    if (down || (up && any))
        accept_add(set, unit, real_zero(unit, true));
}

static void set_range(struct accept_set *set, enum dtype unit,
                      const struct goal *g, int64_t i, uint64_t value,
                      const struct accept_rules *rules)
{
    uint64_t low = literal_get(g->low, i), high = literal_get(g->high, i);
    if (is_nan(unit, value) || is_nan(unit, low) || is_nan(unit, high)) {
        set_bits(set, unit, value, rules);
        return;
    }
    memset(set, 0, sizeof *set);
    set->count = 1;
    set->range[0].low = real_key(unit, low);
    set->range[0].high = real_key(unit, high);
    if (dtype_class(unit) == DTYPE_FLOAT)
        add_flushed(set, unit, low, high, rules);
    add_zeros(set, unit, value, rules);
}

/* What a profile says of the units of one array. */
struct basis {
    const struct accept_budget *budget;
    struct accept_rules rules;
    bool norm;      /* complex numbers as a whole */
    bool unsayable; /* a NaN that the type lacks may be anything */
};

static struct basis basis_of(const struct profile *p, const struct goal *g)
{
    static const struct accept_budget correctly_rounded = {.kind = ACCEPT_CR};
    struct basis b = {.budget = &correctly_rounded,
                      .rules = profile_rules(p, unit_type(g))};
    if (g->has_budget)
        b.budget = &g->budget;
    else if (g->accuracy)
        b.budget = profile_budget(p, g->accuracy, unit_type(g), NULL);
    if (g->clip) {
        b.rules.clip = true;
        b.rules.low = g->clip_low;
        b.rules.high = g->clip_high;
    }
    b.norm = g->complex_norm && g->rule == GOAL_REAL && g->y
             && strcmp(profile_choice(p, "complex.accuracy"), "norm") == 0;
    b.unsayable =
        g->rule == GOAL_REAL && g->y && dtype_class(unit_type(g)) == DTYPE_FLOAT
        && !real_has_nan(unit_type(g))
        && strcmp(profile_choice(p, "convert.nan-to-finite"), "any") == 0;
    return b;
}

/* A NaN where the type has none: no document says what comes instead. */
static bool is_unsayable(const struct basis *b, const struct goal *g, int64_t i)
{
    return b->unsayable && g->y[i].kind == REAL_NAN;
}

static void value_set(struct accept_set *set, const struct basis *b,
                      const struct goal *g, int64_t i,
                      const struct accept_rules *rules)
{
    enum dtype unit = unit_type(g);
    uint64_t value = literal_get(g->value, i);
    const struct accept_budget *budget = goal_budget(g, i, b->budget);
    accept_value(set, unit, &g->y[i], value, budget, rules);
    if (!g->either_units || !g->either_units[i])
        return;
    struct accept_set other;
    struct real turned = g->y[i];
    turned.negative = !turned.negative;
    accept_value(&other, unit, &turned, value ^ real_formats[unit].sign, budget,
                 rules);
    accept_union(set, &other);
}

static void set_of(struct accept_set *set, const struct basis *b,
                   const struct goal *g, int64_t i,
                   const struct accept_rules *rules)
{
    enum dtype unit = unit_type(g);
    uint64_t value = literal_get(g->value, i);
    if (is_unsayable(b, g, i)) {
        memset(set, 0, sizeof *set);
        set->any = true;
        return;
    }
    switch (g->rule) {
    case GOAL_REAL:
        if (g->y) {
            value_set(set, b, g, i, rules);
            return;
        }
        break;
    case GOAL_SUM:
        if (g->sums) {
            accept_accumulation(set, unit, &g->sums[i], value, rules);
            return;
        }
        break;
    case GOAL_RANGE:
        set_range(set, unit, g, i, value, rules);
        return;
    case GOAL_MOVED:
    case GOAL_CHECK:
        accept_bits(set, unit, value);
        return;
    case GOAL_FREE:
        memset(set, 0, sizeof *set);
        set->any = true;
        return;
    case GOAL_BITS:
        break;
    }
    set_bits(set, unit, value, rules);
    add_zeros(set, unit, value, rules);
}

/* ---- Unit by unit
 * ------------------------------------------------------------- */

static bool allowed_besides(const struct goal *g, int64_t i, uint64_t got)
{
    if (g->free_units && g->free_units[i])
        return true;
    for (const struct goal_other *o = g->others; o; o = o->next)
        if (o->unit == i && o->bits == got)
            return true;
    return false;
}

/* Is unit i judged with its other half?  Not where a part is infinite or NaN,
 * nor a part that is exactly zero: that is this zero, whatever stands beside
 * it, unless it is a difference that a rounded term does not cancel. */
static bool by_norm(const struct basis *b, const struct goal *g,
                    const struct literal *got, int64_t i, uint64_t z[2])
{
    enum dtype unit = unit_type(g);
    int64_t first = i & ~INT64_C(1);
    if (!b->norm)
        return false;
    for (int k = 0; k < 2; k++) {
        z[k] = literal_get(got, first + k);
        if (g->y[first + k].kind > REAL_FINITE || !real_is_finite(unit, z[k]))
            return false;
    }
    return g->y[i].kind != REAL_ZERO
           || (g->cancelled_units && g->cancelled_units[i]);
}

/* The two parts of a complex number together, where all of them are finite. */
static bool norm_says(const struct basis *b, const struct goal *g,
                      const struct literal *got, int64_t i)
{
    enum dtype unit = unit_type(g);
    uint64_t z[2];
    return by_norm(b, g, got, i, z)
           && verdict_norm(&g->y[i & ~INT64_C(1)], z, unit, b->budget);
}

/* All that is right for unit i beside the part of got that is not asked for:
 * what its own budget allows, and what the whole number's does. */
static void whole_set(struct accept_set *set, const struct basis *b,
                      const struct goal *g, const struct literal *got,
                      int64_t i)
{
    enum dtype unit = unit_type(g);
    struct accept_set slice;
    uint64_t z[2];
    set_of(set, b, g, i, &b->rules);
    if (by_norm(b, g, got, i, z)
        && verdict_norm_set(&slice, &g->y[i & ~INT64_C(1)], z, (int)(i & 1),
                            unit, b->budget))
        accept_union(set, &slice);
}

static enum verdict_branch explain(const struct basis *b, const struct goal *g,
                                   const struct literal *got, int64_t i)
{
    enum dtype unit = unit_type(g);
    uint64_t bits = literal_get(got, i);
    if (bits == literal_get(g->value, i))
        return VERDICT_SAME;
    if (g->rule == GOAL_FREE || allowed_besides(g, i, bits))
        return VERDICT_INSIDE;
    if (g->rule == GOAL_MOVED || g->rule == GOAL_CHECK)
        return VERDICT_PENDING;
    if (norm_says(b, g, got, i))
        return VERDICT_INSIDE;
    struct accept_rules strict = b->rules;
    struct accept_set set = {0};
    strict.subnormal = 0;
    set_of(&set, b, g, i, &strict);
    if (accept_has(&set, unit, bits))
        return VERDICT_INSIDE;
    if (!(b->rules.subnormal & ACCEPT_FLUSH_RESULTS))
        return VERDICT_PENDING;
    memset(&set, 0, sizeof set);
    set_of(&set, b, g, i, &b->rules);
    return accept_has(&set, unit, bits) ? VERDICT_RESULTS : VERDICT_PENDING;
}

static bool error_of(const struct goal *g, int64_t i, uint64_t got,
                     int64_t *error)
{
    enum dtype unit = unit_type(g);
    if (g->rule != GOAL_REAL || !g->y || g->y[i].kind > REAL_FINITE
        || dtype_class(unit) != DTYPE_FLOAT || !real_is_finite(unit, got)
        || !real_is_finite(unit, literal_get(g->value, i)))
        return false;
    *error = real_error(&g->y[i], unit, got);
    /* The reference itself is off by more than half an ulp only where the
     * exact value is beyond the type's range; that is no error of rounding. */
    int64_t own = real_error(&g->y[i], unit, literal_get(g->value, i));
    return own <= 500000 && own >= -500000;
}

static bool share_of(const struct goal *g, int64_t i, uint64_t got,
                     int64_t *share)
{
    enum dtype unit = unit_type(g);
    return g->rule == GOAL_SUM && g->sums && dtype_class(unit) == DTYPE_FLOAT
           && real_is_finite(unit, literal_get(g->value, i))
           && accept_accumulation_share(&g->sums[i], unit, got, share);
}

/* A number where NaN or infinity is due, the other way round, or the other
 * infinity. */
static bool is_special(enum dtype unit, uint64_t got, uint64_t want)
{
    if (is_nan(unit, got) || is_nan(unit, want))
        return is_nan(unit, got) != is_nan(unit, want);
    return got != want && (is_inf(unit, got) || is_inf(unit, want));
}

/* Measure a unit that is right as it is, or wrong.  A flushed subnormal number
 * is no error of rounding: it is counted in its branch. */
static void measure(struct verdict *v, const struct verdict_leaf *leaf,
                    int64_t i)
{
    const struct goal *g = leaf->goal;
    enum dtype unit = unit_type(g);
    uint64_t got = literal_get(leaf->got, i), want = literal_get(g->value, i);
    int64_t size;
    if (share_of(g, i, got, &size))
        remember(&v->share, leaf, i, size);
    bool has_error = error_of(g, i, got, &size);
    if (has_error)
        remember(&v->error, leaf, i, size);
    if (!v->bins)
        return;
    /* What is neither measured nor special is right or wrong as a whole. */
    if (has_error)
        v->bins[store_bin(size) - VERDICT_BIN_FIRST]++;
    else if (is_special(unit, got, want))
        v->bins[STORE_BIN_SPECIAL - VERDICT_BIN_FIRST]++;
    else if (got == want || is_nan(unit, want))
        v->bins[0 - VERDICT_BIN_FIRST]++;
}

static void count_unit(struct verdict *v, const struct verdict_leaf *leaf,
                       int64_t i)
{
    const struct goal *g = leaf->goal;
    enum dtype unit = unit_type(g);
    uint64_t got = literal_get(leaf->got, i), want = literal_get(g->value, i);
    v->units++;
    /* Where arithmetic gives NaN, any NaN is the value. */
    bool nans = is_nan(unit, got) && is_nan(unit, want);
    v->correct += got == want || (nans && g->rule != GOAL_MOVED);
    v->special += is_special(unit, got, want);
}

/* Which units lie inside the actual sizes. */
static void mark_unused(struct arena *a, const struct verdict_leaf *leaf)
{
    const struct shape *s = leaf->goal->value->shape;
    if (!shape_has_dynamic(s))
        return;
    int64_t *index = arena_new(a, int64_t, (size_t)s->rank + 1);
    int parts = dtype_units(s->dtype);
    int64_t count = shape_elements(s);
    for (int64_t e = 0; e < count; e++) {
        if (!literal_counts(leaf->goal->value, index))
            for (int k = 0; k < parts; k++)
                leaf->state[e * parts + k] = VERDICT_UNUSED;
        shape_next_index(s->rank, s->dims, index);
    }
}

void verdict_units(struct verdict *v, const struct profile *p,
                   const struct verdict_leaf *leaf)
{
    int64_t count = literal_units(leaf->goal->value);
    struct basis basis = basis_of(p, leaf->goal);
    if (!leaf->flushed) {
        mark_unused(leaf->goal->arena, leaf);
        v->undecided += leaf->goal->undecided;
    }
    for (int64_t i = 0; i < count; i++) {
        if (leaf->state[i] != VERDICT_PENDING)
            continue;
        enum verdict_branch b = explain(&basis, leaf->goal, leaf->got, i);
        if (leaf->flushed && b != VERDICT_PENDING)
            b = VERDICT_OPERANDS;
        if (!leaf->flushed)
            count_unit(v, leaf, i);
        if (b == VERDICT_SAME || b == VERDICT_INSIDE)
            measure(v, leaf, i);
        leaf->state[i] = (unsigned char)b;
        v->branch[b] += b != VERDICT_PENDING;
    }
}

void verdict_check(struct verdict *v, struct arena *a,
                   const struct verdict_leaf *leaves, int count)
{
    const struct literal **got =
        arena_new(a, const struct literal *, (size_t)count);
    for (int i = 0; i < count; i++)
        got[i] = leaves[i].got;
    int leaf = 0;
    int64_t unit = 0;
    const struct goal *g = leaves[0].goal;
    bool good = g->check(g, got, count, &leaf, &unit, v->why, sizeof v->why);
    for (int i = 0; i < count; i++) {
        int64_t units = literal_units(leaves[i].got);
        v->units += units;
        if (!good)
            continue;
        memset(leaves[i].state, VERDICT_INSIDE, (size_t)units);
        v->branch[VERDICT_INSIDE] += units;
    }
    if (good)
        return;
    /* Only the unit that the predicate named is known to be wrong. */
    if (leaf < 0 || leaf >= count)
        leaf = 0;
    for (int i = 0; i < count; i++)
        memset(leaves[i].state, VERDICT_INSIDE,
               (size_t)literal_units(leaves[i].got));
    if (unit < 0 || unit >= literal_units(leaves[leaf].got))
        unit = 0;
    if (literal_units(leaves[leaf].got) > 0)
        leaves[leaf].state[unit] = VERDICT_PENDING;
    else
        v->bad++;
    if (!v->why[0])
        snprintf(v->why, sizeof v->why, "the result is not a legal one");
}

/* ---- What stayed pending
 * ---------------------------------------------------------- */

static const char *set_words(struct arena *a, const struct basis *b,
                             const struct goal *g)
{
    static const char *const kinds[] = {[ACCEPT_EXACT] = "exact",
                                        [ACCEPT_CR] = "correctly rounded",
                                        [ACCEPT_FAITHFUL] = "faithful",
                                        [ACCEPT_ULP] = "within ulps",
                                        [ACCEPT_XLA] = "within XLA's tolerance",
                                        [ACCEPT_ANY] = "any"};
    switch (g->rule) {
    case GOAL_REAL:
        return arena_printf(
            a, "%s%s%s%s%s", kinds[b->budget->kind],
            b->norm ? " of the whole number" : "", g->accuracy ? " (" : "",
            g->accuracy ? g->accuracy : "", g->accuracy ? ")" : "");
    case GOAL_SUM:
        return "accumulation";
    case GOAL_RANGE:
        return "interval";
    case GOAL_CHECK:
        return "predicate";
    case GOAL_FREE:
        return "any";
    case GOAL_BITS:
    case GOAL_MOVED:
        break;
    }
    return "exact";
}

void verdict_pending(struct verdict *v, struct arena *a,
                     const struct profile *p, const struct verdict_leaf *leaf)
{
    const struct goal *g = leaf->goal;
    struct basis basis = basis_of(p, g);
    int64_t count = literal_units(g->value);
    for (int64_t i = 0; i < count; i++) {
        if (leaf->state[i] != VERDICT_PENDING)
            continue;
        v->bad++;
        measure(v, leaf, i);
        if (v->wrong_count == VERDICT_WRONG_MAX)
            continue;
        struct verdict_wrong *w = &v->wrong[v->wrong_count++];
        w->replica = leaf->replica;
        w->leaf = leaf->leaf;
        w->unit = i;
        w->type = unit_type(g);
        w->got = literal_get(leaf->got, i);
        w->want = literal_get(g->value, i);
        w->has_set = g->rule != GOAL_CHECK;
        if (w->has_set)
            whole_set(&w->set, &basis, g, leaf->got, i);
        w->accept = set_words(a, &basis, g);
        w->has_error = error_of(g, i, w->got, &w->error);
        w->has_share = share_of(g, i, w->got, &w->share);
    }
}

enum verdict_status verdict_end(const struct verdict *v,
                                const struct profile *p, char *text,
                                size_t size)
{
    int64_t flushed = v->branch[VERDICT_RESULTS] + v->branch[VERDICT_OPERANDS];
    text[0] = '\0';
    if (v->why[0]) {
        snprintf(text, size, "%s", v->why);
        return VERDICT_FAIL;
    }
    if (v->bad > 0) {
        snprintf(text, size, "%lld of %lld units are wrong", (long long)v->bad,
                 (long long)v->units);
        return VERDICT_FAIL;
    }
    if (v->branch[VERDICT_RESULTS] > 0 && v->branch[VERDICT_OPERANDS] > 0) {
        snprintf(text, size,
                 "flushes results in %lld units and operands in %lld",
                 (long long)v->branch[VERDICT_RESULTS],
                 (long long)v->branch[VERDICT_OPERANDS]);
        return VERDICT_WARN;
    }
    if (flushed > 0 && profile_warns(p, "flush")) {
        snprintf(text, size, "flushes subnormal %s in %lld units",
                 v->branch[VERDICT_RESULTS] > 0 ? "results" : "operands",
                 (long long)flushed);
        return VERDICT_WARN;
    }
    return VERDICT_PASS;
}
