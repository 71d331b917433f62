/* stablehlo_window.c - see stablehlo_private.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <inttypes.h>
#include <string.h>

#include "interp/program/attribute.h"
#include "interp/program/spatial.h"
#include "interp/stablehlo/stablehlo_private.h"

static int64_t at(const struct instruction *in, enum attribute_name name, int i,
                  int64_t fallback)
{
    const struct attribute *a = attribute_find(in, name);
    return a && i < a->count ? a->ints[i] : fallback;
}

/* Programs that must be rejected are written too: what makes no sense here must
 * only be harmless. */
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
    bool reduction = attribute_find(in, ATTRIBUTE_WINDOW_DIMENSIONS) != NULL;
    const char *padding = attribute_string(in, ATTRIBUTE_PADDING);
    if (!padding || strcmp(padding, "SAME") != 0)
        return;
    struct spatial_numbers n = spatial_get(in, reduction ? 0 : rank);
    for (int i = 0; i < rank; i++) {
        int64_t size, window, stride = at(in, ATTRIBUTE_WINDOW_STRIDES, i, 1);
        if (reduction) {
            size = dilated(size_at(base, i),
                           at(in, ATTRIBUTE_BASE_DILATIONS, i, 1));
            window = dilated(at(in, ATTRIBUTE_WINDOW_DIMENSIONS, i, 1),
                             at(in, ATTRIBUTE_WINDOW_DILATIONS, i, 1));
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

/* Is each side a permutation of its dimensions? */
static bool is_plain(const struct instruction *in,
                     const struct spatial_numbers *n)
{
    for (int side = 0; side < SPATIAL_SIDES; side++) {
        const struct attribute *a = attribute_find(in, spatial_names[side]);
        uint64_t seen = 0;
        if (a && a->count != n->spatial)
            return false;
        for (int i = 0; i < n->spatial + 2; i++) {
            int64_t d = i == 0   ? n->first[side]
                        : i == 1 ? n->second[side]
                                 : n->at[side][i - 2];
            if (d < 0 || d >= n->spatial + 2 || seen >> d & 1)
                return false;
            seen |= UINT64_C(1) << d;
        }
    }
    return true;
}

static void write_raw(struct stablehlo_writer *w, const struct instruction *in,
                      const struct spatial_numbers *n)
{
    /* By sides; the kernel's second is its input feature dimension. */
    static const char *const names[SPATIAL_SIDES][3] = {
        {"input_batch_dimension", "input_feature_dimension",
         "input_spatial_dimensions"},
        {"kernel_output_feature_dimension", "kernel_input_feature_dimension",
         "kernel_spatial_dimensions"},
        {"output_batch_dimension", "output_feature_dimension",
         "output_spatial_dimensions"}};
    fputs("raw ", w->out);
    for (int side = 0; side < SPATIAL_SIDES; side++) {
        const struct attribute *a = attribute_find(in, spatial_names[side]);
        int first = side == SPATIAL_RHS, second = !first;
        const int64_t values[2] = {n->first[side], n->second[side]};
        fprintf(w->out,
                "%s%s = %" PRId64 ", %s = %" PRId64 ", %s = ", side ? ", " : "",
                names[side][first], values[first], names[side][second],
                values[second], names[side][2]);
        stablehlo_write_ints(w, a ? a->count : n->spatial,
                             a ? a->ints : n->at[side]);
    }
}

void stablehlo_window_numbers(struct stablehlo_writer *w,
                              const struct instruction *in, int spatial)
{
    struct spatial_numbers n = spatial_get(in, spatial);
    fputs("#stablehlo.conv<", w->out);
    if (is_plain(in, &n)) {
        write_side(w->out, &n, SPATIAL_LHS, "bf");
        fputc('x', w->out);
        write_side(w->out, &n, SPATIAL_RHS, "oi");
        fputs("->", w->out);
        write_side(w->out, &n, SPATIAL_OUT, "bf");
    } else {
        write_raw(w, in, &n);
    }
    fputc('>', w->out);
}
