/* generate.c - see generate.h.  Tests: test_data.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/data/generate.h"

#include <gmp.h>
#include <inttypes.h>
#include <mpfr.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "interp/base/memory.h"
#include "interp/base/random.h"
#include "interp/data/number.h"
#include "interp/exact/real.h"
#include "interp/specification/spec.h"

enum {
    SWEEP_BITS_MAX = 16,
    OFFSET_LISTS_MAX = 8,
    UNIFORM_BITS = 53,
    NORMAL_DRAWS = 12,
    ROUND_BITS = 128,
    EXPONENT_MAX = 40000, /* of a decimal parameter: 10^40000 */
};

/* ---- Sequences ---------------------------------------------------------- */

void generate_fill(struct literal *l, const uint64_t *sequence, int64_t length,
                   int64_t stride)
{
    int units = dtype_units(l->shape->dtype);
    int64_t count = shape_elements(l->shape);
    int64_t number = 0, left = stride;
    for (int64_t e = 0; e < count; e++) {
        for (int u = 0; u < units; u++)
            literal_set(l, units * e + u, sequence[units * number + u]);
        if (--left == 0) {
            left = stride;
            number = number + 1 == length ? 0 : number + 1;
        }
    }
}

void generate_iota(struct literal *l, int dimension)
{
    const struct shape *s = l->shape;
    enum dtype unit = dtype_unit(s->dtype);
    int units = dtype_units(s->dtype);
    int64_t strides[SHAPE_RANK_MAX];
    shape_strides(s->rank, s->dims, strides);
    for (int64_t e = 0, n = shape_elements(s); e < n; e++) {
        int64_t value = e / strides[dimension] % s->dims[dimension];
        uint64_t bits = (uint64_t)value & dtype_mask(unit);
        if (dtype_class(unit) == DTYPE_FLOAT) {
            struct real y = real_from_int(value);
            bits = real_round(&y, unit, REAL_OVERFLOW_TYPE);
        }
        literal_set(l, units * e, bits);
    }
}

/* Patterns from the first on, modulo 2^bits; those of large sweeps are too many
 * to be stored one by one. */
static void fill_steps(struct literal *l, uint64_t bits, uint64_t by)
{
    enum dtype type = l->shape->dtype;
    int64_t n = shape_elements(l->shape);
    if (dtype_table[type].bits == 32)
        for (int64_t i = 0; i < n; i++) {
            uint32_t x = (uint32_t)bits + (uint32_t)i * (uint32_t)by;
            memcpy(l->data + 4 * i, &x, sizeof x);
        }
    else if (dtype_table[type].bits == 16)
        for (int64_t i = 0; i < n; i++) {
            uint16_t x = (uint16_t)(bits + (uint64_t)i * by);
            memcpy(l->data + 2 * i, &x, sizeof x);
        }
    else
        for (int64_t i = 0; i < n; i++) {
            literal_set(l, i, bits);
            bits = (bits + by) & dtype_mask(type);
        }
}

/* All sums of a pattern and one offset of each list, modulo 2^bits; the last
 * list varies fastest. */
static bool fill_sums(struct arena *a, const struct json *lists,
                      struct literal *l, uint64_t bits, struct status *st)
{
    int64_t n = shape_elements(l->shape), count = 1;
    uint64_t *sums = arena_new(a, uint64_t, (size_t)n + 1);
    uint64_t *before = arena_new(a, uint64_t, (size_t)n + 1);
    sums[0] = bits;
    for (const struct json *list = lists->child; list; list = list->next) {
        if (list->kind != JSON_ARRAY || list->count == 0
            || count > n / list->count)
            return json_fail(a, list, st,
                             "expected offsets, as many sums of them as the "
                             "shape has elements: %" PRId64,
                             n);
        memcpy(before, sums, (size_t)count * sizeof *sums);
        int64_t k = 0;
        for (const struct json *o = list->child; o; o = o->next, k++) {
            int64_t offset;
            TRY(json_int(a, o, &offset, st));
            for (int64_t i = 0; i < count; i++)
                sums[i * list->count + k] = before[i] + (uint64_t)offset;
        }
        count *= list->count;
    }
    if (count != n)
        return json_fail(a, lists, st,
                         "%" PRId64 " sums, but the shape has %" PRId64
                         " elements",
                         count, n);
    for (int64_t i = 0; i < n; i++)
        literal_set(l, i, sums[i] & dtype_mask(l->shape->dtype));
    return true;
}

