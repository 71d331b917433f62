/* triangular_ends.c - how far a right solution is from the exact one.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * T x = b are the reference's; a right x' leaves the residual r of some T' and
 * b' between the ends of the operands (check_triangular.c), so
 *
 *     x' - x = T^-1 ((b' - b) - (T' - T) x' - r)
 *
 * where |r| is bounded by |x'|, which is no more than |x| + |x' - x|.  Sizes
 * are |re| + |im|.  Let g(d) be what this gives for the sizes of x' - x where
 * they are at most d: g rises, and g(s d) <= s g(d) for s > 1.  If g(d) < d,
 * then d bounds x' - x: were s > 1 the greatest ratio of it to d, it would be
 * at most g(s d) < s d.  So does g(d). Tests: tools/test/decomposed.t.
 */
#include "interp/check/check.h"
#include "interp/check/residual.h"
#include "interp/check/triangular_bound.h"
#include "interp/goal/goal_ends.h"

enum {
    BITS = 128,
    LOST_BITS = 100, /* of T^-1, relative to |T^-1| |T| |T^-1| */
    TRIES = 6
};

struct triangular_ends {
    const struct check_triangular *p;
    struct check_triangular_place at;
    int64_t batch;                   /* of the matrix that was read */
    struct triangular_bound inverse; /* of T */
    mpfr_t *n;                       /* sizes of T^-1 */
    mpfr_t *most, *width;            /* sizes of T' and of T' - T */
    mpfr_t *off, *lost;   /* of b' - b; of r beside gamma |T'| |x'| */
    mpfr_t *x, *d, *next; /* sizes of x, and of x' - x */
    mpfr_t *rest;         /* what T^-1 is multiplied by */
    mpfr_t gamma, tiny, widest, s, t;
};

struct triangular_ends *triangular_ends_open(const struct check_triangular *p)
{
    struct arena *a = p->arena;
    struct triangular_ends *t = arena_new(a, struct triangular_ends, 1);
    t->p = p;
    t->batch = -1;
    triangular_bound_open(&t->inverse, a, p->n, p->parts);
    int64_t n = t->inverse.n;
    t->n = residual_numbers(a, n * n, BITS);
    t->most = residual_numbers(a, n * n, BITS);
    t->width = residual_numbers(a, n * n, BITS);
    mpfr_t **vectors[] = {&t->off, &t->lost, &t->x, &t->d, &t->next, &t->rest};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = residual_numbers(a, n, BITS);
    mpfr_inits2(BITS, t->gamma, t->tiny, t->widest, t->s, t->t, (mpfr_ptr)0);
    residual_tiny(t->tiny, p->unit, p->flush);
    return t;
}

void triangular_ends_close(struct triangular_ends *t)
{
    int64_t n = t->inverse.n;
    residual_clear(t->n, n * n);
    residual_clear(t->most, n * n);
    residual_clear(t->width, n * n);
    mpfr_t *vectors[] = {t->off, t->lost, t->x, t->d, t->next, t->rest};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        residual_clear(vectors[i], n);
    mpfr_clears(t->gamma, t->tiny, t->widest, t->s, t->t, (mpfr_ptr)0);
    triangular_bound_close(&t->inverse);
}

/* Of one part of an operand: its value, to which the greatest magnitude between
 * its ends and the greatest distance from it are added. */
static void read_part(struct triangular_ends *t, const struct literal *value,
                      const struct literal *const *ends, int64_t unit,
                      mpfr_ptr part, mpfr_ptr most, mpfr_ptr width)
{
    MPFR_DECL_INIT(size, BITS);
    MPFR_DECL_INIT(far, BITS);
    real_bits_to_mpfr(part, t->p->unit, literal_get(value, unit));
    mpfr_set_zero(size, 1);
    mpfr_set_zero(far, 1);
    for (int end = 0; end < 2; end++) {
        real_bits_to_mpfr(t->s, t->p->unit, literal_get(ends[end], unit));
        mpfr_sub(t->t, t->s, part, MPFR_RNDA);
        mpfr_abs(t->s, t->s, MPFR_RNDU);
        mpfr_abs(t->t, t->t, MPFR_RNDU);
        mpfr_max(size, size, t->s, MPFR_RNDU);
        mpfr_max(far, far, t->t, MPFR_RNDU);
    }
    mpfr_add(most, most, size, MPFR_RNDU);
    mpfr_add(width, width, far, MPFR_RNDU);
}

