/* order.c - see order.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/order.h"

#include <string.h>

#include "interp/base/pairs.h"
#include "interp/base/random.h"
#include "interp/ops/elementwise.h"
#include "interp/program/attribute.h"
#include "interp/program/evaluate.h"
#include "interp/program/interval_goal.h"

enum {
    STEPS_MAX = 64, /* instructions of a comparator that is translated */
    SHORT_LINE = 48 /* elements whose pairs are all tried */
};

/* One instruction of a translated comparator. */
struct step {
    elementwise_bits *f; /* NULL: Select */
    struct elementwise_job job;
    int to, from[3];
};

struct order {
    struct eval *ev;
    const struct computation *c;
    int n;
    const struct literal *const *arrays;
    /* One comparison of one array. */
    bool keyed, total, falling;
    int which;
    /* A translated comparator. */
    int step_count;
    struct step *steps;
    uint64_t *registers; /* NULL: it is not translated */
    /* Between ends, if not NULL. */
    struct literal *const *low, *const *high;
    /* Any other, and where one of its steps leaves a choice. */
    struct literal **scalars, *result;
    const struct literal **arguments;
    /* Room for a line. */
    int64_t room, *spare;
    struct pair *pairs;
};

/* ---- Keys ---------------------------------------------------------------- */

int64_t order_key(enum dtype type, uint64_t bits, bool total, bool *nan)
{
    if (dtype_class(type) == DTYPE_SINT)
        return dtype_sign_extend(type, bits);
    if (dtype_class(type) != DTYPE_FLOAT)
        return (int64_t)(bits ^ UINT64_C(1) << 63);
    *nan = *nan || real_is_nan(type, bits);
    return !total && real_is_zero(type, bits) ? 0 : real_total_key(type, bits);
}

/* A NaN is neither less nor greater than anything: with it there is an order
 * only if all others are equal. */
static void sort_keyed(struct order *o, struct order_line *line)
{
    const struct literal *l = o->arrays[o->which];
    enum dtype type = l->shape->dtype;
    int64_t least = INT64_MAX, most = INT64_MIN, nans = 0;
    for (int64_t i = 0; i < line->n; i++) {
        bool nan = false;
        int64_t key = order_key(
            type, literal_get(l, line->first + i * line->step), o->total, &nan);
        key = o->falling ? ~key : key;
        o->pairs[i] = (struct pair){key, i};
        nan = nan && !o->total;
        nans += nan;
        least = !nan && key < least ? key : least;
        most = !nan && key > most ? key : most;
    }
    line->broken = nans > 0 && least < most;
    if (nans > 0 && !line->broken)
        for (int64_t i = 0; i < line->n; i++)
            o->pairs[i].key = 0;
    pairs_sort(o->pairs, line->n, o->pairs + line->n);
    for (int64_t i = 0; i < line->n; i++) {
        line->places[i] = o->pairs[i].place;
        line->equal[i] = i > 0 && o->pairs[i].key == o->pairs[i - 1].key
                             ? line->equal[i - 1]
                             : i;
    }
}

/* ---- Translation --------------------------------------------------------- */

static void find_key(struct order *o)
{
    const struct instruction *root = o->c->instructions[o->c->root];
    unsigned relation = root->op->compare & ~(unsigned)OP_COMPARE_TOTAL;
    if (relation != OP_COMPARE_LESS && relation != OP_COMPARE_GREATER)
        return;
    for (int k = 0; k < o->n; k++) {
        int a = o->c->parameters[2 * k], b = o->c->parameters[2 * k + 1];
        bool straight = root->operands[0] == a && root->operands[1] == b;
        bool crossed = root->operands[0] == b && root->operands[1] == a;
        enum dtype type = o->arrays[k]->shape->dtype;
        if ((!straight && !crossed) || dtype_class(type) == DTYPE_COMPLEX)
            continue;
        o->keyed = true;
        o->which = k;
        o->total = root->op->compare & OP_COMPARE_TOTAL;
        o->falling = (relation == OP_COMPARE_GREATER) != crossed;
    }
}

