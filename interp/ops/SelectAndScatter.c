/* SelectAndScatter - one element of each window selected, and a source
 * scattered to it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What is selected is a Scatter of single elements into an array of the
 * initial value: the order of its updates is free.
 */
#include <inttypes.h>
#include <string.h>

#include "gen/policy/select_and_scatter_arguments.h"
#include "gen/policy/select_and_scatter_empty_window.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/order.h"
#include "interp/ops/reduce.h"
#include "interp/ops/scatter.h"
#include "interp/ops/window.h"
#include "interp/program/evaluate.h"
#include "interp/program/interval_goal.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    OPERAND,
    SOURCE,
    INIT
};

static bool check_types(const struct infer *in, struct status *st)
{
    enum dtype t = in->operands[OPERAND]->dtype;
    const struct shape *init = in->operands[INIT];
    for (int i = SOURCE; i <= INIT; i++)
        if (in->operands[i]->dtype != t)
            return FAIL(
                st, TYPE,
                "SelectAndScatter: %s is %s; expected %s, the operand's type",
                i == SOURCE ? "source" : "init_value",
                dtype_table[in->operands[i]->dtype].name, dtype_table[t].name);
    if (!shape_is_scalar(init))
        return FAIL(st, SHAPE,
                    "SelectAndScatter: init_value is %s, not a scalar",
                    shape_text(in->arena, init));
    return true;
}

static bool check_select(struct infer *in, struct status *st)
{
    const struct computation *c;
    const struct shape *s =
        shape_scalar(in->arena, in->operands[OPERAND]->dtype);
    const struct shape *two[] = {s, s};
    TRY(infer_computation(in, ATTRIBUTE_SELECT, 0, 2, two, &c, st));
    if (!shape_is_scalar(c->result)
        || dtype_class(c->result->dtype) != DTYPE_PRED)
        return FAIL(
            st, COMPUTATION,
            "SelectAndScatter: computation '%s' returns %s, expected pred[]",
            c->name, shape_text(in->arena, c->result));
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[OPERAND];
    const struct shape *source = in->operands[SOURCE];
    struct window w;
    TRY(check_types(in, st));
    TRY(check_select(in, st));
    TRY(reduce_infer_computation(in, ATTRIBUTE_SCATTER, 1, &s->dtype, st));
    TRY(window_infer_reduction(in, s, &w, st));
    if (source->rank != s->rank)
        return FAIL(
            st, SHAPE,
            "SelectAndScatter: source is %s, operand %s; expected equal ranks",
            shape_text(in->arena, source), shape_text(in->arena, s));
    for (int i = 0; i < s->rank; i++)
        if (source->dims[i] != w.dims[i].positions)
            return FAIL(st, SHAPE,
                        "SelectAndScatter: source is %s; dimension %d has "
                        "%" PRId64 " windows",
                        shape_text(in->arena, source), i, w.dims[i].positions);
    in->result = s;
    return true;
}

/* ---- Selection ----------------------------------------------------------- */

struct selection {
    struct eval *ev;
    const struct literal *low, *high; /* of the operand, if it is inexact */
    const struct computation *c;
    const struct literal *operand;
    struct window w;
    struct window_hits *hits;
    int64_t strides[SHAPE_RANK_MAX];
    struct literal *pair[2], *result;
    unsigned compare; /* of its two parameters, if c is that (op_compare) */
};

/* Comparisons, which nearly all selections are, need no evaluation. */
static void find_comparison(struct selection *s)
{
    const struct instruction *root = s->c->instructions[s->c->root];
    unsigned compare = root->op->compare;
    if (compare && !(compare & OP_COMPARE_TOTAL)
        && compare != (OP_COMPARE_LESS | OP_COMPARE_GREATER)
        && root->operands[0] == s->c->parameters[0]
        && root->operands[1] == s->c->parameters[1]
        && dtype_class(s->operand->shape->dtype) != DTYPE_COMPLEX)
        s->compare = compare;
}

static bool compare(const struct selection *s, int64_t chosen, int64_t next)
{
    enum dtype type = s->operand->shape->dtype;
    bool nan = false;
    int64_t a = order_key(type, literal_get(s->operand, chosen), false, &nan);
    int64_t b = order_key(type, literal_get(s->operand, next), false, &nan);
    unsigned is = a < b    ? OP_COMPARE_LESS
                  : a == b ? OP_COMPARE_EQUAL
                           : OP_COMPARE_GREATER;
    return !nan && (s->compare & is);
}

