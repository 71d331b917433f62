/* dtype.h - element types, as a table.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Nothing outside the table knows an element type by name: code asks the row
 * for its class, its bits, its special values.  A complex element is two
 * units, real part first; every other element is one unit.  A unit is stored
 * in 1, 2, 4 or 8 bytes, little-endian, and holds its bit pattern zero
 * extended (sub-byte types take one byte each).
 */
#ifndef INTERP_BASE_DTYPE_H
#define INTERP_BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dtype {
#define DTYPE(name, ...) DT_##name,
#include "interp/base/dtype.def"
#undef DTYPE
    DT_COUNT
};

enum dtype_class {
    DTYPE_PRED,
    DTYPE_SINT,
    DTYPE_UINT,
    DTYPE_FLOAT,
    DTYPE_COMPLEX,
};

enum dtype_special {
    DTYPE_NONE,
    DTYPE_IEEE,
    DTYPE_FN,
    DTYPE_FNUZ,
    DTYPE_FINITE,
    DTYPE_EXPONENT,
};

struct dtype_info {
    const char *name;
    enum dtype_class class;
    int bits, precision, emin, emax, bias;
    enum dtype_special special;
    enum dtype unit;
    const char *mlir;
    int pjrt;
};

extern const struct dtype_info dtype_table[DT_COUNT];

/* Find the type of that name; false if unknown. */
bool dtype_parse(const char *name, size_t length, enum dtype *type);

static inline enum dtype_class dtype_class(enum dtype t)
{
    return dtype_table[t].class;
}

static inline bool dtype_is_integer(enum dtype t)
{
    return dtype_class(t) == DTYPE_SINT || dtype_class(t) == DTYPE_UINT;
}

/* The type of one real component, and how many of them an element has. */
static inline enum dtype dtype_unit(enum dtype t)
{
    return dtype_table[t].unit;
}

static inline int dtype_units(enum dtype t)
{
    return dtype_class(t) == DTYPE_COMPLEX ? 2 : 1;
}

/* Bytes that one unit takes in a literal: 1, 2, 4 or 8. */
static inline int dtype_unit_bytes(enum dtype t)
{
    int bits = dtype_table[dtype_unit(t)].bits;
    return bits <= 8 ? 1 : bits / 8;
}

/* Bytes that one element takes in a literal. */
static inline int dtype_bytes(enum dtype t)
{
    return dtype_unit_bytes(t) * dtype_units(t);
}

/* All ones in the bits of one unit. */
static inline uint64_t dtype_mask(enum dtype t)
{
    return UINT64_MAX >> (64 - dtype_table[dtype_unit(t)].bits);
}

/* A unit of an integer type as a signed number; u64 beyond 2^63-1 wraps. */
static inline int64_t dtype_sign_extend(enum dtype t, uint64_t bits)
{
    int n = dtype_table[t].bits;
    if (dtype_class(t) != DTYPE_SINT || n == 64)
        return (int64_t)bits;
    uint64_t sign = UINT64_C(1) << (n - 1);
    return (int64_t)((bits ^ sign) - sign);
}

#endif
