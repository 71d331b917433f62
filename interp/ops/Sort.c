/* Sort - arrays sorted together along a dimension.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The reference sorts stably.  Where that is not required, equal elements may
 * be in any order.  Each rank of a line then belongs to a class of ranks,
 * and the rows of a class may be in it in any order.  Where the comparator
 * is not a strict weak order on the data (policy sort.nan) a line is one class,
 * and each pair of rows is checked: no row may precede one that is less than it
 * unless it is also less than that one.
 */
#include <inttypes.h>

#include "gen/policy/sort_nan.h"
#include "interp/check/check.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/order.h"
#include "interp/program/attribute.h"
#include "interp/program/uses.h"
#include "interp/stablehlo/stablehlo_form.h"

enum {
    LINE_BYTES = 80 /* that sorting needs for an element, at most */
};

static bool infer_comparator(struct infer *in, struct status *st)
{
    const struct computation *c;
    const struct shape **scalars =
        arena_new(in->arena, const struct shape *, 2 * (size_t)in->count);
    for (int i = 0; i < 2 * in->count; i++)
        scalars[i] = shape_scalar(in->arena, in->operands[i / 2]->dtype);
    TRY(infer_computation(in, ATTRIBUTE_COMPARATOR, 0, 2 * in->count, scalars,
                          &c, st));
    if (shape_is_scalar(c->result) && c->result->dtype == DT_pred)
        return true;
    return FAIL(st, COMPUTATION,
                "Sort: comparator '%s' returns %s, expected pred[]", c->name,
                shape_text(in->arena, c->result));
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    int64_t dimension = attribute_int(in->in, ATTRIBUTE_DIMENSION, -1);
    TRY(infer_comparator(in, st));
    for (int i = 1; i < in->count; i++)
        if (!shape_same_dims(in->operands[i], s))
            return FAIL(st, SHAPE,
                        "Sort: operand %d is %s; expected the dimensions of "
                        "operand 0, %s",
                        i, shape_text(in->arena, in->operands[i]),
                        shape_text(in->arena, s));
    if (dimension < -s->rank || dimension >= s->rank)
        return FAIL(st, ATTRIBUTE,
                    "Sort: dimension %" PRId64 " is out of range for rank %d",
                    dimension, s->rank);
    in->result =
        in->count == 1 ? s : shape_tuple(in->arena, in->count, in->operands);
    return true;
}

/* ---- Evaluation ---------------------------------------------------------- */

static bool same_rows(const struct check_sorted *s, int64_t i, int64_t k)
{
    for (int w = 0; w < s->n; w++)
        if (!literal_same(s->values[w], i, s->values[w], k))
            return false;
    return true;
}

/* Note the classes of a sorted line; is one of them of different rows? */
static bool note_classes(struct check_sorted *s, int64_t line,
                         const struct order_line *l)
{
    bool several = false;
    int64_t *classes = s->classes + line * s->length;
    for (int64_t i = 0; i < l->n; i++) {
        classes[i] = l->broken ? 0 : l->equal[i];
        several = several
                  || (classes[i] != i
                      && !same_rows(s, l->first + i * l->step,
                                    l->first + classes[i] * l->step));
    }
    return several;
}

/* For a comparator that is not a strict weak order: is any result right, and
 * must rows that it does order be in that order? */
struct nans {
    bool any, ordered;
};

static struct nans read_nans(const struct profile *p)
{
    switch (profile_sort_nan(p)) {
    case SORT_NAN_ANY:
        return (struct nans){.any = true};
    case SORT_NAN_ORDERED:
        return (struct nans){.ordered = true};
    case SORT_NAN_PERMUTATION:
        break;
    }
    return (struct nans){.any = false};
}

static struct check_sorted *open_sorted(struct eval *ev, struct goal **goals)
{
    struct arena *a = ev->arena;
    const struct shape *s = ev->operands[0]->shape;
    int64_t dimension = attribute_int(ev->in, ATTRIBUTE_DIMENSION, -1);
    int d = (int)(dimension < 0 ? dimension + s->rank : dimension);
    struct check_sorted *sorted = arena_new(a, struct check_sorted, 1);
    sorted->n = ev->count;
    sorted->length = s->dims[d];
    sorted->step = sorted->outer = 1;
    for (int i = 0; i < s->rank; i++) {
        sorted->outer *= i < d ? s->dims[i] : 1;
        sorted->step *= i > d ? s->dims[i] : 1;
    }
    sorted->values = arena_new(a, const struct literal *, (size_t)ev->count);
    for (int w = 0; w < ev->count; w++)
        sorted->values[w] = goals[w]->value;
    if (ev->want_exact)
        sorted->classes = arena_new(a, int64_t, (size_t)shape_elements(s));
    if (read_nans(ev->machine->profile).ordered)
        sorted->before = arena_new(a, unsigned char *,
                                   (size_t)(sorted->outer * sorted->step) + 1);
    return sorted;
}

/* Put a line in order by a comparator that is not a strict weak order on it,
 * and note by rank which row must precede which. */
static bool order_broken(struct eval *ev, struct check_sorted *s,
                         struct order *o, struct order_line *line,
                         int64_t number, struct status *st)
{
    int64_t n = line->n;
    bool ordered = false;
    if (!line->broken || !s->before || n > ORDER_PAIRS)
        return true;
    unsigned char *before =
        arena_new(ev->arena, unsigned char, (size_t)(n * n));
    unsigned char *by_rank =
        arena_new(ev->arena, unsigned char, (size_t)(n * n));
    TRY(order_pairs(o, line, before, &ordered, st));
    if (!ordered)
        return true;
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++)
            by_rank[i * n + k] = before[line->places[i] * n + line->places[k]];
    s->before[number] = by_rank;
    return true;
}

