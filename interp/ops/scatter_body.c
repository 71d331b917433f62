/* scatter_body.c - see scatter.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A row is what all results have at one element: one pattern a unit.  A part is
 * a set of elements whose updates must be explained together: one element, or
 * by policy all elements connected by windows.
 */
#include <inttypes.h>
#include <string.h>

#include "interp/check/check.h"
#include "interp/ops/bracket.h"
#include "interp/ops/scatter.h"

enum {
    CALLS_MAX = 4000000 /* of the computation, for all orders together */
};

/* An update of one slot of a part. */
struct apply {
    int64_t slot, update;
};

/* Updates that are applied together; optional: or skipped. */
struct move {
    int64_t window, count, room;
    struct apply *applies;
    bool optional;
};

struct part {
    int64_t slots, *elements;
    int moves;
    struct move move[SCATTER_MOVES_MAX];
    int64_t count, room;
    uint64_t *results; /* of slots * width patterns each */
    int64_t calls;
};

struct body {
    struct scatter *s;
    struct goal **goals;
    int width; /* patterns in a row */
    struct literal **left, **right, *result;
    const struct literal **arguments;
    int64_t part_count;
    struct part **parts;
    unsigned char *open; /* of each hit: its element has several results */
    int64_t calls;
    unsigned char *any; /* of a row: units that some order leaves open */
    bool rounds;        /* some call does */
};

/* ---- The computation ----------------------------------------------------- */

static void open_body(struct body *b)
{
    struct scatter *s = b->s;
    struct arena *a = s->ev->arena;
    size_t n = (size_t)s->n;
    int first = s->update_first ? s->n : 0;
    b->left = arena_new(a, struct literal *, n);
    b->right = arena_new(a, struct literal *, n);
    b->arguments = arena_new(a, const struct literal *, 2 * n);
    b->result = literal_new(a, s->c->result);
    for (int k = 0; k < s->n; k++) {
        enum dtype type = scatter_operand(s, k)->shape->dtype;
        b->left[k] = literal_new(a, shape_scalar(a, type));
        b->right[k] = literal_new(a, shape_scalar(a, type));
        b->arguments[first + k] = b->left[k];
        b->arguments[s->n - first + k] = b->right[k];
        b->width += dtype_units(type);
    }
    b->any = arena_new(a, unsigned char, (size_t)b->width);
}

/* By the policy of an overflow these units of an element may be anything. */
static bool free_units(struct body *b, int64_t element)
{
    const unsigned char *any = b->any;
    bool found = false;
    for (int k = 0; k < b->s->n; k++) {
        int units = dtype_units(b->left[k]->shape->dtype);
        for (int u = 0; u < units; u++)
            if (*any++) {
                goal_free_unit(b->goals[k], element * units + u);
                found = true;
            }
    }
    memset(b->any, 0, (size_t)b->width);
    return found;
}

/* left = f(left, update) */
static bool apply_one(struct body *b, int64_t update, struct status *st)
{
    bool exact;
    for (int k = 0; k < b->s->n; k++)
        literal_move(b->right[k], 0, scatter_updates(b->s, k), update);
    TRY(eval_call_exact(b->s->ev, b->s->c, b->arguments, b->result, &exact,
                        b->any, st));
    b->rounds = b->rounds || !exact;
    for (int k = 0; k < b->s->n; k++)
        literal_move(b->left[k], 0,
                     b->s->n == 1 ? b->result : b->result->elements[k], 0);
    return true;
}

static void load_operand(struct body *b, int64_t element)
{
    for (int k = 0; k < b->s->n; k++)
        literal_move(b->left[k], 0, scatter_operand(b->s, k), element);
}

static void get_row(const struct body *b, struct literal *const *from,
                    int64_t at, uint64_t *row)
{
    for (int k = 0; k < b->s->n; k++) {
        int units = dtype_units(from[k]->shape->dtype);
        for (int u = 0; u < units; u++)
            *row++ = literal_get(from[k], at * units + u);
    }
}

static void set_left(const struct body *b, const uint64_t *row)
{
    for (int k = 0; k < b->s->n; k++)
        for (int u = 0; u < dtype_units(b->left[k]->shape->dtype); u++)
            literal_set(b->left[k], u, *row++);
}

/* ---- The values ---------------------------------------------------------- */

static bool fill_values(struct body *b, struct status *st)
{
    const struct scatter *s = b->s;
    for (int64_t i = 0; i < s->count;) {
        int64_t run = scatter_run(s, i), element = s->hits[i].key;
        load_operand(b, element);
        for (; run > 0; run--)
            TRY(apply_one(b, s->hits[i++].place, st));
        for (int k = 0; k < s->n; k++)
            literal_move(b->goals[k]->value, element, b->left[k], 0);
        free_units(b, element);
    }
    return true;
}

/* ---- All orders of a part ------------------------------------------------ */

static void add_result(struct body *b, struct part *p, const uint64_t *state)
{
    size_t size = (size_t)p->slots * (size_t)b->width;
    for (int64_t i = 0; i < p->count; i++)
        if (memcmp(p->results + (size_t)i * size, state, size * sizeof *state)
            == 0)
            return;
    ARENA_GROW_ROWS(b->s->ev->arena, p->results, p->count, p->room, size);
    memcpy(p->results + (size_t)p->count++ * size, state, size * sizeof *state);
}

