/* test_gather.c - Gather against its formal definition (004:938-1000), with
 * start indices clamped and batching dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model below is written from the definition, index by index, with sets;
 * it shares nothing with the implementation.
 */
#include <stdlib.h>

#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;

struct list {
    int count;
    int64_t at[6];
};

/* Lists are numbers with commas between them. */
struct sample {
    const char *operand, *indices;
    const char *offset, *collapsed, *map, *batch, *index_batch, *sizes;
    int64_t vector;
};

struct dims {
    struct list offset, collapsed, map, batch, index_batch, sizes;
    int64_t vector;
};

static struct list numbers(const char *text)
{
    struct list l = {0};
    for (char *next = (char *)text; next && *next; next += *next == ',')
        l.at[l.count++] = strtol(next, &next, 10);
    return l;
}

static struct dims dims_of(const struct sample *s)
{
    return (struct dims){
        numbers(s->offset), numbers(s->collapsed),   numbers(s->map),
        numbers(s->batch),  numbers(s->index_batch), numbers(s->sizes),
        s->vector};
}

static bool has(const struct list *l, int64_t d)
{
    for (int i = 0; i < l->count; i++)
        if (l->at[i] == d)
            return true;
    return false;
}

/* The operand's index for one of the result. */
static void slow_index(const struct dims *s, const struct literal *operand,
                       const struct literal *indices, int rank,
                       const int64_t *out, int64_t *in)
{
    const struct shape *is = indices->shape, *os = operand->shape;
    int64_t g[6], full[6];
    int n = 0;
    for (int d = 0; d < rank; d++)
        if (!has(&s->offset, d))
            g[n++] = out[d];
    for (int d = 0; d < os->rank; d++)
        in[d] = 0;
    for (int k = 0; k < s->map.count; k++) {
        /* Combine(G, k): k inserted at index_vector_dim. */
        for (int d = 0, b = 0; d < is->rank; d++)
            full[d] = d == s->vector ? k : g[b++];
        int64_t d = s->map.at[k], most = os->dims[d] - s->sizes.at[d];
        int64_t start =
            literal_int(indices, shape_linear(is->rank, is->dims, full));
        in[d] = start < 0 ? 0 : start > most ? most : start;
    }
    for (int k = 0; k < s->batch.count; k++) {
        int64_t b = s->index_batch.at[k];
        in[s->batch.at[k]] = g[b > s->vector ? b - 1 : b];
    }
    for (int d = 0, k = 0; d < os->rank; d++)
        if (!has(&s->collapsed, d) && !has(&s->batch, d))
            in[d] += out[s->offset.at[k++]];
}

static void ints(struct slow_program *p, enum attribute_name name,
                 const char *text)
{
    struct list list = numbers(text);
    slow_program_ints(p, name, list.count, list.at);
}

static struct slow_program *make(const struct sample *s, uint64_t seed)
{
    struct slow_program *p = slow_program_new(&arena, "Gather");
    slow_program_operand(
        p, slow_program_random(&arena, s->operand, seed, -100, 100));
    slow_program_operand(p,
                         slow_program_random(&arena, s->indices, seed, -8, 7));
    ints(p, ATTRIBUTE_OFFSET_DIMS, s->offset);
    ints(p, ATTRIBUTE_COLLAPSED_SLICE_DIMS, s->collapsed);
    ints(p, ATTRIBUTE_START_INDEX_MAP, s->map);
    ints(p, ATTRIBUTE_OPERAND_BATCHING_DIMS, s->batch);
    ints(p, ATTRIBUTE_START_INDICES_BATCHING_DIMS, s->index_batch);
    slow_program_int(p, ATTRIBUTE_INDEX_VECTOR_DIM, s->vector);
    ints(p, ATTRIBUTE_SLICE_SIZES, s->sizes);
    return p;
}

