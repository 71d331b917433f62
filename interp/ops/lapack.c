/* lapack.c - see lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * One valid factorization, computed in 512 bits; others are right, too
 * (check_lapack.h).
 */
#include "interp/ops/lapack.h"

#include <stdlib.h>
#include <string.h>

#include "interp/check/check_lapack.h"
#include "interp/program/attribute.h"

/* ---- Inference ----------------------------------------------------------- */

/* The letter of an option, or another one if it is not there. */
static int option(const struct instruction *in, const char *name, int other)
{
    const char *text = attribute_string(in, ATTRIBUTE_OPAQUE);
    const char *at = text ? strstr(text, name) : NULL;
    if (!at)
        return other;
    at += strlen(name);
    return (int)strtol(at + strspn(at, " ="), NULL, 10);
}

static bool infer(struct infer *in, enum dtype second, bool square,
                  struct status *st)
{
    const struct shape *claimed =
        attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    const char *target = attribute_string(in->in, ATTRIBUTE_CALL_TARGET_NAME);
    const struct shape *parts[3], *s;
    int64_t dims[SHAPE_RANK_MAX];
    if (in->count != 1)
        return FAIL(st, STRUCTURE, "CustomCall: %s has %d operands; expected 1",
                    target, in->count);
    s = in->operands[0];
    enum dtype unit = target[strlen("lapack_")] == 's' ? DT_f32 : DT_f64;
    if (s->kind != SHAPE_ARRAY || s->dtype != unit)
        return FAIL(st, TYPE,
                    "CustomCall: the operand of %s is %s; expected %s", target,
                    shape_text(in->arena, s), dtype_table[unit].name);
    int r = s->rank;
    if (r < 2 || (square && s->dims[r - 1] != s->dims[r - 2]))
        return FAIL(st, SHAPE,
                    "CustomCall: the operand of %s is %s; expected "
                    "%smatrices",
                    target, shape_text(in->arena, s), square ? "square " : "");
    memcpy(dims, s->dims, (size_t)r * sizeof *dims);
    parts[0] = s;
    dims[r - 2] = dims[r - 2] < dims[r - 1] ? dims[r - 2] : dims[r - 1];
    TRY(infer_array(in, second == DT_COUNT ? unit : second, r - 1, dims, st));
    parts[1] = in->result;
    TRY(infer_array(in, DT_s32, r - 2, dims, st));
    parts[2] = in->result;
    in->result = shape_tuple(in->arena, 3, parts);
    if (shape_equal(claimed, in->result))
        return true;
    return FAIL(st, SHAPE, "CustomCall: %s returns %s, expected %s", target,
                shape_text(in->arena, in->result),
                shape_text(in->arena, claimed));
}

bool lapack_infer_getrf(struct infer *in, struct status *st)
{
    return infer(in, DT_s32, false, st);
}

bool lapack_infer_syevd(struct infer *in, struct status *st)
{
    return infer(in, DT_COUNT, true, st);
}

/* ---- What both share ----------------------------------------------------- */

struct call {
    struct check_lapack *p;
    struct goal *goals[3];
    struct check_lapack_matrix a, v;
    mpfr_t x, y, t;
};

static bool open_call(struct call *c, struct eval *ev, struct status *st)
{
    struct check_lapack *p = arena_new(ev->arena, struct check_lapack, 1);
    TRY(eval_decided(ev, 0, st));
    const struct shape *s = ev->operands[0]->shape;
    p->a = ev->operands[0];
    p->unit = s->dtype;
    p->rows = s->dims[s->rank - 2];
    p->columns = s->dims[s->rank - 1];
    int64_t size = p->rows * p->columns;
    p->batches = size ? shape_elements(s) / size : 0;
    p->lower = option(ev->in, "uplo", 'L') == 'L';
    p->vectors = option(ev->in, "mode", 'V') == 'V';
    TRY(eval_charge(ev, p->batches, size * (p->columns + 1), st));
    c->p = p;
    for (int i = 0; i < 3; i++)
        c->goals[i] = goal_new(ev->arena, ev->in->shape->elements[i], GOAL_BITS,
                               ev->want_exact);
    check_lapack_open(&c->a, ev->arena, p->rows, p->columns);
    check_lapack_open(&c->v, ev->arena, p->rows, p->columns);
    mpfr_inits2(CHECK_LAPACK_BITS, c->x, c->y, c->t, (mpfr_ptr)0);
    return true;
}