static void read_a(struct triangular_ends *t, int64_t i, int64_t j)
{
    const struct check_triangular *p = t->p;
    int64_t at = i * p->n + j;
    bool conjugate = false;
    int64_t e = check_triangular_a(&t->at, i, j, &conjugate);
    mpfr_t *to = &t->inverse.t[at * p->parts];
    mpfr_set_ui(t->most[at], e < 0, MPFR_RNDU);
    mpfr_set_zero(t->width[at], 1);
    for (int part = 0; part < p->parts; part++) {
        mpfr_set_ui(to[part], part == 0, MPFR_RNDN);
        if (e >= 0)
            read_part(t, p->a, p->a_ends, e * p->parts + part, to[part],
                      t->most[at], t->width[at]);
        if (part == 1 && conjugate)
            mpfr_neg(to[part], to[part], MPFR_RNDN);
    }
}

/* The sizes of T^-1, which triangular_bound.c finds with small errors. */
static void find_inverse(struct triangular_ends *t)
{
    int64_t n = t->inverse.n;
    int c = t->p->parts;
    mpfr_t *x = t->most; /* before that is read */
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            mpfr_t *z = &t->inverse.inverse[(i * n + j) * c];
            mpfr_abs(x[i * n + j], z[0], MPFR_RNDU);
            mpfr_abs(t->s, z[c - 1], MPFR_RNDU);
            if (c == 2)
                mpfr_add(x[i * n + j], x[i * n + j], t->s, MPFR_RNDU);
        }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            mpfr_set_zero(t->s, 1);
            for (int64_t k = j; k <= i; k++)
                mpfr_fma(t->s, t->inverse.grown[i * n + k], x[k * n + j], t->s,
                         MPFR_RNDU);
            mpfr_div_2ui(t->s, t->s, LOST_BITS, MPFR_RNDU);
            mpfr_add(t->n[i * n + j], x[i * n + j], t->s, MPFR_RNDU);
        }
}

static void open_matrix(struct triangular_ends *t)
{
    const struct check_triangular *p = t->p;
    int64_t n = t->inverse.n;
    for (int pass = 0; pass < 2; pass++) { /* find_inverse takes room */
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j <= i; j++)
                read_a(t, i, j);
        if (pass)
            break;
        triangular_bound_matrix(&t->inverse, p->unit, p->accumulator, t->tiny);
        find_inverse(t);
    }
    mpfr_set_zero(t->widest, 1);
    for (int64_t i = 0; i < n; i++) {
        mpfr_set_zero(t->s, 1);
        for (int64_t j = 0; j <= i; j++)
            mpfr_add(t->s, t->s, t->most[i * n + j], MPFR_RNDU);
        mpfr_max(t->widest, t->widest, t->s, MPFR_RNDU);
    }
    for (int64_t i = 0; i < n; i++)
        check_triangular_row(&t->at, i, t->gamma, t->lost[i]);
}

static void open_column(struct triangular_ends *t, const struct real *x)
{
    const struct check_triangular *p = t->p;
    MPFR_DECL_INIT(part, BITS);
    MPFR_DECL_INIT(unused, BITS);
    bool conjugate;
    for (int64_t i = 0; i < p->n; i++) {
        int64_t unit = check_triangular_b(&t->at, i, 0, &conjugate) * p->parts;
        mpfr_set_zero(t->off[i], 1);
        mpfr_set_zero(unused, 1);
        mpfr_set_zero(t->x[i], 1);
        for (int k = 0; k < p->parts; k++) {
            read_part(t, p->b, p->b_ends, unit + k, part, unused, t->off[i]);
            real_to_mpfr(t->s, &x[i * p->parts + k]);
            mpfr_abs(t->s, t->s, MPFR_RNDU);
            mpfr_add(t->x[i], t->x[i], t->s, MPFR_RNDU);
        }
        mpfr_mul_d(t->x[i], t->x[i], 1 + 0x1p-50, MPFR_RNDU); /* cut off */
        mpfr_set(t->d[i], t->tiny, MPFR_RNDU);
    }
}

