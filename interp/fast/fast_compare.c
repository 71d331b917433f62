/* fast_compare.c - see fast_compare.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The exact value y lies between v (1 - e) and v (1 + e).  A result that is
 * nearer to v than half an ulp, by a margin, is the correctly rounded one (Ziv,
 * Fast evaluation of elementary mathematical functions with correctly rounded
 * last bit, TOMS 17, 1991).
 *
 * Where y lies on the other side of a power of two than v, the only result that
 * is so near by either's ulp is the power itself, which is the correctly
 * rounded one, and its error is at most twice the margin by either: bin 0.
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
    FIELD = FAST_COMPARE_FIELD,
    SOME = 64, /* units at once, which a field can count */
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
        .margin = 2 * (error + 0x1p-53) * power(p) + 0x1p-50,
        .beyond = power(t->emax) * (2 - power(-p)) * (1 + 0x1p-40),
        .flush = flush,
    };
}

/* Without branches, so that the loops are made of vectors. */
FAST_LOOP static void compare_function(const struct fast_compare *c,
                                       const double *x, const double *v,
                                       const double *got, int n,
                                       struct fast_compare_block *to)
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
        double place = t * BINS - BEYOND;
        double end = (place + 0.5 + FAST_SHIFT) - FAST_SHIFT;
        bool inside = fast_abs(end - place - 0.5) < inner;
        double b = fast_double(fast_bits(end) ^ ((fast_bits(d) ^ flip) & sign));
        bool number = fast_abs(x[i]) <= f.max;
        bool near = (t <= sure_half) & inside & (fast_bits(g) != sign);
        bool lost = (m >= f.beyond) & (g == FAST_INFINITY);
        double at = (lost ? 0 : b) * FIELD + (FAST_COMPARE_BIN * FIELD);
        bool sure = (near | lost) & number;
        to->place[i] = (sure ? fast_bits(at + FAST_SHIFT) : FAST_COMPARE_OPEN)
                       & FAST_COMPARE_OPEN;
        t = (g == 0) & (m > 0) ? t - drop : t;
        to->ulps[i] = near & number ? t : -1;
    }
}

FAST_LOOP static void compare_arithmetic(const struct fast_compare *c,
                                         const double *x, const double *v,
                                         const double *got, int n,
                                         struct fast_compare_block *to)
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
        double place = t * BINS - BEYOND;
        double end = (place + FAST_SHIFT) - FAST_SHIFT;
        double over = place - end;
        double b = over > 0 ? end + 1 : end;
        b = d < 0 ? -b : b;
        bool same = fast_bits(want) == fast_bits(got[i]);
        bool inside = fast_abs(over) > unsure, number = fast_abs(x[i]) <= f.max;
        bool sure = same & inside & number;
        bool flushed = (low == 0) & (m > 0);
        /* An integer in the low bits of the sum. */
        double at = (b + FAST_COMPARE_BIN) * FIELD + FAST_SHIFT;
        to->place[i] =
            (sure ? fast_bits(at) : FAST_COMPARE_OPEN) & FAST_COMPARE_OPEN;
        t = flushed ? t - drop : t;
        to->ulps[i] = finite & sure ? t : -1;
    }
}

void fast_compare_all(const struct fast_compare *c, const double *x,
                      const double *v, const double *got, int n,
                      struct fast_compare_block *to)
{
    if (c->error > 0)
        compare_function(c, x, v, got, n, to);
    else
        compare_arithmetic(c, x, v, got, n, to);
}

/* The compiler does not vectorise variable shifts. */
typedef uint64_t four __attribute__((vector_size(4 * sizeof(uint64_t))));

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A bin's count is a field of the sum of 2^place; bit FAST_COMPARE_OPEN is
 * above them all.  Errors, and -1, are ordered as their patterns are. */
FAST_LOOP static bool count_some(const uint64_t *place, const double *ulps,
                                 int n, uint64_t *sum, int64_t *most)
{
    const four one = {1, 1, 1, 1};
    four sums = {0}, any = {0};
    int64_t largest = *most;
    for (int i = 0; i < n; i++)
        largest = larger((int64_t)fast_bits(ulps[i]), largest);
    for (int i = 0; i + 4 <= n; i += 4) {
        four at;
        memcpy(&at, place + i, sizeof at);
        four bit = one << at;
        sums += bit;
        any |= bit;
    }
    uint64_t all = sums[0] + sums[1] + sums[2] + sums[3];
    bool open = (any[0] | any[1] | any[2] | any[3]) >> FAST_COMPARE_OPEN != 0;
    for (int i = n / 4 * 4; i < n; i++) {
        all += UINT64_C(1) << place[i];
        open |= place[i] == FAST_COMPARE_OPEN;
    }
    *sum = all;
    *most = largest;
    return open;
}

bool fast_compare_count(const struct fast_compare_block *block, int n,
                        int64_t *count, double *most)
{
    int64_t largest = (int64_t)fast_bits(*most);
    bool open = false;
    for (int i = 0; i < n; i += SOME) {
        uint64_t sum;
        open |= count_some(block->place + i, block->ulps + i,
                           n - i < SOME ? n - i : SOME, &sum, &largest);
        for (int b = 0; b < FAST_COMPARE_BINS; b++)
            count[b] += sum >> FIELD * b & ((1 << FIELD) - 1);
    }
    *most = fast_double((uint64_t)largest);
    return open;
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
