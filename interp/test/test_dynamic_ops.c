/* test_dynamic_ops.c - dynamic sizes in operations that compute or search.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Against the same operation on just the elements that count, or against a
 * loop where sizes decide what takes part.
 */
#include <stdlib.h>

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
        slow_program_int(s.p[i], "dimension", d);
        slow_program_builtin(s.p[i], "comparator", "lt");
    }
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

static void check_topk(void)
{
    struct sample s = make_sample(0);
    open_programs(&s, "TopK");
    int64_t k = draw(0, s.sizes[s.rank - 1]), largest = draw(0, 1);
    for (int i = 0; i < 2; i++) {
        slow_program_int(s.p[i], "k", k);
        slow_program_int(s.p[i], "largest", largest);
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
        slow_program_builtin(s.p[i], "computation", "sub");
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
        slow_dynamic_ints(s.p[i], "dimensions", count, d);
    slow_dynamic_compare(&t, s.p[0], s.p[1]);
}

int main(void)
{
    const char *many = getenv("ASSAY_TEST_LONG");
    int rounds = many && *many ? 20000 : 500;
    for (int i = 0; i < rounds; i++) {
        check_sort();
        check_topk();
        check_map();
        check_collapse();
        arena_reset(&t.arena);
    }
    arena_free(&t.arena);
    return tap_done();
}
