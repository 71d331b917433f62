/* random123.c - see random.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/random.h"

static uint32_t rotate(uint32_t x, int by)
{
    return x << by | x >> (32 - by);
}

void random123_threefry(const uint32_t counter[2], const uint32_t key[2],
                        uint32_t out[2])
{
    static const int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    const uint32_t keys[3] = {key[0], key[1],
                              UINT32_C(0x1bd11bda) ^ key[0] ^ key[1]};
    uint32_t x = counter[0] + keys[0], y = counter[1] + keys[1];
    for (uint32_t i = 0; i < 5; i++) {
        for (int k = 0; k < 4; k++) {
            x += y;
            y = rotate(y, turns[i % 2][k]) ^ x;
        }
        x += keys[(i + 1) % 3];
        y += keys[(i + 2) % 3] + i + 1;
    }
    out[0] = x;
    out[1] = y;
}

void random123_philox(const uint32_t counter[4], const uint32_t key[2],
                      uint32_t out[4])
{
    uint32_t a = key[0], b = key[1];
    /* Scalars: with arrays, judging RngNormal took 2.2 s instead of 0.75. */
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
    for (int i = 0; i < 10; i++) {
        uint64_t p = UINT64_C(0xd2511f53) * x0;
        uint64_t q = UINT64_C(0xcd9e8d57) * x2;
        x0 = (uint32_t)(q >> 32) ^ x1 ^ a;
        x1 = (uint32_t)q;
        x2 = (uint32_t)(p >> 32) ^ x3 ^ b;
        x3 = (uint32_t)p;
        a += UINT32_C(0x9e3779b9);
        b += UINT32_C(0xbb67ae85);
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
}
