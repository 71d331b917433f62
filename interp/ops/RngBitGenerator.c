/* RngBitGenerator - random bits as a function of a state.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A state is a key and a counter.  Under rng.bit-layout "xla" words are laid
 * out as XLA does (found by comparison with two releases of XLA:CPU); under
 * "words" they are the algorithm's, at any position.  Else, and where the
 * algorithm is the backend's own, any bits are right that look random, with
 * another state.
 */
#include "gen/policy/rng_bit_layout.h"
#include "interp/base/random.h"
#include "interp/check/check.h"
#include "interp/ops/dimnums.h"
#include "interp/program/attribute.h"
#include "interp/program/eval.h"
#include "interp/stablehlo/stablehlo_form.h"

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *state = in->operands[0];
    const struct shape *s = attribute_find(in->in, ATTRIBUTE_SHAPE)->shape;
    const char *algorithm = attribute_string(in->in, ATTRIBUTE_ALGORITHM);
    bool threefry = algorithm[4] == 'T', philox = algorithm[4] == 'P';
    TRY(dimnums_static(in, st));
    if (s->kind != SHAPE_ARRAY || !dtype_is_integer(s->dtype) || s->dynamic)
        return FAIL(st, TYPE, "RngBitGenerator: %s is not an array of integers",
                    shape_text(in->arena, s));
    if (state->rank != 1)
        return FAIL(st, SHAPE, "RngBitGenerator: the state is %s, not a vector",
                    shape_text(in->arena, state));
    bool fits = state->dtype == DT_u64
                && (state->dims[0] == 2 || (philox && state->dims[0] == 3));
    if ((threefry || philox) && !fits)
        return FAIL(st, SHAPE,
                    "RngBitGenerator: the state of %s is %s; expected u64[2]%s",
                    algorithm, shape_text(in->arena, state),
                    philox ? " or u64[3]" : "");
    TRY(infer_array(in, s->dtype, s->rank, s->dims, st));
    const struct shape *parts[2] = {state, in->result};
    in->result = shape_tuple(in->arena, 2, parts);
    return true;
}

/* ---- The generators ------------------------------------------------------ */

struct source {
    bool philox;
    uint32_t key[2];
    uint64_t low, high; /* counter */
};

/* The words of block number i. */
static void draw(const struct source *s, uint64_t i, uint32_t *out)
{
    uint64_t low = s->low + i, high = s->high + (low < i);
    uint32_t counter[4] = {(uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high,
                           (uint32_t)(high >> 32)};
    if (s->philox)
        random123_philox(counter, s->key, out);
    else
        random123_threefry(counter, s->key, out);
}

/* Element after element takes the next words of block after block: its own
 * number of bits, low word first.  Returns the blocks used. */
static uint64_t in_order(const struct source *s, struct literal *out)
{
    int64_t n = literal_units(out), words = s->philox ? 4 : 2;
    int64_t own = dtype_table[out->shape->dtype].bits == 64 ? 2 : 1;
    uint32_t block[4] = {0};
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i * own % words;
        if (at == 0)
            draw(s, (uint64_t)(i * own / words), block);
        uint64_t bits = block[at];
        if (own == 2)
            bits |= (uint64_t)block[at + 1] << 32;
        literal_set(out, i, bits & dtype_mask(out->shape->dtype));
    }
    return (uint64_t)((n * own + words - 1) / words);
}

/* ThreeFry's two words go to neighbours along the first dimension of even
 * size, or else the first of the largest: of that dimension there are half as
 * many blocks, rounded up. */
static uint64_t in_pairs(const struct source *s, struct literal *out)
{
    const struct shape *shape = out->shape;
    int split = -1;
    for (int d = 0; d < shape->rank && split < 0; d++)
        if (shape->dims[d] % 2 == 0)
            split = d;
    for (int d = 0, even = split >= 0; d < shape->rank && !even; d++)
        if (split < 0 || shape->dims[d] > shape->dims[split])
            split = d;
    if (split < 0)
        return in_order(s, out);
    int64_t size = shape->dims[split], half = (size + 1) / 2, inner = 1;
    for (int d = split + 1; d < shape->rank; d++)
        inner *= shape->dims[d];
    int64_t n = shape_elements(shape), outer = n ? n / size / inner : 0;
    for (int64_t i = 0; i < outer * half * inner; i++) {
        uint32_t word[2];
        int64_t o = i / inner / half, k = i / inner % half;
        draw(s, (uint64_t)i, word);
        for (int j = 0; j < 2 && 2 * k + j < size; j++)
            literal_set(out, (o * size + 2 * k + j) * inner + i % inner,
                        word[j] & dtype_mask(shape->dtype));
    }
    return (uint64_t)(outer * half * inner);
}

static void generate(const struct literal *from, bool threefry,
                     struct literal *state, struct literal *out)
{
    int64_t size = literal_units(from);
    struct source s = {.philox = !threefry};
    uint64_t key = size > 0 ? literal_get(from, 0) : 0;
    bool wide = dtype_table[out->shape->dtype].bits == 64;
    s.key[0] = (uint32_t)key;
    s.key[1] = (uint32_t)(key >> 32);
    s.low = size > 1 ? literal_get(from, 1) : 0;
    s.high = size > 2 ? literal_get(from, 2) : key;
    uint64_t used = threefry && !wide ? in_pairs(&s, out) : in_order(&s, out);
    for (int64_t i = 0; i < size; i++)
        literal_set(state, i, literal_get(from, i));
    uint64_t mask = dtype_mask(from->shape->dtype);
    int64_t at = size > 1 ? 1 : 0;
    if (size > 0)
        literal_set(state, at, (literal_get(from, at) + used) & mask);
    if (size > 2)
        literal_set(state, 2, (s.high + (s.low + used < used)) & mask);
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape;
    const char *algorithm = attribute_string(ev->in, ATTRIBUTE_ALGORITHM);
    bool own = algorithm[4] == 'D';
    bool exact = false, words = false;
    struct check_words *demand = arena_new(ev->arena, struct check_words, 1);
    struct goal *goals[2];
    switch (profile_rng_bit_layout(ev->machine->profile)) {
    case RNG_BIT_LAYOUT_XLA:
        exact = words = true;
        break;
    case RNG_BIT_LAYOUT_WORDS:
        words = true;
        break;
    case RNG_BIT_LAYOUT_ANY:
        break;
    }
    demand->state = ev->operands[0];
    demand->draws = shape_elements(s->elements[1]) > 0;
    demand->words = !own && words;
    demand->philox = algorithm[4] == 'P';
    for (int i = 0; i < 2; i++) {
        goals[i] =
            goal_new(ev->arena, s->elements[i], GOAL_BITS, ev->want_exact);
        if (own || !exact)
            goal_make_check(goals[i], check_words, demand, i);
        goals[i]->repeats = true;
    }
    generate(ev->operands[0], algorithm[4] == 'T', goals[0]->value,
             goals[1]->value);
    return eval_return(ev, s, goals);
}

const struct op op_RngBitGenerator = {
    .name = "RngBitGenerator",
    .infer = infer,
    .eval = eval,
    .stablehlo =
        STABLEHLO_FORM(.named = ATTRIBUTE_ALGORITHM, .kind = "rng_algorithm",
                       .claim = stablehlo_claim_random_bits)};
