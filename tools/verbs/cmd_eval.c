/* cmd_eval.c - assay eval: evaluate cases with the reference.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/bound/bound.h"
#include "interp/case/case_expect.h"
#include "interp/judge/power.h"
#include "interp/program/evaluate.h"
#include "interp/specification/profile.h"
#include "runner/plugin/custom_call.h"
#include "tools/verbs/case_options.h"
#include "tools/verbs/command.h"
#include "tools/verbs/eval_print.h"
#include "tools/verbs/import.h"
#include "tools/verbs/option.h"
#include "tools/verbs/walk.h"

enum form {
    FORM_TEXT,
    FORM_JSON,
    FORM_EXPECT
};

struct options {
    const char *path, *only, *profile_name;
    struct import import;
    enum form form;
    const char *written; /* name of a form, or NULL */
    int64_t elements;
    struct limits limits;
    const struct profile *profile;
    int64_t printed, differ, broken;
};

/* ---- One case ------------------------------------------------------------ */

static const char *place_of(const struct options *o, struct arena *a,
                            const struct status *st)
{
    struct status at = *st;
    import_place(a, &o->import, &at);
    if (!at.path || at.line == 0)
        return at.path;
    return arena_printf(a, "%s:%u:%u: %s", at.path, at.line, at.column,
                        at.member ? at.member : "");
}

static void complain(const struct options *o, struct arena *a,
                     struct status *st)
{
    import_place(a, &o->import, st);
    command_complain("eval", st, NULL);
}

/* The program was not evaluated: is that expected? */
static void judge_error(const struct options *o, struct eval_print *e,
                        struct arena *a, const struct status *why)
{
    e->class = why->code;
    e->text = arena_text(a, why->text);
    e->place = place_of(o, a, why);
    if (why->code == STATUS_SYSTEM)
        e->status = EVAL_FAILED;
    else if (case_expect_error(e->test, why->code))
        e->status = EVAL_REJECTED;
    else if (e->test->error_count > 0 || e->test->rejected)
        e->status = EVAL_DIFFERS;
    else
        e->status = EVAL_FAILED;
}

static bool choose_profile(const struct options *o, struct arena *a,
                           struct eval_print *e, struct status *st)
{
    const struct profile *p = o->profile;
    /* A case for one profile only is judged under that profile. */
    if (e->test->profile && !o->profile_name)
        TRY(profile_load(a, e->test->profile, &p, st));
    return profile_with(a, p, e->test->policies, &e->profile, st);
}

static void evaluate(const struct options *o, struct arena *a,
                     struct eval_print *e)
{
    const struct test_case *t = e->test;
    struct status st = {STATUS_OK};
    if (t->rejected) {
        judge_error(o, e, a, &t->rejection);
        return;
    }
    struct machine *m = arena_new(a, struct machine, 1);
    struct outcome *out = arena_new(a, struct outcome, (size_t)t->replicas);
    *m = (struct machine){.program = t->program,
                          .profile = e->profile,
                          .limits = &o->limits,
                          .want_exact = true,
                          .replicas = t->replicas,
                          .infeed = t->infeed,
                          .infeed_count = t->infeed_count,
                          .custom_calls = custom_call_lookup()};
    if (!bound_program(a, m, (struct literal *const *const *)t->inputs, out,
                       &st)) {
        if (m->failed && m->failed->source && !st.path)
            json_place(a, m->failed->source, &st);
        judge_error(o, e, a, &st);
        return;
    }
    e->outcomes = out;
    e->machine = m;
    if (t->error_count > 0) {
        e->status = EVAL_DIFFERS;
        e->text = "expected an error, but the program has a result";
        return;
    }
    e->text = case_expect_results(a, t, out);
    if (!e->text)
        e->text = case_expect_outfeed(a, t, m);
    e->status = e->text ? EVAL_DIFFERS : EVAL_OK;
}

