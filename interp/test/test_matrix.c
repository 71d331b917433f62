/* test_matrix.c - Cholesky and TriangularSolve against their definitions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Models: Cholesky's recurrence in 600 bits, rounded once at the end; for
 * TriangularSolve the product op(a) x, formed from the definition.
 * ASSAY_LONG=1 tries more.
 */
#include <mpfr.h>
#include <stdlib.h>

#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

enum {
    MOST = 12,
    BITS = 600
};

static struct arena arena;
static int64_t rounds = 20;

static uint64_t rounded(mpfr_srcptr x)
{
    MPFR_DECL_INIT(cut, 128);
    int ternary = mpfr_set(cut, x, MPFR_RNDZ);
    struct real r = real_from_mpfr(cut, ternary);
    return real_round(&r, DT_f64, REAL_OVERFLOW_TYPE);
}

/* A symmetric matrix of small integers with a heavy diagonal. */
static struct literal *symmetric(int64_t n, uint64_t seed)
{
    struct literal *l = slow_program_random(
        &arena, arena_printf(&arena, "f64[%d,%d]", (int)n, (int)n), seed, -9,
        9);
    for (int64_t i = 0; i < n; i++) {
        struct real d = real_from_int(9 * n + i);
        for (int64_t j = 0; j < i; j++)
            literal_set(l, j * n + i, literal_get(l, i * n + j));
        literal_set(l, i * n + i, real_round(&d, DT_f64, REAL_OVERFLOW_TYPE));
    }
    return l;
}

static int64_t compare_factor(const struct literal *a,
                              const struct literal *got, int64_t n, bool lower,
                              mpfr_t (*l)[MOST], mpfr_ptr t)
{
    int64_t wrong = 0;
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            mpfr_set_si(l[i][j], slow_program_int_at(a, i * n + j), MPFR_RNDN);
            for (int64_t k = 0; k < j; k++) {
                mpfr_mul(t, l[i][k], l[j][k], MPFR_RNDN);
                mpfr_sub(l[i][j], l[i][j], t, MPFR_RNDN);
            }
            if (i == j)
                mpfr_sqrt(l[i][j], l[i][j], MPFR_RNDN);
            else
                mpfr_div(l[i][j], l[i][j], l[j][j], MPFR_RNDN);
            /* A model's 2^-590 is a zero. */
            if (mpfr_zero_p(l[i][j]) || mpfr_get_exp(l[i][j]) < -500)
                mpfr_set_zero(l[i][j], 1);
            uint64_t bits = literal_get(got, lower ? i * n + j : j * n + i);
            wrong += bits << 1 != rounded(l[i][j]) << 1
                     || (bits << 1 != 0 && bits != rounded(l[i][j]));
        }
    return wrong;
}

static void test_cholesky(void)
{
    mpfr_t l[MOST][MOST], t;
    int64_t wrong = 0;
    mpfr_init2(t, BITS);
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            mpfr_init2(l[i][j], BITS);
    for (int64_t k = 0; k < rounds; k++) {
        int64_t n = 1 + k % MOST;
        struct literal *a = symmetric(n, (uint64_t)k);
        struct slow_program *p = slow_program_new(&arena, "Cholesky");
        slow_program_operand(p, a);
        slow_program_int(p, ATTRIBUTE_LOWER, k & 1);
        if (!OK(slow_program_run(p), "%s", p->status.text))
            break;
        wrong += compare_factor(a, slow_program_value(p), n, k & 1, l, t);
    }
    EQ_INT(wrong, 0, "Cholesky: wrong elements");
    for (int i = 0; i < MOST; i++)
        for (int j = 0; j < MOST; j++)
            mpfr_clear(l[i][j]);
    mpfr_clear(t);
}

/* Does the judge refuse a factor with any one element wrong? */
static void test_cholesky_judge(void)
{
    struct literal *a = symmetric(6, 99);
    struct slow_program *p = slow_program_new(&arena, "Cholesky");
    struct goal_finding found = {.leaf = 0};
    int64_t refused = 0;
    slow_program_operand(p, a);
    slow_program_int(p, ATTRIBUTE_LOWER, true);
    p->want_exact = true;
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    const struct goal *g = p->outcomes[0].goals[0];
    struct literal *got = literal_copy(&arena, g->value);
    const struct literal *all[] = {got};
    OK(g->check.holds(g, all, 1, &found), "the value: %s", found.why);
    for (int64_t i = 0; i < 6; i++)
        for (int64_t j = 0; j <= i; j++) {
            uint64_t bits = literal_get(got, i * 6 + j);
            literal_set(got, i * 6 + j, bits + 4096);
            refused += !g->check.holds(g, all, 1, &found);
            literal_set(got, i * 6 + j, bits);
        }
    EQ_INT(refused, 21, "an element that is off by 2^-40 is refused");
    literal_set(got, 1, real_nan(DT_f64, false));
    OK(g->check.holds(g, all, 1, &found), "the other triangle is free");
    literal_set(got, 6, real_nan(DT_f64, false));
    OK(!g->check.holds(g, all, 1, &found),
       "a NaN in a definite matrix's factor is not");
}

