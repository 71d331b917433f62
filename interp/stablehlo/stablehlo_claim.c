/* stablehlo_claim.c - the type that an invalid instruction claims.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * StableHLO text gives every result a type, and an instruction that inference
 * rejected has none.  A wrong type would be a second fault, and a backend that
 * stops at it would pass without having checked the first.  So the type is what
 * a frontend would have written: that of the nearest valid instruction. Most
 * are found by inference itself, repeated with one thing corrected; where the
 * fault is in what decides the shape, a table says what to claim.
 *
 * interp/test/stablehlo.t has StableHLO's own verifier read all of them.
 */
#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/complete.h"
#include "interp/program/op.h"
#include "interp/stablehlo/stablehlo_private.h"

/* ---- Inference of a corrected copy --------------------------------------- */

struct trial {
    struct stablehlo_writer *w;
    struct instruction in; /* a copy: inference may bind computations */
    const struct shape **shapes;
};

static const struct shape *value_shape(struct arena *a,
                                       const struct stablehlo_value *v)
{
    return v->count == 1 ? v->shapes[0] : shape_tuple(a, v->count, v->shapes);
}

static struct trial copy(struct stablehlo_writer *w,
                         const struct stablehlo_item *it)
{
    size_t n = (size_t)it->in->operand_count,
           m = (size_t)it->in->attribute_count;
    struct trial t = {.w = w, .in = *it->in};
    t.shapes = arena_new(w->arena, const struct shape *, n);
    for (size_t i = 0; i < n; i++) {
        int number = it->in->operands[i];
        const struct shape *s = w->body->instructions[number]->shape;
        t.shapes[i] = s ? s : value_shape(w->arena, &it->operands[i]);
    }
    t.in.attributes = arena_new(w->arena, struct attribute, m);
    if (m > 0)
        memcpy(t.in.attributes, it->in->attributes,
               m * sizeof *it->in->attributes);
    return t;
}

/* The result's shape, or NULL if something is still wrong. */
static const struct shape *infer(struct trial *t)
{
    struct status st = {STATUS_OK};
    struct infer again = {.arena = t->w->arena,
                          .program = (struct program *)(uintptr_t)t->w->program,
                          .op = t->in.op,
                          .in = &t->in,
                          .count = t->in.operand_count,
                          .operands = t->shapes};
    return t->in.op->infer(&again, &st) ? again.result : NULL;
}

/* Leaves out an attribute that may be missing: precision_config, groups, ... */
static const struct shape *without_attribute(struct stablehlo_writer *w,
                                             const struct stablehlo_item *it)
{
    const struct spec_op *spec = spec_op_find(it->in->op->name);
    const struct shape *s = NULL;
    for (int i = 0; i < it->in->attribute_count && !s; i++) {
        const struct spec_attribute *a =
            spec_attribute_find(spec, it->in->attributes[i].name);
        if (!a || !a->optional)
            continue;
        struct trial t = copy(w, it);
        t.in.attributes[i] = t.in.attributes[--t.in.attribute_count];
        s = infer(&t);
    }
    return s;
}

/* The computation is an addition, which fits where one reduces. */
static const struct shape *with_addition(struct stablehlo_writer *w,
                                         const struct stablehlo_item *it)
{
    struct trial t = copy(w, it);
    for (int i = 0; i < it->in->attribute_count; i++) {
        struct attribute *a = &t.in.attributes[i];
        if (a->form != SPEC_COMPUTATION || it->in->operand_count == 0
            || t.shapes[0]->kind != SHAPE_ARRAY)
            continue;
        static const char *add = "add";
        a->computations = arena_new(w->arena, const struct computation *, 1);
        a->builtins = &add;
        return infer(&t);
    }
    return NULL;
}

/* All operands have the first one's element type, or its whole shape; and
 * where that type is the fault, another's, which the result has not. */
static const struct shape *with_operands(struct stablehlo_writer *w,
                                         const struct stablehlo_item *it,
                                         bool same_dims)
{
    if (it->in->operand_count == 0 || it->operands[0].count != 1
        || it->operands[0].shapes[0]->kind != SHAPE_ARRAY)
        return NULL;
    const struct shape *first = it->operands[0].shapes[0];
    const enum dtype types[] = {first->dtype, DT_f32, DT_s32, DT_c64, DT_pred};
    for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
        struct trial t = copy(w, it);
        for (int i = 0; i < it->in->operand_count; i++)
            if (t.shapes[i]->kind == SHAPE_ARRAY)
                t.shapes[i] = shape_with_dtype(
                    w->arena, same_dims ? first : t.shapes[i], types[k]);
        const struct shape *s = infer(&t);
        if (s && s->kind == SHAPE_ARRAY && s->dtype == types[k])
            return shape_with_dtype(w->arena, s, first->dtype);
        if (s)
            return s;
    }
    return NULL;
}

