/* profile.c - see profile.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A profile keeps only what its own file says, and its base.  A question goes
 * from the profile to its base, to that one's base, and so on, until one of
 * them answers.
 */
#include "interp/program/profile.h"

#include <assert.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/embed.h"
#include "interp/base/limits.h"
#include "interp/base/text.h"
#include "interp/program/spec.h"

enum {
    BASES_MAX = 16,
    NUMBER_MAX = 60, /* characters of a number */
    NUMBER_BITS = 128
};

struct choice {
    const char *policy, *choice;
};

/* Rules of one type, or of all. */
struct type_rules {
    bool all;
    enum dtype type;
    bool has_subnormal, has_nan;
    unsigned subnormal;
    enum accept_nan nan;
};

struct budget {
    const char *class; /* * stands for any text */
    bool all;
    uint64_t types;
    struct accept_budget budget;
    const char *source;
};

struct profile {
    const char *name;
    const struct profile *base; /* or NULL */
    int choice_count, type_count, budget_count, warn_count;
    struct choice *choices;
    struct type_rules *types;
    struct budget *budgets;
    const char **warns;
    bool has_warns;
};

/* ---- Policies
 * ---------------------------------------------------------------- */

static const struct json *find_policy(const char *name)
{
    const struct json *list =
        json_member(spec_file("spec/policies.json"), "policies");
    if (list)
        for (const struct json *p = list->child; p; p = p->next)
            if (json_is_string(json_member(p, "name"), name))
                return p;
    return NULL;
}

static const struct json *find_choice(const struct json *policy,
                                      const char *name)
{
    const struct json *list = json_member(policy, "choices");
    if (list)
        for (const struct json *c = list->child; c; c = c->next)
            if (json_is_string(json_member(c, "name"), name))
                return c;
    return NULL;
}

bool profile_is_policy(const char *policy)
{
    struct status st = {STATUS_OK};
    return spec_load(&st) && find_policy(policy) != NULL;
}

static bool read_choices(struct arena *a, const struct json *node,
                         struct profile *p, struct status *st)
{
    if (!node)
        return true;
    if (node->kind != JSON_OBJECT)
        return json_fail(a, node, st, "expected an object of choices");
    p->choices = arena_new(a, struct choice, (size_t)node->count);
    for (const struct json *m = node->child; m; m = m->next) {
        struct choice *c = &p->choices[p->choice_count++];
        const struct json *policy = find_policy(m->key);
        c->policy = m->key;
        TRY(json_string(a, m, &c->choice, st));
        if (!policy)
            return json_fail(a, m, st, "unknown policy '%.80s'", m->key);
        if (!find_choice(policy, c->choice))
            return json_fail(a, m, st, "policy '%.80s' has no choice '%.80s'",
                             m->key, c->choice);
    }
    return true;
}

/* ---- Types
 * ------------------------------------------------------------------- */

static bool read_type_name(struct arena *a, const struct json *at,
                           const char *name, bool *all, enum dtype *type,
                           struct status *st)
{
    *all = strcmp(name, "*") == 0;
    if (!*all && !dtype_parse(name, strlen(name), type))
        return json_fail(a, at, st, "unknown element type '%.40s'", name);
    return true;
}

static bool read_subnormal(struct arena *a, const struct json *node,
                           struct type_rules *t, struct status *st)
{
    static const struct {
        const char *name;
        unsigned bits;
    } names[] = {
        {"flush-results", ACCEPT_FLUSH_RESULTS},
        {"flush-operands", ACCEPT_FLUSH_OPERANDS},
        {"any-sign", ACCEPT_FLUSH_ANY_SIGN},
    };
    enum {
        COUNT = sizeof names / sizeof *names
    };
    t->has_subnormal = true;
    if (node->kind != JSON_ARRAY)
        return json_fail(a, node, st, "expected a list");
    for (const struct json *c = node->child; c; c = c->next) {
        int i = 0;
        while (i < COUNT && !json_is_string(c, names[i].name))
            i++;
        if (i == COUNT)
            return json_fail(a, c, st,
                             "expected 'flush-results', 'flush-operands' or "
                             "'any-sign'");
        t->subnormal |= names[i].bits;
    }
    return true;
}

