/* random123.c - see random123.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/random123.h"

#include <string.h>

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
    uint32_t x[4], a = key[0], b = key[1];
    memcpy(x, counter, sizeof x);
    for (int i = 0; i < 10; i++) {
        uint64_t p = UINT64_C(0xd2511f53) * x[0];
        uint64_t q = UINT64_C(0xcd9e8d57) * x[2];
        uint32_t y[4] = {(uint32_t)(q >> 32) ^ x[1] ^ a, (uint32_t)q,
                         (uint32_t)(p >> 32) ^ x[3] ^ b, (uint32_t)p};
        memcpy(x, y, sizeof x);
        a += UINT32_C(0x9e3779b9);
        b += UINT32_C(0xbb67ae85);
    }
    memcpy(out, x, sizeof x);
}