/* The function of patterns that an instruction is, or NULL. */
static elementwise_bits *find_function(const struct instruction *in,
                                       enum dtype type)
{
    const struct elementwise *e = in->op->elementwise;
    if (!e || e->arity > 2 || e->open
        || (e->result != ELEMENTWISE_SAME && e->result != ELEMENTWISE_PRED))
        return NULL;
    if (dtype_class(type) == DTYPE_PRED)
        return e->pred;
    if (dtype_is_integer(type))
        return e->integer;
    return dtype_class(type) == DTYPE_FLOAT ? e->exact : NULL;
}

static bool translate_one(struct order *o, int number)
{
    const struct instruction *in = o->c->instructions[number];
    const struct shape *s = in->shape;
    if (!shape_is_scalar(s) || dtype_class(s->dtype) == DTYPE_COMPLEX)
        return false;
    if (in->op->role == OP_ROLE_PARAMETER)
        return true;
    if (in->op->role == OP_ROLE_CONSTANT) {
        o->registers[number] =
            literal_get(attribute_find(in, ATTRIBUTE_LITERAL)->literal, 0);
        return true;
    }
    struct step *step = &o->steps[o->step_count++];
    enum dtype type = o->c->instructions[in->operands[0]]->shape->dtype;
    step->to = number;
    for (int i = 0; i < in->operand_count && i < 3; i++)
        step->from[i] = in->operands[i];
    if (in->op->role == OP_ROLE_SELECT)
        return true;
    step->f = find_function(in, type);
    step->job = (struct elementwise_job){.ev = o->ev,
                                         .what = in->op->elementwise,
                                         .type = type,
                                         .unit = type,
                                         .result = s->dtype};
    return step->f != NULL;
}

static void translate(struct order *o)
{
    struct arena *a = o->ev->arena;
    size_t count = (size_t)o->c->count;
    if (o->c->count > STEPS_MAX)
        return;
    o->steps = arena_new(a, struct step, count);
    o->registers = arena_new(a, uint64_t, count);
    for (int i = 0; i < o->c->count; i++)
        if (!translate_one(o, i)) {
            o->registers = NULL;
            return;
        }
}

static struct order *new_order(struct eval *ev, const struct computation *c,
                               int n, const struct literal *const *arrays)
{
    struct order *o = arena_new(ev->arena, struct order, 1);
    *o = (struct order){.ev = ev, .c = c, .n = n, .arrays = arrays};
    return o;
}

static void make_scalars(struct order *o)
{
    struct arena *a = o->ev->arena;
    int n = o->n;
    o->scalars = arena_new(a, struct literal *, 2 * (size_t)n);
    o->arguments = arena_new(a, const struct literal *, 2 * (size_t)n);
    o->result = literal_new(a, o->c->result);
    for (int i = 0; i < 2 * n; i++)
        o->arguments[i] = o->scalars[i] =
            literal_new(a, shape_scalar(a, o->arrays[i / 2]->shape->dtype));
}

struct order *order_open(struct eval *ev, const struct computation *c, int n,
                         const struct literal *const *arrays)
{
    struct order *o = new_order(ev, c, n, arrays);
    /* Comparators that flush are evaluated. */
    if (ev->machine->flush == MACHINE_KEEP)
        find_key(o);
    if (!o->keyed && ev->machine->flush == MACHINE_KEEP)
        translate(o);
    return o;
}

struct order *order_open_ranges(struct eval *ev, const struct computation *c,
                                int n, const struct literal *const *arrays,
                                struct literal *const *low,
                                struct literal *const *high)
{
    struct order *o = new_order(ev, c, n, arrays);
    o->low = low;
    o->high = high;
    return o;
}

/* ---- Comparing ----------------------------------------------------------- */

/* Is element i less than element k, where only one array is looked at? */
static bool is_less_keyed(const struct order *o, int64_t i, int64_t k)
{
    const struct literal *l = o->arrays[o->which];
    bool nan = false;
    int64_t a = order_key(l->shape->dtype, literal_get(l, i), o->total, &nan);
    int64_t b = order_key(l->shape->dtype, literal_get(l, k), o->total, &nan);
    return (o->total || !nan) && (o->falling ? a > b : a < b);
}

