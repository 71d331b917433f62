/* stablehlo_op.c - one instruction as StableHLO; see stablehlo_write.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>

#include "interp/program/attribute.h"
#include "interp/program/complete.h"
#include "interp/program/op.h"
#include "interp/stablehlo/stablehlo_private.h"
#include "interp/stablehlo/stablehlo_write.h"

/* ---- The generic form ---------------------------------------------------- */

/* All leaves of several values, one after the other. */
struct stablehlo_value
stablehlo_op_flatten(struct stablehlo_writer *w, int count,
                     const struct stablehlo_value *values)
{
    struct stablehlo_value all = {0};
    for (int i = 0; i < count; i++)
        all.count += values[i].count;
    all.names = arena_new(w->arena, const char *, (size_t)all.count);
    all.shapes = arena_new(w->arena, const struct shape *, (size_t)all.count);
    int n = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < values[i].count; k++, n++) {
            all.names[n] = values[i].names[k];
            all.shapes[n] = values[i].shapes[k];
        }
    return all;
}

/* A line of simple parts, for the text that our own operations need. */
const char *stablehlo_op_simple(struct stablehlo_writer *w,
                                const char *spelling,
                                const struct stablehlo_value *operands,
                                const char *attributes,
                                const struct shape *result)
{
    const char *name = arena_printf(w->arena, "%%%d", w->next++);
    stablehlo_write_line(w);
    fprintf(w->out, "%s = \"%s\"(", name, spelling);
    stablehlo_write_list(w, operands);
    fprintf(w->out, ")%s : ", attributes);
    stablehlo_write_types(w, operands);
    fprintf(w->out, " -> %s\n", stablehlo_write_type(w, result));
    return name;
}

struct stablehlo_value stablehlo_op_one(struct stablehlo_writer *w,
                                        const char *name,
                                        const struct shape *shape)
{
    struct stablehlo_value v = {.count = 1};
    v.names = arena_new(w->arena, const char *, 1);
    v.shapes = arena_new(w->arena, const struct shape *, 1);
    v.names[0] = name;
    v.shapes[0] = shape;
    return v;
}

bool stablehlo_op_line(struct stablehlo_writer *w,
                       const struct stablehlo_item *it,
                       const struct stablehlo_line *line)
{
    const struct stablehlo_value *to = line->result ? line->result : it->result;
    stablehlo_write_line(w);
    for (int i = 0; i < to->count; i++)
        fprintf(w->out, "%s%s", to->names[i], i + 1 < to->count ? ", " : " = ");
    fprintf(w->out, "\"%s\"(", line->spelling);
    stablehlo_write_list(w, &line->operands);
    fputc(')', w->out);
    for (int i = 0; i < line->region_count; i++) {
        fputs(i == 0 ? " (" : ", ", w->out);
        TRY(stablehlo_write_region(w, line->regions[i]));
        if (i + 1 == line->region_count)
            fputc(')', w->out);
    }
    TRY(stablehlo_attribute_write(w, it));
    fputs(" : ", w->out);
    stablehlo_write_types(w, &line->operands);
    fputs(" -> ", w->out);
    stablehlo_write_types(w, to);
    fputc('\n', w->out);
    return w->st->code == STATUS_OK;
}

/* Inference may have stopped before it bound a built-in computation. */
const struct computation *
stablehlo_op_computation(struct stablehlo_writer *w,
                         const struct instruction *in,
                         enum attribute_name attribute, int which)
{
    const struct attribute *a = attribute_find(in, attribute);
    if (a && a->computations[which])
        return a->computations[which];
    FAIL(w->st, UNSUPPORTED,
         "StableHLO text cannot express the fault: the computation of '%s' "
         "does not fit",
         attribute_name_text(attribute));
    return NULL;
}

/* Inference binds built-in computations; where it stopped before, they are
 * those of the first operand's type. */