static bool read_nan(struct arena *a, const struct json *node,
                     struct type_rules *t, struct status *st)
{
    static const char *const names[] = {
        [ACCEPT_NAN_ANY] = "any",
        [ACCEPT_NAN_QUIET] = "quiet",
        [ACCEPT_NAN_CANONICAL] = "canonical",
        [ACCEPT_NAN_PAYLOAD] = "payload",
    };
    t->has_nan = true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_is_string(node, names[i])) {
            t->nan = (enum accept_nan)i;
            return true;
        }
    return json_fail(a, node, st,
                     "expected 'any', 'quiet', 'canonical' or 'payload'");
}

static bool read_types(struct arena *a, const struct json *node,
                       struct profile *p, struct status *st)
{
    static const char *const names[] = {"subnormal", "nan", NULL};
    if (!node)
        return true;
    if (node->kind != JSON_OBJECT)
        return json_fail(a, node, st, "expected an object of types");
    p->types = arena_new(a, struct type_rules, (size_t)node->count);
    for (const struct json *m = node->child; m; m = m->next) {
        struct type_rules *t = &p->types[p->type_count++];
        TRY(read_type_name(a, m, m->key, &t->all, &t->type, st));
        TRY(json_only(a, m, names, st));
        const struct json *n = json_member(m, "subnormal");
        if (n)
            TRY(read_subnormal(a, n, t, st));
        n = json_member(m, "nan");
        if (n)
            TRY(read_nan(a, n, t, st));
    }
    return true;
}

/* ---- Budgets
 * ----------------------------------------------------------------- */

/* Is text a decimal number that is not negative? */
static bool is_decimal(const char *text)
{
    static const char digits[] = "0123456789";
    size_t n = strspn(text, digits);
    if (n == 0)
        return false;
    text += n;
    if (*text == '.') {
        n = strspn(text + 1, digits);
        if (n == 0)
            return false;
        text += 1 + n;
    }
    if (*text == 'e' || *text == 'E') {
        text++;
        text += *text == '+' || *text == '-';
        n = strspn(text, digits);
        if (n == 0 || n > 4)
            return false;
        text += n;
    }
    return *text == '\0';
}

/* Read a number of a budget, exactly or truncated (real.h). */
static bool read_number(struct arena *a, const struct json *object,
                        const char *name, struct real *to, struct status *st)
{
    const struct json *node = json_member(object, name);
    if (!node)
        return true;
    if ((node->kind != JSON_STRING && node->kind != JSON_NUMBER)
        || node->length > NUMBER_MAX || !is_decimal(node->text))
        return json_fail(a, node, st,
                         "expected a decimal number that is not negative");
    mp_limb_t limbs[NUMBER_BITS / (8 * sizeof(mp_limb_t))];
    mpfr_t x;
    mpfr_custom_init(limbs, NUMBER_BITS);
    mpfr_custom_init_set(x, MPFR_ZERO_KIND, 0, NUMBER_BITS, limbs);
    char *end;
    int ternary = mpfr_strtofr(x, node->text, &end, 10, MPFR_RNDZ);
    *to = real_from_mpfr(x, ternary);
    return true;
}

static bool read_kind(struct arena *a, const struct json *object,
                      enum accept_kind *kind, struct status *st)
{
    static const char *const names[] = {
        [ACCEPT_EXACT] = "exact",       [ACCEPT_CR] = "cr",
        [ACCEPT_FAITHFUL] = "faithful", [ACCEPT_ULP] = "ulp",
        [ACCEPT_XLA] = "xla",           [ACCEPT_ANY] = "any",
    };
    const struct json *node = json_member(object, "kind");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_is_string(node, names[i])) {
            *kind = (enum accept_kind)i;
            return true;
        }
    return json_fail(a, node ? node : object, st,
                     "expected a kind: 'exact', 'cr', 'faithful', 'ulp', "
                     "'xla' or 'any'");
}

