/* cover_requirements.c - see cover.h; tools/test/breaks.t covers
 * it.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The cases are walked, and only those are evaluated that cover a rule of which
 * nothing strong enough is known yet: first the small ones, then, for rules
 * that nothing is known to break, larger ones, and last under the profile
 * strict, which permits less.  What a wrong result breaks is found as in a run:
 * from its wrong units, by violation.h.
 */
#include <stdio.h>
#include <string.h>

#include "interp/case/case_subst.h"
#include "interp/deviation/deviation_judge.h"
#include "runner/process/judge.h"
#include "runner/record.h"
#include "tools/verbs/cover.h"

enum {
    RULES_OF_CASE = 64, /* that one case covers */
    LISTED = 4,         /* deviations of a rule */
    TRIES = 64,         /* cases of a rule that are evaluated */
    TRIES_COVERED = 8,  /* the same, if one of them rejects some deviation */
    STEPS = 1 << 13     /* a case that takes more comes later: most rules have
                           small ones, and there are many deviations */
};

struct breaks {
    struct arena arena;
    struct arena scratch; /* of one question whether a case is wanted */
    const struct deviation_table *table;
    struct cover_rule **ops; /* by operation: its rules */
    int *counts;             /* of these */
    bool late, strict;       /* only rules that nothing breaks; under strict */
    /* Those of the present case that are open, and what is known of each from
     * cases of its class. */
    struct cover_rule *open[RULES_OF_CASE];
    struct cover_found *found[RULES_OF_CASE];
    int open_count;
};

/* ---- Rules --------------------------------------------------------------- */

static void list_rules(struct breaks *b)
{
    size_t n = (size_t)spec_op_count();
    b->ops = arena_new(&b->arena, struct cover_rule *, n);
    b->counts = arena_new(&b->arena, int, n);
    for (int i = 0; i < spec_op_count(); i++) {
        const struct spec_op *op = spec_op_at(i);
        int rules = op->requirement_count, all = rules + op->constraint_count;
        b->ops[i] = arena_new(&b->arena, struct cover_rule, (size_t)all);
        b->counts[i] = all;
        for (int k = 0; k < rules; k++) {
            const struct spec_requirement *q = &op->requirements[k];
            b->ops[i][k] = (struct cover_rule){.op = op->name,
                                               .id = q->id,
                                               .text = q->text,
                                               .untestable = q->untestable,
                                               .when = q->when};
            if (q->untestable)
                b->ops[i][k].found[0].how = COVER_RULE_UNTESTABLE;
        }
        for (int k = rules; k < all; k++) {
            const struct spec_constraint *q = &op->constraints[k - rules];
            b->ops[i][k] = (struct cover_rule){.op = op->name,
                                               .id = q->id,
                                               .text = q->text,
                                               .constraint = true};
        }
    }
}

static struct cover_rule *find_rule(const struct breaks *b, const char *id)
{
    char name[64];
    size_t n = strcspn(id, ".");
    if (n >= sizeof name)
        return NULL;
    memcpy(name, id, n);
    name[n] = '\0';
    int op = cover_walk_op(name);
    for (int k = 0; op >= 0 && k < b->counts[op]; k++)
        if (strcmp(b->ops[op][k].id, id) == 0)
            return &b->ops[op][k];
    return NULL;
}

/* Is too little known of it? */
static bool is_weak(const struct cover_rule *r, const struct cover_found *f)
{
    return f->how < (r->when ? COVER_RULE_NAMED : COVER_RULE_SPECIFIC);
}

static bool is_unbroken(const struct cover_found *f)
{
    return f->how == COVER_RULE_NONE || f->how == COVER_RULE_PERMITTED;
}

/* Could another case add information? */
static bool is_open(const struct breaks *b, const struct cover_rule *r,
                    const struct cover_found *f)
{
    bool covered = f->how == COVER_RULE_COVERED;
    return is_weak(r, f) && f->tries < (covered ? TRIES_COVERED : TRIES)
           && (!b->late || is_unbroken(f));
}

/* Could no further deviation add information about the case? */
static bool is_done(const struct breaks *b)
{
    for (int i = 0; i < b->open_count; i++)
        if (b->found[i]->count < LISTED || is_weak(b->open[i], b->found[i]))
            return false;
    return true;
}

static void keep(struct breaks *b, struct cover_found *f,
                 enum cover_rule_how how, const char *made, const char *what)
{
    bool here = f->first && strcmp(f->first, made) == 0;
    if (how < f->how || (how == f->how && (!here || f->count == LISTED)))
        return;
    if (how > f->how) {
        f->how = how;
        f->count = 0;
        f->first = here ? f->first : arena_text(&b->arena, made);
    }
    ARENA_GROW(&b->arena, f->deviations, f->count, f->room);
    f->deviations[f->count++] = arena_text(&b->arena, what);
}

/* ---- Cases --------------------------------------------------------------- */

