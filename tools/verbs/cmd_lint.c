/* cmd_lint.c - assay lint: are the case files valid?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * All problems are reported, one per line: path:line:column: pointer: what is
 * wrong. A problem that several cases of one expansion share is reported once.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/text.h"
#include "interp/case/case_check.h"
#include "interp/case/case_expect.h"
#include "interp/program/evaluate.h"
#include "interp/specification/profile.h"
#include "runner/plan/expect.h"
#include "runner/plugin/custom_call.h"
#include "tools/verbs/case_options.h"
#include "tools/verbs/command.h"
#include "tools/verbs/lint_wrong.h"
#include "tools/verbs/walk.h"

struct lint {
    bool quick, evaluate, wrong, quiet;
    struct limits limits;
    struct option_words paths;

    int64_t problems, files, cases;
    int64_t unsupported; /* not evaluated: */
    char why[512];       /* the last of them */
    char last[1024];     /* the last problem */
    int64_t repeated;
};

/* ---- Problems ------------------------------------------------------------ */

/* Print the last problem: it was held back to count the cases that share it. */
static void flush_problem(struct lint *l)
{
    if (l->repeated > 0)
        printf("%s (and in %" PRId64 " more cases)\n", l->last, l->repeated);
    else if (l->last[0])
        puts(l->last);
    l->repeated = 0;
    l->last[0] = '\0';
}

static void problem(struct lint *l, const char *path, unsigned line,
                    unsigned column, const char *member, const char *text)
{
    char now[sizeof l->last];
    snprintf(now, sizeof now, "%s:%u:%u: %s: %s", path ? path : "?", line,
             column, member && *member ? member : "/", text);
    if (strcmp(now, l->last) == 0) {
        l->repeated++;
        return;
    }
    flush_problem(l);
    memcpy(l->last, now, sizeof now);
    l->problems++;
}

static void problem_at(struct lint *l, struct arena *a, const struct json *node,
                       const char *text)
{
    problem(l, node->path, node->line, node->column, json_pointer(a, node),
            text);
}

static void problem_of(struct lint *l, const char *path,
                       const struct status *st)
{
    problem(l, st->path ? st->path : path, st->line, st->column, st->member,
            st->text);
}

/* ---- One case ------------------------------------------------------------ */

/* Does expect have an error, and may it be of that class?  What a variable
 * stands for is checked in the expanded case. */
static bool expects_class(const struct json *expect, enum code class)
{
    const struct json *error = json_member(expect, "error");
    const struct json *variable = error ? error : expect;
    if (variable && variable->kind == JSON_STRING && variable->text[0] == '$')
        return true;
    if (!error || error->kind != JSON_ARRAY)
        return json_is_string(error, status_name(class));
    for (const struct json *c = error->child; c; c = c->next)
        if (json_is_string(c, status_name(class)))
            return true;
    return false;
}

static void check_covered(struct lint *l, struct arena *a,
                          const struct json *node, const struct json *id)
{
    const struct spec_constraint *c = spec_constraint_find(id->text);
    const struct json *expect = json_member(node, "expect");
    if (!c && !spec_requirement_find(id->text))
        problem_at(l, a, id,
                   arena_printf(a, "unknown requirement or constraint '%s'",
                                id->text));
    else if (c && !expects_class(expect, c->class))
        problem_at(l, a, id,
                   arena_printf(a,
                                "constraint '%s' covered by a case that does "
                                "not expect the error '%s'",
                                id->text, status_name(c->class)));
}

static void check_covers(struct lint *l, struct arena *a,
                         const struct json *node)
{
    const struct json *covers = json_member(node, "covers");
    if (!covers || covers->kind != JSON_ARRAY)
        return;
    for (const struct json *c = covers->child; c; c = c->next) {
        if (c->kind != JSON_STRING || strchr(c->text, '$'))
            continue;
        check_covered(l, a, node, c);
        for (const struct json *d = covers->child; d != c; d = d->next)
            if (json_is_string(d, c->text))
                problem_at(l, a, c, "duplicate requirement");
    }
}

static void check_names(struct lint *l, struct arena *a,
                        const struct json *node, const struct profile *spec)
{
    struct status st = {STATUS_OK};
    const struct profile *with;
    const struct json *profile = json_member(node, "profile");
    if (profile && profile->kind == JSON_STRING
        && !strchr(profile->text, '$')) {
        const char *const *n = profile_names(a);
        while (*n && strcmp(*n, profile->text) != 0)
            n++;
        if (!*n)
            problem_at(l, a, profile,
                       arena_printf(a, "unknown profile '%s'", profile->text));
    }
    const struct json *policies = json_member(node, "policies");
    if (policies && policies->kind != JSON_STRING
        && !profile_with(a, spec, policies, &with, &st))
        problem_of(l, node->path, &st);
}

static const char *error_names(struct arena *a, const struct test_case *t)
{
    const char *text = "";
    for (int i = 0; i < t->error_count; i++)
        text = arena_printf(a, "%s%s%s", text, i ? " or " : "",
                            status_name(t->errors[i]));
    return text;
}

