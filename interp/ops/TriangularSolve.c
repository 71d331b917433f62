/* TriangularSolve - op(a) x = b or x op(a) = b for a triangular a.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every form is t x = b with a lower triangular t, whose rows may be read
 * backwards.  Substitution without fractions keeps r(i) with x(i) = r(i) /
 * (t(0, 0) ... t(i, i)).  A backend's result is judged by its residual (Higham,
 * Accuracy and Stability of Numerical Algorithms, theorem 8.5).
 */
#include <inttypes.h>
#include <stdio.h>

#include "interp/ops/dynamic.h"
#include "interp/ops/matrix.h"
#include "interp/ops/total.h"
#include "interp/ops/triangular_bound.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

enum state {
    SOLVED,
    FREE,    /* overflow, or operands that are not finite */
    SINGULAR /* policy triangular-solve.singular */
};

struct problem {
    struct arena *arena;
    const struct literal *a, *b;
    enum dtype unit, accumulator;
    int64_t n, columns, batches;
    int parts;
    bool left, lower, unit_diagonal, swap, conjugate;
    bool flush, row_wise, special_due; /* as the profile chooses */
    unsigned char *state;              /* of each column of each batch */
};

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *a = in->operands[0], *b = in->operands[1];
    int r = a->rank;
    if (a->dtype != b->dtype)
        return FAIL(st, TYPE, "TriangularSolve: a is %s, b %s",
                    dtype_table[a->dtype].name, dtype_table[b->dtype].name);
    if (r < 2 || a->dims[r - 1] != a->dims[r - 2])
        return FAIL(st, SHAPE, "TriangularSolve: a, %s, is not square",
                    shape_text(in->arena, a));
    if (b->rank != r)
        return FAIL(st, SHAPE, "TriangularSolve: a has %d dimensions, b %d", r,
                    b->rank);
    for (int d = 0; d < r - 2; d++)
        if (a->dims[d] != b->dims[d])
            return FAIL(st, SHAPE, "TriangularSolve: batches of %s and %s",
                        shape_text(in->arena, a), shape_text(in->arena, b));
    bool left = attribute_bool(in->in, ATTRIBUTE_LEFT_SIDE, false);
    if (b->dims[r - (left ? 2 : 1)] != a->dims[r - 1])
        return FAIL(st, SHAPE,
                    "TriangularSolve: %s on the %s does not fit b, %s",
                    shape_text(in->arena, a), left ? "left" : "right",
                    shape_text(in->arena, b));
    TRY(infer_array(in, b->dtype, r, b->dims, st));
    return dynamic_batch(in, r - 2, st);
}

/* ---- Where numbers stand ------------------------------------------------- */

/* One column of one batch. */
struct place {
    const struct problem *p;
    int64_t batch, column;
};

static int64_t place_a(const void *context, int64_t i, int64_t j,
                       bool *conjugate)
{
    const struct place *at = context;
    const struct problem *p = at->p;
    if (i < j)
        return -1;
    if (i == j && p->unit_diagonal)
        return -2;
    *conjugate = p->conjugate;
    if (!p->lower) {
        i = p->n - 1 - i;
        j = p->n - 1 - j;
    }
    return at->batch * p->n * p->n + (p->swap ? j * p->n + i : i * p->n + j);
}

static int64_t place_b(const void *context, int64_t i, int64_t j,
                       bool *conjugate)
{
    const struct place *at = context;
    const struct problem *p = at->p;
    int64_t column = at->column + j, first = at->batch * p->n * p->columns;
    if (!p->lower)
        i = p->n - 1 - i;
    return first + (p->left ? i * p->columns + column : column * p->n + i);
}

static bool is_finite(const struct problem *p, const struct literal *l,
                      matrix_place *place, const struct place *at, int64_t i,
                      int64_t j)
{
    bool conjugate;
    int64_t e = place(at, i, j, &conjugate);
    for (int part = 0; e >= 0 && part < p->parts; part++)
        if (!real_is_finite(p->unit, literal_get(l, e * p->parts + part)))
            return false;
    return true;
}

