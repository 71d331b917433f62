/* sum.c - exact sums of products of one element type, fast.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/exact/sum.h"

#include <assert.h>
#include <string.h>

static void clear(struct sum *s)
{
    s->negative = true;
    s->terms = s->pending = s->nans = 0;
    s->infinities[0] = s->infinities[1] = 0;
    s->low = SUM_BINS;
    s->high = -1;
}

struct sum *sum_new(struct arena *a, enum dtype type)
{
    struct sum *s = arena_new(a, struct sum, 1);
    assert(dtype_class(type) == DTYPE_FLOAT);
    s->type = type;
    clear(s);
    return s;
}

/* ---- Bins into totals ---------------------------------------------------- */

/* total += value * 2^at */
static void add_at(uint64_t *total, real_u128 value, int at)
{
    int i = at / 64, shift = at % 64;
    real_u128 low = (real_u128)(uint64_t)value << shift;
    real_u128 high = (real_u128)(uint64_t)(value >> 64) << shift;
    real_u128 sum = (real_u128)total[i] + (uint64_t)low;
    total[i++] = (uint64_t)sum;
    sum = (sum >> 64) + total[i] + (uint64_t)(low >> 64) + (uint64_t)high;
    total[i++] = (uint64_t)sum;
    sum = (sum >> 64) + total[i] + (uint64_t)(high >> 64);
    total[i++] = (uint64_t)sum;
    for (uint64_t carry = (uint64_t)(sum >> 64); carry != 0; i++) {
        assert(i < SUM_LIMBS);
        carry = ++total[i] == 0;
    }
}

static void empty_bins(struct sum *s)
{
    for (int side = 0; side < 2; side++)
        for (int i = s->low; i <= s->high; i++)
            if (s->bin[side][i] != 0) {
                add_at(s->total[side], s->bin[side][i], i);
                s->bin[side][i] = 0;
            }
    s->pending = 0;
}

/* ---- Terms --------------------------------------------------------------- */

/* What the loop needs of a row; constant where the type is. */
struct layout {
    int precision;
    uint64_t magnitude, sign, max;
};

static void add_special(struct sum *s, uint64_t a, uint64_t b)
{
    bool negative =
        real_is_negative(s->type, a) != real_is_negative(s->type, b);
    bool inf = real_is_inf(s->type, a) || real_is_inf(s->type, b);
    s->negative &= negative;
    if (real_is_nan(s->type, a) || real_is_nan(s->type, b)
        || (inf && (real_is_zero(s->type, a) || real_is_zero(s->type, b))))
        s->nans++;
    else
        s->infinities[negative]++;
}

/* A finite pattern's integer; *field counts from 1, subnormals included. */
static inline uint64_t decode(const struct layout *l, uint64_t m, int *field)
{
    uint64_t one = UINT64_C(1) << (l->precision - 1);
    uint64_t stored = m >> (l->precision - 1);
    bool normal = stored != 0;
    *field = (int)stored + !normal;
    return (m & (one - 1)) | (normal ? one : 0);
}

/* What changes with each term, held apart from the bins so that a loop can
 * keep it in registers. */
struct reach {
    int low, high;
    bool negative;
};

/* Two finite numbers, in one bin. */
static inline void add_finite(real_u128 (*bin)[SUM_BINS], struct reach *reach,
                              const struct layout *l, uint64_t a, uint64_t b)
{
    int ea, eb;
    uint64_t ma = decode(l, a & l->magnitude, &ea);
    uint64_t mb = decode(l, b & l->magnitude, &eb);
    int i = ea + eb;
    bool negative = ((a ^ b) & l->sign) != 0;
    bin[negative][i] += (real_u128)ma * mb;
    reach->negative &= negative;
    reach->low = i < reach->low ? i : reach->low;
    reach->high = i > reach->high ? i : reach->high;
}

static void extend(struct sum *s, const struct reach *reach)
{
    s->low = reach->low < s->low ? reach->low : s->low;
    s->high = reach->high > s->high ? reach->high : s->high;
    s->negative &= reach->negative;
}

static inline uint64_t load_32(const unsigned char *p)
{
    uint32_t bits;
    memcpy(&bits, p, 4);
    return bits;
}

static inline uint64_t load_64(const unsigned char *p)
{
    uint64_t bits;
    memcpy(&bits, p, 8);
    return bits;
}

/* The types whose patterns have no exceptions but those beyond the largest
 * finite one: IEEE and FN. */
static inline __attribute__((always_inline)) void
add_plain(struct sum *s, const struct layout *l, const unsigned char *a,
          int64_t a_stride, const unsigned char *b, int64_t b_stride, int64_t n,
          size_t bytes)
{
    struct reach reach = {SUM_BINS, -1, true};
    for (int64_t i = 0; i < n; i++, a += a_stride, b += b_stride) {
        uint64_t x = bytes == 4 ? load_32(a) : load_64(a);
        uint64_t y = bytes == 4 ? load_32(b) : load_64(b);
        if ((x & l->magnitude) > l->max || (y & l->magnitude) > l->max)
            add_special(s, x, y);
        else
            add_finite(s->bin, &reach, l, x, y);
    }
    extend(s, &reach);
}

static struct layout layout_of(enum dtype type)
{
    const struct real_format *f = &real_formats[type];
    return (struct layout){dtype_table[type].precision, f->magnitude, f->sign,
                           f->max};
}

