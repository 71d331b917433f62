/* profile.c - see profile.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A profile keeps only what its own file says (profile_read.c), and its base.
 * A question goes from the profile to its base, to that one's base, and so on,
 * until one of them answers.
 */
#include "interp/specification/profile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gen/policies.h"
#include "interp/base/embed.h"
#include "interp/base/limits.h"
#include "interp/base/text.h"
#include "interp/specification/profile_private.h"
#include "interp/specification/spec.h"

enum {
    BASES_MAX = 16
};

/* ---- What follows ---------------------------------------------------- */

/* A profile's own members precede those of its base, and the first choice of a
 * policy is the default. */
static void settle_choices(struct profile *p)
{
    for (int i = 0; i < POLICY_COUNT; i++)
        p->chosen[i] = p->base ? p->base->chosen[i] : 0;
    for (int i = p->choice_count - 1; i >= 0; i--) {
        int policy = policy_find(p->choices[i].policy);
        int choice = policy_find_choice(policy, p->choices[i].choice);
        assert(choice >= 0 && "a choice that spec/policies.json lacks");
        p->chosen[policy] = (unsigned char)choice;
    }
}

/* Rules for all types, or for one, over what is there. */
static void settle_rules(struct profile *p, bool all)
{
    for (int i = p->type_count - 1; i >= 0; i--) {
        const struct type_rules *t = &p->types[i];
        for (int k = 0; k < DT_COUNT; k++) {
            if (t->all != all || (!all && t->type != (enum dtype)k))
                continue;
            if (t->has_subnormal)
                p->rules[k].subnormal = t->subnormal;
            if (t->has_nan)
                p->rules[k].nan = t->nan;
        }
    }
}

/* A profile is whole when its members and its base are. */
static void settle(struct profile *p)
{
    settle_choices(p);
    if (p->base)
        memcpy(p->rules, p->base->rules, sizeof p->rules);
    settle_rules(p, true);
    settle_rules(p, false);
}

/* ---- Loading --------------------------------------------------------- */

static bool is_path(const char *name)
{
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".json") == 0);
}

static bool find_json(struct arena *a, const char *name,
                      const struct json **root, struct status *st)
{
    static const struct limits limits = LIMITS_DEFAULT;
    if (is_path(name))
        return json_read(a, arena_text(a, name), (size_t)limits.file_bytes,
                         root, st);
    *root = spec_file(arena_printf(a, "spec/profiles/%s.json", name));
    if (!*root)
        return FAIL(st, INPUT, "unknown profile '%.80s'%s", name,
                    profile_hint(a, name));
    return true;
}

static bool load(struct arena *a, const char *name, int depth,
                 const struct profile **profile, struct status *st)
{
    static const char *const names[] = {"profile", "extends", "text", "choices",
                                        "permits", "types",   "warn", "budgets",
                                        "reading", "source",  NULL};
    const struct json *root;
    TRY(find_json(a, name, &root, st));
    TRY(json_only(a, root, names, st));
    struct profile *p = arena_new(a, struct profile, 1);
    p->file = root;
    const struct json *own = json_member(root, "profile");
    if (!own)
        return json_fail(a, root, st, "lacks 'profile'");
    TRY(json_string(a, own, &p->name, st));
    const struct json *extends = json_member(root, "extends");
    if (extends) {
        const char *base;
        TRY(json_string(a, extends, &base, st));
        if (depth == BASES_MAX)
            return json_fail(a, extends, st,
                             "profiles extend each other more than %d times",
                             BASES_MAX);
        if (!is_path(base)
            && !spec_file(arena_printf(a, "spec/profiles/%s.json", base)))
            return json_fail(a, extends, st, "unknown profile '%.80s'%s", base,
                             profile_hint(a, base));
        TRY(load(a, base, depth + 1, &p->base, st));
    }
    TRY(profile_read_choices(a, json_member(root, "choices"), &p->choices,
                             &p->choice_count, st));
    TRY(profile_read_choices(a, json_member(root, "permits"), &p->permits,
                             &p->permit_count, st));
    TRY(profile_read_types(a, json_member(root, "types"), p, st));
    TRY(profile_read_warns(a, json_member(root, "warn"), p, st));
    TRY(profile_read_budgets(a, json_member(root, "budgets"), p, st));
    settle(p);
    *profile = p;
    return true;
}

bool profile_load(struct arena *a, const char *name,
                  const struct profile **profile, struct status *st)
{
    TRY(spec_load(st));
    return load(a, name, 0, profile, st);
}

