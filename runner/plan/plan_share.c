/* plan_share.c - see plan_share.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/plan_share.h"

#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/base/hash.h"

struct member {
    bool by_type;
    int64_t of; /* 0: of no rule */
    uint64_t key;
};

static bool matches(const struct json *rule, const char *name)
{
    const struct json *globs = json_member(rule, "cases");
    for (const struct json *g = globs ? globs->child : NULL; g; g = g->next)
        if (glob_match(g->text, name))
            return true;
    return false;
}

static uint64_t hash_of(const char *text, size_t length)
{
    struct hash h = {{11, 12}};
    hash_bytes(&h, text, length);
    return h.h[0] ^ h.h[1];
}

/* The same for all that differ in the type only. */
static uint64_t key_by_type(const char *name)
{
    const char *type = strchr(name, '@');
    while (type && strncmp(type + 1, "T=", 2) != 0)
        type = strchr(type + 1, ',');
    if (!type)
        return hash_of(name, strlen(name));
    type++;
    const char *rest = type + strcspn(type, ",");
    return hash_of(name, (size_t)(type - name)) * 31
           + hash_of(rest, strlen(rest));
}

/* One of `of` consecutive numbers, by operation, is divisible by it. */
static uint64_t key_by_operation(const char *name)
{
    size_t n = strcspn(name, "/");
    return hash_of(name, n) + hash_of(name + n, strlen(name + n));
}

/* By the first rule that names it. */
static struct member member_of(const struct json *rules, const char *name)
{
    for (const struct json *r = rules->child; r; r = r->next) {
        if (!matches(r, name))
            continue;
        struct member m = {.of = strtol(json_member(r, "of")->text, NULL, 10)};
        m.by_type = json_is_string(json_member(r, "by"), "type");
        m.key = m.by_type ? key_by_type(name) : key_by_operation(name);
        return m;
    }
    return (struct member){0};
}

static bool stays(const struct member *of, int64_t count, int64_t i)
{
    const struct member *m = &of[i];
    if (!m->by_type)
        return m->of == 0 || m->key % (uint64_t)m->of == 0;
    int64_t before = 0, all = 0;
    for (int64_t k = 0; k < count; k++)
        if (of[k].by_type && of[k].key == m->key) {
            before += k < i;
            all++;
        }
    uint64_t turns = (uint64_t)(all < m->of ? all : m->of);
    return (uint64_t)before % (uint64_t)m->of == m->key % turns;
}

int64_t plan_share(struct arena *a, const struct json *rules,
                   const struct plan_names *kept, int64_t count,
                   struct plan_case *cases)
{
    struct member *of = arena_new(a, struct member, (size_t)count + 1);
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++)
        if (!cases[i].form)
            of[i] = member_of(rules, cases[i].stub->name);
    for (int64_t i = 0; i < count; i++)
        if (stays(of, count, i)
            || (kept->count > 0 && plan_names_has(kept, cases[i].stub->name)))
            cases[left++] = cases[i];
    return left;
}
