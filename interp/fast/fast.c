/* fast.c - see fast.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/fast/fast.h"

#include <fenv.h>
#include <stddef.h>
#include <string.h>

#include "interp/fast/fast_angle.h"
#include "interp/fast/fast_arc.h"
#include "interp/fast/fast_circle.h"
#include "interp/fast/fast_error.h"
#include "interp/fast/fast_exp.h"
#include "interp/fast/fast_log.h"
#include "interp/fast/fast_pair.h"
#include "interp/fast/fast_power.h"
#include "interp/fast/fast_root.h"

static const struct fast_kernel kernels[] = {
    {"Acos", "fast_arc.c", fast_arc_acos, NULL},
    {"Acosh", "fast_log.c", fast_log_acosh, NULL},
    {"Asin", "fast_arc.c", fast_arc_asin, NULL},
    {"Asinh", "fast_log.c", fast_log_asinh, NULL},
    {"Atan", "fast_arc.c", fast_arc_atan, NULL},
    {"Atanh", "fast_log.c", fast_log_atanh, NULL},
    {"Cbrt", "fast_root.c", fast_root_cbrt, NULL},
    {"Cos", "fast_circle.c", fast_circle_cos, NULL},
    {"Cosh", "fast_exp.c", fast_exp_cosh, NULL},
    {"Erf", "fast_error.c", fast_error_erf, NULL},
    {"Erfc", "fast_error.c", fast_error_erfc, NULL},
    {"Exp", "fast_exp.c", fast_exp_exp, NULL},
    {"Expm1", "fast_exp.c", fast_exp_expm1, NULL},
    {"Log", "fast_log.c", fast_log_log, NULL},
    {"Log1p", "fast_log.c", fast_log_log1p, NULL},
    {"Logistic", "fast_exp.c", fast_exp_logistic, NULL},
    {"Rsqrt", "fast_root.c", fast_root_rsqrt, NULL},
    {"Sin", "fast_circle.c", fast_circle_sin, NULL},
    {"Sinh", "fast_exp.c", fast_exp_sinh, NULL},
    {"Sqrt", "fast_root.c", fast_root_sqrt, NULL},
    {"Tan", "fast_circle.c", fast_circle_tan, NULL},
    {"Tanh", "fast_exp.c", fast_exp_tanh, NULL},
    {"Atan2", "fast_angle.c", NULL, fast_angle_atan2},
    {"Pow", "fast_power.c", NULL, fast_power_pow},
    {"Add", NULL, NULL, fast_pair_add},
    {"Div", NULL, NULL, fast_pair_div},
    {"Mul", NULL, NULL, fast_pair_mul},
    {"Rem", NULL, NULL, fast_pair_rem},
    {"Sub", NULL, NULL, fast_pair_sub},
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
