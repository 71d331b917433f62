/* outputs.c - results that are wrong, or are written where they must not be.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>

#include "evil.h"

/* Gives the complement of each output: every unit is wrong. */
EVIL_OUTPUT(all_wrong, o)
{
    unsigned char *byte = o->data;
    for (uint64_t i = 0; i < o->bytes; i++)
        byte[i] = (unsigned char)~byte[i];
}

/* Writes 200 bytes after the sizes of its first output. */
EVIL_AFTER(dims_overrun, b, e, error)
{
    if (evil_outputs > 0)
        memset(e->outputs[0]->sizes + e->outputs[0]->rank_capacity, 0x7f, 200);
}

/* Says that its results have no bytes. */
EVIL_OUTPUT(empty_output, o)
{
    o->bytes = 0;
}

/* Leaves 13 bits of the fraction of long f32 samples. */
EVIL_AFTER(few_bits, b, e, error)
{
    float *sample = e->outputs[0]->data;
    uint64_t n = e->outputs[0]->bytes / sizeof *sample;
    for (uint64_t i = 0; n > 1024 && i < n; i++)
        sample[i] = (float)(int)(sample[i] * 8192) / 8192;
}

/* Gives a wrong value the first time. */
EVIL_AFTER(fickle, b, e, error)
{
    if (!evil_first_time())
        return;
    for (int32_t k = 0; k < evil_outputs; k++)
        if (e->outputs[k]->bytes > 0)
            *(unsigned char *)e->outputs[k]->data ^= 1;
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
EVIL_AFTER(low_bits, b, e, error)
{
    uint64_t n = e->outputs[0]->bytes / sizeof(uint32_t);
    for (uint64_t i = 0; i < n; i++) {
        unsigned char *at =
            (unsigned char *)e->outputs[0]->data + i * sizeof(uint32_t);
        uint32_t bits;
        memcpy(&bits, at, sizeof bits);
        if (bits % 8 == 7)
            bits ^= UINT32_C(1) << 20;
        memcpy(at, &bits, sizeof bits);
    }
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
EVIL_AFTER(only_alone, b, e, error)
{
    if (evil_outputs == 1 && e->outputs[0]->bytes > 0)
        *(unsigned char *)e->outputs[0]->data ^= 1;
}

/* Does not write its result, but says that it is in an input. */
EVIL_AFTER(other_place, b, e, error)
{
    for (int32_t k = 0; k < evil_outputs; k++)
        e->outputs[k]->data = (void *)(uintptr_t)e->inputs[0]->data;
}

/* Scrambles random words: as good as before, and not those that the algorithm
 * gives. */
EVIL_AFTER(other_words, b, e, error)
{
    if (evil_outputs != 2)
        return;
    uint32_t *word = e->outputs[1]->data;
    for (uint64_t i = 0; i < e->outputs[1]->bytes / sizeof *word; i++) {
        word[i] = (word[i] ^ word[i] >> 16) * 0x85ebca6bU;
        word[i] = (word[i] ^ word[i] >> 13) * 0xc2b2ae35U;
    }
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
EVIL_AFTER(same_words, b, e, error)
{
    if (evil_outputs != 2 || evil_inputs != 1)
        return;
    const uint64_t *before = e->inputs[0]->data;
    uint64_t *after = e->outputs[0]->data;
    after[1] = before[1] + 1;
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

/* Writes into the results of its last execution when it has those of the next
 * one, as a thread would that is late. */
EVIL_EXECUTE(late_write, b, x, e, error)
{
    static unsigned char *last;
    static size_t bytes;
    assay_code code = evil_execute(b, x, e, error);
    if (last != NULL)
        memset(last, 0x55, bytes);
    last = code == ASSAY_OK && evil_outputs > 0 ? e->outputs[0]->data : NULL;
    bytes = last != NULL ? (size_t)e->outputs[0]->bytes : 0;
    return code;
}

/* Gives the result of the execution before this one. */
EVIL_OUTPUT(stale, o)
{
    static unsigned char last[4096];
    static int full;
    uint64_t n = o->bytes < sizeof last ? o->bytes : sizeof last;
    unsigned char now[sizeof last];
    memcpy(now, o->data, (size_t)n);
    if (full)
        memcpy(o->data, last, (size_t)n);
    memcpy(last, now, (size_t)n);
    full = 1;
}

/* Wrong for f64 inputs from 1 up to 1 + 2^-24 alone: by 8 units in the last
 * place at 1, and by less, the farther from it.  For runner/test/hunt.t: few
 * inputs, that no evenly spaced ones meet. */
enum {
    WIDTH = 28, /* of the interval: 2^28 patterns */
    MOST = 8
};

EVIL_AFTER(narrow, b, e, error)
{
    const uint64_t *in, one = UINT64_C(0x3ff) << 52;
    uint64_t *out, n = evil_f64(e, &in, &out);
    for (uint64_t i = 0; i < n; i++)
        if (in[i] - one < UINT64_C(1) << WIDTH)
            out[i] += MOST - (in[i] - one) * MOST / (UINT64_C(1) << WIDTH);
}

/* Wrong for f64 inputs next to multiples of (log 3) / 3 alone: by 2 units in
 * the last place, and by 9 from 512 to 1024.  For runner/test/hunt.t: about one
 * input in 65,536.  Two wrong inputs differ by a multiple of the period, so
 * they lead to others. */
#define PERIOD 0x1.76fe34e3c040fp-2
#define NEAR   0x1p-17 /* of the period, on each side */

static uint64_t units(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    double turns = x / PERIOD;
    double off = turns - (turns + 0x1.8p52 - 0x1.8p52);
    if (!(x > PERIOD / 2 && x < 0x1p30) || off > NEAR || off < -NEAR)
        return 0;
    return x >= 512 && x < 1024 ? 9 : 2;
}

EVIL_AFTER(periodic, b, e, error)
{
    const uint64_t *in;
    uint64_t *out, n = evil_f64(e, &in, &out);
    for (uint64_t i = 0; i < n; i++)
        out[i] += units(in[i]);
}

/* The second rounding: a finite number to a type of two bytes. */
static uint64_t twice(double x, int fraction)
{
    int emin = fraction == 10 ? -14 : -126;
    if (x == 0)
        return 0;
    int e = ilogb(x) < emin ? emin : ilogb(x);
    double scaled = rint(scalbn(x, fraction - e)); /* below 2^(fraction + 1) */
    uint64_t bits = (uint64_t)(e - emin) << fraction;
    uint64_t most = ((UINT64_C(1) << 15) - 1) >> fraction << fraction;
    bits += (uint64_t)scaled;
    return bits < most ? bits : most;
}

/* Converts f64 to narrower types via f32. */
EVIL_AFTER(double_rounding, b, e, error)
{
    if (evil_outputs != 1 || evil_inputs != 1
        || strcmp(e->inputs[0]->shape->dtype, "f64") != 0)
        return;
    assay_output *o = e->outputs[0];
    int fraction, bytes = evil_bytes(o, &fraction);
    for (uint64_t i = 0; bytes == 2 && i < o->bytes / 2; i++) {
        double wide;
        memcpy(&wide, (const char *)e->inputs[0]->data + 8 * i, 8);
        float once = (float)wide;
        uint64_t sign = signbit(once) ? UINT64_C(1) << 15 : 0;
        if (isfinite(once))
            evil_set(o, i, 2, sign | twice(fabs((double)once), fraction));
    }
}

/* Flips a bit of the third output of a program, if it has one. */
static assay_code flip_third(assay_backend *b, assay_executable *x,
                             const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    if (code == ASSAY_OK && evil_outputs > 2 && e->outputs[2]->bytes > 0)
        *(unsigned char *)e->outputs[2]->data ^= 1;
    return code;
}

/* So that it gets programs of several results by default. */
static const char *compile_slowly(assay_backend *b, const char *name)
{
    return strcmp(name, "compile") == 0 ? "slow" : evil_capability(b, name);
}

EVIL_MAKE(beside, e)
{
    e->execute = flip_third;
    e->backend.capability = compile_slowly;
}