/* Finds mistakes that would be right on these data. */
static void find_power(const struct options *o, struct arena *a,
                       struct eval_print *e)
{
    struct judge_reference plain;
    struct status st = {STATUS_OK};
    struct power *p = arena_new(a, struct power, 1);
    const struct judge_value by = {
        .arena = a,
        .mode = {.profile = e->profile,
                 .limits = &o->limits,
                 .custom_calls = custom_call_lookup()},
        .made = e->test,
        .plain = &plain};
    e->also_count = -1;
    if (!e->outcomes || o->form == FORM_EXPECT || !power_applies(e->test)
        || !judge_reference(a, e->test, &by.mode, &plain, &st)
        || !power(&by, p))
        return;
    e->also = p->accepted;
    e->also_count = p->count;
}

static void print(struct options *o, struct arena *a,
                  const struct eval_print *e)
{
    if (o->form == FORM_TEXT)
        eval_print_text(stdout, a, e);
    else if (o->form == FORM_EXPECT) {
        if (o->printed > 0 || !o->only)
            printf("%s\n", e->name);
        eval_print_expect(stdout, a, e);
    } else {
        printf("%s\n ", o->printed ? "," : "");
        eval_print_json(stdout, a, e);
    }
    o->printed++;
    o->differ += e->status == EVAL_DIFFERS;
    o->broken += e->status == EVAL_FAILED;
}

/* Is it the case that --case names: by id, or by its name's end or whole, with
 * a form or without? */
static bool wanted(const struct options *o, const struct case_stub *stub)
{
    if (!o->only)
        return true;
    const char *names[] = {json_member(stub->node, "id")->text, stub->name,
                           stub->name + strlen(stub->file->name) + 1};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncmp(o->only, names[i], n) == 0
            && (!o->only[n] || o->only[n] == '#'))
            return true;
    }
    return false;
}

/* The form that --form or the name of --case gives, or NULL. */
static const char *form_of(const struct options *o)
{
    const char *mark = o->only ? strchr(o->only, '#') : NULL;
    return mark ? mark + 1 : o->written;
}

static bool show_case(struct options *o, struct arena *a,
                      const struct case_stub *stub, struct status *st)
{
    struct test_case *t;
    struct eval_print e = {.elements = o->elements};
    TRY(case_make(a, stub, form_of(o), &o->limits, &t, st));
    e.test = t;
    e.name = t->name;
    TRY(choose_profile(o, a, &e, st));
    evaluate(o, a, &e);
    find_power(o, a, &e);
    print(o, a, &e);
    return true;
}

/* ---- The file ------------------------------------------------------------ */

static bool show_cases(struct options *o, const struct case_file *file,
                       struct status *st)
{
    struct arena each = ARENA_INIT;
    bool good = true;
    for (int i = 0; i < file->stub_count && good; i++) {
        if (!wanted(o, &file->stubs[i]))
            continue;
        custom_call_seen(file->root);
        good = show_case(o, &each, &file->stubs[i], st);
        if (!good)
            complain(o, &each, st);
        arena_reset(&each);
    }
    arena_free(&each);
    return good;
}

static bool show_files(struct options *o, struct arena *a)
{
    struct walk walk = {0};
    struct status st = {STATUS_OK};
    bool good = walk_add(a, &walk, o->path, &st);
    if (!good)
        command_complain("eval", &st, NULL);
    for (int f = 0; f < walk.count && good; f++) {
        struct case_file *file;
        good = case_file_read(a, walk.files[f].path, walk.files[f].name,
                              &o->limits, &file, &st);
        if (good)
            good = show_cases(o, file, &st);
        else
            complain(o, a, &st);
    }
    return good;
}

