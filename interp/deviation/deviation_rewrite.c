/* deviation_rewrite.c - see deviation_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"
#include "interp/formula/formula.h"

/* One instruction being replaced. */
struct rewriting {
    struct formula f;
    const struct deviation_use *use;
    const int *operands; /* of it, in the new entry */
};

/* ---- One instruction ----------------------------------------------------- */

static bool has_type(const struct rewriting *w, int operand)
{
    const struct shape *s = formula_shape(&w->f, operand);
    uint64_t types = w->use->what->types;
    return s->kind == SHAPE_ARRAY && (types == 0 || types >> s->dtype & 1);
}

/* The operand that the use names in this instruction, or -1. */
static int find_operand(const struct rewriting *w)
{
    const struct deviation_use *use = w->use;
    if (use->operand >= 0)
        return use->operand < w->f.in->operand_count ? use->operand : -1;
    const char *place = use->attribute;
    size_t n = strcspn(place, ",");
    for (int k = 0; k < w->f.in->operand_count; k++) {
        const char *name = formula_operand(w->f.arena, w->f.in->op, k);
        if (strlen(name) == n && strncmp(name, place, n) == 0)
            return k;
    }
    return -1;
}

/* A computation that a change made belongs to the program, too. */
static void adopt(struct rewriting *w, const struct attribute *at)
{
    for (int i = 0; i < at->computation_count; i++) {
        if (!at->computations[i] || at->computations[i]->result)
            continue;
        struct program *p = w->f.program;
        struct computation *own = program_computation(p, "deviation");
        *own = *at->computations[i];
        at->computations[i] = own;
    }
}

static bool change_attribute(struct rewriting *w, struct instruction *copy)
{
    const struct spec_op *spec = spec_op_find(w->f.in->op->name);
    size_t n = (size_t)w->f.in->attribute_count;
    copy->attributes = arena_new(w->f.arena, struct attribute, n + 1);
    copy->attribute_count = 0;
    bool changed = false;
    for (size_t i = 0; i < n; i++) {
        struct attribute to = w->f.in->attributes[i];
        if (strcmp(attribute_name_text(to.name), w->use->attribute) == 0)
            changed = deviation_attribute(w->f.arena, w->use->what->change,
                                          spec, &w->f.in->attributes[i], &to);
        if (to.name)
            copy->attributes[copy->attribute_count++] = to;
        adopt(w, &to);
    }
    return changed;
}

/* Put the replacement of an instruction into the new entry, and its number in
 * *number; *changed is not set where nothing changes. */
static bool replace(struct rewriting *w, int *number, bool *changed,
                    struct status *st)
{
    const struct deviation *d = w->use->what;
    struct instruction copy = *w->f.in;
    int k = -1;
    if (d->formula && deviation_replaces(d, w->f.old->entry, w->f.in)) {
        *changed = true;
        return formula_all(&w->f, d->formula, number, st);
    }
    int *operands = arena_new(w->f.arena, int, (size_t)copy.operand_count + 1);
    if (copy.operand_count)
        memcpy(operands, w->operands,
               (size_t)copy.operand_count * sizeof *operands);
    if (d->operand || d->swap)
        k = find_operand(w);
    if (d->operand && k >= 0 && has_type(w, k)) {
        w->f.at = k;
        TRY(formula_add(&w->f, d->operand, &operands[k], st));
        *changed = true;
    }
    if (d->swap && k >= 0 && k + 1 < copy.operand_count
        && shape_equal(formula_shape(&w->f, k), formula_shape(&w->f, k + 1))) {
        operands[k] = w->operands[k + 1];
        operands[k + 1] = w->operands[k];
        *changed = true;
    }
    if (d->change && change_attribute(w, &copy))
        *changed = true;
    copy.operands = operands;
    *number = program_add(w->f.program, w->f.entry, &copy);
    return true;
}

/* ---- The program --------------------------------------------------------- */

static bool is_target(const struct deviation_use *use,
                      const struct instruction *in, const char *op)
{
    return !op || strcmp(in->op->name, op) == 0;
}

static bool rewrite_entry(struct rewriting *w, const char *op,
                          struct status *st)
{
    const struct computation *c = w->f.old->entry;
    int *map = arena_new(w->f.arena, int, (size_t)c->count);
    w->f.map = map;
    bool changed = false;
    for (int i = 0; i < c->count; i++) {
        w->f.in = c->instructions[i];
        int n = w->f.in->operand_count;
        int *operands = arena_new(w->f.arena, int, (size_t)n + 1);
        for (int k = 0; k < n; k++)
            operands[k] = map[w->f.in->operands[k]];
        w->operands = operands;
        if (w->f.in->op->role != OP_ROLE_PARAMETER
            && is_target(w->use, w->f.in, op))
            TRY(replace(w, &map[i], &changed, st));
        else {
            struct instruction copy = *w->f.in;
            copy.operands = operands;
            map[i] = program_add(w->f.program, w->f.entry, &copy);
        }
    }
    w->f.entry->root = map[c->root];
    return changed
           || FAIL(st, UNSUPPORTED, "%s does not apply to this program",
                   w->use->name);
}

bool deviation_rewrite(struct arena *a, const struct deviation_use *use,
                       const struct program *p, const struct program **made,
                       struct status *st)
{
    struct program *q = arena_new(a, struct program, 1);
    if (p->entries)
        return FAIL(st, UNSUPPORTED, "programs differ between processes");
    *q = *p;
    q->arena = a;
    q->computation_room = p->computation_count + 1;
    q->computations =
        arena_new(a, struct computation *, (size_t)q->computation_room);
    struct rewriting w = {.f = {.arena = a,
                                .name = "deviation",
                                .with = use->what->with,
                                .whole = use->what->formula != NULL,
                                .old = p,
                                .program = q},
                          .use = use};
    w.f.entry = arena_new(a, struct computation, 1);
    w.f.entry->name = p->entry->name;
    w.f.entry->associative = p->entry->associative;
    for (int i = 0; i < p->computation_count; i++)
        q->computations[i] =
            p->computations[i] == p->entry ? w.f.entry : p->computations[i];
    q->entry = w.f.entry;
    TRY(rewrite_entry(&w, use->op, st));
    TRY(program_infer(q, st));
    if (!shape_equal(q->entry->result, p->entry->result))
        return FAIL(st, UNSUPPORTED, "%s: the result has another shape",
                    use->name);
    *made = q;
    return true;
}
