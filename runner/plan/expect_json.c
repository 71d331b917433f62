/* expect_json.c - see expect.h: expectations as `assay expect` writes them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "interp/base/glob.h"
#include "interp/base/json.h"
#include "interp/base/text.h"
#include "interp/deviation/deviation_pair.h"
#include "interp/exact/real.h"
#include "runner/plan/expect.h"

enum {
    KIND_BYTES = 128
};

static bool need(struct arena *a, const struct json *node, const char *key,
                 const char **text, struct status *st)
{
    const struct json *member = json_member(node, key);
    if (!member)
        return json_fail(a, node, st, "lacks '%s'", key);
    TRY(json_string(a, member, text, st));
    return **text || json_fail(a, member, st, "'%s' is empty", key);
}

/* A size, if it is there; it says the nature as well. */
static bool read_size(struct arena *a, const struct json *node, const char *key,
                      enum verdict_nature nature, int64_t *micro,
                      struct expect_line *to, struct status *st)
{
    const struct json *size = json_member(node, key);
    if (!size)
        return true;
    if (size->kind != JSON_NUMBER
        || !expect_size_parse(size->text, size->length, micro))
        return json_fail(a, size, st,
                         "'%s' must be a number with at most six decimals",
                         key);
    if (*micro >= REAL_ERROR_MAX)
        return json_fail(a, size, st, "'%s': %s", key, EXPECT_UNMEASURED);
    to->natures |= 1U << nature;
    return true;
}

/* "error,zero-sign" into bits. */
static bool read_natures(struct arena *a, const struct json *node,
                         const char *text, unsigned *natures, struct status *st)
{
    const char *names[VERDICT_NATURES];
    for (int i = 0; i < VERDICT_NATURES; i++)
        names[i] = verdict_nature_name((enum verdict_nature)i);
    for (*natures = 0;; text++) {
        size_t n = strcspn(text, ",");
        const char *name = arena_printf(a, "%.*s", (int)n, text);
        enum verdict_nature nature = verdict_nature_find(name);
        char hint[TEXT_HINT];
        if (nature == VERDICT_NATURES)
            return json_fail(a, node, st, "unknown nature '%.40s'%s", name,
                             text_hint(hint, name, names, VERDICT_NATURES));
        *natures |= 1U << nature;
        text += n;
        if (*text == '\0')
            return true;
    }
}

static bool read_nature(struct arena *a, const struct json *node,
                        struct expect_line *to, struct status *st)
{
    const struct json *nature = json_member(node, "nature");
    const char *text;
    if (nature) {
        TRY(json_string(a, nature, &text, st));
        TRY(read_natures(a, nature, text, &to->natures, st));
    }
    TRY(read_size(a, node, "ulps", VERDICT_NATURE_ERROR, &to->ulps, to, st));
    TRY(read_size(a, node, "bounds", VERDICT_NATURE_SUM, &to->bounds, to, st));
    return !to->natures || to->statuses & 1U << VERDICT_FAIL
           || json_fail(a, node, st,
                        "only the kind 'fail' has a nature or a size");
}

/* The deviation must exist; in which operation it applies is the run's to say.
 */
