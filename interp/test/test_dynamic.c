/* test_dynamic.c - operations on dynamic sizes, against static ones.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * An array whose dimensions have actual sizes must behave like the array of
 * just the elements that count.  What stands beyond the sizes is noise, and
 * must never be seen.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;
static struct random draws = {3};

enum {
    RANK = 3
};

static int64_t draw(int64_t low, int64_t high)
{
    return random_between(&draws, low, high);
}

/* A random array, some of its dimensions dynamic. */
static struct literal *make_dynamic(int64_t rank, const int64_t *bounds,
                                    const int64_t *sizes)
{
    const char *text = "s32[";
    for (int64_t i = 0; i < rank; i++)
        text = arena_printf(&arena, "%s%s%s%d", text, i ? "," : "",
                            sizes[i] < bounds[i] || draw(0, 3) == 0 ? "<=" : "",
                            (int)bounds[i]);
    text = arena_printf(&arena, "%s]", text);
    struct literal *l =
        slow_program_random(&arena, text, random_next(&draws), -99, 99);
    for (int64_t i = 0; l->sizes && i < rank; i++)
        l->sizes[i] = sizes[i];
    return l;
}

/* Just the elements that count. */
static struct literal *compact(const struct literal *l)
{
    const struct shape *s = l->shape;
    int64_t index[RANK + 2] = {0};
    const int64_t *sizes = l->sizes ? l->sizes : s->dims;
    struct literal *to =
        literal_new(&arena, shape_array(&arena, s->dtype, s->rank, sizes));
    int64_t n = shape_elements(to->shape);
    for (int64_t i = 0; i < n; i++) {
        literal_move(to, i, l, shape_linear(s->rank, s->dims, index));
        shape_next_index(s->rank, sizes, index);
    }
    return to;
}

static struct slow_program *program(const char *op, bool fixed, int count,
                                    struct literal *const *operands)
{
    struct slow_program *p = slow_program_new(&arena, op);
    for (int i = 0; i < count; i++)
        slow_program_operand(p, fixed ? compact(operands[i]) : operands[i]);
    return p;
}

static int64_t *copy_ints(int count, const int64_t *ints)
{
    int64_t *own = arena_new(&arena, int64_t, (size_t)count + 1);
    memcpy(own, ints, (size_t)count * sizeof *own);
    return own;
}

static void ints(struct slow_program *p, const char *name, int count,
                 const int64_t *values)
{
    slow_program_ints(p, name, count, copy_ints(count, values));
}

static void compare(struct slow_program *dynamic, struct slow_program *fixed)
{
    if (!OK(slow_program_run(dynamic), "%s", dynamic->status.text)
        || !OK(slow_program_run(fixed), "%s", fixed->status.text))
        return;
    const struct literal *want = slow_program_value(fixed);
    OK(literal_equal(compact(slow_program_value(dynamic)), want), "%s of %s",
       dynamic->op->name, shape_text(&arena, dynamic->operands[0][0]->shape));
}

/* ---- The operations -------------------------------------------------------
 */

struct sample {
    int rank;
    int64_t bounds[RANK], sizes[RANK];
    struct literal *operands[3];
};

static struct sample make_sample(void)
{
    struct sample s = {.rank = (int)draw(1, RANK)};
    for (int i = 0; i < s.rank; i++) {
        s.bounds[i] = draw(1, 5);
        s.sizes[i] = draw(0, 2) ? draw(0, s.bounds[i]) : s.bounds[i];
    }
    s.operands[0] = make_dynamic(s.rank, s.bounds, s.sizes);
    return s;
}

static void check_slice(void)
{
    struct sample s = make_sample();
    int64_t start[RANK], limit[RANK], stride[RANK], cut[RANK], from[RANK];
    for (int i = 0; i < s.rank; i++) {
        start[i] = draw(0, s.bounds[i]);
        limit[i] = draw(start[i], s.bounds[i]);
        stride[i] = draw(1, 3);
        /* One element of a dynamic dimension is there or not: not tried. */
        if ((limit[i] - start[i] + stride[i] - 1) / stride[i] == 1)
            limit[i] = start[i];
        cut[i] = limit[i] < s.sizes[i] ? limit[i] : s.sizes[i];
        from[i] = start[i] < cut[i] ? start[i] : cut[i];
    }
    struct slow_program *p = program("Slice", false, 1, s.operands);
    struct slow_program *q = program("Slice", true, 1, s.operands);
    ints(p, "start_indices", s.rank, start);
    ints(p, "limit_indices", s.rank, limit);
    ints(p, "strides", s.rank, stride);
    ints(q, "start_indices", s.rank, from);
    ints(q, "limit_indices", s.rank, cut);
    ints(q, "strides", s.rank, stride);
    compare(p, q);
}

