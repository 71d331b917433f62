/* generate_midpoints.c - numbers halfway between two neighbours of a type.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A conversion to a narrower type that rounds twice, truncates or breaks ties
 * the wrong way is wrong at a midpoint or next to it.  Most of these data would
 * be megabytes if written out.
 *
 * Tests: test_data.c.
 */
#include <mpfr.h>
#include <string.h>

#include "interp/data/generate.h"
#include "interp/exact/real.h"

enum {
    TARGET_BITS_MAX = 16,
    EXACT_BITS = 64, /* enough for the sum of two neighbours */
    PATTERNS = 4,    /* for each pair of neighbours */
};

/* The type that node names; DT_COUNT if it has no midpoints here. */
static enum dtype find_target(const struct json *node)
{
    enum dtype t = DT_COUNT;
    if (node->kind != JSON_STRING
        || !dtype_parse(node->text, strlen(node->text), &t)
        || dtype_class(t) != DTYPE_FLOAT
        || dtype_table[t].bits > TARGET_BITS_MAX || !real_is_zero(t, 0))
        return DT_COUNT;
    return t;
}

int64_t generate_midpoints_length(const struct json *node)
{
    enum dtype target = find_target(node);
    return target == DT_COUNT ? 0 : PATTERNS * (int64_t)real_max(target, false);
}

static uint64_t negative(enum dtype type, uint64_t bits)
{
    bool keep = bits == 0 && !real_has_negative_zero(type);
    return keep ? bits : bits | UINT64_C(1) << (dtype_table[type].bits - 1);
}

/* The pattern of the midpoint of low and its successor; false if the type does
 * not hold it exactly, with a number on either side before the neighbours. */
static bool find_midpoint(enum dtype type, enum dtype target, uint64_t low,
                          uint64_t *bits)
{
    mpfr_t a, b;
    mpfr_inits2(EXACT_BITS, a, b, (mpfr_ptr)0);
    real_bits_to_mpfr(a, target, low);
    real_bits_to_mpfr(b, target, low + 1);
    mpfr_add(a, a, b, MPFR_RNDN);
    mpfr_div_2ui(a, a, 1, MPFR_RNDN);
    struct real middle = real_from_mpfr(a, 0);
    *bits = real_round(&middle, type, REAL_OVERFLOW_TYPE);
    bool exact = real_is_finite(type, *bits);
    if (exact) {
        real_bits_to_mpfr(b, type, *bits);
        exact = mpfr_equal_p(a, b);
    }
    mpfr_clears(a, b, (mpfr_ptr)0);
    return exact;
}

/* The four patterns of low and its successor. */
static bool add_four(enum dtype type, enum dtype target, uint64_t low,
                     uint64_t *p)
{
    bool even = low % 2 == 0; /* then the tie goes down */
    uint64_t tie = low + !even, beside = low + even;
    if (type != target) {
        if (!find_midpoint(type, target, low, &tie))
            return false;
        beside = even ? tie + 1 : tie - 1;
    }
    p[0] = tie;
    p[1] = negative(type, tie);
    p[2] = beside;
    p[3] = negative(type, beside);
    return true;
}

bool generate_midpoints(struct arena *a, const struct json *node,
                        struct literal *l, int64_t stride, struct status *st)
{
    enum dtype type = l->shape->dtype, target = find_target(node);
    if (target == DT_COUNT)
        return json_fail(a, node, st,
                         "expected a float type of at most %d bits with a zero",
                         TARGET_BITS_MAX);
    int64_t length = generate_midpoints_length(node);
    uint64_t *sequence = arena_new(a, uint64_t, (size_t)length);
    for (int64_t i = 0; i < length; i += PATTERNS)
        if (dtype_class(type) != DTYPE_FLOAT
            || !add_four(type, target, (uint64_t)(i / PATTERNS), &sequence[i]))
            return json_fail(a, node, st,
                             "%s does not hold the midpoints of %s",
                             dtype_table[type].name, dtype_table[target].name);
    generate_fill(l, sequence, length, stride);
    return true;
}
