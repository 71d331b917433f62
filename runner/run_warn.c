/* run_warn.c - see run_private.h.  Tests: messages.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdio.h>
#include <string.h>

#include "interp/base/glob.h"
#include "interp/base/text.h"
#include "interp/deviation/deviation_pair.h"
#include "interp/deviation/deviation_target.h"
#include "interp/form/form.h"
#include "interp/program/op_table.h"
#include "interp/specification/spec.h"
#include "runner/run_private.h"

struct warning {
    struct arena *arena;
    const struct run_options *options;
    const struct plan *plan;
    const struct expect *expect;
};

static const char *in_tier(const struct warning *x)
{
    const char *tier = x->options->plan.tier;
    return tier ? arena_printf(x->arena, " of tier %s", tier) : "";
}

/* The nearest operation to what a glob begins with, if that is none. */
static const char *glob_hint(struct warning *x, const char *glob)
{
    const char *op =
        arena_printf(x->arena, "%.*s", (int)strcspn(glob, "/*?[\\@#"), glob);
    char *to = arena_alloc(x->arena, TEXT_HINT);
    return spec_op_find(op) ? "" : spec_op_hint(to, op);
}

bool run_warn_nothing(struct arena *a, const struct run_options *options,
                      const struct plan *plan, struct status *st)
{
    struct warning warning = {a, options, plan, NULL}, *x = &warning;
    const struct plan_options *o = &x->options->plan;
    const char *program = x->options->program;
    const char *place = program ? program : x->plan->folder;
    if (o->names)
        return FAIL(st, INPUT, "%.100s: names no case%s of %.100s (first: %s)",
                    o->names->path, in_tier(x), place, o->names->names[0]);
    if (o->filter_count == 0 && o->exclude_count == 0)
        return FAIL(st, INPUT, "%.100s: no case%s", place, in_tier(x));
    if (o->filter_count == 0)
        return FAIL(st, INPUT, "--exclude '%.80s'%s: leaves out every case%s",
                    o->excludes[0],
                    o->exclude_count > 1 ? " and the others" : "", in_tier(x));
    return FAIL(st, INPUT,
                "--filter '%.80s'%s%s: no case%s in %.100s matches%s",
                o->filters[0], o->filter_count > 1 ? " and the others" : "",
                o->exclude_count > 0 ? ", without what --exclude names" : "",
                in_tier(x), place, glob_hint(x, o->filters[0]));
}

static bool is_formed(const struct plan *plan, const char *glob)
{
    for (int64_t i = 0; i < plan->count; i++)
        if (plan->cases[i].form && glob_match(glob, plan->cases[i].form))
            return true;
    return false;
}

/* One of several filters with a typing error would narrow the run silently, and
 * a form that no case can have would leave the plain cases alone. */
void run_warn_filters(struct arena *a, const struct run_options *options,
                      const struct plan *plan)
{
    struct warning warning = {a, options, plan, NULL}, *x = &warning;
    const struct plan_options *o = &x->options->plan;
    for (int i = 0; i < o->filter_count; i++)
        if (x->plan->matched[i] == 0)
            fprintf(stderr,
                    "assay run: warning: --filter '%s': no case%s matches%s\n",
                    o->filters[i], in_tier(x), glob_hint(x, o->filters[i]));
    for (int i = 0; i < o->form_count; i++)
        if (strcmp(o->forms[i], FORM_NONE) != 0
            && !is_formed(x->plan, o->forms[i]))
            fprintf(stderr,
                    "assay run: warning: --form '%s': no chosen case has this "
                    "form\n",
                    o->forms[i]);
    const char *first;
    int64_t unmet = o->names ? plan_names_unmet(o->names, &first) : 0;
    if (unmet > 0)
        fprintf(stderr,
                "assay run: warning: %s: no case%s has %lld of the names; "
                "first: %s\n",
                o->names->path, in_tier(x), (long long)unmet, first);
}

static bool is_planned(const struct plan *plan, const char *glob)
{
    struct arena a = ARENA_INIT;
    bool found = false;
    for (int64_t i = 0; i < plan->count && !found; i++) {
        found = glob_match(glob, plan_name(&a, &plan->cases[i]));
        arena_reset(&a);
    }
    arena_free(&a);
    return found;
}

/* The cases of all tiers, once they are needed. */
static const struct plan *all_tiers(struct warning *x, struct plan *all)
{
    struct status ignored = {0};
    struct plan_options options = x->options->plan;
    options.tier = NULL;
    if (!all->folder
        && !plan_make(x->arena, &options, &x->options->limits, all, &ignored))
        *all = *x->plan;
    return all;
}

enum {
    SHOWN = 5
};

/* Lint refuses such an entry; a run only warns that it hides other failures. */
static void warn_of_wide(const struct expect *e)
{
    int wide = 0;
    for (int i = 0; i < e->count; i++) {
        const char *lack = expect_too_wide(&e->lines[i]);
        if (!lack || ++wide > SHOWN)
            continue;
        fprintf(stderr,
                "assay run: warning: %s:%u: would hide another kind of "
                "failure: the entry needs %s\n",
                e->path, e->lines[i].line, lack);
    }
    if (wide > SHOWN)
        fprintf(stderr,
                "assay run: warning: %s: %d more entries would hide "
                "another kind of failure\n",
                e->path, wide - SHOWN);
}

/* An expectation that no case can match is useless: its case was renamed, or
 * never existed.  A run of chosen cases or of a sample says nothing about that,
 * nor does one of other cases than the suite's about the file next to a
 * backend. */
