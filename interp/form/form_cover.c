/* form_cover.c - see form_cover.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/form/form_cover.h"

#include <string.h>

#include "interp/base/hash.h"

enum {
    ITEMS = FORM_COVER_LEVELS + 2 * FORM_COVER_USES,
    TRIES =
        8, /* for a pair: forms that exclude each other do so in all cases */
    TRIES_OF_CASE = 2 /* each with other forms of the classes */
};

/* ---- Pairs --------------------------------------------------------------- */

/* Items are levels, classes of forms, and uses; a pair is needed until a row
 * has both, an item with itself until a row has it. */
struct pairs {
    struct form_cover *x;
    int class_of[FORM_COVER_USES]; /* of each use */
    int class_count;
    int first_of[FORM_COVER_USES]; /* the first use of each class, */
    int next_of[FORM_COVER_USES];  /* and the next after each use; -1 */
    int rows[FORM_COVER_USES];     /* that each use has had */
    int failed[FORM_COVER_USES];   /* tries for the present pair */
    uint64_t order[FORM_COVER_USES];
    bool needed[ITEMS][ITEMS]; /* the smaller number first */
};

/* A case and at most one use of each family: its number, or -1. */
struct row {
    const struct form_candidate *of;
    int use[FORM_FAMILIES];
    bool keeps; /* it is for a value: no operand may be replaced */
};

static bool has(const uint64_t *bits, int i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static enum form_family family_of(const struct form_cover *x, int use)
{
    return x->uses[use].what->family;
}

/* The values of the operands that a use of a row meets: a form of one operand
 * meets that one's.  Of other forms it may leave no other operand ("same"), or
 * only a choice of its elements ("scalar"). */
static unsigned values_of(const struct form_cover *x,
                          const struct form_candidate *c, int use, int beside)
{
    const struct form_use *own = &x->uses[use];
    const struct form_use *other = beside >= 0 ? &x->uses[beside] : own;
    unsigned all = 0;
    if (own->operand >= 0)
        return c->values[own->operand];
    if (other->operand >= 0 && other->what->same)
        return c->values[other->operand];
    for (int i = 0; i < FORM_COVER_OPERANDS; i++)
        if (other->operand != i || !other->what->spread)
            all |= c->values[i];
    return all;
}

/* The levels that a use meets, beside a form of the operands or -1. */
static uint64_t levels_of(const struct form_cover *x,
                          const struct form_candidate *c, int use, int beside)
{
    return (c->levels & ~UINT64_C(0) << FORM_VALUES)
           | values_of(x, c, use, beside);
}

/* Constants are folded, and Map applies an operation to scalars: beside these
 * no other form meets a value. */
static bool is_alone(const struct form_use *use)
{
    return (use->what->constant && use->operand < 0)
           || use->what->control == FORM_CONTROL_MAP;
}

static uint64_t row_levels(const struct form_cover *x, const struct row *r,
                           int use)
{
    uint64_t all = levels_of(x, r->of, use, r->use[FORM_OPERAND]);
    for (int f = 0; f < FORM_FAMILIES; f++)
        if (r->use[f] >= 0 && r->use[f] != use && is_alone(&x->uses[r->use[f]]))
            all &= ~UINT64_C(0) << FORM_VALUES;
    return all;
}

static int class_item(const struct pairs *p, int use)
{
    return FORM_COVER_LEVELS + p->class_of[use];
}

static int use_item(int use)
{
    return FORM_COVER_LEVELS + FORM_COVER_USES + use;
}

static uint64_t hash_of(const char *a, const char *b, const char *c)
{
    struct hash h = {{3, 4}};
    hash_text(&h, a);
    hash_text(&h, b);
    hash_text(&h, c);
    hash_int(&h, 0);
    return h.h[0] ^ h.h[1];
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
        p->order[u] =
            x->deal ? hash_of(x->deal, x->uses[u].what->id, "") : (uint64_t)u;
    }
}

static bool *pair(struct pairs *p, int a, int b)
{
    return a < b ? &p->needed[a][b] : &p->needed[b][a];
}

/* Do something with each pair that a use brings to a case. */
typedef void pair_body(bool *needed, int *count);

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

/* ---- Which pairs are needed ---------------------------------------------- */

/* The name of an item; two of different kinds may have the same one. */
static const char *item_name(const struct pairs *p, int item)
{
    const struct form_cover *x = p->x;
    int n = item - FORM_COVER_LEVELS;
    if (n < 0)
        return form_cover_case_level(item);
    return n < FORM_COVER_USES ? x->uses[p->first_of[n]].what->class
                               : x->uses[n - FORM_COVER_USES].what->id;
}