static const struct sample samples[] = {
    /* The documents' own: [16,11] by [5,2] and [4,5,2], slices [8,6]. */
    {"s32[16,11]", "s64[5,2]", "1,2", "", "0,1", "", "", "8,6", 1},
    {"s32[16,11]", "s32[4,5,2]", "2,3", "", "0,1", "", "", "8,6", 2},
    /* tf.gather_nd: one index, rows. */
    {"s32[16,11]", "s64[4,5,1]", "2", "0", "0", "", "", "1,11", 2},
    /* index_vector_dim elsewhere, and past the end. */
    {"f32[5,6,3]", "s4[2,4]", "0,2", "1", "2,1", "", "", "2,1,2", 0},
    {"f32[5,6,3]", "u8[2,4]", "1,3", "0", "0", "", "", "1,5,3", 2},
    {"bf16[5,6,3]", "u64[3,2]", "0,1", "2", "2,0", "", "", "3,2,1", 1},
    /* Batching dimensions, either side of the index vector. */
    {"s32[3,4,5]", "s32[2,3,2]", "2", "1", "1", "0", "1", "1,1,4", 3},
    {"s32[3,4,5,2]", "s32[2,3,4]", "0", "3", "2,3", "0,1", "1,2", "1,1,3,1", 0},
    {"s8[4]", "u2[3]", "", "0", "0", "", "", "1", 1},
    {"s8[4,2]", "s2[0,1]", "1", "0", "0", "", "", "1,2", 1},
};

static void check(const struct sample *s, uint64_t seed)
{
    struct slow_program *p = make(s, seed);
    if (!OK(slow_program_run(p), "%s by %s: %s", s->operand, s->indices,
            p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    const struct literal *operand = p->operands[0][0];
    const struct dims dims = dims_of(s);
    int64_t out[SHAPE_RANK_MAX] = {0}, in[6], wrong = 0;
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        slow_index(&dims, operand, p->operands[0][1], got->shape->rank, out,
                   in);
        int64_t at =
            shape_linear(operand->shape->rank, operand->shape->dims, in);
        wrong += literal_get(got, i) != literal_get(operand, at);
        shape_next_index(got->shape->rank, got->shape->dims, out);
    }
    EQ_INT(wrong, 0, "%s by %s: wrong elements", s->operand, s->indices);
}

static void ends(const struct sample *s, enum code code, const char *what)
{
    struct slow_program *p = make(s, 1);
    OK(slow_program_run(p) == (code == STATUS_OK), "%s", what);
    EQ_STR(status_name(p->status.code), status_name(code), "%s: %s", what,
           p->status.text);
}

static void test_refusals(void)
{
    /* Two index vectors of two numbers, and a row of three for each. */
    const struct sample valid = {.operand = "s32[6,5]",
                                 .indices = "s32[2,2]",
                                 .offset = "1,2",
                                 .map = "0,1",
                                 .sizes = "1,3",
                                 .vector = 1};
    struct sample s = valid;
    ends(&s, STATUS_OK, "as it is");
    s.offset = "2,1";
    ends(&s, STATUS_ATTRIBUTE, "offset_dims fall");
    s.offset = "1";
    ends(&s, STATUS_SHAPE, "one offset dimension of two");
    s = valid;
    s.map = "0";
    ends(&s, STATUS_ATTRIBUTE, "one number mapped of two");
    s.map = "0,0";
    ends(&s, STATUS_ATTRIBUTE, "a dimension mapped twice");
    s = valid;
    s.sizes = "1,6";
    ends(&s, STATUS_ATTRIBUTE, "a slice of six of five");
    s = valid;
    s.offset = "1";
    s.collapsed = "0";
    s.sizes = "2,1";
    ends(&s, STATUS_ATTRIBUTE, "two elements collapsed");
    s = valid;
    s.vector = 3;
    ends(&s, STATUS_ATTRIBUTE, "index_vector_dim 3 of rank 2");
    s = valid;
    s.indices = "f32[2,2]";
    ends(&s, STATUS_TYPE, "indices are floats");
    s.indices = "s32[3,1]";
    s.offset = s.map = "1";
    s.batch = s.index_batch = "0";
    s.sizes = "1,1";
    ends(&s, STATUS_SHAPE, "batches of six and three");
}

/* Indices with the top bit set are large, not negative (unsigned types). */
static void test_top_bit(void)
{
    static const char *const types[] = {"u2[1]",  "u4[1]",  "u8[1]",
                                        "u16[1]", "u32[1]", "u64[1]"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct sample s = {"s32[3]", types[i], "", "0", "0", "", "", "1", 1};
        struct slow_program *p = make(&s, 5);
        struct literal *l = p->operands[0][1];
        literal_set(l, 0, dtype_mask(l->shape->dtype));
        OK(slow_program_run(p), "%s", p->status.text);
        EQ_INT(literal_get(slow_program_value(p), 0),
               literal_get(p->operands[0][0], 2), "%s", types[i]);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (uint64_t seed = 1; seed <= 5; seed++)
            check(&samples[i], seed);
    test_top_bit();
    test_refusals();
    arena_free(&arena);
    return tap_done();
}
