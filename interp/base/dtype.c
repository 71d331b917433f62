/* dtype.c - see dtype.h.  Tests: test_real.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/dtype.h"

#include <assert.h>
#include <string.h>

const struct dtype_info dtype_table[DT_COUNT] = {
#define DTYPE(name, class, bits, precision, emin, emax, bias, special, unit, \
              mlir, pjrt) \
    [DT_##name] = {#name, DTYPE_##class,   bits,      precision, emin, emax, \
                   bias,  DTYPE_##special, DT_##unit, mlir,      pjrt},
#include "interp/base/dtype.def"
#undef DTYPE
};

/* Invariants of every row, checked by the compiler. */
#define DTYPE(name, class, bits, precision, emin, emax, bias, special, unit, \
              mlir, pjrt) \
    static_assert((precision > 0) == (DTYPE_##class == DTYPE_FLOAT), #name); \
    static_assert(precision == 0 || DTYPE_##special == DTYPE_EXPONENT \
                      || emin == 1 - (bias), \
                  #name); \
    static_assert(precision == 0 || DTYPE_##special != DTYPE_IEEE \
                      || emax == bias, \
                  #name);
#include "interp/base/dtype.def"
#undef DTYPE

bool dtype_parse(const char *name, size_t length, enum dtype *type)
{
    for (int t = 0; t < DT_COUNT; t++) {
        const char *n = dtype_table[t].name;
        if (length > 0 && n[0] == name[0] && strlen(n) == length
            && memcmp(n, name, length) == 0) {
            *type = (enum dtype)t;
            return true;
        }
    }
    return false;
}
