/* calls.c - calls that do not do what the ABI says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

/* Writes 200 bytes after the text of an error, though there is none. */
EVIL_EXECUTE(error_overrun, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    /* The compiler must not know how long it is. */
    char *volatile text = error->text;
    memset(text + sizeof error->text, 'x', 200);
    return code;
}

/* Claims that its struct is larger than memory. */
EVIL_MAKE(huge_size, e)
{
    e->backend.size = UINT64_MAX;
    e->backend.cancel = NULL;
}

/* Writes 200 bytes after each of its inputs. */
EVIL_EXECUTE(input_overrun, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < evil_inputs; k++)
        memset((unsigned char *)(uintptr_t)e->inputs[k]->data
                   + e->inputs[k]->bytes,
               'x', 200);
    return code;
}

/* Writes 200 bytes before each of its inputs. */
EVIL_EXECUTE(input_underrun, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < evil_inputs; k++)
        memset((unsigned char *)(uintptr_t)e->inputs[k]->data - 200, 'x', 200);
    return code;
}

/* Outfeeds when the execution that it is for is over.  As a queue that another
 * thread empties would; here it is emptied by the next execution, so that it
 * happens each time. */
EVIL_EXECUTE(late_outfeed, b, x, e, error)
{
    static void (*late)(void *context, int32_t replica, const assay_tensor *t);
    static void *context;
    if (late && e->inputs)
        late(context, 0, e->inputs[0]);
    late = e->outfeed;
    context = e->outfeed_context;
    return evil_execute(b, x, e, error);
}

/* Compiles without a word, and gives nothing. */
EVIL_COMPILE(no_executable, b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code == ASSAY_OK)
        evil_release(b, *x);
    *x = NULL;
    return code;
}

/* Gives an error where a value is expected. */
EVIL_EXECUTE(refuse, b, x, e, error)
{
    snprintf(error->text, sizeof error->text, "it is too early in the day");
    return ASSAY_FAILED;
}

/* Returns an error when an executable is executed again. */
EVIL_EXECUTE(second_refused, b, x, e, error)
{
    if (evil_earlier == 0)
        return evil_execute(b, x, e, error);
    snprintf(error->text, sizeof error->text, "once is enough");
    return ASSAY_FAILED;
}

/* Claims that its struct has no members. */
EVIL_MAKE(tiny_size, e)
{
    e->backend.size = sizeof e->backend.size;
}

/* Writes into the host's own struct, which every later call would use. */
EVIL_EXECUTE(write_host, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    memset((void *)(uintptr_t)evil_of(b)->host, 0x7f, sizeof(assay_host) + 200);
    return code;
}

/* Changes its inputs. */
EVIL_EXECUTE(write_inputs, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; k < evil_inputs; k++)
        if (e->inputs[k]->bytes > 0)
            *(unsigned char *)e->inputs[k]->data ^= 1;
    return code;
}

/* Overwrites the program that it compiles. */
EVIL_COMPILE(write_program, b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code == ASSAY_OK)
        ((assay_program *)(uintptr_t)p)->outputs = NULL;
    return code;
}

/* Rejects with another class. */
EVIL_COMPILE(wrong_class, b, p, x, error)
{
    assay_code code = evil_compile(b, p, x, error);
    if (code >= ASSAY_SHAPE && code <= ASSAY_STRUCTURE)
        return code % ASSAY_STRUCTURE + 1;
    return code;
}
