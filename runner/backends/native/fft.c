/* fft.c - Fourier transforms by their definition, in doubles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

enum kind {
    FFT,
    IFFT,
    RFFT,
    IRFFT
};

static enum kind kind_of(const struct node *n)
{
    static const char *const names[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
    const char *name = attribute_string(n, "fft_type");
    for (int i = 0; i < 4; i++)
        if (strcmp(name, names[i]) == 0)
            return (enum kind)i;
    return FFT;
}

assay_code fft_check(struct check *c)
{
    const struct shape *s = c->operands[0];
    const struct attribute *a;
    enum kind kind = kind_of(c->node);
    int64_t dims[RANK_MAX];
    TRY(attribute_need(c, "fft_length", &a));
    if (s->kind != ASSAY_ARRAY
        || s->type->class != (kind == RFFT ? FLOAT : COMPLEX)
        || (kind == RFFT && s->type->bits < 32))
        return program_fail(c, ASSAY_TYPE,
                            "the operand has the wrong element type");
    if (a->count < 1 || a->count > 3 || a->count > s->rank)
        return program_fail(c, ASSAY_ATTRIBUTE, "%d lengths", (int)a->count);
    for (int i = 0; i < s->rank; i++)
        dims[i] = s->dims[i];
    for (int i = 0; i < (int)a->count; i++) {
        int d = s->rank - (int)a->count + i;
        int64_t n = a->ints[i], due = n;
        if (n < 0)
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "fft_length has the entry %lld", (long long)n);
        if (kind == IRFFT && i == a->count - 1 && n > 0)
            due = n / 2 + 1;
        if (s->dims[d] != due)
            return program_fail(c, ASSAY_SHAPE, "dimension %d", d);
        dims[d] = n;
    }
    if (kind == RFFT && dims[s->rank - 1] > 0)
        dims[s->rank - 1] = dims[s->rank - 1] / 2 + 1;
    const struct type *t = kind == RFFT    ? type_complex(s->type)
                           : kind == IRFFT ? type_part(s->type)
                                           : s->type;
    c->result = shape_new(c->memory, t, s->rank, dims);
    return ASSAY_OK;
}

/* One line of n numbers, step apart. */
static void transform(double complex *x, int64_t step, int64_t n, int inverse,
                      const double complex *root, double complex *y)
{
    for (int64_t k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (int64_t j = 0; j < n; j++) {
            double complex z = x[j * step], w = root[j * k % n];
            re += creal(z) * creal(w) - cimag(z) * cimag(w);
            im += creal(z) * cimag(w) + cimag(z) * creal(w);
        }
        y[k] = inverse ? type_pair(re / (double)n, im / (double)n)
                       : type_pair(re, im);
    }
    for (int64_t k = 0; k < n; k++)
        x[k * step] = y[k];
}

/* Along one dimension of an array of all numbers. */
static void transform_axis(struct run *r, double complex *x, int64_t all,
                           int64_t step, int64_t n, int inverse)
{
    double complex *root = memory_new(r->memory, (size_t)n + 1, sizeof *root);
    double complex *y = memory_new(r->memory, (size_t)n + 1, sizeof *y);
    for (int64_t k = 0; k < n; k++) {
        double angle = 8 * atan(1.0) * (double)k / (double)n;
        double re = cos(angle), im = inverse ? sin(angle) : -sin(angle);
        if (4 * k % n == 0) { /* a quarter of a turn is exact */
            re = rint(re);
            im = rint(im);
        }
        root[k] = type_pair(re, im);
    }
    for (int64_t i = 0; i < all; i++)
        if (i / step % n == 0)
            transform(x + i, step, n, inverse, root, y);
}

/* Rows of n / 2 + 1 numbers into rows of n, completed by conjugates. */
static void complete(const double complex *half, int64_t rows, int64_t n,
                     double complex *x)
{
    int64_t h = n / 2 + 1;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t k = 0; k < n; k++) {
            double complex z =
                k < h ? half[i * h + k] : conj(half[i * h + n - k]);
            x[i * n + k] = k == 0 || 2 * k == n ? type_pair(creal(z), 0) : z;
        }
}

assay_code fft_run(struct run *r)
{
    const struct value *v = r->operands[0];
    const struct shape *s = v->shape;
    const struct attribute *a = attribute_find(r->node, "fft_length");
    struct value *out = machine_result(r);
    enum kind kind = kind_of(r->node);
    int64_t all = shape_count(s), n = a->ints[a->count - 1];
    int inverse = kind == IFFT || kind == IRFFT;
    double complex *x = memory_new(r->memory, (size_t)all + 1, sizeof *x);
    if (shape_count(out->shape) == 0)
        return ASSAY_OK;
    for (int64_t i = 0; i < all; i++)
        x[i] = s->type->class == COMPLEX
                   ? type_number(s->type, v->data, i)
                   : type_pair(type_double(s->type, v->data, i), 0);
    if (kind != IRFFT)
        transform_axis(r, x, all, 1, n, inverse);
    int64_t step = s->dims[s->rank - 1];
    for (int i = 1; i < (int)a->count; i++) {
        int64_t size = s->dims[s->rank - 1 - i];
        transform_axis(r, x, all, step, size, inverse);
        step *= size;
    }
    int64_t width = s->dims[s->rank - 1], kept = n;
    if (kind == IRFFT) {
        int64_t rows = all / width;
        double complex *whole =
            memory_new(r->memory, (size_t)(rows * n) + 1, sizeof *whole);
        complete(x, rows, n, whole);
        transform_axis(r, whole, rows * n, 1, n, 1);
        x = whole;
    }
    if (kind == RFFT)
        kept = n / 2 + 1;
    for (int64_t i = 0; i < shape_count(out->shape); i++) {
        double complex z = x[i / kept * n + i % kept];
        if (kind == IRFFT)
            type_set_double(out->shape->type, out->data, i, creal(z));
        else
            type_set_number(out->shape->type, out->data, i, z);
    }
    return ASSAY_OK;
}
