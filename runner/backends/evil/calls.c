/* calls.c - calls that do not do what the ABI says.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

/* Writes 200 bytes after the text of an error, though there is none. */
EVIL_AFTER(error_overrun, b, e, error)
{
    /* The compiler must not know how long it is. */
    char *volatile text = error->text;
    memset(text + sizeof error->text, 'x', 200);
}

/* Claims that its struct is larger than memory. */
EVIL_MAKE(huge_size, e)
{
    e->backend.size = UINT64_MAX;
    e->backend.cancel = NULL;
}

/* Writes 200 bytes after each of its inputs. */
EVIL_AFTER(input_overrun, b, e, error)
{
    for (int32_t k = 0; k < evil_inputs; k++)
        memset((unsigned char *)(uintptr_t)e->inputs[k]->data
                   + e->inputs[k]->bytes,
               'x', 200);
}

/* Writes 200 bytes before each of its inputs. */
EVIL_AFTER(input_underrun, b, e, error)
{
    for (int32_t k = 0; k < evil_inputs; k++)
        memset((unsigned char *)(uintptr_t)e->inputs[k]->data - 200, 'x', 200);
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
EVIL_AFTER(write_host, b, e, error)
{
    memset((void *)(uintptr_t)evil_of(b)->host, 0x7f, sizeof(assay_host) + 200);
}

/* Changes its inputs. */
EVIL_AFTER(write_inputs, b, e, error)
{
    for (int32_t k = 0; k < evil_inputs; k++)
        if (e->inputs[k]->bytes > 0)
            *(unsigned char *)e->inputs[k]->data ^= 1;
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

/* What the first execution of a program writes to an outfeed is lost. */
static void lose(void *context, int32_t replica, const assay_tensor *value)
{
    (void)context, (void)replica, (void)value;
}

EVIL_EXECUTE(outfeed_later, b, x, e, error)
{
    assay_execution other = *e;
    if (evil_earlier == 0)
        other.outfeed = lose;
    return evil_execute(b, x, &other, error);
}

/* What it writes to an outfeed has no element type. */
static const assay_execution *running;

static void spoil(void *context, int32_t replica, const assay_tensor *value)
{
    assay_shape shape = *value->shape;
    assay_tensor other = *value;
    (void)context;
    shape.dtype = "none";
    other.shape = &shape;
    running->outfeed(running->outfeed_context, replica, &other);
}

EVIL_EXECUTE(outfeed_malformed, b, x, e, error)
{
    assay_execution other = *e;
    running = e;
    other.outfeed = spoil;
    return evil_execute(b, x, &other, error);
}

/* Aborts when it is closed. */
static void close_badly(assay_backend *b)
{
    (void)b;
    abort();
}

EVIL_MAKE(close_crash, e)
{
    e->backend.close = close_badly;
}

/* Aborts when it releases a program.  The host keeps 32 programs. */
static void release_badly(assay_backend *b, assay_executable *x)
{
    (void)b, (void)x;
    abort();
}

EVIL_MAKE(release_crash, e)
{
    e->release = release_badly;
}

/* When it releases a program, it writes where the inputs of the last execution
 * were: those of the next one are there by then.  The host keeps 32
 * programs. */
static unsigned char *last_input;

static assay_code keep_input(assay_backend *b, assay_executable *x,
                             const assay_execution *e, assay_error *error)
{
    last_input = evil_inputs > 0 ? (unsigned char *)e->inputs[0]->data : NULL;
    return evil_execute(b, x, e, error);
}

static void write_and_release(assay_backend *b, assay_executable *x)
{
    if (last_input != NULL)
        last_input[3] ^= 0x40;
    last_input = NULL;
    evil_release(b, x);
}

EVIL_MAKE(write_released, e)
{
    e->execute = keep_input;
    e->release = write_and_release;
}
