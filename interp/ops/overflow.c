/* overflow.c - see overflow.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/overflow.h"

#include "gen/policy/integer_overflow.h"

bool overflow_is_any(const struct eval *ev)
{
    return profile_integer_overflow_is_any(ev->machine->profile);
}

struct overflow overflow_open(const struct eval *ev, enum dtype type,
                              enum monoid_kind kind)
{
    return (struct overflow){.type = type,
                             .kind = kind,
                             .open = ev->want_exact && dtype_is_integer(type)
                                     && kind != MONOID_EXACT
                                     && overflow_is_any(ev)};
}

void overflow_start(struct overflow *o)
{
    o->found = o->negative = o->minus_one = false;
    o->up = o->down = 0;
    o->magnitude = 1;
}

static bool is_negative(enum dtype type, uint64_t bits)
{
    return dtype_class(type) == DTYPE_SINT && dtype_sign_extend(type, bits) < 0;
}

static uint64_t magnitude(enum dtype type, uint64_t bits)
{
    uint64_t x = (uint64_t)dtype_sign_extend(type, bits);
    return is_negative(type, bits) ? 0 - x : x;
}

/* The largest magnitude of a number of that sign. */
static real_u128 limit(enum dtype type, bool negative)
{
    uint64_t mask = dtype_mask(type);
    if (dtype_class(type) == DTYPE_SINT)
        return (real_u128)(mask >> 1) + negative;
    return negative ? 0 : mask;
}

/* The terms of one sign alone are the partial sum farthest from 0. */
static void add(struct overflow *o, bool negative, real_u128 m)
{
    real_u128 *to = negative ? &o->down : &o->up;
    real_u128 most = limit(o->type, negative);
    if (m > most || *to > most - m)
        o->found = true;
    else
        *to += m;
}

/* All terms but the zeros are the largest partial product; it may have the
 * other sign without one that is -1. */
static void multiply(struct overflow *o, bool negative, uint64_t m)
{
    if (m == 0)
        return;
    o->minus_one = o->minus_one || (negative && m == 1);
    o->negative = o->negative != negative;
    real_u128 most = limit(o->type, true);
    if (dtype_class(o->type) != DTYPE_SINT)
        most = limit(o->type, false);
    if (o->magnitude > most / m)
        o->found = true;
    else
        o->magnitude *= m;
    if (o->magnitude > limit(o->type, false) && (!o->negative || o->minus_one))
        o->found = true;
}

void overflow_term(struct overflow *o, uint64_t bits)
{
    bool negative = is_negative(o->type, bits);
    uint64_t m = magnitude(o->type, bits);
    if (!o->open || o->found)
        return;
    if (o->kind == MONOID_PRODUCT)
        multiply(o, negative, m);
    else
        add(o, negative, m);
}

void overflow_negative(struct overflow *o, uint64_t bits)
{
    if (o->open && !o->found)
        add(o, !is_negative(o->type, bits), magnitude(o->type, bits));
}

void overflow_product(struct overflow *o, enum dtype type, uint64_t a,
                      uint64_t b)
{
    real_u128 m = (real_u128)magnitude(type, a) * magnitude(type, b);
    if (o->open && !o->found && m > 0)
        add(o, is_negative(type, a) != is_negative(type, b), m);
}
