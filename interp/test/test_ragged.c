/* test_ragged.c - RaggedDot against loops over all indices.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model asks, for each pair of elements of lhs and rhs, whether their
 * indices go together, and to which element of the result they belong (xla:
 * docs/operation_semantics.md 2026-06, RaggedDot; jax.lax.ragged_dot_general).
 * ASSAY_SAMPLES sets how many shapes are tried.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

enum {
    MOST = 6
};

/* One dimension: its role (b, k, m, n or g), which of that role, its size. */
struct dim {
    char role;
    int number;
    int64_t size;
};

struct side {
    int rank;
    struct dim dims[MOST];
};

struct sample {
    struct side side[2];
    char mode; /* role of the ragged dimension: m, k or b */
    int ragged, counts[3];
    int64_t groups;
    bool shared;
};

static struct arena arena;
static struct random dice;

static int64_t draw(int64_t low, int64_t high)
{
    return random_between(&dice, low, high);
}

static void add_dims(struct side *s, char role, int count, const int64_t *sizes)
{
    for (int i = 0; i < count; i++)
        s->dims[s->rank++] = (struct dim){role, i, sizes[i]};
}

static void shuffle(struct side *s)
{
    for (int i = s->rank - 1; i > 0; i--) {
        int64_t k = draw(0, i);
        struct dim d = s->dims[i];
        s->dims[i] = s->dims[k];
        s->dims[k] = d;
    }
}

static int find(const struct side *s, char role, int number)
{
    for (int i = 0; i < s->rank; i++)
        if (s->dims[i].role == role && s->dims[i].number == number)
            return i;
    return -1;
}

static void draw_sample(struct sample *s)
{
    int64_t sizes[3][2], free_size = draw(1, 2);
    memset(s, 0, sizeof *s);
    s->mode = "mkb"[draw(0, 2)];
    s->groups = draw(1, 3);
    s->shared = draw(0, 1);
    for (int role = 0; role < 3; role++) {
        bool needed = "bkm"[role] == s->mode || role == 1;
        s->counts[role] = (int)draw(needed, 2);
        for (int i = 0; i < 2; i++)
            sizes[role][i] = draw(1, 4);
        add_dims(&s->side[0], "bkm"[role], s -> counts[role], sizes[role]);
        if (role < 2)
            add_dims(&s->side[1], "bkm"[role], s -> counts[role], sizes[role]);
    }
    add_dims(&s->side[1], 'n', (int)draw(0, 1), &free_size);
    if (s->mode == 'm')
        add_dims(&s->side[1], 'g', 1, &s->groups);
    shuffle(&s->side[0]);
    shuffle(&s->side[1]);
    int role = s->mode == 'b' ? 0 : s->mode == 'k' ? 1 : 2;
    s->ragged = find(&s->side[0], s->mode, (int)draw(0, s->counts[role] - 1));
}

/* Is dimension d of lhs one that lists of sizes are distinguished by? */
static bool is_prefix(const struct sample *s, int d)
{
    const struct dim *own = &s->side[0].dims[d];
    const struct dim *ragged = &s->side[0].dims[s->ragged];
    if (own->role != ragged->role)
        return own->role == 'b';
    return own->role == 'm' ? d < s->ragged : own->number < ragged->number;
}

/* Prefix dimensions in the order of group_sizes: batches by number, then
 * contracting ones by number, free ones as they stand. */
static int list_prefix(const struct sample *s, int *list)
{
    int n = 0;
    for (int number = 0; number < 2; number++) {
        int d = find(&s->side[0], 'b', number);
        if (d >= 0 && is_prefix(s, d))
            list[n++] = d;
    }
    for (int number = 0; number < 2; number++) {
        int d = find(&s->side[0], 'k', number);
        if (d >= 0 && is_prefix(s, d))
            list[n++] = d;
    }
    for (int d = 0; d < s->side[0].rank; d++)
        if (s->side[0].dims[d].role == 'm' && is_prefix(s, d))
            list[n++] = d;
    return n;
}

static struct literal *make(const struct side *s, uint64_t seed)
{
    const char *text = "s64[";
    for (int d = 0; d < s->rank; d++)
        text = arena_printf(&arena, "%s%s%d", text, d ? "," : "",
                            (int)s->dims[d].size);
    return slow_program_random(&arena, arena_printf(&arena, "%s]", text), seed,
                               -4, 4);
}

static struct literal *make_sizes(const struct sample *s)
{
    int list[MOST], n = s->shared ? 0 : list_prefix(s, list);
    const char *text = "s32[";
    for (int i = 0; i < n; i++)
        text = arena_printf(&arena, "%s%d,", text,
                            (int)s->side[0].dims[list[i]].size);
    text = arena_printf(&arena, "%s%d]", text, (int)s->groups);
    struct literal *l = slow_program_literal(&arena, text, 0, NULL);
    int64_t left = 0;
    for (int64_t i = 0; i < shape_elements(l->shape); i++) {
        if (i % s->groups == 0)
            left = s->side[0].dims[s->ragged].size;
        int64_t size = draw(0, left);
        literal_set(l, i, (uint64_t)size);
        left -= size;
    }
    return l;
}

