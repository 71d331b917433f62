/* Reduce - dimensions reduced to single elements by a computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/reduce.h"

#include "interp/ops/dimnums.h"
#include "interp/ops/dynamic.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    int n = in->count / 2, rank = 0;
    const struct shape *s = in->operands[0];
    struct dimnums d = dimnums_get(in->in, ATTRIBUTE_DIMENSIONS_TO_REDUCE);
    int64_t dims[SHAPE_RANK_MAX];
    bool dynamic[SHAPE_RANK_MAX];
    TRY(reduce_infer_pairs(in, st));
    TRY(dimnums_check(in, &d, s->rank, false, st));
    for (int i = 0; i < s->rank; i++)
        if (dimnums_find(&d, i) < 0) {
            dynamic[rank] = false;
            for (int k = 0; k < n; k++)
                dynamic[rank] = dynamic[rank] || dynamic_is(in->operands[k], i);
            dims[rank++] = s->dims[i];
        }
    enum dtype *types = arena_new(in->arena, enum dtype, (size_t)n);
    const struct shape **results =
        arena_new(in->arena, const struct shape *, (size_t)n);
    for (int i = 0; i < n; i++) {
        types[i] = in->operands[i]->dtype;
        TRY(shape_check_size(rank, dims, types[i],
                             in->program->limits->literal_bytes, st));
        results[i] = shape_dynamic(in->arena, types[i], rank, dims, dynamic);
    }
    TRY(reduce_infer_computation(in, ATTRIBUTE_COMPUTATION, n, types, st));
    in->result = n == 1 ? results[0] : shape_tuple(in->arena, n, results);
    return true;
}

/* The positions of terms: the kept dimensions first, then the reduced ones. */
struct plan {
    const struct eval *ev;
    int kept, reduced;
    int64_t kept_dims[SHAPE_RANK_MAX], kept_strides[SHAPE_RANK_MAX];
    int64_t dims[SHAPE_RANK_MAX], strides[SHAPE_RANK_MAX];
    int64_t element, base; /* the element that base was computed for */
};

static int64_t offset(int rank, const int64_t *dims, const int64_t *strides,
                      int64_t i)
{
    int64_t at = 0;
    for (int d = rank - 1; d > 0; d--) {
        at += i % dims[d] * strides[d];
        i /= dims[d];
    }
    return rank > 0 ? at + i * strides[0] : at;
}

static void term(void *context, int64_t i, int64_t k, int which,
                 const struct literal **from, int64_t *at)
{
    struct plan *p = context;
    if (i != p->element) {
        p->element = i;
        p->base = offset(p->kept, p->kept_dims, p->kept_strides, i);
    }
    *from = p->ev->operands[which];
    *at = p->base + offset(p->reduced, p->dims, p->strides, k);
}

static int64_t make_plan(struct plan *p, const struct eval *ev)
{
    const struct shape *s = ev->operands[0]->shape;
    struct dimnums d = dimnums_get(ev->in, ATTRIBUTE_DIMENSIONS_TO_REDUCE);
    int64_t own[SHAPE_RANK_MAX] = {0}, count = 1;
    if (shape_elements(s) > 0)
        shape_strides(s->rank, s->dims, own);
    p->ev = ev;
    p->element = -1;
    for (int i = 0; i < s->rank; i++) {
        if (dimnums_find(&d, i) < 0) {
            p->kept_dims[p->kept] = s->dims[i];
            p->kept_strides[p->kept++] = own[i];
        } else {
            p->dims[p->reduced] = s->dims[i];
            p->strides[p->reduced++] = own[i];
            /* Only an array without elements can have more. */
            if (__builtin_mul_overflow(count, s->dims[i], &count))
                count = 0;
        }
    }
    return count;
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return dynamic_eval_own(ev, st);
    int n = ev->count / 2;
    const struct shape *s = ev->in->shape;
    const struct shape *const *results = n == 1 ? &s : s->elements;
    struct plan plan = {0};
    struct reduce_list list = {
        .term = term,
        .context = &plan,
        .count = make_plan(&plan, ev),
        .operands = n,
        .init = (const struct literal **)(uintptr_t)(ev->operands + n)};
    struct reduce *r = reduce_open(
        ev, eval_computation(ev, ATTRIBUTE_COMPUTATION, 0), n, results);
    struct goal **goals = reduce_goals(r);
    for (int64_t i = 0, e = shape_elements(results[0]); i < e; i++)
        TRY(reduce_element(r, &list, i, st));
    return eval_return(ev, s, goals);
}

const struct op op_Reduce = {
    .name = "Reduce",
    .spreads = true,
    .infer = infer,
    .eval = eval,
    .ranges = eval,
    .monotone_of = reduce_monotone_of,
    .stablehlo = STABLEHLO_FORM(
            .claim = stablehlo_claim_reduce, .hides = stablehlo_hidden_count,
            .why = "the number of operands determines the role of each")};
