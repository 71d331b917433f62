/* deviation_start.c - see deviation_start.h; test_deviation covers it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/deviation/deviation_start.h"

#include <string.h>

static int64_t from_end(enum dtype type, int64_t index, int64_t most,
                        int64_t size)
{
    return index < 0 ? index + size : index;
}

static int64_t modulo(enum dtype type, int64_t index, int64_t most,
                      int64_t size)
{
    return size > 0 ? (index % size + size) % size : 0;
}

static int64_t one_short(enum dtype type, int64_t index, int64_t most,
                         int64_t size)
{
    return index < most ? index : most - 1;
}

static int64_t outside_zero(enum dtype type, int64_t index, int64_t most,
                            int64_t size)
{
    return index <= most ? index : 0;
}

static int64_t as_unsigned(enum dtype type, int64_t index, int64_t most,
                           int64_t size)
{
    return index < 0 ? most : index;
}

/* An index of u64 beyond INT64_MAX is passed as that number. */
static int64_t as_signed(enum dtype type, int64_t index, int64_t most,
                         int64_t size)
{
    uint64_t first_negative = UINT64_C(1) << (dtype_table[type].bits - 1);
    bool negative =
        dtype_class(type) == DTYPE_UINT
        && ((uint64_t)index >= first_negative || index == INT64_MAX);
    return negative ? 0 : index;
}

static int64_t low_bits(enum dtype type, int64_t index, int64_t most,
                        int64_t size)
{
    return index == INT64_MAX
               ? -1
               : dtype_sign_extend(DT_s32, (uint64_t)index & UINT32_MAX);
}

static const struct deviation_start starts[] = {
    {"from-end", from_end},       {"modulo", modulo},
    {"one-short", one_short},     {"outside-zero", outside_zero},
    {"as-unsigned", as_unsigned}, {"as-signed", as_signed},
    {"low-32-bits", low_bits},
};

const struct deviation_start *deviation_start_find(const char *name)
{
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (strcmp(starts[i].name, name) == 0)
            return &starts[i];
    return NULL;
}
