/* memo.c - see memo.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/memo.h"

#include <stdint.h>
#include <stdlib.h>

enum {
    /* All patterns of two 16-bit types: 2^17 entries of 80 bytes, of which the
     * system provides only those that are used. */
    ENTRIES = 1 << 17
};

/* Entries are in the order in which they were put, since operands are mostly
 * looked for in the order of the last time: the next one is then at hand, and
 * near it in memory.  Places lead to the others; the oldest are replaced. */
struct memo_table {
    uint32_t places[ENTRIES]; /* 1 + the entry; 0: none */
    uint32_t count;           /* of all that were put */
    uint32_t next;            /* the entry behind the one that was asked for */
    struct memo_entry {
        struct memo_key key; /* function: NULL in an unused one */
        struct memo_value value;
    } entries[ENTRIES];
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

const struct memo_value *memo_find(struct memo *m, const struct memo_key *key)
{
    struct memo_table *t = m->table;
    if (!t)
        return NULL;
    uint32_t at = t->next % ENTRIES;
    if (!same_key(&t->entries[at].key, key)) {
        uint32_t place = t->places[place_of(key)];
        if (place && same_key(&t->entries[place - 1].key, key))
            at = place - 1;
        else
            key = NULL;
    }
    t->next = at + 1;
    return key ? &t->entries[at].value : NULL;
}

void memo_put(struct memo *m, const struct memo_key *key,
              const struct memo_value *value)
{
    if (!m->tried)
        m->table = calloc(1, sizeof *m->table);
    m->tried = true;
    if (!m->table)
        return;
    uint32_t at = m->table->count++ % ENTRIES;
    m->table->entries[at] = (struct memo_entry){*key, *value};
    m->table->places[place_of(key)] = at + 1;
}

void memo_free(struct memo *m)
{
    free(m->table);
    *m = (struct memo){0};
}