/* What is known of a before anything is computed. */
static enum state state_of_a(const struct problem *p, const struct place *at)
{
    bool conjugate;
    for (int64_t i = 0; i < p->n; i++) {
        int64_t e = place_a(at, i, i, &conjugate);
        bool zero = e >= 0;
        for (int part = 0; e >= 0 && part < p->parts; part++)
            zero = zero
                   && real_is_zero(p->unit,
                                   literal_get(p->a, e * p->parts + part));
        if (zero)
            return SINGULAR;
    }
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            if (!is_finite(p, p->a, place_a, at, i, j))
                return FREE;
    return SOLVED;
}

/* ---- The exact result ---------------------------------------------------- */

/* z = z * x - y * w for complex or real integers; t is scratch. */
static void combine(mpz_t *const z, mpz_t *const x, mpz_t *const y,
                    mpz_t *const w, int parts, mpz_t *t)
{
    if (parts == 1) {
        mpz_mul(z[0], z[0], x[0]);
        mpz_submul(z[0], y[0], w[0]);
        return;
    }
    mpz_mul(t[0], z[0], x[0]);
    mpz_submul(t[0], z[1], x[1]);
    mpz_submul(t[0], y[0], w[0]);
    mpz_addmul(t[0], y[1], w[1]);
    mpz_mul(t[1], z[0], x[1]);
    mpz_addmul(t[1], z[1], x[0]);
    mpz_submul(t[1], y[0], w[1]);
    mpz_submul(t[1], y[1], w[0]);
    mpz_swap(z[0], t[0]);
    mpz_swap(z[1], t[1]);
}

/* x = number / divisor, part by part. */
static void divide(struct real *x, mpz_t *number, mpz_t *divisor, int parts,
                   int64_t exponent, mpz_t *t)
{
    if (parts == 1) {
        x[0] = matrix_quotient(number[0], divisor[0], exponent);
        return;
    }
    mpz_mul(t[2], divisor[0], divisor[0]);
    mpz_addmul(t[2], divisor[1], divisor[1]);
    mpz_mul(t[0], number[0], divisor[0]);
    mpz_addmul(t[0], number[1], divisor[1]);
    mpz_mul(t[1], number[1], divisor[0]);
    mpz_submul(t[1], number[0], divisor[1]);
    x[0] = matrix_quotient(t[0], t[2], exponent);
    x[1] = matrix_quotient(t[1], t[2], exponent);
}

/* All x of one column. */
static void substitute(const struct problem *p, const struct matrix *a,
                       const struct matrix *b, struct real *x)
{
    int c = p->parts;
    mpz_t t[3], product[2], zero[2];
    mpz_inits(t[0], t[1], t[2], product[0], product[1], zero[0], zero[1], NULL);
    mpz_set_ui(product[0], 1);
    for (int64_t j = 0; j < p->n; j++) {
        mpz_t *own = &a->at[(j * p->n + j) * c];
        mpz_t *r = &b->at[j * c];
        for (int64_t i = j + 1; i < p->n; i++)
            combine(&b->at[i * c], own, &a->at[(i * p->n + j) * c], r, c, t);
        combine(product, own, zero, zero, c, t);
        divide(&x[j * c], r, product, c, b->exponent - a->exponent, t);
    }
    mpz_clears(t[0], t[1], t[2], product[0], product[1], zero[0], zero[1],
               NULL);
}

/* ---- Sums for the judge -------------------------------------------------- */

struct judge {
    const struct problem *p;
    struct place at;
    mpfr_t sum[2], x, y;             /* exact */
    mpfr_t m, t, bound, tiny;        /* rounded up */
    mpfr_t widest, largest;          /* norms of t and of x */
    struct triangular_bound inverse; /* while results are judged */
};

static void judge_open(struct judge *q, const struct problem *p)
{
    q->p = p;
    mpfr_inits2(matrix_precision(p->unit), q->sum[0], q->sum[1], q->x, q->y,
                (mpfr_ptr)0);
    mpfr_inits2(128, q->m, q->t, q->bound, q->tiny, q->widest, q->largest,
                (mpfr_ptr)0);
    matrix_tiny(q->tiny, p->unit, p->flush);
}

