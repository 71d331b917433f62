/* verdict.c - see verdict.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * This is the one place that must be boring.
 */
#include "interp/judge/verdict.h"

#include <stdio.h>
#include <string.h>

#include "interp/judge/accept_text.h"

static const struct {
    const char *text;
    bool failure;
    int colour;
} table[VERDICT_COUNT] = {
#define VERDICT(name, text, failure, tap, junit, colour, meaning) \
    [VERDICT_##name] = {text, failure, colour},
#include "interp/judge/verdict.def"
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

enum verdict_status verdict_find_first(const char *message)
{
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(message, " :"), message);
    return verdict_find(word);
}

bool verdict_is_failure(enum verdict_status v)
{
    return (unsigned)v >= VERDICT_COUNT || table[v].failure;
}

int verdict_colour(enum verdict_status v)
{
    return (unsigned)v < VERDICT_COUNT ? table[v].colour : 0;
}

/* ---- The whole array at once --------------------------------------------- */

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
    if (g->rule == GOAL_REAL && units > 0)
        remember(&v->error, leaf, g->real.worst_unit, g->real.worst);
    if (leaf->state)
        memset(leaf->state, VERDICT_SAME, (size_t)units);
    return true;
}

/* ---- Unit by unit -------------------------------------------------------- */

static bool is_inf(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_inf(unit, bits);
}

static enum verdict_branch explain(const struct rule_basis *b,
                                   const struct goal *g,
                                   const struct literal *got, int64_t i)
{
    enum dtype unit = rule_unit(g);
    uint64_t bits = literal_get(got, i);
    if (bits == literal_get(g->value, i))
        return VERDICT_SAME;
    if (verdict_set_has(b, g, got, i))
        return VERDICT_INSIDE;
    struct accept_set set = {0};
    const struct rule_place at = rule_place(b, g, i);
    const struct accept_rules *rules = &at.basis.rules;
    if (!at.rule->allow || !(rules->subnormal & ACCEPT_FLUSH_RESULTS))
        return VERDICT_PENDING;
    at.rule->allow(&set, &at.basis, at.goal, at.unit, rules);
    return accept_has(&set, unit, bits) ? VERDICT_RESULTS : VERDICT_PENDING;
}

/* The error of unit i, if its rule measures one. */
static bool measured(const struct goal *g, enum rule_measure in, int64_t i,
                     uint64_t got, int64_t *error)
{
    const struct goal *from = goal_source(g, &i);
    const struct rule *rule = rule_of(from);
    return rule->measure == in && rule->error(from, i, got, error);
}

/* A number where NaN or infinity is expected, the reverse, or the other
 * infinity. */
static bool is_special(enum dtype unit, uint64_t got, uint64_t want)
{
    if (rule_is_nan(unit, got) || rule_is_nan(unit, want))
        return rule_is_nan(unit, got) != rule_is_nan(unit, want);
    return got != want && (is_inf(unit, got) || is_inf(unit, want));
}

/* Is it a zero where a subnormal number is expected, under a profile that
 * flushes? A wide budget may admit it anyway. */
static bool is_flush(const struct rule_basis *b, const struct goal *g,
                     int64_t i, uint64_t got)
{
    enum dtype unit = rule_unit(g);
    const struct goal *from = goal_source(g, &i);
    const struct real *y = from->rule == GOAL_REAL ? goal_exact(from, i) : NULL;
    return b->rules.subnormal & ACCEPT_FLUSH_RESULTS && y
           && y->kind == REAL_FINITE && y->exponent < dtype_table[unit].emin
           && real_is_zero(unit, got);
}

/* Put a unit into the histogram of errors; error is NULL where it has none. */
static void count_bin(struct verdict *v, const struct verdict_leaf *leaf,
                      int64_t i, const int64_t *error)
{
    const struct goal *g = leaf->goal;
    enum dtype unit = rule_unit(g);
    uint64_t got = literal_get(leaf->got, i), want = literal_get(g->value, i);
    if (!v->bins)
        return;
    /* A unit that is neither measured nor special is right or wrong as a whole.
     */
    if (error)
        v->bins[verdict_bin(*error) - VERDICT_BIN_FIRST]++;
    else if (is_special(unit, got, want))
        v->bins[VERDICT_BIN_SPECIAL - VERDICT_BIN_FIRST]++;
    else if (got == want || rule_is_nan(unit, want))
        v->bins[0 - VERDICT_BIN_FIRST]++;
}

