/* profile_read.c - the members of a profile's file.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Tests: test_profile.c.
 */
#include <mpfr.h>
#include <string.h>

#include "interp/specification/profile_private.h"
#include "interp/specification/spec.h"

enum {
    NUMBER_MAX = 60, /* characters of a number */
    NUMBER_BITS = 128
};

/* ---- Policies ------------------------------------------------------------ */

const struct json *profile_read_policies(void)
{
    const struct json *list =
        json_member(spec_file("spec/policies.json"), "policies");
    return list ? list->child : NULL;
}

const struct json *profile_read_policy(const char *name)
{
    for (const struct json *p = profile_read_policies(); p; p = p->next)
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

bool profile_read_choices(struct arena *a, const struct json *node,
                          struct choice **list, int *count, struct status *st)
{
    if (!node)
        return true;
    if (node->kind != JSON_OBJECT)
        return json_fail(a, node, st, "expected an object of choices");
    *list = arena_new(a, struct choice, (size_t)node->count);
    for (const struct json *m = node->child; m; m = m->next) {
        struct choice *c = &(*list)[(*count)++];
        const struct json *policy = profile_read_policy(m->key);
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

/* ---- Types --------------------------------------------------------------- */

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

bool profile_read_types(struct arena *a, const struct json *node,
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

/* ---- Budgets ------------------------------------------------------------- */

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

bool profile_read_is_number(const struct json *node, bool negative)
{
    return (node->kind == JSON_STRING || node->kind == JSON_NUMBER)
           && node->length <= NUMBER_MAX
           && is_decimal(node->text + (negative && *node->text == '-'));
}

/* Read a number of a budget, exactly or truncated (real.h). */
static bool read_number(struct arena *a, const struct json *object,
                        const char *name, struct real *to, struct status *st)
{
    const struct json *node = json_member(object, name);
    if (!node)
        return true;
    if (!profile_read_is_number(node, false))
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
    static const char *const names[] = {"class",  "types", "budget", "if",
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
    const struct json *domain = json_member(node, "if");
    b->has_domain = domain != NULL;
    if (domain)
        TRY(profile_domain_read(a, domain, b->class, &b->domain, st));
    const struct json *source = json_member(node, "source");
    return !source || json_string(a, source, &b->source, st);
}

bool profile_read_budgets(struct arena *a, const struct json *node,
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

bool profile_read_warns(struct arena *a, const struct json *node,
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
