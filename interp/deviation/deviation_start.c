/* deviation_start.c - see deviation_private.h; test_deviation covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/deviation/deviation_private.h"

/* Its value; INT64_MAX for what is larger. */
static int64_t value_of(enum dtype type, uint64_t bits)
{
    if (dtype_class(type) == DTYPE_SINT)
        return dtype_sign_extend(type, bits);
    return bits > INT64_MAX ? INT64_MAX : (int64_t)bits;
}

static int64_t from_end(enum dtype type, uint64_t bits, int64_t most,
                        int64_t size)
{
    int64_t index = value_of(type, bits);
    return index < 0 ? index + size : index;
}

static int64_t modulo(enum dtype type, uint64_t bits, int64_t most,
                      int64_t size)
{
    int64_t index = value_of(type, bits);
    return size > 0 ? (index % size + size) % size : 0;
}

static int64_t one_short(enum dtype type, uint64_t bits, int64_t most,
                         int64_t size)
{
    int64_t index = value_of(type, bits);
    return index < most ? index : most - 1;
}

static int64_t outside_zero(enum dtype type, uint64_t bits, int64_t most,
                            int64_t size)
{
    int64_t index = value_of(type, bits);
    return index <= most ? index : 0;
}

static int64_t as_unsigned(enum dtype type, uint64_t bits, int64_t most,
                           int64_t size)
{
    int64_t index = value_of(type, bits);
    return index < 0 ? most : index;
}

static int64_t as_signed(enum dtype type, uint64_t bits, int64_t most,
                         int64_t size)
{
    uint64_t first_negative = UINT64_C(1) << (dtype_table[type].bits - 1);
    return bits >= first_negative && dtype_class(type) == DTYPE_UINT
               ? 0
               : value_of(type, bits);
}

static int64_t low_bits(enum dtype type, uint64_t bits, int64_t most,
                        int64_t size)
{
    return dtype_table[type].bits >= 32
               ? dtype_sign_extend(DT_s32, bits & UINT32_MAX)
               : value_of(type, bits);
}

/* Converted to the index's type, most may become small or negative. */
static int64_t bound_wrapped(enum dtype type, uint64_t bits, int64_t most,
                             int64_t size)
{
    int64_t index = value_of(type, bits);
    int64_t bound = value_of(type, (uint64_t)most & dtype_mask(type));
    return index < bound ? index : bound;
}

static const struct deviation_start starts[] = {
    {"from-end", from_end},       {"modulo", modulo},
    {"one-short", one_short},     {"outside-zero", outside_zero},
    {"as-unsigned", as_unsigned}, {"as-signed", as_signed},
    {"low-32-bits", low_bits},    {"bound-wrapped", bound_wrapped},
};

const struct deviation_start *deviation_start_find(const char *name)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strcmp(starts[i].name, name) == 0)
            return &starts[i];
    return NULL;
}
