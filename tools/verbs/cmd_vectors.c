/* cmd_vectors.c - assay vectors: inputs, exact results and what is accepted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "interp/base/embed.h"
#include "interp/base/limits.h"
#include "interp/program/evaluate.h"
#include "report/format.h"
#include "runner/store/identity.h"
#include "tools/verbs/case_options.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"
#include "tools/verbs/vectors.h"

enum {
    CASE_BYTES = 32768
};

struct options {
    const char *folder, *profile;
    int64_t case_bytes;
    struct limits limits;
    struct plan_options plan;
    struct plan_choice choice;
};

static const struct option_row options[] = {
    {"output", 'o', "DIR", 0,
     "Folder to write, which must be empty or missing (required)", 0,
     OPTION_TEXT(struct options, folder)},
    {"profile", 'p', "NAME|FILE", 0, "Profile to judge by (spec)", 0,
     OPTION_TEXT(struct options, profile)},
    {"case-bytes", 0, "N", 0,
     "Leave out cases whose operands and results have more bytes (32768)", 0,
     OPTION_NUMBER(struct options, case_bytes, 1, INT64_C(1) << 40)},
    {0}};

static void check(void *target, struct argp_state *state)
{
    const struct options *o = target;
    if (!o->folder)
        argp_error(state, "expected --output");
    if (o->choice.last_failed)
        argp_error(state, "--lf is of a run");
}

static FILE *open_in(struct arena *a, const char *folder, const char *name,
                     struct status *st)
{
    FILE *f = fopen(arena_printf(a, "%s/%s", folder, name), "wxb");
    if (!f)
        FAIL(st, INPUT, "%.200s/%s: %s", folder, name, strerror(errno));
    return f;
}

static bool close_file(FILE *f, const char *name, struct status *st)
{
    bool bad = f && ferror(f);
    if (f && fclose(f) != 0)
        bad = true;
    return !bad || FAIL(st, SYSTEM, "%s: %s", name, strerror(errno));
}

static bool write_licence(struct arena *a, const char *folder,
                          struct status *st)
{
    const struct embed_file *licence = embed_find("LICENSE");
    FILE *f = open_in(a, folder, "LICENSE", st);
    if (f && licence)
        fwrite(licence->text, 1, licence->length, f);
    return f && close_file(f, "LICENSE", st);
}

static bool write_manifest(struct arena *a, const struct options *o,
                           const struct plan *plan, const struct vectors *v,
                           struct status *st)
{
    static const char *const names[] = {"vectors.jsonl", "vectors.bin",
                                        "LICENSE"};
    const char *release = identity_suite_version(a, plan->suite), *comma = "";
    FILE *f = open_in(a, o->folder, "manifest.json", st);
    if (!f)
        return false;
    fprintf(f,
            "{\"format\": \"assay-vectors/1\", \"assay\": \"%s\",\n \"suite\": "
            "\"%s\", \"suite_release\": ",
            ASSAY_VERSION, plan->suite);
    format_json(f, release);
    fprintf(f,
            ",\n \"profile\": %s, \"licence\": \"Apache-2.0\",\n \"cases\": "
            "%" PRId64 ", \"units\": %" PRId64 ", \"open_units\": %" PRId64
            ",\n \"left_out\": {",
            json_quote(a, profile_name(v->profile)), v->cases, v->units,
            v->open);
    for (int i = 0; i < VECTORS_LEFT_COUNT; i++) {
        fprintf(f, "%s\"%s\": %" PRId64, comma, vectors_left_texts[i],
                v->left[i]);
        comma = ", ";
    }
    fputs("},\n \"files\": [", f);
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof names / sizeof *names; i++) {
        char hex[DIGEST_TEXT];
        struct stat about;
        const char *path = arena_printf(a, "%s/%s", o->folder, names[i]);
        ok = digest_file(path, hex, st);
        fprintf(f,
                "%s\n  {\"name\": \"%s\", \"bytes\": %lld, \"sha256\": \"%s\"}",
                i ? "," : "", names[i],
                stat(path, &about) == 0 ? (long long)about.st_size : -1LL, hex);
    }
    fputs("\n]}\n", f);
    return close_file(f, "manifest.json", st) && ok;
}

static bool write_cases(struct vectors *v, const struct plan *plan,
                        struct status *st)
{
    struct arena one = ARENA_INIT;
    bool ok = true;
    for (int64_t i = 0; ok && i < plan->count; i++) {
        if (!plan->cases[i].form)
            ok = vectors_add(v, &one, plan->cases[i].stub, st);
        arena_reset(&one);
    }
    arena_free(&one);
    evaluate_end();
    return ok;
}

static bool write_all(struct arena *a, struct options *o, struct status *st)
{
    struct plan plan;
    struct vectors v = {.limits = &o->limits, .case_bytes = o->case_bytes};
    TRY(profile_load(a, o->profile, &v.profile, st));
    o->plan.profile = profile_name(v.profile);
    TRY(plan_choice_end(a, &o->choice, "", st));
    TRY(plan_make(a, &o->plan, &o->limits, &plan, st));
    if (plan.count == 0)
        return FAIL(st, INPUT, "no case is chosen");
    if (mkdir(o->folder, 0777) != 0 && errno != EEXIST)
        return FAIL(st, INPUT, "%.200s: %s", o->folder, strerror(errno));
    v.lines = open_in(a, o->folder, "vectors.jsonl", st);
    v.arrays = v.lines ? open_in(a, o->folder, "vectors.bin", st) : NULL;
    bool ok = v.arrays && write_cases(&v, &plan, st);
    struct status closing = {STATUS_OK};
    bool closed = close_file(v.lines, "vectors.jsonl", &closing);
    closed = close_file(v.arrays, "vectors.bin", &closing) && closed;
    if (ok && !closed)
        *st = closing;
    TRY(ok && closed && write_licence(a, o->folder, st)
        && write_manifest(a, o, &plan, &v, st));
    printf("%s: %s cases, %s units (%s of them open), %s bytes of arrays\n",
           o->folder, format_count(a, v.cases), format_count(a, v.units),
           format_count(a, v.open), format_count(a, v.at));
    for (int i = 0; i < VECTORS_LEFT_COUNT; i++)
        if (v.left[i] > 0)
            printf("left out: %s cases: %s\n", format_count(a, v.left[i]),
                   vectors_left_texts[i]);
    return true;
}

int cmd_vectors(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "",
        .help = "Write cases for people who cannot run Assay: inputs, exact "
                "results, the accepted interval of each number, as JSON lines "
                "and binary arrays (spec/vectors.md).\vExit status: 0 success, "
                "2 usage error or invalid input, 3 the files could not be "
                "written completely.",
        .check = check,
        .children = {{&case_options_limit, offsetof(struct options, limits)},
                     {&case_options_custom, 0},
                     {&plan_choice_options, offsetof(struct options, choice)}}};
    static struct options o = {
        .profile = "spec", .case_bytes = CASE_BYTES, .limits = LIMITS_DEFAULT};
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    o.plan.tier = "default";
    plan_choice_begin(&o.choice, &o.plan);
    option_parse(&set, argc, argv, &o);
    int result = COMMAND_OK;
    if (!write_all(&arena, &o, &st))
        result = command_fail("vectors", &st, NULL);
    arena_free(&arena);
    return result;
}
