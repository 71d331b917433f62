/* cmd_verify.c - assay verify: is a pack what it says?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/limits.h"
#include "report/format.h"
#include "tools/verbs/case_options.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"
#include "tools/verbs/pack.h"
#include "tools/verbs/recorded.h"

struct options {
    const char *pack, *cases, *profile;
    int64_t limit;
    struct limits limits;
};

static const struct option_row options[] = {
    {"cases", 0, "DIR", 0, "Folder of case files", 0,
     OPTION_TEXT(struct options, cases)},
    {"profile", 0, "FILE", 0, "The profile, if it is not a shipped one", 0,
     OPTION_TEXT(struct options, profile)},
    {"limit", 'n', "N", 0, "Print at most N differences (20)", 0,
     OPTION_NUMBER(struct options, limit, 0, INT64_MAX)},
    {0}};

struct opened {
    struct arena *arena;
    const struct options *options;
    struct archive_member file; /* the whole pack */
    int count;
    char names[PACK_MEMBERS][100];
    struct archive_member list[PACK_MEMBERS];
    char path[64], expect_path[64]; /* of members, as files */
    struct report report;
    bool changed; /* it is not what assay pack wrote */
};

static const struct archive_member *member(const struct opened *p,
                                           const char *name)
{
    for (int i = 0; i < p->count; i++)
        if (strcmp(p->list[i].name, name) == 0)
            return &p->list[i];
    return NULL;
}

/* A member as a file, which SQLite and the reader of expectations need. */
static bool unpack(const struct opened *p, const char *name, char path[64],
                   struct status *st)
{
    const struct archive_member *m = member(p, name);
    const char *folder = getenv("TMPDIR");
    if (!m)
        return FAIL(st, INPUT, "it has no %s", name);
    if (!folder || strlen(folder) > 40)
        folder = "/tmp";
    snprintf(path, 64, "%s/assay-XXXXXX", folder);
    int fd = mkstemp(path);
    bool ok = fd >= 0;
    uint64_t at = 0;
    while (ok && at < m->length) {
        ssize_t n =
            write(fd, (const char *)m->bytes + at, (size_t)(m->length - at));
        ok = n > 0;
        at += ok ? (uint64_t)n : 0;
    }
    int error = errno;
    if (fd >= 0)
        close(fd);
    return ok || FAIL(st, SYSTEM, "%.60s: %s", path, strerror(error));
}

/* A text that follows from the rest must be there, byte for byte. */
static bool is_text(struct opened *p, const char *name, const char *text,
                    struct status *st)
{
    const struct archive_member *m = member(p, name);
    if (m && m->length == strlen(text)
        && memcmp(m->bytes, text, m->length) == 0)
        return true;
    p->changed = true;
    return FAIL(st, INPUT, "%s does not agree with the other members", name);
}

/* Every byte: archive_read knows those around the members, the manifest those
 * within, and the manifest and the statement follow from them. */
static bool check_bytes(struct opened *p, struct status *st)
{
    TRY(pack_map(p->options->pack, &p->file, st));
    p->changed = true;
    TRY(archive_read(p->file.bytes, p->file.length, p->names, p->list,
                     PACK_MEMBERS, &p->count, st));
    if (p->count == 0 || strcmp(p->list[0].name, PACK_MANIFEST) != 0)
        return FAIL(st, INPUT, "it does not begin with " PACK_MANIFEST);
    TRY(unpack(p, PACK_DATABASE, p->path, st));
    TRY(report_open(&p->report, p->arena, p->path, stdout, st));
    const struct report_run *run = &p->report.runs[0];
    const char *manifest =
        pack_manifest(p->arena, run, p->list + 1, p->count - 1);
    /* The manifest of another version cannot be equal. */
    const struct archive_member *own = member(p, PACK_MANIFEST);
    static const char by[] =
        "{\"format\": \"assay-pack/1\", \"assay\": \"" ASSAY_VERSION "\",";
    if (own->length < sizeof by || memcmp(own->bytes, by, sizeof by - 1) != 0) {
        p->changed = false;
        return FAIL(st, INPUT,
                    "its manifest is not of assay " ASSAY_VERSION
                    ": verify it with the version that made it");
    }
    TRY(is_text(p, PACK_MANIFEST, manifest, st));
    const char *statement = pack_statement(p->arena, &p->report, run, st);
    TRY(statement && is_text(p, PACK_STATEMENT, statement, st));
    TRY(is_text(p, PACK_PROFILE, run->profile_json ? run->profile_json : "",
                st));
    p->changed = false;
    return true;
}

