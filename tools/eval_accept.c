/* eval_accept.c - see eval_accept.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "tools/eval_accept.h"

#include <string.h>

#include "interp/program/show.h"

static const char *set_text(struct arena *a, const struct goal *g, int64_t unit,
                            const struct accept_set *set)
{
    enum dtype type = dtype_unit(g->value->shape->dtype);
    const char *text = "";
    if (set->any || (g->free_units && g->free_units[unit]))
        return "any";
    for (int i = 0; i < set->count; i++) {
        uint64_t low = real_from_key(type, set->range[i].low);
        uint64_t high = real_from_key(type, set->range[i].high);
        const char *one = show_decimal(a, type, low);
        if (low != high)
            one = arena_printf(a, "[%s, %s]", one, show_decimal(a, type, high));
        text = arena_printf(a, "%s%s%s", text, *text ? " | " : "", one);
    }
    if (set->nan)
        text = arena_printf(a, "%s%snan", text, *text ? " | " : "");
    for (const struct goal_other *o = g->others; o; o = o->next)
        if (o->unit == unit)
            text = arena_printf(a, "%s | %s", text,
                                show_decimal(a, type, o->bits));
    return text;
}

static const struct accept_budget *budget_of(const struct profile *p,
                                             const struct goal *g)
{
    const char *class = g->accuracy ? g->accuracy : "exact";
    return g->has_budget
               ? &g->budget
               : profile_budget(p, class, dtype_unit(g->value->shape->dtype),
                                NULL);
}

const char **eval_accept_texts(struct arena *a, const struct profile *p,
                               const struct goal *g, int64_t count)
{
    const char **texts = arena_new(a, const char *, (size_t)count);
    enum dtype type = dtype_unit(g->value->shape->dtype);
    struct accept_rules rules = profile_rules(p, type);
    rules.clip = g->clip;
    rules.low = g->clip_low;
    rules.high = g->clip_high;
    for (int64_t i = 0; i < count; i++) {
        uint64_t value = literal_get(g->value, i);
        struct accept_set set = {.any = g->rule == GOAL_FREE};
        if (g->rule == GOAL_REAL && g->y)
            accept_value(&set, type, &g->y[i], value, budget_of(p, g), &rules);
        else if (g->rule == GOAL_SUM && g->sums)
            accept_accumulation(&set, type, &g->sums[i], value, &rules);
        else if (g->rule != GOAL_FREE)
            accept_bits(&set, type, value);
        texts[i] =
            g->rule == GOAL_CHECK ? "predicate" : set_text(a, g, i, &set);
    }
    return texts;
}

const char *eval_accept_words(struct arena *a, const struct profile *p,
                              const struct goal *g)
{
    static const char *const kinds[] = {
        [ACCEPT_EXACT] = "exact",       [ACCEPT_CR] = "correctly rounded",
        [ACCEPT_FAITHFUL] = "faithful", [ACCEPT_ULP] = "within ulps",
        [ACCEPT_XLA] = "tolerance",     [ACCEPT_ANY] = "any",
    };
    static const char *const rules[] = {
        [GOAL_BITS] = "exact",     [GOAL_MOVED] = "exact",
        [GOAL_REAL] = "real",      [GOAL_SUM] = "accumulation",
        [GOAL_RANGE] = "interval", [GOAL_CHECK] = "predicate",
        [GOAL_FREE] = "any",
    };
    if (g->rule != GOAL_REAL)
        return rules[g->rule];
    return arena_printf(a, "%s (%s)", kinds[budget_of(p, g)->kind],
                        g->accuracy ? g->accuracy : "exact");
}
