/* deviation_transform.c - see deviation_transform.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_transform.h"

#include <string.h>

/* One array being made: to is zero at first. */
struct making {
    const struct deviation *what;
    const struct literal *from;
    struct literal *to;
    int64_t n; /* elements */
    int input_count;
    struct literal *const *inputs;
};

struct deviation_shuffle {
    const char *name;
    bool (*body)(struct making *m);
};

static bool take_operand(struct making *m)
{
    for (int k = 0; k < m->input_count; k++) {
        const struct literal *l = m->inputs[k];
        if (!shape_equal(l->shape, m->from->shape))
            continue;
        for (int64_t i = 0; i < m->n; i++)
            literal_move(m->to, i, l, i);
        return true;
    }
    return false;
}

static bool take_zeros(struct making *m)
{
    return true;
}

static bool take_first(struct making *m)
{
    for (int64_t i = 0; i < m->n; i++)
        literal_move(m->to, i, m->from, 0);
    return true;
}

static bool shift(struct making *m)
{
    for (int64_t i = 0; i < m->n; i++)
        literal_move(m->to, i, m->from, (i + 1) % m->n);
    return true;
}

static bool reverse(struct making *m)
{
    for (int64_t i = 0; i < m->n; i++)
        literal_move(m->to, i, m->from, m->n - 1 - i);
    return true;
}

static bool repeat_half(struct making *m)
{
    int64_t half = (m->n + 1) / 2;
    for (int64_t i = 0; i < m->n; i++)
        literal_move(m->to, i, m->from, i % half);
    return true;
}

static bool keep_first(struct making *m, int64_t kept)
{
    for (int64_t i = 0; i < kept; i++)
        literal_move(m->to, i, m->from, i);
    return kept < m->n;
}

static bool keep_head(struct making *m)
{
    return keep_first(m, m->n < m->what->lanes ? m->n : m->what->lanes);
}

static bool lose_tail(struct making *m)
{
    return keep_first(m, m->n - m->n % m->what->lanes);
}

/* With nothing to read, the loop that writes does not run either. */
static bool leave_unwritten(struct making *m)
{
    uint64_t ones = dtype_mask(m->to->shape->dtype);
    bool empty = false;
    for (int k = 0; k < m->input_count; k++) {
        const struct shape *s = m->inputs[k]->shape;
        empty = empty || (s->kind == SHAPE_ARRAY && shape_elements(s) == 0);
    }
    for (int64_t i = 0; empty && i < literal_units(m->to); i++)
        literal_set(m->to, i, ones);
    return empty;
}

/* Two elements are in a byte, the first one in its low bits: a byte for each
 * element has every second one, until the packed elements end. */
static bool copy_nibbles(struct making *m)
{
    if (dtype_table[m->from->shape->dtype].bits != 4)
        return false;
    for (int64_t i = 0; 2 * i < m->n; i++)
        literal_move(m->to, i, m->from, 2 * i);
    return true;
}

static const struct deviation_shuffle shuffles[] = {
    {"operand", take_operand},
    {"zeros", take_zeros},
    {"first", take_first},
    {"shifted", shift},
    {"reversed", reverse},
    {"half", repeat_half},
    {"head", keep_head},
    {"tail", lose_tail},
    {"unwritten", leave_unwritten},
    {"nibbles", copy_nibbles},
};

const struct deviation_shuffle *deviation_transform_find(const char *name)
{
    for (size_t i = 0; i < sizeof shuffles / sizeof *shuffles; i++)
        if (strcmp(shuffles[i].name, name) == 0)
            return &shuffles[i];
    return NULL;
}

struct literal *deviation_transform(struct arena *a, const struct deviation *d,
                                    const struct literal *result, int count,
                                    struct literal *const *inputs)
{
    struct making m = {
        .what = d, .from = result, .input_count = count, .inputs = inputs};
    if (result->shape->kind != SHAPE_ARRAY || shape_has_dynamic(result->shape))
        return NULL;
    m.n = shape_elements(result->shape);
    m.to = literal_new(a, result->shape);
    return m.n > 0 && d->shuffle->body(&m) ? m.to : NULL;
}
