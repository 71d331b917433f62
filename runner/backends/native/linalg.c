/* linalg.c - Cholesky and TriangularSolve, in complex doubles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

static int is_number(const struct type *t)
{
    return t->class == FLOAT || t->class == COMPLEX;
}

static double complex get(const struct value *v, int64_t i)
{
    const struct type *t = v->shape->type;
    return t->class == COMPLEX ? type_number(t, v->data, i)
                               : type_pair(type_double(t, v->data, i), 0);
}

static void set(struct value *v, int64_t i, double complex z)
{
    const struct type *t = v->shape->type;
    if (t->class == COMPLEX)
        type_set_number(t, v->data, i, z);
    else
        type_set_double(t, v->data, i, creal(z));
}

/* A batch of square matrices of floats? */
static assay_code check_square(struct check *c)
{
    const struct shape *s = c->operands[0];
    if (s->kind != ASSAY_ARRAY || !is_number(s->type))
        return program_fail(c, ASSAY_TYPE, "operand 0 is not of floats");
    if (s->rank < 2 || s->dims[s->rank - 1] != s->dims[s->rank - 2])
        return program_fail(c, ASSAY_SHAPE, "operand 0 is not square");
    return ASSAY_OK;
}

/* ---- Cholesky ------------------------------------------------------------ */

assay_code linalg_check_cholesky(struct check *c)
{
    assay_code code = check_square(c);
    c->result = c->operands[0];
    return code;
}

/* l(i, j) for i >= j; an upper triangle is its conjugate transpose. */
static void decompose(const struct value *a, struct value *out,
                      double complex *l, int64_t n, int64_t first, int lower)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i < n; i++) {
            int64_t at = first + (lower ? i * n + j : j * n + i);
            double complex sum = lower ? get(a, at) : conj(get(a, at));
            for (int64_t k = 0; k < j; k++)
                sum -= l[i * n + k] * conj(l[j * n + k]);
            if (i == j)
                sum = type_pair(sqrt(creal(sum)), 0);
            else
                sum = type_pair(creal(sum) / creal(l[j * n + j]),
                                cimag(sum) / creal(l[j * n + j]));
            l[i * n + j] = sum;
            set(out, at, lower ? sum : conj(sum));
        }
}

assay_code linalg_run_cholesky(struct run *r)
{
    struct value *out = machine_result(r);
    const struct shape *s = out->shape;
    int64_t n = s->dims[s->rank - 1], all = shape_count(s);
    double complex *l = memory_new(r->memory, (size_t)(n * n) + 1, sizeof *l);
    for (int64_t i = 0; i < all; i += n * n)
        decompose(r->operands[0], out, l, n, i,
                  attribute_int(r->node, "lower", 0) != 0);
    return ASSAY_OK;
}

/* ---- TriangularSolve ----------------------------------------------------- */

assay_code linalg_check_solve(struct check *c)
{
    const struct shape *a = c->operands[0], *b = c->operands[1];
    int left = attribute_int(c->node, "left_side", 0) != 0;
    TRY(check_square(c));
    if (b->kind != ASSAY_ARRAY || b->type != a->type)
        return program_fail(c, ASSAY_TYPE, "operands differ in type");
    if (b->rank != a->rank)
        return program_fail(c, ASSAY_SHAPE, "ranks %d and %d", a->rank,
                            b->rank);
    for (int i = 0; i < a->rank - 2; i++)
        if (a->dims[i] != b->dims[i])
            return program_fail(c, ASSAY_SHAPE, "batches differ");
    if (b->dims[b->rank - (left ? 2 : 1)] != a->dims[a->rank - 1])
        return program_fail(c, ASSAY_SHAPE, "b does not fit a");
    c->result = b;
    return ASSAY_OK;
}

/* One column of t x = b, where t is triangular. */
struct solver {
    const struct value *a, *b;
    struct value *out;
    int64_t n, columns;
    int left, lower, unit, swap, conjugate;
    double complex *x;
};

static double complex element(const struct solver *s, int64_t first, int64_t i,
                              int64_t j)
{
    double complex z =
        get(s->a, first + (s->swap ? j * s->n + i : i * s->n + j));
    return s->conjugate ? conj(z) : z;
}

static void solve(const struct solver *s, int64_t batch, int64_t column)
{
    int64_t n = s->n, a = batch * n * n, b = batch * n * s->columns;
    for (int64_t k = 0; k < n; k++) {
        int64_t i = s->lower ? k : n - 1 - k;
        int64_t at = b + (s->left ? i * s->columns + column : column * n + i);
        double complex sum = get(s->b, at);
        for (int64_t m = 0; m < k; m++) {
            int64_t j = s->lower ? m : n - 1 - m;
            sum -= element(s, a, i, j) * s->x[j];
        }
        if (!s->unit && s->a->shape->type->class == FLOAT)
            sum = type_pair(creal(sum) / creal(element(s, a, i, i)), 0);
        else if (!s->unit)
            sum = sum / element(s, a, i, i);
        s->x[i] = sum;
        set(s->out, at, sum);
    }
}

assay_code linalg_run_solve(struct run *r)
{
    const struct shape *b = r->operands[1]->shape;
    const char *transpose = attribute_string(r->node, "transpose_a");
    struct solver s;
    memset(&s, 0, sizeof s);
    s.a = r->operands[0];
    s.b = r->operands[1];
    s.out = machine_result(r);
    s.n = s.a->shape->dims[b->rank - 1];
    s.left = attribute_int(r->node, "left_side", 0) != 0;
    s.unit = attribute_int(r->node, "unit_diagonal", 0) != 0;
    s.conjugate = strcmp(transpose, "ADJOINT") == 0;
    s.swap = (strcmp(transpose, "NO_TRANSPOSE") != 0) != !s.left;
    s.lower = (attribute_int(r->node, "lower", 0) != 0) != s.swap;
    s.columns = b->dims[b->rank - (s.left ? 1 : 2)];
    s.x = memory_new(r->memory, (size_t)s.n + 1, sizeof *s.x);
    int64_t all = s.n > 0 ? shape_count(b) / s.n : 0;
    for (int64_t i = 0; i < all; i++)
        solve(&s, i / s.columns, i % s.columns);
    return ASSAY_OK;
}
