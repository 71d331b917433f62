/* fast_f32.h - numbers of f32, which the kernels take as doubles.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_TEST_FAST_F32_H
#define INTERP_TEST_FAST_F32_H

#include <stdint.h>
#include <string.h>

static inline double number(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

/* Of the nearest number of f32. */
static inline uint32_t pattern(double x)
{
    float f = (float)x;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

#endif
