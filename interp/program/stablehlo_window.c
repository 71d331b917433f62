/* stablehlo_window.c - see stablehlo_window.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/stablehlo_window.h"

#include <inttypes.h>
#include <string.h>

#include "interp/program/attribute.h"

static int64_t at(const struct instruction *in, const char *name, int i,
                  int64_t fallback)
{
    const struct attribute *a = attribute_find(in, name);
    return a && i < a->count ? a->ints[i] : fallback;
}

/* Programs that must be rejected are written too: what makes no sense here
 * need only not do harm. */
static int64_t dilated(int64_t size, int64_t dilation)
{
    int64_t last;
    if (size <= 0 || __builtin_mul_overflow(size - 1, dilation, &last))
        return 0;
    return last < INT32_MAX ? last + 1 : 0;
}

static int64_t size_at(const struct shape *s, int64_t d)
{
    return d >= 0 && d < s->rank ? s->dims[d] : 0;
}

/* One dimension under SAME: the result has ceil(size / stride). */
static void pad_same(int64_t size, int64_t window, int64_t stride,
                     int64_t *pair)
{
    if (stride <= 0)
        return;
    int64_t out = size / stride + (size % stride != 0);
    int64_t total = (out - 1) * stride + window - size;
    total = total > 0 ? total : 0;
    pair[0] = total / 2;
    pair[1] = total - total / 2;
}

void stablehlo_window_padding(const struct instruction *in,
                              const struct stablehlo_value *operands, int rank,
                              int64_t *pairs)
{
    static const char lhs[] = "dimension_numbers.input_spatial_dimensions";
    static const char rhs[] = "dimension_numbers.kernel_spatial_dimensions";
    const struct shape *base = operands[0].shapes[0];
    bool reduction = attribute_find(in, "window_dimensions") != NULL;
    const char *padding = attribute_string(in, "padding");
    if (!padding || strcmp(padding, "SAME") != 0)
        return;
    for (int i = 0; i < rank; i++) {
        int64_t size, window, stride = at(in, "window_strides", i, 1);
        if (reduction) {
            size = dilated(size_at(base, i), at(in, "base_dilations", i, 1));
            window = dilated(at(in, "window_dimensions", i, 1),
                             at(in, "window_dilations", i, 1));
        } else { /* convolutions whose padding has a name do not dilate */
            size = size_at(base, at(in, lhs, i, i + 2));
            window = size_at(operands[1].shapes[0], at(in, rhs, i, i + 2));
        }
        pad_same(size, window, stride, &pairs[2 * i]);
    }
}

/* One side: what each dimension is, in order. */
static void write_side(FILE *out, const struct instruction *in, int spatial,
                       const char *letters, const char *const *names)
{
    int64_t first = attribute_int(in, names[0], 0);
    int64_t second = attribute_int(in, names[1], 1);
    fputc('[', out);
    for (int i = 0; i < spatial + 2; i++) {
        fputs(i ? ", " : "", out);
        if (i == first || i == second)
            fputc(letters[i == second], out);
        for (int k = 0; k < spatial; k++)
            if (at(in, names[2], k, k + 2) == i)
                fprintf(out, "%d", k);
    }
    fputc(']', out);
}

void stablehlo_window_numbers(FILE *out, const struct instruction *in,
                              int spatial)
{
    static const char *const names[3][3] = {
        {"dimension_numbers.input_batch_dimension",
         "dimension_numbers.input_feature_dimension",
         "dimension_numbers.input_spatial_dimensions"},
        {"dimension_numbers.kernel_output_feature_dimension",
         "dimension_numbers.kernel_input_feature_dimension",
         "dimension_numbers.kernel_spatial_dimensions"},
        {"dimension_numbers.output_batch_dimension",
         "dimension_numbers.output_feature_dimension",
         "dimension_numbers.output_spatial_dimensions"}};
    static const char *const letters[] = {"bf", "oi", "bf"};
    static const char *const between[] = {"", "x", "->"};
    fputs("#stablehlo.conv<", out);
    for (int side = 0; side < 3; side++) {
        fputs(between[side], out);
        write_side(out, in, spatial, letters[side], names[side]);
    }
    fputc('>', out);
}
