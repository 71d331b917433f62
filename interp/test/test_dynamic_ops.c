/* test_dynamic_ops.c - dynamic sizes in operations that compute or search.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Against the same operation on just the elements that count, or against a
 * loop where sizes decide what takes part.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/test/slow_dynamic.h"
#include "interp/test/tap.h"

static struct slow_dynamic t = {.draws = {5}};

enum {
    RANK = 3
};

static int64_t draw(int64_t low, int64_t high)
{
    return slow_dynamic_draw(&t, low, high);
}

/* An array, the same operation on it and on what counts of it. */
struct sample {
    int rank, count;
    int64_t bounds[RANK], sizes[RANK];
    struct literal *operands[3];
    struct slow_program *p[2];
};

static struct sample make_sample(int64_t least)
{
    struct sample s = {.rank = (int)draw(1, RANK), .count = 1};
    for (int i = 0; i < s.rank; i++) {
        s.bounds[i] = draw(1, 5);
        s.sizes[i] = slow_dynamic_size(&t, least, s.bounds[i]);
    }
    s.operands[0] =
        slow_dynamic_make(&t, "s32", -99, 99, s.rank, s.bounds, s.sizes);
    return s;
}

static void open_programs(struct sample *s, const char *op)
{
    for (int i = 0; i < 2; i++)
        s->p[i] = slow_dynamic_program(&t, op, i == 1, s->count, s->operands);
}

