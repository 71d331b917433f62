/* test_scatter.c - Scatter against its formal definition (004:1550-1588).
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model below is written from the definition, update by update; it shares
 * nothing with the implementation.  Dimension numbers and shapes are random.
 * Where the order of windows matters, the model tries every order, and what it
 * finds legal must be what the goal's predicate finds legal.
 */
#include <stdlib.h>
#include <string.h>

#include "interp/base/random.h"
#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

static struct arena arena;
static struct random draws;

enum {
    RANK = 10,
    WINDOWS = 4 /* whose orders are all tried */
};

struct list {
    int count;
    int64_t at[RANK];
};

struct sample {
    struct list operand, indices, updates; /* sizes */
    struct list window, inserted, map, batch, index_batch;
    int64_t vector;
    bool implicit;
};

static int64_t draw(int64_t low, int64_t high)
{
    return random_between(&draws, low, high);
}

static void push(struct list *l, int64_t x)
{
    l->at[l->count++] = x;
}

static void insert(struct list *l, int64_t at, int64_t x)
{
    memmove(l->at + at + 1, l->at + at,
            (size_t)(l->count - at) * sizeof *l->at);
    l->at[at] = x;
    l->count++;
}

static bool has(const struct list *l, int64_t d)
{
    for (int i = 0; i < l->count; i++)
        if (l->at[i] == d)
            return true;
    return false;
}

static void shuffle(struct list *l)
{
    for (int i = l->count - 1; i > 0; i--) {
        int64_t k = draw(0, i), x = l->at[i];
        l->at[i] = l->at[k];
        l->at[k] = x;
    }
}

static int64_t product(const struct list *l)
{
    int64_t n = 1;
    for (int i = 0; i < l->count; i++)
        n *= l->at[i];
    return n;
}

/* ---- Random dimension numbers -------------------------------------------- */

static struct sample make_sample(void)
{
    struct sample s = {0};
    struct list sizes = {0}, batch_of = {0}, which = {0};
    int rank = (int)draw(1, 4);
    for (int d = 0; d < rank; d++) {
        int64_t role = draw(0, 6);
        push(&s.operand, draw(1, 4));
        if (role == 0 && s.batch.count < 2)
            push(&s.batch, d);
        else if (role <= 3)
            push(&s.inserted, d);
        if (!has(&s.batch, d) && draw(0, 2) > 0)
            push(&s.map, d);
    }
    shuffle(&s.map);
    /* Scatter dimensions: batches in any order, and others. */
    for (int i = 0; i < s.batch.count; i++)
        push(&which, i);
    for (int64_t n = draw(0, 2); n > 0; n--)
        push(&which, -1);
    shuffle(&which);
    for (int i = 0; i < which.count; i++)
        push(&sizes, which.at[i] < 0 ? draw(1, 3)
                                     : s.operand.at[s.batch.at[which.at[i]]]);
    s.indices = s.updates = sizes;
    s.implicit = s.map.count == 1 && draw(0, 2) == 0;
    s.vector = s.implicit ? sizes.count : draw(0, sizes.count);
    if (!s.implicit)
        insert(&s.indices, s.vector, s.map.count);
    for (int i = 0; i < s.batch.count; i++)
        for (int k = 0; k < which.count; k++)
            if (which.at[k] == i)
                push(&s.index_batch, k + (!s.implicit && k >= s.vector));
    /* Window dimensions go between the others. */
    for (int d = 0; d < rank; d++)
        if (!has(&s.inserted, d) && !has(&s.batch, d))
            push(&batch_of, draw(0, 9) == 0 ? 0 : draw(1, s.operand.at[d]));
    int64_t at = 0;
    for (int i = 0; i < batch_of.count; i++) {
        at = draw(at, s.updates.count);
        insert(&s.updates, at, batch_of.at[i]);
        push(&s.window, at++);
    }
    return s;
}

static const char *shape_of(const char *type, const struct list *l)
{
    const char *text = arena_printf(&arena, "%s[", type);
    for (int i = 0; i < l->count; i++)
        text = arena_printf(&arena, "%s%s%lld", text, i ? "," : "",
                            (long long)l->at[i]);
    return arena_printf(&arena, "%s]", text);
}