/* One pattern of each block of consecutive ones, from the first to the last; a
 * function of the block alone, so that parts of a sweep have the inputs of the
 * whole.  Multiples of a step would have structure: those of a power of two
 * have low bits of zero, with which 1 + x or x * x is more often exact. */
static bool fill_blocks(struct arena *a, const struct json *block,
                        struct literal *l, uint64_t bits, uint64_t last,
                        struct status *st)
{
    int64_t n = shape_elements(l->shape), size;
    TRY(json_int(a, block, &size, st));
    if (size < 1)
        return json_fail(a, block, st, "expected a number of at least 1");
    uint64_t by = (uint64_t)size;
    if (last < bits || (n > 0 && (last - bits) / by < (uint64_t)n - 1))
        return json_fail(a, block, st,
                         "fewer blocks up to the last pattern than the %" PRId64
                         " elements of the shape",
                         n);
    if (size == 1) {
        fill_steps(l, bits, 1);
        return true;
    }
    for (int64_t i = 0; i < n; i++, bits += by) {
        struct random r = {bits};
        uint64_t left = last - bits; /* after the first of the block */
        literal_set(l, i, bits + random_below(&r, left < by ? left + 1 : by));
    }
    return true;
}

static bool read_pattern(struct arena *a, const struct json *node,
                         enum dtype type, uint64_t *bits, struct status *st)
{
    struct status why = {STATUS_OK};
    return (dtype_units(type) == 1
            && number_bits(node->text, strlen(node->text), type, bits, &why))
           || json_fail(a, node, st, "'%.40s' is not a bit pattern of %s",
                        node->text, dtype_table[type].name);
}

static bool is_string(const struct json *node)
{
    return node && node->kind == JSON_STRING;
}

/* Every stride-th pattern from the first on, modulo 2^bits, its sums with
 * offsets, or one pattern of each block. */
static bool sweep_part(struct arena *a, const struct json *node,
                       struct literal *l, struct status *st)
{
    static const char *const members[] = {"first", "stride", "offsets",
                                          "block", "last",   NULL};
    enum dtype type = l->shape->dtype;
    TRY(json_only(a, node, members, st));
    const struct json *first = json_member(node, "first");
    const struct json *step = json_member(node, "stride");
    const struct json *lists = json_member(node, "offsets");
    const struct json *block = json_member(node, "block");
    const struct json *last = json_member(node, "last");
    uint64_t bits, end;
    int64_t by;
    if (!is_string(first)
        || (step != NULL) + (lists != NULL) + (block != NULL) != 1
        || (block ? !is_string(last) : last != NULL))
        return json_fail(a, node, st,
                         "expected 'first' (a bit pattern as a string), and "
                         "'stride' (a number), 'offsets' (a list of lists), or "
                         "'block' (a number) with 'last' (a bit pattern)");
    TRY(read_pattern(a, first, type, &bits, st));
    if (block)
        return read_pattern(a, last, type, &end, st)
               && fill_blocks(a, block, l, bits, end, st);
    if (lists
        && (lists->kind != JSON_ARRAY || lists->count == 0
            || lists->count > OFFSET_LISTS_MAX))
        return json_fail(a, lists, st,
                         "expected a list of 1 to %d lists of offsets",
                         OFFSET_LISTS_MAX);
    if (lists)
        return fill_sums(a, lists, l, bits, st);
    TRY(json_int(a, step, &by, st));
    fill_steps(l, bits, (uint64_t)by);
    return true;
}

bool generate_sweep(struct arena *a, const struct json *node, struct literal *l,
                    int64_t stride, struct status *st)
{
    enum dtype type = l->shape->dtype;
    int bits = dtype_table[type].bits;
    if (node->kind == JSON_OBJECT)
        return sweep_part(a, node, l, st);
    if (!json_is_string(node, "all"))
        return json_fail(
            a, node, st,
            "expected \"all\", or an object with 'first' and 'stride', "
            "'offsets' or 'block'");
    if (bits > SWEEP_BITS_MAX || dtype_units(type) != 1)
        return json_fail(a, node, st,
                         "%s has more than 16 bits: too many patterns",
                         dtype_table[type].name);
    int64_t length = INT64_C(1) << bits;
    uint64_t *sequence = arena_new(a, uint64_t, (size_t)length);
    for (int64_t i = 0; i < length; i++)
        sequence[i] = (uint64_t)i;
    generate_fill(l, sequence, length, stride);
    return true;
}