static bool add_region(struct stablehlo_writer *w, struct stablehlo_line *line,
                       const struct attribute *a)
{
    const struct computation *c = a->computations[0];
    const struct shape *s =
        line->operands.count > 0 ? line->operands.shapes[0] : NULL;
    struct program *p = (struct program *)(uintptr_t)w->program;
    if (!c && a->builtins && a->builtins[0] && s && s->kind == SHAPE_ARRAY)
        c = program_builtin(p, a->builtins[0], s->dtype);
    struct status st = {STATUS_OK};
    if (!c || !program_infer_computation(p, c, &st))
        return FAIL(w->st, UNSUPPORTED,
                    "the computation of '%s' is invalid itself",
                    attribute_name_text(a->name));
    line->regions[line->region_count++] = c;
    return true;
}

/* ---- Operations whose text is more than a line --------------------------- */

bool stablehlo_op_constant(struct stablehlo_writer *w,
                           const struct stablehlo_item *it)
{
    const struct literal *l =
        attribute_find(it->in, ATTRIBUTE_LITERAL)->literal;
    for (int i = 0; i < it->result->count; i++) {
        const struct literal *leaf = literal_leaf(l, i);
        if (leaf->shape->dynamic)
            return FAIL(w->st, UNSUPPORTED,
                        "a constant has no dynamic dimension in StableHLO");
        if (leaf->shape->kind == SHAPE_TOKEN)
            it->result->names[i] = stablehlo_op_simple(
                w, "stablehlo.after_all", &(struct stablehlo_value){0}, "",
                leaf->shape);
        else
            it->result->names[i] = stablehlo_write_constant(w, leaf);
    }
    return true;
}

bool stablehlo_op_tuple(struct stablehlo_writer *w,
                        const struct stablehlo_item *it)
{
    *it->result = stablehlo_op_flatten(w, it->in->operand_count, it->operands);
    return true;
}

bool stablehlo_op_element(struct stablehlo_writer *w,
                          const struct stablehlo_item *it)
{
    /* The leaves before the element's own belong to earlier elements. */
    int64_t index = attribute_int(it->in, ATTRIBUTE_INDEX, 0);
    int skip = 0;
    const struct shape *tuple =
        w->body->instructions[it->in->operands[0]]->shape;
    if (!tuple || tuple->kind != SHAPE_TUPLE || index < 0
        || index >= tuple->rank)
        return FAIL(w->st, UNSUPPORTED,
                    "StableHLO text flattens tuples: no element "
                    "%" PRId64,
                    index);
    for (int64_t i = 0; i < index; i++)
        skip += shape_leaves(tuple->elements[i]);
    it->result->count = shape_leaves(tuple->elements[index]);
    it->result->names = it->operands[0].names + skip;
    it->result->shapes = it->operands[0].shapes + skip;
    return true;
}

bool stablehlo_op_while(struct stablehlo_writer *w,
                        const struct stablehlo_item *it)
{
    struct stablehlo_line line = {.spelling = "stablehlo.while",
                                  .operands = it->operands[0],
                                  .region_count = 2};
    line.regions[0] =
        stablehlo_op_computation(w, it->in, ATTRIBUTE_CONDITION, 0);
    line.regions[1] = stablehlo_op_computation(w, it->in, ATTRIBUTE_BODY, 0);
    TRY(line.regions[0] && line.regions[1]);
    return stablehlo_op_line(w, it, &line);
}

bool stablehlo_op_conditional(struct stablehlo_writer *w,
                              const struct stablehlo_item *it)
{
    const struct attribute *branches =
        attribute_find(it->in, ATTRIBUTE_BRANCH_COMPUTATIONS);
    bool predicate = branches == NULL;
    int n = predicate ? 2 : branches->computation_count;
    if (it->in->operand_count != n + 1 || it->operands[0].count < 1)
        return FAIL(w->st, UNSUPPORTED,
                    "a StableHLO branch captures its operands: their number "
                    "cannot be wrong");
    stablehlo_write_line(w);
    for (int i = 0; i < it->result->count; i++)
        fprintf(w->out, "%s%s", it->result->names[i],
                i + 1 < it->result->count ? ", " : " = ");
    fprintf(w->out, "\"stablehlo.%s\"(%s) (", predicate ? "if" : "case",
            it->operands[0].names[0]);
    for (int i = 0; i < n; i++) {
        const enum attribute_name from = !predicate
                                             ? ATTRIBUTE_BRANCH_COMPUTATIONS
                                         : i == 0 ? ATTRIBUTE_TRUE_COMPUTATION
                                                  : ATTRIBUTE_FALSE_COMPUTATION;
        const struct computation *c =
            stablehlo_op_computation(w, it->in, from, predicate ? 0 : i);
        TRY(c);
        if (i > 0)
            fputs(", ", w->out);
        TRY(stablehlo_write_branch(w, c, &it->operands[i + 1]));
    }
    fprintf(w->out, ") : (%s) -> ",
            stablehlo_write_type(w, it->operands[0].shapes[0]));
    stablehlo_write_types(w, it->result);
    fputc('\n', w->out);
    return true;
}