static void ints(struct slow_program *p, enum attribute_name name,
                 const struct list *list)
{
    slow_program_ints(p, name, list->count, list->at);
}

static struct slow_program *make_program(const struct sample *s,
                                         const char *index_type)
{
    struct slow_program *p = slow_program_new(&arena, "Scatter");
    uint64_t seed = random_next(&draws);
    slow_program_operand(p, slow_program_random(&arena,
                                                shape_of("s32", &s->operand),
                                                seed, -100, 100));
    slow_program_operand(
        p, slow_program_random(&arena, shape_of(index_type, &s->indices),
                               seed + 1, *index_type == 'u' ? 0 : -2, 4));
    slow_program_operand(p, slow_program_random(&arena,
                                                shape_of("s32", &s->updates),
                                                seed + 2, -100, 100));
    ints(p, ATTRIBUTE_UPDATE_WINDOW_DIMS, &s->window);
    ints(p, ATTRIBUTE_INSERTED_WINDOW_DIMS, &s->inserted);
    ints(p, ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, &s->map);
    ints(p, ATTRIBUTE_INPUT_BATCHING_DIMS, &s->batch);
    ints(p, ATTRIBUTE_SCATTER_INDICES_BATCHING_DIMS, &s->index_batch);
    slow_program_int(p, ATTRIBUTE_INDEX_VECTOR_DIM, s->vector);
    return p;
}

/* ---- The model ----------------------------------------------------------- */

/* The element that update U goes to, or -1. */
static int64_t slow_target(const struct sample *s, const struct literal *idx,
                           const int64_t *u)
{
    int64_t g[RANK], full[RANK], at[RANK] = {0}, n = 0, k = 0;
    for (int d = 0; d < s->updates.count; d++)
        if (!has(&s->window, d))
            g[n++] = u[d];
    for (int i = 0; i < s->map.count; i++) {
        /* Combine(G, i): i inserted at index_vector_dim. */
        for (int d = 0, b = 0; d < s->indices.count; d++)
            full[d] = !s->implicit && d == s->vector ? i : g[b++];
        at[s->map.at[i]] = literal_int(
            idx, shape_linear(s->indices.count, s->indices.at, full));
    }
    for (int i = 0; i < s->batch.count; i++) {
        int64_t b = s->index_batch.at[i];
        at[s->batch.at[i]] = g[!s->implicit && b > s->vector ? b - 1 : b];
    }
    for (int d = 0; d < s->operand.count; d++)
        if (!has(&s->inserted, d) && !has(&s->batch, d))
            at[d] += u[s->window.at[k++]];
    for (int d = 0; d < s->operand.count; d++)
        if (at[d] < 0 || at[d] >= s->operand.at[d])
            return -1;
    return shape_linear(s->operand.count, s->operand.at, at);
}

/* The number of an update's window, in order. */
static int64_t slow_window(const struct sample *s, const int64_t *u)
{
    int64_t w = 0;
    for (int d = 0; d < s->updates.count; d++)
        if (!has(&s->window, d))
            w = w * s->updates.at[d] + u[d];
    return w;
}

typedef int64_t combine(int64_t now, int64_t update);

static int64_t add(int64_t now, int64_t update)
{
    return now + update;
}

static int64_t last(int64_t now, int64_t update)
{
    return update;
}

static int64_t minus(int64_t now, int64_t update)
{
    return update - now;
}

/* All updates of one window, or of all (window -1), to out. */
static void slow_apply(const struct sample *s, const struct slow_program *p,
                       int64_t window, combine *f, int64_t *out)
{
    int64_t u[RANK] = {0};
    for (int64_t i = 0, n = product(&s->updates); i < n; i++) {
        int64_t e = slow_target(s, p->operands[0][1], u);
        if (e >= 0 && (window < 0 || slow_window(s, u) == window))
            out[e] = f(out[e], slow_program_int_at(p->operands[0][2], i));
        shape_next_index(s->updates.count, s->updates.at, u);
    }
}

static int64_t *slow_start(const struct sample *s, const struct slow_program *p)
{
    int64_t n = product(&s->operand);
    int64_t *out = arena_new(&arena, int64_t, (size_t)n);
    for (int64_t i = 0; i < n; i++)
        out[i] = slow_program_int_at(p->operands[0][0], i);
    return out;
}