/* ---- Special values ----------------------------------------------------- */

/* spec/grids.json, each read once. */
struct grid {
    int count;
    uint64_t bits[];
};
static _Atomic(struct grid *) grids[2][DT_COUNT];

static struct grid *read_grid(enum dtype unit, bool complex)
{
    const struct json *file = spec_file("spec/grids.json");
    const struct json *list =
        json_member(json_member(file, complex ? "complex" : "grids"),
                    dtype_table[unit].name);
    int n = list ? list->count : 0;
    size_t bytes = sizeof(struct grid) + (size_t)n * sizeof(uint64_t);
    struct grid *g = malloc(bytes);
    if (!g)
        memory_out(bytes);
    g->count = 0;
    for (const struct json *b = list ? list->child : NULL; b; b = b->next)
        g->bits[g->count++] = strtoull(b->text, NULL, 16);
    return g;
}

const uint64_t *generate_specials_grid(enum dtype unit, bool complex,
                                       int *count)
{
    struct grid *found = atomic_load(&grids[complex][unit]);
    if (!found) {
        struct grid *own = read_grid(unit, complex);
        /* If several threads read it at once, the first result stays. */
        if (atomic_compare_exchange_strong(&grids[complex][unit], &found, own))
            found = own;
        else
            free(own);
    }
    *count = found->count;
    return found->bits;
}

bool generate_specials(struct arena *a, const struct json *node,
                       struct literal *l, int64_t stride, struct status *st)
{
    enum dtype type = l->shape->dtype;
    bool complex = dtype_class(type) == DTYPE_COMPLEX;
    if (node->kind != JSON_BOOL || !node->boolean)
        return json_fail(a, node, st, "expected true");
    int n;
    const uint64_t *grid =
        generate_specials_grid(dtype_unit(type), complex, &n);
    if (n == 0)
        return json_fail(a, node, st, "%s has no grid of special values",
                         dtype_table[type].name);
    if (!complex) {
        generate_fill(l, grid, n, stride);
        return true;
    }
    uint64_t *pairs = arena_new(a, uint64_t, 2 * (size_t)n * (size_t)n);
    for (int i = 0; i < n * n; i++) {
        pairs[2 * i] = grid[i / n];
        pairs[2 * i + 1] = grid[i % n];
    }
    generate_fill(l, pairs, (int64_t)n * n, stride);
    return true;
}

int64_t generate_length(const struct json *literal, enum dtype type)
{
    int n;
    const struct json *sweep = json_member(literal, "sweep");
    if (sweep && sweep->kind == JSON_OBJECT)
        return 0;
    if (sweep)
        return dtype_table[type].bits <= SWEEP_BITS_MAX
                   ? INT64_C(1) << dtype_table[type].bits
                   : 0;
    const struct json *midpoints = json_member(literal, "midpoints");
    if (midpoints)
        return generate_midpoints_length(midpoints);
    if (!json_member(literal, "specials"))
        return 0;
    bool complex = dtype_class(type) == DTYPE_COMPLEX;
    generate_specials_grid(dtype_unit(type), complex, &n);
    return complex ? (int64_t)n * n : n;
}

/* ---- Random ------------------------------------------------------------- */

/* One draw of a distribution, for one unit. */
struct drawing {
    struct random random;
    enum dtype unit;
    mpq_t first, second; /* low and high - low; mean and stddev */
    mpq_t value, term;
    mpfr_t rounded;
    int64_t low, high;
};

static uint64_t round_rational(struct drawing *d)
{
    int ternary = mpfr_set_q(d->rounded, d->value, MPFR_RNDZ);
    struct real y = real_from_mpfr(d->rounded, ternary);
    return real_round(&y, d->unit, REAL_OVERFLOW_TYPE);
}

/* value = k / 2^53, k the top 53 bits of a draw. */
static void draw_unit(struct drawing *d, mpq_t value)
{
    uint64_t k = random_next(&d->random) >> (64 - UNIFORM_BITS);
    mpq_set_ui(value, 0, 1);
    mpz_import(mpq_numref(value), 1, -1, sizeof k, 0, 0, &k);
    mpq_div_2exp(value, value, UNIFORM_BITS);
}

