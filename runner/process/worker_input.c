/* worker_input.c - see worker_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * evil.t tests this (input_overrun, input_underrun, write_inputs).
 */
#include <string.h>

#include "runner/process/inputs.h"
#include "runner/process/worker_private.h"

enum {
    GUARD_BYTES = 256,
    GUARD_BYTE = 0xa5,
    COPIED_MAX = 1 << 20,
};

static int64_t count_of(const struct abi_case *c, bool infeed)
{
    if (infeed)
        return c->infeed ? c->infeed_start[c->replicas] : 0;
    return (int64_t)c->input_count * c->replicas;
}

static const assay_tensor *const *list_of(const struct abi_case *c, bool infeed)
{
    return infeed ? c->infeed : c->inputs;
}

static bool is_guarded(const assay_tensor *t)
{
    return t->data && t->bytes <= COPIED_MAX;
}

void worker_input_guard(struct arena *a, const struct abi_case *c)
{
    for (int feed = 0; feed < 2; feed++)
        for (int64_t i = 0; i < count_of(c, feed); i++) {
            /* It is ours, in the case's arena. */
            assay_tensor *t = (assay_tensor *)(uintptr_t)list_of(c, feed)[i];
            if (!is_guarded(t))
                continue;
            unsigned char *p =
                arena_alloc(a, (size_t)t->bytes + 2 * GUARD_BYTES);
            memset(p, GUARD_BYTE, GUARD_BYTES);
            memcpy(p + GUARD_BYTES, t->data, t->bytes);
            memset(p + GUARD_BYTES + t->bytes, GUARD_BYTE, GUARD_BYTES);
            t->data = p + GUARD_BYTES;
        }
}

static bool all_guard(const unsigned char *p)
{
    return p[0] == GUARD_BYTE && memcmp(p, p + 1, GUARD_BYTES - 1) == 0;
}

bool worker_input_whole(const struct abi_case *c)
{
    for (int feed = 0; feed < 2; feed++)
        for (int64_t i = 0; i < count_of(c, feed); i++) {
            const assay_tensor *t = list_of(c, feed)[i];
            const unsigned char *data = t->data;
            if (is_guarded(t)
                && (!all_guard(data - GUARD_BYTES)
                    || !all_guard(data + t->bytes)))
                return false;
        }
    return true;
}

struct hash worker_input_hash(const struct abi_case *c)
{
    struct hash h = INPUTS_HASH;
    for (int feed = 0; feed < 2; feed++)
        for (int64_t i = 0; i < count_of(c, feed); i++) {
            const assay_tensor *t = list_of(c, feed)[i];
            if (t->data)
                inputs_hash_data(&h, t->data, t->bytes);
        }
    return h;
}