/* Measure a unit that is right as it is, or wrong.  A flushed subnormal number
 * is not a rounding error: it is counted in its branch, and only in the
 * histogram. */
static void measure(struct verdict *v, const struct rule_basis *b,
                    const struct verdict_leaf *leaf, int64_t i)
{
    const struct goal *g = leaf->goal;
    uint64_t got = literal_get(leaf->got, i);
    int64_t size;
    if (measured(g, RULE_SHARE, i, got, &size))
        remember(&v->share, leaf, i, size);
    bool has_error = measured(g, RULE_ULPS, i, got, &size);
    if (has_error && !is_flush(b, g, i, got))
        remember(&v->error, leaf, i, size);
    count_bin(v, leaf, i, has_error ? &size : NULL);
}

static void count_unit(struct verdict *v, const struct verdict_leaf *leaf,
                       int64_t i)
{
    const struct goal *g = leaf->goal;
    enum dtype unit = rule_unit(g);
    uint64_t got = literal_get(leaf->got, i), want = literal_get(g->value, i);
    v->units++;
    /* Where arithmetic gives NaN, any NaN is the value. */
    bool nans = rule_is_nan(unit, got) && rule_is_nan(unit, want);
    const struct goal *from = goal_source(g, &i);
    v->correct += got == want || (nans && !rule_keeps(from, i));
    v->special += is_special(unit, got, want);
}

/* Marks the units that lie outside the actual sizes. */
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
    struct rule_basis basis = rule_basis(p, leaf->goal);
    bool plain = leaf->branch == VERDICT_PENDING;
    if (leaf->moved)
        basis.rules.subnormal = 0;
    if (plain) {
        mark_unused(leaf->goal->arena, leaf);
        v->undecided += leaf->goal->undecided;
    }
    for (int64_t i = 0; i < count; i++) {
        if (leaf->state[i] != VERDICT_PENDING
            || (leaf->closed && leaf->closed[i]))
            continue;
        enum verdict_branch b = explain(&basis, leaf->goal, leaf->got, i);
        if (!plain && b != VERDICT_PENDING)
            b = leaf->branch;
        if (plain)
            count_unit(v, leaf, i);
        if (!v->unmeasured && (b == VERDICT_SAME || b == VERDICT_INSIDE))
            measure(v, &basis, leaf, i);
        leaf->state[i] = (unsigned char)b;
        v->branch[b] += b != VERDICT_PENDING;
    }
}

/* Counts what the predicate measured, and the units that equal the reference's,
 * rounded once.  Where it measures nothing, other patterns are as good. */
static void count_whole(struct verdict *v, const struct verdict_leaf *leaves,
                        int count, const struct goal_finding *found)
{
    if (found->has_share)
        remember(&v->share, &leaves[0], found->share_unit, found->share);
    for (int i = 0; i < count; i++) {
        int64_t units = literal_units(leaves[i].got);
        v->units += units;
        v->whole += found->has_share ? 0 : units;
        for (int64_t k = 0; found->has_share && k < units; k++)
            v->correct += literal_get(leaves[i].got, k)
                          == literal_get(leaves[i].goal->value, k);
    }
}