static void judge_close(struct judge *q)
{
    mpfr_clears(q->sum[0], q->sum[1], q->x, q->y, q->m, q->t, q->bound, q->tiny,
                q->widest, q->largest, (mpfr_ptr)0);
}

/* One part of an element of a (t), exactly. */
static void load_a(const struct judge *q, mpfr_ptr to, int64_t i, int64_t j,
                   int part)
{
    bool conjugate = false;
    int64_t e = place_a(&q->at, i, j, &conjugate);
    mpfr_set_ui(to, e == -2 && part == 0, MPFR_RNDN);
    if (e < 0)
        return;
    real_bits_to_mpfr(to, q->p->unit,
                      literal_get(q->p->a, e * q->p->parts + part));
    if (part == 1 && conjugate)
        mpfr_neg(to, to, MPFR_RNDN);
}

static int64_t unit_of(const struct judge *q, int64_t i, int part)
{
    bool conjugate;
    return place_b(&q->at, i, 0, &conjugate) * q->p->parts + part;
}

/* |re| + |im| of t(i, j), rounded up. */
static void size_of_a(struct judge *q, mpfr_ptr to, int64_t i, int64_t j)
{
    load_a(q, q->x, i, j, 0);
    mpfr_abs(to, q->x, MPFR_RNDU);
    if (q->p->parts == 1)
        return;
    load_a(q, q->x, i, j, 1);
    mpfr_abs(q->x, q->x, MPFR_RNDN);
    mpfr_add(to, to, q->x, MPFR_RNDU);
}

/* Can no step overflow, or divide by next to nothing? */
static bool is_tame(struct judge *q, const struct real *x)
{
    const struct problem *p = q->p;
    const struct dtype_info *d = &dtype_table[p->unit];
    bool tame = true;
    for (int64_t i = 0; i < p->n && tame; i++) {
        mpfr_set_zero(q->m, 1);
        for (int64_t j = 0; j <= i; j++) {
            size_of_a(q, q->t, i, j);
            tame = tame && (i != j || mpfr_cmp_ui_2exp(q->t, 1, d->emin) >= 0);
            for (int part = 0; part < p->parts; part++) {
                real_to_mpfr(q->bound, &x[j * p->parts + part]);
                mpfr_abs(q->bound, q->bound, MPFR_RNDU);
                tame = tame && mpfr_cmp_ui_2exp(q->bound, 1, d->emax - 2) < 0;
                mpfr_mul(q->bound, q->bound, q->t, MPFR_RNDU);
                mpfr_add(q->m, q->m, q->bound, MPFR_RNDU);
            }
        }
        tame = tame && mpfr_cmp_ui_2exp(q->m, 1, d->emax - 2) < 0;
    }
    return tame;
}

/* ---- A backend's result -------------------------------------------------- */

/* t(i, j).first * x(j).second, in q->x */
static mpfr_srcptr product(struct judge *q, const struct literal *got,
                           int64_t i, int64_t j, int first, int second)
{
    load_a(q, q->x, i, j, first);
    real_bits_to_mpfr(q->y, q->p->unit,
                      literal_get(got, unit_of(q, j, second)));
    mpfr_mul(q->x, q->x, q->y, MPFR_RNDN);
    return q->x;
}

