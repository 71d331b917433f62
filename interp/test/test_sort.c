/* test_sort.c - Sort against its definition (004:1737-1761).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result is legal if its rows are those of the operands and no row is less
 * than one before it; a stable one also keeps the order of equal rows, which
 * the second operand, the places, shows.  The model looks at all pairs.
 */
#include <stdlib.h>

#include "interp/base/random.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;
static struct random draws;

enum {
    LONGEST = 12
};

static int64_t draw(int64_t low, int64_t high)
{
    return random_between(&draws, low, high);
}

/* The comparators: by the first operand, in several ways. */
enum way {
    RISING,
    FALLING,
    REMAINDER, /* by the key modulo 3 */
    UNKEYED,   /* key - key' < 0, which is not translated for floats */
    WAYS
};

static bool is_less(enum way way, int64_t a, int64_t b)
{
    switch (way) {
    case FALLING:
        return a > b;
    case REMAINDER:
        return a % 3 < b % 3;
    case RISING:
    case UNKEYED:
    case WAYS:
        break;
    }
    return a < b;
}

static int constant(struct slow_program *p, struct computation *c,
                    const char *shape, int64_t value)
{
    struct attribute *a = arena_new(&arena, struct attribute, 1);
    struct slow_program *other = slow_program_new(&arena, "Constant");
    a->name = ATTRIBUTE_LITERAL;
    a->form = SPEC_LITERAL;
    a->literal = slow_program_literal(&arena, shape, 1, &value);
    return program_add(p->program, c,
                       &(struct instruction){.name = "constant",
                                             .op = other->op,
                                             .attribute_count = 1,
                                             .attributes = a});
}

static const struct computation *
make_comparator(struct slow_program *p, enum way way, const char *scalar)
{
    struct computation *c = program_computation(p->program, "comparator");
    const struct shape *key, *place = shape_scalar(&arena, DT_s32);
    struct status st = {0};
    shape_parse(&arena, scalar, &key, &st);
    int at[2] = {program_parameter(p->program, c, 0, key),
                 program_parameter(p->program, c, 1, key)};
    program_parameter(p->program, c, 2, place);
    program_parameter(p->program, c, 3, place);
    if (way == REMAINDER) {
        int three = constant(p, c, scalar, 3);
        int a[2] = {at[0], three}, b[2] = {at[1], three};
        at[0] = slow_program_add(p, c, "Rem", 2, a);
        at[1] = slow_program_add(p, c, "Rem", 2, b);
    }
    if (way == UNKEYED) {
        at[0] = slow_program_add(p, c, "Sub", 2, at);
        at[1] = constant(p, c, scalar, 0);
    }
    c->root = slow_program_add(p, c, way == FALLING ? "Gt" : "Lt", 2, at);
    return c;
}

/* One line of a result. */
struct line {
    int n;
    int64_t keys[LONGEST], places[LONGEST];
};

static bool is_legal(const struct line *got, const struct line *from,
                     enum way way, bool stable)
{
    for (int i = 0; i < from->n; i++) {
        int found = 0;
        for (int k = 0; k < got->n; k++)
            found += got->places[k] == from->places[i]
                     && got->keys[k] == from->keys[i];
        if (found != 1)
            return false;
    }
    for (int i = 0; i < got->n; i++)
        for (int k = i + 1; k < got->n; k++) {
            if (is_less(way, got->keys[k], got->keys[i]))
                return false;
            bool equal = !is_less(way, got->keys[i], got->keys[k]);
            if (stable && equal && got->places[i] > got->places[k])
                return false;
        }
    return true;
}

/* Row-major: outer lines of n elements, inner apart. */
struct cube {
    int64_t outer, n, inner;
};

static struct line get_line(const struct cube *c, const struct literal *keys,
                            const struct literal *places, int64_t i)
{
    struct line l = {.n = (int)c->n};
    int64_t first = i / c->inner * c->inner * c->n + i % c->inner;
    for (int k = 0; k < l.n; k++) {
        l.keys[k] = slow_program_int_at(keys, first + k * c->inner);
        l.places[k] = slow_program_int_at(places, first + k * c->inner);
    }
    return l;
}