void verdict_check(struct verdict *v, struct arena *a,
                   const struct verdict_leaf *leaves, int count)
{
    const struct literal **got =
        arena_new(a, const struct literal *, (size_t)count);
    for (int i = 0; i < count; i++)
        got[i] = leaves[i].got;
    struct goal_finding found = {.leaf = 0};
    const struct goal *g = leaves[0].goal;
    bool good = g->check.holds(g, got, count, &found);
    count_whole(v, leaves, count, &found);
    for (int i = 0; i < count; i++) {
        int64_t units = literal_units(leaves[i].got);
        memset(leaves[i].state, VERDICT_INSIDE, (size_t)units);
        v->branch[VERDICT_INSIDE] += good ? units : 0;
    }
    if (good)
        return;
    /* Only the unit that the predicate named is known to be wrong. */
    int leaf = found.leaf < 0 || found.leaf >= count ? 0 : found.leaf;
    int64_t unit = found.unit;
    if (unit < 0 || unit >= literal_units(leaves[leaf].got))
        unit = 0;
    if (literal_units(leaves[leaf].got) > 0)
        leaves[leaf].state[unit] = VERDICT_PENDING;
    else
        v->bad++;
    if (found.has_share && found.share > 1000000 && found.share_unit == unit)
        remember(&v->beyond, &leaves[leaf], unit, found.share);
    snprintf(v->why, sizeof v->why, "%s",
             found.why[0] ? found.why
                          : "the result violates the operation's rule");
}

/* ---- What stayed pending ------------------------------------------------- */

static enum verdict_nature nature_of(const struct verdict_wrong *w)
{
    return verdict_nature(w->type, w->got, w->want, w->has_error, w->has_share);
}

/* The share of a predicate's bound that makes this unit wrong. */
static bool share_beyond(const struct verdict *v,
                         const struct verdict_leaf *leaf, int64_t i,
                         int64_t *share)
{
    const struct verdict_worst *b = &v->beyond;
    *share = b->size;
    return b->has && leaf->goal->rule == GOAL_CHECK
           && b->replica == leaf->replica && b->leaf == leaf->leaf
           && b->unit == i;
}

/* How many of the first n listed units are wrong in that way. */
static int listed(const struct verdict *v, int n, enum verdict_nature nature)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += nature_of(&v->wrong[i]) == nature;
    return count;
}

/* Where a wrong unit is to be listed: while there is room, and then, if it is
 * wrong in a way that the list does not show yet, in place of the last one of a
 * kind that is listed before.  There are more places than natures. */
static struct verdict_wrong *room_for(struct verdict *v,
                                      const struct verdict_wrong *w)
{
    int last = VERDICT_WRONG_MAX - 1;
    unsigned nature = 1U << nature_of(w);
    bool is_new = !(v->natures & nature);
    v->natures |= nature;
    if (v->wrong_count < VERDICT_WRONG_MAX)
        return &v->wrong[v->wrong_count++];
    if (!is_new)
        return NULL;
    while (listed(v, last, nature_of(&v->wrong[last])) == 0)
        last--;
    return &v->wrong[last];
}

/* Describes what is wrong with unit i, without its set. */
static struct verdict_wrong describe(const struct verdict *v,
                                     const struct verdict_leaf *leaf, int64_t i)
{
    const struct goal *g = leaf->goal;
    struct verdict_wrong w = {.replica = leaf->replica,
                              .leaf = leaf->leaf,
                              .unit = i,
                              .type = rule_unit(g),
                              .got = literal_get(leaf->got, i),
                              .want = literal_get(g->value, i)};
    w.has_error = measured(g, RULE_ULPS, i, w.got, &w.error);
    w.has_share = measured(g, RULE_SHARE, i, w.got, &w.share)
                  || share_beyond(v, leaf, i, &w.share);
    return w;
}

static void add_set(struct verdict_wrong *w, struct arena *a,
                    const struct rule_basis *basis,
                    const struct verdict_leaf *leaf)
{
    const struct rule_place at = rule_place(basis, leaf->goal, w->unit);
    w->has_set = at.rule->allow != NULL;
    if (w->has_set)
        verdict_set_whole(&w->set, basis, leaf->goal, leaf->got, w->unit);
    w->accept = at.rule->words ? at.rule->words
                               : rule_real_words(a, &at.basis, at.goal);
    w->words = w->accept;
    const char *order = accept_text_order(a, leaf->goal, w->unit);
    if (order)
        w->accept = arena_printf(a, "%s, of which the order of additions is %s",
                                 w->words, order);
    const char *set = w->has_set ? accept_text_wrong(a, leaf->goal, w) : NULL;
    w->several = set && strstr(set, ACCEPT_TEXT_OR);
    if (w->several) {
        w->words = arena_printf(a, "%s: %s", w->words, set);
        w->accept = arena_printf(a, "%s: %s", w->accept, set);
    }
}

