/* hash.h - a fast 128-bit hash, for identity and not for security.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_BASE_HASH_H
#define INTERP_BASE_HASH_H

#include <stdint.h>
#include <string.h>

struct hash {
    uint64_t h[2];
};

static inline void hash_int(struct hash *s, uint64_t x)
{
    s->h[0] = (s->h[0] ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    s->h[0] ^= s->h[0] >> 32;
    s->h[1] = (s->h[1] + x) * UINT64_C(0xd6e8feb86659fd93);
    s->h[1] ^= s->h[1] >> 29;
}

static inline void hash_bytes(struct hash *s, const void *data, uint64_t length)
{
    const unsigned char *p = data;
    uint64_t rest = 0;
    hash_int(s, length);
    for (; length >= 8; p += 8, length -= 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        hash_int(s, x);
    }
    if (length > 0)
        memcpy(&rest, p, length);
    hash_int(s, rest);
}

/* NULL differs from "". */
static inline void hash_text(struct hash *s, const char *text)
{
    if (text)
        hash_bytes(s, text, strlen(text));
    else
        hash_int(s, UINT64_MAX);
}

#endif
