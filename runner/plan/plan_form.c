/* plan_form.c - see plan_form.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "runner/plan/plan_form.h"

#include "interp/base/glob.h"
#include "interp/form/form_cover.h"

/* A case as forms see it; false if it has none. */
static bool plain_case(struct arena *a, const struct plan_forming *f,
                       const struct case_stub *stub, struct form_case *plain)
{
    struct test_case *t;
    struct status st = {STATUS_OK};
    const struct json *expect = json_member(stub->node, "expect");
    if (json_member(stub->node, "replicas")
        || json_member(stub->node, "partitions")
        || json_member(stub->node, "programs")
        || json_member(stub->node, "infeed")
        || json_member(stub->node, "outfeed")
        || (expect && json_member(expect, "error"))
        || !case_make(a, stub, NULL, f->limits, &t, &st) || t->rejected
        || t->program->entry->parameter_count != t->input_count)
        return false;
    int *origins = arena_new(a, int, (size_t)t->input_count + 1);
    for (int i = 0; i < t->input_count; i++)
        origins[i] = i;
    *plain =
        (struct form_case){t->program, t->input_count, t->inputs[0], origins};
    return true;
}

static bool can_be_made(const struct plan_forming *f,
                        const struct case_stub *stub, const char *form)
{
    struct arena a = ARENA_INIT;
    struct test_case *made;
    struct status st = {STATUS_OK};
    bool good = case_make(&a, stub, form, f->limits, &made, &st);
    arena_free(&a);
    return good;
}

/* ---- The covering array -------------------------------------------------- */

/* A case of the array, made. */
struct kept {
    const struct case_stub *stub;
    struct form_case plain;
};

static bool works(void *context, void *what, const struct form_uses *uses)
{
    const struct plan_forming *f = context;
    const struct kept *k = what;
    struct arena a = ARENA_INIT;
    struct form_case data, written;
    struct status st = {STATUS_OK};
    bool good =
        form_apply(&a, f->limits, uses, &k->plain, &data, &written, &st);
    arena_free(&a);
    return good;
}

static void give(void *context, void *what, const struct form_uses *uses)
{
    const struct plan_forming *f = context;
    const struct kept *k = what;
    f->give(f->context, k->stub, form_name(f->arena, uses, case_op(k->stub)));
}

bool plan_form_array(const struct plan_forming *f, int64_t count,
                     const struct case_stub *const *stubs, bool each,
                     struct status *st)
{
    struct arena a = ARENA_INIT;
    struct form_cover x = {.arena = &a,
                           .each = each,
                           .deal = each || count == 0 ? NULL : stubs[0]->op,
                           .works = works,
                           .give = give,
                           .context = (void *)(uintptr_t)f};
    bool good = true;
    for (int64_t i = 0; i < count && good; i++) {
        struct kept *k = arena_new(&a, struct kept, 1);
        k->stub = stubs[i];
        if (plain_case(&a, f, stubs[i], &k->plain))
            good = form_cover_case_add(&x, &k->plain, k, st);
    }
    if (good)
        form_cover(&x);
    arena_free(&a);
    return good;
}

/* ---- Forms by name ------------------------------------------------------- */

void plan_form_one(const struct plan_forming *f, const struct case_stub *stub,
                   const char *form)
{
    if (can_be_made(f, stub, form))
        f->give(f->context, stub, arena_text(f->arena, form));
}

static void try_use(const struct plan_forming *f, const struct case_stub *stub,
                    const struct form_case *plain, const struct form_use *use,
                    int count, const char *const *globs)
{
    struct form_uses uses = {0};
    uses.of[use->what->family] = *use;
    const char *name = form_name(f->arena, &uses, case_op(stub));
    bool wanted = false;
    for (int i = 0; i < count; i++)
        wanted = wanted || glob_match(globs[i], name);
    if (wanted && form_suit(use, plain))
        plan_form_one(f, stub, name);
}

bool plan_form_all(const struct plan_forming *f, const struct case_stub *stub,
                   int count, const char *const *globs, struct status *st)
{
    const struct form_table *table;
    struct arena a = ARENA_INIT;
    struct form_case plain;
    TRY(form_read(&table, st));
    bool good = plain_case(&a, f, stub, &plain);
    for (int i = 0; good && i < table->count; i++) {
        struct form_use use = {&table->rows[i], -1};
        if (use.what->place != FORM_EACH)
            try_use(f, stub, &plain, &use, count, globs);
        for (use.operand = 0;
             use.what->place != FORM_ALL && use.operand < plain.count;
             use.operand++)
            try_use(f, stub, &plain, &use, count, globs);
    }
    arena_free(&a);
    return true;
}