/* ---- TriangularSolve ----------------------------------------------------- */

struct flags {
    bool left, lower, unit;
    int transpose; /* none, transpose, adjoint */
};

/* Part of op(a)(i, j), from the definition. */
static int64_t op(const struct literal *a, int64_t n, const struct flags *f,
                  int64_t i, int64_t j, int part)
{
    int64_t r = f->transpose ? j : i, c = f->transpose ? i : j;
    if (r == c && f->unit)
        return part == 0;
    if (f->lower ? c > r : c < r)
        return 0;
    int64_t x = slow_program_int_at(a, 2 * (r * n + c) + part);
    return part == 1 && f->transpose == 2 ? -x : x;
}

/* Is |op(a) x - b| (or x op(a) - b) below 2^-44 sum |op(a)| |x|? */
static bool solves(const struct literal *a, const struct literal *b,
                   const struct literal *x, const struct flags *f, int64_t row,
                   int64_t column)
{
    int64_t n = a->shape->dims[0], width = b->shape->dims[1];
    mpfr_t sum[2], size, t, v[2];
    bool good = true;
    mpfr_inits2(BITS, sum[0], sum[1], size, t, v[0], v[1], (mpfr_ptr)0);
    mpfr_set_zero(size, 1);
    for (int part = 0; part < 2; part++)
        mpfr_set_si(sum[part],
                    -slow_program_int_at(b, 2 * (row * width + column) + part),
                    MPFR_RNDN);
    for (int64_t k = 0; k < n; k++) {
        int64_t at = f->left ? k * width + column : row * width + k;
        int64_t re =
            f->left ? op(a, n, f, row, k, 0) : op(a, n, f, k, column, 0);
        int64_t im =
            f->left ? op(a, n, f, row, k, 1) : op(a, n, f, k, column, 1);
        for (int part = 0; part < 2; part++) {
            real_bits_to_mpfr(v[part], DT_f64, literal_get(x, 2 * at + part));
            mpfr_abs(t, v[part], MPFR_RNDN);
            mpfr_mul_si(t, t, llabs(re) + llabs(im), MPFR_RNDN);
            mpfr_add(size, size, t, MPFR_RNDN);
        }
        mpfr_mul_si(t, v[0], re, MPFR_RNDN);
        mpfr_add(sum[0], sum[0], t, MPFR_RNDN);
        mpfr_mul_si(t, v[1], -im, MPFR_RNDN);
        mpfr_add(sum[0], sum[0], t, MPFR_RNDN);
        mpfr_mul_si(t, v[1], re, MPFR_RNDN);
        mpfr_add(sum[1], sum[1], t, MPFR_RNDN);
        mpfr_mul_si(t, v[0], im, MPFR_RNDN);
        mpfr_add(sum[1], sum[1], t, MPFR_RNDN);
    }
    mpfr_div_2ui(size, size, 44, MPFR_RNDN);
    good = mpfr_cmpabs(sum[0], size) <= 0 && mpfr_cmpabs(sum[1], size) <= 0;
    mpfr_clears(sum[0], sum[1], size, t, v[0], v[1], (mpfr_ptr)0);
    return good;
}

static void check_solve(const struct flags *f, int64_t n, int64_t m,
                        uint64_t seed)
{
    static const char *const names[] = {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"};
    int64_t rows = f->left ? n : m, width = f->left ? m : n, wrong = 0;
    struct literal *a = slow_program_random(
        &arena, arena_printf(&arena, "c128[%d,%d]", (int)n, (int)n), seed, 1,
        9);
    struct literal *b = slow_program_random(
        &arena, arena_printf(&arena, "c128[%d,%d]", (int)rows, (int)width),
        seed + 1, -9, 9);
    struct slow_program *p = slow_program_new(&arena, "TriangularSolve");
    slow_program_operand(p, a);
    slow_program_operand(p, b);
    slow_program_int(p, ATTRIBUTE_LEFT_SIDE, f->left);
    slow_program_int(p, ATTRIBUTE_LOWER, f->lower);
    slow_program_int(p, ATTRIBUTE_UNIT_DIAGONAL, f->unit);
    slow_program_name(p, ATTRIBUTE_TRANSPOSE_A, names[f->transpose]);
    if (!OK(slow_program_run(p), "%s", p->status.text))
        return;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < width; j++)
            wrong += !solves(a, b, slow_program_value(p), f, i, j);
    EQ_INT(wrong, 0, "%s, %s, %s, %s: wrong elements",
           f->left ? "left" : "right", f->lower ? "lower" : "upper",
           f->unit ? "unit" : "diagonal", names[f->transpose]);
}

int main(void)
{
    if (getenv("ASSAY_LONG"))
        rounds = 2000;
    test_cholesky();
    test_cholesky_judge();
    for (int k = 0; k < 24; k++) {
        struct flags f = {k & 1, k & 2, k & 4, k / 8};
        for (int64_t i = 0; i < rounds / 10; i++)
            check_solve(&f, 1 + (k + i) % 6, 1 + i % 3, (uint64_t)(k + 7 * i));
    }
    mpfr_free_cache();
    arena_free(&arena);
    return tap_done();
}
