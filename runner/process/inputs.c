/* inputs.c - see inputs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/process/inputs.h"

static void mix(struct hash *h, const struct literal *l)
{
    for (int i = 0, n = shape_leaves(l->shape); i < n; i++) {
        const struct literal *leaf = literal_leaf(l, i);
        if (leaf->shape->kind == SHAPE_ARRAY)
            inputs_hash_data(h, leaf->data, (uint64_t)shape_bytes(leaf->shape));
    }
}

/* A case may give more than the program takes. */
static int parameters_of(const struct test_case *c)
{
    int n = c->program && c->program->entry ? c->program->entry->parameter_count
                                            : 0;
    return n < c->input_count ? n : c->input_count;
}

struct hash inputs_hash(const struct test_case *c)
{
    struct hash h = INPUTS_HASH;
    int given = parameters_of(c);
    for (int r = 0; r < c->replicas; r++)
        for (int i = 0; i < given; i++)
            mix(&h, c->inputs[r][i]);
    for (int r = 0; c->infeed_count && r < c->replicas; r++)
        for (int i = 0; i < c->infeed_count[r]; i++)
            mix(&h, c->infeed[r][i]);
    return h;
}
