/* test_dynamic_ops.c - dynamic sizes in operations that compute or search.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Against the same operation on just the elements that count, or against a
 * loop where sizes decide what takes part.
 */
#include <string.h>

#include "interp/test/slow_dynamic.h"
#include "interp/test/tap.h"

static struct slow_dynamic t = {.draws = {5}};

enum {
    RANK = SLOW_DYNAMIC_RANK
};

static int64_t draw(int64_t low, int64_t high)
{
    return slow_dynamic_draw(&t, low, high);
}

static void check_sort(void)
{
    slow_dynamic_sample(&t);
    slow_dynamic_open(&t, "Sort", 1);
    slow_dynamic_int(&t, ATTRIBUTE_DIMENSION, draw(0, t.rank - 1));
    slow_dynamic_builtin(&t, ATTRIBUTE_COMPARATOR, "lt");
    slow_dynamic_compare(&t);
}

static void check_topk(void)
{
    slow_dynamic_sample(&t);
    slow_dynamic_open(&t, "TopK", 1);
    slow_dynamic_int(&t, ATTRIBUTE_K, draw(0, t.sizes[t.rank - 1]));
    slow_dynamic_int(&t, ATTRIBUTE_LARGEST, draw(0, 1));
    slow_dynamic_compare(&t);
}

static void check_map(void)
{
    slow_dynamic_sample(&t);
    t.operands[1] =
        slow_dynamic_make(&t, "s32", -99, 99, t.rank, t.bounds, t.sizes);
    slow_dynamic_open(&t, "Map", 2);
    slow_dynamic_builtin(&t, ATTRIBUTE_COMPUTATION, "sub");
    slow_dynamic_compare(&t);
}

static void check_collapse(void)
{
    slow_dynamic_sample(&t);
    int64_t first = draw(0, t.rank - 1), d[RANK];
    int count = (int)draw(1, t.rank - first);
    for (int i = 0; i < count; i++)
        d[i] = first + i;
    slow_dynamic_open(&t, "Collapse", 1);
    slow_dynamic_ints(&t, ATTRIBUTE_DIMENSIONS, count, d);
    slow_dynamic_compare(&t);
}

/* Runs of dimensions become one. */
static void check_reshape(void)
{
    int64_t joined[2][2 * RANK];
    int rank = 0;
    t.rank = RANK;
    for (int i = 0; i < t.rank; i++) {
        t.bounds[i] = draw(2, 4);
        t.sizes[i] = slow_dynamic_size(&t, t.bounds[i]);
        if (rank == 0 || draw(0, 1)) {
            if (draw(0, 2) == 0) {
                joined[0][rank] = joined[1][rank] = 1;
                rank++;
            }
            joined[0][rank] = joined[1][rank] = 1;
            rank++;
        }
        joined[0][rank - 1] *= t.bounds[i];
        joined[1][rank - 1] *= t.sizes[i];
    }
    t.operands[0] =
        slow_dynamic_make(&t, "s32", -99, 99, t.rank, t.bounds, t.sizes);
    slow_dynamic_open(&t, "Reshape", 1);
    for (int i = 0; i < 2; i++)
        slow_program_ints(t.p[i], ATTRIBUTE_NEW_SIZES, rank, joined[i]);
    slow_dynamic_compare(&t);
}

/* ---- Contractions and windows -------------------------------------------- */

/* lhs [batch, rows, terms] and rhs [terms, batch, columns]. */
static void check_dot(void)
{
    int64_t bounds[RANK], sizes[RANK];
    t.rank = RANK;
    for (int i = 0; i < t.rank; i++) {
        t.bounds[i] = draw(1, 4);
        t.sizes[i] = slow_dynamic_size(&t, t.bounds[i]);
        bounds[i] = draw(1, 4);
        sizes[i] = slow_dynamic_size(&t, bounds[i]);
    }
    bounds[0] = t.bounds[2];
    sizes[0] = t.sizes[2];
    bounds[1] = t.bounds[0];
    sizes[1] = t.sizes[0];
    t.operands[0] = slow_dynamic_make(&t, "f32", -99, 99, 3, t.bounds, t.sizes);
    t.operands[1] = slow_dynamic_make(&t, "f32", -99, 99, 3, bounds, sizes);
    slow_dynamic_open(&t, "DotGeneral", 2);
    slow_dynamic_int(&t, ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS, 2);
    slow_dynamic_int(&t, ATTRIBUTE_RHS_CONTRACTING_DIMENSIONS, 0);
    slow_dynamic_int(&t, ATTRIBUTE_LHS_BATCH_DIMENSIONS, 0);
    slow_dynamic_int(&t, ATTRIBUTE_RHS_BATCH_DIMENSIONS, 1);
    slow_dynamic_compare(&t);
}

