/* stablehlo_window.c - see stablehlo_window.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/stablehlo_window.h"

#include <inttypes.h>
#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/spatial.h"

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

void stablehlo_window_padding(const struct instruction *in,
                              const struct stablehlo_value *operands, int rank,
                              int64_t *pairs)
{
    const struct shape *base = operands[0].shapes[0];
    bool reduction = attribute_find(in, "window_dimensions") != NULL;
    const char *padding = attribute_string(in, "padding");
    if (!padding || strcmp(padding, "SAME") != 0)
        return;
    struct spatial_numbers n = spatial_get(in, reduction ? 0 : rank);
    for (int i = 0; i < rank; i++) {
        int64_t size, window, stride = at(in, "window_strides", i, 1);
        if (reduction) {
            size = dilated(size_at(base, i), at(in, "base_dilations", i, 1));
            window = dilated(at(in, "window_dimensions", i, 1),
                             at(in, "window_dilations", i, 1));
        } else { /* convolutions whose padding has a name do not dilate */
            size = size_at(base, n.at[SPATIAL_LHS][i]);
            window = size_at(operands[1].shapes[0], n.at[SPATIAL_RHS][i]);
        }
        if (stride > 0)
            spatial_same(size, window, stride, &pairs[2 * i],
                         &pairs[2 * i + 1]);
    }
}

/* One side: what each dimension is, in order. */
static void write_side(FILE *out, const struct spatial_numbers *n,
                       enum spatial_side side, const char *letters)
{
    fputc('[', out);
    for (int i = 0; i < n->spatial + 2; i++) {
        fputs(i ? ", " : "", out);
        if (i == n->first[side] || i == n->second[side])
            fputc(letters[i == n->second[side]], out);
        for (int k = 0; k < n->spatial; k++)
            if (n->at[side][k] == i)
                fprintf(out, "%d", k);
    }
    fputc(']', out);
}

void stablehlo_window_numbers(FILE *out, const struct instruction *in,
                              int spatial)
{
    struct spatial_numbers n = spatial_get(in, spatial);
    fputs("#stablehlo.conv<", out);
    write_side(out, &n, SPATIAL_LHS, "bf");
    fputc('x', out);
    write_side(out, &n, SPATIAL_RHS, "oi");
    fputs("->", out);
    write_side(out, &n, SPATIAL_OUT, "bf");
    fputc('>', out);
}