/* A sum over all replicas: AllReduce with add. */
bool stablehlo_op_cross_replica_sum(struct stablehlo_writer *w,
                                    const struct stablehlo_item *it)
{
    enum dtype type = it->operands[0].shapes[0]->dtype;
    struct stablehlo_line line = {.spelling = "stablehlo.all_reduce",
                                  .operands = stablehlo_op_flatten(
                                      w, it->in->operand_count, it->operands),
                                  .region_count = 1};
    line.regions[0] =
        program_builtin((struct program *)(uintptr_t)w->program, "add", type);
    return stablehlo_op_line(w, it, &line);
}

static const struct shape *integers(struct stablehlo_writer *w, int64_t count)
{
    return shape_array(w->arena, DT_s64, 1, &count);
}

/* rng takes the result's shape as an operand. */
bool stablehlo_op_rng(struct stablehlo_writer *w,
                      const struct stablehlo_item *it)
{
    const struct shape *s = attribute_find(it->in, ATTRIBUTE_SHAPE)->shape;
    struct literal *dims = literal_new(w->arena, integers(w, s->rank));
    for (int i = 0; i < s->rank; i++)
        literal_set(dims, i, (uint64_t)s->dims[i]);
    struct stablehlo_value all[2] = {
        stablehlo_op_flatten(w, it->in->operand_count, it->operands),
        stablehlo_op_one(w, stablehlo_write_constant(w, dims), dims->shape)};
    struct stablehlo_line line = {.spelling = "stablehlo.rng",
                                  .operands = stablehlo_op_flatten(w, 2, all)};
    return stablehlo_op_line(w, it, &line);
}

/* The sizes are scalars here, one vector there. */
bool stablehlo_op_dynamic_reshape(struct stablehlo_writer *w,
                                  const struct stablehlo_item *it)
{
    int n = it->in->operand_count - 1;
    if (n == 0) { /* to a scalar: there is no vector of sizes to make */
        struct stablehlo_line plain = {.spelling = "stablehlo.reshape",
                                       .operands = it->operands[0]};
        return stablehlo_op_line(w, it, &plain);
    }
    int64_t single = 1, count = n;
    enum dtype type = it->operands[1].shapes[0]->dtype;
    struct stablehlo_value *sizes =
        arena_new(w->arena, struct stablehlo_value, (size_t)n);
    for (int i = 0; i < n; i++) {
        const struct shape *s = shape_array(w->arena, type, 1, &single);
        sizes[i] =
            stablehlo_op_one(w,
                             stablehlo_op_simple(w, "stablehlo.reshape",
                                                 &it->operands[i + 1], "", s),
                             s);
    }
    struct stablehlo_value all = stablehlo_op_flatten(w, n, sizes);
    const struct shape *s = shape_array(w->arena, type, 1, &count);
    struct stablehlo_value both[2] = {
        it->operands[0],
        stablehlo_op_one(w,
                         stablehlo_op_simple(w, "stablehlo.concatenate", &all,
                                             " {dimension = 0 : i64}", s),
                         s)};
    struct stablehlo_line line = {.spelling = "stablehlo.dynamic_reshape",
                                  .operands = stablehlo_op_flatten(w, 2, both)};
    return stablehlo_op_line(w, it, &line);
}

