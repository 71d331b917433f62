/* scatter.c - see scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/scatter.h"

#include <inttypes.h>

#include "gen/policy/scatter_duplicates.h"
#include "interp/program/attribute.h"

struct scatter_numbers scatter_get(const struct instruction *in)
{
    return (struct scatter_numbers){
        .window = dimnums_get(in, ATTRIBUTE_UPDATE_WINDOW_DIMS),
        .inserted = dimnums_get(in, ATTRIBUTE_INSERTED_WINDOW_DIMS),
        .map = dimnums_get(in, ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS),
        .batch = dimnums_get(in, ATTRIBUTE_INPUT_BATCHING_DIMS),
        .index_batch = dimnums_get(in, ATTRIBUTE_SCATTER_INDICES_BATCHING_DIMS),
        .vector = attribute_int(in, ATTRIBUTE_INDEX_VECTOR_DIM, 0),
    };
}

bool scatter_is_window_dim(const struct scatter_numbers *n, int d)
{
    return dimnums_find(&n->inserted, d) < 0 && dimnums_find(&n->batch, d) < 0;
}

/* ---- Inference ----------------------------------------------------------- */

static bool check_bounds(const struct infer *in,
                         const struct scatter_numbers *n, const struct shape *s,
                         const struct shape *indices,
                         const struct shape *updates, struct status *st)
{
    int own = 0, index = 0;
    for (int i = 0; i < updates->rank; i++) {
        bool window = dimnums_find(&n->window, i) >= 0;
        if (window) {
            while (!scatter_is_window_dim(n, own))
                own++;
            if (updates->dims[i] > s->dims[own])
                return FAIL(st, SHAPE,
                            "Scatter: window dimension %d of updates has size "
                            "%" PRId64 "; expected at most %" PRId64,
                            i, updates->dims[i], s->dims[own]);
            own++;
            continue;
        }
        index += index == n->vector;
        if (updates->dims[i] != indices->dims[index])
            return FAIL(st, SHAPE,
                        "Scatter: dimension %d of updates has size %" PRId64
                        "; expected %" PRId64 ", that of scatter_indices",
                        i, updates->dims[i], indices->dims[index]);
        index++;
    }
    return true;
}

bool scatter_infer(struct infer *in, const struct scatter_numbers *n,
                   struct status *st)
{
    const struct shape *s = in->operands[0];
    const struct shape *indices = in->operands[in->count / 2];
    const struct shape *updates = in->operands[in->count / 2 + 1];
    if (n->vector < 0 || n->vector > indices->rank)
        return FAIL(st, ATTRIBUTE,
                    "Scatter: index_vector_dim is %" PRId64
                    "; expected 0 to %d, the rank of scatter_indices",
                    n->vector, indices->rank);
    int scatter = indices->rank - (n->vector < indices->rank);
    int ranks = n->window.count + n->inserted.count + n->batch.count;
    if (ranks != s->rank || updates->rank != scatter + n->window.count)
        return FAIL(st, SHAPE,
                    "Scatter: %d window, %d inserted and %d batching "
                    "dimensions for an operand of rank %d, %d scatter "
                    "dimensions for updates of rank %d",
                    n->window.count, n->inserted.count, n->batch.count, s->rank,
                    scatter, updates->rank);
    TRY(dimnums_check(in, &n->window, updates->rank, true, st));
    TRY(dimnums_check(in, &n->inserted, s->rank, true, st));
    TRY(dimnums_check(in, &n->map, s->rank, false, st));
    TRY(dimnums_check_batch(in,
                            &(struct dimnums_batch){&n->batch, &n->index_batch,
                                                    &n->inserted, &n->map,
                                                    n->vector},
                            s, indices, st));
    int64_t length = n->vector < indices->rank ? indices->dims[n->vector] : 1;
    if (n->map.count != length)
        return FAIL(
            st, ATTRIBUTE,
            "Scatter: scatter_dims_to_operand_dims has %d entries; expected "
            "%" PRId64 ", the length of an index vector",
            n->map.count, length);
    return check_bounds(in, n, s, indices, updates, st);
}

/* ---- Hits ---------------------------------------------------------------- */

int64_t scatter_window(const struct scatter *s, int64_t i)
{
    const struct shape *u = s->updates;
    int64_t window = 0;
    for (int d = 0; d < u->rank; d++)
        window += s->hits[i].place / s->step[d] % u->dims[d] * s->group[d];
    return window;
}

bool scatter_is_optional(const struct scatter *s, int64_t i)
{
    return s->optional && s->optional[scatter_window(s, i)];
}

int64_t scatter_run(const struct scatter *s, int64_t i)
{
    int64_t k = i + 1;
    while (k < s->count && s->hits[k].key == s->hits[i].key)
        k++;
    return k - i;
}

bool scatter_in_one_order(const struct scatter *s)
{
    return profile_scatter_duplicates_is_one_order(s->ev->machine->profile);
}
