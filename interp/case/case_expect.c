/* case_expect.c - see case_expect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/case/case_expect.h"

#include <inttypes.h>

#include "interp/data/show.h"
#include "interp/exact/real.h"

/* Where a result is, for the text of a difference. */
struct place {
    struct arena *arena;
    const char *what; /* "result", "outfeed" */
    int replica, leaf;
    bool replicas;
};

static const char *at(const struct place *p)
{
    if (p->replicas)
        return arena_printf(p->arena, "replica %d, %s %d", p->replica, p->what,
                            p->leaf);
    return arena_printf(p->arena, "%s %d", p->what, p->leaf);
}

/* ---- Shapes -------------------------------------------------------------- */

static const char *shape_differs(const struct place *p, const struct shape *due,
                                 const struct expected *e)
{
    if (!e->value || shape_equal(due, e->value->shape))
        return NULL;
    return arena_printf(p->arena, "%s: the reference has shape %s, expected %s",
                        at(p), shape_text(p->arena, due),
                        shape_text(p->arena, e->value->shape));
}

static const char *row_shapes(const struct place *place,
                              const struct test_case *t,
                              const struct shape *result)
{
    struct place p = *place;
    int leaves = shape_leaves(result);
    const struct expected *row = t->expect[p.replica];
    const char *text = NULL;
    if (t->expect_count == 1 && result->kind == SHAPE_TUPLE && row[0].value
        && row[0].value->shape->kind == SHAPE_TUPLE)
        return shape_differs(&p, result, &row[0]);
    if (t->expect_count != leaves)
        return arena_printf(p.arena, "%d results are expected; %s has %d",
                            t->expect_count, shape_text(p.arena, result),
                            leaves);
    for (p.leaf = 0; p.leaf < leaves && !text; p.leaf++)
        text = shape_differs(&p, shape_leaf(result, p.leaf), &row[p.leaf]);
    return text;
}

const char *case_expect_shapes(struct arena *a, const struct test_case *t)
{
    struct place p = {a, "result", 0, 0, t->replicas > 1};
    const char *text = NULL;
    if (t->expect_count == 0)
        return NULL;
    for (; p.replica < t->replicas && !text; p.replica++)
        text = row_shapes(&p, t, t->program->entry->result);
    return text;
}

/* ---- Values -------------------------------------------------------------- */

/* Does the reference allow another pattern for this unit? */
static bool goal_allows(const struct goal *g, int64_t unit, uint64_t bits)
{
    if (!g)
        return false;
    if (g->free_units && g->free_units[unit])
        return true;
    g = goal_source(g, &unit);
    for (const struct goal_other *o = goal_others(g, unit); o; o = o->same)
        if (o->bits == bits)
            return true;
    return g->rule == GOAL_FREE;
}

static bool is_nan(enum dtype unit, uint64_t bits)
{
    return dtype_class(unit) == DTYPE_FLOAT && real_is_nan(unit, bits);
}

static const char *sizes_differ(const struct place *p,
                                const struct literal *got,
                                const struct literal *want)
{
    const struct shape *s = got->shape;
    for (int d = 0; d < s->rank; d++) {
        int64_t x = got->sizes ? got->sizes[d] : s->dims[d];
        int64_t y = want->sizes ? want->sizes[d] : s->dims[d];
        if (x != y)
            return arena_printf(p->arena,
                                "%s: size of dimension %d: reference %" PRId64
                                ", expected %" PRId64,
                                at(p), d, x, y);
    }
    return NULL;
}

/* Elements outside the actual sizes do not count. */
static bool counts(const struct literal *l, int64_t element)
{
    int64_t index[SHAPE_RANK_MAX];
    if (!l->sizes)
        return true;
    for (int d = l->shape->rank - 1; d >= 0; d--) {
        index[d] = element % l->shape->dims[d];
        element /= l->shape->dims[d];
    }
    return literal_counts(l, index);
}

static const char *array_differs(const struct place *p,
                                 const struct literal *got,
                                 const struct expected *e,
                                 const struct goal *goal)
{
    const struct literal *want = e->value;
    enum dtype unit = dtype_unit(got->shape->dtype);
    int per = dtype_units(got->shape->dtype);
    int64_t n = literal_units(got);
    const char *text = sizes_differ(p, got, want);
    for (int64_t i = 0; i < n && !text; i++) {
        uint64_t x = literal_get(got, i), y = literal_get(want, i);
        if (x == y || goal_allows(goal, i, y))
            continue;
        if (e->nan && e->nan[i] && is_nan(unit, x))
            continue;
        if (!counts(got, i / per))
            continue;
        text = arena_printf(
            p->arena,
            "%s, element [%s]: reference %s (bits %s), expected %s (bits %s)",
            at(p), show_index(p->arena, got->shape, i / per),
            show_element(p->arena, got, i / per),
            show_element_bits(p->arena, got, i / per),
            show_element(p->arena, want, i / per),
            show_element_bits(p->arena, want, i / per));
    }
    return text;
}

