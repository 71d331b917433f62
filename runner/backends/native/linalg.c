/* linalg.c - Cholesky, TriangularSolve, and LAPACK's getrf, in complex doubles.
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

/* ---- LU decomposition ---------------------------------------------------- */

/* Results: the factors, k pivots, counted from 1, and info. */
int linalg_is_getrf(const struct run *r)
{
    const char *name = attribute_string(r->node, "call_target_name");
    const struct attribute *a = attribute_find(r->node, "shape");
    if (strncmp(name, "lapack_", 7) != 0 || name[7] == '\0'
        || strcmp(name + 8, "getrf_ffi") != 0 || r->node->count != 1)
        return 0;
    const struct shape *in = r->operands[0]->shape, *out = a->shape;
    if (in->kind != ASSAY_ARRAY || !is_number(in->type) || in->rank < 2
        || out->kind != ASSAY_TUPLE || out->rank != 3)
        return 0;
    int64_t rows = in->dims[in->rank - 2], columns = in->dims[in->rank - 1];
    int64_t batches =
        rows * columns > 0 ? shape_count(in) / (rows * columns) : 0;
    for (int i = 1; i < 3; i++)
        if (out->elements[i]->kind != ASSAY_ARRAY
            || out->elements[i]->type != type_find("s32"))
            return 0;
    return batches > 0 && shape_equal(in, out->elements[0])
           && shape_count(out->elements[1])
                  == batches * (rows < columns ? rows : columns)
           && shape_count(out->elements[2]) == batches;
}

static double size_of(double complex z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

static void swap_rows(double complex *m, int64_t columns, int64_t i, int64_t j)
{
    for (int64_t c = 0; c < columns && i != j; c++) {
        double complex z = m[i * columns + c];
        m[i * columns + c] = m[j * columns + c];
        m[j * columns + c] = z;
    }
}

/* Column k: the row of its largest element from k on comes to row k; then its
 * multiples clear the column below, and stand there. */
static int64_t eliminate(double complex *m, int64_t rows, int64_t columns,
                         int64_t k)
{
    int64_t pivot = k;
    for (int64_t i = k + 1; i < rows; i++)
        if (size_of(m[i * columns + k]) > size_of(m[pivot * columns + k]))
            pivot = i;
    swap_rows(m, columns, k, pivot);
    double complex divisor = m[k * columns + k];
    for (int64_t i = k + 1; i < rows && size_of(divisor) != 0; i++) {
        double complex factor = m[i * columns + k] / divisor;
        m[i * columns + k] = factor;
        for (int64_t j = k + 1; j < columns; j++)
            m[i * columns + j] -= factor * m[k * columns + j];
    }
    return pivot;
}

assay_code linalg_run_getrf(struct run *r)
{
    const struct value *a = r->operands[0];
    struct value **out = machine_result(r)->elements;
    const struct shape *s = a->shape;
    const struct type *s32 = type_find("s32");
    int64_t rows = s->dims[s->rank - 2], columns = s->dims[s->rank - 1];
    int64_t size = rows * columns, count = rows < columns ? rows : columns;
    double complex *m = memory_new(r->memory, (size_t)size, sizeof *m);
    for (int64_t b = 0; b < shape_count(s) / size; b++) {
        int64_t info = 0;
        for (int64_t i = 0; i < size; i++)
            m[i] = get(a, b * size + i);
        for (int64_t k = 0; k < count; k++) {
            int64_t pivot = eliminate(m, rows, columns, k);
            type_set_int(s32, out[1]->data, b * count + k, (uint64_t)pivot + 1);
            if (info == 0 && size_of(m[k * columns + k]) == 0)
                info = k + 1;
        }
        for (int64_t i = 0; i < size; i++)
            set(out[0], b * size + i, m[i]);
        type_set_int(s32, out[2]->data, b, (uint64_t)info);
    }
    return ASSAY_OK;
}