static bool attempt(const struct lint *l, struct arena *a,
                    const struct test_case *t, const struct profile *p,
                    struct machine *m, struct outcome **out, struct status *st)
{
    *out = arena_new(a, struct outcome, (size_t)t->replicas);
    *m = (struct machine){.program = t->program,
                          .profile = p,
                          .limits = &l->limits,
                          .want_exact = true,
                          .replicas = t->replicas,
                          .infeed = t->infeed,
                          .infeed_count = t->infeed_count,
                          .custom_calls = custom_call_lookup()};
    return evaluate_program(a, m, (struct literal *const *const *)t->inputs,
                            *out, st);
}

/* An error may show only in the data: programs that wait for one another. */
static bool fails_when_run(const struct lint *l, struct arena *a,
                           const struct test_case *t,
                           const struct profile *spec)
{
    struct machine m;
    struct outcome *out;
    struct status st = {STATUS_OK};
    return !attempt(l, a, t, spec, &m, &out, &st)
           && case_expect_error(t, st.code);
}

/* Does the reference's result agree with what the case expects? */
static void check_rejection(struct lint *l, struct arena *a,
                            const struct test_case *t,
                            const struct profile *spec)
{
    const struct status *why = &t->rejection;
    if (t->rejected && why->code == STATUS_SYSTEM) {
        l->unsupported++;
        snprintf(l->why, sizeof l->why, "%s", why->text);
        return;
    }
    if (t->rejected && case_expect_error(t, why->code))
        return;
    if (t->rejected) {
        const char *text =
            arena_printf(a, "%sthe program is rejected: %s: %s",
                         t->error_count ? arena_printf(a, "expected %s, but ",
                                                       error_names(a, t))
                                        : "",
                         status_name(why->code), why->text);
        if (why->path && strncmp(why->path, "spec/", 5) != 0)
            problem(l, why->path, why->line, why->column, why->member, text);
        else
            problem_at(l, a, t->stub->node, text);
    } else if (t->error_count && !case_expect_error(t, STATUS_UNSUPPORTED)
               && !fails_when_run(l, a, t, spec)) {
        problem_at(l, a, json_member(t->stub->node, "expect"),
                   arena_printf(a, "expected %s, but the program is accepted",
                                error_names(a, t)));
    }
}

static void check_result(struct lint *l, struct arena *a,
                         const struct test_case *t, const struct profile *spec)
{
    struct status st = {STATUS_OK};
    const struct json *expect = json_member(t->stub->node, "expect");
    const char *text = case_expect_shapes(a, t);
    if (text) {
        problem_at(l, a, expect, text);
        return;
    }
    if (!(l->evaluate || l->wrong) || t->error_count > 0)
        return;
    const struct profile *p = spec;
    if (t->profile && !profile_load(a, t->profile, &p, &st))
        return;
    if (!profile_with(a, p, t->policies, &p, &st))
        return;
    struct machine m;
    struct outcome *out;
    if (!attempt(l, a, t, p, &m, &out, &st)) {
        if (st.code == STATUS_UNSUPPORTED) {
            l->unsupported++;
            snprintf(l->why, sizeof l->why, "%s", st.text);
            return;
        }
        problem_at(l, a, t->stub->node,
                   arena_printf(a, "evaluation: %s", st.text));
        return;
    }
    text = case_expect_results(a, t, out);
    if (text)
        problem_at(l, a, expect, text);
    text = case_expect_outfeed(a, t, &m);
    if (text)
        problem_at(l, a, json_member(t->stub->node, "outfeed"), text);
    const struct judge_mode mode = {.profile = p,
                                    .limits = &l->limits,
                                    .custom_calls = custom_call_lookup()};
    text = l->wrong ? lint_wrong(a, t, &mode) : NULL;
    if (text)
        problem_at(l, a, t->stub->node, text);
}

static void check_stub(struct lint *l, struct arena *a,
                       const struct case_stub *stub, const struct profile *spec)
{
    struct status st = {STATUS_OK};
    struct test_case *t;
    l->cases++;
    if (!case_make(a, stub, NULL, &l->limits, &t, &st)) {
        problem_of(l, stub->file->path, &st);
        return;
    }
    check_covers(l, a, t->node);
    check_names(l, a, t->node, spec);
    check_rejection(l, a, t, spec);
    if (!t->rejected)
        check_result(l, a, t, spec);
}

/* ---- Files --------------------------------------------------------------- */

/* A file that failed as a whole: report the mistakes of every case. */
static void check_broken(struct lint *l, struct arena *a, const char *path)
{
    struct status st = {STATUS_OK};
    const struct json *root;
    if (!json_read(a, path, (size_t)l->limits.file_bytes, &root, &st))
        return;
    const struct json *cases = json_member(root, "cases");
    if (!cases || cases->kind != JSON_ARRAY)
        return;
    for (const struct json *c = cases->child; c; c = c->next) {
        struct status each = {STATUS_OK};
        char first[sizeof l->last];
        memcpy(first, l->last, sizeof first);
        if (!case_check_case(a, c, &each))
            problem_of(l, path, &each);
        if (strcmp(first, l->last) == 0)
            l->repeated = 0; /* told already */
    }
}