static bool read_cause(struct arena *a, const struct json *node,
                       struct expect_line *to, struct status *st)
{
    const struct json *cause = json_member(node, "cause");
    const struct deviation_table *table;
    struct deviation_pair pair;
    struct status why = {0};
    if (!cause)
        return true;
    TRY(json_string(a, cause, &to->cause, st));
    TRY(deviation_read(a, &table, st));
    if (!deviation_pair_find(a, table, to->cause, &pair, &why))
        return json_fail(a, cause, st, "%.200s", why.text);
    return to->statuses & 1U << VERDICT_FAIL
           || json_fail(a, cause, st, "only the kind 'fail' has a cause");
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

/* "2026-12-31"; its day is over when the next one has begun, in UTC. */
static bool read_until(struct arena *a, const struct json *node,
                       struct expect_line *to, struct status *st)
{
    const struct json *until = json_member(node, "until");
    int year, month, day, n = 0;
    char today[32];
    time_t now = time(NULL);
    struct tm utc;
    if (!until)
        return true;
    TRY(json_string(a, until, &to->until, st));
    if (sscanf(to->until, "%4d-%2d-%2d%n", &year, &month, &day, &n) != 3
        || n != 10 || to->until[n] || year < 1 || month < 1 || month > 12
        || day < 1 || day > days_of(year, month))
        return json_fail(a, until, st,
                         "expected a date, YYYY-MM-DD, got '%.40s'", to->until);
    gmtime_r(&now, &utc);
    strftime(today, sizeof today, "%Y-%m-%d", &utc);
    to->expired = strcmp(today, to->until) > 0;
    return true;
}

static bool check_glob(struct arena *a, const struct json *node,
                       const char *glob, struct status *st)
{
    return glob_allowed(glob) || json_fail(a, node, st, "%s", GLOB_LIMITS);
}

static bool read_versions(struct arena *a, const struct json *node,
                          struct expect_line *to, struct status *st)
{
    const struct json *list = json_member(node, "versions");
    if (!list)
        return true;
    if (list->kind != JSON_ARRAY || list->count == 0)
        return json_fail(a, list, st, "'versions' must be a list of strings");
    to->versions = arena_new(a, const char *, (size_t)list->count);
    for (const struct json *v = list->child; v; v = v->next) {
        const char **glob = &to->versions[to->version_count++];
        TRY(json_string(a, v, glob, st) && check_glob(a, v, *glob, st));
    }
    return true;
}

/* Texts that may be there. */
static bool read_texts(struct arena *a, const struct json *node,
                       struct expect_line *to, struct status *st)
{
    const struct {
        const char *key;
        const char **to;
    } texts[] = {{"reference", &to->reference},
                 {"url", &to->url},
                 {"owner", &to->owner},
                 {"note", &to->note},
                 {"message", &to->message}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct json *m = json_member(node, texts[i].key);
        if (m)
            TRY(json_string(a, m, texts[i].to, st));
    }
    if (to->url && strncmp(to->url, "https://", 8) != 0
        && strncmp(to->url, "http://", 7) != 0)
        return json_fail(a, json_member(node, "url"), st,
                         "expected an address that begins with https://");
    if (to->message && strlen(to->message) > TEXT_CLASS)
        return json_fail(a, json_member(node, "message"), st,
                         "expected at most %d bytes", (int)TEXT_CLASS);
    return true;
}

static bool read_entry(struct arena *a, const char *path,
                       const struct json *node, struct expect_line *to,
                       struct status *st)
{
    static const char *const members[] = {
        "pattern", "kind",   "nature",    "ulps",    "bounds",
        "cause",   "reason", "reference", "until",   "versions",
        "url",     "owner",  "note",      "message", NULL};
    const char *kind;
    char text[KIND_BYTES];
    TRY(json_only(a, node, members, st));
    TRY(need(a, node, "pattern", &to->glob, st)
        && check_glob(a, json_member(node, "pattern"), to->glob, st));
    TRY(need(a, node, "kind", &kind, st));
    TRY(need(a, node, "reason", &to->reason, st));
    TRY(read_texts(a, node, to, st) && read_until(a, node, to, st)
        && read_versions(a, node, to, st));
    to->line = node->line;
    snprintf(text, sizeof text, "%s", kind);
    if (!expect_statuses(path, text, to, st)) {
        json_place(a, json_member(node, "kind"), st);
        return false;
    }
    return read_nature(a, node, to, st) && read_cause(a, node, to, st);
}

bool expect_json(struct arena *a, const char *path, const char *text,
                 size_t length, struct expect *expect, struct status *st)
{
    static const char *const members[] = {"format", "backend", "text", "expect",
                                          NULL};
    const struct json *root;
    TRY(json_parse(a, path, text, length, &root, st));
    TRY(json_only(a, root, members, st));
    if (!json_is_string(json_member(root, "format"), "assay-expectations/1"))
        return json_fail(a, root, st,
                         "expected the format assay-expectations/1");
    const struct json *list = json_member(root, "expect");
    if (!list || list->kind != JSON_ARRAY)
        return json_fail(a, root, st, "expected a list 'expect'");
    expect->lines = arena_new(a, struct expect_line, (size_t)list->count + 1);
    for (const struct json *e = list->child; e; e = e->next)
        TRY(read_entry(a, path, e, &expect->lines[expect->count++], st));
    return true;
}
