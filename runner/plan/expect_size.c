/* expect_size.c - sizes in expectations: decimals of millionths.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Kept in integers: what `assay expect` rounds up must not become smaller
 * when it is read again.
 */
#include <inttypes.h>

#include "interp/exact/real.h"
#include "runner/plan/expect.h"

enum {
    UNIT = 1000000,
    DIGITS = 6, /* after the point, and no more */
};

/* One more digit, up to what is measured. */
static int64_t append(int64_t value, int digit)
{
    return value > (REAL_ERROR_MAX - digit) / 10 ? REAL_ERROR_MAX
                                                 : 10 * value + digit;
}

bool expect_size_parse(const char *text, size_t length, int64_t *micro)
{
    int64_t value = 0;
    size_t i = 0;
    int behind = -1;
    for (; i < length; i++) {
        if (text[i] == '.' && behind < 0 && i > 0)
            behind = 0;
        else if (text[i] < '0' || text[i] > '9' || behind == DIGITS)
            return false;
        else {
            value = append(value, text[i] - '0');
            behind += behind >= 0;
        }
    }
    for (int k = behind < 0 ? 0 : behind; k < DIGITS; k++)
        value = append(value, 0);
    *micro = value;
    return length > 0 && behind != 0;
}

int64_t expect_size_up(int64_t micro)
{
    int64_t step = 1;
    while (micro / step >= 1000)
        step *= 10;
    int64_t up = micro % step ? micro - micro % step + step : micro;
    if (micro >= REAL_ERROR_MAX)
        return -1;
    return up < REAL_ERROR_MAX ? up : micro;
}

const char *expect_size_text(struct arena *a, int64_t micro)
{
    int64_t part = micro % UNIT;
    int digits = DIGITS;
    if (part == 0)
        return arena_printf(a, "%" PRId64, micro / UNIT);
    for (; part % 10 == 0; digits--)
        part /= 10;
    return arena_printf(a, "%" PRId64 ".%0*" PRId64, micro / UNIT, digits,
                        part);
}