static bool is_less_between(struct order *o, int64_t i, int64_t k, bool *less,
                            struct status *st)
{
    struct machine *m = o->ev->machine;
    int64_t bytes = m->bytes;
    struct arena *a = evaluate_frame(m);
    struct outcome *with = arena_new(a, struct outcome, 2 * (size_t)o->n), out;
    for (int p = 0; p < 2 * o->n; p++)
        with[p] = interval_goal_element(a, o->arrays[p / 2], o->low[p / 2],
                                        o->high[p / 2], p & 1 ? k : i);
    bool ok = eval_call_followed(o->ev, a, o->c, with, &out, st);
    if (ok)
        *less = literal_get(out.value, 0) != 0;
    evaluate_release(m);
    m->bytes = bytes;
    return ok;
}

static bool is_less_called(struct order *o, int64_t i, int64_t k, bool *less,
                           struct status *st)
{
    if (!o->scalars)
        make_scalars(o);
    for (int p = 0; p < o->n; p++) {
        literal_move(o->scalars[2 * p], 0, o->arrays[p], i);
        literal_move(o->scalars[2 * p + 1], 0, o->arrays[p], k);
    }
    /* An element is compared with itself only to learn whether the
     * comparator is strict: no order depends on that. */
    if (i == k)
        TRY(eval_call_into(o->ev, o->c, o->arguments, o->result, st));
    else
        TRY(eval_call_decided(o->ev, o->c, o->arguments, o->result, st));
    *less = literal_get(o->result, 0) != 0;
    return true;
}

/* By a translated comparator.  False if a step has several right results: a
 * shift too far, a sum that does not fit, where policies leave them open. */
static bool is_less_stepped(struct order *o, int64_t i, int64_t k, bool *less)
{
    bool open = false;
    uint64_t *r = o->registers;
    for (int p = 0; p < o->n; p++) {
        r[o->c->parameters[2 * p]] = literal_get(o->arrays[p], i);
        r[o->c->parameters[2 * p + 1]] = literal_get(o->arrays[p], k);
    }
    for (int s = 0; s < o->step_count; s++) {
        struct step *step = &o->steps[s];
        uint64_t x[2] = {r[step->from[0]], r[step->from[1]]};
        r[step->to] =
            step->f ? step->f(&step->job, x) : r[step->from[x[0] ? 1 : 2]];
        open = open || step->job.free || step->job.also;
        step->job.free = step->job.also = false;
    }
    *less = r[o->c->root] != 0;
    return !open;
}

/* Is element i of the arrays less than element k? */
static bool is_less(struct order *o, int64_t i, int64_t k, bool *less,
                    struct status *st)
{
    if (o->keyed) {
        *less = is_less_keyed(o, i, k);
        return true;
    }
    if (o->low && i != k)
        return is_less_between(o, i, k, less, st);
    if (o->registers && is_less_stepped(o, i, k, less))
        return true;
    return is_less_called(o, i, k, less, st);
}

/* The same of places in a line. */
static bool less_in(struct order *o, const struct order_line *line, int64_t i,
                    int64_t k, bool *less, struct status *st)
{
    return is_less(o, line->first + i * line->step,
                   line->first + k * line->step, less, st);
}

static bool merge_places(struct order *o, const struct order_line *line,
                         const int64_t *from, int64_t *to, int64_t run,
                         struct status *st)
{
    for (int64_t low = 0; low < line->n; low += 2 * run) {
        int64_t middle = low + run < line->n ? low + run : line->n;
        int64_t high = middle + run < line->n ? middle + run : line->n;
        int64_t i = low, k = middle, j = low;
        while (i < middle && k < high) {
            bool less;
            TRY(less_in(o, line, from[k], from[i], &less, st));
            to[j++] = less ? from[k++] : from[i++];
        }
        for (; i < middle; i++)
            to[j++] = from[i];
        for (; k < high; k++)
            to[j++] = from[k];
    }
    return true;
}