void run_warn_expectations(struct arena *a, const struct run_options *options,
                           const struct plan *whole,
                           const struct expect *expect)
{
    struct warning warning = {a, options, whole, expect}, *x = &warning;
    const struct expect *e = x->expect;
    struct plan all = {0};
    int idle = 0;
    const struct plan_options *o = &x->options->plan;
    warn_of_wide(e);
    if (o->filter_count > 0 || o->exclude_count > 0 || o->names
        || x->plan->sampled || (o->cases && !x->options->expectations))
        return;
    for (int i = 0; i < e->count; i++) {
        char *glob = arena_text(x->arena, e->lines[i].glob);
        if (is_planned(x->plan, glob) || is_planned(all_tiers(x, &all), glob)
            || ++idle > SHOWN)
            continue;
        text_clean(glob, strlen(glob) + 1, glob);
        fprintf(stderr, "assay run: warning: %s:%u: '%s': no case matches\n",
                e->path, e->lines[i].line, glob);
    }
    if (idle > SHOWN)
        fprintf(stderr,
                "assay run: warning: %s: %d more expectations match no case\n",
                e->path, idle - SHOWN);
}

/* Is an instruction at the use's place, or may elements or executions be? */
static bool has_place(const struct place_table *places, const struct program *p,
                      const struct place *place)
{
    uint64_t bit = UINT64_C(1) << place->number;
    uint64_t all = places->of_elements;
    for (int i = 0; i < p->computation_count; i++)
        for (int k = 0; k < p->computations[i]->count; k++) {
            const struct place_at at = {.program = p,
                                        .computation = p->computations[i],
                                        .in =
                                            p->computations[i]->instructions[k],
                                        .execution = INT64_MAX};
            if (at.in->op->role == OP_ROLE_NONE && !at.in->op->passes
                && place_is_step(places, p, at.computation))
                all |= place_of_instruction(places, &at);
        }
    return all & bit;
}

/* Is it one of the uses that may apply to a program?  At a place, to any of its
 * computations; elsewhere only the entry is rewritten. */
static bool may_apply(struct arena *a, const struct deviation_table *table,
                      const struct program *p, const struct deviation_use *use)
{
    size_t n = strcspn(use->name, "@");
    int computations = use->place ? p->computation_count : 1;
    for (int i = 0; i < computations; i++) {
        struct program one = *p;
        struct deviation_use *uses;
        if (use->place) {
            one.entry = p->computations[i];
            one.entries = NULL;
        }
        int count = deviation_uses(a, table, &one, NULL, &uses);
        for (int k = 0; k < count; k++)
            if (strncmp(uses[k].name, use->name, n) == 0 && !uses[k].name[n])
                return true;
    }
    return false;
}

/* The same of one planned case, as it is run. */
static bool changes(struct arena *a, const struct deviation_table *table,
                    const struct place_table *places,
                    const struct deviation_use *use, const struct plan_case *p,
                    const struct limits *limits)
{
    struct test_case *c;
    struct status ignored = {0};
    if (!case_make(a, p->stub, p->form, limits, &c, &ignored))
        return true;
    const struct program *written = c->written->program;
    if (c->rejected || c->error_count > 0)
        return false; /* it is refused, whatever the deviation */
    return (!use->place || has_place(places, written, use->place))
           && may_apply(a, table, written, use);
}

/* May it change a planned case?  A program may have any operation, and so may
 * most forms. */
static bool changes_any(const struct deviation_table *table,
                        const struct deviation_use *use,
                        const struct plan *plan, const struct limits *limits)
{
    struct arena a = ARENA_INIT;
    struct status ignored = {0};
    const struct place_table *places;
    bool any = !place_read(&places, &ignored);
    for (int64_t i = 0; i < plan->count && !any; i++) {
        const struct case_stub *stub = plan->cases[i].stub;
        const struct spec_op *op = stub->op ? spec_op_find(stub->op) : NULL;
        const char *form = plan->cases[i].form;
        bool constant = form && strcmp(form, "constant") == 0;
        any = (!op || json_member(stub->node, "module") || (form && !constant)
               || deviation_target_concerns(use, op)
               || (constant
                   && deviation_target_concerns(
                       use, spec_op_find(op_Constant.name))))
              && changes(&a, table, places, use, &plan->cases[i], limits);
        arena_reset(&a);
    }
    arena_free(&a);
    return any;
}

bool run_warn_deviation(struct arena *a, const char *path, const char *options,
                        const struct deviation_table *table,
                        const struct plan *plan, const struct limits *limits,
                        struct status *st)
{
    static const char own[] = "reference.so", key[] = "deviation=";
    size_t n = strlen(path), own_n = strlen(own), key_n = strlen(key);
    struct deviation_pair pair;
    if (n < own_n || strcmp(path + n - own_n, own) != 0
        || strncmp(options, key, key_n) != 0)
        return true;
    TRY(deviation_pair_find(a, table, options + key_n, &pair, st));
    for (int i = 0; i < pair.count; i++)
        if (!changes_any(table, &pair.uses[i], plan, limits))
            return FAIL(st, INPUT,
                        "deviation '%.80s' changes no planned case: %.40s "
                        "lacks what it changes",
                        pair.uses[i].name,
                        plan->count > 0 && plan->cases[0].stub->op
                            ? plan->cases[0].stub->op
                            : "the plan");
    return true;
}
