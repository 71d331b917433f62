/* Scatter - an array updated at positions given by another.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/scatter.h"

#include "interp/ops/dynamic.h"
#include "interp/ops/move.h"
#include "interp/ops/reduce.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

/* ---- Inference ----------------------------------------------------------- */

static bool check_arrays(const struct infer *in, int n, struct status *st)
{
    const struct shape *const *updates = in->operands + n + 1;
    for (int i = 0; i < n; i++) {
        const struct shape *s = in->operands[i], *u = updates[i];
        if (!shape_same_dims(s, in->operands[0]))
            return FAIL(st, SHAPE,
                        "Scatter: operand %d is %s; expected the dimensions of "
                        "operand 0, %s",
                        i, shape_text(in->arena, s),
                        shape_text(in->arena, in->operands[0]));
        if (!shape_same_dims(u, updates[0]))
            return FAIL(st, SHAPE,
                        "Scatter: updates %d are %s; expected the dimensions "
                        "of updates 0, %s",
                        i, shape_text(in->arena, u),
                        shape_text(in->arena, updates[0]));
        if (s->dtype != u->dtype)
            return FAIL(st, TYPE,
                        "Scatter: updates %d are of %s; expected %s, the "
                        "operand's type",
                        i, dtype_table[u->dtype].name,
                        dtype_table[s->dtype].name);
    }
    return true;
}

/* The dimension of the operands that a window dimension of updates is. */
static int window_dim(const struct scatter_numbers *numbers, int64_t d)
{
    int own = -1;
    for (int i = 0; i <= dimnums_find(&numbers->window, d); i++)
        do
            own++;
        while (!scatter_is_window_dim(numbers, own));
    return own;
}

/* Windows are dynamic only where they take a whole dimension. */
static bool check_dynamic(const struct infer *in,
                          const struct scatter_numbers *numbers, int n,
                          struct status *st)
{
    const struct shape *s = in->operands[0];
    bool may[SHAPE_RANK_MAX];
    for (int d = 0; d < in->operands[n]->rank; d++)
        may[d] = d != numbers->vector;
    TRY(dynamic_refuse(in, n, may, "index vectors must have one length", st));
    for (int i = n + 1; i < in->count; i++) {
        const struct shape *u = in->operands[i];
        for (int d = 0; d < u->rank; d++)
            may[d] = dimnums_find(&numbers->window, d) < 0
                     || u->dims[d] == s->dims[window_dim(numbers, d)];
        TRY(dynamic_refuse(in, i, may, "windows do not take all of a dimension",
                           st));
    }
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    int n = in->count / 2;
    struct scatter_numbers numbers = scatter_get(in->in);
    if (in->count % 2 == 0 || n < 1)
        return FAIL(st, STRUCTURE,
                    "Scatter: %d operands; expected n arrays, indices and n "
                    "updates",
                    in->count);
    enum dtype *types = arena_new(in->arena, enum dtype, (size_t)n);
    for (int i = 0; i < n; i++)
        types[i] = in->operands[i]->dtype;
    TRY(reduce_infer_computation(in, ATTRIBUTE_UPDATE_COMPUTATION, n, types,
                                 st));
    TRY(check_arrays(in, n, st));
    TRY(scatter_infer(in, &numbers, st));
    TRY(check_dynamic(in, &numbers, n, st));
    in->result =
        n == 1 ? in->operands[0] : shape_tuple(in->arena, n, in->operands);
    return true;
}

/* ---- Values -------------------------------------------------------------- */

static bool broken_promise(const struct scatter *s)
{
    const struct instruction *in = s->ev->in;
    bool broken =
        (attribute_bool(in, ATTRIBUTE_UNIQUE_INDICES, false) && !s->unique)
        || (attribute_bool(in, ATTRIBUTE_INDICES_ARE_SORTED, false)
            && !s->sorted);
    return broken && move_promises_bind(s->ev);
}

/* Dimension d of updates i: as many windows as index vectors that count, and
 * all of a window. */