/* Each of several operands is scattered by a line of its own. */
bool stablehlo_op_reduce_scatter(struct stablehlo_writer *w,
                                 const struct stablehlo_item *it)
{
    const struct attribute *a = attribute_find(it->in, ATTRIBUTE_COMPUTATION);
    struct stablehlo_line line = {.spelling = "stablehlo.reduce_scatter",
                                  .operands = it->operands[0]};
    TRY(add_region(w, &line, a));
    for (int i = 0; i < it->result->count; i++) {
        struct stablehlo_value part =
            stablehlo_op_one(w, it->result->names[i], it->result->shapes[i]);
        line.operands = it->operands[i];
        line.result = &part;
        TRY(stablehlo_op_line(w, it, &line));
    }
    return true;
}

/* The output comes second there. */
bool stablehlo_op_ragged_all_to_all(struct stablehlo_writer *w,
                                    const struct stablehlo_item *it)
{
    struct stablehlo_value all[6] = {it->operands[0], it->operands[3],
                                     it->operands[1], it->operands[2],
                                     it->operands[4], it->operands[5]};
    struct stablehlo_line line = {.spelling = "stablehlo.custom_call",
                                  .operands = stablehlo_op_flatten(w, 6, all)};
    return stablehlo_op_line(w, it, &line);
}

/* Attributes that are regions there, in their order. */
static const enum attribute_name regions[] = {
    ATTRIBUTE_COMPUTATION, ATTRIBUTE_UPDATE_COMPUTATION, ATTRIBUTE_COMPARATOR,
    ATTRIBUTE_SELECT, ATTRIBUTE_SCATTER};

static bool write_plain(struct stablehlo_writer *w,
                        const struct stablehlo_item *it, const char *spelling)
{
    struct stablehlo_value *inputs = arena_new(w->arena, struct stablehlo_value,
                                               (size_t)it->in->operand_count);
    bool broadcasts = attribute_find(it->in, ATTRIBUTE_BROADCASTING)
                      && it->in->shape && it->in->shape->kind == SHAPE_ARRAY;
    for (int i = 0; i < it->in->operand_count; i++)
        inputs[i] =
            broadcasts ? stablehlo_broadcast(w, it, i) : it->operands[i];
    struct stablehlo_line line = {
        .spelling = spelling,
        .operands = stablehlo_op_flatten(w, it->in->operand_count, inputs)};
    bool calls = it->in->op->stablehlo && it->in->op->stablehlo->calls;
    for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++) {
        const struct attribute *a = attribute_find(it->in, regions[i]);
        if (a && !calls && line.region_count < 2)
            TRY(add_region(w, &line, a));
    }
    return stablehlo_op_line(w, it, &line);
}

bool stablehlo_op_write(struct stablehlo_writer *w,
                        const struct stablehlo_item *it)
{
    const struct spec_op *spec = spec_op_find(it->in->op->name);
    const struct shape *shape = it->in->shape;
    struct status why = {STATUS_OK};
    /* A form of its own takes what inference checks first for granted; the
     * plain form needs none of it. */
    if (!shape && it->in->op->stablehlo && !complete(it->in, &why))
        return FAIL(w->st, UNSUPPORTED,
                    "StableHLO text cannot express the fault: %s", why.text);
    const char *hidden = shape ? NULL : stablehlo_hidden(w, it);
    if (hidden)
        return FAIL(w->st, UNSUPPORTED, "%s", hidden);
    if (!shape)
        shape = stablehlo_claim(w, it);
    /* Text flattens tuples: each leaf has a name. */
    if (shape && shape->kind == SHAPE_TUPLE)
        TRY(shape_check_tuple(shape->rank, shape->elements, w->st));
    if (shape)
        *it->result = stablehlo_write_names(w, shape);
    if (it->in->op->stablehlo && it->in->op->stablehlo->write)
        return it->in->op->stablehlo->write(w, it);
    if (!spec->stablehlo)
        return FAIL(w->st, UNSUPPORTED, "%s: %s", it->in->op->name,
                    spec->stablehlo_missing ? spec->stablehlo_missing
                                            : "it has no StableHLO spelling");
    if (!shape)
        return FAIL(w->st, UNSUPPORTED,
                    "StableHLO text needs a result type, which the invalid "
                    "program lacks");
    return write_plain(w, it, spec->stablehlo);
}
