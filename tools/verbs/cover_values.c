/* cover_values.c - see cover.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An operation can fill a cell if it has an operand of a type with such a value
 * that is in such a place in some case, with whatever value: so the start
 * indices of a slice need no NaN.  An element-wise operation takes every rank,
 * and a scalar beside an array if it broadcasts.  Random numbers have no
 * matrix: the operands are bounds of what is drawn (accuracy `set`).  The
 * operands of a program's instructions count where they are inputs or constants
 * of it.
 */
#include <inttypes.h>
#include <string.h>

#include "interp/form/form_suit.h"
#include "interp/form/form_value.h"
#include "interp/program/attribute.h"
#include "interp/program/op_table.h"
#include "runner/plan/plan.h"
#include "tools/verbs/cover.h"

enum value_place {
    RANK_0,
    RANK_1,
    RANK_2,
    RANK_MORE,
    BESIDE,   /* a scalar beside an array */
    CONSTANT, /* of the program */
    PLACES
};

static const char *const place_names[PLACES] = {
    "rank 0", "rank 1", "rank 2", "rank 3+", "scalar", "constant"};

enum {
    OPERANDS = 8 /* the last row is that of all others, too */
};

struct matrix {
    int64_t cases;
    int64_t count[FORM_VALUES][PLACES];
    const char *first[FORM_VALUES][PLACES]; /* case that fills the cell */
    unsigned values[OPERANDS];              /* that its types have */
    unsigned places[OPERANDS];              /* that its cases have */
};

/* ---- Counting ------------------------------------------------------------ */

static enum value_place rank_place(const struct shape *s)
{
    return s->rank > 2 ? RANK_MORE : (enum value_place)(RANK_0 + s->rank);
}

/* The row of an operand; the last may be variadic. */
static int operand_row(const struct spec_op *spec, int operand)
{
    int most = spec && spec->operand_count > 0 ? spec->operand_count : 1;
    most = most < OPERANDS ? most : OPERANDS;
    return operand < most ? operand : most - 1;
}

static void add_input(struct matrix *m, const char *name, int row,
                      const struct literal *l, unsigned places)
{
    const unsigned values = form_value_set(l);
    m->values[row] |= form_value_set_of_type(l->shape->dtype);
    m->places[row] |= places;
    for (int v = 0; v < FORM_VALUES; v++)
        for (int p = 0; p < PLACES; p++)
            if (values >> v & 1 && places >> p & 1 && m->count[v][p]++ == 0)
                m->first[v][p] = name;
}

static bool is_array(const struct shape *s)
{
    return s->kind == SHAPE_ARRAY;
}

/* ---- Instructions -------------------------------------------------------- */

/* Is input i a constant of the program?  Elements of an operand that became
 * inputs of their own follow the other operands. */
static bool is_constant(const struct form_use *use, int i, int others)
{
    if (!use->what || !use->what->constant)
        return false;
    if (use->what->spread)
        return i >= others;
    return use->operand < 0 || use->operand == i;
}

/* The input that instruction k is, or -1. */
static int input_of(const struct test_case *t, const struct computation *c,
                    int k)
{
    for (int i = 0; i < c->parameter_count && i < t->input_count; i++)
        if (c->parameters[i] == k)
            return i;
    return -1;
}

static const struct literal *constant_of(const struct instruction *in)
{
    const struct attribute *a = attribute_find(in, ATTRIBUTE_LITERAL);
    return a && in->operand_count == 0 ? a->literal : NULL;
}

static bool has_array(const struct computation *c, const struct instruction *in)
{
    for (int i = 0; i < in->operand_count; i++) {
        const struct shape *s = c->instructions[in->operands[i]]->shape;
        if (is_array(s) && s->rank > 0)
            return true;
    }
    return false;
}

static void add_instruction(struct matrix *m, const char *name,
                            const struct test_case *t, int r,
                            const struct instruction *in,
                            const struct form_use *form)
{
    const struct spec_op *spec = spec_op_find(in->op->name);
    const struct computation *c = t->program->entry;
    int others = spec ? spec->operand_count - 1 : 0;
    for (int i = 0; i < in->operand_count; i++) {
        int k = input_of(t, c, in->operands[i]);
        const struct literal *l =
            k >= 0 ? t->inputs[r][k]
                   : constant_of(c->instructions[in->operands[i]]);
        if (!l || !is_array(l->shape))
            continue;
        unsigned places = 1u << rank_place(l->shape);
        if (l->shape->rank == 0 && has_array(c, in))
            places |= 1u << BESIDE;
        if (k < 0 || is_constant(form, k, others))
            places |= 1u << CONSTANT;
        add_input(m, name, operand_row(spec, i), l, places);
    }
}

/* The instructions of the operation of which the case is. */
static void add_case(struct matrix *m, const char *name,
                     const struct test_case *t, const struct form_use *operand)
{
    const struct computation *c = t->program->entry;
    m->cases++;
    for (int r = 0; r < t->replicas; r++)
        for (int k = 0; k < c->count; k++)
            if (strcmp(c->instructions[k]->op->name, t->op) == 0)
                add_instruction(m, name, t, r, c->instructions[k], operand);
}

