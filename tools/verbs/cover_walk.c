/* cover_walk.c - see cover.h; tools/test/deviations.t covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "interp/ops/custom.h"
#include "runner/plan/plan.h"
#include "runner/plugin/custom_call.h"
#include "tools/verbs/cover.h"
#include "tools/verbs/walk.h"

int cover_walk_op(const char *name)
{
    for (int i = 0; name && i < spec_op_count(); i++)
        if (strcmp(spec_op_at(i)->name, name) == 0)
            return i;
    return -1;
}

static void visit(struct cover_walk *w, int op, const struct test_case *made,
                  const struct profile *profile)
{
    struct judge_reference plain;
    struct status st = {0};
    struct judge_value by = {.arena = w->scratch,
                             .mode = {.profile = profile,
                                      .limits = &w->limits,
                                      .custom_calls = custom_call_lookup()},
                             .made = made};
    if (!made->rejected && made->error_count == 0) {
        if (!judge_reference(w->scratch, made, &by.mode, &plain, &st)) {
            w->left_out++;
            return;
        }
        w->cases++;
        by.plain = &plain;
    }
    w->visit(w->context, op, &by);
}

static bool try_stub(struct cover_walk *w, const struct case_stub *stub,
                     const char *form, struct status *st)
{
    struct test_case *made;
    const struct profile *profile = w->profile;
    int op = cover_walk_op(stub->op);
    if (op < 0 || (w->wants && !w->wants(w->context, stub)))
        return true;
    TRY(case_make(w->scratch, stub, form, &w->limits, &made, st));
    if (made->policies)
        TRY(profile_with(w->scratch, w->profile, made->policies, &profile, st));
    if (!made->profile || strcmp(made->profile, profile_name(w->profile)) == 0)
        visit(w, op, made, profile);
    arena_reset(w->scratch);
    return true;
}

static void show_progress(const struct cover_walk *w, int64_t done,
                          int64_t count)
{
    if (w->options->progress && (done % 64 == 0 || done == count))
        fprintf(stderr, "\r%" PRId64 " of %" PRId64 " cases%s", done, count,
                done == count ? "\n" : "");
}

static bool try_plan(struct cover_walk *w, struct status *st)
{
    const struct cover_deviations *o = w->options;
    const struct plan_options options = {.tier = o->tier ? o->tier : "default",
                                         .profile = profile_name(w->profile),
                                         .filter_count = o->filter_count,
                                         .filters = o->filters};
    struct plan plan = {0};
    TRY(plan_make(w->arena, &options, &w->limits, &plan, st));
    for (int64_t i = 0; i < plan.count; i++) {
        show_progress(w, i + 1, plan.count);
        if (!plan.cases[i].form || w->forms)
            TRY(try_stub(w, plan.cases[i].stub, plan.cases[i].form, st));
    }
    return true;
}

static bool try_paths(struct cover_walk *w, struct status *st)
{
    struct walk walk = {0};
    for (int i = 0; i < w->options->path_count; i++)
        TRY(walk_add(w->arena, &walk, w->options->paths[i], st));
    for (int i = 0; i < walk.count; i++) {
        struct case_file *file;
        TRY(case_file_read(w->arena, walk.files[i].path, walk.files[i].name,
                           &w->limits, &file, st));
        for (int k = 0; k < file->stub_count; k++)
            TRY(try_stub(w, &file->stubs[k], NULL, st));
    }
    return true;
}

bool cover_walk(struct cover_walk *w, struct status *st)
{
    if (w->limits.steps > COVER_WALK_STEPS)
        w->limits.steps = COVER_WALK_STEPS;
    return w->options->path_count > 0 ? try_paths(w, st) : try_plan(w, st);
}