void sum_add_product(struct sum *s, uint64_t a, uint64_t b)
{
    struct layout l = layout_of(s->type);
    struct reach reach = {SUM_BINS, -1, true};
    s->terms++;
    if (!real_is_finite(s->type, a) || !real_is_finite(s->type, b)) {
        add_special(s, a, b);
        return;
    }
    /* Without subnormals each exponent is one more than its field. */
    if (dtype_table[s->type].special == DTYPE_EXPONENT) {
        reach.low = reach.high = (int)(a + b) + 2;
        reach.negative = false;
        s->bin[0][reach.low]++;
    } else {
        add_finite(s->bin, &reach, &l, a, b);
    }
    extend(s, &reach);
    if (++s->pending == SUM_PENDING)
        empty_bins(s);
}

void sum_add(struct sum *s, uint64_t bits)
{
    sum_add_product(s, bits, real_one(s->type));
}

static uint64_t load(const unsigned char *p, int bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, p, (size_t)bytes);
    return bits;
}

/* Constant layouts, so that shifts and masks are constants in the loop. */
static const struct layout layout_f32 = {24, 0x7fffffff, 0x80000000,
                                         0x7f7fffff};
static const struct layout layout_f64 = {
    53, 0x7fffffffffffffff, 0x8000000000000000, 0x7fefffffffffffff};

static void add_block(struct sum *s, const unsigned char *a, int64_t a_stride,
                      const unsigned char *b, int64_t b_stride, int64_t n)
{
    int bytes = dtype_unit_bytes(s->type);
    if (s->type == DT_f32) {
        add_plain(s, &layout_f32, a, a_stride, b, b_stride, n, 4);
    } else if (s->type == DT_f64) {
        add_plain(s, &layout_f64, a, a_stride, b, b_stride, n, 8);
    } else {
        for (int64_t i = 0; i < n; i++)
            sum_add_product(s, load(a + i * a_stride, bytes),
                            load(b + i * b_stride, bytes));
        return;
    }
    s->terms += n;
    s->pending += n;
    if (s->pending >= SUM_PENDING)
        empty_bins(s);
}

void sum_add_products(struct sum *s, const unsigned char *a, int64_t a_stride,
                      const unsigned char *b, int64_t b_stride, int64_t n)
{
    while (n > 0) {
        int64_t block = n < SUM_PENDING ? n : SUM_PENDING;
        add_block(s, a, a_stride, b, b_stride, block);
        a += block * a_stride;
        b += block * b_stride;
        n -= block;
    }
}

/* ---- Results ------------------------------------------------------------- */

/* The number in limbs low to high, times 2^unit, truncated to 128 bits. */
static struct real number(const uint64_t *limbs, int low, int high,
                          int64_t unit, bool negative)
{
    while (high >= low && limbs[high] == 0)
        high--;
    if (high < low)
        return (struct real){
            .kind = REAL_ZERO, .width = 128, .negative = negative};
    int shift = __builtin_clzll(limbs[high]);
    uint64_t next = high > low ? limbs[high - 1] : 0;
    uint64_t third = high > low + 1 ? limbs[high - 2] : 0;
    struct real r = {
        .significand = ((real_u128)limbs[high] << 64 | next) << shift,
        .exponent = unit + 64 * (int64_t)high + 63 - shift,
        .kind = REAL_FINITE,
        .width = 128,
        .negative = negative,
    };
    if (shift > 0)
        r.significand |= third >> (64 - shift);
    r.inexact = third << shift != 0;
    for (int i = high - 3; i >= low && !r.inexact; i--)
        r.inexact = limbs[i] != 0;
    return r;
}

/* Is a < b, in limbs low to high? */
static bool is_less(const uint64_t *a, const uint64_t *b, int low, int high)
{
    for (int i = high; i >= low; i--)
        if (a[i] != b[i])
            return a[i] < b[i];
    return false;
}

static struct real special(const struct sum *s)
{
    bool nan = s->nans || (s->infinities[0] && s->infinities[1]);
    return (struct real){.kind = nan ? REAL_NAN : REAL_INF,
                         .width = 128,
                         .negative = !nan && s->infinities[1]};
}

static void finish(struct sum *s, struct real *sum, struct real *magnitude)
{
    const struct dtype_info *t = &dtype_table[s->type];
    /* Bin 2 holds products of subnormals; its unit is theirs. */
    int first = t->special == DTYPE_EXPONENT ? -t->bias : t->emin;
    int64_t unit = 2 * (int64_t)(first - t->precision + 1) - 2;
    int low = s->low / 64, high = s->high / 64 + 3;
    uint64_t above[SUM_LIMBS], both[SUM_LIMBS];
    bool negative = is_less(s->total[0], s->total[1], low, high);
    const uint64_t *more = s->total[negative], *less = s->total[!negative];
    uint64_t borrow = 0, carry = 0;
    for (int i = low; i <= high; i++) {
        real_u128 d = (real_u128)more[i] - less[i] - borrow;
        real_u128 m = (real_u128)more[i] + less[i] + carry;
        above[i] = (uint64_t)d;
        both[i] = (uint64_t)m;
        borrow = (d >> 64) != 0;
        carry = (uint64_t)(m >> 64);
    }
    *sum = number(above, low, high, unit, negative);
    *magnitude = number(both, low, high, unit, false);
    memset(&s->total[0][low], 0, (size_t)(high - low + 1) * 8);
    memset(&s->total[1][low], 0, (size_t)(high - low + 1) * 8);
}

void sum_get(struct sum *s, struct real *sum, struct real *magnitude)
{
    struct real zero = {.kind = REAL_ZERO, .width = 128};
    *sum = *magnitude = zero;
    if (s->low <= s->high) {
        empty_bins(s);
        finish(s, sum, magnitude);
    }
    if (s->nans || s->infinities[0] || s->infinities[1]) {
        *sum = special(s);
        *magnitude = *sum;
        magnitude->negative = false;
    } else if (sum->kind == REAL_ZERO) {
        sum->negative = s->terms > 0 && s->negative;
    }
    clear(s);
}
