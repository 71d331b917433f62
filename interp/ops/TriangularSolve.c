/* TriangularSolve - op(a) x = b or x op(a) = b for a triangular a.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every form is t x = b with a lower triangular t, whose rows may be read
 * backwards.  Substitution without fractions keeps r(i) with x(i) = r(i) /
 * (t(0, 0) ... t(i, i)).  A backend's result is judged by its residual
 * (check_triangular).
 */
#include <inttypes.h>

#include "gen/policy/triangular_solve_residual.h"
#include "gen/policy/triangular_solve_singular.h"
#include "interp/check/check.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/matrix.h"
#include "interp/ops/total.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *a = in->operands[0], *b = in->operands[1];
    int r = a->rank;
    if (a->dtype != b->dtype)
        return FAIL(st, TYPE,
                    "TriangularSolve: a is %s, b %s; expected the same type",
                    dtype_table[a->dtype].name, dtype_table[b->dtype].name);
    if (r < 2 || a->dims[r - 1] != a->dims[r - 2])
        return FAIL(st, SHAPE,
                    "TriangularSolve: a is %s; expected square matrices",
                    shape_text(in->arena, a));
    if (b->rank != r)
        return FAIL(
            st, SHAPE,
            "TriangularSolve: a has %d dimensions, b %d; expected equal ranks",
            r, b->rank);
    for (int d = 0; d < r - 2; d++)
        if (a->dims[d] != b->dims[d])
            return FAIL(st, SHAPE,
                        "TriangularSolve: a is %s, b %s; expected equal batch "
                        "dimensions",
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

/* ---- What is known beforehand -------------------------------------------- */

static bool is_finite(const struct check_triangular *p, const struct literal *l,
                      matrix_place *place,
                      const struct check_triangular_place *at, int64_t i,
                      int64_t j)
{
    bool conjugate;
    int64_t e = place(at, i, j, &conjugate);
    for (int part = 0; e >= 0 && part < p->parts; part++)
        if (!real_is_finite(p->unit, literal_get(l, e * p->parts + part)))
            return false;
    return true;
}

/* Classifies `a` before anything is computed. */
static enum check_triangular_state
state_of_a(const struct check_triangular *p,
           const struct check_triangular_place *at)
{
    bool conjugate;
    for (int64_t i = 0; i < p->n; i++) {
        int64_t e = check_triangular_a(at, i, i, &conjugate);
        bool zero = e >= 0;
        for (int part = 0; e >= 0 && part < p->parts; part++)
            zero = zero
                   && real_is_zero(p->unit,
                                   literal_get(p->a, e * p->parts + part));
        if (zero)
            return CHECK_TRIANGULAR_SINGULAR;
    }
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            if (!is_finite(p, p->a, check_triangular_a, at, i, j))
                return CHECK_TRIANGULAR_FREE;
    return CHECK_TRIANGULAR_SOLVED;
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
static void substitute(const struct check_triangular *p, const struct matrix *a,
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

/* ---- Evaluation ---------------------------------------------------------- */

static void store(const struct check_triangular_place *at, struct goal *g,
                  const struct real *x)
{
    const struct check_triangular *p = at->p;
    bool conjugate;
    for (int64_t i = 0; i < p->n; i++) {
        int64_t unit = check_triangular_b(at, i, 0, &conjugate) * p->parts;
        for (int part = 0; part < p->parts; part++)
            if (x)
                goal_real(g, unit + part, &x[i * p->parts + part]);
            else
                goal_bits(g, unit + part, real_nan(p->unit, false));
    }
}

static bool solve(const struct eval *ev, struct check_triangular *p,
                  const struct check_triangular_place *place, struct goal *g,
                  struct triangular_ends *ends, struct status *st)
{
    enum check_triangular_state state = state_of_a(p, place);
    int64_t at = place->batch * p->columns + place->column, bits;
    struct matrix a, b;
    for (int64_t i = 0; i < p->n && state == CHECK_TRIANGULAR_SOLVED; i++)
        if (!is_finite(p, p->b, check_triangular_b, place, i, 0))
            state = CHECK_TRIANGULAR_SPECIAL;
    p->state[at] = (unsigned char)state;
    if (state != CHECK_TRIANGULAR_SOLVED) {
        store(place, g, NULL);
        return true;
    }
    struct real *x =
        arena_new(p->arena, struct real, (size_t)(p->n * p->parts));
    matrix_open(&a, p->arena, p->n, p->n, p->parts);
    matrix_open(&b, p->arena, p->n, 1, p->parts);
    bits = p->n * matrix_read(&a, p->a, check_triangular_a, place);
    bits += matrix_read(&b, p->b, check_triangular_b, place);
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
    if (ev->want_exact && !check_triangular_tame(place, x))
        p->state[at] = CHECK_TRIANGULAR_FREE;
    else if (ends)
        triangular_ends_column(ends, place, x);
    store(place, g, x);
    return true;
}

static void read_attributes(struct check_triangular *p, const struct eval *ev)
{
    const char *transpose = attribute_string(ev->in, ATTRIBUTE_TRANSPOSE_A);
    bool transposed = transpose[0] != 'N';
    p->left = attribute_bool(ev->in, ATTRIBUTE_LEFT_SIDE, false);
    p->unit_diagonal = attribute_bool(ev->in, ATTRIBUTE_UNIT_DIAGONAL, false);
    p->conjugate = transpose[0] == 'A';
    p->swap = transposed != !p->left;
    p->lower = attribute_bool(ev->in, ATTRIBUTE_LOWER, false) != p->swap;
    p->flush = profile_rules(ev->machine->profile, p->unit).subnormal != 0;
    p->row_wise =
        profile_triangular_solve_residual_is_row(ev->machine->profile);
    p->special_due =
        profile_triangular_solve_singular_is_ieee(ev->machine->profile);
}

static bool eval_dynamic(struct eval *ev, struct status *st)
{
    struct dynamic p = dynamic_open(ev);
    for (int d = 0; d < ev->in->shape->rank - 2; d++)
        TRY(dynamic_pair(&p, 0, d, 1, d, st));
    return dynamic_eval(&p, st);
}

static struct check_triangular *make_check(const struct eval *ev)
{
    const struct shape *s = ev->in->shape;
    struct check_triangular *p =
        arena_new(ev->arena, struct check_triangular, 1);
    p->arena = ev->arena;
    p->a = p->a_ends[0] = p->a_ends[1] = ev->operands[0];
    p->b = p->b_ends[0] = p->b_ends[1] = ev->operands[1];
    p->unit = dtype_unit(s->dtype);
    p->accumulator = total_accumulator(ev, p->unit);
    p->parts = dtype_units(s->dtype);
    p->n = p->a->shape->dims[s->rank - 1];
    read_attributes(p, ev);
    p->columns = s->dims[s->rank - (p->left ? 1 : 2)];
    int64_t all = p->n > 0 ? shape_elements(s) / p->n : 0;
    p->batches = all > 0 ? all / p->columns : 0;
    p->state = arena_new(ev->arena, unsigned char, (size_t)all + 1);
    p->bounded = arena_new(ev->arena, unsigned char, (size_t)all + 1);
    return p;
}

/* Whatever the operands are between their ends. */
static bool is_decided(const struct check_triangular_place *at)
{
    const struct check_triangular *p = at->p;
    for (int end = 0; end < 2; end++)
        for (int64_t i = 0; i < p->n; i++) {
            if (!is_finite(p, p->b_ends[end], check_triangular_b, at, i, 0))
                return false;
            for (int64_t j = 0; j <= i; j++)
                if (!is_finite(p, p->a_ends[end], check_triangular_a, at, i, j))
                    return false;
        }
    return check_triangular_tame_between(at);
}

static bool solve_columns(struct eval *ev, struct check_triangular *p,
                          struct goal *g, struct triangular_ends *ends,
                          struct status *st)
{
    int64_t all = p->batches * p->columns;
    for (int64_t i = 0; i < all; i++) {
        struct check_triangular_place place = {p, i / p->columns,
                                               i % p->columns};
        TRY(solve(ev, p, &place, g, ends, st));
        if (p->inexact && !is_decided(&place))
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: the operands of TriangularSolve are "
                        "inexact, and a step may overflow or divide by next to "
                        "nothing");
    }
    return true;
}

static bool solve_all(struct eval *ev, struct check_triangular *p,
                      struct status *st)
{
    int64_t all = p->batches * p->columns;
    TRY(eval_charge(ev, all, p->n * p->n, st));
    struct goal *g =
        goal_new(ev->arena, ev->in->shape, GOAL_BITS, ev->want_exact);
    goal_make_check(g, check_triangular, p, 0);
    g->check.ends = triangular_ends;
    eval_return_one(ev, g);
    struct triangular_ends *ends = NULL;
    if (ev->want_exact) {
        p->least = literal_copy(ev->arena, g->value);
        p->most = literal_copy(ev->arena, g->value);
        ends = triangular_ends_open(p);
    }
    bool solved = solve_columns(ev, p, g, ends, st);
    if (ends)
        triangular_ends_close(ends);
    return solved;
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return eval_dynamic(ev, st);
    return solve_all(ev, make_check(ev), st);
}

/* The residual is the least one of all matrices and columns between the ends.
 */
static bool eval_ranges(struct eval *ev, struct status *st)
{
    struct check_triangular *p = make_check(ev);
    p->inexact = true;
    for (int end = 0; end < 2; end++) {
        struct literal *const *l = end ? ev->high : ev->low;
        p->a_ends[end] = l[0];
        p->b_ends[end] = l[1];
    }
    return solve_all(ev, p, st);
}

static bool reads(const struct eval *ev, int k, int64_t element)
{
    bool lower = attribute_bool(ev->in, ATTRIBUTE_LOWER, false);
    return k != 0 || matrix_in_triangle(ev->operands[0]->shape, element, lower);
}

const struct op op_TriangularSolve = {
    .name = "TriangularSolve",
    .infer = infer,
    .eval = eval,
    .ranges = eval_ranges,
    .reads = reads,
    .stablehlo =
        STABLEHLO_FORM(.named = ATTRIBUTE_TRANSPOSE_A, .kind = "transpose")};