const char *const *profile_names(struct arena *a)
{
    static const char folder[] = "spec/profiles/";
    size_t n = 0, count = 1;
    for (const struct embed_file *f = embed_files; f->path; f++)
        count++;
    const char **names = arena_new(a, const char *, count);
    for (const struct embed_file *f = embed_files; f->path; f++) {
        if (strncmp(f->path, folder, sizeof folder - 1) != 0)
            continue;
        const char *name = f->path + sizeof folder - 1;
        names[n++] = arena_printf(a, "%.*s", (int)strcspn(name, "."), name);
    }
    return names;
}

const char *profile_hint(struct arena *a, const char *name)
{
    const char *const *names = profile_names(a);
    int n = 0;
    while (names[n])
        n++;
    return text_hint(arena_alloc(a, TEXT_HINT), name, names, n);
}

const char *profile_name(const struct profile *p)
{
    return p->name;
}

const struct json *profile_file(const struct profile *p, int i)
{
    while (p && (!p->file || i-- > 0))
        p = p->base;
    return p ? p->file : NULL;
}

/* ---- Questions ------------------------------------------------------- */

/* The choice of a policy in a list, or NULL. */
static const char *find_choice(const struct choice *list, int count,
                               const char *policy)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].policy, policy) == 0)
            return list[i].choice;
    return NULL;
}

/* The profile that chooses for the policy also decides what is permitted, so
 * its own choice replaces both. */
static const char *permit_of(const struct profile *p, const char *policy)
{
    for (; p; p = p->base) {
        const char *permit = find_choice(p->permits, p->permit_count, policy);
        if (permit)
            return permit;
        if (find_choice(p->choices, p->choice_count, policy))
            return NULL;
    }
    return NULL;
}

int profile_permits(struct arena *a, const struct profile *p,
                    const struct profile_permit **list)
{
    int count = 0, room = 0;
    for (const struct profile *q = p; q; q = q->base)
        room += q->permit_count;
    struct profile_permit *all =
        arena_new(a, struct profile_permit, (size_t)room + 1);
    *list = all;
    if (room == 0)
        return 0;
    for (const struct json *m = profile_read_policies(); m; m = m->next) {
        const char *policy = json_member(m, "name")->text;
        const char *permit = permit_of(p, policy);
        if (permit && strcmp(permit, profile_choice(p, policy)) != 0)
            all[count++] = (struct profile_permit){policy, permit};
    }
    return count;
}

const struct profile *profile_taking(struct arena *a, const struct profile *p,
                                     const struct profile_permit *list,
                                     int count)
{
    struct profile *own = arena_new(a, struct profile, 1);
    own->name = p->name;
    own->base = p;
    own->choices = arena_new(a, struct choice, (size_t)count + 1);
    own->choice_count = count;
    for (int i = 0; i < count; i++)
        own->choices[i] = (struct choice){list[i].policy, list[i].choice};
    settle(own);
    return own;
}

const struct profile *profile_flushing_results(struct arena *a,
                                               const struct profile *p)
{
    const unsigned both = ACCEPT_FLUSH_RESULTS | ACCEPT_FLUSH_OPERANDS;
    struct profile *own = arena_new(a, struct profile, 1);
    bool any = false;
    *own = *p;
    for (int t = 0; t < DT_COUNT; t++) {
        any = any || (p->rules[t].subnormal & both) == both;
        own->rules[t].subnormal &= ~(unsigned)ACCEPT_FLUSH_OPERANDS;
    }
    return any ? own : NULL;
}

const struct profile *profile_keeping_results(struct arena *a,
                                              const struct profile *p)
{
    struct profile *own = arena_new(a, struct profile, 1);
    *own = *p;
    for (int t = 0; t < DT_COUNT; t++)
        own->rules[t].subnormal &= ~(unsigned)ACCEPT_FLUSH_RESULTS;
    return own;
}

bool profile_with(struct arena *a, const struct profile *p,
                  const struct json *choices, const struct profile **with,
                  struct status *st)
{
    *with = p;
    if (!choices)
        return true;
    struct profile *own = arena_new(a, struct profile, 1);
    own->name = p->name;
    own->base = p;
    *with = own;
    if (choices->kind != JSON_ARRAY)
        TRY(profile_read_choices(a, choices, &own->choices, &own->choice_count,
                                 st));
    settle(own);
    if (choices->kind != JSON_ARRAY)
        return true;
    /* A list only names what the case depends on. */
    for (const struct json *c = choices->child; c; c = c->next) {
        const char *name;
        TRY(json_string(a, c, &name, st));
        if (!profile_read_policy(name))
            return json_fail(a, c, st, "unknown policy '%.80s'", name);
    }
    return true;
}

