/* identity.c - see identity.h.  Tests: identity.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/store/identity.h"

#include <string.h>

#include "interp/base/embed.h"
#include "runner/store/store_private.h"

static const struct {
    const char *key, *label;
} rows[IDENTITY_COUNT] = {
#define IDENTITY(name, key, label) {key, label},
#include "runner/store/identity.def"
#undef IDENTITY
};

const char *identity_key(enum identity_member m)
{
    return rows[m].key;
}

const char *identity_label(enum identity_member m)
{
    return rows[m].label;
}

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

enum identity_member identity_differs(const struct identity *a,
                                      const struct identity *b,
                                      enum identity_member m)
{
    int i = (int)m;
    while (i < IDENTITY_COUNT && same(a->value[i], b->value[i]))
        i++;
    return (enum identity_member)i;
}

const char *identity_value(const struct identity *i, enum identity_member m)
{
    const char *value = i->value[m];
    return !value ? "not recorded" : *value ? value : "none";
}

const char *identity_suite_version(struct arena *a, const char *digest)
{
    const struct embed_file *lock = embed_find("spec/suites.lock");
    const char *at =
        lock && digest && *digest ? strstr(lock->text, digest) : NULL;
    if (!at || at == lock->text || at[-1] != ' ')
        return NULL;
    const char *end = at - 1, *line = end;
    while (line > lock->text && line[-1] != '\n')
        line--;
    return arena_printf(a, "%.*s", (int)(end - line), line);
}

/* The first digits of one or several digests. */
static const char *cut(struct arena *a, const char *digests)
{
    const char *text = "";
    while (*digests) {
        int n = (int)strcspn(digests, " ");
        text = arena_printf(a, "%s%s%.*s", text, *text ? " " : "",
                            n < 12 ? n : 12, digests);
        digests += n + (int)strspn(digests + n, " ");
    }
    return text;
}

/* "1.0 (sha256 8623b67a6c0a)", or only the digest of one that was never
 * released. */
static const char *suite_text(struct arena *a, const struct identity *i)
{
    const char *digest = i->value[IDENTITY_SUITE];
    const char *version = identity_suite_version(a, digest);
    if (version)
        return arena_printf(a, "%s (sha256 %s)", version, cut(a, digest));
    return arena_printf(
        a, "%s%s", cut(a, digest),
        same(i->value[IDENTITY_SHIPPED], "no") ? " (not the shipped one)" : "");
}

const char *identity_line(struct arena *a, const struct identity *i)
{
    /* A digest follows what it belongs to, in parentheses. */
    static const struct {
        int name, digest;
    } shown[] = {{IDENTITY_SUITE, -1},
                 {IDENTITY_BACKEND, IDENTITY_FILE},
                 {IDENTITY_VERSION, -1},
                 {IDENTITY_OPTIONS, -1},
                 {IDENTITY_PROFILE, IDENTITY_PROFILE_FILE},
                 {IDENTITY_TIER, -1},
                 {IDENTITY_FILTER, -1},
                 {IDENTITY_FORMS, -1},
                 {IDENTITY_EXPECTED, IDENTITY_EXPECTED_FILE},
                 {IDENTITY_SANDBOX, -1}};
    const char *text = NULL;
    for (size_t k = 0; k < sizeof shown / sizeof shown[0]; k++) {
        const char *name = i->value[shown[k].name];
        const char *digest =
            shown[k].digest < 0 ? NULL : i->value[shown[k].digest];
        if (!name || !*name)
            continue;
        if (shown[k].name == IDENTITY_SUITE)
            name = suite_text(a, i);
        if (digest && *digest)
            name = arena_printf(a, "%s (sha256 %s)", name, cut(a, digest));
        text = arena_printf(a, "%s%s%s %s", text ? text : "", text ? "; " : "",
                            rows[shown[k].name].label, name);
    }
    return text ? text : "not recorded";
}

bool identity_write(struct store *s, int64_t run, const struct identity *i,
                    struct status *st)
{
    for (int m = 0; m < IDENTITY_COUNT; m++)
        if (i->value[m])
            TRY(store_once(s,
                           "INSERT INTO identity (member, value, run)"
                           " VALUES (?,?,?)",
                           2, (const char *[]){rows[m].key, i->value[m]}, 1,
                           &run, NULL, st));
    return true;
}

bool identity_read(struct store *s, struct arena *a, int64_t run,
                   struct identity *i, struct status *st)
{
    *i = (struct identity){{NULL}};
    sqlite3_stmt *q = store_prepare(
        s, "SELECT member, value FROM identity WHERE run = ?", st);
    if (!q)
        return false;
    sqlite3_bind_int64(q, 1, run);
    int rc;
    while ((rc = sqlite3_step(q)) == SQLITE_ROW) {
        const char *key = (const char *)sqlite3_column_text(q, 0);
        const char *value = (const char *)sqlite3_column_text(q, 1);
        for (int m = 0; key && value && m < IDENTITY_COUNT; m++)
            if (strcmp(rows[m].key, key) == 0)
                i->value[m] = arena_text(a, value);
    }
    sqlite3_finalize(q);
    return rc == SQLITE_DONE || store_sql_fail(s, "reading an identity", st);
}
