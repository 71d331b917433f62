/* Cholesky - decomposition of Hermitian positive definite matrices.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Elimination without fractions (Bareiss) leaves integers p, the leading
 * minors, and b with l(i, j) = b(i, j) / sqrt(p(j) p(j - 1)).  A backend's
 * result is judged by its residual (check_cholesky).
 */
#include <inttypes.h>
#include <string.h>

#include "gen/policy/cholesky_not_spd.h"
#include "gen/policy/cholesky_other_triangle.h"
#include "interp/check/check.h"
#include "interp/check/residual.h"
#include "interp/ops/dynamic.h"
#include "interp/ops/matrix.h"
#include "interp/ops/total.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    if (s->rank < 2 || s->dims[s->rank - 1] != s->dims[s->rank - 2])
        return FAIL(st, SHAPE,
                    "Cholesky: the operand is %s; expected square matrices",
                    shape_text(in->arena, s));
    TRY(infer_array(in, s->dtype, s->rank, s->dims, st));
    return dynamic_batch(in, s->rank - 2, st);
}

/* ---- The exact result ---------------------------------------------------- */

/* One matrix of a batch; l is the lower triangle, whichever was given. */
struct place {
    const struct check_cholesky *p;
    int64_t first;
};

static int64_t place(const void *context, int64_t i, int64_t j, bool *conjugate)
{
    const struct place *at = context;
    *conjugate = !at->p->lower;
    return i < j ? -1 : check_cholesky_element(at->p, at->first, i, j);
}

/* Are all numbers of a finite, and those of the diagonal real? */
static bool is_hermitian(const struct check_cholesky *p,
                         const struct literal *a, int64_t first)
{
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++) {
                int64_t at =
                    check_cholesky_element(p, first, i, j) * p->parts + part;
                uint64_t bits = literal_get(a, at);
                if (!real_is_finite(p->unit, bits)
                    || (i == j && part == 1 && !real_is_zero(p->unit, bits)))
                    return false;
            }
    return true;
}

/* b = (pivot b - x conj(y)) / last, part by part. */
static void eliminate(struct matrix *m, int64_t i, int64_t j, int64_t k,
                      mpz_srcptr last)
{
    mpz_ptr b[2], pivot = matrix_at(m, k, k, 0);
    for (int part = 0; part < m->parts; part++) {
        b[part] = matrix_at(m, i, j, part);
        mpz_mul(b[part], b[part], pivot);
        mpz_submul(b[part], matrix_at(m, i, k, part), matrix_at(m, j, k, 0));
    }
    if (m->parts == 2) {
        mpz_submul(b[0], matrix_at(m, i, k, 1), matrix_at(m, j, k, 1));
        mpz_addmul(b[1], matrix_at(m, i, k, 0), matrix_at(m, j, k, 1));
    }
    for (int part = 0; last && part < m->parts; part++)
        mpz_divexact(b[part], b[part], last);
}

/* False if a leading minor is not positive. */
static bool reduce(struct matrix *m)
{
    for (int64_t k = 0; k < m->rows; k++) {
        if (mpz_sgn(matrix_at(m, k, k, 0)) <= 0)
            return false;
        for (int64_t i = k + 1; i < m->rows; i++)
            for (int64_t j = k + 1; j <= i; j++)
                eliminate(m, i, j, k, k ? matrix_at(m, k - 1, k - 1, 0) : NULL);
    }
    return true;
}

/* The roundings of l(i, j) into the goal, and l's real parts. */
static void store(const struct check_cholesky *p, struct matrix *m,
                  struct goal *g, int64_t first, struct real *l)
{
    mpz_t square;
    mpz_init(square);
    for (int64_t j = 0; j < p->n; j++) {
        mpz_set(square, matrix_at(m, j, j, 0));
        if (j > 0)
            mpz_mul(square, square, matrix_at(m, j - 1, j - 1, 0));
        for (int64_t i = j; i < p->n; i++)
            for (int part = 0; part < p->parts; part++) {
                struct real r = matrix_root(matrix_at(m, i, j, part), square,
                                            m->exponent / 2);
                l[(i * p->n + j) * p->parts + part] = r;
                if (part == 1 && !p->lower && r.kind == REAL_FINITE)
                    r.negative = !r.negative;
                goal_real(
                    g, check_cholesky_element(p, first, i, j) * p->parts + part,
                    &r);
            }
    }
    mpz_clear(square);
}

