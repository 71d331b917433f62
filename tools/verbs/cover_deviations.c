/* cover_deviations.c - see cover.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cases are walked once.  A deviation of an operation is skipped after the
 * first case that rejects it, so most of the work is for what survives.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/deviation/deviation_judge.h"
#include "runner/plan/plan.h"
#include "tools/verbs/cover.h"

struct cover {
    const struct cover_deviations *options;
    struct arena arena;
    const struct deviation_table *table;
    const struct profile *profile;
    struct cover_row **rows; /* by operation: a list */
    struct cover_walk walk;
    const struct place_table *places; /* NULL: not asked for */
    uint64_t *possible;               /* by operation: places */
};

/* ---- Evaluating ---------------------------------------------------------- */

/* The policy, if the profile takes any value there: then no remark names it. */
static const char *freedom(const struct profile *p, const char *policy)
{
    const char *choice = policy ? profile_choice(p, policy) : NULL;
    return choice && strcmp(choice, "any") == 0 ? policy : NULL;
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
            deviation_equivalent(c->table, spec_op_at(op), (*at)->name, NULL);
        if (c->places)
            (*at)->places = arena_new(&c->arena, struct cover_place,
                                      (size_t)c->places->count);
    }
    return *at;
}

/* Those of some places where no case has rejected the deviation. */
static uint64_t open_places(const struct cover *c, const struct cover_row *r,
                            uint64_t all)
{
    for (int i = 0; c->places && i < c->places->count; i++)
        if (r->places[i].first)
            all &= ~(UINT64_C(1) << i);
    return c->places ? all : 0;
}

static void note_places(struct cover *c, struct cover_row *r, const char *name,
                        const struct deviation_places *p)
{
    for (int i = 0; c->places && i < c->places->count; i++) {
        struct cover_place *to = &r->places[i];
        to->cases += p->wanted >> i & 1;
        to->differs += p->differs >> i & 1;
        to->permitted = to->permitted || p->permitted >> i & 1;
        if (p->rejected >> i & 1)
            to->first = arena_text(&c->arena, name);
    }
}

/* A deviation that is tried on a case. */
struct trying {
    struct judge_value by; /* in the arena of one deviation */
    struct deviation_shared shared;
    const struct deviation_located *at;
    uint64_t places; /* that the case has */
    bool plain;      /* it is in no form */
    bool alone;      /* nothing but the operation decides its result: no
                        constant either, which may deviate as well */
};

static bool has_constant(const struct computation *entry)
{
    for (int i = 0; i < entry->count; i++)
        if (entry->instructions[i]->op->role == OP_ROLE_CONSTANT)
            return true;
    return false;
}

static void note(struct cover *c, struct cover_row *row, const struct trying *t,
                 enum deviation_result result, const char *policy)
{
    const char *name = t->by.made->name;
    row->cases += result != DEVIATION_NONE;
    row->differs += result > DEVIATION_SAME;
    row->permitted += result == DEVIATION_PERMITTED;
    if (policy && !row->policy)
        row->policy = arena_text(&c->arena, policy);
    if (result > DEVIATION_SAME && result < DEVIATION_REJECTED && !row->other)
        row->other = arena_text(&c->arena, name);
    if (result != DEVIATION_REJECTED)
        return;
    struct cover_case *by = arena_new(&c->arena, struct cover_case, 1);
    *by = (struct cover_case){arena_text(&c->arena, name), row->by};
    row->by = by;
    if (!row->first)
        row->first = by->name;
    row->refuted = row->refuted || t->alone;
    row->rejected++;
}

/* How many of the cases that reject a deviation are looked for. */
static int64_t most_cases(const struct cover *c)
{
    return c->options->count > 0 ? c->options->count : 1;
}

static void try_use(struct cover *c, int op, struct trying *t,
                    const struct deviation_use *use)
{
    const char *policy, *glob = c->options->name;
    const char *name = t->by.made->name;
    if (glob && !glob_match(glob, use->name)
        && !glob_match(glob, use->what->id))
        return;
    struct cover_row *row = find_row(c, op, use);
    struct deviation_places places = {.wanted = open_places(c, row, t->places)};
    bool wanted = t->plain && row->rejected < most_cases(c);
    if (!wanted && !places.wanted)
        return;
    enum deviation_result result = deviation_located_judge(
        &t->by, &t->shared, use, t->at, &places, &policy);
    if (wanted)
        note(c, row, t, result, policy);
    if (result != DEVIATION_NONE)
        note_places(c, row, name, &places);
}

/* All deviations of one case with a value. */
static void try_case(void *context, int op, const struct judge_value *by)
{
    struct cover *c = context;
    struct deviation_use *uses;
    struct deviation_located at;
    struct status ignored = {0};
    if (!by->plain)
        return;
    struct arena one = ARENA_INIT;
    struct trying t = {
        .by = *by, .at = &at, .plain = !strchr(by->made->name, '#')};
    t.alone = deviation_located_at(by->arena, by->made,
                                   by->plain->outcomes[0].value, &at, &ignored);
    if (c->places && t.alone)
        t.places = deviation_located_all(&at);
    t.alone = t.alone && !has_constant(by->made->program->entry);
    c->possible[op] |= t.places;
    int n = deviation_uses(by->arena, c->table, by->made->program, by->made->op,
                           &uses);
    t.by.arena = &one;
    for (int i = 0; i < n; i++) {
        try_use(c, op, &t, &uses[i]);
        arena_reset(&one);
    }
    arena_free(&one);
    deviation_run_free(&t.shared);
}

/* ---- Printing ------------------------------------------------------------ */

