/* interval_free.c - see interval.h.  Tests: test_interval_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The instruction is evaluated again with other patterns in the places of such
 * units.  They are chosen so that each operation on elements shows whether it
 * depends on its operand: the ends of the type for what is monotone, all bits
 * clear and set for what works on bits, zero and one for what wraps, the
 * element beside it for what compares, and where several such units meet, both
 * ends and mixed bits.
 */
#include "interp/base/hash.h"
#include "interp/program/interval.h"

enum pass {
    PASS_CLEAR,
    PASS_SET,
    PASS_LEAST,
    PASS_GREATEST,
    PASS_ONE,
    PASS_BESIDE,
    PASS_APART,  /* the least beside the greatest, */
    PASS_TURNED, /* and the other way round */
    PASS_MIXED,  /* and three more */
    PASSES = PASS_MIXED + 4
};

static bool has_free(const struct outcome *o)
{
    return o->goals && o->count == 1 && o->goals[0] && o->goals[0]->free_units;
}

bool interval_free_any(const struct eval *evs, int count)
{
    for (int r = 0; r < count; r++)
        for (int k = 0; k < evs[r].count; k++)
            if (has_free(evs[r].outcomes[k]))
                return true;
    return false;
}

struct goal *interval_free_without(struct arena *a, const struct goal *g)
{
    struct goal *to = arena_new(a, struct goal, 1);
    *to = *g;
    to->free_units = NULL;
    to->others = NULL;
    bool all = true;
    for (int64_t i = 0, n = literal_units(g->value); i < n; i++)
        all = all && g->free_units[i];
    if (all)
        return goal_of(a, g->value, GOAL_BITS);
    for (const struct goal_other *o = g->others; o; o = o->next)
        if (!g->free_units[o->unit])
            goal_or(to, o->unit, o->bits);
    return to;
}

struct outcome interval_free_rest(struct arena *a, const struct outcome *out)
{
    struct outcome rest = *out;
    if (!out->goals)
        return rest;
    rest.goals = arena_new(a, struct goal *, (size_t)out->count + 1);
    for (int i = 0; i < out->count; i++)
        rest.goals[i] = out->goals[i] && out->goals[i]->free_units
                            ? interval_free_without(a, out->goals[i])
                            : out->goals[i];
    return rest;
}

static uint64_t end_of(enum dtype unit, bool least)
{
    uint64_t mask = dtype_mask(unit);
    if (dtype_class(unit) == DTYPE_SINT)
        return least ? (mask >> 1) + 1 : mask >> 1;
    if (dtype_class(unit) != DTYPE_FLOAT)
        return least ? 0 : mask;
    return real_has_inf(unit) ? real_inf(unit, least) : real_max(unit, least);
}

/* The unit at the same place of the next operand of the type. */
static uint64_t beside(const struct eval *ev, int operand, int64_t i)
{
    enum dtype type = ev->operands[operand]->shape->dtype;
    for (int k = 1; k < ev->count; k++) {
        const struct literal *l = ev->operands[(operand + k) % ev->count];
        int64_t n = l->shape->kind == SHAPE_ARRAY ? literal_units(l) : 0;
        if (n > 0 && l->shape->dtype == type)
            return literal_get(l, i % n);
    }
    return 0;
}

static uint64_t pattern(const struct eval *ev, int operand, int64_t i, int pass)
{
    enum dtype unit = dtype_unit(ev->operands[operand]->shape->dtype);
    uint64_t mask = dtype_mask(unit);
    struct real one = real_from_int(1);
    /* For one bit, all passes but the first two are mixed. */
    switch (dtype_class(unit) == DTYPE_PRED && pass > PASS_SET ? PASS_MIXED
                                                               : pass) {
    case PASS_CLEAR:
        return 0;
    case PASS_SET:
        return mask;
    case PASS_LEAST:
    case PASS_GREATEST:
        return end_of(unit, pass == PASS_LEAST);
    case PASS_ONE:
        return dtype_class(unit) == DTYPE_FLOAT
                   ? real_round(&one, unit, REAL_OVERFLOW_TYPE)
                   : 1;
    case PASS_BESIDE:
        return beside(ev, operand, i);
    case PASS_APART:
    case PASS_TURNED:
        return end_of(unit, ((operand + i + pass) & 1) != 0);
    default: {
        struct hash h = {0};
        hash_int(&h, (uint64_t)i * PASSES + (uint64_t)pass);
        hash_int(&h, (uint64_t)operand);
        return h.h[0] & mask;
    }
    }
}

/* Operands that are one value stay one. */
static struct literal *with_patterns(const struct eval *ev, int operand,
                                     int pass)
{
    const struct outcome *o = ev->outcomes[operand];
    for (operand = 0; ev->outcomes[operand] != o;)
        operand++;
    if (!has_free(o))
        return NULL;
    struct literal *to = literal_copy(ev->arena, o->value);
    for (int64_t i = 0, n = literal_units(to); i < n; i++)
        if (o->goals[0]->free_units[i])
            literal_set(to, i, pattern(ev, operand, i, pass));
    return to;
}

static bool compare_goals(const struct eval *ev, const struct eval *again,
                          struct status *st)
{
    for (int k = 0; k < ev->out.count; k++) {
        struct goal *g = ev->out.goals[k];
        if (!g || g->rule == GOAL_FREE)
            continue;
        const struct literal *other = again->out.goals[k]->value;
        for (int64_t i = 0, n = literal_units(other); i < n; i++) {
            if (literal_get(g->value, i) == literal_get(other, i))
                continue;
            if (g->rule == GOAL_CHECK)
                return FAIL(st, UNSUPPORTED,
                            "inadmissible: the result of %s depends on a value "
                            "that may be anything",
                            ev->in->op->name);
            goal_free_unit(g, i);
        }
    }
    return true;
}

bool interval_free_mark(struct eval *evs, int count, struct status *st)
{
    static const struct interval_trial trial = {PASSES, with_patterns,
                                                compare_goals};
    return interval_nan_try(evs, count, &trial, st);
}
