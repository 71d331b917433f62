/* few_bits.c - leaves 13 bits of the fraction of long f32 samples.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    float *sample = e->outputs[0]->data;
    uint64_t n = e->outputs[0]->bytes / sizeof *sample;
    for (uint64_t i = 0; code == ASSAY_OK && n > 1024 && i < n; i++)
        sample[i] = (float)(int)(sample[i] * 8192) / 8192;
    return code;
}