/* b - t x of row i, and in m the sum of magnitudes. */
static void residual(struct judge *q, const struct literal *got, int64_t i)
{
    const struct problem *p = q->p;
    mpfr_ptr re = q->sum[0], im = q->sum[1];
    mpfr_set_zero(q->m, 1);
    mpfr_set_zero(im, 1);
    for (int part = 0; part < p->parts; part++)
        real_bits_to_mpfr(q->sum[part], p->unit,
                          literal_get(p->b, unit_of(q, i, part)));
    for (int64_t j = 0; j <= i; j++) {
        mpfr_sub(re, re, product(q, got, i, j, 0, 0), MPFR_RNDN);
        if (p->parts == 2) {
            mpfr_add(re, re, product(q, got, i, j, 1, 1), MPFR_RNDN);
            mpfr_sub(im, im, product(q, got, i, j, 0, 1), MPFR_RNDN);
            mpfr_sub(im, im, product(q, got, i, j, 1, 0), MPFR_RNDN);
        }
        size_of_a(q, q->t, i, j);
        for (int part = 0; part < p->parts; part++) {
            real_bits_to_mpfr(q->y, p->unit,
                              literal_get(got, unit_of(q, j, part)));
            mpfr_abs(q->y, q->y, MPFR_RNDN);
            mpfr_mul(q->bound, q->y, q->t, MPFR_RNDU);
            mpfr_add(q->m, q->m, q->bound, MPFR_RNDU);
            if (p->flush) {
                /* An element of a may count as zero. */
                mpfr_mul(q->bound, q->y, q->tiny, MPFR_RNDU);
                mpfr_add(q->m, q->m, q->bound, MPFR_RNDU);
            }
        }
    }
}

/* The norms of t and of the column of x. */
static void norms(struct judge *q, const struct literal *got)
{
    const struct problem *p = q->p;
    mpfr_set_zero(q->widest, 1);
    mpfr_set_zero(q->largest, 1);
    for (int64_t i = 0; i < p->n; i++) {
        mpfr_set_zero(q->m, 1);
        for (int64_t j = 0; j <= i; j++) {
            size_of_a(q, q->t, i, j);
            mpfr_add(q->m, q->m, q->t, MPFR_RNDU);
        }
        mpfr_max(q->widest, q->widest, q->m, MPFR_RNDU);
        mpfr_set_zero(q->m, 1);
        for (int part = 0; part < p->parts; part++) {
            real_bits_to_mpfr(q->y, p->unit,
                              literal_get(got, unit_of(q, i, part)));
            mpfr_abs(q->y, q->y, MPFR_RNDN);
            mpfr_add(q->m, q->m, q->y, MPFR_RNDU);
        }
        mpfr_max(q->largest, q->largest, q->m, MPFR_RNDU);
    }
}

/* What an inverse of the matrix at work allows. */
static void open_matrix(struct judge *q)
{
    const struct problem *p = q->p;
    int64_t n = q->inverse.n;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++)
                load_a(q, q->inverse.t[(i * n + j) * p->parts + part], i, j,
                       part);
    triangular_bound_matrix(&q->inverse, p->unit, p->accumulator, q->tiny);
}

/* The same for the column at work, whose exact result has been rounded. */
static void open_column(struct judge *q, const struct literal *rounded)
{
    if (!q->inverse.known)
        return;
    matrix_gamma(q->t, 1, q->p->unit);
    mpfr_add_ui(q->t, q->t, 1, MPFR_RNDU);
    for (int64_t i = 0; i < q->inverse.n; i++) {
        mpfr_ptr x = q->inverse.x[i];
        mpfr_set_zero(x, 1);
        for (int part = 0; part < q->p->parts; part++) {
            real_bits_to_mpfr(q->y, q->p->unit,
                              literal_get(rounded, unit_of(q, i, part)));
            mpfr_abs(q->y, q->y, MPFR_RNDN);
            mpfr_add(x, x, q->y, MPFR_RNDU);
        }
        mpfr_mul(x, x, q->t, MPFR_RNDU);
    }
    triangular_bound_rows(&q->inverse);
}

static int64_t roundings(const struct problem *p)
{
    /* Where rows do not count, a quotient may be a product by an inverse. */
    int64_t k = p->n - (p->unit_diagonal && p->row_wise) + !p->row_wise;
    return p->parts == 1 ? k : 4 * k;
}

/* gamma |t| |x|, and what underflow may add: a smallest number for each
 * product, and that much in x, times its factor. */
