/* sweep_join.c - see sweep_private.h.  Tests: sweep.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

#include "runner/sweep_private.h"

struct reading {
    struct arena *arena;
    struct sweep_join *to;
};

static void add_part(void *self, const struct store_sweep_part *part)
{
    struct reading *x = self;
    struct sweep_join *to = x->to;
    ARENA_GROW(x->arena, to->parts, to->count, to->room);
    to->parts[to->count++] = *part;
}

static int by_size(const void *a, const void *b)
{
    const struct sweep_join *x = a, *y = b;
    return (x->count < y->count) - (x->count > y->count);
}

bool sweep_join_read(struct arena *a, const char *hash, int count,
                     const char *const *files, struct sweep_join **list,
                     int *found, struct status *st)
{
    int room = 0;
    *list = NULL;
    *found = 0;
    for (int i = 0; i < count; i++) {
        struct store *s;
        struct status mine = {0};
        int64_t *sweeps;
        int n = 0;
        TRY(store_open(files[i], STORE_READ, &s, st));
        bool good = store_sweep_list(s, a, hash, &sweeps, &n, st);
        for (int k = 0; good && k < n; k++) {
            ARENA_GROW(a, *list, *found, room);
            struct reading x = {a, &(*list)[(*found)++]};
            *x.to = (struct sweep_join){0};
            good = store_sweep_read(s, sweeps[k], add_part, &x, x.to->bins, st);
        }
        store_close(s, &mine);
        if (!good)
            return false;
        st->path = n > 0 ? st->path : files[i];
        if (n == 0)
            return FAIL(st, INPUT,
                        "has no part of this sweep: another operation, type, "
                        "range, profile or backend");
    }
    if (*found > 0)
        qsort(*list, (size_t)*found, sizeof **list, by_size);
    return true;
}