static bool sort_places(struct order *o, struct order_line *line,
                        struct status *st)
{
    int64_t *from = line->places, *to = o->spare;
    for (int64_t i = 0; i < line->n; i++)
        from[i] = i;
    for (int64_t run = 1; run < line->n; run *= 2) {
        int64_t *swap = from;
        TRY(merge_places(o, line, from, to, run, st));
        from = to;
        to = swap;
    }
    if (from != line->places)
        memcpy(line->places, from, (size_t)line->n * sizeof *from);
    for (int64_t i = 0; i < line->n; i++) {
        bool less = true;
        if (i > 0)
            TRY(less_in(o, line, line->places[i - 1], line->places[i], &less,
                        st));
        line->equal[i] = less ? i : line->equal[i - 1];
    }
    return true;
}

/* Do both comparisons of two ranks say what their places in the order say? */
static bool agrees(struct order *o, struct order_line *line, int64_t i,
                   int64_t k, struct status *st)
{
    bool less, greater;
    TRY(less_in(o, line, line->places[i], line->places[k], &less, st));
    TRY(less_in(o, line, line->places[k], line->places[i], &greater, st));
    if (less != (line->equal[i] < line->equal[k])
        || greater != (line->equal[k] < line->equal[i]))
        line->broken = true;
    return true;
}

static bool check_line(struct order *o, struct order_line *line,
                       struct status *st)
{
    struct random draws = {(uint64_t)line->n};
    int64_t n = line->n;
    for (int64_t i = 0; i < n && !line->broken; i++) {
        if (n <= SHORT_LINE) {
            for (int64_t k = i; k < n; k++)
                TRY(agrees(o, line, i, k, st));
            continue;
        }
        TRY(agrees(o, line, i, i, st));
        TRY(agrees(o, line, i, 0, st));
        TRY(agrees(o, line, i, n - 1, st));
        TRY(agrees(o, line, i, random_between(&draws, 0, n - 1), st));
    }
    return true;
}

bool order_sort(struct order *o, struct order_line *line, bool check,
                struct status *st)
{
    if (line->n > o->room) {
        size_t n = (size_t)line->n;
        o->room = line->n;
        if (o->keyed)
            o->pairs = arena_new(o->ev->arena, struct pair, 2 * n);
        else
            o->spare = arena_new(o->ev->arena, int64_t, n);
    }
    line->broken = false;
    if (o->keyed) {
        sort_keyed(o, line);
        return true;
    }
    TRY(sort_places(o, line, st));
    return !check || check_line(o, line, st);
}

/* The first place that is left, of those before which nothing left must stand;
 * -1 if there is none. */
static int64_t first_free(const int64_t *waits, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        if (waits[k] == 0)
            return k;
    return -1;
}

bool order_pairs(struct order *o, struct order_line *line,
                 unsigned char *before, bool *ordered, struct status *st)
{
    int64_t n = line->n;
    /* For each place, how many of those left must precede it; -1: done. */
    int64_t *waits = arena_new(o->ev->arena, int64_t, (size_t)n);
    int64_t *places = arena_new(o->ev->arena, int64_t, (size_t)n);
    TRY(eval_charge(o->ev, n, n, st));
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < n; k++) {
            bool less, greater;
            TRY(less_in(o, line, i, k, &less, st));
            TRY(less_in(o, line, k, i, &greater, st));
            before[i * n + k] = less && !greater;
            waits[k] += less && !greater;
        }
    *ordered = true;
    for (int64_t rank = 0; rank < n && *ordered; rank++) {
        int64_t next = first_free(waits, n);
        *ordered = next >= 0;
        if (next < 0)
            break;
        places[rank] = next;
        waits[next] = -1;
        for (int64_t k = 0; k < n; k++)
            waits[k] -= before[next * n + k];
    }
    if (*ordered)
        memcpy(line->places, places, (size_t)n * sizeof *places);
    return true;
}