static bool good_row(struct judge *q, const struct literal *got, int64_t i,
                     struct goal_finding *found)
{
    const struct problem *p = q->p;
    residual(q, got, i);
    if (!p->row_wise)
        mpfr_mul(q->m, q->widest, q->largest, MPFR_RNDU);
    matrix_gamma(q->bound, roundings(p), p->accumulator);
    if (p->accumulator != p->unit) {
        matrix_gamma(q->t, 2, p->unit);
        mpfr_add(q->bound, q->bound, q->t, MPFR_RNDU);
    }
    mpfr_mul(q->bound, q->bound, q->m, MPFR_RNDU);
    mpfr_set_ui(q->m, (unsigned long)(i * p->parts), MPFR_RNDU);
    for (int64_t j = p->flush ? 0 : i; j <= i; j++) {
        if (i == j && p->unit_diagonal && !p->flush)
            continue;
        size_of_a(q, q->t, i, j);
        mpfr_add(q->m, q->m, q->t, MPFR_RNDU);
    }
    if (p->flush)
        mpfr_add_ui(q->m, q->m, 1, MPFR_RNDU); /* b itself */
    mpfr_mul(q->m, q->m, q->tiny, MPFR_RNDU);
    mpfr_add(q->bound, q->bound, q->m, MPFR_RNDU);
    if (q->inverse.known)
        mpfr_min(q->bound, q->bound, q->inverse.row[i], MPFR_RNDU);
    mpfr_abs(q->sum[0], q->sum[0], MPFR_RNDN);
    mpfr_abs(q->sum[1], q->sum[1], MPFR_RNDN);
    mpfr_max(q->t, q->sum[0], q->sum[1], MPFR_RNDU);
    goal_measure(found, unit_of(q, i, 0), q->t, q->bound);
    return mpfr_cmp(q->t, q->bound) <= 0;
}

static bool column_is_finite(const struct judge *q, const struct literal *got,
                             int64_t *unit)
{
    for (int64_t i = 0; i < q->p->n; i++)
        for (int part = 0; part < q->p->parts; part++) {
            *unit = unit_of(q, i, part);
            if (!real_is_finite(q->p->unit, literal_get(got, *unit)))
                return false;
        }
    return true;
}

static bool good_column(struct judge *q, const struct goal *g,
                        const struct literal *got, enum state state,
                        struct goal_finding *found)
{
    bool finite = column_is_finite(q, got, &found->unit);
    if (state == SINGULAR && q->p->special_due && finite) {
        snprintf(found->why, sizeof found->why,
                 "a is singular: expected an infinity or NaN");
        return false;
    }
    if (state != SOLVED)
        return true;
    if (!finite) {
        snprintf(found->why, sizeof found->why, "not finite");
        return false;
    }
    if (!q->p->row_wise) {
        norms(q, got);
        open_column(q, g->value);
    }
    for (int64_t i = 0; i < q->p->n; i++) {
        if (good_row(q, got, i, found))
            continue;
        found->unit = unit_of(q, i, 0);
        snprintf(found->why, sizeof found->why,
                 "the residual exceeds the rounding error");
        return false;
    }
    return true;
}

static bool check(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found)
{
    const struct problem *p = g->check.data;
    struct judge q;
    bool good = true;
    judge_open(&q, p);
    triangular_bound_open(&q.inverse, g->arena, p->row_wise ? 0 : p->n,
                          p->parts);
    for (int64_t i = 0; good && i < p->batches * p->columns; i++) {
        q.at = (struct place){p, i / p->columns, i % p->columns};
        if (q.at.column == 0)
            open_matrix(&q);
        good = good_column(&q, g, got[0], p->state[i], found);
    }
    triangular_bound_close(&q.inverse);
    judge_close(&q);
    return good;
}

/* ---- Evaluation ---------------------------------------------------------- */

static void store(struct judge *q, struct goal *g, const struct real *x)
{
    const struct problem *p = q->p;
    for (int64_t i = 0; i < p->n; i++)
        for (int part = 0; part < p->parts; part++)
            if (x)
                goal_real(g, unit_of(q, i, part), &x[i * p->parts + part]);
            else
                goal_bits(g, unit_of(q, i, part), real_nan(p->unit, false));
}

