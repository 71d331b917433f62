/* test_random123.c - the generators' known answers.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Expected values: Random123 1.14, tests/kat_vectors (threefry2x32 of 20
 * rounds, philox4x32 of 10).
 */
#include "interp/base/random.h"
#include "interp/test/tap.h"

static void test_threefry(void)
{
    static const uint32_t rows[3][6] = {{0, 0, 0, 0, 0x6b200159, 0x99ba4efe},
                                        {0xffffffff, 0xffffffff, 0xffffffff,
                                         0xffffffff, 0x1cb996fc, 0xbb002be7},
                                        {0x243f6a88, 0x85a308d3, 0x13198a2e,
                                         0x03707344, 0xc4923a9c, 0x483df7a0}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[2];
        random123_threefry(rows[i], rows[i] + 2, out);
        EQ_INT(out[0], rows[i][4], "ThreeFry, row %d, first word", i);
        EQ_INT(out[1], rows[i][5], "ThreeFry, row %d, second word", i);
    }
}

static void test_philox(void)
{
    static const uint32_t rows[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
         0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
         0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
    for (int i = 0; i < 3; i++) {
        uint32_t out[4];
        random123_philox(rows[i], rows[i] + 4, out);
        for (int k = 0; k < 4; k++)
            EQ_INT(out[k], rows[i][6 + k], "Philox, row %d, word %d", i, k);
    }
}

int main(void)
{
    test_threefry();
    test_philox();
    return tap_done();
}