/* Adds what an element-wise operation can do, whether a case does or not. */
static void add_possible(struct matrix *m, const struct op *op)
{
    const struct spec_op *spec = spec_op_find(op->name);
    bool stretches =
        spec_attribute_find(spec, ATTRIBUTE_BROADCAST_DIMENSIONS) != NULL;
    if (m->cases == 0 || !form_suit_elementwise(op))
        return;
    for (int i = 0; i < spec->operand_count && i < OPERANDS; i++) {
        for (int p = RANK_0; p <= RANK_MORE; p++)
            m->places[i] |= 1u << p;
        if (stretches)
            m->places[i] |= 1u << BESIDE;
    }
}

/* ---- Printing ------------------------------------------------------------ */

static bool is_possible(const struct matrix *m, int v, int p)
{
    for (int i = 0; i < OPERANDS; i++)
        if (m->values[i] >> v & 1 && m->places[i] >> p & 1)
            return true;
    return false;
}

static bool has_value(const struct matrix *m, int v)
{
    for (int p = 0; p < PLACES; p++)
        if (is_possible(m, v, p))
            return true;
    return false;
}

static void write_row(const struct cover_values *x, const struct matrix *m,
                      int v)
{
    fprintf(x->to, "  %-12s", form_value_name((enum form_value)v));
    for (int p = 0; p < PLACES; p++)
        if (m->count[v][p] > 0)
            fprintf(x->to, " %8" PRId64, m->count[v][p]);
        else
            fprintf(x->to, " %8s", is_possible(m, v, p) ? "empty" : "-");
    putc('\n', x->to);
}

static void write_text(const struct cover_values *x, const struct matrix *m,
                       const char *op)
{
    fprintf(x->to, "%s: %" PRId64 " cases\n  %-12s", op, m->cases, "");
    for (int p = 0; p < PLACES; p++)
        fprintf(x->to, " %8s", place_names[p]);
    putc('\n', x->to);
    for (int v = 0; v < FORM_VALUES; v++)
        if (has_value(m, v))
            write_row(x, m, v);
}

static void write_json(const struct cover_values *x, const struct matrix *m,
                       const char *op, bool first)
{
    const char *comma = "";
    fprintf(x->to,
            "%s\n  {\"op\": \"%s\", \"cases\": %" PRId64 ", \"cells\": [",
            first ? "" : ",", op, m->cases);
    for (int v = 0; v < FORM_VALUES; v++)
        for (int p = 0; p < PLACES; p++) {
            if (!is_possible(m, v, p))
                continue;
            fprintf(x->to,
                    "%s\n    {\"value\": \"%s\", \"place\": \"%s\", "
                    "\"cases\": %" PRId64,
                    comma, form_value_name((enum form_value)v), place_names[p],
                    m->count[v][p]);
            if (m->first[v][p])
                fprintf(x->to, ", \"first\": \"%s\"", m->first[v][p]);
            putc('}', x->to);
            comma = ",";
        }
    fputs("]}", x->to);
}

static void count_cells(struct cover_values *x, const struct matrix *m)
{
    for (int v = 0; v < FORM_VALUES; v++)
        for (int p = 0; p < PLACES; p++) {
            x->cells += is_possible(m, v, p);
            x->empty += is_possible(m, v, p) && m->count[v][p] == 0;
        }
}

static bool is_drawn(const struct spec_op *spec)
{
    return spec->accuracy && strcmp(spec->accuracy, "set") == 0;
}

static void write_all(struct cover_values *x, struct matrix *all)
{
    bool first = true;
    if (x->json)
        fputs("{\"format\": \"assay-values/1\", \"operations\": [", x->to);
    for (int i = 0; i < spec_op_count(); i++) {
        const char *name = spec_op_at(i)->name;
        const struct op *op = op_table_find(name);
        if (!op || all[i].cases == 0 || is_drawn(spec_op_at(i)))
            continue;
        add_possible(&all[i], op);
        count_cells(x, &all[i]);
        if (x->json)
            write_json(x, &all[i], name, first);
        else
            write_text(x, &all[i], name);
        first = false;
    }
    if (x->json)
        fputs("\n]}\n", x->to);
    else
        fprintf(x->to,
                "%" PRId64 " of %" PRId64
                " cells that an operation can fill are empty\n",
                x->empty, x->cells);
}

bool cover_values(struct cover_values *x, struct status *st)
{
    struct arena a = ARENA_INIT, one = ARENA_INIT;
    const struct plan_options o = {.tier = x->tier,
                                   .filter_count = x->filter_count,
                                   .filters = x->filters,
                                   .profile = "spec"};
    struct plan plan;
    bool good = plan_make(&a, &o, x->limits, &plan, st);
    struct matrix *all =
        arena_new(&a, struct matrix, good ? (size_t)spec_op_count() : 1);
    for (int64_t i = 0; good && i < plan.count; i++) {
        struct test_case *t;
        struct status ignored = {STATUS_OK};
        const struct plan_case *c = &plan.cases[i];
        int op = cover_walk_op(c->stub->op);
        if (op >= 0
            && case_make(&one, c->stub, c->form, x->limits, &t, &ignored)
            && !t->rejected && t->error_count == 0) {
            struct form_uses uses = {0};
            if (!c->form
                || form_find(&one, c->form, case_op(c->stub), &uses, &ignored))
                add_case(&all[op], plan_name(&a, c), t, &uses.of[FORM_OPERAND]);
        }
        arena_reset(&one);
    }
    if (good)
        write_all(x, all);
    arena_free(&one);
    arena_free(&a);
    return good;
}
