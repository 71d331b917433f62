/* lapack_svd.c - singular values and their bases; see lapack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/lapack.h"
#include "interp/ops/lapack_call.h"

/* A tall matrix: the operand, or its adjoint.  Its columns become those of U
 * times the singular values. */
struct svd {
    struct lapack_call *c;
    struct lapack_matrix b, u, v, s;
    mpfr_t p, q, off[2], least; /* least: squared length */
};

/* x^H y of two columns; in to, of as many parts. */
static void inner(const struct lapack_matrix *m, mpfr_ptr to, int64_t i,
                  int64_t j)
{
    for (int part = 0; part < m->parts; part++)
        mpfr_set_zero(to + part, 1);
    for (int64_t k = 0; k < m->rows; k++)
        lapack_matrix_add(m, to, lapack_matrix_at(m, k, i), true,
                          lapack_matrix_at(m, k, j));
}

/* Make two columns orthogonal; false: they are, or one is as good as zero. */
static bool turn(struct svd *d, int64_t i, int64_t j)
{
    mpfr_t t[2];
    bool any = false;
    mpfr_init2(t[0], LAPACK_MATRIX_BITS);
    mpfr_init2(t[1], LAPACK_MATRIX_BITS);
    inner(&d->b, t[0], i, i);
    mpfr_set(d->p, t[0], MPFR_RNDN);
    inner(&d->b, t[0], j, j);
    mpfr_set(d->q, t[0], MPFR_RNDN);
    inner(&d->b, d->off[0], i, j);
    if (d->b.parts == 2)
        mpfr_hypot(t[0], d->off[0], d->off[1], MPFR_RNDN);
    else
        mpfr_abs(t[0], d->off[0], MPFR_RNDN);
    mpfr_mul(t[1], d->p, d->q, MPFR_RNDN);
    mpfr_sqrt(t[1], t[1], MPFR_RNDN);
    mpfr_mul_2si(t[1], t[1], 32 - LAPACK_MATRIX_BITS, MPFR_RNDN);
    if (mpfr_cmp(t[0], t[1]) > 0 && mpfr_cmp(d->p, d->least) > 0
        && mpfr_cmp(d->q, d->least) > 0) {
        any = true;
        if (d->b.parts == 2) {
            lapack_call_turn(d->c, &d->b, false, j, d->off[0], true);
            lapack_call_turn(d->c, &d->v, false, j, d->off[0], true);
            mpfr_set(d->off[0], t[0], MPFR_RNDN);
        }
        lapack_call_find_rotation(d->c, d->p, d->off[0], d->q);
        lapack_call_rotate(d->c, &d->b, false, i, j);
        lapack_call_rotate(d->c, &d->v, false, i, j);
    }
    mpfr_clear(t[0]);
    mpfr_clear(t[1]);
    return any;
}

/* Column k of U: the length that it had is returned in d->p. */
static void normalize(struct svd *d, const struct lapack_matrix *m, int64_t k)
{
    inner(m, d->off[0], k, k);
    mpfr_sqrt(d->p, d->off[0], MPFR_RNDN);
    for (int64_t i = 0; !mpfr_zero_p(d->p) && i < m->rows; i++)
        for (int part = 0; part < m->parts; part++) {
            mpfr_ptr x = lapack_matrix_at(m, i, k) + part;
            mpfr_div(x, x, d->p, MPFR_RNDN);
        }
}

/* Column k less its projections on those before. */
static void project(struct svd *d, int64_t k)
{
    const struct lapack_matrix *m = &d->u;
    for (int64_t j = 0; j < k; j++) {
        inner(m, d->off[0], j, k);
        for (int part = 0; part < m->parts; part++)
            mpfr_neg(d->off[part], d->off[part], MPFR_RNDN);
        for (int64_t i = 0; i < m->rows; i++)
            lapack_matrix_add(m, lapack_matrix_at(m, i, k), d->off[0], false,
                              lapack_matrix_at(m, i, j));
    }
}

/* Column k of U: any that is orthogonal to those before.  Of the unit vectors,
 * one keeps a length of (rows - k) / rows at least, squared. */
static void complete(struct svd *d, int64_t k)
{
    const struct lapack_matrix *m = &d->u;
    for (int64_t e = 0; e < m->rows; e++) {
        for (int64_t i = 0; i < m->rows; i++)
            for (int part = 0; part < m->parts; part++)
                mpfr_set_ui(lapack_matrix_at(m, i, k) + part,
                            i == e && part == 0, MPFR_RNDN);
        project(d, k);
        normalize(d, m, k);
        mpfr_sqr(d->p, d->p, MPFR_RNDN);
        mpfr_mul_ui(d->p, d->p, (unsigned long)m->rows + 1, MPFR_RNDN);
        if (mpfr_cmp_ui(d->p, 1) >= 0)
            break;
    }
    project(d, k);
    normalize(d, m, k);
}

/* The longest of the remaining columns first; one that is as good as zero gives
 * a singular value of zero. */
