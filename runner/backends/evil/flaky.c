/* flaky.c - is wrong every other time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

/* Counts in the file that ASSAY_EVIL_STATE names, which outlives a worker, or
 * else in this process. */
static int odd_time(void)
{
    static int count;
    const char *path = getenv("ASSAY_EVIL_STATE");
    FILE *f = path ? fopen(path, "a+") : NULL;
    count++;
    if (f == NULL)
        return count & 1;
    fputc('x', f);
    fseek(f, 0, SEEK_END);
    long n = ftell(f);
    fclose(f);
    return (int)(n & 1);
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (!odd_time())
        return code;
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++)
        if (e->outputs[k]->bytes > 0)
            *(unsigned char *)e->outputs[k]->data ^= 1;
    return code;
}

static void evil_make(struct evil *e)
{
    e->execute = execute;
}
