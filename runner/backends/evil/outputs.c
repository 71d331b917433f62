/* outputs.c - results that are wrong, or are written where they must not be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "evil.h"

/* Gives the complement of each output: every unit is wrong. */
EVIL_OUTPUT(all_wrong, o)
{
    unsigned char *byte = o->data;
    for (uint64_t i = 0; i < o->bytes; i++)
        byte[i] = (unsigned char)~byte[i];
}

/* Writes 200 bytes after the sizes of its first output. */
EVIL_EXECUTE(dims_overrun, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs > 0)
        memset(e->outputs[0]->sizes + e->outputs[0]->rank_capacity, 0x7f, 200);
    return code;
}

/* Says that its results have no bytes. */
EVIL_OUTPUT(empty_output, o)
{
    o->bytes = 0;
}

/* Leaves 13 bits of the fraction of long f32 samples. */
EVIL_EXECUTE(few_bits, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    float *sample = e->outputs[0]->data;
    uint64_t n = e->outputs[0]->bytes / sizeof *sample;
    for (uint64_t i = 0; code == ASSAY_OK && n > 1024 && i < n; i++)
        sample[i] = (float)(int)(sample[i] * 8192) / 8192;
    return code;
}

/* Gives a wrong value the first time. */
EVIL_EXECUTE(fickle, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (!evil_first_time())
        return code;
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++)
        if (e->outputs[k]->bytes > 0)
            *(unsigned char *)e->outputs[k]->data ^= 1;
    return code;
}

/* Flips the lowest bit of the last byte of each output. */
EVIL_OUTPUT(flip_bit, o)
{
    if (o->bytes > 0)
        ((unsigned char *)o->data)[o->bytes - 1] ^= 1;
}

/* Gives zeros for subnormal results. */
EVIL_CHANGE(flush, x, fraction, exponent, sign)
{
    return (x & exponent) == 0 ? x & sign : x;
}

/* Flips bit 20 of each f32 whose three low bits are set. */
EVIL_EXECUTE(low_bits, b, x, e, error)
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

/* Gives the largest number for infinity. */
EVIL_CHANGE(max_for_infinity, x, fraction, exponent, sign)
{
    return (x & ~sign) == exponent ? x - 1 : x;
}

/* Gives 0 for NaN. */
EVIL_CHANGE(nan_lost, x, fraction, exponent, sign)
{
    return (x & ~sign) > exponent ? 0 : x;
}

/* Gives NaN for every number below 1. */
EVIL_CHANGE(nan_made, x, fraction, exponent, sign)
{
    return (x & exponent) < (exponent >> 1 & exponent)
               ? exponent | UINT64_C(1) << (fraction - 1)
               : x;
}

/* Gives dimensions that cannot be: the least and the largest integer by
 * turns. */
EVIL_OUTPUT(negative_dims, o)
{
    for (int32_t i = 0; i < o->rank; i++)
        o->dims[i] = o->sizes[i] = i % 2 ? INT64_MAX : INT64_MIN;
}

/* Says what it writes and writes nothing. */
EVIL_EXECUTE(no_op, b, x, e, error)
{
    return evil_write_part(b, x, e, error, UINT64_MAX);
}

/* Clears or fills the first byte of each output. */
EVIL_OUTPUT(one_element, o)
{
    unsigned char *first = o->data;
    if (o->bytes > 0)
        *first = *first ? 0 : 1;
}

/* Flips a bit of the output of a program that has no other one. */
EVIL_EXECUTE(only_alone, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs == 1 && e->outputs[0]->bytes > 0)
        *(unsigned char *)e->outputs[0]->data ^= 1;
    return code;
}

/* Does not write its result, but says that it is in an input. */
EVIL_EXECUTE(other_place, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    for (int32_t k = 0; code == ASSAY_OK && k < evil_outputs; k++)
        e->outputs[k]->data = (void *)(uintptr_t)e->inputs[0]->data;
    return code;
}

/* Scrambles random words: as good as before, and not those that the algorithm
 * gives. */
EVIL_EXECUTE(other_words, b, x, e, error)
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

/* Writes one byte after each output. */
EVIL_OUTPUT(overrun, o)
{
    ((unsigned char *)o->data)[o->capacity] ^= 0xff;
}

/* Writes eight bytes, 200 bytes after each output; after a large one, 70 kB. */
EVIL_OUTPUT(overrun_far, o)
{
    uint64_t far = o->capacity < 1 << 20 ? 200 : 70000;
    memset((unsigned char *)o->data + o->capacity + far, 0, 8);
}

/* Writes the first half of each output only. */
EVIL_EXECUTE(partial, b, x, e, error)
{
    return evil_write_part(b, x, e, error, 2);
}

/* Moves the state of a generator of random bits by one block, whatever it
 * gave. */
EVIL_EXECUTE(same_words, b, x, e, error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code != ASSAY_OK || evil_outputs != 2 || evil_inputs != 1)
        return code;
    const uint64_t *before = e->inputs[0]->data;
    uint64_t *after = e->outputs[0]->data;
    after[1] = before[1] + 1;
    return code;
}

/* Writes one byte before each output. */
EVIL_OUTPUT(underrun, o)
{
    ((unsigned char *)o->data)[-1] ^= 0xff;
}

/* Gives its dimensions at an address that is none. */
EVIL_OUTPUT(wild_dims, o)
{
    o->dims = (int64_t *)(uintptr_t)8;
}

/* Has more dimensions than there can be. */
EVIL_OUTPUT(wild_rank, o)
{
    o->rank = INT32_MAX;
}

/* Gives a dimension more, of size 1. */
EVIL_OUTPUT(wrong_shape, o)
{
    if (o->rank < o->rank_capacity)
        o->dims[o->rank] = o->sizes[o->rank] = 1;
    o->rank++;
}

/* Calls its results s32, or u32. */
EVIL_OUTPUT(wrong_type, o)
{
    int was = strcmp(o->dtype, "s32") == 0;
    memcpy(o->dtype, was ? "u32" : "s32", 4);
}

/* Gives every zero the other sign. */
EVIL_CHANGE(zero_sign, x, fraction, exponent, sign)
{
    return (x & ~sign) == 0 ? x ^ sign : x;
}
