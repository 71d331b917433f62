/* abi.c - see abi.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Outwards nothing can fail, and pointers into our own values are passed out
 * where the ABI's types allow it.  Inwards (abi_literal, abi_code) the struct
 * is a plugin's: nothing in it is trusted before it is checked, and what is
 * kept is copied, because the plugin may change it afterwards.
 */
#include "interp/library/abi.h"

#include <string.h>

const assay_shape *abi_shape(struct arena *a, const struct shape *s)
{
    assay_shape *to = arena_new(a, assay_shape, 1);
    /* The reader learns from size which members this version of the ABI has
     * (ASSAY_HAS). */
    to->size = sizeof *to;
    to->rank = s->rank;
    switch (s->kind) {
    case SHAPE_ARRAY:
        to->kind = ASSAY_ARRAY;
        to->dtype = dtype_table[s->dtype].name;
        to->dims = s->dims;
        if (s->dynamic) {
            /* Ours are bool, whose size C does not fix. */
            uint8_t *dynamic = arena_new(a, uint8_t, (size_t)s->rank + 1);
            for (int i = 0; i < s->rank; i++)
                dynamic[i] = s->dynamic[i];
            to->dynamic = dynamic;
        }
        break;
    case SHAPE_TUPLE: {
        const assay_shape **e =
            arena_new(a, const assay_shape *, (size_t)s->rank + 1);
        for (int i = 0; i < s->rank; i++)
            e[i] = abi_shape(a, s->elements[i]);
        to->kind = ASSAY_TUPLE;
        to->elements = e;
        break;
    }
    case SHAPE_TOKEN:
        to->kind = ASSAY_TOKEN;
        break;
    }
    return to;
}

const assay_tensor *abi_tensor(struct arena *a, const struct literal *leaf)
{
    assay_tensor *t = arena_new(a, assay_tensor, 1);
    t->size = sizeof *t;
    t->shape = abi_shape(a, leaf->shape);
    /* A token has no data: all members stay 0. */
    if (leaf->shape->kind == SHAPE_ARRAY) {
        t->data = leaf->data;
        t->bytes = (uint64_t)shape_bytes(leaf->shape);
        t->sizes = leaf->sizes;
    }
    return t;
}

struct literal *abi_literal(struct arena *a, const assay_tensor *t)
{
    enum dtype type;
    if (!t || !t->shape)
        return NULL;
    if (t->shape->kind == ASSAY_TOKEN)
        return literal_new(a, shape_token(a));
    if (t->shape->kind != ASSAY_ARRAY || !t->shape->dtype
        || !dtype_parse(t->shape->dtype, strlen(t->shape->dtype), &type)
        || t->shape->rank < 0 || t->shape->rank > SHAPE_RANK_MAX)
        return NULL;
    /* Before the product of the dimensions is computed: it may not fit into 64
     * bits, and memory for it may not be there. */
    struct status st = {0};
    if (!shape_check_size(t->shape->rank, t->shape->dims, type, 1 << 30, &st))
        return NULL;
    const struct shape *s =
        shape_array(a, type, t->shape->rank, t->shape->dims);
    /* bytes is how much of data may be read. */
    if (t->bytes != (uint64_t)shape_bytes(s))
        return NULL;
    struct literal *l = literal_new(a, s);
    memcpy(l->data, t->data, t->bytes);
    return l;
}

bool abi_code_known(assay_code code)
{
    return code >= ASSAY_OK && code <= ASSAY_REJECTED;
}

enum code abi_code(assay_code code)
{
    /* The others name no class: a call that failed, a program rejected without
     * a class, and numbers that are no code. */
    static const enum code codes[] = {
#define STATUS(code, name, meaning)
#define STATUS_CLASS(code, name, meaning) [ASSAY_##code] = STATUS_##code,
#include "interp/base/status.def"
        [ASSAY_OK] = STATUS_OK,
    };
    if (code < 0 || code > ASSAY_UNSUPPORTED)
        return STATUS_SYSTEM;
    return codes[code];
}