static void check_sums(const char *index_type)
{
    struct sample s = make_sample();
    struct slow_program *p = make_program(&s, index_type);
    slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "add");
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    int64_t *out = slow_start(&s, p), wrong = 0;
    slow_apply(&s, p, -1, add, out);
    for (int64_t i = 0; i < product(&s.operand); i++)
        wrong += out[i] != slow_program_int_at(slow_program_value(p), i);
    EQ_INT(wrong, 0, "%s by %s", shape_of("s32", &s.operand),
           shape_of(index_type, &s.indices));
}

/* The last update of each element: without exact values they need not be put
 * in order, with them they are. */
static void check_last(bool want_exact)
{
    struct sample s = make_sample();
    struct slow_program *p = make_program(&s, "s32");
    p->profile = "spec";
    p->want_exact = want_exact;
    slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "second");
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    int64_t *out = slow_start(&s, p), wrong = 0;
    slow_apply(&s, p, -1, last, out);
    for (int64_t i = 0; i < product(&s.operand); i++)
        wrong += out[i] != slow_program_int_at(slow_program_value(p), i);
    EQ_INT(wrong, 0, "the last updates of %s%s", shape_of("s32", &s.operand),
           want_exact ? ", exactly" : "");
}

/* ---- Orders -------------------------------------------------------------- */

struct orders {
    int64_t elements;
    int count;
    int64_t *results[24];
};

static void find_orders(const struct sample *s, const struct slow_program *p,
                        combine *f, int windows, unsigned used,
                        const int64_t *now, struct orders *o)
{
    size_t bytes = (size_t)o->elements * sizeof *now;
    bool complete = true;
    for (int w = 0; w < windows; w++) {
        if (used >> w & 1)
            continue;
        int64_t *next = arena_new(&arena, int64_t, (size_t)o->elements);
        memcpy(next, now, bytes);
        slow_apply(s, p, w, f, next);
        find_orders(s, p, f, windows, used | 1u << w, next, o);
        complete = false;
    }
    if (!complete)
        return;
    o->results[o->count] = arena_new(&arena, int64_t, (size_t)o->elements);
    memcpy(o->results[o->count++], now, bytes);
}

/* Is got like some order as a whole, or element by element? */
static bool is_legal(const struct orders *o, const int64_t *got, bool one)
{
    int best = 0;
    for (int i = 0; i < o->count; i++)
        best = best
               || memcmp(o->results[i], got, (size_t)o->elements * sizeof *got)
                      == 0;
    if (one)
        return best;
    for (int64_t e = 0; e < o->elements; e++) {
        int found = 0;
        for (int i = 0; i < o->count; i++)
            found = found || o->results[i][e] == got[e];
        if (!found)
            return false;
    }
    return true;
}

static bool is_accepted(const struct goal *g, const int64_t *values)
{
    struct literal *got = literal_copy(&arena, g->value);
    const struct literal *list = got;
    int64_t n = literal_units(got);
    struct goal_finding found = {.leaf = 0};
    for (int64_t i = 0; i < n; i++)
        literal_set(got, i, (uint32_t)values[i]);
    if (g->rule == GOAL_CHECK)
        return g->check.holds(g, &list, 1, &found);
    return literal_equal(got, g->value);
}

static const struct computation *make_minus(struct slow_program *p)
{
    struct computation *c = program_computation(p->program, "minus");
    const struct shape *s = shape_scalar(&arena, DT_s32);
    int *both = arena_new(&arena, int, 2);
    both[1] = program_parameter(p->program, c, 0, s);
    both[0] = program_parameter(p->program, c, 1, s);
    slow_program_add(p, c, "Sub", 2, both);
    c->root = c->count - 1;
    return c;
}

