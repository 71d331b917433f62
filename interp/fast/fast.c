/* fast.c - see fast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast.h"

#include <fenv.h>
#include <stddef.h>
#include <string.h>

#include "interp/fast/fast_arc.h"
#include "interp/fast/fast_circle.h"
#include "interp/fast/fast_exp.h"
#include "interp/fast/fast_log.h"
#include "interp/fast/fast_root.h"

static const struct fast_kernel kernels[] = {
    {"Acos", "fast_arc.c", fast_arc_acos},
    {"Acosh", "fast_log.c", fast_log_acosh},
    {"Asin", "fast_arc.c", fast_arc_asin},
    {"Asinh", "fast_log.c", fast_log_asinh},
    {"Atan", "fast_arc.c", fast_arc_atan},
    {"Atanh", "fast_log.c", fast_log_atanh},
    {"Cbrt", "fast_root.c", fast_root_cbrt},
    {"Cos", "fast_circle.c", fast_circle_cos},
    {"Cosh", "fast_exp.c", fast_exp_cosh},
    {"Exp", "fast_exp.c", fast_exp_exp},
    {"Expm1", "fast_exp.c", fast_exp_expm1},
    {"Log", "fast_log.c", fast_log_log},
    {"Log1p", "fast_log.c", fast_log_log1p},
    {"Logistic", "fast_exp.c", fast_exp_logistic},
    {"Rsqrt", "fast_root.c", fast_root_rsqrt},
    {"Sin", "fast_circle.c", fast_circle_sin},
    {"Sinh", "fast_exp.c", fast_exp_sinh},
    {"Sqrt", "fast_root.c", fast_root_sqrt},
    {"Tan", "fast_circle.c", fast_circle_tan},
    {"Tanh", "fast_exp.c", fast_exp_tanh},
};

int fast_count(void)
{
    return (int)(sizeof kernels / sizeof kernels[0]);
}

const struct fast_kernel *fast_at(int i)
{
    return &kernels[i];
}

const struct fast_kernel *fast_find(const char *op)
{
    for (int i = 0; i < fast_count(); i++)
        if (strcmp(kernels[i].op, op) == 0)
            return &kernels[i];
    return NULL;
}

bool fast_is_ieee(void)
{
    volatile double small = 0x1p-1074, half = 0.5, least = 0x1p-1022;
    return fegetround() == FE_TONEAREST && small + small == 0x1p-1073
           && least * half == 0x1p-1023;
}
