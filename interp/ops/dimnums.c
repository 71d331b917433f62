/* dimnums.c - see dimnums.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/dimnums.h"

#include <inttypes.h>

#include "interp/program/attribute.h"

struct dimnums dimnums_get(const struct instruction *in,
                           enum attribute_name name)
{
    const struct attribute *a = attribute_find(in, name);
    return (struct dimnums){attribute_name_short(name), a ? a->count : 0,
                            a ? a->ints : NULL};
}

int dimnums_find(const struct dimnums *n, int64_t d)
{
    for (int i = 0; i < n->count; i++)
        if (n->at[i] == d)
            return i;
    return -1;
}

bool dimnums_check(const struct infer *in, const struct dimnums *n, int rank,
                   bool rising, struct status *st)
{
    bool seen[SHAPE_RANK_MAX] = {false};
    for (int i = 0; i < n->count; i++) {
        int64_t d = n->at[i];
        if (d < 0 || d >= rank)
            return FAIL(st, ATTRIBUTE,
                        "%s: %s has dimension %" PRId64
                        "; expected less than %d",
                        in->op->name, n->name, d, rank);
        if (seen[d])
            return FAIL(st, ATTRIBUTE,
                        "%s: %s has dimension %" PRId64 " more than once",
                        in->op->name, n->name, d);
        if (rising && i > 0 && d < n->at[i - 1])
            return FAIL(st, ATTRIBUTE, "%s: %s is not in increasing order",
                        in->op->name, n->name);
        seen[d] = true;
    }
    return true;
}

bool dimnums_count(const struct infer *in, const struct dimnums *n, int count,
                   struct status *st)
{
    if (n->count == count)
        return true;
    return FAIL(st, ATTRIBUTE, "%s: %s has %d entries; expected %d",
                in->op->name, n->name, n->count, count);
}

bool dimnums_check_batch(const struct infer *in, const struct dimnums_batch *b,
                         const struct shape *s, const struct shape *indices,
                         struct status *st)
{
    TRY(dimnums_check(in, b->own, s->rank, true, st));
    TRY(dimnums_check(in, b->index, indices->rank, false, st));
    TRY(dimnums_count(in, b->index, b->own->count, st));
    for (int i = 0; i < b->own->count; i++) {
        int64_t d = b->own->at[i], e = b->index->at[i];
        if (dimnums_find(b->dropped, d) >= 0 || dimnums_find(b->map, d) >= 0)
            return FAIL(st, ATTRIBUTE,
                        "%s: batching dimension %" PRId64
                        " is one of %s or indexed too",
                        in->op->name, d, b->dropped->name);
        if (e == b->vector)
            return FAIL(st, ATTRIBUTE,
                        "%s: index_vector_dim %" PRId64
                        " is also a batching dimension",
                        in->op->name, e);
        if (s->dims[d] != indices->dims[e])
            return FAIL(st, SHAPE,
                        "%s: batching dimensions have the sizes %" PRId64
                        " and %" PRId64,
                        in->op->name, s->dims[d], indices->dims[e]);
    }
    return true;
}

bool dimnums_static(const struct infer *in, struct status *st)
{
    for (int i = 0; i < in->count; i++)
        if (shape_has_dynamic(in->operands[i]))
            return FAIL(st, UNSUPPORTED,
                        "%s: operand %d is %s: the effect of a dynamic "
                        "dimension is not defined",
                        in->op->name, i,
                        shape_text(in->arena, in->operands[i]));
    return true;
}