static bool solve(const struct eval *ev, struct problem *p, struct judge *q,
                  struct goal *g, struct status *st)
{
    enum state state = state_of_a(p, &q->at);
    int64_t at = q->at.batch * p->columns + q->at.column, bits;
    struct matrix a, b;
    for (int64_t i = 0; i < p->n && state == SOLVED; i++)
        if (!is_finite(p, p->b, place_b, &q->at, i, 0))
            state = FREE;
    p->state[at] = (unsigned char)state;
    if (state != SOLVED) {
        store(q, g, NULL);
        return true;
    }
    struct real *x =
        arena_new(p->arena, struct real, (size_t)(p->n * p->parts));
    matrix_open(&a, p->arena, p->n, p->n, p->parts);
    matrix_open(&b, p->arena, p->n, 1, p->parts);
    bits = p->n * matrix_read(&a, p->a, place_a, &q->at);
    bits += matrix_read(&b, p->b, place_b, &q->at);
    bool fits = bits <= 2 * ev->machine->limits->precision_bits;
    if (fits)
        substitute(p, &a, &b, x);
    matrix_close(&a);
    matrix_close(&b);
    if (!fits)
        return FAIL(st, SYSTEM,
                    "limit: TriangularSolve needs %" PRId64
                    " bits (--limit-precision-bits is half of that)",
                    bits);
    if (ev->want_exact && !is_tame(q, x))
        p->state[at] = FREE;
    store(q, g, x);
    return true;
}

static void read_attributes(struct problem *p, const struct eval *ev)
{
    const char *transpose = attribute_string(ev->in, ATTRIBUTE_TRANSPOSE_A);
    bool transposed = transpose[0] != 'N';
    p->left = attribute_bool(ev->in, ATTRIBUTE_LEFT_SIDE, false);
    p->unit_diagonal = attribute_bool(ev->in, ATTRIBUTE_UNIT_DIAGONAL, false);
    p->conjugate = transpose[0] == 'A';
    p->swap = transposed != !p->left;
    p->lower = attribute_bool(ev->in, ATTRIBUTE_LOWER, false) != p->swap;
    p->flush = profile_rules(ev->machine->profile, p->unit).subnormal != 0;
    p->row_wise = eval_policy_is(ev, CHOICE_TRIANGULAR_SOLVE_RESIDUAL_ROW);
    p->special_due = eval_policy_is(ev, CHOICE_TRIANGULAR_SOLVE_SINGULAR_IEEE);
}

static bool eval_dynamic(struct eval *ev, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    for (int d = 0; d < ev->in->shape->rank - 2; d++)
        TRY(dynamic_pair(&p, 0, d, 1, d, st));
    return dynamic_eval(&p, st);
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    const struct shape *s = ev->in->shape;
    struct problem *p = arena_new(ev->arena, struct problem, 1);
    struct judge q;
    p->arena = ev->arena;
    p->a = ev->operands[0];
    p->b = ev->operands[1];
    p->unit = dtype_unit(s->dtype);
    p->accumulator = total_accumulator(ev, p->unit);
    p->parts = dtype_units(s->dtype);
    p->n = p->a->shape->dims[s->rank - 1];
    read_attributes(p, ev);
    p->columns = s->dims[s->rank - (p->left ? 1 : 2)];
    int64_t all = p->n > 0 ? shape_elements(s) / p->n : 0;
    p->batches = all > 0 ? all / p->columns : 0;
    TRY(eval_charge(ev, all, p->n * p->n, st));
    p->state = arena_new(ev->arena, unsigned char, (size_t)all + 1);
    struct goal *g = goal_new(ev->arena, s, GOAL_BITS, ev->want_exact);
    goal_make_check(g, check, p, 0);
    judge_open(&q, p);
    bool done = true;
    for (int64_t i = 0; done && i < all; i++) {
        q.at = (struct place){p, i / p->columns, i % p->columns};
        done = solve(ev, p, &q, g, st);
    }
    judge_close(&q);
    eval_return_one(ev, g);
    return done;
}

static const struct stablehlo_form form = {
    .attributes = stablehlo_attribute_triangular_solve};

const struct op op_TriangularSolve = {.name = "TriangularSolve",
                                      .infer = infer,
                                      .eval = eval,
                                      .stablehlo = &form};
