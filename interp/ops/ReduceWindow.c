/* ReduceWindow - windows of arrays reduced by a computation.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Padding and the holes of a dilated base hold the initial value, as if the
 * operand had contained them (004:1413); policy reduce-window.padding may say
 * that they are skipped instead.  Of an operand with actual sizes the padding
 * lies around the elements that count.
 */
#include "gen/policy/reduce_window_padding.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/reduce.h"
#include "interp/ops/window.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    int n = in->count / 2;
    const struct shape *first = in->operands[0];
    struct window w;
    int64_t dims[SHAPE_RANK_MAX];
    bool flags[SHAPE_RANK_MAX] = {false};
    TRY(reduce_infer_pairs(in, st));
    enum dtype *types = arena_new(in->arena, enum dtype, (size_t)n);
    for (int i = 0; i < n; i++)
        types[i] = in->operands[i]->dtype;
    TRY(reduce_infer_computation(in, ATTRIBUTE_COMPUTATION, n, types, st));
    TRY(window_infer_reduction(in, first, &w, st));
    for (int i = 0; i < first->rank; i++) {
        dims[i] = w.dims[i].positions;
        for (int k = 0; k < n; k++)
            flags[i] = flags[i] || dynamic_is(in->operands[k], i);
    }
    const struct shape **results =
        arena_new(in->arena, const struct shape *, (size_t)n);
    for (int i = 0; i < n; i++) {
        TRY(shape_check_size(first->rank, dims, types[i],
                             in->program->limits->literal_bytes, st));
        results[i] =
            shape_dynamic(in->arena, types[i], first->rank, dims, flags);
    }
    in->result = n == 1 ? results[0] : shape_tuple(in->arena, n, results);
    return true;
}

/* The places of one window's terms: in each dimension a list of offsets in the
 * operand, -1 for the initial value. */
struct plan {
    const struct eval *ev;
    struct window w;
    struct window_hits *hits;
    bool full; /* terms are all entries of the window, not only the hits */
    int64_t strides[SHAPE_RANK_MAX];
    int64_t length[SHAPE_RANK_MAX];
    int64_t *offset[SHAPE_RANK_MAX];
    /* The term asked for last, and where it is. */
    int64_t k, digits[SHAPE_RANK_MAX], at;
};

static void find_place(struct plan *p, int64_t k)
{
    bool next = k == p->k + 1;
    int d = p->w.rank - 1;
    p->k = k;
    if (next) {
        for (; d >= 0 && ++p->digits[d] == p->length[d]; d--)
            p->digits[d] = 0;
    } else {
        for (; d >= 0; d--) {
            p->digits[d] = k % p->length[d];
            k /= p->length[d];
        }
    }
    p->at = 0;
    for (d = 0; d < p->w.rank; d++) {
        int64_t step = p->offset[d][p->digits[d]];
        if (step < 0) {
            p->at = -1;
            return;
        }
        p->at += step;
    }
}

static void term(void *context, int64_t i, int64_t k, int which,
                 const struct literal **from, int64_t *at)
{
    struct plan *p = context;
    if (k != p->k)
        find_place(p, k);
    *from = p->at < 0 ? NULL : p->ev->operands[which];
    *at = p->at;
}

static void make_plan(struct plan *p, const struct eval *ev, bool full)
{
    const struct shape *s = ev->operands[0]->shape;
    p->ev = ev;
    p->full = full;
    window_get_reduction(ev->in, s, &p->w);
    p->hits = window_hits_new(ev->arena, &p->w);
    if (shape_elements(s) > 0)
        shape_strides(s->rank, s->dims, p->strides);
    for (int d = 0; d < s->rank; d++) {
        int64_t size = s->dims[d], window = p->w.dims[d].window;
        int64_t room = full || window < size ? window : size;
        p->offset[d] = arena_new(ev->arena, int64_t, (size_t)room + 1);
    }
}

/* Move the window there; the number of its terms. */
static int64_t place_window(struct plan *p, const int64_t *index)
{
    int64_t count = 1;
    for (int d = 0; d < p->w.rank; d++) {
        struct window_hits *h = &p->hits[d];
        int64_t *offset = p->offset[d];
        if (h->position != index[d]) {
            window_find(&p->w.dims[d], index[d], h);
            p->length[d] = p->full ? p->w.dims[d].window : h->count;
            for (int64_t k = 0; p->full && k < p->length[d]; k++)
                offset[k] = -1;
            for (int64_t k = 0; k < h->count; k++)
                offset[p->full ? h->at[k].window : k] =
                    h->at[k].base * p->strides[d];
        }
        p->digits[d] = 0;
        count *= p->length[d];
    }
    p->k = -2; /* none */
    return count;
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return dynamic_eval_own(ev, st);
    int n = ev->count / 2;
    const struct shape *s = ev->in->shape;
    const struct shape *const *results = n == 1 ? &s : s->elements;
    const struct shape *first = results[0];
    const struct literal *const *init = ev->operands + n;
    struct plan plan = {0};
    struct reduce_list list = {.term = term,
                               .context = &plan,
                               .operands = n,
                               .init =
                                   (const struct literal **)(uintptr_t)init};
    struct reduce *r = reduce_open(
        ev, eval_computation(ev, ATTRIBUTE_COMPUTATION, 0), n, results);
    int64_t elements = shape_elements(first), index[SHAPE_RANK_MAX] = {0};
    bool full = !reduce_init_is_idle(r, init)
                && profile_reduce_window_padding_is_init(ev->machine->profile);
    if (elements > 0) {
        window_get_reduction(ev->in, ev->operands[0]->shape, &plan.w);
        TRY(window_limit(ev, elements, window_volume(&plan.w), st));
        make_plan(&plan, ev, full);
    }
    for (int64_t i = 0; i < elements; i++) {
        list.count = place_window(&plan, index);
        TRY(reduce_element(r, &list, i, st));
        shape_next_index(first->rank, first->dims, index);
    }
    return eval_return(ev, s, reduce_goals(r));
}

const struct op op_ReduceWindow = {
    .name = "ReduceWindow",
    .infer = infer,
    .eval = eval,
    .ranges = eval,
    .monotone_of = reduce_monotone_of,
    .stablehlo = STABLEHLO_FORM(
            .attributes = stablehlo_attribute_window,
            .hides = stablehlo_hidden_count,
            .why = "the number of operands determines the role of each")};