/* Is the pair one of this operation's share?  By names, so that what is added
 * to a table, or another operation, changes no other pair. */
static bool is_dealt(const struct pairs *p, int a, int b)
{
    const char *one = item_name(p, a), *other = item_name(p, b);
    bool swap = strcmp(one, other) > 0;
    return !p->x->deal
           || hash_of(p->x->deal, swap ? other : one, swap ? one : other)
                      % FORM_COVER_SHARE
                  == 0;
}

static void ask(struct pairs *p, int a, int b)
{
    if (!*pair(p, a, b))
        *pair(p, a, b) = is_dealt(p, a, b);
}

static bool is_scalar(const struct form *f)
{
    return f->spread && !f->splat;
}

/* Asks for a share of the pairs: each value occurs with each class of forms and
 * as a scalar, and each form of an operand occurs. */
static void ask_levels(struct pairs *p, uint64_t levels, int use)
{
    const struct form *f = p->x->uses[use].what;
    int class = class_item(p, use), own = use_item(use);
    for (int l = 0; l < FORM_COVER_LEVELS; l++) {
        if (!(levels >> l & 1))
            continue;
        if (l >= FORM_VALUES || f->family == FORM_PRODUCER
            || f->family == FORM_CONSUMER || f->family == FORM_COMPANY)
            ask(p, l, class);
        else
            *pair(p, l, class) = true;
        if (l < FORM_VALUES && (is_scalar(f) || !p->x->deal))
            *pair(p, l, own) = true;
    }
    if (f->family == FORM_OPERAND)
        *pair(p, own, own) = true;
    else
        ask(p, own, own);
}

/* Backends have paths of their own for rare types and complex numbers: what
 * these do with a value tells nothing of the others.  So their values count
 * where no common type has them. */
static void leave_to_common(struct form_cover *x)
{
    uint64_t common = 0;
    for (int c = 0; c < x->count; c++)
        if (x->candidates[c].common)
            common |= x->candidates[c].levels;
    common &= ~(~UINT64_C(0) << FORM_VALUES);
    for (int c = 0; c < x->count; c++) {
        struct form_candidate *one = &x->candidates[c];
        for (int k = 0; k < FORM_COVER_OPERANDS && !one->common; k++)
            one->values[k] &= ~(unsigned)common;
        one->levels &= one->common ? ~UINT64_C(0) : ~common;
    }
}

/* Where a value comes from or goes to: of a share, one class of such forms, by
 * names, for each value. */
static void ask_one_each(struct pairs *p, enum form_family family)
{
    const struct form_cover *x = p->x;
    for (int l = 0; l < FORM_VALUES; l++) {
        uint64_t least = UINT64_MAX;
        int at = -1;
        for (int u = 0; u < x->use_count; u++) {
            uint64_t h =
                hash_of(x->deal ? x->deal : "", form_cover_case_level(l),
                        x->uses[u].what->class);
            bool meets = false;
            for (int c = 0; c < x->count && family_of(x, u) == family; c++)
                meets |= has(x->candidates[c].allowed, u)
                         && levels_of(x, &x->candidates[c], u, -1) >> l & 1;
            if (meets && h < least) {
                least = h;
                at = u;
            }
        }
        if (at >= 0)
            *pair(p, l, class_item(p, at)) = true;
    }
}

static void need(struct pairs *p)
{
    const struct form_cover *x = p->x;
    for (int c = 0; c < x->count; c++)
        for (int u = 0; u < x->use_count; u++) {
            const struct form_candidate *one = &x->candidates[c];
            if (!has(one->allowed, u))
                continue;
            ask_levels(p, levels_of(x, one, u, -1), u);
            for (int v = u + 1; v < x->use_count; v++)
                if (has(one->allowed, v) && family_of(x, u) != family_of(x, v))
                    ask(p, class_item(p, u), class_item(p, v));
        }
    ask_one_each(p, FORM_PRODUCER);
    ask_one_each(p, FORM_CONSUMER);
}

/* ---- Rows ---------------------------------------------------------------- */