/* In rest[i], what row i of T^-1 (...) adds up: sizes of x' are in next. */
static void find_rest(struct triangular_ends *t, int64_t i, mpfr_srcptr largest)
{
    const struct check_triangular *p = t->p;
    mpfr_ptr to = t->rest[i];
    mpfr_set_zero(t->s, 1); /* |T'| |x'|, with what may count as zero */
    mpfr_set(to, t->off[i], MPFR_RNDU);
    for (int64_t j = 0; j <= i; j++) {
        mpfr_set(t->t, t->most[i * p->n + j], MPFR_RNDU);
        if (p->flush)
            mpfr_add(t->t, t->t, t->tiny, MPFR_RNDU);
        mpfr_fma(t->s, t->t, t->next[j], t->s, MPFR_RNDU);
        mpfr_fma(to, t->width[i * p->n + j], t->next[j], to, MPFR_RNDU);
    }
    if (!p->row_wise)
        mpfr_mul(t->s, t->widest, largest, MPFR_RNDU);
    mpfr_fma(t->s, t->s, t->gamma, t->lost[i], MPFR_RNDU);
    mpfr_mul_ui(t->s, t->s, (unsigned long)p->parts, MPFR_RNDU);
    mpfr_add(to, to, t->s, MPFR_RNDU);
}

/* next = g(d); is it less? */
static bool iterate(struct triangular_ends *t)
{
    int64_t n = t->p->n;
    bool less = true;
    MPFR_DECL_INIT(largest, BITS);
    mpfr_set_zero(largest, 1);
    for (int64_t i = 0; i < n; i++) {
        mpfr_add(t->next[i], t->x[i], t->d[i], MPFR_RNDU);
        mpfr_max(largest, largest, t->next[i], MPFR_RNDU);
    }
    for (int64_t i = 0; i < n; i++)
        find_rest(t, i, largest);
    for (int64_t i = 0; i < n; i++) {
        mpfr_set_zero(t->next[i], 1);
        for (int64_t k = 0; k <= i; k++)
            mpfr_fma(t->next[i], t->n[i * n + k], t->rest[k], t->next[i],
                     MPFR_RNDU);
        less = less && mpfr_cmp(t->next[i], t->d[i]) < 0;
    }
    return less;
}

static bool find_bound(struct triangular_ends *t)
{
    for (int k = 0; k < TRIES; k++) {
        if (iterate(t))
            return true;
        for (int64_t i = 0; i < t->p->n; i++) {
            mpfr_mul_2ui(t->d[i], t->next[i], 1, MPFR_RNDU);
            mpfr_add(t->d[i], t->d[i], t->tiny, MPFR_RNDU);
        }
    }
    return false;
}

/* The ends of a part of x'(i). */
static bool put_ends(struct triangular_ends *t, int64_t i, int64_t unit,
                     const struct real *exact)
{
    const struct check_triangular *p = t->p;
    bool finite = true;
    for (int up = 0; up < 2; up++) {
        real_to_mpfr(t->s, exact);
        mpfr_abs(t->t, t->s, MPFR_RNDU);
        mpfr_div_2ui(t->t, t->t, LOST_BITS, MPFR_RNDU); /* cut off */
        mpfr_add(t->t, t->t, t->next[i], MPFR_RNDU);
        (up ? mpfr_add : mpfr_sub)(t->s, t->s, t->t,
                                   up ? MPFR_RNDU : MPFR_RNDD);
        uint64_t bits = residual_end(t->s, p->unit, up);
        finite = finite && real_is_finite(p->unit, bits);
        literal_set(up ? p->most : p->least, unit, bits);
    }
    return finite;
}

void triangular_ends_column(struct triangular_ends *t,
                            const struct check_triangular_place *at,
                            const struct real *x)
{
    const struct check_triangular *p = t->p;
    bool conjugate, known = t->inverse.n > 0;
    t->at = *at;
    if (known && at->batch != t->batch)
        open_matrix(t);
    t->batch = at->batch;
    known = known && t->inverse.known;
    if (known) {
        open_column(t, x);
        known = find_bound(t);
    }
    for (int64_t i = 0; known && i < p->n; i++) {
        int64_t unit = check_triangular_b(at, i, 0, &conjugate) * p->parts;
        for (int k = 0; known && k < p->parts; k++)
            known = put_ends(t, i, unit + k, &x[i * p->parts + k]);
    }
    p->bounded[at->batch * p->columns + at->column] = known;
}

bool triangular_ends(const struct goal *g, int64_t i, struct goal_ends *e,
                     const char **why)
{
    const struct check_triangular *p = g->check.data;
    int64_t all = p->n * p->columns, at = i / p->parts % all;
    int64_t column = i / p->parts / all * p->columns
                     + (p->left ? at % p->columns : at / p->n);
    if (p->state[column] != CHECK_TRIANGULAR_SOLVED)
        *why = "may be a NaN or a number";
    if (p->state[column] != CHECK_TRIANGULAR_SOLVED || !p->bounded[column])
        return false;
    *e = (struct goal_ends){literal_get(p->least, i), literal_get(p->most, i)};
    return true;
}