static int check_orders(bool one, bool body)
{
    struct sample s = make_sample();
    combine *f = body ? minus : last;
    int64_t windows = product(&s.updates);
    for (int i = 0; i < s.window.count && windows > 0; i++)
        windows /= s.updates.at[s.window.at[i]];
    if (windows < 2 || windows > WINDOWS)
        return 0;
    struct slow_program *p = make_program(&s, "s32");
    p->profile = one ? "strict" : "spec";
    p->want_exact = true;
    if (body)
        slow_program_computation(p, ATTRIBUTE_UPDATE_COMPUTATION,
                                 make_minus(p));
    else
        slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "second");
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return 1;
    struct orders o = {.elements = product(&s.operand)};
    find_orders(&s, p, f, (int)windows, 0, slow_start(&s, p), &o);
    const struct goal *g = p->outcomes[0].goals[0];
    int64_t *got = arena_new(&arena, int64_t, (size_t)o.elements);
    int wrong = 0;
    for (int trial = 0; trial < 12; trial++) {
        /* Elements of several orders, and sometimes of none. */
        int64_t mix = trial < 3 ? 0 : 2;
        int64_t main = draw(0, o.count - 1);
        for (int64_t e = 0; e < o.elements; e++)
            got[e] = o.results[draw(0, mix) ? draw(0, o.count - 1) : main][e];
        if (trial > 8)
            got[draw(0, o.elements - 1)]++;
        wrong += is_accepted(g, got) != is_legal(&o, got, one);
    }
    EQ_INT(wrong, 0, "%s %s, %d windows", one ? "one order" : "by element",
           shape_of("s32", &s.operand), (int)windows);
    return 1;
}

/* ---- Policies and promises ----------------------------------------------- */

static struct slow_program *windows(const char *profile, int64_t first)
{
    static const int64_t ones[] = {1, 2, 3, 4, 5}, tens[] = {10, 20, 30};
    struct slow_program *p = slow_program_new(&arena, "Scatter");
    p->profile = profile;
    p->want_exact = true;
    slow_program_values(p, "s32[5]", 5, ones);
    slow_program_values(p, "s64[1,1]", 1, &first);
    slow_program_values(p, "s32[1,3]", 3, tens);
    slow_program_int(p, ATTRIBUTE_UPDATE_WINDOW_DIMS, 1);
    slow_program_ints(p, ATTRIBUTE_INSERTED_WINDOW_DIMS, 0, NULL);
    slow_program_int(p, ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, 0);
    slow_program_int(p, ATTRIBUTE_INDEX_VECTOR_DIM, 1);
    slow_program_builtin(p, ATTRIBUTE_UPDATE_COMPUTATION, "add");
    return p;
}

/* By hand: [1,2,3,4,5] with 10, 20, 30 from one start. */
static void test_partial_windows(void)
{
    static const struct {
        const char *profile;
        int64_t first, want[5];
    } rows[] = {
        {"strict", 1, {1, 12, 23, 34, 5}},
        {"strict", 3, {1, 2, 3, 14, 25}},
        {"strict", -2, {31, 2, 3, 4, 5}},
        {"strict", INT64_MAX, {1, 2, 3, 4, 5}},
        {"strict", INT64_MIN, {1, 2, 3, 4, 5}},
        {"xla-cpu-default", 2, {1, 2, 13, 24, 35}},
        {"xla-cpu-default", 3, {1, 2, 3, 4, 5}},
        {"xla-cpu-default", -1, {1, 2, 3, 4, 5}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slow_program *p = windows(rows[i].profile, rows[i].first);
        OK(slow_program_run(p), "%s", p->status.text);
        for (int e = 0; e < 5; e++)
            EQ_INT(slow_program_int_at(slow_program_value(p), e),
                   rows[i].want[e], "%s from %lld: [%d]", rows[i].profile,
                   (long long)rows[i].first, e);
    }
}

int main(void)
{
    static const char *const types[] = {"s4",  "u4",  "s8",  "u8",  "s16",
                                        "u16", "s32", "u32", "s64", "u64"};
    draws.state = tap_seed(1);
    const char *many = getenv("ASSAY_TEST_LONG");
    int rounds = many && *many ? 20000 : 400;
    for (int i = 0; i < rounds; i++) {
        check_sums(types[i % 10]);
        check_last(i & 1);
        for (int way = 0; way < 4; way++)
            check_orders(way & 1, way & 2);
        arena_reset(&arena);
    }
    test_partial_windows();
    arena_free(&arena);
    return tap_done();
}