/* ---- Evaluation ---------------------------------------------------------- */

static void no_result(const struct check_cholesky *p, struct goal *g,
                      int64_t first)
{
    for (int64_t i = 0; i < p->n; i++)
        for (int64_t j = 0; j <= i; j++)
            for (int part = 0; part < p->parts; part++)
                goal_bits(
                    g, check_cholesky_element(p, first, i, j) * p->parts + part,
                    real_nan(p->unit, false));
}

static bool decompose(const struct eval *ev, struct check_cholesky *p,
                      struct goal *g, int64_t b, unsigned long margin,
                      struct status *st)
{
    struct place at = {p, b * p->n * p->n};
    struct matrix m;
    p->state[b] = CHECK_CHOLESKY_INDEFINITE;
    if (!is_hermitian(p, p->a, at.first)) {
        no_result(p, g, at.first);
        return true;
    }
    matrix_open(&m, p->arena, p->n, p->n, p->parts);
    int64_t bits = p->n * matrix_read(&m, p->a, place, &at);
    bool fits = bits <= ev->machine->limits->precision_bits;
    if (fits && reduce(&m)) {
        struct real *l =
            arena_new(p->arena, struct real, (size_t)(p->n * p->n * p->parts));
        store(p, &m, g, at.first, l);
        p->state[b] = ev->want_exact
                          ? (unsigned char)cholesky_bound(p, b, l, margin)
                          : CHECK_CHOLESKY_DEFINITE;
    } else {
        no_result(p, g, at.first);
    }
    matrix_close(&m);
    if (!fits)
        return FAIL(st, SYSTEM,
                    "limit: Cholesky needs %" PRId64
                    " bits (--limit-precision-bits)",
                    bits);
    return true;
}

static struct check_cholesky *make_check(const struct eval *ev)
{
    const struct shape *s = ev->in->shape;
    struct check_cholesky *p = arena_new(ev->arena, struct check_cholesky, 1);
    p->arena = ev->arena;
    p->a = p->low = p->high = ev->operands[0];
    p->unit = dtype_unit(s->dtype);
    p->accumulator = total_accumulator(ev, p->unit);
    p->parts = dtype_units(s->dtype);
    p->n = s->dims[s->rank - 1];
    p->batches = p->n > 0 ? shape_elements(s) / (p->n * p->n) : 0;
    p->lower = attribute_bool(ev->in, ATTRIBUTE_LOWER, false);
    p->flush = profile_rules(ev->machine->profile, p->unit).subnormal != 0;
    p->nan_due = profile_cholesky_not_spd_is_nan(ev->machine->profile);
    p->zero_other =
        profile_cholesky_other_triangle_is_zero(ev->machine->profile);
    p->state = arena_new(ev->arena, unsigned char, (size_t)p->batches + 1);
    p->bounded = arena_new(ev->arena, unsigned char, (size_t)p->batches + 1);
    return p;
}

/* The goal of a result that p judges; elements of one triangle do not depend
 * on those of the other. */
static struct goal *make_goal(const struct eval *ev, struct check_cholesky *p)
{
    struct goal *g =
        goal_new(ev->arena, ev->in->shape, GOAL_BITS, ev->want_exact);
    size_t units = (size_t)literal_units(g->value);
    unsigned char *apart = arena_new(ev->arena, unsigned char, units + 1);
    goal_make_check(g, check_cholesky, p, 0);
    g->check.ends = cholesky_bound_ends;
    if (ev->want_exact) {
        p->least = literal_copy(ev->arena, g->value);
        p->most = literal_copy(ev->arena, g->value);
    }
    for (int64_t b = 0; b < p->batches; b++)
        for (int64_t i = 0; i < p->n; i++)
            for (int64_t j = i + 1; j < p->n; j++) {
                int64_t at = check_cholesky_element(p, b * p->n * p->n, i, j);
                memset(apart + at * p->parts, 1, (size_t)p->parts);
            }
    g->check.apart = apart;
    return g;
}

