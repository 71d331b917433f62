/* fast_compare.c - see fast_compare.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The exact value y lies between v (1 - e) and v (1 + e).  A result that is
 * nearer to v than half an ulp, by a margin, is the correctly rounded one (Ziv,
 * Fast evaluation of elementary mathematical functions with correctly rounded
 * last bit, TOMS 17, 1991).
 *
 * Where y lies on the other side of a power of two than v, both are so near it
 * that every result is a whole number of ulps, or of half ulps, from v by less
 * than the margin: it is bin 0, or open.
 *
 * Arithmetic has exact halves, so there v itself is rounded; rounding to the
 * multiples of a power of two is adding and subtracting a large number.
 */
#include "interp/fast/fast_compare.h"

#include "interp/fast/fast_bits.h"

/* Millionths are rounded to nearest before they are put into bins of 1/8:
 * the ends of bins are at 1/8 k + 1/2000000. */
#define BINS   8
#define BEYOND (BINS * 0.5e-6)

enum {
    LANES = 32,   /* places at once */
    PLACE = 0xff, /* the bits of one */
    FEW = 24,     /* bins that are counted one after the other */
    POINT = 32,   /* bits after the point of an error in eighths */
};

/* Added to a double of magnitude below 2^19 it leaves it in units of 2^-POINT
 * in the low bits of the sum. */
#define TO_FIXED 0x1.8p20
#define ONE      (INT64_C(1) << POINT)

/* A plain block is one of numbers in the middle of the type's range. */
enum block_kind {
    BLOCK_PLAIN,
    BLOCK_NAN, /* v is not a number */
    BLOCK_OTHER
};

static double power(int e)
{
    return fast_double((uint64_t)(e + FAST_BIAS) << FAST_FRACTION);
}

struct fast_compare fast_compare_of(enum dtype type, double error, bool flush)
{
    const struct dtype_info *t = &dtype_table[type];
    int p = t->precision;
    return (struct fast_compare){
        .error = error,
        .normal = power(t->emin),
        .max = power(t->emax) * (2 - power(1 - p)),
        .shift = 1.5 * power(53 - p),
        .scale = power(p - 1),
        .margin = 2 * (error + 0x1p-53) * power(p) + 0x1p-45,
        .beyond = power(t->emax) * (2 - power(-p)) * (1 + 0x1p-40),
        .flush = flush,
        .wide = FAST_COMPARE_BIN,
    };
}

void fast_compare_allow(struct fast_compare *c, double ulps, double low,
                        double high)
{
    double most = (ulps * (1 - 0x1p-20) - c->margin) * BINS;
    c->low = low;
    c->high = high;
    c->wide = most >= FAST_COMPARE_MOST + 1 ? FAST_COMPARE_MOST
              : most > FAST_COMPARE_BIN + 1 ? (int)most - 1
                                            : FAST_COMPARE_BIN;
}

/* ---- What a block is ----------------------------------------------------- */

FAST_LOOP static enum block_kind
find_kind(const struct fast_compare *c, const double *x, const double *v, int n)
{
    int64_t far = 0, most = 0, least = INT64_MAX;
    for (int i = 0; i < n; i++) {
        int64_t a = (int64_t)fast_bits(fast_abs(x[i]));
        int64_t m = (int64_t)fast_bits(fast_abs(v[i]));
        far = a > far ? a : far;
        most = m > most ? m : most;
        least = m < least ? m : least;
    }
    if (least > (int64_t)fast_bits(FAST_INFINITY))
        return BLOCK_NAN;
    return far <= (int64_t)fast_bits(c->max)
                   && least >= (int64_t)fast_bits(c->normal * 4)
                   && most <= (int64_t)fast_bits(c->max / 4)
               ? BLOCK_PLAIN
               : BLOCK_OTHER;
}

/* Errors, and what is below 0, are ordered as their patterns are. */
static inline int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static double number_of(int64_t pattern)
{
    return pattern < 0 ? -1 : fast_double((uint64_t)pattern);
}

/* ---- Functions, in the middle of the range ------------------------------- */

/* In fixed point: an error of t eighths has bin k if t is above the end of bin
 * k - 1, which is k - 1 + BEYOND, and not above k + BEYOND.  Open is what is
 * near such an end, as well as between it and k: there, if k is
 * FAST_COMPARE_BIN, lies what has its bin and is not correctly rounded.  But
 * where t is surely below BEYOND, its bin is 0.  What is not a number, and what
 * is 2^19 or more, is above every bin. */
