/* earlier_words.c - reports an error whenever all is well, and once aborts
 * without a word, at an input of 4.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

EVIL_EXECUTE(b, x, e, error)
{
    const float four = 4;
    for (int32_t i = 0; i < evil_inputs; i++)
        if (e->inputs[i]->bytes >= sizeof four
            && memcmp(e->inputs[i]->data, &four, sizeof four) == 0
            && evil_first_time())
            abort();
    fprintf(stderr, "Check failed: of an earlier case\n");
    printf("and half a line");
    return evil_execute(b, x, e, error);
}