static bool eval(struct eval *ev, struct status *st)
{
    if (dynamic_any(ev))
        return dynamic_eval_own(ev, st);
    struct check_cholesky *p = make_check(ev);
    TRY(eval_charge(ev, p->batches, p->n * p->n * (p->n / 3 + 1), st));
    struct goal *g = make_goal(ev, p);
    for (int64_t b = 0; b < p->batches; b++)
        TRY(decompose(ev, p, g, b, 1, st));
    return eval_return_one(ev, g);
}

/* ---- An operand that is inexact ------------------------------------------ */

/* Add to sum by how much the parts of a(i, j) may differ. */
static void add_width(const struct check_cholesky *p, int64_t first, int64_t i,
                      int64_t j, mpfr_ptr sum)
{
    MPFR_DECL_INIT(low, 64);
    MPFR_DECL_INIT(high, 64);
    for (int part = 0; part < p->parts; part++) {
        int64_t at = check_cholesky_element(p, first, i, j) * p->parts + part;
        real_bits_to_mpfr(low, p->unit, literal_get(p->low, at));
        real_bits_to_mpfr(high, p->unit, literal_get(p->high, at));
        mpfr_sub(high, high, low, MPFR_RNDU);
        mpfr_add(sum, sum, high, MPFR_RNDU);
    }
}

/* A matrix that is below all that a may be: their differences have diagonals
 * that dominate.  Its diagonal is at least half of theirs, else false. */
static bool make_least(const struct check_cholesky *p, int64_t first,
                       struct literal *least)
{
    bool near = true;
    MPFR_DECL_INIT(sum, 64);
    MPFR_DECL_INIT(x, 64);
    for (int64_t i = 0; near && i < p->n; i++) {
        int64_t at = check_cholesky_element(p, first, i, i) * p->parts;
        mpfr_set_zero(sum, 1);
        for (int64_t j = 0; j < p->n; j++)
            if (i != j)
                add_width(p, first, i > j ? i : j, i > j ? j : i, sum);
        real_bits_to_mpfr(x, p->unit, literal_get(p->low, at));
        mpfr_sub(x, x, sum, MPFR_RNDD);
        struct real r = real_from_mpfr(x, 0);
        uint64_t bits = real_round(&r, p->unit, REAL_OVERFLOW_TYPE);
        near = mpfr_sgn(x) > 0 && bits > 0;
        literal_set(least, at, bits - near); /* no more than x */
        real_bits_to_mpfr(sum, p->unit, literal_get(p->high, at));
        mpfr_mul_2ui(x, x, 1, MPFR_RNDD);
        near = near && mpfr_cmp(x, sum) >= 0;
    }
    return near;
}

/* Every matrix between the ends must be positive definite: where one may not
 * be, a decision depends on the operand. */
static bool eval_ranges(struct eval *ev, struct status *st)
{
    struct check_cholesky *p = make_check(ev);
    struct check_cholesky below = *p; /* whose states are those of p */
    p->low = ev->low[0];
    p->high = ev->high[0];
    struct literal *least = literal_copy(ev->arena, p->a);
    below.a = least;
    below.least = below.most = NULL;
    TRY(eval_charge(ev, p->batches, 2 * p->n * p->n * (p->n / 3 + 1), st));
    struct goal *g = make_goal(ev, p);
    struct goal *unused =
        goal_new(ev->arena, ev->in->shape, GOAL_BITS, ev->want_exact);
    for (int64_t b = 0; b < p->batches; b++) {
        int64_t first = b * p->n * p->n;
        bool good = is_hermitian(p, p->low, first)
                    && is_hermitian(p, p->high, first)
                    && make_least(p, first, least);
        TRY(decompose(ev, p, g, b, 1, st));
        if (good)
            TRY(decompose(ev, &below, unused, b, 2, st));
        if (!good || p->state[b] == CHECK_CHOLESKY_INDEFINITE)
            return FAIL(st, UNSUPPORTED,
                        "inadmissible: operand 0 of Cholesky is inexact, and "
                        "may not be positive definite");
    }
    return eval_return_one(ev, g);
}

static bool reads(const struct eval *ev, int k, int64_t element)
{
    bool lower = attribute_bool(ev->in, ATTRIBUTE_LOWER, false);
    return matrix_in_triangle(ev->operands[k]->shape, element, lower);
}

const struct op op_Cholesky = {.name = "Cholesky",
                               .infer = infer,
                               .eval = eval,
                               .ranges = eval_ranges,
                               .reads = reads};