/* The same, whatever the two elements are. */
static bool compare_between(const struct selection *s, int64_t chosen,
                            int64_t next, bool *first, struct status *st)
{
    struct machine *m = s->ev->machine;
    int64_t bytes = m->bytes, at[] = {chosen, next};
    struct arena *a = evaluate_frame(m);
    struct outcome with[2], out;
    for (int i = 0; i < 2; i++)
        with[i] = interval_goal_element(a, s->operand, s->low, s->high, at[i]);
    bool ok = eval_call_followed(s->ev, a, s->c, with, &out, st);
    if (ok)
        *first = literal_get(out.value, 0) != 0;
    evaluate_release(m);
    m->bytes = bytes;
    return ok;
}

/* Keep *chosen, or take the next element. */
static bool choose(struct selection *s, int64_t next, int64_t *chosen,
                   struct status *st)
{
    const struct literal *arguments[] = {s->pair[0], s->pair[1]};
    if (*chosen >= 0 && s->low) {
        bool first;
        TRY(compare_between(s, *chosen, next, &first, st));
        if (first)
            return true;
    } else if (*chosen >= 0 && s->compare) {
        if (compare(s, *chosen, next))
            return true;
    } else if (*chosen >= 0) {
        literal_move(s->pair[0], 0, s->operand, *chosen);
        literal_move(s->pair[1], 0, s->operand, next);
        TRY(eval_call_decided(s->ev, s->c, arguments, s->result, st));
        if (literal_get(s->result, 0) != 0)
            return true;
    }
    *chosen = next;
    return true;
}

/* The element that the window at an index selects; -1: it has none. */
static bool select_one(struct selection *s, const int64_t *index,
                       int64_t *chosen, struct status *st)
{
    int64_t digits[SHAPE_RANK_MAX] = {0};
    *chosen = -1;
    for (int d = 0; d < s->w.rank; d++) {
        if (s->hits[d].position != index[d])
            window_find(&s->w.dims[d], index[d], &s->hits[d]);
        if (s->hits[d].count == 0)
            return true;
    }
    for (;;) {
        int64_t at = 0;
        int d = 0;
        for (; d < s->w.rank; d++)
            at += s->hits[d].at[digits[d]].base * s->strides[d];
        TRY(choose(s, at, chosen, st));
        for (d = s->w.rank - 1; d >= 0; d--) {
            if (++digits[d] < s->hits[d].count)
                break;
            digits[d] = 0;
        }
        if (d < 0)
            return true;
    }
}

static void open_selection(struct selection *s)
{
    const struct shape *shape = s->operand->shape;
    struct arena *a = s->ev->arena;
    window_get_reduction(s->ev->in, shape, &s->w);
    s->hits = window_hits_new(a, &s->w);
    if (shape_elements(shape) > 0)
        shape_strides(shape->rank, shape->dims, s->strides);
    for (int i = 0; i < 2; i++)
        s->pair[i] = literal_new(a, shape_scalar(a, shape->dtype));
    s->result = literal_new(a, s->c->result);
    find_comparison(s);
}

