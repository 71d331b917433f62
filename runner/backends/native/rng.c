/* rng.c - random numbers: splitmix64, ThreeFry-2x32, Philox-4x32.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
}

/* ---- Distributions ------------------------------------------------------- */

assay_code rng_check(struct check *c)
{
    const struct attribute *a = attribute_find(c->node, "shape");
    int normal = strcmp(c->node->op->name, "RngNormal") == 0;
    if (a == NULL || a->shape == NULL || a->shape->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_ATTRIBUTE, "no shape");
    const struct type *t = a->shape->type;
    if (t->class == COMPLEX || (normal && t->class != FLOAT))
        return program_fail(c, ASSAY_TYPE, "no random numbers of type %s",
                            t->name);
    for (int i = 0; i < 2; i++) {
        const struct shape *o = c->operands[i];
        if (o->kind != ASSAY_ARRAY || o->type != t)
            return program_fail(c, ASSAY_TYPE, "operand %d is not of type %s",
                                i, t->name);
        if (!shape_is_scalar(o))
            return program_fail(c, ASSAY_SHAPE, "operand %d is not a scalar",
                                i);
    }
    c->result = a->shape;
    return ASSAY_OK;
}

static double fraction(uint64_t *state)
{
    return (double)(next(state) >> 11) * 0x1p-53;
}

/* A float of [a, b): a value that rounds up to b is drawn again. */
static double uniform(const struct type *t, double a, double b, void *data,
                      int64_t i, uint64_t *state)
{
    for (;;) {
        type_set_double(t, data, i, a + (b - a) * fraction(state));
        double x = type_double(t, data, i);
        if (!(x >= b && a < b))
            return x;
    }
}

assay_code rng_run_uniform(struct run *r)
{
    struct value *out = machine_result(r);
    const struct type *t = out->shape->type;
    int64_t n = shape_count(out->shape);
    uint64_t state = 1;
    const void *a = r->operands[0]->data, *b = r->operands[1]->data;
    for (int64_t i = 0; i < n; i++) {
        if (t->class == FLOAT) {
            uniform(t, type_double(t, a, 0), type_double(t, b, 0), out->data, i,
                    &state);
            continue;
        }
        uint64_t low = type_int(t, a, 0), range = type_int(t, b, 0) - low;
        uint64_t most = range ? UINT64_MAX - UINT64_MAX % range : 0, x;
        do
            x = next(&state);
        while (range && x >= most);
        type_set_int(t, out->data, i, low + (range ? x % range : 0));
    }
    return ASSAY_OK;
}

/* Box and Muller. */
assay_code rng_run_normal(struct run *r)
{
    struct value *out = machine_result(r);
    const struct type *t = out->shape->type;
    int64_t n = shape_count(out->shape);
    uint64_t state = 2;
    double mu = type_double(t, r->operands[0]->data, 0);
    double sigma = type_double(t, r->operands[1]->data, 0);
    for (int64_t i = 0; i < n; i++) {
        double far = sqrt(-2 * log(1 - fraction(&state)));
        double turn = 8 * atan(1.0) * fraction(&state);
        type_set_double(t, out->data, i, mu + sigma * far * cos(turn));
    }
    return ASSAY_OK;
}

/* ---- Bits ---------------------------------------------------------------- */

assay_code rng_check_bits(struct check *c)
{
    const struct shape *s = c->operands[0], *parts[2];
    const struct attribute *a = attribute_find(c->node, "shape");
    const char *algorithm = attribute_string(c->node, "algorithm");
    int threefry = strcmp(algorithm, "RNG_THREE_FRY") == 0;
    int philox = strcmp(algorithm, "RNG_PHILOX") == 0;
    if (a == NULL || a->shape == NULL || a->shape->kind != ASSAY_ARRAY
        || !type_is_integer(a->shape->type))
        return program_fail(c, ASSAY_TYPE, "the shape holds no integers");
    if (s->kind != ASSAY_ARRAY || s->type->class != UINT)
        return program_fail(c, ASSAY_TYPE, "the state is not unsigned");
    if (s->rank != 1)
        return program_fail(c, ASSAY_SHAPE, "the state is not a vector");
    if ((threefry || philox)
        && (s->type->bits != 64
            || !(s->dims[0] == 2 || (philox && s->dims[0] == 3))))
        return program_fail(c, ASSAY_SHAPE, "the state has the wrong size");
    parts[0] = s;
    parts[1] = a->shape;
    c->result = shape_tuple(c->memory, 2, parts);
    return ASSAY_OK;
}