FAST_LOOP static double compare_plain(const struct fast_compare *c,
                                      const double *v, const double *got, int n,
                                      uint64_t *place, double *eighths)
{
    const uint64_t sign = UINT64_C(1) << 63;
    const uint64_t exponent = (uint64_t)0x7ff << FAST_FRACTION;
    const uint64_t inverse =
        fast_bits(c->scale * BINS) + ((uint64_t)FAST_BIAS << FAST_FRACTION);
    const int64_t base = (int64_t)fast_bits(TO_FIXED), wide = c->wide;
    const int64_t beyond = (int64_t)(BEYOND * (double)ONE);
    const int64_t near = (int64_t)(c->margin * BINS * (double)ONE) + 2;
    const int64_t unsure = 2 * near + beyond + 1;
    int64_t largest = -1;
    for (int i = 0; i < n; i++) {
        double per_eighth = fast_double(inverse - (fast_bits(v[i]) & exponent));
        double d = (got[i] - v[i]) * per_eighth, t = fast_abs(d);
        int64_t fixed = (int64_t)fast_bits(t + TO_FIXED) - base;
        int64_t bin = (int64_t)((uint64_t)(fixed + (ONE - beyond)) >> POINT);
        bool sure = ((fixed + near) & (ONE - 1)) > unsure;
        sure = (sure | (fixed < beyond - near)) & (bin <= wide);
        int64_t below = (int64_t)((fast_bits(d) & sign) >> 56);
        place[i] = sure ? (uint64_t)(bin | below) : FAST_COMPARE_OPEN;
        double kept = sure ? t : -1;
        eighths[i] = kept;
        largest = later((int64_t)fast_bits(kept), largest);
    }
    return number_of(largest);
}

/* Are all results in the function's range? */
FAST_LOOP static bool is_within(const struct fast_compare *c, const double *got,
                                int n)
{
    const double low = c->low, high = c->high;
    int64_t inside = -1;
    for (int i = 0; i < n; i++)
        inside &= (got[i] >= low) & (got[i] <= high) ? -1 : 0;
    return inside != 0;
}

/* Results that are not correctly rounded are open outside of it. */
FAST_LOOP static void confirm_wide(const struct fast_compare *c,
                                   const double *got, int n, uint64_t *place,
                                   double *eighths)
{
    const double low = c->low, high = c->high;
    for (int i = 0; i < n; i++) {
        int64_t bin = (int64_t)place[i] & (FAST_COMPARE_BELOW - 1);
        bool allowed = (got[i] >= low) & (got[i] <= high);
        bool open =
            !(allowed | (bin <= FAST_COMPARE_BIN)) | (bin == FAST_COMPARE_OPEN);
        eighths[i] = open ? -1 : eighths[i];
        place[i] = open ? FAST_COMPARE_OPEN : place[i];
    }
}

/* ---- Functions, everywhere ----------------------------------------------- */

/* Without branches, so that the loops are made of vectors. */
FAST_LOOP static void compare_function(const struct fast_compare *c,
                                       const double *x, const double *v,
                                       const double *got, int n,
                                       uint64_t *place, double *eighths)
{
    const struct fast_compare f = *c;
    const uint64_t sign = UINT64_C(1) << 63;
    const uint64_t exponent = (uint64_t)0x7ff << FAST_FRACTION;
    const uint64_t inverse =
        fast_bits(f.scale) + ((uint64_t)FAST_BIAS << FAST_FRACTION);
    const double sure_half = 0.5 - f.margin, drop = f.flush ? 1 : 0;
    const double inner = 0.5 - BINS * f.margin;
    for (int i = 0; i < n; i++) {
        uint64_t flip = fast_bits(v[i]) & sign;
        double m = fast_abs(v[i]), g = fast_double(fast_bits(got[i]) ^ flip);
        double a = m < f.normal ? f.normal : m;
        double per_ulp = fast_double(inverse - (fast_bits(a) & exponent));
        double d = g - m, t = fast_abs(d) * per_ulp;
        /* The end of its bin above; the unsure part of a bin is at its ends. */
        double bins = t * BINS - BEYOND;
        double end = (bins + 0.5 + FAST_SHIFT) - FAST_SHIFT;
        bool inside = fast_abs(end - bins - 0.5) < inner;
        bool number = fast_abs(x[i]) <= f.max;
        bool near = (t <= sure_half) & inside & (fast_bits(g) != sign);
        bool lost = (m >= f.beyond) & (g == FAST_INFINITY);
        bool sure = (near | lost) & number;
        uint64_t below = (fast_bits(d) ^ flip) >> 56 & FAST_COMPARE_BELOW;
        uint64_t at = fast_bits((lost ? 0 : end) + FAST_SHIFT) | below;
        place[i] = sure ? at & PLACE : FAST_COMPARE_OPEN;
        t = (g == 0) & (m > 0) ? t - drop : t;
        eighths[i] = near & number ? t * BINS : -1;
    }
}

