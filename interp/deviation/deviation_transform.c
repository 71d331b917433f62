/* deviation_transform.c - see deviation_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"

/* One array that becomes another one of its shape. */
struct making {
    const struct deviation *what;
    const struct literal *from; /* whose elements are taken */
    int64_t n;                  /* elements */
    uint64_t fill;              /* of units that are taken from nowhere */
    int input_count;
    struct literal *const *inputs;
};

enum {
    NOWHERE = -1
};

struct deviation_shuffle {
    const char *name;
    /* Does it change such an array?  May choose from and fill; NULL: any. */
    bool (*applies)(struct making *m);
    /* Returns the element that becomes element i. */
    int64_t (*source)(const struct making *m, int64_t i);
};

/* ---- What applies -------------------------------------------------------- */

static bool has_operand(struct making *m)
{
    for (int k = 0; k < m->input_count; k++) {
        const struct literal *l = m->inputs[k];
        if (!shape_equal(l->shape, m->from->shape))
            continue;
        m->from = l;
        return true;
    }
    return false;
}

/* With nothing to read, the loop that writes does not run either. */
static bool has_empty(struct making *m)
{
    bool empty = false;
    for (int k = 0; k < m->input_count; k++) {
        const struct shape *s = m->inputs[k]->shape;
        empty = empty || (s->kind == SHAPE_ARRAY && shape_elements(s) == 0);
    }
    m->fill = dtype_mask(m->from->shape->dtype);
    return empty;
}

static bool has_more(struct making *m)
{
    return m->n > m->what->lanes;
}

static bool has_tail(struct making *m)
{
    return m->n % m->what->lanes > 0;
}

static bool has_nibbles(struct making *m)
{
    return dtype_table[m->from->shape->dtype].bits == 4;
}

/* ---- Where elements are from --------------------------------------------- */

static int64_t own(const struct making *m, int64_t i)
{
    return i;
}

static int64_t nowhere(const struct making *m, int64_t i)
{
    return NOWHERE;
}

static int64_t first(const struct making *m, int64_t i)
{
    return 0;
}

static int64_t next(const struct making *m, int64_t i)
{
    return (i + 1) % m->n;
}

static int64_t opposite(const struct making *m, int64_t i)
{
    return m->n - 1 - i;
}

static int64_t of_half(const struct making *m, int64_t i)
{
    return i % ((m->n + 1) / 2);
}

static int64_t of_head(const struct making *m, int64_t i)
{
    return i < m->what->lanes ? i : NOWHERE;
}

static int64_t of_whole_lanes(const struct making *m, int64_t i)
{
    return i < m->n - m->n % m->what->lanes ? i : NOWHERE;
}

/* Two elements are in a byte, the first one in its low bits: a byte for each
 * element has every second one, until the packed elements end. */
static int64_t of_nibbles(const struct making *m, int64_t i)
{
    return 2 * i < m->n ? 2 * i : NOWHERE;
}

static const struct deviation_shuffle shuffles[] = {
    {"operand", has_operand, own},
    {"zeros", NULL, nowhere},
    {"first", NULL, first},
    {"shifted", NULL, next},
    {"reversed", NULL, opposite},
    {"half", NULL, of_half},
    {"head", has_more, of_head},
    {"tail", has_tail, of_whole_lanes},
    {"unwritten", has_empty, nowhere},
    {"nibbles", has_nibbles, of_nibbles},
};

const struct deviation_shuffle *deviation_transform_find(const char *name)
{
    for (size_t i = 0; i < sizeof shuffles / sizeof *shuffles; i++)
        if (strcmp(shuffles[i].name, name) == 0)
            return &shuffles[i];
    return NULL;
}

static bool begin(struct making *m, const struct deviation *d,
                  const struct literal *result, int count,
                  struct literal *const *inputs)
{
    *m = (struct making){
        .what = d, .from = result, .input_count = count, .inputs = inputs};
    if (result->shape->kind != SHAPE_ARRAY || shape_has_dynamic(result->shape))
        return false;
    m->n = shape_elements(result->shape);
    return m->n > 0 && (!d->shuffle->applies || d->shuffle->applies(m));
}

struct literal *deviation_transform(struct arena *a, const struct deviation *d,
                                    const struct literal *result, int count,
                                    struct literal *const *inputs)
{
    struct making m;
    if (!begin(&m, d, result, count, inputs))
        return NULL;
    struct literal *to = literal_new(a, result->shape);
    for (int64_t u = 0; m.fill && u < literal_units(to); u++)
        literal_set(to, u, m.fill);
    for (int64_t i = 0; i < m.n; i++) {
        int64_t from = d->shuffle->source(&m, i);
        if (from != NOWHERE)
            literal_move(to, i, m.from, from);
    }
    return to;
}

bool deviation_transform_unit(const struct deviation *d,
                              const struct literal *result, int count,
                              struct literal *const *inputs, int64_t unit,
                              uint64_t *bits)
{
    struct making m;
    if (!begin(&m, d, result, count, inputs))
        return false;
    int parts = dtype_units(result->shape->dtype);
    int64_t from = d->shuffle->source(&m, unit / parts);
    *bits = from == NOWHERE ? m.fill
                            : literal_get(m.from, from * parts + unit % parts);
    return true;
}
