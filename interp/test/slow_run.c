/* slow_run.c - see slow_run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/test/slow_run.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/data/number.h"
#include "interp/exact/real.h"
#include "interp/program/attribute.h"
#include "interp/program/op_table.h"
#include "interp/test/slow_program.h"

static const struct limits limits = LIMITS_DEFAULT;

struct literal *slow_run_array(struct arena *a, const char *shape, int count,
                               const uint64_t *bits)
{
    struct status st = {0};
    const struct shape *s;
    if (!shape_parse(a, shape, &s, &st))
        abort();
    struct literal *l = literal_new(a, s);
    for (int64_t i = 0; i < literal_units(l); i++)
        literal_set(l, i, bits[i % count]);
    return l;
}

uint64_t slow_run_bits(enum dtype type, const char *text)
{
    struct status st = {0};
    uint64_t bits = 0;
    bool exact;
    if (strcmp(text, "nan") == 0)
        return real_nan(type, false);
    if (strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0)
        return real_inf(type, text[0] == '-');
    if (!number_read(text, type, &bits, &exact, &st))
        printf("# %s: %s\n", text, st.text);
    return bits;
}

struct goal *slow_run(struct arena *a, const char *op, const char *attributes,
                      const char *profile, int count,
                      struct literal *const *operands, struct status *st)
{
    return slow_run_as(a, op, attributes, profile, true, count, operands, st);
}

struct goal *slow_run_as(struct arena *a, const char *op, const char *text,
                         const char *profile, bool want_exact, int count,
                         struct literal *const *operands, struct status *st)
{
    const struct json *object = NULL;
    struct slow_program *p = slow_program_new(a, op);
    struct attribute *attributes;
    if (!spec_load(st)
        || (*text
            && !json_parse(a, "attributes", text, strlen(text), &object, st))
        || !attribute_read(a, spec_op_find(op), object, &limits, NULL, NULL,
                           &p->attribute_count, &attributes, st))
        return NULL;
    assert(p->attribute_count <= SLOW_ATTRIBUTES);
    for (int i = 0; i < p->attribute_count; i++)
        p->attributes[i] = attributes[i];
    for (int i = 0; i < count; i++)
        slow_program_operand(p, operands[i]);
    p->profile = profile;
    p->want_exact = want_exact;
    bool good = slow_program_run(p);
    *st = p->status;
    return good ? p->outcomes[0].goals[0] : NULL;
}

struct goal *slow_run_strict(struct arena *a, const char *op, int count,
                             struct literal *const *operands)
{
    struct status st = {0};
    struct goal *g = slow_run(a, op, "", "strict", count, operands, &st);
    if (!g)
        printf("# %s: %s\n", op, st.text);
    return g;
}

struct test_case *slow_run_case(struct arena *a, const struct limits *with,
                                const char *op, struct literal *x,
                                struct literal *y)
{
    struct test_case *c = arena_new(a, struct test_case, 1);
    struct status st = {0};
    int *operands = arena_new(a, int, 2);
    c->input_count = y ? 2 : 1;
    c->inputs = arena_new(a, struct literal **, 1);
    c->inputs[0] = arena_new(a, struct literal *, 2);
    c->inputs[0][0] = x;
    c->inputs[0][1] = y;
    c->program = program_new(a, with);
    struct computation *main = program_computation(c->program, "main");
    for (int k = 0; k < c->input_count; k++)
        operands[k] =
            program_parameter(c->program, main, k, c->inputs[0][k]->shape);
    struct instruction in = {.name = "r",
                             .op = op_table_find(op),
                             .operand_count = c->input_count,
                             .operands = operands};
    program_add(c->program, main, &in);
    c->program->entry = main;
    if (!program_infer(c->program, &st))
        exit(2);
    return c;
}