static int64_t group_of(const struct sample *s, const struct literal *sizes,
                        const int64_t *index)
{
    int list[MOST], n = s->shared ? 0 : list_prefix(s, list);
    int64_t row = 0, end = 0;
    for (int i = 0; i < n; i++)
        row = row * s->side[0].dims[list[i]].size + index[list[i]];
    for (int64_t g = 0; g < s->groups; g++) {
        end += slow_program_int_at(sizes, row * s->groups + g);
        if (index[s->ragged] < end)
            return g;
    }
    return -1;
}

/* The result's element that a pair of indices adds to, or -1. */
static int64_t target(const struct sample *s, const int64_t *x,
                      const int64_t *y, int64_t group)
{
    int64_t at = 0;
    if (group < 0)
        return -1;
    if (s->mode == 'k')
        at = group;
    for (int number = 0; number < 2; number++) {
        int i = find(&s->side[0], 'b', number);
        int k = find(&s->side[0], 'k', number);
        if (k >= 0 && x[k] != y[find(&s->side[1], 'k', number)])
            return -1;
        if (i < 0)
            continue;
        if (x[i] != y[find(&s->side[1], 'b', number)])
            return -1;
        at = at * s->side[0].dims[i].size + x[i];
    }
    if (s->mode == 'm' && y[find(&s->side[1], 'g', 0)] != group)
        return -1;
    for (int d = 0; d < s->side[0].rank; d++)
        if (s->side[0].dims[d].role == 'm')
            at = at * s->side[0].dims[d].size + x[d];
    int n = find(&s->side[1], 'n', 0);
    return n < 0 ? at : at * s->side[1].dims[n].size + y[n];
}

static void set_numbers(struct slow_program *p, const struct sample *s)
{
    static const enum attribute_name names[2][2] = {
        {ATTRIBUTE_LHS_BATCH_DIMENSIONS, ATTRIBUTE_LHS_CONTRACTING_DIMENSIONS},
        {ATTRIBUTE_RHS_BATCH_DIMENSIONS, ATTRIBUTE_RHS_CONTRACTING_DIMENSIONS}};
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++) {
            int64_t *list = arena_new(&arena, int64_t, 2);
            for (int i = 0; i < s->counts[k]; i++)
                list[i] = find(&s->side[side], "bk"[k], i);
            slow_program_ints(p, names[side][k], s->counts[k], list);
        }
    int64_t *two = arena_new(&arena, int64_t, 2);
    two[0] = s->ragged;
    two[1] = find(&s->side[1], 'g', 0);
    slow_program_ints(p, ATTRIBUTE_LHS_RAGGED_DIMENSIONS, 1, two);
    slow_program_ints(p, ATTRIBUTE_RHS_GROUP_DIMENSIONS, s->mode == 'm',
                      two + 1);
}

static void check(int turn)
{
    struct sample s;
    draw_sample(&s);
    struct slow_program *p = slow_program_new(&arena, "RaggedDot");
    struct literal *lhs = make(&s.side[0], (uint64_t)turn);
    struct literal *rhs = make(&s.side[1], (uint64_t)turn + 1);
    struct literal *sizes = make_sizes(&s);
    slow_program_operand(p, lhs);
    slow_program_operand(p, rhs);
    slow_program_operand(p, sizes);
    set_numbers(p, &s);
    if (!slow_program_run(p)) {
        OK(false, "turn %d: %s", turn, p->status.text);
        return;
    }
    const struct literal *got = slow_program_value(p);
    int64_t n = shape_elements(got->shape), wrong = 0;
    int64_t *want = arena_new(&arena, int64_t, (size_t)n + 1);
    int64_t x[MOST] = {0}, y[MOST] = {0}, i = 0;
    do {
        int64_t group = group_of(&s, sizes, x), j = 0;
        do {
            int64_t at = target(&s, x, y, group);
            if (at >= 0 && at < n)
                want[at] +=
                    slow_program_int_at(lhs, i) * slow_program_int_at(rhs, j);
            wrong += at >= n;
            j++;
        } while (shape_next_index(rhs->shape->rank, rhs->shape->dims, y));
        i++;
    } while (shape_next_index(lhs->shape->rank, lhs->shape->dims, x));
    for (i = 0; i < n; i++)
        wrong += slow_program_int_at(got, i) != want[i];
    if (wrong)
        OK(false, "turn %d, mode %c: %d wrong", turn, s.mode, (int)wrong);
}

int main(void)
{
    const char *text = getenv("ASSAY_SAMPLES");
    int samples = text ? (int)strtol(text, NULL, 10) : 600;
    dice.state = tap_seed(4);
    for (int turn = 0; turn < samples; turn++) {
        check(turn);
        arena_reset(&arena);
    }
    OK(samples > 0, "%d shapes", samples);
    arena_free(&arena);
    return tap_done();
}
