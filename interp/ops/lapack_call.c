/* lapack_call.c - see lapack_call.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/lapack_call.h"

#include <stdlib.h>
#include <string.h>

#include "interp/program/attribute.h"

int lapack_call_option(const struct instruction *in, const char *name,
                       int other)
{
    const char *text = attribute_string(in, ATTRIBUTE_OPAQUE);
    const char *at = text ? strstr(text, name) : NULL;
    if (!at)
        return other;
    at += strlen(name);
    return (int)strtol(at + strspn(at, " ="), NULL, 10);
}

bool lapack_call_open(struct lapack_call *c, struct eval *ev, struct status *st)
{
    struct check_lapack *p = arena_new(ev->arena, struct check_lapack, 1);
    const struct shape *s = ev->operands[0]->shape, *r = ev->in->shape;
    for (int i = 0; i < ev->count; i++)
        TRY(eval_decided(ev, i, st));
    p->a = ev->operands[0];
    p->tau = ev->count > 1 ? ev->operands[1] : NULL;
    p->unit = dtype_unit(s->dtype);
    p->parts = dtype_units(s->dtype);
    p->rows = s->dims[s->rank - 2];
    p->columns = s->dims[s->rank - 1];
    int64_t size = p->rows * p->columns;
    int64_t most = p->rows > p->columns ? p->rows : p->columns;
    p->batches = size ? shape_elements(s) / size : 0;
    p->lower = lapack_call_option(ev->in, "uplo", 'L') == 'L';
    p->vectors = lapack_call_option(ev->in, "mode", 'V') != 'N';
    TRY(eval_charge(ev, p->batches, size * (most + 1), st));
    *c = (struct lapack_call){.p = p, .arena = ev->arena};
    c->count = r->kind == SHAPE_TUPLE ? r->rank : 1;
    for (int i = 0; i < c->count; i++)
        c->goals[i] =
            goal_new(ev->arena, r->kind == SHAPE_TUPLE ? r->elements[i] : r,
                     GOAL_BITS, ev->want_exact);
    lapack_matrix_open(&c->a, ev->arena, p->rows, p->columns, p->parts);
    mpfr_inits2(LAPACK_MATRIX_BITS, c->x, c->y, c->t, (mpfr_ptr)0);
    return true;
}

void lapack_call_close(struct lapack_call *c, struct eval *ev,
                       goal_check *check, int place, bool decided)
{
    lapack_matrix_close(&c->a);
    mpfr_clears(c->x, c->y, c->t, (mpfr_ptr)0);
    for (int i = 0; i < c->count; i++) {
        c->p->exact[i] = c->goals[i]->value;
        if (i < place)
            goal_make_free(c->goals[i]);
        else if (i < c->count - 1 || !decided)
            goal_make_check(c->goals[i], check, c->p, i);
    }
    eval_return(ev, ev->in->shape, c->goals);
}

void lapack_call_ends(struct lapack_call *c, const struct eval *ev, int first,
                      int count,
                      void (*find)(struct check_lapack *p,
                                   const struct goal *g))
{
    for (int i = first; i < first + count; i++)
        c->goals[i]->check.ends = lapack_ends;
    if (ev->want_exact)
        find(c->p, c->goals[first]);
}

bool lapack_call_read(struct lapack_call *c, int64_t batch)
{
    if (check_lapack_finite(c->p, batch)) {
        check_lapack_read(c->p, batch, &c->a);
        return true;
    }
    for (int i = 0; i < c->count; i++) {
        struct goal *g = c->goals[i];
        int64_t units = literal_units(g->value) / c->p->batches;
        if (dtype_unit(g->value->shape->dtype) != c->p->unit)
            continue;
        for (int64_t k = 0; k < units; k++)
            goal_bits(g, batch * units + k, real_nan(c->p->unit, false));
    }
    return false;
}

void lapack_call_put(struct lapack_call *c, int place, int64_t batch,
                     const struct lapack_matrix *m)
{
    int64_t units = m->rows * m->columns * m->parts;
    for (int64_t i = 0; i < units; i++) {
        struct real r = real_from_mpfr(m->at[i], 0);
        goal_real(c->goals[place], batch * units + i, &r);
    }
}

void lapack_call_divide(struct lapack_call *c, mpfr_ptr x, mpfr_srcptr y)
{
    if (c->a.parts == 1) {
        mpfr_div(x, x, y, MPFR_RNDN);
        return;
    }
    mpfr_sqr(c->t, y, MPFR_RNDN);
    mpfr_fma(c->t, y + 1, y + 1, c->t, MPFR_RNDN);
    lapack_matrix_scale(&c->a, x, y, true);
    mpfr_div(x, x, c->t, MPFR_RNDN);
    mpfr_div(x + 1, x + 1, c->t, MPFR_RNDN);
}

void lapack_call_find_rotation(struct lapack_call *c, mpfr_srcptr p,
                               mpfr_srcptr off, mpfr_srcptr q)
{
    mpfr_sub(c->t, q, p, MPFR_RNDN);
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

void lapack_call_rotate(struct lapack_call *c, const struct lapack_matrix *m,
                        bool rows, int64_t i, int64_t j)
{
    for (int64_t k = 0; k < (rows ? m->columns : m->rows); k++)
        for (int part = 0; part < m->parts; part++) {
            mpfr_ptr x = part
                         + (rows ? lapack_matrix_at(m, i, k)
                                 : lapack_matrix_at(m, k, i));
            mpfr_ptr y = part
                         + (rows ? lapack_matrix_at(m, j, k)
                                 : lapack_matrix_at(m, k, j));
            mpfr_mul(c->t, c->x, x, MPFR_RNDN);
            mpfr_fms(c->t, c->y, y, c->t, MPFR_RNDN);
            mpfr_neg(c->t, c->t, MPFR_RNDN);
            mpfr_mul(x, c->y, x, MPFR_RNDN);
            mpfr_fma(y, c->x, y, x, MPFR_RNDN);
            mpfr_set(x, c->t, MPFR_RNDN);
        }
}

void lapack_call_turn(struct lapack_call *c, const struct lapack_matrix *m,
                      bool row, int64_t j, mpfr_srcptr x, bool conjugate)
{
    mpfr_t unit[2];
    mpfr_init2(unit[0], LAPACK_MATRIX_BITS);
    mpfr_init2(unit[1], LAPACK_MATRIX_BITS);
    mpfr_hypot(c->t, x, x + 1, MPFR_RNDN);
    mpfr_div(unit[0], x, c->t, MPFR_RNDN);
    mpfr_div(unit[1], x + 1, c->t, MPFR_RNDN);
    for (int64_t k = 0; k < (row ? m->columns : m->rows); k++)
        lapack_matrix_scale(
            m, row ? lapack_matrix_at(m, j, k) : lapack_matrix_at(m, k, j),
            unit[0], conjugate);
    mpfr_clear(unit[0]);
    mpfr_clear(unit[1]);
}
