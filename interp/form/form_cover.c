/* form_cover.c - see form_cover.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/form/form_cover.h"

#include <string.h>

enum {
    ITEMS = FORM_COVER_LEVELS + 2 * FORM_COVER_USES,
    DATA_MAX = 1 << 13, /* elements of a case that is formed */
    TRIES = 4 /* cases for a pair: forms that exclude each other do so in all */
};

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

uint64_t form_cover_levels(const struct form_case *c)
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

const char *form_cover_level_name(int level)
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

static bool has(const uint64_t *bits, int i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

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
    bool rare = bits < 8 && dtype_class(t) != DTYPE_PRED;
    bool wide = dtype_class(t) == DTYPE_FLOAT && bits == 64;
    return rare ? 4 * DATA_MAX : wide ? 1 : 0;
}

/* Of cases alike the cheapest is enough. */
static void keep(struct form_cover *x, const struct form_candidate *one)
{
    for (int i = 0; i < x->count; i++) {
        struct form_candidate *old = &x->candidates[i];
        if (old->levels != one->levels
            || memcmp(old->allowed, one->allowed, sizeof one->allowed) != 0)
            continue;
        if (one->cost < old->cost)
            *old = *one;
        return;
    }
    ARENA_GROW(x->arena, x->candidates, x->count, x->room);
    x->candidates[x->count++] = *one;
}

bool form_cover_add(struct form_cover *x, const struct form_case *c, void *what,
                    struct status *st)
{
    const struct form_table *table;
    struct form_candidate one = {.what = what};
    TRY(form_read(&table, st));
    for (int i = 0; i < c->count; i++)
        for (int k = shape_leaves(c->inputs[i]->shape); k-- > 0;)
            one.cost += shape_elements(shape_leaf(c->inputs[i]->shape, k));
    if (one.cost > DATA_MAX)
        return true;
    /* Of the types of a class those come first that most backends have. */
    if (c->count > 0 && c->inputs[0]->shape->kind == SHAPE_ARRAY)
        one.cost += type_cost(c->inputs[0]->shape->dtype);
    one.levels = form_cover_levels(c);
    for (int i = 0; i < table->count; i++) {
        struct form_use use = {&table->rows[i], -1};
        if (use.what->place != FORM_EACH)
            allow(x, &one, c, &use);
        for (use.operand = 0;
             use.what->place != FORM_ALL && use.operand < c->count;
             use.operand++)
            allow(x, &one, c, &use);
    }
    if (one.allowed[0] | one.allowed[1])
        keep(x, &one);
    return true;
}

/* ---- Pairs --------------------------------------------------------------- */

/* Items are levels, classes of forms, and uses; a pair is needed until a row
 * has both, an item with itself until a row has it. */
struct pairs {
    struct form_cover *x;
    int class_of[FORM_COVER_USES]; /* of each use */
    int class_count;
    int first_of[FORM_COVER_USES]; /* the first use of each class, */
    int next_of[FORM_COVER_USES];  /* and the next after each use; -1 */
    bool needed[ITEMS][ITEMS];     /* the smaller number first */
};

/* A case and at most one use of each family: its number, or -1. */
struct row {
    const struct form_candidate *of;
    int use[FORM_FAMILIES];
};

static enum form_family family_of(const struct form_cover *x, int use)
{
    return x->uses[use].what->family;
}

static int class_item(const struct pairs *p, int use)
{
    return FORM_COVER_LEVELS + p->class_of[use];
}

static int use_item(int use)
{
    return FORM_COVER_LEVELS + FORM_COVER_USES + use;
}

/* The class of each use, and a list of the uses of each. */
static void number_classes(struct pairs *p)
{
    const struct form_cover *x = p->x;
    for (int u = 0; u < x->use_count; u++) {
        int v = u;
        while (!x->each && v-- > 0
               && strcmp(x->uses[v].what->class, x->uses[u].what->class) != 0)
            continue;
        if (x->each || v < 0) {
            p->class_of[u] = p->class_count++;
            p->first_of[p->class_of[u]] = u;
        } else {
            p->class_of[u] = p->class_of[v];
            p->next_of[v] = u;
        }
        p->next_of[u] = -1;
    }
}

static bool *pair(struct pairs *p, int a, int b)
{
    return a < b ? &p->needed[a][b] : &p->needed[b][a];
}

/* Do something with each pair that a use brings to a case. */
typedef void pair_body(bool *needed, int *count);

static void ask(bool *needed, int *count)
{
    *needed = true;
}

static void count(bool *needed, int *n)
{
    *n += *needed;
}

static void cross_out(bool *needed, int *n)
{
    *needed = false;
}

static void each_level(struct pairs *p, uint64_t levels, int use,
                       pair_body *body, int *n)
{
    for (int l = 0; l < FORM_COVER_LEVELS; l++)
        if (levels >> l & 1) {
            body(pair(p, l, class_item(p, use)), n);
            if (l < FORM_VALUES)
                body(pair(p, l, use_item(use)), n);
        }
    body(pair(p, use_item(use), use_item(use)), n);
}

static void need(struct pairs *p)
{
    const struct form_cover *x = p->x;
    int n = 0;
    for (int c = 0; c < x->count; c++)
        for (int u = 0; u < x->use_count; u++) {
            const struct form_candidate *one = &x->candidates[c];
            if (!has(one->allowed, u))
                continue;
            each_level(p, one->levels, u, ask, &n);
            for (int v = u + 1; v < x->use_count; v++)
                if (has(one->allowed, v) && family_of(x, u) != family_of(x, v))
                    *pair(p, class_item(p, u), class_item(p, v)) = true;
        }
}

/* ---- Rows ---------------------------------------------------------------- */