FAST_LOOP static void compare_arithmetic(const struct fast_compare *c,
                                         const double *x, const double *v,
                                         const double *got, int n,
                                         uint64_t *place, double *eighths)
{
    const struct fast_compare f = *c;
    const uint64_t exponent = (uint64_t)0x7ff << FAST_FRACTION;
    const uint64_t twice = (uint64_t)(2 * FAST_BIAS) << FAST_FRACTION;
    const double unsure = BINS * f.margin, drop = f.flush ? 1 : 0;
    for (int i = 0; i < n; i++) {
        double m = fast_abs(v[i]);
        double a = m < f.normal ? f.normal : m;
        double binade = fast_double(fast_bits(a) & exponent);
        double shift = binade * f.shift;
        double low = (m + shift) - shift;
        bool finite = low <= f.max;
        double want = fast_sign(finite ? low : FAST_INFINITY, v[i]);
        double d = finite ? got[i] - v[i] : 0;
        double t =
            fast_abs(d) * (fast_double(twice - fast_bits(binade)) * f.scale);
        double bins = t * BINS - BEYOND;
        double end = (bins + FAST_SHIFT) - FAST_SHIFT;
        double over = bins - end;
        double b = over > 0 ? end + 1 : end;
        bool same = fast_bits(want) == fast_bits(got[i]);
        bool inside = fast_abs(over) > unsure, number = fast_abs(x[i]) <= f.max;
        bool sure = same & inside & number;
        bool flushed = (low == 0) & (m > 0);
        uint64_t below = fast_bits(d) >> 56 & FAST_COMPARE_BELOW;
        /* An integer in the low bits of the sum. */
        uint64_t at = fast_bits(b + FAST_SHIFT) | below;
        place[i] = sure ? at & PLACE : FAST_COMPARE_OPEN;
        t = flushed ? t - drop : t;
        eighths[i] = finite & sure ? t * BINS : -1;
    }
}

/* ---- All together -------------------------------------------------------- */

FAST_LOOP static double find_most(const double *eighths, int n)
{
    int64_t largest = -1;
    for (int i = 0; i < n; i++)
        largest = later((int64_t)fast_bits(eighths[i]), largest);
    return number_of(largest);
}

/* Loops with numbers and bytes are not made of the widest vectors. */
FAST_LOOP static void pack(const uint64_t *place, struct fast_compare_block *to)
{
    enum {
        ROW = FAST_COMPARE_BLOCK / 8
    };
    uint64_t words[ROW];
    for (int i = 0; i < ROW; i++)
        words[i] = place[i] | place[i + ROW] << 8 | place[i + 2 * ROW] << 16
                   | place[i + 3 * ROW] << 24 | place[i + 4 * ROW] << 32
                   | place[i + 5 * ROW] << 40 | place[i + 6 * ROW] << 48
                   | place[i + 7 * ROW] << 56;
    memcpy(to->place, words, sizeof words);
}

FAST_LOOP static int find_top(const uint8_t *place)
{
    uint8_t top = 0;
    for (int i = 0; i < FAST_COMPARE_BLOCK; i++) {
        uint8_t bin = place[i] & (FAST_COMPARE_BELOW - 1);
        top = bin > top ? bin : top;
    }
    return top;
}

void fast_compare_all(const struct fast_compare *c, const double *x,
                      const double *v, const double *got, int n,
                      struct fast_compare_block *to)
{
    FAST_COMPARE_ALIGNED uint64_t place[FAST_COMPARE_BLOCK];
    enum block_kind kind = c->error > 0 ? find_kind(c, x, v, n) : BLOCK_OTHER;
    to->nan = kind == BLOCK_NAN;
    if (n < FAST_COMPARE_BLOCK)
        memset(place, 0, sizeof place);
    if (kind == BLOCK_PLAIN)
        to->most = compare_plain(c, v, got, n, place, to->eighths);
    else if (c->error > 0)
        compare_function(c, x, v, got, n, place, to->eighths);
    else
        compare_arithmetic(c, x, v, got, n, place, to->eighths);
    pack(place, to);
    int top = find_top(to->place);
    bool wide =
        kind == BLOCK_PLAIN && top > FAST_COMPARE_BIN && !is_within(c, got, n);
    if (wide) {
        confirm_wide(c, got, n, place, to->eighths);
        pack(place, to);
        top = find_top(to->place);
    }
    if (wide || kind != BLOCK_PLAIN)
        to->most = find_most(to->eighths, n);
    to->open = top == FAST_COMPARE_OPEN;
    to->wide = top > FAST_COMPARE_BIN;
}

/* Bytes that are compared at once, and how often each of them was equal. */
typedef uint8_t lanes __attribute__((vector_size(LANES)));