static bool explore(struct body *b, struct part *p, unsigned used,
                    uint64_t *states, struct status *st)
{
    size_t size = (size_t)p->slots * (size_t)b->width;
    uint64_t *next = states + size;
    bool complete = true;
    for (int m = 0; m < p->moves; m++) {
        const struct move *move = &p->move[m];
        if (used >> m & 1)
            continue;
        complete = complete && move->optional;
        memcpy(next, states, size * sizeof *next);
        b->calls += move->count;
        if (b->calls > CALLS_MAX)
            return FAIL(st, UNSUPPORTED,
                        "Scatter: too many orders of updates to try");
        for (int64_t i = 0; i < move->count; i++) {
            uint64_t *row = next + move->applies[i].slot * b->width;
            set_left(b, row);
            TRY(apply_one(b, move->applies[i].update, st));
            get_row(b, b->left, 0, row);
        }
        TRY(explore(b, p, used | 1u << m, next, st));
    }
    if (complete)
        add_result(b, p, states);
    return true;
}

/* Find all results of a part that has its slots and moves. */
static bool explore_part(struct body *b, struct part *p, struct status *st)
{
    size_t size = (size_t)p->slots * (size_t)b->width;
    uint64_t *states =
        arena_new(b->s->ev->arena, uint64_t, (size_t)(p->moves + 1) * size);
    for (int64_t i = 0; i < p->slots; i++) {
        load_operand(b, p->elements[i]);
        get_row(b, b->left, 0, states + i * b->width);
    }
    return explore(b, p, 0, states, st);
}

/* ---- One element --------------------------------------------------------- */

/* More updates than all orders are tried of: by a law of the computation. */
static bool check_exchange(struct body *b, int64_t first, int64_t run,
                           struct status *st)
{
    const struct scatter *s = b->s;
    const struct pair *hit = &s->hits[first];
    struct bracket_seen *seen =
        arena_new(s->ev->arena, struct bracket_seen, (size_t)s->n);
    struct bracket_fold f;
    bool holds;
    bracket_fold_open(&f, s->ev, s->c, s->n);
    for (int k = 0; k < s->n; k++) {
        const struct literal *own = scatter_operand(s, k);
        bool one = dtype_units(own->shape->dtype) == 1;
        for (int64_t i = one ? -1 : run; i < run; i++) {
            uint64_t bits =
                i < 0 ? literal_get(own, hit->key)
                      : literal_get(scatter_updates(b->s, k), hit[i].place);
            bracket_law_see(&seen[k], own->shape->dtype, bits, bits);
        }
    }
    TRY(bracket_law(
        &f, s->update_first ? BRACKET_EXCHANGES_LEFT : BRACKET_EXCHANGES, seen,
        &holds, st));
    return holds
           || FAIL(st, UNSUPPORTED,
                   "Scatter: the result of computation '%s' may depend on the "
                   "order of updates; at most %d may go to one element",
                   s->c->name, SCATTER_MOVES_MAX);
}

static struct part *element_part(struct body *b, int64_t first, int64_t run)
{
    struct arena *a = b->s->ev->arena;
    const struct pair *hit = &b->s->hits[first];
    struct part *p = arena_new(a, struct part, 1);
    p->slots = 1;
    p->elements = arena_new(a, int64_t, 1);
    p->elements[0] = hit->key;
    p->moves = (int)run;
    for (int i = 0; i < run; i++) {
        struct move *m = &p->move[i];
        m->count = 1;
        m->applies = arena_new(a, struct apply, 1);
        m->applies->update = hit[i].place;
        m->optional = scatter_is_optional(b->s, first + i);
    }
    return p;
}

static bool all_alike(const struct body *b, const struct part *p)
{
    for (int64_t i = 1; i < p->count; i++) {
        const uint64_t *x = p->results, *y = p->results + i * b->width;
        for (int k = 0; k < b->s->n; k++) {
            enum dtype type = b->left[k]->shape->dtype;
            for (int u = 0; u < dtype_units(type); u++)
                if (!check_updates_alike(dtype_unit(type), *x++, *y++))
                    return false;
        }
    }
    return true;
}

static bool find_element_parts(struct body *b, struct status *st)
{
    const struct scatter *s = b->s;
    b->parts = arena_new(s->ev->arena, struct part *, (size_t)s->count);
    b->open = arena_new(s->ev->arena, unsigned char, (size_t)s->count);
    for (int64_t i = 0, run; i < s->count; i += run) {
        bool optional = scatter_is_optional(s, i);
        run = scatter_run(s, i);
        for (int64_t k = i; k < i + run; k++)
            optional = optional || scatter_is_optional(s, k);
        if (run > SCATTER_MOVES_MAX && optional)
            return FAIL(st, UNSUPPORTED,
                        "Scatter: more than %d updates, some of them of "
                        "windows partly out of bounds, go to one element",
                        SCATTER_MOVES_MAX);
        if (run > SCATTER_MOVES_MAX) {
            TRY(check_exchange(b, i, run, st));
            continue;
        }
        if (run == 1 && !optional)
            continue;
        struct part *p = element_part(b, i, run);
        TRY(explore_part(b, p, st));
        if (!free_units(b, p->elements[0]) && !all_alike(b, p)) {
            memset(b->open + i, 1, (size_t)run);
            b->parts[b->part_count++] = p;
        }
    }
    return true;
}