static bool pair_updates(struct dynamic *p, const struct scatter_numbers *n,
                         int i, int d, int index, struct status *st)
{
    int indices = p->ev->count / 2;
    const struct literal *u = p->ev->operands[i];
    const struct literal *l = p->ev->operands[i - indices - 1];
    if (dimnums_find(&n->window, d) < 0)
        return dynamic_follow(p, indices, index, i, d, st);
    p->sizes[i][d] = u->shape->dims[d];
    if (dynamic_is(u->shape, d)
        && u->sizes[d] != move_size(l, window_dim(n, d)))
        return FAIL(st, UNSUPPORTED,
                    "inadmissible: dimension %d of updates has not the actual "
                    "size of the operand",
                    d);
    return true;
}

/* As many index vectors take part as count.  The operands are taken by their
 * bounds, on which it depends whether a window fits. */
static bool pair_operand(struct dynamic *p, const struct scatter_numbers *n,
                         int i, struct status *st)
{
    const struct literal *l = p->ev->operands[i];
    int indices = p->ev->count / 2;
    for (int d = 0; d < l->shape->rank; d++) {
        int b = dimnums_find(&n->batch, d);
        p->sizes[i][d] = l->shape->dims[d];
        if (b < 0)
            continue;
        p->sizes[i][d] = p->sizes[indices][n->index_batch.at[b]];
        if (p->sizes[i][d] != move_size(l, d))
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: batching dimension %d has not the "
                        "actual size of that of the indices",
                        d);
    }
    return true;
}

static bool eval_dynamic(struct eval *ev, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    struct scatter_numbers numbers = scatter_get(ev->in);
    int n = ev->count / 2;
    for (int i = n + 1; i < ev->count; i++) {
        int index = 0;
        for (int d = 0; d < ev->operands[i]->shape->rank; d++) {
            bool window = dimnums_find(&numbers.window, d) >= 0;
            index += !window && index == numbers.vector;
            TRY(pair_updates(&p, &numbers, i, d, index, st));
            index += !window;
        }
    }
    for (int i = 0; i < n; i++)
        TRY(pair_operand(&p, &numbers, i, st));
    p.like = true;
    return dynamic_eval(&p, st);
}

/* The last update of each element is known without sorting, if nothing else is
 * needed. */
static bool is_simple(const struct scatter *s)
{
    return !s->ev->want_exact && scatter_apply_is_last(s->c, s->n)
           && !attribute_bool(s->ev->in, ATTRIBUTE_UNIQUE_INDICES, false);
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    struct scatter s = {
        .ev = ev,
        .c = eval_computation(ev, ATTRIBUTE_UPDATE_COMPUTATION, 0),
        .n = ev->count / 2};
    struct goal **goals = arena_new(ev->arena, struct goal *, (size_t)s.n);
    s.as_found = is_simple(&s);
    TRY(scatter_find(&s, st));
    bool want = ev->want_exact, broken = broken_promise(&s);
    ev->want_exact = want && !broken;
    bool ok = scatter_apply(&s, goals, st);
    ev->want_exact = want;
    TRY(ok);
    for (int i = 0; broken && i < s.n; i++)
        goal_make_free(goals[i]);
    return eval_return(ev, ev->in->shape, goals);
}

/* The last update, a sum and extremes are monotone in their inputs. */
static int monotone(const struct instruction *in, int operand)
{
    int n = in->operand_count / 2;
    const struct attribute *a =
        attribute_find(in, ATTRIBUTE_UPDATE_COMPUTATION);
    if (operand == n || !a || !a->computations[0])
        return OP_NEITHER;
    if (scatter_apply_is_last(a->computations[0], n))
        return OP_RISING;
    return n == 1 ? reduce_monotone(in, ATTRIBUTE_UPDATE_COMPUTATION)
                  : OP_NEITHER;
}

const struct op op_Scatter = {
    .name = "Scatter",
    .infer = infer,
    .eval = eval,
    .monotone_of = monotone,
    .stablehlo = STABLEHLO_FORM(
            .numbers = "stablehlo.scatter", .hides = stablehlo_hidden_count,
            .why = "the number of operands determines the role of each")};
