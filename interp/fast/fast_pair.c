/* fast_pair.c - arithmetic of two operands (fast.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast_pair.h"

#include <math.h>

#include "interp/fast/fast_bits.h"

FAST_LOOP void fast_pair_add(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] + y[i];
}

FAST_LOOP void fast_pair_sub(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] - y[i];
}

FAST_LOOP void fast_pair_mul(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] * y[i];
}

FAST_LOOP void fast_pair_div(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = x[i] / y[i];
}

void fast_pair_rem(const double *x, const double *y, double *v, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = fmod(x[i], y[i]);
}