/* Operations rely on what is checked for all of them before. */
static bool may_infer(const struct stablehlo_item *it)
{
    struct status st = {STATUS_OK};
    if (!complete(it->in, &st))
        return false;
    for (int i = 0; i < it->in->operand_count; i++)
        for (int k = 0; k < it->operands[i].count; k++)
            if (it->operands[i].shapes[k]->kind != SHAPE_ARRAY)
                return false;
    return true;
}

static const struct shape *mended(struct stablehlo_writer *w,
                                  const struct stablehlo_item *it)
{
    /* A conversion to another type is not corrected by another operand. */
    if (!may_infer(it) || attribute_find(it->in, ATTRIBUTE_NEW_ELEMENT_TYPE))
        return NULL;
    struct trial t = copy(w, it);
    const struct shape *s = infer(&t);
    if (!s)
        s = without_attribute(w, it);
    if (!s)
        s = with_addition(w, it);
    if (!s)
        s = with_operands(w, it, false);
    if (!s)
        s = with_operands(w, it, true);
    return s;
}

/* ---- Shapes that are the fault ------------------------------------------- */

static const struct shape *first(const struct stablehlo_value *operands)
{
    return operands[0].count > 0 ? operands[0].shapes[0] : NULL;
}

/* The type of an operand's first leaf, of the first one where there are fewer.
 */
static const struct shape *like_operand(const struct stablehlo_item *it,
                                        int number)
{
    return first(
        &it->operands[number <= it->in->operand_count ? number - 1 : 0]);
}

/* An array of these sizes, or NULL if it is too large for any. */
static const struct shape *sized(struct stablehlo_writer *w, enum dtype type,
                                 int rank, const int64_t *dims)
{
    struct status st = {STATUS_OK};
    if (rank > SHAPE_RANK_MAX
        || !shape_check_size(rank, dims, type, INT64_MAX, &st))
        return NULL;
    return shape_array(w->arena, type, rank, dims);
}

/* A dimension's size times shard_count, or divided by it. */
static const struct shape *resized(struct stablehlo_writer *w,
                                   const struct shape *s, int64_t dimension,
                                   int64_t mul, int64_t div)
{
    int64_t dims[SHAPE_RANK_MAX];
    if (s->kind != SHAPE_ARRAY || dimension < 0 || dimension >= s->rank
        || mul < 1 || div < 1
        || __builtin_mul_overflow(s->dims[dimension], mul, &mul))
        return s;
    memcpy(dims, s->dims, (size_t)s->rank * sizeof *dims);
    dims[dimension] = mul / div;
    const struct shape *other = sized(w, s->dtype, s->rank, dims);
    return other ? other : s;
}

const struct shape *stablehlo_claim_gathered(struct stablehlo_writer *w,
                                             const struct stablehlo_item *it)
{
    const struct stablehlo_value all =
        stablehlo_op_flatten(w, it->in->operand_count, it->operands);
    const struct shape **parts =
        arena_new(w->arena, const struct shape *, (size_t)all.count);
    for (int i = 0; i < all.count; i++)
        parts[i] =
            resized(w, all.shapes[i],
                    attribute_int(it->in, ATTRIBUTE_ALL_GATHER_DIMENSION, 0),
                    attribute_int(it->in, ATTRIBUTE_SHARD_COUNT, 1), 1);
    return shape_tuple(w->arena, all.count, parts);
}

const struct shape *stablehlo_claim_scattered(struct stablehlo_writer *w,
                                              const struct stablehlo_item *it)
{
    return resized(w, first(it->operands),
                   attribute_int(it->in, ATTRIBUTE_SCATTER_DIMENSION, 0), 1,
                   attribute_int(it->in, ATTRIBUTE_SHARD_COUNT, 1));
}

/* One result for each operand. */
const struct shape *stablehlo_claim_all(struct stablehlo_writer *w,
                                        const struct stablehlo_item *it)
{
    const struct stablehlo_value all =
        stablehlo_op_flatten(w, it->in->operand_count, it->operands);
    return shape_tuple(w->arena, all.count, all.shapes);
}

/* The operand's shape, and two vectors of its features; like the scale where
 * there is no feature dimension. */
const struct shape *stablehlo_claim_batch_norm(struct stablehlo_writer *w,
                                               const struct stablehlo_item *it)
{
    const struct shape *x = first(it->operands), *v = first(&it->operands[1]);
    int64_t feature = attribute_int(it->in, ATTRIBUTE_FEATURE_INDEX, -1);
    v = feature >= 0 && feature < x->rank
            ? shape_array(w->arena, x->dtype, 1, &x->dims[feature])
            : shape_with_dtype(w->arena, v, x->dtype);
    const struct shape *parts[3] = {x, v, v};
    return shape_tuple(w->arena, 3, parts);
}

