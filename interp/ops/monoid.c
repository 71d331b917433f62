/* monoid.c - see monoid.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Integers wrap modulo 2^n.  Of truth values, Add is Or and Mul is And.
 * Floats follow IEEE 754-2019 9.6: a NaN wins, and -0 is less than +0.
 */
#include "interp/ops/monoid.h"

#include <string.h>

static uint64_t fold_add(enum dtype type, uint64_t a, uint64_t b)
{
    return (a + b) & dtype_mask(type);
}

static uint64_t fold_mul(enum dtype type, uint64_t a, uint64_t b)
{
    return (a * b) & dtype_mask(type);
}

static uint64_t fold_and(enum dtype type, uint64_t a, uint64_t b)
{
    return a & b;
}

static uint64_t fold_or(enum dtype type, uint64_t a, uint64_t b)
{
    return a | b;
}

static uint64_t fold_xor(enum dtype type, uint64_t a, uint64_t b)
{
    return a ^ b;
}

static bool less(enum dtype type, uint64_t a, uint64_t b)
{
    if (dtype_class(type) == DTYPE_SINT)
        return dtype_sign_extend(type, a) < dtype_sign_extend(type, b);
    return a < b;
}

static uint64_t fold_min(enum dtype type, uint64_t a, uint64_t b)
{
    return less(type, b, a) ? b : a;
}

static uint64_t fold_max(enum dtype type, uint64_t a, uint64_t b)
{
    return less(type, a, b) ? b : a;
}

static uint64_t float_min(enum dtype type, uint64_t a, uint64_t b)
{
    if (real_is_nan(type, a) || real_is_nan(type, b))
        return real_nan(type, false);
    return real_key(type, b) < real_key(type, a) ? b : a;
}

static uint64_t float_max(enum dtype type, uint64_t a, uint64_t b)
{
    if (real_is_nan(type, a) || real_is_nan(type, b))
        return real_nan(type, false);
    return real_key(type, a) < real_key(type, b) ? b : a;
}

static const struct {
    const char *op;
    monoid_fold *pred, *integer, *real;
} folds[] = {
    {"Add", fold_or, fold_add, NULL},
    {"Mul", fold_and, fold_mul, NULL},
    {"And", fold_and, fold_and, NULL},
    {"Or", fold_or, fold_or, NULL},
    {"Xor", fold_xor, fold_xor, NULL},
    {"Min", fold_and, fold_min, float_min},
    {"Max", fold_or, fold_max, float_max},
};

monoid_fold *monoid_find(const char *op, enum dtype type)
{
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        if (strcmp(folds[i].op, op) != 0)
            continue;
        if (dtype_class(type) == DTYPE_PRED)
            return folds[i].pred;
        if (dtype_class(type) == DTYPE_FLOAT)
            return folds[i].real;
        return dtype_is_integer(type) ? folds[i].integer : NULL;
    }
    return NULL;
}

bool monoid_is_open(const struct eval *ev, enum dtype type, uint64_t a,
                    uint64_t b)
{
    if (dtype_class(type) != DTYPE_FLOAT)
        return false;
    if (real_is_nan(type, a) || real_is_nan(type, b))
        return eval_policy_is(ev, CHOICE_MAX_NAN_EITHER);
    return a != b && real_is_zero(type, a) && real_is_zero(type, b)
           && eval_policy_is(ev, CHOICE_MAX_SIGNED_ZERO_EITHER);
}