/* Equal elements in the order opposite to that of the operand. */
static void turn_ties(struct order_line *line)
{
    for (int64_t low = 0, high; low < line->n; low = high) {
        for (high = low; high < line->n && line->equal[high] == low;)
            high++;
        for (int64_t i = low, k = high - 1; i < k; i++, k--) {
            int64_t swap = line->places[i];
            line->places[i] = line->places[k];
            line->places[k] = swap;
        }
    }
}

/* An element of an inexact operand, with what is right for it. */
static void take_element(const struct eval *ev, struct goal *g, int64_t to,
                         int operand, int64_t from)
{
    const struct outcome *o = ev->outcomes[operand];
    int units = dtype_units(g->value->shape->dtype);
    for (int u = 0; o->goals && u < units; u++)
        goal_take(g, to * units + u, o->goals[0], from * units + u);
}

/* Sort every line into the goals; *several: its order is not the only one. */
static bool sort_lines(struct eval *ev, struct goal **goals,
                       struct check_sorted *s, bool *several, bool *broken,
                       struct status *st)
{
    const struct computation *c = eval_computation(ev, ATTRIBUTE_COMPARATOR, 0);
    struct order *o = ev->low ? order_open_ranges(
                          ev, c, ev->count, ev->operands, ev->low, ev->high)
                              : order_open(ev, c, ev->count, ev->operands);
    bool stable = attribute_bool(ev->in, ATTRIBUTE_IS_STABLE, false);
    struct order_line line = {.step = s->step, .n = s->length};
    line.places = arena_new(ev->arena, int64_t, (size_t)s->length);
    line.equal = arena_new(ev->arena, int64_t, (size_t)s->length);
    for (int64_t k = 0; k < s->outer * s->step; k++) {
        line.first = check_sorted_line(s, k);
        TRY(order_sort(o, &line, true, st));
        TRY(order_broken(ev, s, o, &line, k, st));
        if (ev->machine->environment && ev->machine->environment->ties_last)
            turn_ties(&line);
        for (int w = 0; w < ev->count; w++)
            for (int64_t i = 0; i < s->length; i++) {
                int64_t to = line.first + i * s->step;
                int64_t from = line.first + line.places[i] * s->step;
                literal_move(goals[w]->value, to, ev->operands[w], from);
                if (ev->low)
                    take_element(ev, goals[w], to, w, from);
            }
        *broken = *broken || line.broken;
        for (int64_t i = 0; stable && !line.broken && i < s->length; i++)
            line.equal[i] = i;
        if (ev->want_exact && note_classes(s, k, &line))
            *several = true;
    }
    return true;
}

static bool sort(struct eval *ev, struct status *st)
{
    size_t n = (size_t)ev->count;
    struct goal **goals = arena_new(ev->arena, struct goal *, n);
    bool several = false, broken = false;
    int64_t elements = shape_elements(ev->operands[0]->shape);
    if (elements > ev->machine->limits->evaluate_bytes / LINE_BYTES)
        return FAIL(st, SYSTEM,
                    "limit: %" PRId64
                    " elements to Sort (--limit-evaluate-bytes)",
                    elements);
    for (int w = 0; w < ev->count; w++)
        goals[w] =
            goal_new(ev->arena, ev->operands[w]->shape, GOAL_MOVED, false);
    struct check_sorted *s = open_sorted(ev, goals);
    if (elements > 0)
        TRY(sort_lines(ev, goals, s, &several, &broken, st));
    /* By an order that is not that of the data's own numbers, rows are still
     * judged together: a mixture of two orders may lose one. */
    bool one = !several;
    several = several || ev->machine->flush != MACHINE_KEEP;
    bool any = broken && read_nans(ev->machine->profile).any;
    if (several && !any)
        s->ranks = arena_new(ev->arena, int64_t, 3 * (size_t)s->length);
    for (int w = 0; w < ev->count && ev->want_exact; w++) {
        if (any)
            goal_make_free(goals[w]);
        if (any || !several)
            continue;
        goal_make_check(goals[w], check_sorted, s, w);
        if (one)
            goal_check_known(goals[w]);
    }
    return eval_return(ev, ev->in->shape, goals);
}

/* All comparisons take their operands alike. */
static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return dynamic_eval_own(ev, st);
    struct machine *m = ev->machine, own = *m;
    m->flush = uses_way_all(ev);
    m->uses = NULL;
    bool good = sort(ev, st);
    m->flush = own.flush;
    m->uses = own.uses;
    return good;
}

/* Where each comparison is decided, whatever the values are. */
static bool eval_ranges(struct eval *ev, struct status *st)
{
    size_t n = (size_t)ev->count;
    struct goal **goals = arena_new(ev->arena, struct goal *, n);
    bool several = false, broken = false;
    for (int w = 0; w < ev->count; w++)
        goals[w] =
            goal_new(ev->arena, ev->operands[w]->shape, GOAL_MOVED, false);
    struct check_sorted *s = open_sorted(ev, goals);
    if (shape_elements(ev->operands[0]->shape) > 0)
        TRY(sort_lines(ev, goals, s, &several, &broken, st));
    if (several || broken)
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: the order of Sort is not determined, and "
                    "operands are inexact");
    for (int w = 0; w < ev->count; w++)
        goal_decided(goals[w]);
    return eval_return(ev, ev->in->shape, goals);
}

const struct op op_Sort = {.name = "Sort",
                           .infer = infer,
                           .eval = eval,
                           .ranges = eval_ranges,
                           .stablehlo =
                               STABLEHLO_FORM(.claim = stablehlo_claim_all)};
