/* deviation_pair.c - see deviation_pair.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * tools/test/pairs.t tests this.
 */
#include "interp/deviation/deviation_pair.h"

#include <string.h>

#include "interp/deviation/deviation_explain.h"
#include "interp/deviation/deviation_private.h"

/* Between the names of two deviations. */
static const char JOINT[] = " + ";

enum {
    GIVES = 1, /* a wrong unit, as it was returned */
    MOVES = 2  /* another value than the exact one */
};

/* ---- Names --------------------------------------------------------------- */

bool deviation_pair_find(struct arena *a, const struct deviation_table *table,
                         const char *name, struct deviation_pair *pair,
                         struct status *st)
{
    const char *joint = strstr(name, JOINT);
    size_t n = joint ? (size_t)(joint - name) : strlen(name);
    const char *first = arena_printf(a, "%.*s", (int)n, name);
    pair->count = joint ? 2 : 1;
    TRY(deviation_find(a, table, first, &pair->uses[0], st));
    if (!joint)
        return true;
    const char *second = joint + sizeof JOINT - 1;
    return deviation_find(a, table, second, &pair->uses[1], st)
           && (strcmp(first, second) != 0
               || FAIL(st, INPUT, "deviation '%s': both are the same", name));
}

const char *deviation_pair_text(struct arena *a,
                                const struct deviation_pair *pair)
{
    const char *first = pair->uses[0].what->text;
    const struct place *place = pair->uses[0].place;
    if (place && pair->count == 1)
        return arena_printf(a, "%.*s %s.", (int)strlen(first) - 1, first,
                            place->phrase);
    return pair->count == 1 ? first
                            : arena_printf(a, "Some units: %s The others: %s",
                                           first, pair->uses[1].what->text);
}

/* ---- Parts --------------------------------------------------------------- */

/* One unit's flags; false if it is a wrong one and neither as it was returned
 * nor as it should be. */
static bool look_at(const struct verdict_leaf *leaf, int64_t u, uint64_t bits,
                    unsigned char *flags)
{
    const struct goal *g = leaf->goal;
    uint64_t want = literal_get(g->value, u);
    bool wrong = leaf->state[u] == VERDICT_PENDING;
    *flags = leaf->state[u] != VERDICT_UNUSED && bits != want ? MOVES : 0;
    if (wrong && deviation_open_matches(g, literal_get(leaf->got, u), bits))
        *flags |= GIVES;
    return !wrong || *flags & GIVES || deviation_open_matches(g, want, bits);
}

bool deviation_pair_part(struct arena *a, const struct deviation_explaining *e,
                         struct deviation_part *part)
{
    const struct verdict *v = e->v;
    bool gives = false;
    int64_t n = 0;
    for (int i = 0; i < v->leaf_count; i++)
        n += literal_units(v->leaves[i].got);
    *part = (struct deviation_part){.use = e->use,
                                    .units = arena_alloc(a, (size_t)n + 1)};
    for (int i = 0; i < v->leaf_count; i++) {
        const struct verdict_leaf *leaf = &v->leaves[i];
        const struct literal *other = deviation_judge_leaf(e, leaf);
        if (leaf->goal->rule == GOAL_CHECK)
            return false;
        n = literal_units(leaf->got);
        for (int64_t u = 0; u < n; u++) {
            unsigned char *flags = &part->units[part->count++];
            if (!look_at(leaf, u, literal_get(other, u), flags))
                return false;
            gives = gives || *flags & GIVES;
        }
    }
    return gives;
}

bool deviation_pair_join(struct arena *a, const struct verdict *v,
                         const struct deviation_part *first,
                         const struct deviation_part *second, bool overlap,
                         struct deviation_cause *cause)
{
    int64_t both = 0, alone[2] = {0}, moved = 0;
    for (int64_t u = 0; u < first->count; u++) {
        unsigned x = first->units[u], y = second->units[u];
        both += (x & y & GIVES) != 0;
        alone[0] += (x & ~y & GIVES) != 0;
        alone[1] += (y & ~x & GIVES) != 0;
        moved += ((x | y) & MOVES) != 0;
    }
    if (alone[0] == 0 || alone[1] == 0 || both + alone[0] + alone[1] != v->bad
        || (both > 0) != overlap)
        return false;
    const struct deviation_pair pair = {2, {*first->use, *second->use}};
    *cause = (struct deviation_cause){
        .name = arena_printf(a, "%s%s%s", first->use->name, JOINT,
                             second->use->name),
        .text = deviation_pair_text(a, &pair),
        .units = v->bad,
        .moved = moved,
        .exact = true};
    return true;
}