/* A batch of triangular systems. */
static void check_triangular(void)
{
    int64_t columns = draw(1, 3);
    t.bounds[0] = draw(1, 4);
    t.sizes[0] = slow_dynamic_size(&t, t.bounds[0]);
    t.bounds[1] = t.bounds[2] = draw(1, 3);
    const int64_t bounds[] = {t.bounds[0], t.bounds[1], columns};
    for (int i = 0; i < 2; i++) {
        const int64_t *b = i == 0 ? t.bounds : bounds;
        const char *text = arena_printf(&t.arena, "f32[<=%d,%d,%d]", (int)b[0],
                                        (int)b[1], (int)b[2]);
        t.operands[i] =
            slow_program_random(&t.arena, text, random_next(&t.draws), 1, 9);
        for (int d = 0; d < RANK; d++)
            t.operands[i]->sizes[d] = d == 0 ? t.sizes[0] : b[d];
    }
    slow_dynamic_open(&t, "TriangularSolve", 2);
    slow_dynamic_int(&t, ATTRIBUTE_LEFT_SIDE, 1);
    slow_dynamic_int(&t, ATTRIBUTE_LOWER, 1);
    slow_dynamic_int(&t, ATTRIBUTE_UNIT_DIAGONAL, 0);
    for (int i = 0; i < 2; i++)
        slow_program_name(t.p[i], ATTRIBUTE_TRANSPOSE_A, "TRANSPOSE");
    slow_dynamic_compare(&t);
}

static void check_reduce_window(void)
{
    int64_t windows[RANK], strides[RANK], padding[2 * RANK];
    slow_dynamic_sample(&t);
    for (int i = 0; i < t.rank; i++) {
        windows[i] = draw(1, 3);
        strides[i] = draw(1, 2);
        padding[2 * i] = draw(0, 1);
        padding[2 * i + 1] = draw(0, 1);
    }
    t.operands[1] = slow_program_random(&t.arena, "s32[]", 1, -99, 99);
    slow_dynamic_open(&t, "ReduceWindow", 2);
    slow_dynamic_builtin(&t, ATTRIBUTE_COMPUTATION, "add");
    slow_dynamic_ints(&t, ATTRIBUTE_WINDOW_DIMENSIONS, t.rank, windows);
    slow_dynamic_ints(&t, ATTRIBUTE_WINDOW_STRIDES, t.rank, strides);
    slow_dynamic_ints(&t, ATTRIBUTE_PADDING, 2 * t.rank, padding);
    slow_dynamic_compare(&t);
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
    slow_dynamic_sample(&t);
    struct literal *l = t.operands[0];
    int64_t sizes[RANK], starts[RANK], index[RANK] = {0}, wrong = 0;
    struct slow_program *p = slow_program_new(&t.arena, "DynamicSlice");
    slow_program_operand(p, l);
    for (int d = 0; d < t.rank; d++) {
        bool dynamic = l->shape->dynamic && l->shape->dynamic[d];
        int64_t start = draw(-2, 6);
        sizes[d] =
            dynamic ? (draw(0, 1) ? 1 : t.bounds[d]) : draw(0, t.bounds[d]);
        slow_program_operand(p, scalar(start));
        starts[d] = clamp(start, t.bounds[d] - sizes[d]);
    }
    slow_program_ints(p, ATTRIBUTE_SLICE_SIZES, t.rank, sizes);
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    const struct goal *g = p->outcomes[0].goals[0];
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        int64_t from[RANK], x = 0, y = 0;
        for (int d = 0; d < t.rank; d++)
            from[d] = index[d] + starts[d];
        bool there = look(l, from, &y);
        bool counts = look(got, index, &x);
        bool any = g->free_units && g->free_units[i];
        wrong += counts && (there ? x != y : !any);
        wrong += there && !counts;
        shape_next_index(t.rank, got->shape->dims, index);
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
    int64_t bounds[RANK], sizes[RANK], starts[RANK], index[RANK] = {0};
    slow_dynamic_sample(&t);
    struct literal *l = t.operands[0];
    int64_t wrong = 0;
    for (int d = 0; d < t.rank; d++) {
        bounds[d] = draw(0, 1) ? t.bounds[d] : draw(1, t.bounds[d]);
        sizes[d] = slow_dynamic_size(&t, bounds[d]);
    }
    struct literal *update =
        slow_dynamic_make(&t, "s32", -99, 99, t.rank, bounds, sizes);
    struct slow_program *p = slow_program_new(&t.arena, "DynamicUpdateSlice");
    slow_program_operand(p, l);
    slow_program_operand(p, update);
    for (int d = 0; d < t.rank; d++) {
        int64_t start = draw(-2, 6);
        slow_program_operand(p, scalar(start));
        starts[d] = clamp(start, t.bounds[d] - bounds[d]);
    }
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *got = slow_program_value(p);
    const struct goal *g = p->outcomes[0].goals[0];
    for (int64_t i = 0, n = shape_elements(got->shape); i < n; i++) {
        int64_t from[RANK], x = 0, y = 0;
        bool due = true;
        for (int d = 0; d < t.rank; d++) {
            from[d] = index[d] - starts[d];
            due =
                due
                && index[d] < (replaces(l, update, d) ? sizes[d] : t.sizes[d]);
        }
        bool there = look(update, from, &y) || look(l, index, &y);
        bool counts = look(got, index, &x);
        bool any = g->free_units && g->free_units[i];
        wrong += counts != due || (counts && (there ? x != y : !any));
        shape_next_index(t.rank, got->shape->dims, index);
    }
    EQ_INT(wrong, 0, "DynamicUpdateSlice of %s",
           shape_text(&t.arena, l->shape));
}

