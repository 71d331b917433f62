/* hunt_anchors.c - see hunt.h.  Tests: hunt.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <mpfr.h>

#include "interp/base/folder.h"
#include "interp/base/literal.h"
#include "interp/case/case.h"
#include "interp/exact/real.h"
#include "runner/hunt.h"

enum {
    MULTIPLES = 16, /* of pi/2, and its multiples by powers of two */
    ONES = 16,      /* 1 is the end of many intervals */
    PRECISION = 256,
    PER_CASE = 256, /* elements; large arrays are random numbers */
    IN_ALL = 1 << 14
};

struct anchors {
    struct arena *arena;
    struct hunt_anchor *list;
    int64_t count, room;
};

static void add(struct anchors *x, uint64_t left, uint64_t right, bool alone)
{
    ARENA_GROW(x->arena, x->list, x->count, x->room);
    x->list[x->count++] = (struct hunt_anchor){{left, right}, alone};
}

static void add_multiples(struct anchors *x, enum dtype type)
{
    mpfr_t pi, product;
    int top = dtype_table[type].precision + 8;
    mpfr_init2(pi, PRECISION);
    mpfr_init2(product, PRECISION);
    mpfr_const_pi(pi, MPFR_RNDZ);
    mpfr_div_2ui(pi, pi, 1, MPFR_RNDZ);
    for (int i = 1; i < MULTIPLES + top; i++) {
        if (i < MULTIPLES)
            mpfr_mul_ui(product, pi, (unsigned long)i, MPFR_RNDZ);
        else
            mpfr_mul_2ui(product, pi, (unsigned long)(i - MULTIPLES + 4),
                         MPFR_RNDZ);
        mpfr_prec_round(product, 128, MPFR_RNDZ);
        struct real r = real_from_mpfr(product, -1);
        add(x, real_round(&r, type, REAL_OVERFLOW_TYPE), 0, true);
        mpfr_set_prec(product, PRECISION);
    }
    mpfr_clear(pi);
    mpfr_clear(product);
}

static bool fits(const struct test_case *c, enum dtype type, int operands)
{
    if (!c->program || c->rejected || c->input_count != operands)
        return false;
    for (int k = 0; k < operands; k++) {
        const struct shape *s = c->inputs[0][k]->shape;
        if (s->kind != SHAPE_ARRAY || s->dtype != type
            || shape_elements(s) != shape_elements(c->inputs[0][0]->shape))
            return false;
    }
    return true;
}

static void add_case(struct anchors *x, const struct test_case *c,
                     enum dtype type, int operands)
{
    int64_t n = shape_elements(c->inputs[0][0]->shape);
    for (int64_t i = 0; i < n && i < PER_CASE && x->count < IN_ALL; i++) {
        uint64_t bits[2] = {0};
        bool finite = true;
        for (int k = 0; k < operands; k++) {
            bits[k] = literal_get(c->inputs[0][k], i);
            finite &= real_is_finite(type, bits[k]);
        }
        if (finite)
            add(x, bits[0], bits[1], false);
    }
}

static bool add_file(struct anchors *x, const struct sweep_options *o,
                     int operands, const char *path, struct status *st)
{
    struct arena whole = ARENA_INIT, one = ARENA_INIT;
    struct case_file *file;
    bool good = case_file_read(&whole, path, "anchors", &o->limits, &file, st);
    for (int i = 0; good && i < file->stub_count; i++) {
        struct test_case *c;
        good = case_make(&one, &file->stubs[i], NULL, &o->limits, &c, st);
        if (good && fits(c, o->type, operands))
            add_case(x, c, o->type, operands);
        arena_reset(&one);
    }
    if (!good && st->path) /* it outlives the file, as do all names */
        st->path = path;
    if (!good && st->member)
        st->member = arena_text(x->arena, st->member);
    arena_free(&one);
    arena_free(&whole);
    return good;
}

bool hunt_anchors(struct arena *a, const struct sweep_options *o, int operands,
                  struct hunt_anchor **list, int64_t *count, struct status *st)
{
    struct anchors x = {.arena = a};
    struct folder folder;
    const char *at = arena_printf(a, "%s/%s", o->hunt->cases, o->op);
    for (int i = 0; i < ONES; i++)
        add(&x, real_one(o->type), 0, true);
    add(&x, real_max(o->type, false), 0, true);
    add(&x, real_min_normal(o->type), 0, true);
    add_multiples(&x, o->type);
    /* As often as all others together, however many cases there are. */
    int64_t own = x.count;
    if (folder_read(a, at, &folder))
        for (int i = 0; i < folder.count; i++)
            TRY(folder_stem(folder.names[i]) == 0
                || add_file(&x, o, operands,
                            arena_printf(a, "%s/%s", at, folder.names[i]), st));
    for (int64_t i = 0, more = x.count - 2 * own; i < more; i++)
        add(&x, x.list[i % own].bits[0], 0, true);
    *list = x.list;
    *count = x.count;
    return true;
}
