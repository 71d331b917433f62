/* spatial.c - see spatial.h.  Tests: test_window.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/spatial.h"

#include "interp/program/attribute.h"

static const enum attribute_name firsts[SPATIAL_SIDES] = {
    ATTRIBUTE_INPUT_BATCH_DIMENSION,
    ATTRIBUTE_KERNEL_OUTPUT_FEATURE_DIMENSION,
    ATTRIBUTE_OUTPUT_BATCH_DIMENSION,
};

static const enum attribute_name seconds[SPATIAL_SIDES] = {
    ATTRIBUTE_INPUT_FEATURE_DIMENSION,
    ATTRIBUTE_KERNEL_INPUT_FEATURE_DIMENSION,
    ATTRIBUTE_OUTPUT_FEATURE_DIMENSION,
};

const enum attribute_name spatial_names[SPATIAL_SIDES] = {
    ATTRIBUTE_INPUT_SPATIAL_DIMENSIONS,
    ATTRIBUTE_KERNEL_SPATIAL_DIMENSIONS,
    ATTRIBUTE_OUTPUT_SPATIAL_DIMENSIONS,
};

struct spatial_numbers spatial_get(const struct instruction *in, int spatial)
{
    struct spatial_numbers n = {.spatial = spatial};
    for (int side = 0; side < SPATIAL_SIDES; side++) {
        const struct attribute *a = attribute_find(in, spatial_names[side]);
        n.first[side] = attribute_int(in, firsts[side], 0);
        n.second[side] = attribute_int(in, seconds[side], 1);
        for (int i = 0; i < spatial; i++)
            n.at[side][i] = a && i < a->count ? a->ints[i] : i + 2;
    }
    return n;
}

void spatial_same(int64_t size, int64_t window, int64_t stride, int64_t *low,
                  int64_t *high)
{
    int64_t out = size / stride + (size % stride != 0);
    int64_t total = (out - 1) * stride + window - size;
    *low = total > 0 ? total / 2 : 0;
    *high = total > 0 ? total - total / 2 : 0;
}
