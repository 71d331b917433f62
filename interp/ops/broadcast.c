/* broadcast.c - see elementwise.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/ops/elementwise.h"
#include "interp/program/attribute.h"

static bool is_numpy(const struct instruction *in)
{
    const char *s = attribute_string(in, ATTRIBUTE_BROADCASTING);
    return s && strcmp(s, "numpy") == 0;
}

void broadcast_place(const struct instruction *in, const struct shape *operand,
                     int rank, int64_t *where)
{
    const struct attribute *d =
        attribute_find(in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    bool given = d && d->count == operand->rank && operand->rank < rank;
    for (int i = 0; i < operand->rank; i++)
        where[i] = given ? d->ints[i] : rank - operand->rank + i;
}

/* Is broadcast_dimensions given where required, and in order? */
static bool check_dimensions(const struct infer *in, const struct shape *a,
                             const struct shape *b, struct status *st)
{
    const struct attribute *d =
        attribute_find(in->in, ATTRIBUTE_BROADCAST_DIMENSIONS);
    const char *op = in->op->name;
    bool numpy = is_numpy(in->in);
    int count = d ? d->count : 0;
    int small = a->rank < b->rank ? a->rank : b->rank;
    int large = a->rank < b->rank ? b->rank : a->rank;
    if (count == 0 && (numpy || small == large || small == 0))
        return true;
    if (numpy)
        return FAIL(st, ATTRIBUTE,
                    "%s: broadcast_dimensions cannot be combined with numpy "
                    "broadcasting",
                    op);
    if (count == 0)
        return FAIL(st, SHAPE,
                    "%s: operands of rank %d and %d need broadcast_dimensions",
                    op, a->rank, b->rank);
    if (count != small)
        return FAIL(st, ATTRIBUTE,
                    "%s: broadcast_dimensions has %d entries; expected %d, the "
                    "smaller rank",
                    op, count, small);
    for (int i = 0; i < count; i++) {
        if (d->ints[i] < 0 || d->ints[i] >= large)
            return FAIL(
                st, ATTRIBUTE,
                "%s: broadcast_dimensions[%d] is %lld; expected 0 to %d", op, i,
                (long long)d->ints[i], large - 1);
        if (i > 0 && d->ints[i] <= d->ints[i - 1])
            return FAIL(st, ATTRIBUTE,
                        "%s: broadcast_dimensions is not strictly increasing",
                        op);
    }
    return true;
}

/* Stretch dims by one operand's. */
static bool stretch(const struct instruction *in, const struct shape *operand,
                    int rank, int64_t *dims, bool *dynamic, struct status *st)
{
    int64_t where[SHAPE_RANK_MAX];
    broadcast_place(in, operand, rank, where);
    for (int i = 0; i < operand->rank; i++) {
        int64_t size = operand->dims[i], *have = &dims[where[i]];
        bool bound = operand->dynamic && operand->dynamic[i];
        bool *is_bound = &dynamic[where[i]];
        if (*have == size || *have < 0) {
            *have = size;
            *is_bound |= bound;
        } else if (*have == 1 && !*is_bound) {
            *have = size;
            *is_bound = bound;
        } else if (size != 1 || bound) {
            return FAIL(
                st, SHAPE,
                "%s: sizes %lld and %lld of dimension %lld; expected equal "
                "sizes, or a static 1",
                in->op->name, (long long)*have, (long long)size,
                (long long)where[i]);
        }
    }
    return true;
}

bool broadcast_infer(struct infer *in, enum dtype dtype, struct status *st)
{
    const struct shape *a = in->operands[0], *b = in->operands[1];
    int rank = a->rank > b->rank ? a->rank : b->rank;
    int64_t dims[SHAPE_RANK_MAX];
    bool dynamic[SHAPE_RANK_MAX] = {false}, any = false;

    TRY(check_dimensions(in, a, b, st));
    for (int i = 0; i < rank; i++)
        dims[i] = -1;
    TRY(stretch(in->in, a, rank, dims, dynamic, st));
    TRY(stretch(in->in, b, rank, dims, dynamic, st));
    for (int i = 0; i < rank; i++)
        any |= dynamic[i];
    TRY(infer_array(in, dtype, rank, dims, st));
    if (any)
        in->result = shape_dynamic(in->arena, dtype, rank, dims, dynamic);
    return true;
}

void broadcast_strides(const struct instruction *in,
                       const struct shape *operand, const struct shape *result,
                       int64_t *strides)
{
    int64_t where[SHAPE_RANK_MAX], own[SHAPE_RANK_MAX];
    broadcast_place(in, operand, result->rank, where);
    shape_strides(operand->rank, operand->dims, own);
    for (int i = 0; i < result->rank; i++)
        strides[i] = 0;
    for (int i = 0; i < operand->rank; i++)
        if (operand->dims[i] != 1)
            strides[where[i]] = own[i];
}
