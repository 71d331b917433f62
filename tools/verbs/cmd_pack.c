/* cmd_pack.c - assay pack: one file of a run, which others can verify.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/whole_file.h"
#include "runner/plan/digest.h"
#include "runner/process/bits.h"
#include "runner/store/store_copy.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"
#include "tools/verbs/pack.h"

enum {
    BITS_MAX = PACK_MEMBERS - 8
};

struct options {
    const char *which, *output, *expectations;
    struct option_words bits;
};

static const struct option_row options[] = {
    {"bits", 0, "FILE", 0,
     "What the backend returned, as assay run --bits FILE kept it (required; "
     "repeatable: one file a shard)",
     0, OPTION_LIST(struct options, bits, BITS_MAX)},
    {"expectations", 0, "FILE", 0,
     "The expectations that the run read (those next to the backend)", 0,
     OPTION_TEXT(struct options, expectations)},
    {"output", 'o', "FILE", 0, "Write to FILE (DATABASE.pack.tar)", 0,
     OPTION_TEXT(struct options, output)},
    {0}};

static void check(void *target, struct argp_state *state)
{
    const struct options *o = target;
    if (o->bits.count == 0)
        argp_error(state, "expected --bits: without what the backend returned "
                          "no verdict can be derived again");
}

/* Removed from a copy of the database: all rows of other runs. */
static const char others[] =
    "CREATE TEMP TABLE kept AS SELECT id AS run, plan_first AS first,"
    " plan_first + plan_count AS after FROM run WHERE id = %lld;"
    "CREATE TEMP TABLE gone AS SELECT id FROM plan WHERE id <"
    " (SELECT first FROM kept) OR id >= (SELECT after FROM kept);"
    "DELETE FROM operand WHERE plan IN gone; DELETE FROM wrong WHERE plan IN"
    " gone; DELETE FROM detail WHERE plan IN gone; DELETE FROM remark WHERE"
    " plan IN gone; DELETE FROM cause WHERE plan IN gone; DELETE FROM bin WHERE"
    " plan IN gone; DELETE FROM result WHERE plan IN gone; DELETE FROM plan"
    " WHERE id IN gone; DELETE FROM sweep_bin; DELETE FROM sweep_part; DELETE"
    " FROM sweep; DELETE FROM identity WHERE run <> (SELECT run FROM kept);"
    "DELETE FROM property WHERE run <> (SELECT run FROM kept); DELETE FROM"
    " backend WHERE run <> (SELECT run FROM kept); DELETE FROM run WHERE id <>"
    " (SELECT run FROM kept); DROP TABLE gone; DROP TABLE kept; VACUUM;";

/* The run alone, as the bytes of a database. */
static bool serialize(struct arena *a, struct report *r,
                      struct archive_member *to, struct status *st)
{
    sqlite3 *copy = NULL;
    sqlite3_int64 size = 0;
    char *sql = sqlite3_mprintf(others, (long long)r->runs[0].id);
    bool ok = sql && sqlite3_open(":memory:", &copy) == SQLITE_OK
              && store_copy_pages(store_handle(r->store), copy)
              && sqlite3_exec(copy, sql, NULL, NULL, NULL) == SQLITE_OK;
    unsigned char *bytes =
        ok ? sqlite3_serialize(copy, "main", &size, 0) : NULL;
    if (bytes) {
        void *own = arena_alloc(a, (size_t)size);
        memcpy(own, bytes, (size_t)size);
        *to = (struct archive_member){PACK_DATABASE, own, (uint64_t)size};
    }
    if (!bytes)
        FAIL(st, SYSTEM, "copying the run: %s",
             copy ? sqlite3_errmsg(copy) : "out of memory");
    sqlite3_free(bytes);
    sqlite3_free(sql);
    sqlite3_close(copy);
    return bytes != NULL;
}