static bool read_budget_types(struct arena *a, const struct json *list,
                              struct budget *b, struct status *st)
{
    if (!list || list->kind != JSON_ARRAY)
        return json_fail(a, list, st, "expected a list of types");
    for (const struct json *c = list->child; c; c = c->next) {
        const char *name;
        bool all;
        enum dtype type = DT_pred;
        TRY(json_string(a, c, &name, st));
        TRY(read_type_name(a, c, name, &all, &type, st));
        b->all |= all;
        if (!all)
            b->types |= UINT64_C(1) << type;
    }
    return true;
}

static bool read_budget(struct arena *a, const struct json *node,
                        struct budget *b, struct status *st)
{
    static const char *const names[] = {"class",  "types", "budget",
                                        "source", "text",  NULL};
    static const char *const parts[] = {"kind", "ulps", "abs", "rel", NULL};
    TRY(json_only(a, node, names, st));
    const struct json *class = json_member(node, "class");
    const struct json *types = json_member(node, "types");
    const struct json *budget = json_member(node, "budget");
    if (!class || !budget || !types)
        return json_fail(a, node, st, "lacks 'class', 'types' or 'budget'");
    TRY(json_string(a, class, &b->class, st));
    TRY(read_budget_types(a, types, b, st));
    TRY(json_only(a, budget, parts, st));
    TRY(read_kind(a, budget, &b->budget.kind, st));
    TRY(read_number(a, budget, "ulps", &b->budget.ulps, st));
    TRY(read_number(a, budget, "abs", &b->budget.abs, st));
    TRY(read_number(a, budget, "rel", &b->budget.rel, st));
    const struct json *source = json_member(node, "source");
    return !source || json_string(a, source, &b->source, st);
}

static bool read_budgets(struct arena *a, const struct json *node,
                         struct profile *p, struct status *st)
{
    if (!node)
        return true;
    if (node->kind != JSON_ARRAY)
        return json_fail(a, node, st, "expected a list of budgets");
    p->budgets = arena_new(a, struct budget, (size_t)node->count);
    for (const struct json *c = node->child; c; c = c->next)
        TRY(read_budget(a, c, &p->budgets[p->budget_count++], st));
    return true;
}

static bool read_warns(struct arena *a, const struct json *node,
                       struct profile *p, struct status *st)
{
    if (!node)
        return true;
    if (node->kind != JSON_ARRAY)
        return json_fail(a, node, st, "expected a list of remarks");
    p->has_warns = true;
    p->warns = arena_new(a, const char *, (size_t)node->count);
    for (const struct json *c = node->child; c; c = c->next)
        TRY(json_string(a, c, &p->warns[p->warn_count++], st));
    return true;
}

/* ---- Loading
 * ----------------------------------------------------------------- */

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
        return json_read(a, arena_printf(a, "%s", name),
                         (size_t)limits.file_bytes, root, st);
    *root = spec_file(arena_printf(a, "spec/profiles/%s.json", name));
    if (!*root)
        return FAIL(st, INPUT, "there is no profile '%.80s'%s", name,
                    profile_hint((char[TEXT_HINT]){0}, name));
    return true;
}

static bool load(struct arena *a, const char *name, int depth,
                 const struct profile **profile, struct status *st)
{
    static const char *const names[] = {"profile", "extends", "text",
                                        "choices", "types",   "warn",
                                        "budgets", "source",  NULL};
    const struct json *root;
    TRY(find_json(a, name, &root, st));
    TRY(json_only(a, root, names, st));
    struct profile *p = arena_new(a, struct profile, 1);
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
            return json_fail(a, extends, st, "there is no profile '%.80s'%s",
                             base, profile_hint((char[TEXT_HINT]){0}, base));
        TRY(load(a, base, depth + 1, &p->base, st));
    }
    TRY(read_choices(a, json_member(root, "choices"), p, st));
    TRY(read_types(a, json_member(root, "types"), p, st));
    TRY(read_warns(a, json_member(root, "warn"), p, st));
    TRY(read_budgets(a, json_member(root, "budgets"), p, st));
    *profile = p;
    return true;
}