static bool wants(void *context, const struct case_stub *stub)
{
    struct breaks *b = context;
    struct status st = {0};
    const struct json *node;
    b->open_count = 0;
    /* An invalid case fails when it is built. */
    if (!case_subst(&b->scratch, stub, &node, &st))
        return true;
    const struct json *covers = json_member(node, "covers");
    enum cover_class class = cover_rule_class_of(node);
    for (const struct json *c = covers ? covers->child : NULL; c; c = c->next) {
        struct cover_rule *r = find_rule(b, c->text);
        if (!r)
            continue;
        struct cover_found *f =
            &r->found[r->constraint ? COVER_CLASS_OTHER : class];
        f->covered = true;
        if (!is_open(b, r, f) || b->open_count == RULES_OF_CASE)
            continue;
        b->open[b->open_count] = r;
        b->found[b->open_count++] = f;
    }
    arena_reset(&b->scratch);
    return b->open_count > 0;
}

/* A backend that accepts the program has the verdict "accepted". */
static void visit_error(struct breaks *b, const struct test_case *made)
{
    for (int i = 0; i < b->open_count; i++)
        keep(b, b->found[i], COVER_RULE_ACCEPTS, made->name, "accepted");
}

static bool is_named(const struct violations *v, const char *id)
{
    for (int i = 0; i < v->count; i++)
        if (strcmp(v->list[i].id, id) == 0)
            return true;
    return false;
}

/* A number that is wrong, an operand or the memory of a result show in nearly
 * any case; what an attribute, a formula or an order does, only in some. */
static bool is_specific(const struct deviation *d)
{
    return d->kind == DEVIATION_REWRITE
               ? d->ops || d->change
               : d->kind == DEVIATION_ENVIRONMENT && !d->step;
}

static void try_use(struct breaks *b, const struct judge_value *by,
                    const struct deviation_use *use)
{
    const char *policy;
    const struct verdict *wrong;
    struct violations broken = {0};
    enum deviation_result result = deviation_judge(by, use, &policy, &wrong);
    for (int i = 0;
         result == DEVIATION_PERMITTED && !b->strict && i < b->open_count; i++)
        keep(b, b->found[i], COVER_RULE_PERMITTED, by->made->name, use->name);
    if (result != DEVIATION_REJECTED)
        return;
    if (wrong) {
        const struct job_result none = {0};
        const struct job_result *told =
            judge_wrong(by->arena, by->made, by->plain, wrong, &none);
        const struct plan_case own = {.stub = by->made->stub};
        record_violation(&own, by->mode.profile, told, VERDICT_FAIL, NULL,
                         &broken);
    }
    for (int i = 0; i < b->open_count; i++) {
        struct cover_rule *r = b->open[i];
        enum cover_rule_how how = is_named(&broken, r->id) ? COVER_RULE_NAMED
                                  : r->when                ? COVER_RULE_NONE
                                  : is_specific(use->what) ? COVER_RULE_SPECIFIC
                                                           : COVER_RULE_COVERED;
        if (how != COVER_RULE_NONE)
            keep(b, b->found[i], b->strict ? COVER_RULE_STRICT : how,
                 by->made->name, use->name);
    }
}

static void visit(void *context, int op, const struct judge_value *by)
{
    struct breaks *b = context;
    struct deviation_use *uses;
    (void)op;
    if (!by->plain) {
        visit_error(b, by->made);
        return;
    }
    int n = deviation_uses(by->arena, b->table, by->made->program, by->made->op,
                           &uses);
    for (int i = 0; i < b->open_count; i++)
        b->found[i]->tries++;
    for (int i = 0; i < 2 * n && !is_done(b); i++)
        if (is_specific(uses[i % n].what) == (i < n))
            try_use(b, by, &uses[i % n]);
}

static bool walk(struct breaks *b, const struct cover_deviations *o,
                 const struct limits *limits, const char *profile,
                 struct status *st)
{
    struct arena scratch = ARENA_INIT;
    struct cover_walk walk = {.options = o,
                              .limits = *limits,
                              .arena = &b->arena,
                              .scratch = &scratch,
                              .wants = wants,
                              .visit = visit,
                              .context = b};
    if (!b->late && walk.limits.steps > STEPS)
        walk.limits.steps = STEPS;
    bool good = profile_load(&b->arena, profile, &walk.profile, st)
                && cover_walk(&walk, st);
    arena_free(&scratch);
    return good;
}

/* For rules that nothing breaks: the larger cases, and those of strict. */
static bool walk_late(struct breaks *b, const struct cover_deviations *o,
                      const struct limits *limits, const char *profile,
                      struct status *st)
{
    static const char strict[] = "strict";
    b->late = true;
    TRY(walk(b, o, limits, profile, st));
    b->strict = true;
    return strcmp(profile, strict) == 0 || walk(b, o, limits, strict, st);
}

bool cover_requirements(const struct cover_deviations *o,
                        const struct limits *limits, int64_t *percent,
                        struct status *st)
{
    struct breaks b = {.arena = ARENA_INIT, .scratch = ARENA_INIT};
    const char *profile = o->profile ? o->profile : "spec";
    bool good = spec_load(st) && deviation_read(&b.arena, &b.table, st);
    if (good) {
        list_rules(&b);
        good = walk(&b, o, limits, profile, st)
               && walk_late(&b, o, limits, profile, st);
    }
    if (good)
        *percent = cover_rule_print(o, b.ops, b.counts);
    evaluate_end();
    arena_free(&b.scratch);
    arena_free(&b.arena);
    return good;
}
