/* monoid.c - see monoid.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Integers wrap modulo 2^n.  Of truth values, Add is Or and Mul is And.
 * Floats follow IEEE 754-2019 9.6: a NaN wins, and -0 is less than +0.
 */
#include "interp/ops/monoid.h"

#include "gen/policy/max_nan.h"
#include "gen/policy/max_signed_zero.h"

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

const struct monoid monoid_add = {fold_or, fold_add, NULL, MONOID_SUM};
const struct monoid monoid_mul = {fold_and, fold_mul, NULL, MONOID_PRODUCT};
const struct monoid monoid_and = {fold_and, fold_and, NULL, MONOID_EXACT};
const struct monoid monoid_or = {fold_or, fold_or, NULL, MONOID_EXACT};
const struct monoid monoid_xor = {fold_xor, fold_xor, NULL, MONOID_EXACT};
const struct monoid monoid_min = {fold_and, fold_min, float_min, MONOID_EXACT};
const struct monoid monoid_max = {fold_or, fold_max, float_max, MONOID_EXACT};

monoid_fold *monoid_find(const struct monoid *m, enum dtype type)
{
    if (dtype_class(type) == DTYPE_PRED)
        return m->pred;
    if (dtype_class(type) == DTYPE_FLOAT)
        return m->real;
    return dtype_is_integer(type) ? m->integer : NULL;
}

bool monoid_rounds(const struct op *op, enum dtype type, enum monoid_kind kind)
{
    enum dtype_class class = dtype_class(type);
    return op && op->monoid && op->monoid->kind == kind
           && (class == DTYPE_FLOAT || class == DTYPE_COMPLEX);
}

bool monoid_drops_nan(const struct eval *ev)
{
    return profile_max_nan_is_either(ev->machine->profile);
}

bool monoid_swaps_zeros(const struct eval *ev)
{
    return profile_max_signed_zero_is_either(ev->machine->profile);
}

bool monoid_is_open(const struct eval *ev, enum dtype type, uint64_t a,
                    uint64_t b)
{
    if (dtype_class(type) != DTYPE_FLOAT)
        return false;
    if (real_is_nan(type, a) || real_is_nan(type, b))
        return monoid_drops_nan(ev);
    return a != b && real_is_zero(type, a) && real_is_zero(type, b)
           && monoid_swaps_zeros(ev);
}
