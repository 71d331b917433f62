/* bracket_law.c - see bracket.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Arguments are compared only with others of the same operand, so a map that
 * keeps the order of each operand's values changes nothing but the values
 * returned.  It maps any three numbers to three of those tried here; of floats,
 * zeros of both signs, which are equal but have their own bits, and NaN have
 * their places.  In a total order zeros differ as numbers do; NaNs of both
 * signs are not tried there.
 */
#include "interp/ops/bracket.h"
#include "interp/ops/monoid.h"
#include "interp/program/uses.h"

enum {
    VALUES_MAX = 7,        /* of an operand */
    ROWS_MAX = 1000,       /* of all operands */
    TRIPLES_MAX = 1 << 17, /* of rows, that are tried */
    OPERANDS_MAX = 8
};

static void see(struct bracket_seen *seen, enum dtype type, uint64_t bits)
{
    seen->nan = seen->nan || real_is_nan(type, bits);
    if (real_is_zero(type, bits)) {
        seen->minus = seen->minus || real_is_negative(type, bits);
        seen->plus = seen->plus || !real_is_negative(type, bits);
    }
    seen->subnormal = seen->subnormal || real_is_subnormal(type, bits);
}

void bracket_law_see(struct bracket_seen *seen, enum dtype type, uint64_t low,
                     uint64_t high)
{
    if (dtype_class(type) != DTYPE_FLOAT)
        return;
    see(seen, type, low);
    see(seen, type, high);
    if (low != high && !real_is_nan(type, low) && real_key(type, low) < 0
        && real_key(type, high) >= 0)
        seen->minus = seen->plus = seen->subnormal = true;
}

/* ---- The computation ----------------------------------------------------- */

static bool is_pred(const struct shape *s)
{
    return shape_is_scalar(s) && s->dtype == DT_pred;
}

static bool all_preds(const struct computation *c, const struct instruction *in)
{
    bool all = is_pred(in->shape);
    for (int k = 0; k < in->operand_count; k++)
        all = all && is_pred(c->instructions[in->operands[k]]->shape);
    return all;
}

/* The operand (0 to n - 1) that an instruction's value is one of, -1: a truth
 * value, -2: neither. */
static int origin_of(const struct computation *c, const int *origins,
                     const struct instruction *in)
{
    bool extreme =
        in->op->monoid == &monoid_min || in->op->monoid == &monoid_max;
    int first = in->operand_count == 3 ? 1 : 0;
    if (!(extreme && in->op->elementwise) && in->op->role != OP_ROLE_SELECT
        && !in->op->compare)
        return in->op->elementwise && all_preds(c, in) ? -1 : -2;
    for (int k = first; k < in->operand_count; k++)
        if (origins[in->operands[k]] != origins[in->operands[first]])
            return -2;
    if (first == 1 && !is_pred(c->instructions[in->operands[0]]->shape))
        return -2;
    if (in->op->compare)
        return origins[in->operands[first]] == -2 ? -2 : -1;
    return origins[in->operands[first]];
}

static bool is_ordered(const struct shape *s)
{
    return shape_is_scalar(s) && dtype_class(s->dtype) != DTYPE_COMPLEX;
}

/* Result w is one of the two values of operand w. */
static bool returns_origins(const struct bracket_fold *f, const int *origins)
{
    const struct computation *c = f->c;
    const struct instruction *root = c->instructions[c->root];
    for (int w = 0; w < f->n; w++) {
        int from = f->n == 1 ? c->root : root->operands[w];
        bool pred = is_pred(c->instructions[from]->shape);
        if (origins[from] != w && !(pred && origins[from] == -1))
            return false;
    }
    return f->n == 1 || root->op->role == OP_ROLE_TUPLE;
}

/* *total: it compares in the total order. */
static bool only_compares(const struct bracket_fold *f, bool *total)
{
    const struct computation *c = f->c;
    int *origins = arena_new(f->ev->arena, int, (size_t)c->count);
    *total = false;
    for (int i = 0; i < c->count; i++) {
        const struct instruction *in = c->instructions[i];
        origins[i] = -2;
        if (in->op->role == OP_ROLE_TUPLE && i == c->root)
            continue;
        if (in->op->role != OP_ROLE_PARAMETER)
            origins[i] = origin_of(c, origins, in);
        for (int k = 0; k < c->parameter_count; k++)
            if (c->parameters[k] == i && is_ordered(in->shape))
                origins[i] = is_pred(in->shape) ? -1 : k % f->n;
        if (origins[i] == -2)
            return false;
        *total = *total || (in->op->compare & OP_COMPARE_TOTAL);
    }
    return returns_origins(f, origins);
}