static void close_call(struct call *c, struct eval *ev, goal_check *check)
{
    check_lapack_close(&c->a);
    check_lapack_close(&c->v);
    mpfr_clears(c->x, c->y, c->t, (mpfr_ptr)0);
    for (int i = 0; i < 3; i++) {
        c->p->exact[i] = c->goals[i]->value;
        goal_make_check(c->goals[i], check, c->p, i);
    }
    eval_return(ev, ev->in->shape, c->goals);
}

static void put(struct goal *g, int64_t unit, mpfr_srcptr x)
{
    struct real r = real_from_mpfr(x, 0);
    goal_real(g, unit, &r);
}

static void put_nan(struct goal *g, enum dtype unit, int64_t first,
                    int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        goal_bits(g, first + i, real_nan(unit, false));
}

/* ---- getrf --------------------------------------------------------------- */

static int64_t find_pivot(const struct check_lapack_matrix *m, int64_t k)
{
    int64_t best = k;
    for (int64_t i = k + 1; i < m->rows; i++)
        if (mpfr_cmpabs(check_lapack_at(m, i, k), check_lapack_at(m, best, k))
            > 0)
            best = i;
    return best;
}

/* Gauss with partial pivoting, in place; the first zero pivot's number. */
static int64_t eliminate(struct call *c, int64_t first)
{
    const struct check_lapack_matrix *m = &c->a;
    int64_t info = 0;
    for (int64_t k = 0; k < m->rows && k < m->columns; k++) {
        int64_t pivot = find_pivot(m, k);
        goal_bits(c->goals[1], first + k, (uint64_t)(pivot + 1));
        for (int64_t j = 0; pivot != k && j < m->columns; j++)
            mpfr_swap(check_lapack_at(m, k, j), check_lapack_at(m, pivot, j));
        if (mpfr_zero_p(check_lapack_at(m, k, k))) {
            info = info ? info : k + 1;
            continue;
        }
        for (int64_t i = k + 1; i < m->rows; i++) {
            mpfr_ptr l = check_lapack_at(m, i, k);
            mpfr_div(l, l, check_lapack_at(m, k, k), MPFR_RNDN);
            for (int64_t j = k + 1; j < m->columns; j++) {
                mpfr_ptr x = check_lapack_at(m, i, j);
                mpfr_mul(c->t, l, check_lapack_at(m, k, j), MPFR_RNDN);
                mpfr_sub(x, x, c->t, MPFR_RNDN);
            }
        }
    }
    return info;
}

bool lapack_eval_getrf(struct eval *ev, struct status *st)
{
    struct call c;
    TRY(open_call(&c, ev, st));
    const struct check_lapack *p = c.p;
    int64_t size = p->rows * p->columns;
    int64_t k = p->rows < p->columns ? p->rows : p->columns;
    for (int64_t b = 0; b < p->batches; b++) {
        int64_t info = 0;
        if (check_lapack_finite(p, b, false)) {
            check_lapack_read(p, b, false, &c.a);
            info = eliminate(&c, b * k);
            for (int64_t i = 0; i < size; i++)
                put(c.goals[0], b * size + i, c.a.at[i]);
        } else {
            put_nan(c.goals[0], p->unit, b * size, size);
            for (int64_t i = 0; i < k; i++)
                goal_bits(c.goals[1], b * k + i, (uint64_t)(i + 1));
        }
        goal_bits(c.goals[2], b, (uint64_t)info);
    }
    close_call(&c, ev, check_lapack_lu);
    return true;
}

/* ---- syevd --------------------------------------------------------------- */

/* x, y = cos x - sin y, sin x + cos y */
static void rotate(struct call *c, mpfr_ptr x, mpfr_ptr y)
{
    mpfr_mul(c->t, c->x, x, MPFR_RNDN);
    mpfr_fms(c->t, c->y, y, c->t, MPFR_RNDN);
    mpfr_neg(c->t, c->t, MPFR_RNDN);
    mpfr_mul(x, c->y, x, MPFR_RNDN);
    mpfr_fma(y, c->x, y, x, MPFR_RNDN);
    mpfr_set(x, c->t, MPFR_RNDN);
}

/* The rotation, in c->x and c->y, that makes a(i, j) zero: Jacobi's, as in
 * Golub and Van Loan, Matrix Computations, 8.5. */