static void threefry(const uint64_t *state, uint64_t block, uint32_t *out)
{
    static const int turns[8] = {13, 15, 26, 6, 17, 29, 16, 24};
    uint32_t k[3], x[2];
    uint64_t counter = state[1] + block;
    k[0] = (uint32_t)state[0];
    k[1] = (uint32_t)(state[0] >> 32);
    k[2] = 0x1bd11bdaU ^ k[0] ^ k[1];
    x[0] = (uint32_t)counter + k[0];
    x[1] = (uint32_t)(counter >> 32) + k[1];
    for (unsigned i = 0; i < 20; i++) {
        int by = turns[i % 8];
        x[0] += x[1];
        x[1] = (x[1] << by | x[1] >> (32 - by)) ^ x[0];
        if (i % 4 == 3) {
            unsigned s = i / 4 + 1;
            x[0] += k[s % 3];
            x[1] += k[(s + 1) % 3] + s;
        }
    }
    memcpy(out, x, sizeof x);
}

static void philox(const uint64_t *state, uint64_t block, uint32_t *out)
{
    uint64_t low = state[1] + block, high = state[2] + (low < block);
    uint32_t x[4], k[2];
    x[0] = (uint32_t)low;
    x[1] = (uint32_t)(low >> 32);
    x[2] = (uint32_t)high;
    x[3] = (uint32_t)(high >> 32);
    k[0] = (uint32_t)state[0];
    k[1] = (uint32_t)(state[0] >> 32);
    for (int i = 0; i < 10; i++) {
        uint64_t p = 0xd2511f53U * (uint64_t)x[0];
        uint64_t q = 0xcd9e8d57U * (uint64_t)x[2];
        x[0] = (uint32_t)(q >> 32) ^ x[1] ^ k[0];
        x[2] = (uint32_t)(p >> 32) ^ x[3] ^ k[1];
        x[1] = (uint32_t)q;
        x[3] = (uint32_t)p;
        k[0] += 0x9e3779b9U;
        k[1] += 0xbb67ae85U;
    }
    memcpy(out, x, sizeof x);
}

static void set_word(const struct value *out, int64_t at, const uint32_t *word,
                     int both)
{
    uint64_t bits = word[0];
    if (both)
        bits |= (uint64_t)word[1] << 32;
    type_set_int(out->shape->type, out->data, at, bits);
}

/* Words in the order of the counter; returns the blocks drawn. */
static uint64_t in_order(int fry, const uint64_t *state,
                         const struct value *out)
{
    int64_t n = shape_count(out->shape);
    int width = fry ? 2 : 4, words = out->shape->type->bits == 64 ? 2 : 1;
    uint64_t block = 0;
    uint32_t word[4] = {0, 0, 0, 0};
    for (int64_t i = 0; i < n; i++) {
        int at = (int)(i * words % width);
        if (at == 0)
            (fry ? threefry : philox)(state, block++, word);
        set_word(out, i, word + at, words == 2);
    }
    return block;
}

/* As XLA has it: the two words of a block of ThreeFry are neighbours along the
 * first dimension of even size, or else the first of the largest. */
static uint64_t in_pairs(const uint64_t *state, const struct value *out)
{
    const struct shape *s = out->shape;
    int64_t n = shape_count(s), inner = 1;
    int along = 0;
    if (s->rank == 0 || n == 0)
        return in_order(1, state, out);
    for (int d = s->rank - 1; d >= 0; d--)
        if (s->dims[d] >= s->dims[along])
            along = d;
    for (int d = s->rank - 1; d >= 0; d--)
        if (s->dims[d] % 2 == 0)
            along = d;
    for (int d = along + 1; d < s->rank; d++)
        inner *= s->dims[d];
    int64_t size = s->dims[along], half = (size + 1) / 2, outer = n / size;
    uint64_t block = 0;
    for (int64_t o = 0; o < outer / inner; o++)
        for (int64_t k = 0; k < size; k += 2)
            for (int64_t i = 0; i < inner; i++) {
                uint32_t word[2];
                threefry(state, block++, word);
                int64_t at = (o * size + k) * inner + i;
                set_word(out, at, word, 0);
                if (k + 1 < size)
                    set_word(out, at + inner, word + 1, 0);
            }
    return (uint64_t)(outer * half);
}

assay_code rng_run_bits(struct run *r)
{
    struct value *both = machine_result(r), *out = both->elements[1];
    struct value *after = both->elements[0];
    const struct value *before = r->operands[0];
    const struct type *t = before->shape->type;
    int64_t size = before->shape->dims[0];
    int fry =
        strcmp(attribute_string(r->node, "algorithm"), "RNG_THREE_FRY") == 0;
    uint64_t state[3] = {0, 0, 0};
    for (int64_t i = 0; i < size && i < 3; i++)
        state[i] = type_int(t, before->data, i);
    if (size < 3)
        state[2] = state[0];
    uint64_t blocks = fry && out->shape->type->bits < 64
                          ? in_pairs(state, out)
                          : in_order(fry, state, out);
    for (int64_t i = 0; i < size; i++) {
        uint64_t x = type_int(t, before->data, i);
        if (i == (size > 1 ? 1 : 0))
            x += blocks;
        if (i == 2)
            x += state[1] + blocks < blocks;
        type_set_int(t, after->data, i, x);
    }
    return ASSAY_OK;
}