/* ---- Three rows ---------------------------------------------------------- */

struct values {
    int count;
    uint64_t at[VALUES_MAX];
};

/* The values tried for an operand: enough for three in any order.  None is
 * subnormal, so that no flushing makes two of them equal. */
static struct values find_values(enum dtype type,
                                 const struct bracket_seen *seen)
{
    struct values v = {0};
    bool zeros = seen->plus && seen->minus;
    if (dtype_class(type) != DTYPE_FLOAT) {
        for (uint64_t x = 0; x < 3 && x <= dtype_mask(type); x++)
            v.at[v.count++] = x;
        return v;
    }
    for (uint64_t k = 0; k < (zeros ? 2 : 3); k++)
        v.at[v.count++] = real_one(type) + k;
    for (uint64_t k = 0; zeros && k < 2; k++)
        v.at[v.count++] = (real_one(type) + k) | real_formats[type].sign;
    for (int k = 0; zeros && k < 2; k++)
        v.at[v.count++] = real_zero(type, k == 1);
    if (seen->nan)
        v.at[v.count++] = real_nan(type, false);
    return v;
}

/* One law of three rows. */
static bool try_rows(struct bracket_fold *f, enum bracket_law law,
                     uint64_t *const row[3], uint64_t *a, uint64_t *b,
                     struct status *st)
{
    const uint64_t *x = row[0], *y = row[1], *z = row[2];
    bool left = law == BRACKET_EXCHANGES_LEFT;
    TRY(bracket_fold_apply(f, a, left ? y : x, left ? x : y, st));
    TRY(bracket_fold_apply(f, a, left ? z : a, left ? a : z, st));
    if (law == BRACKET_ASSOCIATES) {
        TRY(bracket_fold_apply(f, b, y, z, st));
        return bracket_fold_apply(f, b, x, b, st);
    }
    TRY(bracket_fold_apply(f, b, left ? z : x, left ? x : z, st));
    return bracket_fold_apply(f, b, left ? y : b, left ? b : y, st);
}

/* Try the law on all triples of rows of such values. */
static bool try_all(struct bracket_fold *f, enum bracket_law law,
                    const struct values *values, bool *holds, struct status *st)
{
    uint64_t *row[3], *a = bracket_fold_row(f), *b = bracket_fold_row(f);
    int digit[3][OPERANDS_MAX] = {{0}};
    for (int r = 0; r < 3; r++)
        row[r] = bracket_fold_row(f);
    for (;;) {
        int r = 0, w = 0;
        for (int i = 0; i < 3 * f->n; i++)
            row[i / f->n][i % f->n] =
                values[i % f->n].at[digit[i / f->n][i % f->n]];
        TRY(try_rows(f, law, row, a, b, st));
        *holds = !f->rounds && bracket_fold_same(f, a, b);
        if (!*holds)
            return true;
        while (r < 3 && ++digit[r][w] == values[w].count) {
            digit[r][w] = 0;
            w = (w + 1) % f->n;
            r += w == 0;
        }
        if (r == 3)
            return true;
    }
}

bool bracket_law(struct bracket_fold *f, enum bracket_law law,
                 const struct bracket_seen *seen, bool *holds,
                 struct status *st)
{
    struct values values[OPERANDS_MAX];
    int64_t rows = 1;
    bool total, rounds = f->rounds, flush = uses_any(f->ev->machine);
    *holds = false;
    if (f->n > OPERANDS_MAX || !only_compares(f, &total))
        return true;
    for (int w = 0; w < f->n; w++) {
        values[w] = find_values(f->left[w]->shape->dtype, &seen[w]);
        rows *= values[w].count;
        if (rows > ROWS_MAX || (total && seen[w].nan)
            || (flush && seen[w].subnormal))
            return true;
    }
    if (rows * rows * rows > TRIPLES_MAX)
        return true;
    f->rounds = false;
    bool ok = try_all(f, law, values, holds, st);
    f->rounds = rounds;
    return ok;
}
