/* accept_text.c - see accept_text.h.  Tests: test_assay_reference.c, eval.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The judge lists the sets of units that are wrong; so the units to be shown
 * are passed to it as pending, a few at a time.
 */
#include "interp/judge/accept_text.h"

#include <string.h>

#include "interp/data/show.h"

/* Is the same pattern listed before o? */
static bool stands_before(const struct goal_other *first,
                          const struct goal_other *o)
{
    for (; first != o; first = first->same)
        if (first->bits == o->bits)
            return true;
    return false;
}

const char *accept_text_wrong(struct arena *a, const struct goal *g,
                              const struct verdict_wrong *w)
{
    const struct accept_set *set = &w->set;
    const char *text = "";
    if (!w->has_set)
        return "predicate";
    if (set->any || (g->free_units && g->free_units[w->unit]))
        return "any";
    for (int i = 0; i < set->count; i++) {
        uint64_t low = real_from_key(w->type, set->range[i].low);
        uint64_t high = real_from_key(w->type, set->range[i].high);
        const char *one = show_decimal(a, w->type, low);
        if (low != high)
            one = arena_printf(a, "[%s, %s]", one,
                               show_decimal(a, w->type, high));
        text =
            arena_printf(a, "%s%s%s", text, *text ? ACCEPT_TEXT_OR : "", one);
    }
    if (set->nan)
        text = arena_printf(a, "%s%snan", text, *text ? ACCEPT_TEXT_OR : "");
    const struct goal_other *others = goal_others(g, w->unit);
    for (const struct goal_other *o = others; o; o = o->same)
        if (!accept_has(set, w->type, o->bits) && !stands_before(others, o))
            text = arena_printf(a, "%s%s%s", text, *text ? ACCEPT_TEXT_OR : "",
                                show_decimal(a, w->type, o->bits));
    return text;
}

/* Pass units first to first + n - 1 to the judge as pending. */
static void ask(struct verdict *v, struct arena *a, const struct profile *p,
                const struct goal *g, unsigned char *state, int64_t first,
                int64_t n)
{
    const struct verdict_leaf leaf = {
        .goal = g, .got = g->value, .state = state};
    memset(v, 0, sizeof *v);
    memset(state + first, VERDICT_PENDING, (size_t)n);
    verdict_pending(v, a, p, &leaf);
    memset(state + first, VERDICT_SAME, (size_t)n);
}

static unsigned char *settled(struct arena *a, const struct goal *g)
{
    size_t n = (size_t)literal_units(g->value);
    unsigned char *state = arena_alloc(a, n);
    memset(state, VERDICT_SAME, n);
    return state;
}

void accept_text_each(struct arena *a, const struct profile *p,
                      const struct goal *g, int64_t count,
                      accept_text_take *take, void *context)
{
    struct verdict *v = arena_new(a, struct verdict, 1);
    unsigned char *state = settled(a, g);
    for (int64_t i = 0; i < count; i += VERDICT_WRONG_MAX) {
        int64_t n = count - i;
        if (n > VERDICT_WRONG_MAX)
            n = VERDICT_WRONG_MAX;
        ask(v, a, p, g, state, i, n);
        for (int k = 0; k < v->wrong_count; k++)
            take(context, &v->wrong[k]);
    }
}

struct texts {
    struct arena *arena;
    const struct goal *goal;
    const char **list;
};

static void take_text(void *context, const struct verdict_wrong *w)
{
    const struct texts *t = context;
    t->list[w->unit] = accept_text_wrong(t->arena, t->goal, w);
}

const char **accept_text_texts(struct arena *a, const struct profile *p,
                               const struct goal *g, int64_t count)
{
    struct texts t = {a, g, arena_new(a, const char *, (size_t)count)};
    accept_text_each(a, p, g, count, take_text, &t);
    return t.list;
}

static bool is_all_free(const struct goal *g)
{
    return g->free_units
           && !memchr(g->free_units, 0, (size_t)literal_units(g->value));
}

const char *accept_text_order(struct arena *a, const struct goal *g, int64_t i)
{
    int order = goal_order(g, i);
    bool least = goal_source(g, &i)->rule == GOAL_RANGE;
    return order < 1
               ? NULL
               : arena_printf(a, "%s%d %%", least ? "at least " : "", order);
}

const char *accept_text_words(struct arena *a, const struct profile *p,
                              const struct goal *g)
{
    struct verdict *v = arena_new(a, struct verdict, 1);
    if (literal_units(g->value) == 0)
        return "exact";
    if (is_all_free(g))
        return "any";
    ask(v, a, p, g, settled(a, g), 0, 1);
    return v->wrong_count ? v->wrong[0].words : "exact";
}