/* Does text match pattern, in which * stands for any text? */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *from = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            from = text;
        } else if (*pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++from;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

/* A budget's complex type stands for its unit type in a complex class. */
static bool has_type(const struct budget *b, const char *accuracy,
                     enum dtype type)
{
    if (b->all || b->types >> type & 1)
        return true;
    size_t n = strlen(accuracy);
    if (n < 8 || strcmp(accuracy + n - 8, ".complex") != 0)
        return false;
    for (int t = 0; t < DT_COUNT; t++)
        if (b->types >> t & 1 && dtype_class((enum dtype)t) == DTYPE_COMPLEX
            && dtype_unit((enum dtype)t) == type)
            return true;
    return false;
}

/* The n-th entry that is for a class and type, with a domain or without. */
static const struct budget *find_budget(const struct profile *p,
                                        const char *accuracy, enum dtype type,
                                        int n)
{
    static const struct budget rounded = {.budget = {.kind = ACCEPT_CR}};
    for (; p; p = p->base)
        for (int i = 0; i < p->budget_count; i++) {
            const struct budget *b = &p->budgets[i];
            if (matches(b->class, accuracy) && has_type(b, accuracy, type)
                && n-- == 0)
                return b;
        }
    return &rounded;
}

const struct accept_budget *profile_budget(const struct profile *p,
                                           const char *accuracy,
                                           enum dtype type, const char **source)
{
    const struct budget *b;
    int n = 0;
    do {
        b = find_budget(p, accuracy, type, n++);
    } while (b->has_domain);
    if (source)
        *source = b->source;
    return &b->budget;
}

bool profile_has_domains(const struct profile *p, const char *accuracy,
                         enum dtype type)
{
    return find_budget(p, accuracy, type, 0)->has_domain;
}

const struct accept_budget *
profile_budget_at(const struct profile *p, const char *accuracy,
                  enum dtype type, const struct profile_element *element)
{
    const struct budget *b;
    int n = 0;
    do {
        b = find_budget(p, accuracy, type, n++);
    } while (b->has_domain && !profile_domain_has(&b->domain, element));
    return &b->budget;
}

const struct accept_budget *
profile_budget_nth(const struct profile *p, const char *accuracy,
                   enum dtype type, int n, const struct profile_domain **domain)
{
    for (int i = 0; i < n; i++)
        if (!find_budget(p, accuracy, type, i)->has_domain)
            return NULL;
    const struct budget *b = find_budget(p, accuracy, type, n);
    if (domain)
        *domain = b->has_domain ? &b->domain : NULL;
    return &b->budget;
}

const char *profile_choice(const struct profile *p, const char *policy)
{
    int i = policy_find(policy);
    return i >= 0 ? policy_choice_name(i, p->chosen[i]) : NULL;
}

/* gen/policy/NAME.h */
#define POLICY(NAME, name, text) \
    enum name profile_##name(const struct profile *p) \
    { \
        return (enum name)p->chosen[POLICY_##NAME]; \
    }
#include "gen/policies.def"

static void settle_numbers(struct accept_rules *rules, const struct profile *p)
{
    if (profile_zero_sign_is_either(p))
        rules->zero_any_sign = true;
    if (profile_underflow_is_zero(p))
        rules->underflow = rules->subnormal & ACCEPT_FLUSH_RESULTS;
    if (profile_faithful_overflow_is_neighbours(p))
        rules->neighbours = true;
    if (profile_tie_precision_1_is_either(p))
        rules->tie_either = true;
}

struct accept_rules profile_rules(const struct profile *p, enum dtype type)
{
    struct accept_rules rules = {.overflow = REAL_OVERFLOW_TYPE,
                                 .subnormal = p->rules[type].subnormal,
                                 .nan = p->rules[type].nan};
    bool bounded = dtype_class(type) == DTYPE_FLOAT && !real_has_inf(type);
    if (bounded && profile_convert_overflow_is_saturate(p))
        rules.overflow = REAL_OVERFLOW_SATURATE;
    settle_numbers(&rules, p);
    return rules;
}

bool profile_warns(const struct profile *p, const char *what)
{
    while (p && !p->has_warns)
        p = p->base;
    for (int i = 0; p && i < p->warn_count; i++)
        if (strcmp(p->warns[i], what) == 0)
            return true;
    return false;
}
