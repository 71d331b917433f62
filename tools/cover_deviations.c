/* cover_deviations.c - see cover_deviations.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cases are walked once.  A deviation of an operation is skipped after the
 * first case that rejects it, so most of the work is for what survives.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "tools/cover_deviations.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/deviation/deviation_judge.h"
#include "runner/plan/plan.h"
#include "tools/cover_html.h"
#include "tools/cover_walk.h"

struct cover {
    const struct cover_deviations *options;
    struct arena arena;
    const struct deviation_table *table;
    const struct profile *profile;
    struct cover_row **rows; /* by operation: a list */
    struct cover_walk walk;
};

/* ---- Evaluating ---------------------------------------------------------- */

/* The policy, if the profile takes any value there: then no remark names it. */
static const char *freedom(const struct profile *p, const char *policy)
{
    enum policy found = policy ? policy_find(policy) : POLICY_NONE;
    bool any =
        found != POLICY_NONE
        && strcmp(policy_choice_name(profile_choice(p, found)), "any") == 0;
    return any ? policy : NULL;
}

static struct cover_row *find_row(struct cover *c, int op,
                                  const struct deviation_use *use)
{
    struct cover_row **at = &c->rows[op];
    while (*at && strcmp((*at)->name, use->name) != 0)
        at = &(*at)->next;
    if (!*at) {
        *at = arena_new(&c->arena, struct cover_row, 1);
        (*at)->name = arena_text(&c->arena, use->name);
        (*at)->what = use->what;
        (*at)->policy = freedom(c->profile, use->what->permitted_by);
        (*at)->why =
            deviation_equivalent(c->table, spec_op_at(op), (*at)->name);
    }
    return *at;
}

static void try_use(struct cover *c, int op, const struct judge_value *by,
                    const struct deviation_use *use)
{
    const char *policy, *glob = c->options->name;
    if (glob && !glob_match(glob, use->name)
        && !glob_match(glob, use->what->id))
        return;
    struct cover_row *row = find_row(c, op, use);
    if (row->rejected > 0 && !c->options->count)
        return;
    enum deviation_result result = deviation_judge(by, use, &policy, NULL);
    row->cases += result != DEVIATION_NONE;
    row->differs += result > DEVIATION_SAME;
    row->permitted += result == DEVIATION_PERMITTED;
    if (policy && !row->policy)
        row->policy = arena_text(&c->arena, policy);
    if (result > DEVIATION_SAME && result < DEVIATION_REJECTED && !row->other)
        row->other = arena_text(&c->arena, by->made->name);
    if (result != DEVIATION_REJECTED)
        return;
    if (!row->first)
        row->first = arena_text(&c->arena, by->made->name);
    row->rejected++;
}

/* All deviations of one case with a value. */
static void try_case(void *context, int op, const struct judge_value *by)
{
    struct cover *c = context;
    struct deviation_use *uses;
    int n = by->plain ? deviation_uses(by->arena, c->table, by->made->program,
                                       by->made->op, &uses)
                      : 0;
    for (int i = 0; i < n; i++)
        try_use(c, op, by, &uses[i]);
}

/* ---- Printing ------------------------------------------------------------ */

static void print_row_json(struct cover *c, const char *op,
                           const struct cover_row *r, bool *first)
{
    printf("%s\n  {\"op\": \"%s\", \"deviation\": %s, \"outcome\": \"%s\", "
           "\"cases\": %" PRId64 ", \"differing\": %" PRId64
           ", \"rejected\": %" PRId64,
           *first ? "" : ",", op, json_quote(&c->arena, r->name),
           cover_row_word(cover_row_fate(r)), r->cases, r->differs,
           r->rejected);
    if (r->first)
        printf(", \"first\": %s", json_quote(&c->arena, r->first));
    if (!r->first && r->other)
        printf(", \"other\": %s", json_quote(&c->arena, r->other));
    if (cover_row_fate(r) == COVER_PERMITTED)
        printf(", \"policy\": %s", json_quote(&c->arena, r->policy));
    if (cover_row_fate(r) == COVER_EQUIVALENT)
        printf(", \"why\": %s", json_quote(&c->arena, r->why));
    printf("}");
    *first = false;
}

static void print_row(const char *op, const struct cover_row *r)
{
    enum cover_fate fate = cover_row_fate(r);
    if (fate == COVER_REJECTED)
        printf("  %s %s: rejected by %" PRId64 " (%s)\n", op, r->name,
               r->rejected, r->first);
    else if (fate == COVER_NO_DIFFERENCE)
        printf("  %s %s: no difference seen in %" PRId64 " cases\n", op,
               r->name, r->cases);
    else
        printf("  %s %s: %s, %" PRId64 " of %" PRId64 " cases differ, %s\n", op,
               r->name, cover_row_word(fate), r->differs, r->cases,
               fate == COVER_PERMITTED    ? r->policy
               : fate == COVER_EQUIVALENT ? r->why
                                          : r->other);
}