struct verdict_wrong verdict_wrong_unit(const struct verdict *v,
                                        struct arena *a,
                                        const struct profile *p,
                                        const struct verdict_leaf *leaf,
                                        int64_t unit)
{
    struct rule_basis basis = rule_basis(p, leaf->goal);
    struct verdict_wrong w = describe(v, leaf, unit);
    add_set(&w, a, &basis, leaf);
    return w;
}

void verdict_pending(struct verdict *v, struct arena *a,
                     const struct profile *p, const struct verdict_leaf *leaf)
{
    struct rule_basis basis = rule_basis(p, leaf->goal);
    int64_t count = literal_units(leaf->goal->value);
    for (int64_t i = 0; i < count; i++) {
        int64_t size;
        if (leaf->state[i] == VERDICT_RESULTS
            || leaf->state[i] == VERDICT_OPERANDS) {
            bool has_error = measured(leaf->goal, RULE_ULPS, i,
                                      literal_get(leaf->got, i), &size);
            count_bin(v, leaf, i, has_error ? &size : NULL);
        }
        if (leaf->state[i] != VERDICT_PENDING)
            continue;
        v->bad++;
        measure(v, &basis, leaf, i);
        struct verdict_wrong w = describe(v, leaf, i);
        struct verdict_wrong *to = room_for(v, &w);
        if (!to)
            continue;
        add_set(&w, a, &basis, leaf);
        *to = w;
    }
}

void verdict_remark(struct verdict *v, const char *name, int64_t units)
{
    int i = 0;
    while (i < v->remark_count && strcmp(v->remarks[i].name, name) != 0)
        i++;
    if (units <= 0 || i == VERDICT_REMARKS_MAX)
        return;
    if (i == v->remark_count)
        v->remarks[v->remark_count++] = (struct verdict_remark){name, 0};
    v->remarks[i].units += units;
}

/* "flushes subnormal results in 2 units", "results in 2 units and operands in
 * 3" */
static size_t flush_text(const struct verdict *v, char *text, size_t size)
{
    long long results = v->branch[VERDICT_RESULTS];
    long long operands = v->branch[VERDICT_OPERANDS];
    int n = results > 0 && operands > 0
                ? snprintf(text, size,
                           "flushes results in %lld units and operands in %lld",
                           results, operands)
                : snprintf(text, size, "flushes subnormal %s in %lld units",
                           results > 0 ? "results" : "operands",
                           results + operands);
    return (size_t)n < size ? (size_t)n : size - 1;
}

static enum verdict_status remark_end(const struct verdict *v,
                                      const struct profile *p, char *text,
                                      size_t size)
{
    int64_t results = v->branch[VERDICT_RESULTS];
    int64_t operands = v->branch[VERDICT_OPERANDS];
    /* Half of one and half of the other is worth a remark everywhere. */
    bool flush = results > 0 && operands > 0;
    flush = flush || (results + operands > 0 && profile_warns(p, "flush"));
    size_t n = flush ? flush_text(v, text, size) : 0;
    for (int i = 0; i < v->remark_count && n + 1 < size; i++) {
        int more = snprintf(text + n, size - n, "%s%s in %lld units",
                            n ? "; " : "permitted: ", v->remarks[i].name,
                            (long long)v->remarks[i].units);
        n = n + (size_t)more < size ? n + (size_t)more : size - 1;
    }
    return flush || v->remark_count > 0 ? VERDICT_WARN : VERDICT_PASS;
}

enum verdict_status verdict_end(const struct verdict *v,
                                const struct profile *p, char *text,
                                size_t size)
{
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
    return remark_end(v, p, text, size);
}
