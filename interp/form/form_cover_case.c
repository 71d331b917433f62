/* form_cover_case.c - what a covering array knows of a case: see form_cover.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/form/form_cover.h"

/* ---- Levels -------------------------------------------------------------- */

/* Types that are implemented alike. */
static int type_class(enum dtype t)
{
    int bits = dtype_table[t].bits;
    switch (dtype_class(t)) {
    case DTYPE_PRED:
        return 0;
    case DTYPE_SINT:
        return bits < 32 ? 1 : 2;
    case DTYPE_UINT:
        return bits < 32 ? 3 : 4;
    case DTYPE_FLOAT:
        return bits < 16 ? 5 : bits < 32 ? 6 : 7;
    case DTYPE_COMPLEX:
        break;
    }
    return 8;
}

static int size_class(int64_t n)
{
    return n == 0 ? 0 : n == 1 ? 1 : n <= 32 ? 2 : n <= 1024 ? 3 : 4;
}

uint64_t form_cover_case_levels(const struct form_case *c)
{
    uint64_t all = 0;
    for (int i = 0; i < c->count; i++) {
        const struct shape *s = c->inputs[i]->shape;
        if (s->kind != SHAPE_ARRAY)
            continue;
        int rank =
            s->rank < FORM_COVER_RANKS - 1 ? s->rank : FORM_COVER_RANKS - 1;
        all |= form_value_set(c->inputs[i]);
        if (i > 0)
            continue; /* the first operand decides */
        all |= UINT64_C(1) << (FORM_COVER_TYPE_AT + type_class(s->dtype));
        all |= UINT64_C(1) << (FORM_COVER_RANK_AT + rank);
        all |=
            UINT64_C(1) << (FORM_COVER_SIZE_AT + size_class(shape_elements(s)));
    }
    return all;
}

const char *form_cover_case_level(int level)
{
    static const char *const names[] = {
        "pred",         "narrow sint", "sint",    "narrow uint", "uint",
        "narrow float", "half",        "float",   "complex",     "rank 0",
        "rank 1",       "rank 2",      "rank 3+", "empty",       "one element",
        "up to 32",     "up to 1,024", "long"};
    return level < FORM_VALUES ? form_value_name((enum form_value)level)
                               : names[level - FORM_COVER_TYPE_AT];
}

/* ---- Candidates ---------------------------------------------------------- */

/* The number of a use, which may be new. */
static int number_of(struct form_cover *x, const struct form_use *use)
{
    for (int i = 0; i < x->use_count; i++)
        if (x->uses[i].what == use->what && x->uses[i].operand == use->operand)
            return i;
    if (x->use_count == FORM_COVER_USES)
        return -1;
    x->uses[x->use_count] = *use;
    return x->use_count++;
}

static void allow(struct form_cover *x, struct form_candidate *to,
                  const struct form_case *c, const struct form_use *use)
{
    int n = form_suit(use, c) ? number_of(x, use) : -1;
    if (n >= 0)
        to->allowed[n / 64] |= UINT64_C(1) << (n % 64);
}

static int64_t type_cost(enum dtype t)
{
    int bits = dtype_table[dtype_unit(t)].bits;
    if (bits < 8 && dtype_class(t) != DTYPE_PRED)
        return 8 * FORM_COVER_DATA;
    if (dtype_class(t) == DTYPE_FLOAT && bits == 8)
        return 4 * FORM_COVER_DATA;
    return dtype_class(t) == DTYPE_FLOAT && bits == 64;
}

/* A compiler takes its time for each instruction. */
static int64_t program_cost(const struct program *p)
{
    int64_t n = 0;
    for (int i = 0; i < p->computation_count; i++) {
        const struct computation *c = p->computations[i];
        n += c->builtin ? 0 : c->count - c->parameter_count;
    }
    return n > 1 ? (n - 1) * FORM_COVER_DATA : 0;
}

/* The cheapest of cases that are alike is enough. */
static void keep(struct form_cover *x, const struct form_candidate *one)
{
    for (int i = 0; i < x->count; i++) {
        struct form_candidate *old = &x->candidates[i];
        if (old->levels != one->levels
            || memcmp(old->values, one->values, sizeof one->values) != 0
            || memcmp(old->allowed, one->allowed, sizeof one->allowed) != 0)
            continue;
        if (one->cost < old->cost)
            *old = *one;
        return;
    }
    ARENA_GROW(x->arena, x->candidates, x->count, x->room);
    x->candidates[x->count++] = *one;
}

bool form_cover_case_add(struct form_cover *x, const struct form_case *c,
                         void *what, struct status *st)
{
    const struct form_table *table;
    struct form_candidate one = {.what = what};
    TRY(form_read(&table, st));
    for (int i = 0; i < c->count; i++)
        for (int k = shape_leaves(c->inputs[i]->shape); k-- > 0;)
            one.cost += shape_elements(shape_leaf(c->inputs[i]->shape, k));
    if (one.cost > FORM_COVER_DATA)
        return true;
    one.cost += program_cost(c->program);
    /* The types of a class that most backends have come first. */
    if (c->count > 0 && c->inputs[0]->shape->kind == SHAPE_ARRAY) {
        enum dtype t = c->inputs[0]->shape->dtype;
        one.common =
            type_cost(t) < FORM_COVER_DATA && dtype_class(t) != DTYPE_COMPLEX;
        one.cost += type_cost(t);
    }
    one.levels = form_cover_case_levels(c);
    for (int i = 0; i < c->count && i < FORM_COVER_OPERANDS; i++)
        if (c->inputs[i]->shape->kind == SHAPE_ARRAY)
            one.values[i] = form_value_set(c->inputs[i]);
    for (int i = 0; i < table->count; i++) {
        struct form_use use = {&table->rows[i], -1};
        if (use.what->place != FORM_EACH)
            allow(x, &one, c, &use);
        for (use.operand = 0;
             use.what->place != FORM_ALL && use.operand < c->count
             && use.operand < FORM_COVER_OPERANDS;
             use.operand++)
            allow(x, &one, c, &use);
    }
    if (one.allowed[0] | one.allowed[1])
        keep(x, &one);
    return true;
}