static void set_order(struct slow_program *p, int rank, int turn)
{
    int64_t order[RANK];
    for (int i = 0; i < rank; i++)
        order[i] = (i + turn) % rank;
    ints(p, "permutation", rank, order);
}

static void check_transpose(void)
{
    struct sample s = make_sample();
    int turn = (int)draw(0, 2);
    struct slow_program *p = program("Transpose", false, 1, s.operands);
    struct slow_program *q = program("Transpose", true, 1, s.operands);
    set_order(p, s.rank, turn);
    set_order(q, s.rank, turn);
    compare(p, q);
}

static void check_rev(void)
{
    struct sample s = make_sample();
    struct slow_program *p = program("Rev", false, 1, s.operands);
    struct slow_program *q = program("Rev", true, 1, s.operands);
    int64_t d = draw(0, s.rank - 1);
    ints(p, "dimensions", 1, &d);
    ints(q, "dimensions", 1, &d);
    compare(p, q);
}

static void check_broadcast(void)
{
    struct sample s = make_sample();
    struct slow_program *p = program("Broadcast", false, 1, s.operands);
    struct slow_program *q = program("Broadcast", true, 1, s.operands);
    int64_t size = draw(0, 3);
    ints(p, "broadcast_sizes", 1, &size);
    ints(q, "broadcast_sizes", 1, &size);
    compare(p, q);
}

static void add_config(struct slow_program *p, int rank, const int64_t *config)
{
    ints(p, "padding_config", 3 * rank, config);
    p->attributes[p->attribute_count - 1].form = SPEC_PADDING_CONFIG;
}

static void check_pad(void)
{
    struct sample s = make_sample();
    int64_t config[3 * RANK];
    for (int i = 0; i < s.rank; i++) {
        config[3 * i] = draw(s.sizes[i] > 1 ? -1 : 0, 2);
        config[3 * i + 1] = draw(s.sizes[i] > 1 ? -1 : 0, 2);
        config[3 * i + 2] = draw(0, 2);
    }
    s.operands[1] = slow_program_random(&arena, "s32[]", 1, -99, 99);
    struct slow_program *p = program("Pad", false, 2, s.operands);
    struct slow_program *q = program("Pad", true, 2, s.operands);
    add_config(p, s.rank, config);
    add_config(q, s.rank, config);
    compare(p, q);
}

static void check_concat(void)
{
    struct sample s = make_sample();
    int64_t d = draw(0, s.rank - 1);
    for (int k = 1; k < 3; k++) {
        s.bounds[d] = draw(1, 5);
        s.sizes[d] = draw(0, s.bounds[d]);
        s.operands[k] = make_dynamic(s.rank, s.bounds, s.sizes);
    }
    struct slow_program *p = program("ConcatInDim", false, 3, s.operands);
    struct slow_program *q = program("ConcatInDim", true, 3, s.operands);
    slow_program_int(p, "dimension", d);
    slow_program_int(q, "dimension", d);
    compare(p, q);
}

static void check_reduce(void)
{
    struct sample s = make_sample();
    int64_t d = draw(0, s.rank - 1);
    s.operands[1] = slow_program_random(&arena, "s32[]", 1, -99, 99);
    struct slow_program *p = program("Reduce", false, 2, s.operands);
    struct slow_program *q = program("Reduce", true, 2, s.operands);
    slow_program_builtin(p, "computation", "add");
    slow_program_builtin(q, "computation", "add");
    ints(p, "dimensions_to_reduce", 1, &d);
    ints(q, "dimensions_to_reduce", 1, &d);
    compare(p, q);
}

int main(void)
{
    const char *many = getenv("ASSAY_TEST_LONG");
    int rounds = many && *many ? 20000 : 500;
    for (int i = 0; i < rounds; i++) {
        check_slice();
        check_transpose();
        check_rev();
        check_broadcast();
        check_pad();
        check_concat();
        check_reduce();
        arena_reset(&arena);
    }
    arena_free(&arena);
    return tap_done();
}