/* Sort the elements of the source by where they go; each is a window. */
static void order_hits(struct scatter *s, const int64_t *chosen, int64_t count)
{
    s->hits = arena_new(s->ev->arena, struct pair, 2 * (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        if (chosen[i] >= 0)
            s->hits[s->count++] = (struct pair){chosen[i], i};
    pairs_sort(s->hits, s->count, s->hits + s->count);
    s->windows = count;
    if (count == 0)
        return;
    s->updates = s->ev->operands[2]->shape;
    shape_strides(s->updates->rank, s->updates->dims, s->step);
    memcpy(s->group, s->step, sizeof s->group);
}

/* Select in every window; *none: one of them has no element. */
static bool find_hits(struct scatter *s, const struct literal *const *ends,
                      bool *none, struct status *st)
{
    struct selection selection = {.ev = s->ev, .low = ends[0], .high = ends[1]};
    const struct shape *source = s->ev->operands[2]->shape;
    int64_t n = shape_elements(source), index[SHAPE_RANK_MAX] = {0};
    int64_t *chosen = arena_new(s->ev->arena, int64_t, (size_t)n + 1);
    selection.c = eval_computation(s->ev, ATTRIBUTE_SELECT, 0);
    selection.operand = s->ev->operands[1];
    open_selection(&selection);
    *none = false;
    if (n > 0)
        TRY(window_limit(s->ev, n, window_volume(&selection.w), st));
    for (int64_t i = 0; i < n; i++) {
        TRY(select_one(&selection, index, &chosen[i], st));
        *none = *none || chosen[i] < 0;
        shape_next_index(source->rank, source->dims, index);
    }
    order_hits(s, chosen, n);
    return true;
}

/* Each unit may also be what the other goal has there; false unless both have
 * known patterns for all of them. */
static bool include(struct goal *to, const struct goal *from)
{
    if (to->rule != GOAL_BITS || from->rule != GOAL_BITS || to->free_units
        || from->free_units)
        return false;
    for (int64_t i = 0, n = literal_units(to->value); i < n; i++)
        if (literal_get(to->value, i) != literal_get(from->value, i))
            goal_or(to, i, literal_get(from->value, i));
    for (const struct goal_other *o = from->others; o; o = o->next)
        goal_or(to, o->unit, o->bits);
    return true;
}

/* Policy select-and-scatter.arguments: the source may come first, too. */
static bool include_swapped(struct scatter *s, struct goal *goal,
                            struct status *st)
{
    struct goal *swapped;
    if (program_monoid(s->c))
        return true;
    if (profile_select_and_scatter_arguments_is_current_first(
            s->ev->machine->profile))
        return true;
    s->update_first = true;
    TRY(scatter_apply(s, &swapped, st));
    if (!include(goal, swapped))
        goal_make_free(goal);
    return true;
}

/* A window selects nothing. */
static void settle_empty(const struct eval *ev, struct goal *goal)
{
    if (profile_select_and_scatter_empty_window_is_any(ev->machine->profile))
        goal_make_free(goal);
}

/* ends: of the operand, NULL where it is exact. */
static bool eval_with(struct eval *ev, const struct literal *const *ends,
                      struct status *st)
{
    const struct shape *shape = ev->operands[OPERAND]->shape;
    struct literal *start = literal_new(ev->arena, shape);
    /* The operands are as Scatter has them: array, indices, updates. */
    const struct literal *operands[] = {start, ev->operands[OPERAND],
                                        ev->operands[SOURCE]};
    struct eval as = *ev;
    struct scatter s = {.ev = &as,
                        .c = eval_computation(ev, ATTRIBUTE_SCATTER, 0),
                        .n = 1,
                        .elements = shape_elements(shape)};
    struct goal *goal;
    bool none;
    as.count = 3;
    as.operands = operands;
    for (int64_t i = 0; i < s.elements; i++)
        literal_move(start, i, ev->operands[INIT], 0);
    TRY(find_hits(&s, ends, &none, st));
    TRY(scatter_apply(&s, &goal, st));
    TRY(include_swapped(&s, goal, st));
    if (none)
        settle_empty(ev, goal);
    return eval_return_one(ev, goal);
}

/* Of an operand that is inexact the selection must be the same for all values;
 * the others are then exact here. */
static bool eval(struct eval *ev, struct status *st)
{
    const struct literal *ends[] = {NULL, NULL};
    if (dynamic_any(ev))
        return dynamic_eval_own(ev, st);
    if (!ev->low)
        return eval_with(ev, ends, st);
    for (int i = SOURCE; i <= INIT; i++)
        if (ev->low[i] != ev->high[i])
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: operand %d of SelectAndScatter is "
                        "inexact, and so is operand 0",
                        i);
    ends[0] = ev->low[OPERAND];
    ends[1] = ev->high[OPERAND];
    return eval_with(ev, ends, st);
}

/* A selection is a decision. */
static int monotone(const struct instruction *in, int operand)
{
    return operand == OPERAND ? OP_NEITHER
                              : reduce_monotone(in, ATTRIBUTE_SCATTER);
}

const struct op op_SelectAndScatter = {
    .name = "SelectAndScatter",
    .infer = infer,
    .eval = eval,
    .monotone_of = monotone,
    .ranges = eval,
    .stablehlo = STABLEHLO_FORM(.attributes = stablehlo_attribute_window)};