static void check_sort(void)
{
    struct sample s = make_sample(0);
    open_programs(&s, "Sort");
    int64_t d = draw(0, s.rank - 1);
    for (int i = 0; i < 2; i++) {
        slow_program_int(s.p[i], ATTRIBUTE_DIMENSION, d);
        slow_program_builtin(s.p[i], ATTRIBUTE_COMPARATOR, "lt");
    }
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

static void check_topk(void)
{
    struct sample s = make_sample(0);
    open_programs(&s, "TopK");
    int64_t k = draw(0, s.sizes[s.rank - 1]), largest = draw(0, 1);
    for (int i = 0; i < 2; i++) {
        slow_program_int(s.p[i], ATTRIBUTE_K, k);
        slow_program_int(s.p[i], ATTRIBUTE_LARGEST, largest);
        s.p[i]->attributes[1].form = SPEC_BOOL;
    }
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

static void check_map(void)
{
    struct sample s = make_sample(0);
    s.operands[1] =
        slow_dynamic_make(&t, "s32", -99, 99, s.rank, s.bounds, s.sizes);
    s.count = 2;
    open_programs(&s, "Map");
    for (int i = 0; i < 2; i++)
        slow_program_builtin(s.p[i], ATTRIBUTE_COMPUTATION, "sub");
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

static void check_collapse(void)
{
    struct sample s = make_sample(0);
    open_programs(&s, "Collapse");
    int64_t first = draw(0, s.rank - 1), d[RANK];
    int count = (int)draw(1, s.rank - first);
    for (int i = 0; i < count; i++)
        d[i] = first + i;
    for (int i = 0; i < 2; i++)
        slow_dynamic_ints(s.p[i], ATTRIBUTE_DIMENSIONS, count, d);
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

/* Runs of dimensions become one. */
static void check_reshape(void)
{
    struct sample s = {.rank = RANK, .count = 1};
    int64_t joined[2][2 * RANK];
    int rank = 0;
    for (int i = 0; i < s.rank; i++) {
        s.bounds[i] = draw(2, 4);
        s.sizes[i] = slow_dynamic_size(&t, 0, s.bounds[i]);
        if (rank == 0 || draw(0, 1)) {
            if (draw(0, 2) == 0) {
                joined[0][rank] = joined[1][rank] = 1;
                rank++;
            }
            joined[0][rank] = joined[1][rank] = 1;
            rank++;
        }
        joined[0][rank - 1] *= s.bounds[i];
        joined[1][rank - 1] *= s.sizes[i];
    }
    s.operands[0] =
        slow_dynamic_make(&t, "s32", -99, 99, s.rank, s.bounds, s.sizes);
    open_programs(&s, "Reshape");
    for (int i = 0; i < 2; i++)
        slow_dynamic_ints(s.p[i], ATTRIBUTE_NEW_SIZES, rank, joined[i]);
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

/* ---- Contractions and windows -------------------------------------------- */

/* Sizes of a dimension of both operands. */
static void share(struct sample *s, int64_t *bounds, int64_t *sizes, int d,
                  int of)
{
    bounds[d] = s->bounds[of];
    sizes[d] = s->sizes[of];
}

/* lhs [batch, rows, terms] and rhs [terms, batch, columns]. */
static void check_dot(void)
{
    struct sample s = {.rank = 3, .count = 2};
    int64_t bounds[RANK], sizes[RANK], numbers[] = {0, 1, 2};
    for (int i = 0; i < s.rank; i++) {
        s.bounds[i] = draw(1, 4);
        s.sizes[i] = slow_dynamic_size(&t, 0, s.bounds[i]);
        bounds[i] = draw(1, 4);
        sizes[i] = slow_dynamic_size(&t, 0, bounds[i]);
    }
    share(&s, bounds, sizes, 0, 2);
    share(&s, bounds, sizes, 1, 0);
    s.operands[0] = slow_dynamic_make(&t, "f32", -99, 99, 3, s.bounds, s.sizes);
    s.operands[1] = slow_dynamic_make(&t, "f32", -99, 99, 3, bounds, sizes);
    open_programs(&s, "DotGeneral");
    for (int i = 0; i < 2; i++) {
        slow_dynamic_ints(s.p[i], ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS, 1,
                          &numbers[2]);
        slow_dynamic_ints(s.p[i], ATTRIBUTE_RHS_CONTRACTING_DIMENSIONS, 1,
                          &numbers[0]);
        slow_dynamic_ints(s.p[i], ATTRIBUTE_LHS_BATCH_DIMENSIONS, 1,
                          &numbers[0]);
        slow_dynamic_ints(s.p[i], ATTRIBUTE_RHS_BATCH_DIMENSIONS, 1,
                          &numbers[1]);
    }
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

/* A batch of triangular systems. */
static void check_triangular(void)
{
    struct sample s = {.rank = RANK, .count = 2};
    int64_t columns = draw(1, 3);
    s.bounds[0] = draw(1, 4);
    s.sizes[0] = slow_dynamic_size(&t, 0, s.bounds[0]);
    s.bounds[1] = s.bounds[2] = draw(1, 3);
    const int64_t bounds[] = {s.bounds[0], s.bounds[1], columns};
    for (int i = 0; i < 2; i++) {
        const int64_t *b = i == 0 ? s.bounds : bounds;
        const char *text = arena_printf(&t.arena, "f32[<=%d,%d,%d]", (int)b[0],
                                        (int)b[1], (int)b[2]);
        s.operands[i] =
            slow_program_random(&t.arena, text, random_next(&t.draws), 1, 9);
        for (int d = 0; d < RANK; d++)
            s.operands[i]->sizes[d] = d == 0 ? s.sizes[0] : b[d];
    }
    open_programs(&s, "TriangularSolve");
    for (int i = 0; i < 2; i++) {
        slow_program_int(s.p[i], ATTRIBUTE_LEFT_SIDE, 1);
        slow_program_int(s.p[i], ATTRIBUTE_LOWER, 1);
        slow_program_int(s.p[i], ATTRIBUTE_UNIT_DIAGONAL, 0);
        for (int k = 0; k < 3; k++)
            s.p[i]->attributes[k].form = SPEC_BOOL;
        s.p[i]->attributes[s.p[i]->attribute_count++] =
            (struct attribute){.name = ATTRIBUTE_TRANSPOSE_A,
                               .form = SPEC_NAME,
                               .string = "TRANSPOSE"};
    }
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

static void check_reduce_window(void)
{
    struct sample s = make_sample(0);
    int64_t windows[RANK], strides[RANK], padding[2 * RANK];
    for (int i = 0; i < s.rank; i++) {
        windows[i] = draw(1, 3);
        strides[i] = draw(1, 2);
        padding[2 * i] = draw(0, 1);
        padding[2 * i + 1] = draw(0, 1);
    }
    s.count = 2;
    s.operands[1] = slow_program_random(&t.arena, "s32[]", 1, -99, 99);
    open_programs(&s, "ReduceWindow");
    for (int i = 0; i < 2; i++) {
        slow_program_builtin(s.p[i], ATTRIBUTE_COMPUTATION, "add");
        slow_dynamic_ints(s.p[i], ATTRIBUTE_WINDOW_DIMENSIONS, s.rank, windows);
        slow_dynamic_ints(s.p[i], ATTRIBUTE_WINDOW_STRIDES, s.rank, strides);
        slow_dynamic_ints(s.p[i], ATTRIBUTE_PADDING, 2 * s.rank, padding);
        s.p[i]->attributes[3].form = SPEC_WINDOW_PADDING;
    }
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

/* ---- Slices at run-time indices, by loops -------------------------------- */

/* The element of a value at an index, if it counts. */
static bool look(const struct literal *l, const int64_t *index, int64_t *value)
{
    const struct shape *s = l->shape;
    for (int d = 0; d < s->rank; d++)
        if (index[d] < 0 || index[d] >= (l->sizes ? l->sizes[d] : s->dims[d]))
            return false;
    *value = slow_program_int_at(l, shape_linear(s->rank, s->dims, index));
    return true;
}

static int64_t clamp(int64_t start, int64_t most)
{
    return start < 0 ? 0 : start > most ? most : start;
}

static struct literal *scalar(int64_t value)
{
    return slow_program_literal(&t.arena, "s32[]", 1, &value);
}

static void check_dynamic_slice(void)
{
    struct sample s = make_sample(0);
    struct literal *l = s.operands[0];
    int64_t sizes[RANK], starts[RANK], index[RANK] = {0}, wrong = 0;
    struct slow_program *p = slow_program_new(&t.arena, "DynamicSlice");
    slow_program_operand(p, l);
    for (int d = 0; d < s.rank; d++) {
        bool dynamic = l->shape->dynamic && l->shape->dynamic[d];
        int64_t start = draw(-2, 6);
        sizes[d] =
            dynamic ? (draw(0, 1) ? 1 : s.bounds[d]) : draw(0, s.bounds[d]);
        slow_program_operand(p, scalar(start));
        starts[d] = clamp(start, s.bounds[d] - sizes[d]);
    }
    slow_dynamic_ints(p, ATTRIBUTE_SLICE_SIZES, s.rank, sizes);
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    const struct goal *g = p->outcomes[0].goals[0];
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        int64_t from[RANK], x = 0, y = 0;
        for (int d = 0; d < s.rank; d++)
            from[d] = index[d] + starts[d];
        bool there = look(l, from, &y);
        bool counts = look(got, index, &x);
        bool any = g->free_units && g->free_units[i];
        wrong += counts && (there ? x != y : !any);
        wrong += there && !counts;
        shape_next_index(s.rank, got->shape->dims, index);
    }
    EQ_INT(wrong, 0, "DynamicSlice of %s", shape_text(&t.arena, l->shape));
}

/* An update as long as a dimension, with a size, replaces it. */
static bool replaces(const struct literal *l, const struct literal *update,
                     int d)
{
    return update->shape->dynamic && update->shape->dynamic[d]
           && update->shape->dims[d] == l->shape->dims[d];
}

static void check_update(void)
{
    struct sample s = make_sample(0);
    int64_t bounds[RANK], sizes[RANK], starts[RANK], index[RANK] = {0};
    struct literal *l = s.operands[0];
    int64_t wrong = 0;
    for (int d = 0; d < s.rank; d++) {
        bounds[d] = draw(0, 1) ? s.bounds[d] : draw(1, s.bounds[d]);
        sizes[d] = slow_dynamic_size(&t, 0, bounds[d]);
    }
    struct literal *update =
        slow_dynamic_make(&t, "s32", -99, 99, s.rank, bounds, sizes);
    struct slow_program *p = slow_program_new(&t.arena, "DynamicUpdateSlice");
    slow_program_operand(p, l);
    slow_program_operand(p, update);
    for (int d = 0; d < s.rank; d++) {
        int64_t start = draw(-2, 6);
        slow_program_operand(p, scalar(start));
        starts[d] = clamp(start, s.bounds[d] - bounds[d]);
    }
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    const struct goal *g = p->outcomes[0].goals[0];
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        int64_t from[RANK], x = 0, y = 0;
        bool due = true;
        for (int d = 0; d < s.rank; d++) {
            from[d] = index[d] - starts[d];
            due =
                due
                && index[d] < (replaces(l, update, d) ? sizes[d] : s.sizes[d]);
        }
        bool there = look(update, from, &y) || look(l, index, &y);
        bool counts = look(got, index, &x);
        bool any = g->free_units && g->free_units[i];
        wrong += counts != due || (counts && (there ? x != y : !any));
        shape_next_index(s.rank, got->shape->dims, index);
    }
    EQ_INT(wrong, 0, "DynamicUpdateSlice of %s",
           shape_text(&t.arena, l->shape));
}

/* Rows of a matrix, by a matrix of row numbers. */
static void check_gather(void)
{
    int64_t bounds[2], sizes[2], many[2], some[2], wrong = 0;
    int64_t dims[] = {2, 0}, slices[2] = {1, 0};
    for (int d = 0; d < 2; d++) {
        bounds[d] = draw(1, 4);
        sizes[d] = slow_dynamic_size(&t, 0, bounds[d]);
        many[d] = draw(1, 4);
        some[d] = slow_dynamic_size(&t, 0, many[d]);
    }
    slices[1] = bounds[1];
    struct literal *l = slow_dynamic_make(&t, "s32", -99, 99, 2, bounds, sizes);
    struct literal *rows = slow_dynamic_make(&t, "s32", -2, 6, 2, many, some);
    struct slow_program *p = slow_program_new(&t.arena, "Gather");
    slow_program_operand(p, l);
    slow_program_operand(p, rows);
    slow_dynamic_ints(p, ATTRIBUTE_OFFSET_DIMS, 1, &dims[0]);
    slow_dynamic_ints(p, ATTRIBUTE_COLLAPSED_SLICE_DIMS, 1, &dims[1]);
    slow_dynamic_ints(p, ATTRIBUTE_START_INDEX_MAP, 1, &dims[1]);
    slow_program_int(p, ATTRIBUTE_INDEX_VECTOR_DIM, 2);
    slow_dynamic_ints(p, ATTRIBUTE_SLICE_SIZES, 2, slices);
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    const struct goal *g = p->outcomes[0].goals[0];
    int64_t index[RANK] = {0};
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        int64_t row, x = 0, y = 0;
        bool due = look(rows, index, &row) && index[2] < sizes[1];
        bool counts = look(got, index, &x);
        bool any = g->free_units && g->free_units[i];
        if (due) {
            int64_t from[2] = {clamp(row, bounds[0] - 1), index[2]};
            wrong += look(l, from, &y) ? x != y : !any;
        }
        wrong += due != counts;
        shape_next_index(RANK, got->shape->dims, index);
    }
    EQ_INT(wrong, 0, "Gather of %s", shape_text(&t.arena, l->shape));
}

/* Rows added to those of a matrix, at row numbers: -2 to 6. */
static void check_scatter(void)
{
    int64_t bounds[2], sizes[2], many, some, dims[] = {1, 0}, wrong = 0;
    for (int d = 0; d < 2; d++) {
        bounds[d] = draw(1, 4);
        sizes[d] = slow_dynamic_size(&t, 0, bounds[d]);
    }
    many = draw(1, 4);
    some = slow_dynamic_size(&t, 0, many);
    const int64_t all[] = {many, bounds[1]}, part[] = {some, sizes[1]};
    struct literal *operands[] = {
        slow_dynamic_make(&t, "s32", -99, 99, 2, bounds, sizes),
        slow_dynamic_make(&t, "s32", -2, 6, 1, &many, &some),
        slow_dynamic_make(&t, "s32", -99, 99, 2, all, part)};
    struct slow_program *p =
        slow_dynamic_program(&t, "Scatter", false, 3, operands);
    slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "add");
    slow_dynamic_ints(p, ATTRIBUTE_UPDATE_WINDOW_DIMS, 1, &dims[0]);
    slow_dynamic_ints(p, ATTRIBUTE_INSERTED_WINDOW_DIMS, 1, &dims[1]);
    slow_dynamic_ints(p, ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, 1, &dims[1]);
    slow_program_int(p, ATTRIBUTE_INDEX_VECTOR_DIM, 1);
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    int64_t index[2] = {0};
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        int64_t x = 0, y = 0, row, more;
        bool due = look(operands[0], index, &y);
        for (int64_t k = 0; k < some; k++) {
            int64_t from[] = {k, index[1]};
            if (look(operands[1], &k, &row) && row == index[0]
                && look(operands[2], from, &more))
                y += more;
        }
        wrong += look(got, index, &x) != due || (due && x != y);
        shape_next_index(2, got->shape->dims, index);
    }
    EQ_INT(wrong, 0, "Scatter into %s",
           shape_text(&t.arena, operands[0]->shape));
}

/* Two updates of element 1, in either order; the last element does not count,
 * and may be anything. */
static void test_predicate(void)
{
    const int64_t bounds = 3, sizes = 2, zero = 0, rows[] = {1, 0, 1};
    const int64_t updates[] = {10, 20, 30};
    struct literal *operands[] = {
        slow_dynamic_make(&t, "s32", 0, 9, 1, &bounds, &sizes),
        slow_program_literal(&t.arena, "s32[3]", 3, rows),
        slow_program_literal(&t.arena, "s32[3]", 3, updates)};
    struct slow_program *p =
        slow_dynamic_program(&t, "Scatter", false, 3, operands);
    slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "second");
    slow_dynamic_ints(p, ATTRIBUTE_INSERTED_WINDOW_DIMS, 1, &zero);
    slow_dynamic_ints(p, ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, 1, &zero);
    slow_dynamic_ints(p, ATTRIBUTE_UPDATE_WINDOW_DIMS, 0, &zero);
    slow_program_int(p, ATTRIBUTE_INDEX_VECTOR_DIM, 1);
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct goal *g = p->outcomes[0].goals[0];
    struct literal *got = literal_copy(&t.arena, g->value);
    const struct literal *list = got;
    EQ_INT(g->rule, GOAL_CHECK, "there is more than one result");
    literal_set(got, 2, 77);
    for (uint64_t x = 10; x <= 30; x++) {
        literal_set(got, 1, x);
        struct goal_finding found = {.leaf = 0};
        bool right = x == 10 || x == 30;
        EQ_INT(g->check.holds(g, &list, 1, &found), right, "%d", (int)x);
        if (!right)
            EQ_INT(found.unit, 1, "that element is wrong");
    }
}

/* Checks what is refused, or cannot be judged, and why. */
static void refused(struct slow_program *p, const char *why)
{
    OK(!slow_program_run(p), "%s is refused", p->op->name);
    EQ_INT(p->status.code, STATUS_UNSUPPORTED, "%s", p->status.text);
    OK(strstr(p->status.text, why), "%s: %s", why, p->status.text);
}

static struct literal *line(const char *type, int64_t bound, int64_t size)
{
    return slow_dynamic_make(&t, type, 1, 9, 1, &bound, &size);
}

static void test_refused(void)
{
    const int64_t two = 2;
    struct literal *operands[] = {line("f32", 4, 3), scalar(0)};
    struct slow_program *p =
        slow_dynamic_program(&t, "DynamicSlice", false, 2, operands);
    slow_dynamic_ints(p, ATTRIBUTE_SLICE_SIZES, 1, &two);
    refused(p, "neither all of it nor one element");
    operands[1] = line("f32", 4, 2);
    p = slow_dynamic_program(&t, "Dot", false, 2, operands);
    refused(p, "inadmissible: Dot of 3 elements in dimension 0 of operand 0");
    operands[0] = line("s32", 4, 3);
    operands[1] = line("s32", 4, 2);
    p = slow_dynamic_program(&t, "Map", false, 2, operands);
    slow_program_builtin(p, ATTRIBUTE_COMPUTATION, "add");
    refused(p, "inadmissible: Map");
    operands[0] = line("s32", 4, 0);
    operands[1] = scalar(1);
    p = slow_dynamic_program(&t, "Pad", false, 2, operands);
    const int64_t config[] = {-1, 0, 0};
    slow_dynamic_ints(p, ATTRIBUTE_PADDING_CONFIG, 3, config);
    p->attributes[0].form = SPEC_PADDING_CONFIG;
    refused(p, "inadmissible: the actual size");
}

int main(void)
{
    const char *many = getenv("ASSAY_TEST_LONG");
    int rounds = many && *many ? 20000 : 500;
    test_predicate();
    test_refused();
    for (int i = 0; i < rounds; i++) {
        check_sort();
        check_topk();
        check_map();
        check_collapse();
        check_reshape();
        check_dot();
        check_triangular();
        check_reduce_window();
        check_dynamic_slice();
        check_update();
        check_gather();
        check_scatter();
        arena_reset(&t.arena);
    }
    arena_free(&t.arena);
    return tap_done();
}
