/* TopK - the k greatest or least elements of each row, and where they were.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Of equal elements the one with the lower index comes first.  NaNs are in
 * their places in the total order; whether zeros of both signs are equal is
 * policy topk.signed-zero, and if either will do, each row is like one of two.
 * Rows of a dynamic size give k elements nevertheless: those beyond it may be
 * anything.
 */
#include <inttypes.h>
#include <string.h>

#include "gen/policy/topk_nan.h"
#include "gen/policy/topk_signed_zero.h"
#include "interp/base/pairs.h"
#include "interp/check/check.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/order.h"
#include "interp/program/attribute.h"
#include "interp/program/uses.h"
#include "interp/specification/flush.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    ROW_BYTES = 64 /* that sorting a row needs for an element, at most */
};

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t k = attribute_int(in->in, ATTRIBUTE_K, 0), dims[SHAPE_RANK_MAX];
    bool flags[SHAPE_RANK_MAX];
    if (s->rank == 0)
        return FAIL(
            st, SHAPE,
            "TopK: the operand is a scalar; expected at least one dimension");
    if (k < 0 || k > s->dims[s->rank - 1])
        return FAIL(st, ATTRIBUTE,
                    "TopK: k is %" PRId64 "; expected 0 to %" PRId64
                    ", the size of a row",
                    k, s->dims[s->rank - 1]);
    memcpy(dims, s->dims, (size_t)s->rank * sizeof *dims);
    dims[s->rank - 1] = k;
    for (int d = 0; d < s->rank; d++)
        flags[d] = dynamic_is(s, d) && d < s->rank - 1;
    TRY(infer_array(in, s->dtype, s->rank, dims, st));
    dynamic_mark(in, flags);
    const struct shape *both[2] = {
        in->result, shape_with_dtype(in->arena, in->result, DT_s32)};
    TRY(shape_check_size(s->rank, dims, DT_s32,
                         in->program->limits->literal_bytes, st));
    in->result = shape_tuple(in->arena, 2, both);
    return true;
}

/* Reversed, so that the last of equal ones comes first. */
static void turn(struct pair *pairs, int64_t n)
{
    for (int64_t i = 0, k = n - 1; i < k; i++, k--) {
        struct pair swap = pairs[i];
        pairs[i] = pairs[k];
        pairs[k] = swap;
    }
}

/* Into f, and for each row whether it has a NaN. */
static void select_top(const struct eval *ev, bool total, bool flush,
                       const struct check_rows_way *f, unsigned char *nans)
{
    const struct literal *l = ev->operands[0];
    const struct shape *s = l->shape;
    bool largest = attribute_bool(ev->in, ATTRIBUTE_LARGEST, true);
    int64_t k = attribute_int(ev->in, ATTRIBUTE_K, 0), n = s->dims[s->rank - 1];
    int64_t rows = shape_elements(f->values->shape) / k;
    struct pair *pairs = arena_new(ev->arena, struct pair, 2 * (size_t)n);
    /* What is found keeps its bits. */
    const struct literal *compared = flush ? uses_taken(ev, 0) : l;
    for (int64_t row = 0; row < rows; row++) {
        bool nan = false;
        for (int64_t i = 0; i < n; i++) {
            uint64_t bits = literal_get(compared, row * n + i);
            int64_t key = order_key(s->dtype, bits, total, &nan);
            pairs[i] = (struct pair){largest ? ~key : key, i};
        }
        nans[row] = nan;
        if (ev->machine->environment && ev->machine->environment->ties_last)
            turn(pairs, n);
        pairs_sort(pairs, n, pairs + n);
        for (int64_t i = 0; i < k; i++) {
            literal_move(f->values, row * k + i, l, row * n + pairs[i].place);
            literal_set(f->indices, row * k + i, (uint64_t)pairs[i].place);
        }
    }
}

static void set_free(struct goal **goals, const unsigned char *nans, int64_t k)
{
    int64_t n = literal_units(goals[0]->value);
    for (int64_t i = 0; i < n; i++)
        if (nans[i / k]) {
            goal_free_unit(goals[0], i);
            goal_free_unit(goals[1], i);
        }
}

/* Look in another order too, row by row. */
static void add_other(struct eval *ev, struct goal **goals, bool total,
                      bool flush, unsigned char *nans)
{
    struct check_rows *e = arena_new(ev->arena, struct check_rows, 1);
    e->k = attribute_int(ev->in, ATTRIBUTE_K, 0);
    e->way[0] = (struct check_rows_way){goals[0]->value, goals[1]->value};
    e->way[1].values = literal_new(ev->arena, goals[0]->value->shape);
    e->way[1].indices = literal_new(ev->arena, goals[1]->value->shape);
    select_top(ev, total, flush, &e->way[1], nans);
    /* Where uses are decided, values and indices still go together. */
    bool one = literal_equal(e->way[0].indices, e->way[1].indices);
    if (one && !ev->machine->uses)
        return;
    for (int i = 0; i < 2; i++) {
        goal_make_check(goals[i], check_rows, e, i);
        if (one)
            goal_check_known(goals[i]);
    }
}