/* The waivers count as on the day of the run. */
static bool load_expect(struct opened *p, struct expect *expect,
                        struct status *st)
{
    const struct report_run *run = &p->report.runs[0];
    *expect = (struct expect){0};
    if (!member(p, PACK_EXPECTATIONS))
        return true;
    TRY(unpack(p, PACK_EXPECTATIONS, p->expect_path, st));
    TRY(expect_read(p->arena, p->expect_path, expect, st));
    expect->backend = run->backend;
    expect->version = run->backend_version;
    for (int i = 0; i < expect->count; i++)
        if (expect->lines[i].until)
            expect->lines[i].expired =
                strncmp(run->started, expect->lines[i].until, 10) > 0;
    return true;
}

static void print(const struct opened *p, const struct verify *v)
{
    struct arena *a = p->arena;
    const struct report_run *run = &p->report.runs[0];
    const struct claim_facts facts = report_claim(run);
    printf("%s %s, run %s\n", run->backend, run->backend_version, run->uuid);
    printf("identity: %s\n", identity_line(a, &run->identity));
    printf("verdict: %s\n", claim_line(a, &facts));
    printf("bytes: all %s are as assay pack wrote them\n",
           format_count(a, (int64_t)p->file.length));
    printf("verdicts: %s of %s cases derived again from the bits, as "
           "recorded\n",
           format_count(a, v->derived), format_count(a, run->planned));
    for (int i = 0; i < REPORT_STATUSES; i++)
        if (v->ended[i] > 0)
            printf("not derived: %s %s, which left no result to judge\n",
                   format_count(a, v->ended[i]), report_statuses[i].name);
    if (v->differs > 0)
        printf("verify: %s cases differ\n", format_count(a, v->differs));
}

static bool verify(struct opened *p, int *result, struct status *st)
{
    struct plan plan;
    struct expect expect;
    const struct profile *profile;
    TRY(check_bytes(p, st));
    const struct report_run *run = &p->report.runs[0];
    const struct recorded from = {.cases = p->options->cases,
                                  .profile = p->options->profile,
                                  .limits = p->options->limits};
    TRY(recorded_profile(p->arena, &from, run, &profile, st)
        && recorded_plan(p->arena, &from, run, profile, &plan, st)
        && load_expect(p, &expect, st));
    struct verify v = {.arena = p->arena,
                       .report = &p->report,
                       .plan = &plan,
                       .limits = &p->options->limits,
                       .profile = profile,
                       .expect = &expect,
                       .shown = p->options->limit};
    for (int i = 0; i < p->count; i++)
        if (strncmp(p->list[i].name, PACK_BITS, strlen(PACK_BITS)) == 0) {
            v.bits = v.bits ? v.bits : &p->list[i];
            v.bits_count++;
        }
    TRY(verify_run(&v, st));
    print(p, &v);
    *result = v.differs > 0 ? COMMAND_FAILED : COMMAND_OK;
    return true;
}

int cmd_verify(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "PACK",
        .help = "Check a pack: that no byte of it was changed, and that every "
                "verdict follows from what the backend returned, by judging "
                "all of it again.\vExit status: 0 all is as recorded, 1 a byte "
                "was changed or a verdict differs, 2 usage error, or a pack of "
                "another suite or version.",
        .missing = "expected a pack",
        .surplus = "expected one pack",
        .word = offsetof(struct options, pack),
        .children = {CASE_OPTIONS(struct options)}};
    static struct options o = {.limit = 20, .limits = LIMITS_DEFAULT};
    static struct opened p;
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    int result = COMMAND_USAGE;
    option_parse(&set, argc, argv, &o);
    p.arena = &arena;
    p.options = &o;
    if (!verify(&p, &result, &st)) {
        /* A file that cannot be read is named by the message. */
        result = command_fail("verify", &st, p.file.bytes ? o.pack : NULL);
        if (p.changed)
            result = COMMAND_FAILED;
    }
    if (p.report.store)
        report_close(&p.report);
    if (p.path[0])
        unlink(p.path);
    if (p.expect_path[0])
        unlink(p.expect_path);
    arena_free(&arena);
    return result;
}