static void find_rotation(struct call *c, int64_t i, int64_t j)
{
    mpfr_ptr off = check_lapack_at(&c->a, i, j);
    mpfr_sub(c->t, check_lapack_at(&c->a, j, j), check_lapack_at(&c->a, i, i),
             MPFR_RNDN);
    mpfr_div(c->t, c->t, off, MPFR_RNDN);
    mpfr_div_2ui(c->t, c->t, 1, MPFR_RNDN);
    mpfr_sqr(c->x, c->t, MPFR_RNDN);
    mpfr_add_ui(c->x, c->x, 1, MPFR_RNDN);
    mpfr_sqrt(c->x, c->x, MPFR_RNDN);
    mpfr_abs(c->y, c->t, MPFR_RNDN);
    mpfr_add(c->y, c->y, c->x, MPFR_RNDN);
    mpfr_ui_div(c->y, 1, c->y, MPFR_RNDN);
    if (mpfr_sgn(c->t) < 0)
        mpfr_neg(c->y, c->y, MPFR_RNDN);
    mpfr_sqr(c->x, c->y, MPFR_RNDN);
    mpfr_add_ui(c->x, c->x, 1, MPFR_RNDN);
    mpfr_rec_sqrt(c->x, c->x, MPFR_RNDN);
    mpfr_mul(c->y, c->y, c->x, MPFR_RNDN);
}

/* One sweep; false: nothing was left to do. */
static bool sweep(struct call *c, mpfr_srcptr least)
{
    int64_t n = c->a.columns;
    bool any = false;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) {
            if (mpfr_cmpabs(check_lapack_at(&c->a, i, j), least) <= 0)
                continue;
            any = true;
            find_rotation(c, i, j);
            for (int64_t k = 0; k < n; k++)
                rotate(c, check_lapack_at(&c->a, k, i),
                       check_lapack_at(&c->a, k, j));
            for (int64_t k = 0; k < n; k++)
                rotate(c, check_lapack_at(&c->a, i, k),
                       check_lapack_at(&c->a, j, k));
            for (int64_t k = 0; k < n; k++)
                rotate(c, check_lapack_at(&c->v, k, i),
                       check_lapack_at(&c->v, k, j));
        }
    return any;
}

static void diagonalize(struct call *c)
{
    int64_t n = c->a.columns;
    mpfr_t least;
    mpfr_init2(least, 64);
    mpfr_set_zero(least, 1);
    for (int64_t i = 0; i < n * n; i++) {
        mpfr_set_ui(c->v.at[i], i % (n + 1) == 0, MPFR_RNDN);
        if (mpfr_cmpabs(c->a.at[i], least) > 0)
            mpfr_abs(least, c->a.at[i], MPFR_RNDU);
    }
    mpfr_mul_2si(least, least, 32 - CHECK_LAPACK_BITS, MPFR_RNDU);
    for (int i = 0; i < 64 && sweep(c, least); i++)
        ;
    mpfr_clear(least);
}

/* Eigenvalues, rising, and their vectors as columns. */
static void store_system(struct call *c, int64_t b)
{
    int64_t n = c->a.columns;
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t j = k + 1; j < n; j++)
            if (mpfr_cmp(check_lapack_at(&c->a, j, j),
                         check_lapack_at(&c->a, best, best))
                < 0)
                best = j;
        mpfr_swap(check_lapack_at(&c->a, k, k),
                  check_lapack_at(&c->a, best, best));
        put(c->goals[1], b * n + k, check_lapack_at(&c->a, k, k));
        for (int64_t i = 0; i < n; i++) {
            if (best != k)
                mpfr_swap(check_lapack_at(&c->v, i, k),
                          check_lapack_at(&c->v, i, best));
            put(c->goals[0], (b * n + i) * n + k, check_lapack_at(&c->v, i, k));
        }
    }
}

bool lapack_eval_syevd(struct eval *ev, struct status *st)
{
    struct call c;
    TRY(open_call(&c, ev, st));
    const struct check_lapack *p = c.p;
    int64_t n = p->columns;
    for (int64_t b = 0; b < p->batches; b++) {
        if (check_lapack_finite(p, b, true)) {
            check_lapack_read(p, b, true, &c.a);
            diagonalize(&c);
            store_system(&c, b);
        } else {
            put_nan(c.goals[0], p->unit, b * n * n, n * n);
            put_nan(c.goals[1], p->unit, b * n, n);
        }
        goal_bits(c.goals[2], b, 0);
    }
    close_call(&c, ev, check_lapack_eigen);
    return true;
}