static uint64_t draw_bits(struct drawing *d)
{
    return random_next(&d->random) & dtype_mask(d->unit);
}

static uint64_t draw_uniform(struct drawing *d)
{
    draw_unit(d, d->value);
    mpq_mul(d->value, d->value, d->second);
    mpq_add(d->value, d->value, d->first);
    return round_rational(d);
}

/* The sum of twelve uniforms, minus 6: mean 0, variance 1. */
static uint64_t draw_normal(struct drawing *d)
{
    mpq_set_si(d->value, -NORMAL_DRAWS / 2, 1);
    for (int i = 0; i < NORMAL_DRAWS; i++) {
        draw_unit(d, d->term);
        mpq_add(d->value, d->value, d->term);
    }
    mpq_mul(d->value, d->value, d->second);
    mpq_add(d->value, d->value, d->first);
    return round_rational(d);
}

static uint64_t draw_integer(struct drawing *d)
{
    int64_t k = random_between(&d->random, d->low, d->high);
    if (dtype_class(d->unit) != DTYPE_FLOAT)
        return (uint64_t)k & dtype_mask(d->unit);
    struct real y = real_from_int(k);
    return real_round(&y, d->unit, REAL_OVERFLOW_TYPE);
}

/* Sign: the draw's top bit; biased exponent: its next 31 bits, scaled to the
 * exponents that have finite numbers; fraction: its low bits.  A pattern that
 * is nevertheless a NaN (FN, FNUZ) loses its sign and lowest bit. */
static uint64_t draw_exponent(struct drawing *d)
{
    const struct dtype_info *t = &dtype_table[d->unit];
    uint64_t draw = random_next(&d->random);
    int fraction_bits = t->precision - 1;
    uint64_t exponents =
        (uint64_t)(t->emax - t->emin) + 1 + (t->special != DTYPE_EXPONENT);
    uint64_t exponent = ((draw >> 32 & 0x7fffffff) * exponents) >> 31;
    uint64_t fraction = draw & ((UINT64_C(1) << fraction_bits) - 1);
    uint64_t bits = exponent << fraction_bits | fraction;
    if (t->special != DTYPE_EXPONENT)
        bits |= draw >> 63 << (t->bits - 1);
    if (!real_is_finite(d->unit, bits))
        bits &= dtype_mask(d->unit) >> 1 & ~UINT64_C(1);
    return bits;
}

static const struct distribution {
    const char *name;
    const char *first, *second; /* parameters */
    uint64_t (*draw)(struct drawing *d);
    bool rational; /* parameters are decimals; else integers */
    bool floats;   /* only for float and complex types */
} distributions[] = {
    {"bits", NULL, NULL, draw_bits, false, false},
    {"uniform", "low", "high", draw_uniform, true, true},
    {"normal", "mean", "stddev", draw_normal, true, true},
    {"integers", "low", "high", draw_integer, false, false},
    {"exponents", NULL, NULL, draw_exponent, false, true},
};

/* An exact rational from a decimal, as a number or a string. */
static bool read_rational(struct arena *a, const struct json *node, mpq_t value,
                          struct status *st)
{
    if (node->kind != JSON_NUMBER && node->kind != JSON_STRING)
        return json_fail(a, node, st, "expected a number");
    const char *t = node->text;
    char *digits = arena_alloc(a, node->length + 2), *d = digits;
    long exponent = 0;
    bool point = false, any = false;
    if (*t == '-')
        *d++ = *t++;
    for (; (*t >= '0' && *t <= '9') || (*t == '.' && !point); t++) {
        if (*t == '.') {
            point = true;
            continue;
        }
        *d++ = *t;
        any = true;
        exponent -= point;
    }
    char *end = (char *)(uintptr_t)t;
    if (any && (*t == 'e' || *t == 'E'))
        exponent += strtol(t + 1, &end, 10);
    if (!any || *end != '\0' || exponent > EXPONENT_MAX
        || exponent < -EXPONENT_MAX)
        return json_fail(a, node, st,
                         "'%.40s' is not a decimal number in range",
                         node->text);
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    mpq_set_ui(value, 0, 1);
    mpz_set_str(mpq_numref(value), digits, 10);
    if (exponent > 0)
        mpz_mul(mpq_numref(value), mpq_numref(value), power);
    else
        mpz_set(mpq_denref(value), power);
    mpq_canonicalize(value);
    mpz_clear(power);
    return true;
}