/* Expectations, in either form that a run reads: they are well formed; no entry
 * may hide another kind of failure than the one that it names. */
static bool check_expectations(struct lint *l, struct arena *a,
                               const struct folder_file *f)
{
    struct status st = {STATUS_OK};
    struct expect expect;
    const struct json *root;
    if (!expect_is_text(f->path)
        && (!json_read(a, f->path, (size_t)l->limits.file_bytes, &root, &st)
            || !json_is_string(json_member(root, "format"),
                               "assay-expectations/1")))
        return false;
    memset(&st, 0, sizeof st);
    if (!expect_read(a, f->path, &expect, &st))
        problem_of(l, f->path, &st);
    for (int i = 0; st.code == STATUS_OK && i < expect.count; i++) {
        const char *lack = expect_too_wide(&expect.lines[i]);
        if (lack)
            problem(l, f->path, expect.lines[i].line, 1, NULL,
                    arena_printf(a,
                                 "the pattern '%.100s' would hide another kind "
                                 "of failure: the entry needs %s",
                                 expect.lines[i].glob, lack));
    }
    return true;
}

static void check_file(struct lint *l, const struct folder_file *f,
                       const struct profile *spec)
{
    struct arena arena = ARENA_INIT, each = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct case_file *file;
    l->files++;
    if (f->unreadable) {
        problem(l, f->path, 1, 1, NULL, f->unreadable);
        flush_problem(l);
        return;
    }
    if (check_expectations(l, &arena, f)) {
        flush_problem(l);
        arena_free(&arena);
        return;
    }
    if (!case_file_read(&arena, f->path, f->name, &l->limits, &file, &st)) {
        problem_of(l, f->path, &st);
        check_broken(l, &arena, f->path);
    } else if (l->quick) {
        custom_call_seen(file->root);
        for (const struct json *c = json_member(file->root, "cases")->child; c;
             c = c->next) {
            check_covers(l, &each, c);
            check_names(l, &each, c, spec);
        }
    } else {
        custom_call_seen(file->root);
        for (int i = 0; i < file->stub_count; i++) {
            check_stub(l, &each, &file->stubs[i], spec);
            arena_reset(&each);
        }
    }
    flush_problem(l);
    arena_free(&each);
    arena_free(&arena);
}

/* ---- The command --------------------------------------------------------- */

static const struct option_row options[] = {
    {"quick", 'q', NULL, 0, "Check the files only; do not expand the cases", 0,
     OPTION_FLAG(struct lint, quick)},
    {"evaluate", 'e', NULL, 0,
     "Evaluate each case and compare with its expect member", 0,
     OPTION_FLAG(struct lint, evaluate)},
    {"wrong", 'w', NULL, 0,
     "Also judge a wrong result of each case: it must not be beyond the "
     "judge's limits",
     0, OPTION_FLAG(struct lint, wrong)},
    {"silent", 's', NULL, 0, "Print problems only, no summary", 0,
     OPTION_FLAG(struct lint, quiet)},
    {0}};

static int lint_all(struct lint *l, struct arena *a)
{
    struct status st = {STATUS_OK};
    struct walk walk = {.tolerant = true};
    const struct profile *spec;
    for (int i = 0; i < l->paths.count; i++)
        if (!walk_add(a, &walk, l->paths.list[i], &st))
            return command_complain("lint", &st, NULL);
    if (!profile_load(a, "spec", &spec, &st)) {
        problem_of(l, "spec/profiles/spec.json", &st);
        flush_problem(l);
        return COMMAND_BROKEN;
    }
    for (int i = 0; i < walk.count; i++)
        check_file(l, &walk.files[i], spec);
    custom_call_complain("assay lint");
    if (!l->quiet && l->unsupported > 0)
        printf("%" PRId64 " %s not evaluated, the last: %s\n", l->unsupported,
               text_plural(l->unsupported, "case is", "cases are"), l->why);
    if (!l->quiet)
        printf("%" PRId64 " %s, %" PRId64 " %s, %" PRId64 " %s\n", l->files,
               text_plural(l->files, "file", "files"), l->cases,
               text_plural(l->cases, "case", "cases"), l->problems,
               text_plural(l->problems, "problem", "problems"));
    return l->problems ? COMMAND_FAILED : COMMAND_OK;
}

int cmd_lint(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "FILE|FOLDER...",
        .help = "Check case files (the JSON, every member, every expanded "
                "case) and files of expectations.\vEach problem is one line, "
                "path:line:column: pointer: problem.\nExit status: 0 no "
                "problems, 1 problems found, 2 usage error, also for a folder "
                "without case files.",
        .missing = "expected a case file or a folder",
        .several = true,
        .words = offsetof(struct lint, paths),
        .children = {CASE_OPTIONS(struct lint)}};
    struct lint l = {.limits = LIMITS_DEFAULT};
    struct arena arena = ARENA_INIT;
    option_parse(&set, argc, argv, &l);
    int result = lint_all(&l, &arena);
    arena_free(&arena);
    evaluate_end();
    if (fflush(stdout) != 0 || ferror(stdout))
        return COMMAND_BROKEN;
    return result;
}