static inline int64_t sum_of(const lanes *counts)
{
    const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
    uint64_t words[LANES / 8], sum = 0;
    memcpy(words, counts, sizeof words);
    for (int i = 0; i < LANES / 8; i++)
        sum += words[i];
    sum = (sum & even) + (sum >> 8 & even);
    return (int64_t)(sum * UINT64_C(0x0001000100010001) >> 48);
}

/* Counts the bins up to most, which are few. */
FAST_LOOP static void count_few(const uint8_t *place, int most, int64_t *count)
{
    enum {
        ROWS = FAST_COMPARE_BLOCK / LANES
    };
    lanes rows[ROWS];
    memcpy(rows, place, sizeof rows);
    for (int k = 0; k <= most; k++) {
        const uint8_t more = (uint8_t)k;
        const uint8_t less = (uint8_t)(FAST_COMPARE_BELOW | k);
        lanes above = {0}, below = {0};
        for (int i = 0; i < ROWS; i++) {
            above -= (lanes)(rows[i] == more);
            below -= (lanes)(rows[i] == less);
        }
        count[FAST_COMPARE_MOST + k] += sum_of(&above);
        count[FAST_COMPARE_MOST - k] += sum_of(&below);
    }
}

/* Four tables, as an increment waits for one before it of the same number. */
static void count_many(const uint8_t *place, int most, int64_t *count)
{
    uint16_t table[4][256] = {{0}};
    for (int i = 0; i < FAST_COMPARE_BLOCK; i++)
        table[i % 4][place[i]]++;
    for (int k = 0; k <= most; k++) {
        int below = FAST_COMPARE_BELOW | k;
        for (int i = 0; i < 4; i++) {
            count[FAST_COMPARE_MOST + k] += table[i][k];
            count[FAST_COMPARE_MOST - k] += table[i][below];
        }
    }
}

void fast_compare_count(const struct fast_compare_block *block, int n,
                        int64_t *count)
{
    int most = block->wide ? (int)block->most + 1 : 0;
    most = most < FAST_COMPARE_BIN ? FAST_COMPARE_BIN : most;
    if (most > FEW) {
        most = most < FAST_COMPARE_MOST ? most : FAST_COMPARE_MOST;
        count_many(block->place, most, count);
    } else {
        count_few(block->place, most, count);
    }
    count[FAST_COMPARE_MOST] -=
        FAST_COMPARE_BLOCK - n; /* zeros after the end */
}

FAST_LOOP static void read_f32(const unsigned char *data, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        float f;
        memcpy(&f, data + 4 * i, sizeof f);
        x[i] = (double)f;
    }
}

/* The upper half of an f32. */
FAST_LOOP static void read_bf16(const unsigned char *data, int n, double *x)
{
    for (int i = 0; i < n; i++) {
        uint16_t half;
        float f;
        memcpy(&half, data + 2 * i, sizeof half);
        uint32_t bits = (uint32_t)half << 16;
        memcpy(&f, &bits, sizeof f);
        x[i] = (double)f;
    }
}

/* The fields where those of a double are, of another bias. */
FAST_LOOP static void read_f16(const unsigned char *data, int n, double *x)
{
    const uint64_t beyond = (uint64_t)0x7ff << FAST_FRACTION;
    for (int i = 0; i < n; i++) {
        uint16_t half;
        memcpy(&half, data + 2 * i, sizeof half);
        uint64_t magnitude = (uint64_t)(half & 0x7fff) << (FAST_FRACTION - 10);
        double number = fast_double(magnitude) * 0x1p1008;
        double special = fast_double(magnitude | beyond);
        double m = (half & 0x7fff) >= 0x7c00 ? special : number;
        x[i] = fast_double(fast_bits(m) | (uint64_t)(half >> 15) << 63);
    }
}

static const struct {
    int bits, precision;
    void (*read)(const unsigned char *data, int n, double *x);
} readers[] = {{32, 24, read_f32}, {16, 8, read_bf16}, {16, 11, read_f16}};

enum {
    READERS = sizeof readers / sizeof readers[0]
};

static int find_reader(enum dtype type)
{
    const struct dtype_info *t = &dtype_table[type];
    int i = 0;
    while (i < READERS
           && (t->special != DTYPE_IEEE || t->bits != readers[i].bits
               || t->precision != readers[i].precision))
        i++;
    return i;
}

bool fast_compare_takes(enum dtype type)
{
    return find_reader(type) < READERS;
}

void fast_compare_read(enum dtype type, const unsigned char *data, int n,
                       double *x)
{
    readers[find_reader(type)].read(data, n, x);
}

FAST_LOOP void fast_compare_larger(double *x, const double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double a = fast_abs(x[i]), b = fast_abs(y[i]);
        x[i] = (a > b) | (a != a) ? a : b;
    }
}