static void each_pair(struct pairs *p, const struct row *r, int use,
                      pair_body *body, int *n)
{
    each_level(p, r->of->levels, use, body, n);
    for (int f = 0; f < FORM_FAMILIES; f++)
        if (r->use[f] >= 0 && r->use[f] != use)
            body(pair(p, class_item(p, r->use[f]), class_item(p, use)), n);
}

static int gain(struct pairs *p, const struct row *r, int use)
{
    int n = 0;
    each_pair(p, r, use, count, &n);
    return n;
}

static bool row_works(const struct form_cover *x, const struct row *r,
                      struct form_uses *uses)
{
    for (int f = 0; f < FORM_FAMILIES; f++)
        uses->of[f] =
            r->use[f] < 0 ? (struct form_use){NULL, -1} : x->uses[r->use[f]];
    return x->works(x->context, r->of->what, uses);
}

/* The use of a family that gains most, or -1. */
static int best_use(struct pairs *p, const struct row *r, int family)
{
    int best = -1, most = 0;
    for (int u = 0; u < p->x->use_count; u++) {
        if ((int)family_of(p->x, u) != family || !has(r->of->allowed, u))
            continue;
        int n = gain(p, r, u);
        if (n > most) {
            most = n;
            best = u;
        }
    }
    return best;
}

/* Add what gains most of each family that has none yet: all at once, or one by
 * one, where not all go together. */
static void extend(struct pairs *p, struct row *r)
{
    struct form_uses uses;
    struct row all = *r;
    for (int f = 0; f < FORM_FAMILIES; f++)
        if (all.use[f] < 0)
            all.use[f] = best_use(p, &all, f);
    if (row_works(p->x, &all, &uses)) {
        *r = all;
        return;
    }
    for (int f = 0; f < FORM_FAMILIES; f++) {
        if (r->use[f] >= 0)
            continue;
        r->use[f] = best_use(p, r, f);
        if (r->use[f] >= 0 && !row_works(p->x, r, &uses))
            r->use[f] = -1;
    }
}

static void settle(struct pairs *p, const struct row *r)
{
    int n = 0;
    for (int f = 0; f < FORM_FAMILIES; f++)
        if (r->use[f] >= 0)
            each_pair(p, r, r->use[f], cross_out, &n);
}

/* ---- One pair ------------------------------------------------------------ */

/* The uses that stand for an item that is no level: from, and those that follow
 * in its list. */
static int first_use(const struct pairs *p, int item)
{
    int n = item - FORM_COVER_LEVELS;
    return n >= FORM_COVER_USES ? n - FORM_COVER_USES : p->first_of[n];
}

static int next_use(const struct pairs *p, int item, int use)
{
    bool one = item >= FORM_COVER_LEVELS + FORM_COVER_USES;
    return one ? -1 : p->next_of[use];
}

/* Give the row a use for an item, if the case has one. */
static bool take(struct pairs *p, struct row *r, int item)
{
    const struct form_cover *x = p->x;
    if (item < FORM_COVER_LEVELS)
        return r->of->levels >> item & 1;
    int use = first_use(p, item);
    int *own = &r->use[family_of(x, use)];
    int best = -1, most = -1;
    for (; use >= 0; use = next_use(p, item, use)) {
        if (*own == use)
            return true;
        int n = *own < 0 && has(r->of->allowed, use) ? gain(p, r, use) : -1;
        if (n > most) {
            most = n;
            best = use;
        }
    }
    if (best >= 0)
        *own = best;
    return best >= 0;
}

/* The row of a case with that pair, if it can have it. */
static bool start(struct pairs *p, const struct form_candidate *of, int a,
                  int b, struct row *r)
{
    *r = (struct row){.of = of};
    for (int f = 0; f < FORM_FAMILIES; f++)
        r->use[f] = -1;
    return take(p, r, a) && take(p, r, b);
}

static int worth(struct pairs *p, const struct row *r)
{
    int n = 0;
    for (int f = 0; f < FORM_FAMILIES; f++)
        n += r->use[f] >= 0 ? gain(p, r, r->use[f]) : 0;
    return n;
}

/* A row for one pair: of the cases that can have it the one that adds most, the
 * cheapest of these, the first of these. */
static bool make_row(struct pairs *p, int a, int b, struct row *best)
{
    struct form_cover *x = p->x;
    struct form_uses uses;
    for (int c = 0; c < x->count; c++)
        x->candidates[c].tried = false;
    for (int tries = 0; tries < TRIES; tries++) {
        int at = -1, most = 0;
        for (int c = 0; c < x->count; c++) {
            struct row r;
            if (x->candidates[c].tried
                || !start(p, &x->candidates[c], a, b, &r))
                continue;
            int n = worth(p, &r);
            if (at < 0 || n > most
                || (n == most
                    && x->candidates[c].cost < x->candidates[at].cost)) {
                at = c;
                most = n;
            }
        }
        if (at < 0)
            return false;
        x->candidates[at].tried = true;
        start(p, &x->candidates[at], a, b, best);
        if (row_works(x, best, &uses))
            return true;
    }
    return false;
}

void form_cover(struct form_cover *x)
{
    struct pairs *p = arena_new(x->arena, struct pairs, 1);
    struct form_uses uses;
    p->x = x;
    number_classes(p);
    need(p);
    /* Pairs of forms first: their rows bring most of the others along. */
    for (int a = ITEMS; a-- > 0;)
        for (int b = ITEMS; b-- > a;) {
            struct row r;
            if (!p->needed[a][b])
                continue;
            p->needed[a][b] = false;
            if (!make_row(p, a, b, &r))
                continue;
            extend(p, &r);
            settle(p, &r);
            row_works(x, &r, &uses);
            x->give(x->context, r.of->what, &uses);
        }
}
