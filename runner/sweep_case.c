/* sweep_case.c - see sweep_private.h: the cases of a sweep.  Tests: sweep.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interp/base/text.h"
#include "interp/data/number.h"
#include "interp/specification/spec.h"
#include "runner/sweep_private.h"

bool sweep_case_plan(struct sweeping *x, struct status *st)
{
    char path[] = "/tmp/assay-sweep-XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!f)
        return FAIL(st, SYSTEM, "%s: cannot be created: %s", path,
                    strerror(errno));
    if (x->options->hunt)
        sweep_points_write_lines(f, x->sweep, x->lines, x->plan_first);
    else
        sweep_points_write(f, x->sweep);
    struct limits limits = x->options->limits;
    limits.file_bytes = INT64_C(1) << 31;
    limits.file_cases = SWEEP_POINTS_PARTS + 2;
    struct case_file *file;
    bool good = fclose(f) == 0;
    if (!good)
        FAIL(st, SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    good = good
           && case_file_read(x->plan_arena, path, "sweep", &limits, &file, st);
    unlink(path);
    if (!good)
        return false;
    x->plan.count = file->stub_count;
    x->plan.cases = arena_new(x->plan_arena, struct plan_case,
                              (size_t)file->stub_count + 1);
    for (int i = 0; i < file->stub_count; i++)
        x->plan.cases[i].stub = &file->stubs[i];
    int64_t due = x->sweep->part_count - x->plan_first;
    return x->plan.count == due
           || FAIL(st, SYSTEM,
                   "a sweep of %" PRId64 " parts has %" PRId64 " cases", due,
                   x->plan.count);
}

/* Fails if the operation does not take or does not return such a type. */
static bool check_types(struct sweep *sweep, const struct test_case *c,
                        struct status *st)
{
    const struct sweep_options *o = sweep->options;
    const struct shape *s = c->rejected ? NULL : c->program->entry->result;
    sweep->inapplicable =
        !s || s->kind != SHAPE_ARRAY || dtype_units(s->dtype) != 1;
    if (c->rejected)
        return FAIL(st, INPUT, "%s of %s: %.160s", o->op,
                    dtype_table[o->type].name, c->rejection.text);
    if (sweep->inapplicable)
        return FAIL(st, INPUT, "%s does not return one real array", o->op);
    sweep->result = s->dtype;
    return true;
}

bool sweep_case_try(struct sweeping *x, struct status *st)
{
    struct arena a = ARENA_INIT;
    struct test_case *c;
    bool good =
        case_make(&a, x->plan.cases[0].stub, NULL, &x->options->limits, &c, st)
        && check_types(x->sweep, c, st);
    arena_free(&a);
    return good;
}

/* A type of at most 16 bits has fewer inputs than a hunt looks at. */
static bool check_hunt(const struct sweep_options *o, const struct spec_op *op,
                       struct status *st)
{
    if (sweep_points_type(op))
        return FAIL(st, INPUT, "%s is a conversion: see `assay sweep --to`",
                    o->op);
    if (dtype_class(o->type) != DTYPE_FLOAT || dtype_table[o->type].bits < 32)
        return FAIL(st, INPUT,
                    "%s is not a float type of 32 or 64 bits: expected f32 or "
                    "f64; `assay sweep` judges all inputs of up to 16 bits",
                    dtype_table[o->type].name);
    return true;
}

bool sweep_case_check(const struct sweep_options *o, struct status *st)
{
    const struct spec_op *op = spec_op_find(o->op);
    if (!op)
        return FAIL(st, INPUT, "unknown operation '%.60s'%s", o->op,
                    spec_op_hint((char[TEXT_HINT]){0}, o->op));
    if (!op->family || strncmp(op->family, "elementwise", 11) != 0
        || op->operand_count > 2)
        return FAIL(st, INPUT,
                    "%s is not an element-wise function of one or two operands",
                    o->op);
    if (!o->hunt && op->operand_count == 2 && !o->second && !o->pairs)
        return FAIL(st, INPUT,
                    "%s has two operands: expected --second or --pairs", o->op);
    if (op->operand_count == 1 && (o->second || o->pairs))
        return FAIL(st, INPUT, "%s has one operand: --%s does not apply", o->op,
                    o->pairs ? "pairs" : "second");
    if (dtype_units(o->type) != 1)
        return FAIL(st, INPUT, "%s: expected a real type",
                    dtype_table[o->type].name);
    if (o->hunt)
        return check_hunt(o, op, st);
    bool converts = sweep_points_type(op) != NULL;
    if (converts != o->converts)
        return FAIL(st, INPUT, "%s: %s", o->op,
                    converts ? "expected the result's type: --to"
                             : "is not a conversion: --to does not apply");
    uint64_t bits;
    bool exact;
    return !o->second || number_read(o->second, o->type, &bits, &exact, st);
}