static int evaluate_all(struct options *o, struct arena *a)
{
    struct status st = {STATUS_OK};
    if (o->import.file) {
        if (!import_open(a, &o->import, &st)) {
            if (st.text[0])
                command_complain("eval", &st, NULL);
            return COMMAND_USAGE;
        }
        o->path = o->import.path;
    }
    const char *name = o->profile_name ? o->profile_name : "spec";
    if (!profile_load(a, name, &o->profile, &st))
        return command_complain("eval", &st, NULL);
    if (o->form == FORM_JSON)
        printf("{\"format\": \"assay-eval/1\", \"profile\": %s, \"cases\": [",
               json_quote(a, profile_name(o->profile)));
    bool good = show_files(o, a);
    if (o->form == FORM_JSON)
        puts("]}");
    if (!good)
        return COMMAND_USAGE;
    if (o->printed == 0) {
        const char *path = o->import.file ? o->import.file : o->path;
        if (o->only)
            fprintf(stderr, "assay eval: %s has no case '%s'\n", path, o->only);
        else
            fprintf(stderr, "assay eval: %s has no case\n", path);
        return COMMAND_USAGE;
    }
    custom_call_complain("assay eval");
    if (o->broken > 0)
        return COMMAND_BROKEN;
    return o->differ > 0 ? COMMAND_FAILED : COMMAND_OK;
}

/* ---- The command --------------------------------------------------------- */

static void read_form(void *target, const struct option_given *g)
{
    struct options *o = target;
    bool json = strcmp(g->name, "json") == 0;
    if (o->form != FORM_TEXT && json != (o->form == FORM_JSON))
        argp_error(g->state, "--json cannot be combined with --expect");
    o->form = json ? FORM_JSON : FORM_EXPECT;
}

static const struct option_row options[] = {
    {"case", 'c', "ID", 0, "Only the case with this id or full name", 0,
     OPTION_TEXT(struct options, only)},
    {"profile", 'p', "PROFILE", 0, "Judge under this profile (spec)", 0,
     OPTION_TEXT(struct options, profile_name)},
    {"json", 0, NULL, 0, "Print JSON (spec/eval-format.md)", 0,
     OPTION_CALL(read_form)},
    {"expect", 0, NULL, 0, "Print the result as a case's expect member", 0,
     OPTION_CALL(read_form)},
    {"form", 0, "NAME", 0,
     "Write the program in this form of spec/forms.json, several joined by + "
     "(that of --case)",
     0, OPTION_TEXT(struct options, written)},
    {"elements", 0, "N", 0, "Print at most N elements of an array (64)", 0,
     OPTION_NUMBER(struct options, elements, 1, INT64_MAX)},
    {0}};

static void check(void *target, struct argp_state *state)
{
    struct options *o = target;
    if (import_is_program(o->path))
        o->import.file = o->path;
    else if (import_given(&o->import))
        argp_error(state, "%s needs a program (%s); a case has its own inputs",
                   import_given(&o->import), import_names);
}

int cmd_eval(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "FILE",
        .help = "Evaluate the cases of a file exactly, and print each result "
                "with its acceptance set. A program in StableHLO or HLO "
                "(.mlir, .mlirbc, .hlo, .txt, .pb) is imported first, as assay "
                "import does.\vEach element is shown as decimal, hexadecimal "
                "float and bits.\n\nExit status: 0 every case is as it "
                "expects, 1 a case differs, 2 usage error or invalid file, 3 a "
                "case could not be evaluated.",
        .missing = "expected a case file or a program",
        .surplus = "expected one file or folder",
        .word = offsetof(struct options, path),
        .check = check,
        .children = {CASE_OPTIONS(struct options),
                     {&import_options, offsetof(struct options, import)}}};
    struct options o = {.limits = LIMITS_DEFAULT, .elements = 64};
    struct arena arena = ARENA_INIT;
    option_parse(&set, argc, argv, &o);
    int result = evaluate_all(&o, &arena);
    import_close(&o.import);
    arena_free(&arena);
    evaluate_end();
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "assay eval: standard output cannot be written\n");
        return COMMAND_BROKEN;
    }
    return result;
}