/* A value, which may be a tuple; goals are those of its leaves, or NULL. */
static const char *value_differs(const struct place *place,
                                 const struct literal *got,
                                 const struct expected *e,
                                 struct goal *const *goals)
{
    struct place p = *place;
    if (!e->value)
        return NULL;
    const char *text = shape_differs(&p, got->shape, e);
    if (got->shape->kind == SHAPE_TOKEN || text)
        return text;
    if (got->shape->kind == SHAPE_ARRAY)
        return array_differs(&p, got, e, goals ? goals[0] : NULL);
    int n = shape_leaves(got->shape);
    for (p.leaf = 0; p.leaf < n && !text; p.leaf++) {
        struct expected leaf = {.value = literal_leaf(e->value, p.leaf)};
        text = value_differs(&p, literal_leaf(got, p.leaf), &leaf,
                             goals ? goals + p.leaf : NULL);
    }
    return text;
}

/* The difference from the first of several alternatives, if none agrees. */
static const char *one_differs(const struct place *p, const struct literal *got,
                               const struct expected *e,
                               struct goal *const *goals)
{
    const char *text = value_differs(p, got, e, goals);
    for (int i = 0; i < e->count && text; i++)
        if (!value_differs(p, got, &e->others[i], goals))
            text = NULL;
    return text;
}

/* A predicate over the whole result: does it allow what is expected? */
static bool check_allows(struct arena *a, const struct test_case *t,
                         const struct expected *row, const struct outcome *out,
                         const char **why)
{
    const struct goal *goal = NULL;
    const struct literal *values[64];
    if (out->count > 64 || t->expect_count != out->count)
        return false;
    for (int i = 0; i < out->count; i++) {
        const struct goal *g = out->goals[i];
        if (g && g->rule == GOAL_CHECK && g->check.place != i)
            return false; /* passed on in another order */
        if (!goal && g && g->rule == GOAL_CHECK)
            goal = g;
        values[i] = row[i].value;
        if (!values[i] || row[i].count > 0)
            return false;
    }
    if (!goal)
        return false;
    struct goal_finding found = {.leaf = 0};
    if (goal->check.holds(goal, values, out->count, &found))
        return true;
    *why = arena_text(a, found.why);
    return false;
}

static const char *row_differs(struct place *p, const struct test_case *t,
                               const struct outcome *out)
{
    const struct expected *row = t->expect[p->replica];
    const struct shape *s = out->value->shape;
    const char *text = row_shapes(p, t, s), *why = NULL;
    if (text)
        return text;
    p->leaf = 0;
    if (t->expect_count == 1 && s->kind == SHAPE_TUPLE && row[0].value
        && row[0].value->shape->kind == SHAPE_TUPLE)
        return one_differs(p, out->value, &row[0], out->goals);
    for (int i = 0; i < t->expect_count && !text; i++) {
        p->leaf = i;
        text = one_differs(p, literal_leaf(out->value, i), &row[i],
                           out->goals ? &out->goals[i] : NULL);
    }
    if (text && out->goals && check_allows(p->arena, t, row, out, &why))
        return NULL;
    return why ? arena_printf(p->arena, "%s; %s", text, why) : text;
}

const char *case_expect_results(struct arena *a, const struct test_case *t,
                                const struct outcome *outcomes)
{
    struct place p = {a, "result", 0, 0, t->replicas > 1};
    const char *text = NULL;
    if (t->expect_count == 0)
        return NULL;
    for (; p.replica < t->replicas && !text; p.replica++)
        text = row_differs(&p, t, &outcomes[p.replica]);
    return text;
}

const char *case_expect_outfeed(struct arena *a, const struct test_case *t,
                                const struct machine *machine)
{
    struct place p = {a, "outfeed", 0, 0, t->replicas > 1};
    const char *text = NULL;
    if (!t->outfeed_count)
        return NULL;
    for (; p.replica < t->replicas && !text; p.replica++) {
        int r = p.replica;
        int given = machine->outfeed_count ? machine->outfeed_count[r] : 0;
        if (given != t->outfeed_count[r])
            return arena_printf(a, "replica %d: %d outfeeds, expected %d", r,
                                given, t->outfeed_count[r]);
        for (p.leaf = 0; p.leaf < given && !text; p.leaf++)
            text = one_differs(&p, machine->outfeed[r][p.leaf],
                               &t->outfeed[r][p.leaf], NULL);
    }
    return text;
}

bool case_expect_error(const struct test_case *t, enum code code)
{
    for (int i = 0; i < t->error_count; i++)
        if (t->errors[i] == code)
            return true;
    return false;
}
