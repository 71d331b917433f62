/* fast_compare.c - see fast_compare.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The exact value y lies between v (1 - e) and v (1 + e); if both round to the
 * same number, so does y (Ziv, Fast evaluation of elementary mathematical
 * functions with correctly rounded last bit, TOMS 17, 1991).  Rounding to the
 * multiples of a power of two is adding and subtracting a large number.
 *
 * Where y lies on the other side of a power of two than v, the two agree on
 * the result (the power itself), and the error in ulps is at most twice the
 * margin by either: bin 0.
 */
#include "interp/fast/fast_compare.h"

#include "interp/fast/fast_bits.h"

/* Millionths are rounded to nearest before they are put into bins of 1/8:
 * the ends of bins are at 1/8 k + 1/2000000. */
#define BINS   8
#define BEYOND (BINS * 0.5e-6)

enum {
    FIELD = FAST_COMPARE_FIELD,
    LANES = 4, /* neighbours, which so need not wait for each other */
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
        .flush = flush,
    };
}

FAST_LOOP void fast_compare_all(const struct fast_compare *c, const double *x,
                                const double *v, const double *got, int n,
                                struct fast_compare_block *to)
{
    const struct fast_compare f = *c;
    const uint64_t exponent = (uint64_t)0x7ff << FAST_FRACTION;
    const uint64_t twice = (uint64_t)(2 * FAST_BIAS) << FAST_FRACTION;
    const double down = 1 - f.error, up = 1 + f.error;
    const double unsure = BINS * f.margin, drop = f.flush ? 1 : 0;
    for (int i = 0; i < n; i++) {
        double m = fast_abs(v[i]);
        double a = m < f.normal ? f.normal : m;
        double binade = fast_double(fast_bits(a) & exponent);
        double shift = binade * f.shift;
        double low = (m * down + shift) - shift;
        double high = (m * up + shift) - shift;
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
        /* Without branches, so that the loop is made of vectors. */
        bool sure = (low == high) & same & inside & number;
        bool flushed = (low == 0) & (m > 0);
        /* An integer in the low bits of the sum. */
        double at = (b + FAST_COMPARE_BIN) * FIELD + FAST_SHIFT;
        to->place[i] =
            (sure ? fast_bits(at) : FAST_COMPARE_OPEN) & FAST_COMPARE_OPEN;
        t = flushed ? t - drop : t;
        to->ulps[i] = finite & sure ? t : -1;
    }
}

/* A bin's count is a field of the sum of 2^place; bit FAST_COMPARE_OPEN is
 * above them all.  A lane has at most 64 units. */
FAST_LOOP static bool count_lanes(const struct fast_compare_block *block, int n,
                                  uint64_t *sum, double *most)
{
    uint64_t open = 0;
    for (int i = 0; i < n; i += LANES)
        for (int k = 0; k < LANES; k++) {
            uint64_t one = UINT64_C(1) << block->place[i + k];
            double u = block->ulps[i + k];
            sum[k] += one;
            open |= one;
            most[k] = u > most[k] ? u : most[k];
        }
    return open >> FAST_COMPARE_OPEN != 0;
}

static void add_one(const struct fast_compare_block *block, int i,
                    uint64_t *sum, double *most)
{
    sum[0] += UINT64_C(1) << block->place[i];
    most[0] = block->ulps[i] > most[0] ? block->ulps[i] : most[0];
}

bool fast_compare_count(const struct fast_compare_block *block, int n,
                        int64_t *count, double *most)
{
    uint64_t sum[LANES] = {0};
    double largest[LANES] = {*most, *most, *most, *most};
    int whole = n / LANES * LANES;
    bool open = count_lanes(block, whole, sum, largest);
    for (int i = whole; i < n; i++) {
        open |= block->place[i] == FAST_COMPARE_OPEN;
        add_one(block, i, sum, largest);
    }
    for (int k = 0; k < LANES; k++) {
        *most = largest[k] > *most ? largest[k] : *most;
        for (int b = 0; b < FAST_COMPARE_BINS; b++)
            count[b] += sum[k] >> FIELD * b & ((1 << FIELD) - 1);
    }
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
        x[i] = a > b ? a : b;
    }
}