static const struct json *parameter(struct arena *a, const struct json *node,
                                    const char *name, struct status *st)
{
    const struct json *p = json_member(node, name);
    if (!p)
        json_fail(a, node, st, "the distribution needs '%s'", name);
    return p;
}

/* Integers that have exactly one bit pattern of the type. */
static bool read_range(struct arena *a, const struct json *node,
                       const struct distribution *dist, struct drawing *d,
                       struct status *st)
{
    const struct json *low = parameter(a, node, dist->first, st);
    const struct json *high = parameter(a, node, dist->second, st);
    if (!low || !high)
        return false;
    TRY(json_int(a, low, &d->low, st));
    TRY(json_int(a, high, &d->high, st));
    if (d->low > d->high)
        return json_fail(a, high, st, "'high' is below 'low'");
    if (dtype_class(d->unit) == DTYPE_FLOAT)
        return true;
    struct real ends[2] = {real_from_int(d->low), real_from_int(d->high)};
    uint64_t bits;
    enum dtype range = dtype_class(d->unit) == DTYPE_PRED ? DT_u1 : d->unit;
    for (int i = 0; i < 2; i++)
        if (!real_to_int(&ends[i], range, &bits))
            return json_fail(a, i == 0 ? low : high, st,
                             "outside the range of %s",
                             dtype_table[d->unit].name);
    return true;
}

static bool read_parameters(struct arena *a, const struct json *node,
                            const struct distribution *dist, struct drawing *d,
                            struct status *st)
{
    if (!dist->first)
        return true;
    if (!dist->rational)
        return read_range(a, node, dist, d, st);
    const struct json *first = parameter(a, node, dist->first, st);
    const struct json *second = parameter(a, node, dist->second, st);
    if (!first || !second)
        return false;
    TRY(read_rational(a, first, d->first, st));
    TRY(read_rational(a, second, d->second, st));
    if (strcmp(dist->second, "high") == 0)
        mpq_sub(d->second, d->second, d->first);
    if (mpq_sgn(d->second) < 0)
        return json_fail(a, second, st, "'%s' is too small", dist->second);
    return true;
}

static bool read_drawing(struct arena *a, const struct json *node,
                         struct drawing *d, const struct distribution **dist,
                         struct status *st)
{
    const char *members[] = {"seed", "dist", NULL, NULL, NULL};
    const struct json *name = json_member(node, "dist");
    const struct json *seed = json_member(node, "seed");
    int64_t number;
    *dist = NULL;
    for (size_t i = 0; i < sizeof distributions / sizeof distributions[0]; i++)
        if (json_is_string(name, distributions[i].name))
            *dist = &distributions[i];
    if (!*dist)
        return json_fail(a, name ? name : node, st,
                         "expected 'dist' bits, uniform, normal, integers or "
                         "exponents");
    members[2] = (*dist)->first;
    members[3] = (*dist)->second;
    TRY(json_only(a, node, members, st));
    if (!seed)
        return json_fail(a, node, st, "random needs a 'seed'");
    TRY(json_int(a, seed, &number, st));
    d->random.state = (uint64_t)number;
    if ((*dist)->floats && dtype_class(d->unit) != DTYPE_FLOAT)
        return json_fail(a, name, st,
                         "'%s' is valid for floating-point types only",
                         (*dist)->name);
    return read_parameters(a, node, *dist, d, st);
}

bool generate_random(struct arena *a, const struct json *node,
                     struct literal *l, int64_t stride, int64_t length,
                     struct status *st)
{
    int units = dtype_units(l->shape->dtype);
    if (length == 0)
        length = shape_elements(l->shape);
    struct drawing d = {.unit = dtype_unit(l->shape->dtype)};
    const struct distribution *dist;
    mpq_inits(d.first, d.second, d.value, d.term, NULL);
    mpfr_init2(d.rounded, ROUND_BITS);
    bool good = read_drawing(a, node, &d, &dist, st);
    if (good && length > 0) {
        uint64_t *sequence =
            arena_new(a, uint64_t, (size_t)length * (size_t)units);
        for (int64_t i = 0; i < length * units; i++)
            sequence[i] = dist->draw(&d);
        generate_fill(l, sequence, length, stride);
    }
    mpq_clears(d.first, d.second, d.value, d.term, NULL);
    mpfr_clear(d.rounded);
    return good;
}