static void print_cases_json(struct cover *c, const struct cover_case *by)
{
    for (printf(", \"by\": ["); by; by = by->next)
        printf("%s%s", json_quote(&c->arena, by->name), by->next ? ", " : "");
    printf("]");
}

static void print_row_json(struct cover *c, int number,
                           const struct cover_row *r, bool *first)
{
    const char *op = spec_op_at(number)->name;
    printf("%s\n  {\"op\": \"%s\", \"deviation\": %s, \"outcome\": \"%s\", "
           "\"cases\": %" PRId64 ", \"differing\": %" PRId64
           ", \"rejected\": %" PRId64,
           *first ? "" : ",", op, json_quote(&c->arena, r->name),
           cover_row_word(cover_row_fate(r)), r->cases, r->differs,
           r->rejected);
    if (r->first)
        printf(", \"first\": %s", json_quote(&c->arena, r->first));
    if (r->first && c->options->count > 0)
        print_cases_json(c, r->by);
    if (!r->first && r->other)
        printf(", \"other\": %s", json_quote(&c->arena, r->other));
    if (cover_row_fate(r) == COVER_PERMITTED)
        printf(", \"policy\": %s", json_quote(&c->arena, r->policy));
    if (cover_row_fate(r) == COVER_EQUIVALENT)
        printf(", \"why\": %s", json_quote(&c->arena, r->why));
    if (r->why && r->refuted)
        printf(", \"refuted\": %s", json_quote(&c->arena, r->why));
    if (c->places && cover_row_fate(r) == COVER_REJECTED)
        cover_places_json(c->places, c->possible[number], r);
    printf("}");
    *first = false;
}

static void print_row(const char *op, const struct cover_row *r)
{
    enum cover_fate fate = cover_row_fate(r);
    if (fate == COVER_REJECTED)
        printf("  %s %s: rejected by %" PRId64 " (%s)\n", op, r->name,
               r->rejected, r->first);
    else
        printf("  %s %s: %s, %" PRId64 " of %" PRId64 " cases differ, %s\n", op,
               r->name, cover_row_word(fate), r->differs, r->cases,
               fate == COVER_PERMITTED    ? r->policy
               : fate == COVER_EQUIVALENT ? r->why
               : r->other                 ? r->other
                                          : "no case shows it");
}

static void count_rows(const struct cover_row *r, int64_t counts[COVER_FATES])
{
    for (; r; r = r->next)
        if (r->cases > 0)
            counts[cover_row_fate(r)]++;
}

static void print_counts(const char *name, const int64_t counts[COVER_FATES])
{
    printf("%-26s %8" PRId64 " %8" PRId64 " %9" PRId64 " %10" PRId64 "\n", name,
           counts[COVER_REJECTED], counts[COVER_SURVIVES],
           counts[COVER_PERMITTED], counts[COVER_EQUIVALENT]);
}

static void print_text(const struct cover *c, const int64_t all[COVER_FATES])
{
    bool named = c->options->name != NULL;
    printf("%-26s %8s %8s %9s %10s\n", "operation", "rejected", "survives",
           "permitted", "equivalent");
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
                    && (named || fate != COVER_REJECTED))
                    print_row(spec_op_at(i)->name, r);
    if (c->places)
        cover_places_text(c->places, c->possible, c->rows);
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
                print_row_json(c, i, r, &first);
    printf("\n], \"cases\": %" PRId64 ", \"left_out\": %" PRId64, c->walk.cases,
           c->walk.left_out);
    printf(", \"rejected\": %" PRId64 ", \"survives\": %" PRId64
           ", \"permitted\": %" PRId64 ", \"equivalent\": %" PRId64 "}\n",
           all[COVER_REJECTED], all[COVER_SURVIVES], all[COVER_PERMITTED],
           all[COVER_EQUIVALENT]);
}

/* The folder of the suite's own cases; NULL for others. */
static const char *case_folder(struct cover *c)
{
    char *path = arena_alloc(&c->arena, PATH_MAX);
    return c->options->path_count == 0 ? realpath(plan_folder(&c->arena), path)
                                       : NULL;
}

/* The table's reasons, now that it is known where a deviation was tried. */
static void set_reasons(struct cover *c)
{
    for (int i = 0; i < spec_op_count(); i++)
        for (struct cover_row *r = c->rows[i]; r; r = r->next)
            for (int k = 0; c->places && k < c->places->count; k++)
                r->places[k].why = deviation_equivalent(
                    c->table, spec_op_at(i), r->name, &c->places->rows[k]);
}

static int64_t print(struct cover *c)
{
    int64_t all[COVER_FATES] = {0};
    set_reasons(c);
    for (int i = 0; i < spec_op_count(); i++)
        count_rows(c->rows[i], all);
    if (c->options->json)
        print_json(c, all);
    else if (c->options->html)
        cover_html(c->table, c->rows, all, case_folder(c));
    else
        print_text(c, all);
    if (c->places)
        cover_places_count(c->places, c->possible, c->rows, all);
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
                                &c.profile, st)
                && (!o->places || place_read(&c.places, st));
    if (good) {
        c.possible = arena_new(&c.arena, uint64_t, (size_t)spec_op_count());
        c.rows =
            arena_new(&c.arena, struct cover_row *, (size_t)spec_op_count());
        c.walk = (struct cover_walk){.options = o,
                                     .limits = *limits,
                                     .profile = c.profile,
                                     .arena = &c.arena,
                                     .scratch = &scratch,
                                     .visit = try_case,
                                     .context = &c,
                                     .forms = o->places};
        good = cover_walk(&c.walk, st);
    }
    if (good)
        *percent = print(&c);
    evaluate_end();
    arena_free(&scratch);
    arena_free(&c.arena);
    return good;
}
