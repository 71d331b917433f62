/* types.c - element types and PJRT's numbers for them.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The one table of element types has the numbers (those of the newest API:
 * the header may be older than the plugin).
 */
#include <string.h>

#include "pjrt.h"

static const struct row {
    const char *name;
    int bits, number;
} rows[] = {
#define DTYPE(name, class, bits, precision, emin, emax, bias, special, unit, \
              mlir, pjrt) \
    {#name, bits, pjrt},
#include "interp/base/dtype.def"
#undef DTYPE
};

static const struct row *row_named(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

int pjrt_type(const char *dtype)
{
    const struct row *r = row_named(dtype);
    return r ? r->number : -1;
}

const char *pjrt_type_name(int type)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].number == type)
            return rows[i].name;
    return NULL;
}

int64_t pjrt_type_bytes(const char *dtype)
{
    const struct row *r = row_named(dtype);
    return !r ? 0 : r->bits <= 8 ? 1 : r->bits / 8;
}
