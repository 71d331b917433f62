/* memo.c - see memo.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/memo.h"

#include <stdlib.h>

enum {
    /* All patterns of two 16-bit types: 2^17 entries of 80 bytes, of which the
     * system provides only those that are used. */
    ENTRIES = 1 << 17
};

struct memo_entry {
    struct memo_key key; /* function: NULL in an unused one */
    struct memo_value value;
};

/* Patterns that follow each other go to places that do. */
static size_t place_of(const struct memo_key *key)
{
    uint64_t mixed = key->x[0] + key->x[1] * 0x9e3779b97f4a7c15u
                     + (uint64_t)key->type * (ENTRIES / 2);
    mixed ^= mixed >> 32 ^ mixed >> 17;
    return (size_t)(mixed & (ENTRIES - 1));
}

static bool same_key(const struct memo_key *a, const struct memo_key *b)
{
    return a->function == b->function && a->x[0] == b->x[0]
           && a->x[1] == b->x[1] && a->type == b->type;
}

const struct memo_value *memo_find(const struct memo *m,
                                   const struct memo_key *key)
{
    if (!m->entries)
        return NULL;
    const struct memo_entry *e = &m->entries[place_of(key)];
    return same_key(&e->key, key) ? &e->value : NULL;
}

void memo_put(struct memo *m, const struct memo_key *key,
              const struct memo_value *value)
{
    if (!m->tried)
        m->entries = calloc(ENTRIES, sizeof *m->entries);
    m->tried = true;
    if (m->entries)
        m->entries[place_of(key)] = (struct memo_entry){*key, *value};
}

void memo_free(struct memo *m)
{
    free(m->entries);
    *m = (struct memo){0};
}
