/* cmd_atlas.c - assay atlas: how accurate each function of each backend is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "report/atlas.h"
#include "report/format.h"
#include "report/whole_file.h"
#include "tools/verbs/command.h"
#include "tools/verbs/option.h"

enum form {
    TEXT,
    HTML,
    JSON,
    PROFILE
};

struct options {
    enum form form;
    const char *output;
    struct option_words paths;
};

static void read_budgets(void *target, const struct option_given *g)
{
    ((struct options *)target)->form = PROFILE;
}

static const struct option_row options[] = {
    {"format", 'f', "FORMAT", 0, "Format: text, html, json or profile (text)",
     0, OPTION_CHOICE(struct options, form, "text|html|json|profile")},
    {"budgets", 0, NULL, 0, "The same as --format=profile", 0,
     OPTION_CALL(read_budgets)},
    {"output", 'o', "FILE", 0, "Write to FILE, replacing it atomically", 0,
     OPTION_TEXT(struct options, output)},
    {0}};

static void write_counts(struct arena *a, const struct atlas_row *r, FILE *out)
{
    if (r->sampled > 0)
        fprintf(out, ", %s %% correctly rounded",
                format_share(a, r->correct, r->sampled));
    if (r->special > 0)
        fprintf(out, ", wrong special values %s", format_count(a, r->special));
    if (r->bad > 0)
        fprintf(out, ", outside their set %s", format_count(a, r->bad));
    if (r->ordered)
        fprintf(out, ", monotonicity breaks %s", format_count(a, r->breaks));
    if (r->ordered && r->breaks > 0)
        fprintf(out, " (first %s)", atlas_break(a, r, false));
}

static void write_text(const struct atlas *t, FILE *out)
{
    struct arena a = ARENA_INIT;
    for (int i = 0; i < t->count; i++) {
        const struct atlas_row *r = &t->rows[i];
        const char *name =
            arena_printf(&a, "%s %s%s%s", r->op, dtype_table[r->type].name,
                         *r->of ? " " : "", r->of);
        fprintf(out, "%-28s ", name);
        format_plain(out, r->backend);
        fputs(" ", out);
        format_plain(out, r->version);
        fprintf(out, ": %s ulp%s%s, %s, %s inputs",
                r->has_error ? format_ulps(&a, llabs(r->error)) : "0",
                r->has_error ? " at " : "",
                r->has_error ? atlas_input(&a, r, false) : "",
                r->certified ? "certified" : "a lower bound",
                format_count(&a, r->inputs));
        write_counts(&a, r, out);
        fputs("\n", out);
        arena_reset(&a);
    }
    arena_free(&a);
}

static bool write_form(const struct atlas *t, enum form form, FILE *out,
                       struct status *st)
{
    switch (form) {
    case HTML:
        atlas_html(t, out);
        return true;
    case JSON:
        atlas_json(t, out);
        return true;
    case PROFILE:
        return atlas_profile(t, out, st);
    case TEXT:
        write_text(t, out);
    }
    return true;
}

static bool read_all(struct atlas *t, const struct options *o,
                     struct status *st)
{
    TRY(!o->output || whole_file_check("--output", o->output, st));
    for (int i = 0; i < o->paths.count; i++)
        TRY(atlas_read(t, o->paths.list[i], st));
    atlas_sort(t);
    return true;
}

static int write_atlas(const struct options *o, struct arena *a,
                       struct status *st)
{
    struct atlas t = {.arena = a};
    struct whole_file w;
    if (!read_all(&t, o, st))
        return COMMAND_USAGE;
    if (!o->output)
        return write_form(&t, o->form, stdout, st) ? COMMAND_OK : COMMAND_USAGE;
    if (!whole_file_open(&w, o->output, st))
        return COMMAND_USAGE;
    bool good = write_form(&t, o->form, w.to, st);
    if (whole_file_close(&w, good, st))
        return COMMAND_OK;
    return good ? COMMAND_BROKEN : COMMAND_USAGE;
}

int cmd_atlas(int argc, char **argv)
{
    static const struct option_set set = {
        .options = options,
        .arguments = "DATABASE...",
        .help = "Combine what `assay sweep` and `assay hunt` have recorded: "
                "for each backend and function, the largest error and its "
                "input.  It is certified where every input was judged, and a "
                "lower bound elsewhere.  As a profile, write budgets of "
                "exactly these sizes.\vExit status: 0 success, 2 usage error, "
                "or a database that is unreadable or has no sweep, 3 the "
                "output could not be written completely.",
        .missing = "expected a results database",
        .several = true,
        .words = offsetof(struct options, paths)};
    struct options o = {.form = TEXT};
    struct arena arena = ARENA_INIT;
    struct status st = {0};
    option_parse(&set, argc, argv, &o);
    int code = write_atlas(&o, &arena, &st);
    if (code != COMMAND_OK)
        command_complain("atlas", &st, NULL);
    arena_free(&arena);
    return code;
}
