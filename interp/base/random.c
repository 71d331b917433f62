/* random.c - see random.h.  Tests: test_data.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/base/random.h"

uint64_t random_next(struct random *r)
{
    uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

int64_t random_between(struct random *r, int64_t low, int64_t high)
{
    uint64_t range = (uint64_t)high - (uint64_t)low;
    if (range == 0)
        return low;
    int bits = 0;
    while (bits < 64 && range >> bits != 0)
        bits++;
    for (;;) {
        uint64_t k = random_next(r) >> (64 - bits);
        if (k <= range)
            return (int64_t)((uint64_t)low + k);
    }
}
