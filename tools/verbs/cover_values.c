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
 *
 * A second matrix has the ranks for each element type that the specification
 * gives the operand.  It leaves out floats below 16 bits and integers below 8:
 * compilers compute them in a wider type.
 */
#include <inttypes.h>
#include <string.h>

#include "interp/form/form_apply.h"
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
    PLACES,
    RANKS = RANK_MORE + 1
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
    uint64_t types[OPERANDS];               /* that it may have */
    int64_t typed[DT_COUNT][FORM_VALUES][RANKS];
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
    for (int v = 0; v < FORM_VALUES; v++)
        for (int p = 0; p < RANKS; p++)
            m->typed[l->shape->dtype][v][p] +=
                values >> v & 1 && places >> p & 1;
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

/* Types that a compiler computes as they are. */
static bool is_wide(enum dtype t)
{
    int least = dtype_is_integer(t) ? 8 : 16;
    return dtype_class(t) == DTYPE_PRED
           || dtype_table[dtype_unit(t)].bits >= least;
}

/* Adds what an operation can do, whether a case does or not: the types that its
 * specification lists; if it is element-wise, every rank. */
static void add_possible(struct matrix *m, const struct op *op)
{
    const struct spec_op *spec = spec_op_find(op->name);
    for (int i = 0; i < spec->operand_count && i < OPERANDS; i++)
        for (int t = 0; t < DT_COUNT; t++)
            if (is_wide((enum dtype)t)
                && (!spec->operands[i].types
                    || spec->operands[i].types >> t & 1))
                m->types[i] |= UINT64_C(1) << t;
    bool stretches =
        spec_attribute_find(spec, ATTRIBUTE_BROADCAST_DIMENSIONS) != NULL;
    bool dimension = spec_attribute_find(spec, ATTRIBUTE_DIMENSION) != NULL;
    if (m->cases == 0 || !form_suit_elementwise(op))
        return;
    for (int i = 0; i < spec->operand_count && i < OPERANDS; i++) {
        /* One that names a dimension has one. */
        for (int p = dimension ? RANK_1 : RANK_0; p < RANKS; p++)
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

static bool is_possible_of(const struct matrix *m, int t, int v, int p)
{
    if (!(form_value_set_of_type((enum dtype)t) >> v & 1))
        return false;
    for (int i = 0; i < OPERANDS; i++)
        if (m->types[i] >> t & 1 && m->places[i] >> p & 1)
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

/* The empty cells of a type: its values, each with the ranks. */
static void write_empty(const struct cover_values *x, const struct matrix *m,
                        int t)
{
    const char *before = "";
    for (int v = 0; v < FORM_VALUES; v++)
        for (int p = 0; p < RANKS; p++) {
            if (m->typed[t][v][p] > 0 || !is_possible_of(m, t, v, p))
                continue;
            if (!*before)
                fprintf(x->to, "  empty for %s:", dtype_table[t].name);
            fprintf(x->to, "%s %s in %s", before,
                    form_value_name((enum form_value)v), place_names[p]);
            before = ",";
        }
    if (*before)
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
    for (int t = 0; t < DT_COUNT; t++)
        write_empty(x, m, t);
}

static void write_json_types(const struct cover_values *x,
                             const struct matrix *m)
{
    const char *comma = "";
    for (int t = 0; t < DT_COUNT; t++)
        for (int v = 0; v < FORM_VALUES; v++)
            for (int p = 0; p < RANKS; p++) {
                if (!is_possible_of(m, t, v, p))
                    continue;
                fprintf(x->to,
                        "%s\n    {\"type\": \"%s\", \"value\": \"%s\", "
                        "\"place\": \"%s\", \"cases\": %" PRId64 "}",
                        comma, dtype_table[t].name,
                        form_value_name((enum form_value)v), place_names[p],
                        m->typed[t][v][p]);
                comma = ",";
            }
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
    fputs("], \"types\": [", x->to);
    write_json_types(x, m);
    fputs("]}", x->to);
}

static void count_cells(struct cover_values *x, const struct matrix *m)
{
    for (int v = 0; v < FORM_VALUES; v++)
        for (int p = 0; p < PLACES; p++) {
            x->cells += is_possible(m, v, p);
            x->empty += is_possible(m, v, p) && m->count[v][p] == 0;
            for (int t = 0; t < DT_COUNT && p < RANKS; t++) {
                if (!is_possible_of(m, t, v, p))
                    continue;
                x->typed++;
                x->typed_empty += m->typed[t][v][p] == 0;
            }
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
                " cells that an operation can fill are empty, and %" PRId64
                " of %" PRId64 " with the element type\n",
                x->empty, x->cells, x->typed_empty, x->typed);
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