static struct slow_program *make(const struct cube *c, enum way way,
                                 const char *type, bool stable)
{
    const char *dims = arena_printf(&arena, "[%d,%d,%d]", (int)c->outer,
                                    (int)c->n, (int)c->inner);
    struct slow_program *p = slow_program_new(&arena, "Sort");
    int64_t places[LONGEST * 9];
    int low = *type == 'u' || way == REMAINDER ? 0 : -4;
    for (int i = 0; i < LONGEST * 9; i++)
        places[i] = i;
    slow_program_operand(
        p, slow_program_random(&arena, arena_printf(&arena, "%s%s", type, dims),
                               random_next(&draws), low, low + draw(0, 7)));
    slow_program_values(p, arena_printf(&arena, "s32%s", dims), LONGEST * 9,
                        places);
    slow_program_int(p, ATTRIBUTE_DIMENSION, draw(0, 1) ? 1 : -2);
    slow_program_int(p, ATTRIBUTE_IS_STABLE, stable);
    slow_program_computation(
        p, ATTRIBUTE_COMPARATOR,
        make_comparator(p, way, arena_printf(&arena, "%s[]", type)));
    p->want_exact = true;
    return p;
}

static bool is_accepted(const struct slow_program *p,
                        const struct literal *keys,
                        const struct literal *places)
{
    struct goal *const *goals = p->outcomes[0].goals;
    const struct literal *got[2] = {keys, places};
    struct goal_finding found = {.leaf = 0};
    if (goals[0]->rule == GOAL_CHECK)
        return goals[0]->check.holds(goals[0], got, 2, &found);
    return literal_equal(got[0], goals[0]->value)
           && literal_equal(got[1], goals[1]->value);
}

/* Swap two rows of both arrays, or put a key where it was not. */
static void disturb(const struct cube *c, struct literal *keys,
                    struct literal *places)
{
    int64_t n = c->outer * c->n * c->inner, line, i, k;
    if (n == 0)
        return;
    line = draw(0, c->outer * c->inner - 1);
    line = line / c->inner * c->inner * c->n + line % c->inner;
    i = line + draw(0, c->n - 1) * c->inner;
    k = line + draw(0, c->n - 1) * c->inner;
    for (int w = 0; w < 2; w++) {
        struct literal *l = w ? places : keys;
        uint64_t x = literal_get(l, i), y = literal_get(l, k);
        literal_set(l, i, y);
        if (w == 0 || draw(0, 9) > 0)
            literal_set(l, k, x);
    }
}

static void check_sort(void)
{
    static const char *const types[] = {"s8", "u16", "s32", "f32", "f8e5m2"};
    struct cube c = {draw(0, 3), draw(0, LONGEST), draw(1, 3)};
    enum way way = (enum way)draw(0, WAYS - 1);
    bool stable = draw(0, 1);
    int type = (int)draw(way == UNKEYED ? 2 : 0, way == UNKEYED ? 3 : 4);
    struct slow_program *p = make(&c, way, types[type], stable);
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct literal *value = slow_program_value(p);
    int64_t lines = c.outer * c.inner, wrong = 0;
    for (int64_t i = 0; i < lines; i++) {
        struct line from =
            get_line(&c, p->operands[0][0], p->operands[0][1], i);
        struct line got =
            get_line(&c, value->elements[0], value->elements[1], i);
        wrong += !is_legal(&got, &from, way, true);
    }
    EQ_INT(wrong, 0, "way %d of %s", (int)way, types[type]);
    struct literal *keys = literal_copy(&arena, value->elements[0]);
    struct literal *places = literal_copy(&arena, value->elements[1]);
    for (int trial = wrong = 0; trial < 10; trial++) {
        bool legal = true;
        disturb(&c, keys, places);
        for (int64_t i = 0; i < lines && legal; i++) {
            struct line from =
                get_line(&c, p->operands[0][0], p->operands[0][1], i);
            struct line got = get_line(&c, keys, places, i);
            legal = is_legal(&got, &from, way, stable);
        }
        wrong += legal != is_accepted(p, keys, places);
    }
    EQ_INT(wrong, 0, "way %d of %s, %s", (int)way, types[type],
           stable ? "stable" : "unstable");
}

int main(void)
{
    draws.state = tap_seed(7);
    const char *many = getenv("ASSAY_TEST_LONG");
    int rounds = many && *many ? 50000 : 1000;
    for (int i = 0; i < rounds; i++) {
        check_sort();
        arena_reset(&arena);
    }
    arena_free(&arena);
    return tap_done();
}