/* Rows of a matrix, by a matrix of row numbers. */
static void check_gather(void)
{
    int64_t bounds[2], sizes[2], many[2], some[2], wrong = 0;
    for (int d = 0; d < 2; d++) {
        bounds[d] = draw(1, 4);
        sizes[d] = slow_dynamic_size(&t, bounds[d]);
        many[d] = draw(1, 4);
        some[d] = slow_dynamic_size(&t, many[d]);
    }
    struct literal *l = slow_dynamic_make(&t, "s32", -99, 99, 2, bounds, sizes);
    struct literal *rows = slow_dynamic_make(&t, "s32", -2, 6, 2, many, some);
    struct slow_program *p = slow_program_new(&t.arena, "Gather");
    slow_program_operand(p, l);
    slow_program_operand(p, rows);
    slow_program_int(p, ATTRIBUTE_OFFSET_DIMS, 2);
    slow_program_int(p, ATTRIBUTE_COLLAPSED_SLICE_DIMS, 0);
    slow_program_int(p, ATTRIBUTE_START_INDEX_MAP, 0);
    slow_program_int(p, ATTRIBUTE_INDEX_VECTOR_DIM, 2);
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_SLICE_SIZES, 1, bounds[1]);
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
    int64_t bounds[2], sizes[2], many, some, wrong = 0;
    for (int d = 0; d < 2; d++) {
        bounds[d] = draw(1, 4);
        sizes[d] = slow_dynamic_size(&t, bounds[d]);
    }
    many = draw(1, 4);
    some = slow_dynamic_size(&t, many);
    const int64_t all[] = {many, bounds[1]}, part[] = {some, sizes[1]};
    struct literal *operands[] = {
        slow_dynamic_make(&t, "s32", -99, 99, 2, bounds, sizes),
        slow_dynamic_make(&t, "s32", -2, 6, 1, &many, &some),
        slow_dynamic_make(&t, "s32", -99, 99, 2, all, part)};
    struct slow_program *p =
        slow_dynamic_program(&t, "Scatter", false, 3, operands);
    slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "add");
    slow_program_int(p, ATTRIBUTE_UPDATE_WINDOW_DIMS, 1);
    slow_program_int(p, ATTRIBUTE_INSERTED_WINDOW_DIMS, 0);
    slow_program_int(p, ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, 0);
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
    const int64_t bounds = 3, sizes = 2, rows[] = {1, 0, 1};
    const int64_t updates[] = {10, 20, 30};
    struct literal *operands[] = {
        slow_dynamic_make(&t, "s32", 0, 9, 1, &bounds, &sizes),
        slow_program_literal(&t.arena, "s32[3]", 3, rows),
        slow_program_literal(&t.arena, "s32[3]", 3, updates)};
    struct slow_program *p =
        slow_dynamic_program(&t, "Scatter", false, 3, operands);
    slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "second");
    slow_program_int(p, ATTRIBUTE_INSERTED_WINDOW_DIMS, 0);
    slow_program_int(p, ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, 0);
    slow_program_ints(p, ATTRIBUTE_UPDATE_WINDOW_DIMS, 0, NULL);
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
    struct literal *operands[] = {line("f32", 4, 3), scalar(0)};
    struct slow_program *p =
        slow_dynamic_program(&t, "DynamicSlice", false, 2, operands);
    slow_program_int(p, ATTRIBUTE_SLICE_SIZES, 2);
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
    SLOW_PROGRAM_INTS(p, ATTRIBUTE_PADDING_CONFIG, -1, 0, 0);
    refused(p, "inadmissible: the actual size");
}

int main(void)
{
    static slow_dynamic_check *const checks[] = {check_sort,
                                                 check_topk,
                                                 check_map,
                                                 check_collapse,
                                                 check_reshape,
                                                 check_dot,
                                                 check_triangular,
                                                 check_reduce_window,
                                                 check_dynamic_slice,
                                                 check_update,
                                                 check_gather,
                                                 check_scatter,
                                                 NULL};
    test_predicate();
    test_refused();
    slow_dynamic_repeat(&t, checks);
    arena_free(&t.arena);
    return tap_done();
}