/* The dimensions of the first half of the operands that are not reduced. */
const struct shape *stablehlo_claim_reduce(struct stablehlo_writer *w,
                                           const struct stablehlo_item *it)
{
    const struct attribute *a =
        attribute_find(it->in, ATTRIBUTE_DIMENSIONS_TO_REDUCE);
    const struct stablehlo_value all =
        stablehlo_op_flatten(w, it->in->operand_count / 2, it->operands);
    const struct shape **parts =
        arena_new(w->arena, const struct shape *, (size_t)all.count);
    for (int i = 0; i < all.count; i++) {
        const struct shape *s = all.shapes[i];
        int64_t dims[SHAPE_RANK_MAX];
        int rank = 0;
        for (int d = 0; d < s->rank; d++) {
            bool kept = true;
            for (int k = 0; k < a->count; k++)
                kept &= a->ints[k] != d;
            if (kept)
                dims[rank++] = s->dims[d];
        }
        parts[i] = shape_array(w->arena, s->dtype, rank, dims);
    }
    return shape_tuple(w->arena, all.count, parts);
}

const struct shape *stablehlo_claim_top_k(struct stablehlo_writer *w,
                                          const struct stablehlo_item *it)
{
    const struct shape *x = first(it->operands);
    int64_t dims[SHAPE_RANK_MAX], k = attribute_int(it->in, ATTRIBUTE_K, 0);
    memcpy(dims, x->dims, (size_t)x->rank * sizeof *dims);
    if (x->rank > 0)
        dims[x->rank - 1] = k > 0 ? k : 0;
    const struct shape *values = sized(w, x->dtype, x->rank, dims);
    if (!values)
        values = x;
    const struct shape *parts[2] = {values,
                                    shape_with_dtype(w->arena, values, DT_s32)};
    return shape_tuple(w->arena, 2, parts);
}

const struct shape *stablehlo_claim_random_bits(struct stablehlo_writer *w,
                                                const struct stablehlo_item *it)
{
    const struct shape *parts[2] = {
        first(it->operands), attribute_find(it->in, ATTRIBUTE_SHAPE)->shape};
    return shape_tuple(w->arena, 2, parts);
}

const struct shape *stablehlo_claim_integer(struct stablehlo_writer *w,
                                            const struct stablehlo_item *it)
{
    return shape_scalar(w->arena, DT_s32);
}

/* An array of the sizes that an attribute lists, if it is one. */
static const struct shape *listed(struct stablehlo_writer *w,
                                  const struct instruction *in, enum dtype type)
{
    static const enum attribute_name names[] = {
        ATTRIBUTE_NEW_SIZES, ATTRIBUTE_NEW_SIZE_BOUNDS, ATTRIBUTE_OUT_DIM_SIZE,
        ATTRIBUTE_SLICE_SIZES};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct attribute *sizes = attribute_find(in, names[i]);
        bool good = sizes && sizes->count <= SHAPE_RANK_MAX;
        for (int k = 0; good && k < sizes->count; k++)
            good = sizes->ints[k] >= 0;
        if (good)
            return sized(w, type, sizes->count, sizes->ints);
    }
    return NULL;
}

/* The result's shape as attributes state it, else the first operand's. */
static const struct shape *stated(struct stablehlo_writer *w,
                                  const struct stablehlo_item *it)
{
    const struct attribute *shape = attribute_find(it->in, ATTRIBUTE_SHAPE);
    const struct attribute *type =
        attribute_find(it->in, ATTRIBUTE_NEW_ELEMENT_TYPE);
    if (shape)
        return shape->shape;
    const struct shape *s =
        it->in->operand_count > 0 ? first(it->operands) : NULL;
    if (!s || s->kind != SHAPE_ARRAY)
        return type ? shape_scalar(w->arena, type->dtype) : s;
    if (type)
        return shape_with_dtype(w->arena, s, type->dtype);
    const struct shape *other = listed(w, it->in, s->dtype);
    return other ? other : s;
}

const struct shape *stablehlo_claim(struct stablehlo_writer *w,
                                    const struct stablehlo_item *it)
{
    const struct stablehlo_form *form = it->in->op->stablehlo;
    const struct attribute *type =
        attribute_find(it->in, ATTRIBUTE_PREFERRED_ELEMENT_TYPE);
    const struct shape *s = mended(w, it);
    if (!s && form && it->in->operand_count > 0)
        s = form->claim  ? form->claim(w, it)
            : form->like ? like_operand(it, form->like)
                         : NULL;
    if (!s)
        s = stated(w, it);
    return s && type && s->kind == SHAPE_ARRAY
               ? shape_with_dtype(w->arena, s, type->dtype)
               : s;
}
