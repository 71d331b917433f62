/* low_bits.c - flips bit 20 of each f32 whose three low bits are set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    uint64_t n = e->outputs[0]->bytes / sizeof(uint32_t);
    for (uint64_t i = 0; code == ASSAY_OK && i < n; i++) {
        unsigned char *at =
            (unsigned char *)e->outputs[0]->data + i * sizeof(uint32_t);
        uint32_t bits;
        memcpy(&bits, at, sizeof bits);
        if (bits % 8 == 7)
            bits ^= UINT32_C(1) << 20;
        memcpy(at, &bits, sizeof bits);
    }
    return code;
}
