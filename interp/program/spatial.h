/* spatial.h - the dimensions of convolutions and windows.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For the operations, and for their text.
 */
#ifndef INTERP_PROGRAM_SPATIAL_H
#define INTERP_PROGRAM_SPATIAL_H

#include "interp/base/shape.h"
#include "interp/program/program.h"

enum spatial_side {
    SPATIAL_LHS,
    SPATIAL_RHS,
    SPATIAL_OUT,
    SPATIAL_SIDES
};

/* The attribute that lists the spatial dimensions of a side. */
extern const enum attribute_name spatial_names[SPATIAL_SIDES];

/* The roles of dimensions: of lhs batch and feature, of rhs output and input
 * feature, of the result batch and feature; then the spatial ones.  Without
 * attributes these are 0, 1, and the rest in order. */
struct spatial_numbers {
    int spatial;
    int64_t first[SPATIAL_SIDES], second[SPATIAL_SIDES];
    int64_t at[SPATIAL_SIDES][SHAPE_RANK_MAX];
};

/* For that many spatial dimensions.  The numbers are not checked. */
struct spatial_numbers spatial_get(const struct instruction *in, int spatial);

/* Padding under SAME, low and high: ceil(size / stride) positions (xla:
 * padding.cc).  stride > 0; sizes are at most 2^60. */
void spatial_same(int64_t size, int64_t window, int64_t stride, int64_t *low,
                  int64_t *high);

#endif
