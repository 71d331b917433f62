/* cmd_emit.c - assay emit: the program of a case as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/case/case.h"
#include "interp/case/case_write.h"
#include "interp/stablehlo/stablehlo.h"
#include "tools/verbs/case_options.h"
#include "tools/verbs/command.h"
#include "tools/verbs/import.h"
#include "tools/verbs/option.h"
#include "tools/verbs/walk.h"

/* A text form: whether it can express the program, and its text. */
struct text_form {
    const char *name, *comment; /* what begins a line of comment */
    const char *filter; /* function that makes of all texts what is printed */
    bool (*text)(struct arena *a, const struct test_case *c, const char **text,
                 struct status *st);
};

struct emit {
    const struct text_form *form;
    const char *filter;
    const char *as; /* name of a form, or NULL */
    struct limits limits;
    struct option_words paths;
    int written, refused;
};

static bool text_stablehlo(struct arena *a, const struct test_case *c,
                           const char **text, struct status *st)
{
    return stablehlo_text(a, c->program, text, st);
}

/* One line a program: what a backend process is sent. */
static bool text_program(struct arena *a, const struct test_case *c,
                         const char **text, struct status *st)
{
    *text = arena_printf(a, "%s\n",
                         case_write(a, c->program, c->name, c->rejected));
    return true;
}

static const struct text_form forms[] = {
    {"stablehlo", "//", NULL, text_stablehlo},
    {"hlo", "//", "run_hlo", text_stablehlo},
    {"program", NULL, NULL, text_program}};

static const struct text_form *find_form(const char *name)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].name, name) == 0)
            return &forms[i];
    return NULL;
}

static void read_form(void *target, const struct option_given *g)
{
    struct emit *e = target;
    e->form = find_form(g->text ? g->text : g->name);
    if (!e->form)
        argp_error(g->state,
                   "unknown form '%s'; expected stablehlo, hlo or program",
                   g->text);
}

static const struct option_row options[] = {
    {"as", 'a', "FORM", 0, "Text form: stablehlo, hlo or program (stablehlo)",
     0, OPTION_CALL(read_form)},
    {"hlo", 0, 0, 0,
     "The same as --as hlo: XLA's own text, made by jaxlib of the StableHLO", 0,
     OPTION_CALL(read_form)},
    {"case", 'c', "GLOB", 0, "Only cases whose full name matches", 0,
     OPTION_GLOB(struct emit, filter)},
    {"form", 0, "NAME", 0,
     "Write the programs in this form of spec/forms.json, several joined by +",
     0, OPTION_TEXT(struct emit, as)},
    {0}};

static const struct option_set set = {
    .options = options,
    .arguments = "FILE|DIR...",
    .help = "Print the programs of cases as text.\vAs StableHLO, each program "
            "is preceded by its case's name and, if it is invalid, the error; "
            "the form program is one JSON document a line, which a backend "
            "process receives (spec/protocol.md). HLO needs Python with jaxlib "
            "(make jax, or $ASSAY_PYTHON). A case that the text form cannot "
            "express is reported with the reason on standard error.\n\nExit "
            "status: 0 all programs printed, 1 some could not be expressed, 2 "
            "usage error or invalid input.",
    .missing = "expected a case file",
    .several = true,
    .words = offsetof(struct emit, paths),
    .children = {{&case_options_limit, offsetof(struct emit, limits)}}};

static bool emit_case(struct emit *e, const struct case_stub *stub)
{
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct test_case *made;
    const char *text;
    bool good = case_make(&arena, stub, e->as, &e->limits, &made, &st);
    if (!good) {
        command_complain("emit", &st, stub->file->path);
    } else if (!made->written->program) {
        fprintf(stderr, "%s: the case has no program: %s\n", stub->name,
                made->rejection.text);
        e->refused++;
    } else if (!made->written->program->entry) {
        fprintf(stderr, "%s: the program has no entry: %s\n", stub->name,
                made->rejection.text);
        e->refused++;
    } else if (!e->form->text(&arena, made->written, &text, &st)) {
        fprintf(stderr, "%s: %s\n", stub->name, st.text);
        e->refused++;
    } else {
        if (e->form->comment)
            printf("%s %s\n", e->form->comment, made->name);
        if (e->form->comment && made->rejected)
            printf("%s invalid: %s\n", e->form->comment, made->rejection.text);
        fputs(text, stdout);
        e->written++;
    }
    arena_free(&arena);
    return good;
}

static bool emit_file(struct emit *e, const struct folder_file *f)
{
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct case_file *file;
    bool good =
        case_file_read(&arena, f->path, f->name, &e->limits, &file, &st);
    if (!good)
        command_complain("emit", &st, f->path);
    for (int i = 0; good && i < file->stub_count; i++) {
        const struct case_stub *stub = &file->stubs[i];
        if (!e->filter || glob_match(e->filter, stub->name))
            good = emit_case(e, stub);
    }
    arena_free(&arena);
    return good;
}

static bool emit_files(struct emit *e, const struct walk *walk)
{
    bool good = true;
    for (int i = 0; good && i < walk->count; i++)
        good = emit_file(e, &walk->files[i]);
    return good;
}

int cmd_emit(int argc, char **argv)
{
    struct emit e = {.form = &forms[0], .limits = LIMITS_DEFAULT};
    struct arena arena = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct walk walk = {0};
    option_parse(&set, argc, argv, &e);
    bool good = spec_load(&st);
    for (int i = 0; good && i < e.paths.count; i++)
        good = walk_add(&arena, &walk, e.paths.list[i], &st);
    if (!good)
        command_complain("emit", &st, NULL);
    int filtered = COMMAND_OK;
    if (good && e.form->filter) {
        struct import_filter filter;
        good = import_filter_open(&arena, &filter, e.form->filter, &st);
        if (!good)
            command_complain("emit", &st, NULL);
        else
            good = emit_files(&e, &walk);
        filtered = import_filter_close(&filter);
    } else if (good) {
        good = emit_files(&e, &walk);
    }
    arena_free(&arena);
    if (!good || filtered > COMMAND_FAILED)
        return COMMAND_USAGE;
    if (e.written + e.refused == 0) {
        if (e.filter)
            fprintf(stderr, "assay emit: --case '%s': no case matches\n",
                    e.filter);
        else
            fprintf(stderr, "assay emit: no case found\n");
        return COMMAND_USAGE;
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "assay emit: standard output cannot be written\n");
        return COMMAND_BROKEN;
    }
    return e.refused || filtered ? COMMAND_FAILED : COMMAND_OK;
}
