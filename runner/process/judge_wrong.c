/* judge_wrong.c - see judge.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <stdio.h>

#include "runner/process/judge.h"

/* "[1,2]", "[1,2].im" */
static void place_text(const struct shape *s, int64_t unit, char *to,
                       size_t size)
{
    int64_t index[SHAPE_RANK_MAX];
    int parts = dtype_units(s->dtype);
    int64_t rest = unit / parts;
    for (int i = s->rank - 1; i >= 0; i--) {
        index[i] = s->dims[i] > 0 ? rest % s->dims[i] : 0;
        rest = s->dims[i] > 0 ? rest / s->dims[i] : 0;
    }
    size_t n = (size_t)snprintf(to, size, "[");
    for (int i = 0; i < s->rank && n < size; i++)
        n += (size_t)snprintf(to + n, size - n, "%s%" PRId64, i ? "," : "",
                              index[i]);
    if (n < size)
        snprintf(to + n, size - n, "]%s",
                 parts == 1      ? ""
                 : unit % 2 == 0 ? ".re"
                                 : ".im");
}

/* The element of an input that an element-wise operation reads for an element
 * of the result, or -1. */
static int64_t element_of(const struct shape *input, const struct shape *result,
                          int64_t element)
{
    if (input->kind != SHAPE_ARRAY)
        return -1;
    if (shape_elements(input) == 1)
        return 0;
    return shape_same_dims(input, result) ? element : -1;
}

static int operands(const struct test_case *c, int replica,
                    const struct shape *result, int64_t unit,
                    struct job_wrong *w)
{
    int n = 0;
    int64_t element = unit / dtype_units(result->dtype);
    if (c->input_count > JOB_OPERANDS || !c->inputs)
        return 0;
    for (int i = 0; i < c->input_count; i++) {
        const struct literal *l = c->inputs[replica][i];
        int64_t e = element_of(l->shape, result, element);
        if (e < 0)
            return 0;
        int parts = dtype_units(l->shape->dtype);
        w->operands[n].type = (int32_t)l->shape->dtype;
        w->operands[n].complex = parts == 2;
        w->operands[n].bits = literal_get(l, e * parts);
        w->operands[n].imaginary =
            parts == 2 ? literal_get(l, e * parts + 1) : 0;
        n++;
    }
    return n;
}

/* The ends of a set, as patterns; false if it has none, or is no single range:
 * what is between the ends of several is wrong. */
static bool ends(const struct verdict_wrong *from, uint64_t *low,
                 uint64_t *high)
{
    const struct accept_set *s = &from->set;
    if (!from->has_set || from->several || s->count != 1)
        return false;
    *low = real_from_key(from->type, s->range[0].low);
    *high = real_from_key(from->type, s->range[0].high);
    return true;
}

static const struct shape *leaf_shape(const struct judge_reference *ref,
                                      int replica, int leaf)
{
    return shape_leaf(ref->outcomes[replica].value->shape, leaf);
}

/* The name of the instruction that gives one of several results, or "". */
static const char *value_name(const struct test_case *c, int leaf)
{
    const struct computation *e = c->program ? c->program->entry : NULL;
    const struct instruction *root = e ? e->instructions[e->root] : NULL;
    for (int i = 0, last = 0;
         root && root->op->role == OP_ROLE_TUPLE && i < root->operand_count;
         i++) {
        const struct instruction *in = e->instructions[root->operands[i]];
        last += shape_leaves(in->shape);
        if (leaf < last)
            return in->name;
    }
    return "";
}

static void describe(const struct test_case *c,
                     const struct judge_reference *ref,
                     const struct verdict_wrong *from, struct job_wrong *to)
{
    const struct shape *s = leaf_shape(ref, from->replica, from->leaf);
    to->replica = from->replica;
    to->leaf = from->leaf;
    to->type = (int32_t)from->type;
    to->got = from->got;
    to->want = from->want;
    to->has_set = ends(from, &to->low, &to->high);
    to->has_error = from->has_error;
    to->error = from->error;
    to->has_share = from->has_share;
    to->share = from->share;
    to->several = from->several;
    place_text(s, from->unit, to->place, sizeof to->place);
    snprintf(to->value, sizeof to->value, "%s", value_name(c, from->leaf));
    snprintf(to->accept, sizeof to->accept, "%s",
             from->accept ? from->accept : "");
    to->operand_count = operands(c, from->replica, s, from->unit, to);
}

/* "f32:3f800000 f32:40000000" */
static void worst(const struct test_case *c, const struct judge_reference *ref,
                  const struct verdict *v, struct job_result *r)
{
    struct job_wrong w;
    const struct verdict_worst *most = v->error.has ? &v->error : &v->share;
    if (!most->has)
        return;
    const struct shape *s = leaf_shape(ref, most->replica, most->leaf);
    if (most->unit < 0 || s->kind != SHAPE_ARRAY)
        return;
    int count = operands(c, most->replica, s, most->unit, &w);
    size_t n = 0, size = sizeof r->worst_input;
    for (int i = 0; i < count && n < size; i++) {
        enum dtype t = (enum dtype)w.operands[i].type;
        int digits = (dtype_table[dtype_unit(t)].bits + 3) / 4;
        n += (size_t)snprintf(r->worst_input + n, size - n, "%s%s:%0*" PRIx64,
                              i ? " " : "", dtype_table[t].name, digits,
                              w.operands[i].bits);
        if (w.operands[i].complex && n < size)
            n += (size_t)snprintf(r->worst_input + n, size - n, ":%0*" PRIx64,
                                  digits, w.operands[i].imaginary);
    }
}

static void write_remarks(struct job_remark *to, const struct verdict *v,
                          int64_t flushed)
{
    if (flushed > 0)
        *to++ = (struct job_remark){"flush", flushed};
    for (int i = 0; i < v->remark_count; i++, to++) {
        snprintf(to->name, sizeof to->name, "%s", v->remarks[i].name);
        to->units = v->remarks[i].units;
    }
}

struct job_result *judge_wrong(struct arena *a, const struct test_case *c,
                               const struct judge_reference *ref,
                               const struct verdict *v,
                               const struct job_result *result)
{
    size_t n = (size_t)v->wrong_count;
    int64_t flushed = v->branch[VERDICT_RESULTS] + v->branch[VERDICT_OPERANDS];
    int bins = 0, remarks = v->remark_count + (flushed > 0);
    for (int i = 0; v->bins && i < VERDICT_BINS; i++)
        bins += v->bins[i] > 0;
    struct job_result *r =
        arena_alloc(a, sizeof *r + n * sizeof(struct job_wrong)
                           + (size_t)bins * sizeof(struct job_bin)
                           + (size_t)remarks * sizeof(struct job_remark));
    struct job_wrong *w = (struct job_wrong *)(r + 1);
    *r = *result;
    r->wrong_count = (int32_t)n;
    r->bin_count = (int32_t)bins;
    r->remark_count = (int32_t)remarks;
    struct job_bin *b = (struct job_bin *)(w + n);
    for (int i = 0; v->bins && i < VERDICT_BINS; i++)
        if (v->bins[i] > 0)
            *b++ = (struct job_bin){i + VERDICT_BIN_FIRST, v->bins[i]};
    write_remarks((struct job_remark *)b, v, flushed);
    for (size_t i = 0; i < n; i++)
        describe(c, ref, &v->wrong[i], &w[i]);
    worst(c, ref, v, r);
    return r;
}