/* The file of expectations must be the one that the run read. */
static bool add_expectations(struct arena *a, const struct options *o,
                             const struct report_run *run,
                             struct archive_member *to, struct status *st)
{
    const char *digest = run->identity.value[IDENTITY_EXPECTED_FILE];
    const char *path = o->expectations, *backend = run->backend_path;
    char hex[DIGEST_TEXT];
    size_t n = backend ? strlen(backend) : 0;
    if (!path && n > 3)
        path = arena_printf(a, "%.*s.expect", (int)(n - 3), backend);
    if (!path || (!o->expectations && access(path, R_OK) != 0))
        return FAIL(st, INPUT,
                    "the run read expectations (%.100s): name them with "
                    "--expectations",
                    run->identity.value[IDENTITY_EXPECTED]);
    TRY(pack_map(path, to, st));
    digest_bytes(to->bytes, to->length, hex);
    to->name = PACK_EXPECTATIONS;
    return strcmp(hex, digest) == 0
           || FAIL(st, INPUT,
                   "%.200s: not the expectations that the run read (SHA-256 "
                   "%.12s)",
                   path, digest);
}

static bool add_bits(struct arena *a, const struct options *o,
                     struct archive_member *list, int *n, struct status *st)
{
    for (int i = 0; i < o->bits.count; i++) {
        TRY(bits_check(o->bits.list[i], st));
        TRY(pack_map(o->bits.list[i], &list[*n], st));
        list[(*n)++].name = arena_printf(a, PACK_BITS "%d", i + 1);
    }
    return true;
}

static void add_text(struct archive_member *list, int *n, const char *name,
                     const char *text)
{
    list[(*n)++] = (struct archive_member){name, text, strlen(text)};
}

/* All members, the manifest first. */
static bool gather(struct arena *a, const struct options *o, struct report *r,
                   struct archive_member *list, int *count, struct status *st)
{
    const struct report_run *run = &r->runs[0];
    const char *expected = run->identity.value[IDENTITY_EXPECTED_FILE];
    int n = 1;
    const char *statement = pack_statement(a, r, run, st);
    TRY(statement != NULL);
    if (!run->identity.value[IDENTITY_SUITE])
        return FAIL(st, INPUT, "the run has no identity: it is too old");
    add_text(list, &n, PACK_STATEMENT, statement);
    if (expected && *expected)
        TRY(add_expectations(a, o, run, &list[n++], st));
    add_text(list, &n, PACK_PROFILE,
             run->profile_json ? run->profile_json : "");
    TRY(serialize(a, r, &list[n++], st) && add_bits(a, o, list, &n, st));
    const char *manifest = pack_manifest(a, run, list + 1, n - 1);
    list[0] =
        (struct archive_member){PACK_MANIFEST, manifest, strlen(manifest)};
    *count = n;
    return true;
}

static bool pack(struct arena *a, const struct options *o, struct status *st)
{
    struct report r;
    struct whole_file w;
    struct archive_member *list =
        arena_new(a, struct archive_member, PACK_MEMBERS);
    char hex[DIGEST_TEXT];
    int count = 0;
    const char *path;
    report_split(a, o->which, &path);
    const char *output =
        o->output ? o->output : arena_printf(a, "%s.pack.tar", path);
    TRY(report_open(&r, a, o->which, NULL, st));
    bool ok = r.run_count == 1
              || FAIL(st, INPUT, "expected one run, not all of them");
    ok = ok && gather(a, o, &r, list, &count, st);
    report_close(&r);
    TRY(ok && whole_file_open(&w, output, st));
    ok = archive_write(w.to, list, count)
         || FAIL(st, SYSTEM, "%.200s: cannot be written", output);
    TRY(whole_file_close(&w, ok, st));
    TRY(digest_file(output, hex, st));
    printf("%s: %d members, sha256 %s\n", output, count, hex);
    return true;
}

int cmd_pack(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE[@RUN]",
        .help = "Make one file of a run, by default the latest: its results, "
                "what the backend returned, profile, expectations, a statement "
                "of conformance, and a manifest with the SHA-256 of each.  It "
                "is a tar archive, which assay verify checks.\vExit status: 0 "
                "success, 2 usage error or unreadable input, 3 the pack could "
                "not be written completely.",
        .missing = "expected a results database",
        .surplus = "expected one run",
        .word = offsetof(struct options, which),
        .check = check};
    static struct options o;
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    option_parse(&set, argc, argv, &o);
    int result = COMMAND_OK;
    if (!pack(&arena, &o, &st))
        result = command_fail("pack", &st, o.which);
    arena_free(&arena);
    return result;
}