bool profile_load(struct arena *a, const char *name,
                  const struct profile **profile, struct status *st)
{
    TRY(spec_load(st));
    return load(a, name, 0, profile, st);
}

const char *const *profile_names(void)
{
    static const char folder[] = "spec/profiles/";
    static const char *names[64];
    static char text[4096];
    size_t n = 0, used = 0;
    if (names[0])
        return names;
    for (const struct embed_file *f = embed_files; f->path; f++) {
        if (strncmp(f->path, folder, sizeof folder - 1) != 0)
            continue;
        const char *name = f->path + sizeof folder - 1;
        size_t length = strcspn(name, ".");
        if (n == 63 || used + length + 1 > sizeof text)
            break;
        memcpy(text + used, name, length);
        names[n++] = text + used;
        used += length + 1;
    }
    return names;
}

const char *profile_hint(char *to, const char *name)
{
    const char *const *names = profile_names();
    int n = 0;
    while (names[n])
        n++;
    return text_hint(to, name, names, n);
}

const char *profile_name(const struct profile *p)
{
    return p->name;
}

/* ---- Questions
 * --------------------------------------------------------------- */

const char *profile_choice(const struct profile *p, const char *policy)
{
    for (; p; p = p->base)
        for (int i = 0; i < p->choice_count; i++)
            if (strcmp(p->choices[i].policy, policy) == 0)
                return p->choices[i].choice;
    /* No profile says anything: the first choice is the specification's. */
    const struct json *found = find_policy(policy);
    assert(found && "a policy is not in spec/policies.json");
    const struct json *first = json_at(json_member(found, "choices"), 0);
    return first ? json_member(first, "name")->text : "";
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
        return read_choices(a, choices, own, st);
    /* A list only names what the case depends on. */
    for (const struct json *c = choices->child; c; c = c->next) {
        const char *name;
        TRY(json_string(a, c, &name, st));
        if (!find_policy(name))
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

const struct accept_budget *profile_budget(const struct profile *p,
                                           const char *accuracy,
                                           enum dtype type, const char **source)
{
    static const struct accept_budget rounded = {.kind = ACCEPT_CR};
    if (source)
        *source = NULL;
    for (; p; p = p->base)
        for (int i = 0; i < p->budget_count; i++) {
            const struct budget *b = &p->budgets[i];
            if (!matches(b->class, accuracy) || !has_type(b, accuracy, type))
                continue;
            if (source)
                *source = b->source;
            return &b->budget;
        }
    return &rounded;
}

/* Fill in what is still open from rules that are for this type, or for all. */
static void fill_rules(const struct profile *p, enum dtype type, bool all,
                       struct accept_rules *rules, bool *subnormal, bool *nan)
{
    for (int i = 0; i < p->type_count; i++) {
        const struct type_rules *t = &p->types[i];
        if (t->all != all || (!all && t->type != type))
            continue;
        if (t->has_subnormal && !*subnormal) {
            rules->subnormal = t->subnormal;
            *subnormal = true;
        }
        if (t->has_nan && !*nan) {
            rules->nan = t->nan;
            *nan = true;
        }
    }
}

static bool chooses(const struct profile *p, const char *policy,
                    const char *choice)
{
    return strcmp(profile_choice(p, policy), choice) == 0;
}

struct accept_rules profile_rules(const struct profile *p, enum dtype type)
{
    struct accept_rules rules = {.overflow = REAL_OVERFLOW_TYPE};
    bool subnormal = false, nan = false;
    for (const struct profile *q = p; q; q = q->base) {
        fill_rules(q, type, false, &rules, &subnormal, &nan);
        fill_rules(q, type, true, &rules, &subnormal, &nan);
    }
    if (chooses(p, "convert.overflow", "saturate"))
        rules.overflow = REAL_OVERFLOW_SATURATE;
    rules.zero_any_sign = chooses(p, "zero.sign", "either");
    rules.underflow = chooses(p, "underflow", "zero");
    rules.neighbours = chooses(p, "faithful-overflow", "neighbours");
    rules.tie_either = chooses(p, "tie.precision-1", "either");
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
