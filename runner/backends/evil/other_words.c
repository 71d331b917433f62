/* other_words.c - scrambles random words: as good as before, and not those that
 * the algorithm gives.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code != ASSAY_OK || evil_outputs != 2)
        return code;
    uint32_t *word = e->outputs[1]->data;
    for (uint64_t i = 0; i < e->outputs[1]->bytes / sizeof *word; i++) {
        word[i] = (word[i] ^ word[i] >> 16) * 0x85ebca6bU;
        word[i] = (word[i] ^ word[i] >> 13) * 0xc2b2ae35U;
    }
    return code;
}