static void each_pair(struct pairs *p, const struct row *r, int use,
                      pair_body *body, int *n)
{
    each_level(p, row_levels(p->x, r, use), use, body, n);
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

/* The best use has not failed for this pair, and gains most; of those that gain
 * as much it has had the fewest rows, as which is first differs from one
 * operation to another. */
static bool is_better(const struct pairs *p, int use, int n, int other, int m)
{
    if (other < 0)
        return n > m;
    if (p->failed[use] != p->failed[other])
        return p->failed[use] < p->failed[other];
    if (n != m)
        return n > m;
    return p->rows[use] != p->rows[other] ? p->rows[use] < p->rows[other]
                                          : p->order[use] < p->order[other];
}

/* Do values of an operand give way to others, or meet no other form? */
static bool replaces(const struct form_use *use)
{
    return is_alone(use)
           || (use->operand >= 0 && (use->what->same || use->what->spread));
}

/* The use of a family that gains most, or -1. */
static int best_use(struct pairs *p, const struct row *r, int family)
{
    int best = -1, most = 0;
    for (int u = 0; u < p->x->use_count; u++) {
        if ((int)family_of(p->x, u) != family || !has(r->of->allowed, u)
            || (r->keeps && replaces(&p->x->uses[u])))
            continue;
        int n = gain(p, r, u);
        if (n > 0 && is_better(p, u, n, best, most)) {
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

/* Give the row a use for an item, which meets a level unless that is -1, if the
 * case has one. */
static bool take_level(struct pairs *p, struct row *r, int item, int level)
{
    const struct form_cover *x = p->x;
    int use = first_use(p, item);
    int *own = &r->use[family_of(x, use)];
    int best = -1, most = -1;
    for (; use >= 0; use = next_use(p, item, use)) {
        if (*own == use)
            return true;
        if (level >= 0 && !(levels_of(x, r->of, use, -1) >> level & 1))
            continue;
        int n = *own < 0 && has(r->of->allowed, use) ? gain(p, r, use) : -1;
        if (n >= 0 && is_better(p, use, n, best, most)) {
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
    r->keeps = a < FORM_VALUES;
    if (a < FORM_COVER_LEVELS)
        return of->levels >> a & 1 && take_level(p, r, b, a);
    return take_level(p, r, a, -1) && take_level(p, r, b, -1);
}

static int worth(struct pairs *p, const struct row *r)
{
    int n = 0;
    for (int f = 0; f < FORM_FAMILIES; f++)
        n += r->use[f] >= 0 ? gain(p, r, r->use[f]) : 0;
    return n;
}

static void note_uses(const struct row *r, int counts[FORM_COVER_USES])
{
    for (int f = 0; f < FORM_FAMILIES; f++)
        if (r->use[f] >= 0)
            counts[r->use[f]]++;
}

/* Does a case that adds n pairs pay more than another? */
static bool pays(const struct form_candidate *one, int n,
                 const struct form_candidate *other, int m)
{
    int64_t a = n * (FORM_COVER_DATA + other->cost),
            b = m * (FORM_COVER_DATA + one->cost);
    return a > b || (a == b && one->cost < other->cost);
}

/* A row for one pair: of the cases that can have it the one that adds most for
 * its cost, the first of these. */
static bool make_row(struct pairs *p, int a, int b, struct row *best)
{
    struct form_cover *x = p->x;
    struct form_uses uses;
    memset(p->failed, 0, sizeof p->failed);
    for (int c = 0; c < x->count; c++)
        x->candidates[c].tries = 0;
    for (int tries = 0; tries < TRIES; tries++) {
        int at = -1, most = 0;
        for (int c = 0; c < x->count; c++) {
            struct row r;
            if (x->candidates[c].tries == TRIES_OF_CASE
                || !start(p, &x->candidates[c], a, b, &r))
                continue;
            int n = worth(p, &r);
            if (at < 0
                || pays(&x->candidates[c], n, &x->candidates[at], most)) {
                at = c;
                most = n;
            }
        }
        if (at < 0)
            return false;
        x->candidates[at].tries++;
        start(p, &x->candidates[at], a, b, best);
        if (row_works(x, best, &uses)) {
            memset(p->failed, 0, sizeof p->failed);
            return true;
        }
        note_uses(best, p->failed);
    }
    return false;
}

void form_cover(struct form_cover *x)
{
    struct pairs *p = arena_new(x->arena, struct pairs, 1);
    struct form_uses uses;
    p->x = x;
    number_classes(p);
    if (x->deal)
        leave_to_common(x);
    need(p);
    /* Pairs of forms first: their rows bring most of the others along. */
    for (int a = ITEMS; a-- > 0;)
        for (int b = ITEMS; b-- > a;) {
            struct row r;
            if (!p->needed[a][b])
                continue;
            bool made = make_row(p, a, b, &r);
            p->needed[a][b] = false;
            if (!made)
                continue;
            extend(p, &r);
            settle(p, &r);
            note_uses(&r, p->rows);
            row_works(x, &r, &uses);
            x->give(x->context, r.of->what, &uses);
        }
}