/* ---- Connected elements -------------------------------------------------- */

static int64_t find_root(int64_t *parent, int64_t w)
{
    while (parent[w] != w)
        w = parent[w] = parent[parent[w]];
    return w;
}

static bool add_to_part(struct body *b, struct part *p, int64_t hit,
                        int64_t slot, struct status *st)
{
    int64_t window = scatter_window(b->s, hit);
    int m = 0;
    while (m < p->moves && p->move[m].window != window)
        m++;
    if (m == SCATTER_MOVES_MAX)
        return FAIL(st, UNSUPPORTED,
                    "Scatter: the result of computation '%s' depends on the "
                    "order of more than %d windows",
                    b->s->c->name, SCATTER_MOVES_MAX);
    struct move *move = &p->move[m];
    if (m == p->moves) {
        p->moves++;
        move->window = window;
        move->optional = scatter_is_optional(b->s, hit);
    }
    ARENA_GROW(b->s->ev->arena, move->applies, move->count, move->room);
    move->applies[move->count++] = (struct apply){slot, b->s->hits[hit].place};
    return true;
}

/* Put together the parts of elements whose windows are the same. */
static bool join_parts(struct body *b, struct status *st)
{
    const struct scatter *s = b->s;
    struct arena *a = s->ev->arena;
    int64_t *parent = arena_new(a, int64_t, (size_t)s->windows);
    struct part **of = arena_new(a, struct part *, (size_t)s->windows);
    for (int64_t w = 0; w < s->windows; w++)
        parent[w] = w;
    for (int64_t i = 1; i < s->count; i++)
        if (b->open[i] && s->hits[i].key == s->hits[i - 1].key)
            parent[find_root(parent, scatter_window(s, i))] =
                find_root(parent, scatter_window(s, i - 1));
    int64_t *slots = arena_new(a, int64_t, (size_t)s->windows);
    for (int64_t i = 0; i < s->count; i += scatter_run(s, i))
        slots[find_root(parent, scatter_window(s, i))] += b->open[i];
    b->part_count = 0;
    for (int64_t i = 0, run; i < s->count; i += run) {
        run = scatter_run(s, i);
        if (!b->open[i])
            continue;
        int64_t root = find_root(parent, scatter_window(s, i));
        struct part *p = of[root];
        if (!p) {
            p = of[root] = arena_new(a, struct part, 1);
            p->elements = arena_new(a, int64_t, (size_t)slots[root]);
            b->parts[b->part_count++] = p;
        }
        p->elements[p->slots] = s->hits[i].key;
        for (int64_t k = i; k < i + run; k++)
            TRY(add_to_part(b, p, k, p->slots, st));
        p->slots++;
    }
    for (int64_t i = 0; i < b->part_count; i++)
        TRY(explore_part(b, b->parts[i], st));
    return true;
}

static void set_check(struct body *b, bool one_order)
{
    const struct scatter *s = b->s;
    struct arena *a = s->ev->arena;
    size_t elements = (size_t)s->elements;
    struct check_updates *w = arena_new(a, struct check_updates, 1);
    *w = (struct check_updates){.n = s->n,
                                .width = b->width,
                                .one_order = one_order,
                                .part_count = b->part_count};
    w->parts =
        arena_new(a, struct check_updates_part, (size_t)b->part_count + 1);
    for (int64_t i = 0; i < b->part_count; i++) {
        const struct part *p = b->parts[i];
        w->parts[i] = (struct check_updates_part){p->slots, p->elements,
                                                  p->count, p->results};
    }
    w->open = arena_new(a, unsigned char, elements);
    w->hit = arena_new(a, unsigned char, elements);
    w->values = arena_new(a, const struct literal *, (size_t)s->n);
    for (int64_t i = 0; i < s->count; i++) {
        w->hit[s->hits[i].key] = 1;
        w->open[s->hits[i].key] = b->open[i];
    }
    for (int k = 0; k < s->n; k++) {
        w->values[k] = b->goals[k]->value;
        goal_make_check(b->goals[k], check_updates, w, k);
    }
}

bool scatter_body_eval(struct scatter *s, struct goal **goals,
                       struct status *st)
{
    struct body b = {.s = s, .goals = goals};
    bool one_order = scatter_in_one_order(s);
    open_body(&b);
    TRY(fill_values(&b, st));
    if (!s->ev->want_exact)
        return true;
    if (!b.rounds && (!s->unique || s->optional))
        TRY(find_element_parts(&b, st));
    if (b.rounds)
        return scatter_round_eval(s, goals, st);
    if (b.part_count == 0)
        return true;
    if (one_order)
        TRY(join_parts(&b, st));
    set_check(&b, one_order);
    return true;
}