/* If a row has fewer than k elements, takes all of them. */
static bool eval_dynamic(struct eval *ev, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    int64_t n = p.sizes[0][ev->operands[0]->shape->rank - 1];
    if (n < attribute_int(ev->in, ATTRIBUTE_K, 0))
        dynamic_set_ints(&p, ATTRIBUTE_K, &n);
    return dynamic_eval(&p, st);
}

/* The order of zeros of both signs, and whether the other one is right too. */
static void order_zeros(const struct profile *p, bool *total, bool *either)
{
    *total = *either = false;
    switch (profile_topk_signed_zero(p)) {
    case TOPK_SIGNED_ZERO_TOTAL_ORDER:
        *total = true;
        break;
    case TOPK_SIGNED_ZERO_EITHER:
        *either = true;
        break;
    case TOPK_SIGNED_ZERO_EQUAL:
        break;
    }
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    const struct shape *s = ev->in->shape;
    struct goal *goals[2];
    bool total, either;
    order_zeros(ev->machine->profile, &total, &either);
    for (int i = 0; i < 2; i++)
        goals[i] = goal_new(ev->arena, s->elements[i], GOAL_MOVED, false);
    int64_t n = shape_elements(s->elements[0]);
    const struct shape *from = ev->operands[0]->shape;
    if (from->dims[from->rank - 1]
        > ev->machine->limits->evaluate_bytes / ROW_BYTES)
        return FAIL(st, SYSTEM,
                    "limit: rows of %" PRId64
                    " elements in TopK (--limit-evaluate-bytes)",
                    from->dims[from->rank - 1]);
    if (n > 0) {
        struct check_rows_way f = {goals[0]->value, goals[1]->value};
        unsigned char *nans = arena_new(ev->arena, unsigned char, (size_t)n);
        select_top(ev, total, true, &f, nans);
        if (ev->want_exact && profile_topk_nan_is_any(ev->machine->profile))
            set_free(goals, nans, attribute_int(ev->in, ATTRIBUTE_K, 0));
        else if (ev->want_exact && either)
            add_other(ev, goals, !total, true, nans);
        else if (ev->want_exact && uses_way(ev, 0) != MACHINE_KEEP)
            add_other(ev, goals, total, ev->machine->uses != NULL, nans);
    }
    return eval_return(ev, s, goals);
}

/* ---- Inexact operands ---------------------------------------------------- */

/* Does element i of the operand come before element k, whatever they are?  Two
 * that are known stand as the reference puts them. */
static bool comes_first(const struct literal *low, const struct literal *high,
                        bool largest, int64_t i, int64_t k)
{
    enum dtype type = low->shape->dtype;
    const struct literal *above = largest ? low : high;
    const struct literal *below = largest ? high : low;
    bool nan = false;
    int64_t a = order_key(type, literal_get(above, i), false, &nan);
    int64_t b = order_key(type, literal_get(below, k), false, &nan);
    bool known = literal_same(low, i, high, i) && literal_same(low, k, high, k);
    return known || (!nan && (largest ? a > b : a < b));
}

/* Does each element that a row gives come before all that follow it? */
static bool is_decided(const struct literal *low, const struct literal *high,
                       bool largest, const int64_t *places, int64_t k,
                       int64_t row, int64_t n)
{
    for (int64_t i = 0; i < k; i++)
        for (int64_t other = 0; other < n; other++) {
            bool earlier = false;
            for (int64_t j = 0; j <= i && !earlier; j++)
                earlier = places[j] == other;
            if (!earlier
                && !comes_first(low, high, largest, row * n + places[i],
                                row * n + other))
                return false;
        }
    return true;
}

static bool eval_ranges(struct eval *ev, struct status *st)
{
    struct literal *const *low = ev->low, *const *high = ev->high;
    const struct shape *from = ev->operands[0]->shape;
    bool largest = attribute_bool(ev->in, ATTRIBUTE_LARGEST, true);
    int64_t n = from->dims[from->rank - 1];
    int64_t k = attribute_int(ev->in, ATTRIBUTE_K, 0);
    TRY(eval(ev, st));
    const struct literal *places = ev->out.goals[1]->value;
    int64_t rows = k > 0 ? shape_elements(places->shape) / k : 0;
    int64_t *own = arena_new(ev->arena, int64_t, (size_t)k + 1);
    const struct outcome *o = ev->outcomes[0];
    struct goal *g = ev->out.goals[0];
    bool apart = g->rule == GOAL_MOVED;
    TRY(eval_charge(ev, rows * k, n, st));
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t i = 0; i < k; i++) {
            own[i] = (int64_t)literal_get(places, row * k + i);
            int64_t at = row * n + own[i];
            if (apart && o->goals)
                goal_take(g, row * k + i, o->goals[0], at);
            else if (!literal_same(low[0], at, high[0], at))
                return FAIL(st, UNSUPPORTED,
                            "inadmissible: rows of TopK are judged together, "
                            "and operands are inexact");
        }
        if (!is_decided(low[0], high[0], largest, own, k, row, n))
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: the selection of TopK depends on a "
                        "rounding");
    }
    return true;
}

const struct op op_TopK = {
    .name = "TopK",
    .infer = infer,
    .eval = eval,
    .ranges = eval_ranges,
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_top_k,
                                .claim = stablehlo_claim_top_k)};