static void sort_columns(struct svd *d)
{
    const struct lapack_matrix *s = &d->s;
    for (int64_t k = 0; k < s->columns; k++) {
        inner(&d->b, d->off[0], k, k);
        mpfr_sqrt(s->at[k], d->off[0], MPFR_RNDN);
    }
    for (int64_t k = 0; k < s->columns; k++) {
        int64_t best = k;
        for (int64_t j = k + 1; j < s->columns; j++)
            if (mpfr_cmp(s->at[j], s->at[best]) > 0)
                best = j;
        lapack_matrix_swap_columns(s, k, best);
        lapack_matrix_swap_columns(&d->b, k, best);
        lapack_matrix_swap_columns(&d->v, k, best);
    }
    for (int64_t k = 1; k < s->columns; k++) {
        mpfr_mul_2si(d->p, s->at[0], 112 - LAPACK_MATRIX_BITS, MPFR_RNDN);
        if (mpfr_cmp(s->at[k], d->p) <= 0)
            mpfr_set_zero(s->at[k], 1);
    }
}

static void find_left(struct svd *d)
{
    for (int64_t k = 0; k < d->u.columns; k++) {
        if (k >= d->s.columns || mpfr_zero_p(d->s.at[k])) {
            complete(d, k);
            continue;
        }
        for (int64_t i = 0; i < d->u.rows; i++)
            lapack_matrix_set(&d->u, lapack_matrix_at(&d->u, i, k),
                              lapack_matrix_at(&d->b, i, k));
        normalize(d, &d->u, k);
    }
}

static void adjoint(const struct lapack_matrix *to,
                    const struct lapack_matrix *from)
{
    for (int64_t i = 0; i < to->rows; i++)
        for (int64_t j = 0; j < to->columns; j++) {
            mpfr_ptr x = lapack_matrix_at(to, i, j);
            lapack_matrix_set(to, x, lapack_matrix_at(from, j, i));
            if (to->parts == 2)
                mpfr_neg(x + 1, x + 1, MPFR_RNDN);
        }
}

/* U and V^H; of a wide matrix, whose adjoint was taken, the other way round. */
static void return_vectors(struct svd *d, int64_t batch, bool wide)
{
    const struct lapack_matrix *left = wide ? &d->v : &d->u;
    const struct lapack_matrix *right = wide ? &d->u : &d->v;
    struct lapack_matrix turned;
    lapack_matrix_open(&turned, d->c->arena, right->columns, right->rows,
                       right->parts);
    adjoint(&turned, right);
    lapack_call_put(d->c, 1, batch, &d->s);
    lapack_call_put(d->c, 2, batch, left);
    lapack_call_put(d->c, 3, batch, &turned);
    lapack_matrix_close(&turned);
}

/* One-sided Jacobi (Hestenes). */
static void decompose(struct svd *d, int64_t batch)
{
    bool wide = d->c->p->rows < d->c->p->columns, any = true;
    if (wide)
        adjoint(&d->b, &d->c->a);
    else
        for (int64_t i = 0; i < d->b.rows; i++)
            for (int64_t j = 0; j < d->b.columns; j++)
                lapack_matrix_set(&d->b, lapack_matrix_at(&d->b, i, j),
                                  lapack_matrix_at(&d->c->a, i, j));
    lapack_matrix_identity(&d->v);
    lapack_matrix_norm(d->least, &d->b);
    mpfr_sqr(d->least, d->least, MPFR_RNDN);
    mpfr_mul_2si(d->least, d->least, 2 * (64 - LAPACK_MATRIX_BITS), MPFR_RNDN);
    for (int sweep = 0; any && sweep < 64; sweep++) {
        any = false;
        for (int64_t i = 0; i < d->b.columns; i++)
            for (int64_t j = i + 1; j < d->b.columns; j++)
                any = turn(d, i, j) || any;
    }
    sort_columns(d);
    find_left(d);
    return_vectors(d, batch, wide);
}

bool lapack_svd_eval(struct eval *ev, struct status *st)
{
    struct lapack_call c;
    struct svd d = {.c = &c};
    TRY(lapack_call_open(&c, ev, st));
    const struct check_lapack *p = c.p;
    bool wide = p->rows < p->columns;
    const struct shape *u = c.goals[2]->value->shape;
    const struct shape *v = c.goals[3]->value->shape;
    int64_t most = wide ? p->columns : p->rows;
    int64_t least = wide ? p->rows : p->columns;
    lapack_matrix_open(&d.b, ev->arena, most, least, p->parts);
    lapack_matrix_open(&d.v, ev->arena, least, least, p->parts);
    lapack_matrix_open(&d.s, ev->arena, 1, least, 1);
    lapack_matrix_open(&d.u, ev->arena, most,
                       wide ? v->dims[v->rank - 2] : u->dims[u->rank - 1],
                       p->parts);
    mpfr_inits2(LAPACK_MATRIX_BITS, d.p, d.q, d.off[0], d.off[1], d.least,
                (mpfr_ptr)0);
    bool finite = true;
    for (int64_t b = 0; b < p->batches; b++) {
        goal_bits(c.goals[4], b, 0);
        if (lapack_call_read(&c, b))
            decompose(&d, b);
        else
            finite = false;
    }
    mpfr_clears(d.p, d.q, d.off[0], d.off[1], d.least, (mpfr_ptr)0);
    lapack_matrix_close(&d.u);
    lapack_matrix_close(&d.s);
    lapack_matrix_close(&d.v);
    lapack_matrix_close(&d.b);
    lapack_call_close(&c, ev, check_lapack_svd, 1, finite);
    lapack_call_ends(&c, ev, 1, 1, lapack_ends_svd);
    return true;
}