static void count_rows(const struct cover_row *r, int64_t counts[COVER_FATES])
{
    for (; r; r = r->next)
        if (r->cases > 0)
            counts[cover_row_fate(r)]++;
}

static void print_counts(const char *name, const int64_t counts[COVER_FATES])
{
    printf("%-26s %8" PRId64 " %8" PRId64 " %9" PRId64 " %10" PRId64
           " %13" PRId64 "\n",
           name, counts[COVER_REJECTED], counts[COVER_SURVIVES],
           counts[COVER_PERMITTED], counts[COVER_EQUIVALENT],
           counts[COVER_NO_DIFFERENCE]);
}

static void print_text(const struct cover *c, const int64_t all[COVER_FATES])
{
    bool named = c->options->name != NULL;
    printf("%-26s %8s %8s %9s %10s %13s\n", "operation", "rejected", "survives",
           "permitted", "equivalent", "no difference");
    for (int i = 0; i < spec_op_count(); i++) {
        int64_t counts[COVER_FATES] = {0};
        count_rows(c->rows[i], counts);
        if (c->rows[i])
            print_counts(spec_op_at(i)->name, counts);
    }
    print_counts("all", all);
    for (int fate = 0; fate < COVER_FATES; fate++)
        for (int i = 0; i < spec_op_count(); i++)
            for (const struct cover_row *r = c->rows[i]; r; r = r->next)
                if (r->cases > 0 && cover_row_fate(r) == (enum cover_fate)fate
                    && (named
                        || (fate != COVER_REJECTED
                            && fate != COVER_NO_DIFFERENCE)))
                    print_row(spec_op_at(i)->name, r);
    printf("\n%" PRId64 " cases evaluated, %" PRId64
           " skipped (more than %d steps)\n",
           c->walk.cases, c->walk.left_out, COVER_WALK_STEPS);
}

static void print_json(struct cover *c, const int64_t all[COVER_FATES])
{
    bool first = true;
    printf("{\"format\": \"assay-cover-deviations/1\", \"deviations\": [");
    for (int i = 0; i < spec_op_count(); i++)
        for (const struct cover_row *r = c->rows[i]; r; r = r->next)
            if (r->cases > 0)
                print_row_json(c, spec_op_at(i)->name, r, &first);
    printf("\n], \"cases\": %" PRId64 ", \"left_out\": %" PRId64, c->walk.cases,
           c->walk.left_out);
    printf(", \"rejected\": %" PRId64 ", \"survives\": %" PRId64
           ", \"permitted\": %" PRId64 ", \"equivalent\": %" PRId64
           ", \"no_difference\": %" PRId64 "}\n",
           all[COVER_REJECTED], all[COVER_SURVIVES], all[COVER_PERMITTED],
           all[COVER_EQUIVALENT], all[COVER_NO_DIFFERENCE]);
}

/* Of the suite's own cases; NULL for others. */
static const char *case_folder(struct cover *c)
{
    char *path = arena_alloc(&c->arena, PATH_MAX);
    return c->options->path_count == 0 ? realpath(plan_folder(&c->arena), path)
                                       : NULL;
}

static int64_t print(struct cover *c)
{
    int64_t all[COVER_FATES] = {0};
    for (int i = 0; i < spec_op_count(); i++)
        count_rows(c->rows[i], all);
    if (c->options->json)
        print_json(c, all);
    else if (c->options->html)
        cover_html(c->table, c->rows, all, case_folder(c));
    else
        print_text(c, all);
    int64_t wrong = all[COVER_REJECTED] + all[COVER_SURVIVES];
    return wrong > 0 ? 100 * all[COVER_REJECTED] / wrong : 100;
}

static bool has_match(const struct cover *c, struct status *st)
{
    const char *glob = c->options->name;
    for (int i = 0; glob && i < c->table->count; i++) {
        const char *id = c->table->rows[i].id;
        if (glob_match(glob, id) || strncmp(glob, id, strlen(id)) == 0)
            return true;
    }
    return !glob || FAIL(st, INPUT, "no deviation matches '%s'", glob);
}

bool cover_deviations(const struct cover_deviations *o,
                      const struct limits *limits, int64_t *percent,
                      struct status *st)
{
    struct arena scratch = ARENA_INIT;
    struct cover c = {.options = o, .arena = ARENA_INIT};
    bool good = deviation_read(&c.arena, &c.table, st) && has_match(&c, st)
                && profile_load(&c.arena, o->profile ? o->profile : "spec",
                                &c.profile, st);
    if (good) {
        c.rows =
            arena_new(&c.arena, struct cover_row *, (size_t)spec_op_count());
        c.walk = (struct cover_walk){.options = o,
                                     .limits = *limits,
                                     .profile = c.profile,
                                     .arena = &c.arena,
                                     .scratch = &scratch,
                                     .visit = try_case,
                                     .context = &c};
        good = cover_walk(&c.walk, st);
    }
    if (good)
        *percent = print(&c);
    evaluate_end();
    arena_free(&scratch);
    arena_free(&c.arena);
    return good;
}
