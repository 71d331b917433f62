/* fast_circle.c - sine, cosine, tangent.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * x = n pi/2 + r with |r| <= pi / 4, a little more by rounding.  x 2/pi is
 * found modulo 4 as a sum of three products: of x and the parts of 2/pi that
 * matter to its binade (Payne and Hanek, Radian reduction for trigonometric
 * functions, SIGNUM Newsletter 18, 1983).  x has 24 bits, so two of them are
 * exact; what is lost with the third is far below the least distance of x 2/pi
 * from an integer.
 */
#include "interp/fast/fast_circle.h"

#include "interp/fast/fast_bits.h"
#include "interp/fast/fast_polynomial.h"
#include "interp/fast/fast_turns.h"

#define HALF_PI 0x1.921fb54442d18p+0

enum {
    CUT = 26, /* bits of the first part that its own first part lacks */
};

/* What is multiplied by a number of some binade: 2/pi, in three parts. */
struct parts {
    double high, middle, low;
};

struct reduced {
    double r;
    uint64_t n; /* its low bits: modulo 4 */
};

static inline struct parts find_parts(double x)
{
    int64_t e = (int64_t)(fast_bits(x) >> FAST_FRACTION & 0x7ff) - FAST_BIAS;
    int64_t row = e < FAST_TURNS_FIRST ? 0 : e - FAST_TURNS_FIRST;
    row = row < FAST_TURNS_ROWS ? row : FAST_TURNS_ROWS - 1;
    double part = fast_turns_high[row];
    double high = fast_double(fast_bits(part) >> CUT << CUT);
    return (struct parts){high, part - high, fast_turns_low[row]};
}

/* The angle of a + b + c - k quarter turns. */
static inline double angle_of(double a, double b, double c, double k)
{
    return (((a - k) + b) + c) * HALF_PI;
}

static inline struct reduced reduce(double x, struct parts by)
{
    double a = x * by.high, b = x * by.middle, c = x * by.low;
    double t = (a + b) + FAST_SHIFT;
    return (struct reduced){angle_of(a, b, c, t - FAST_SHIFT), fast_bits(t)};
}

/* Are all in the binade of the first one, as those of a sweep mostly are?  Then
 * there are no tables in the loop. */
FAST_LOOP static bool is_one_binade(const double *x, int n)
{
    uint64_t different = 0;
    for (int i = 0; i < n; i++)
        different |= fast_bits(x[i]) ^ fast_bits(x[0]);
    return (different >> FAST_FRACTION & 0x7ff) == 0;
}

/* The sine of r, or the cosine if the mask is all ones. */
static inline double circle_near(double r, uint64_t cosine)
{
    double z = r * r, by = fast_polynomial_choose(cosine, 1, r);
    return by * (1 + z * fast_polynomial_circle(z, cosine));
}

/* sin((n + more) pi/2 + r) */
static inline double sine_of(struct reduced to, uint64_t more)
{
    uint64_t n = to.n + more;
    double v = circle_near(to.r, -(n & 1));
    return fast_double(fast_bits(v) ^ (n & 2) << 62);
}

FAST_LOOP static void find_sines(const double *x, uint64_t more, double *v,
                                 int n)
{
    if (is_one_binade(x, n)) {
        struct parts by = find_parts(x[0]);
        for (int i = 0; i < n; i++)
            v[i] = sine_of(reduce(x[i], by), more);
    } else {
        for (int i = 0; i < n; i++)
            v[i] = sine_of(reduce(x[i], find_parts(x[i])), more);
    }
}

static inline double tangent_of(struct reduced to)
{
    double s = circle_near(to.r, 0), c = circle_near(to.r, ~UINT64_C(0));
    bool odd = (to.n & 1) != 0;
    double numerator = odd ? -c : s, denominator = odd ? s : c;
    return numerator / denominator;
}

void fast_circle_sin(const double *x, double *v, int n)
{
    find_sines(x, 0, v, n);
}

void fast_circle_cos(const double *x, double *v, int n)
{
    find_sines(x, 1, v, n);
}

FAST_LOOP void fast_circle_tan(const double *x, double *v, int n)
{
    if (is_one_binade(x, n)) {
        struct parts by = find_parts(x[0]);
        for (int i = 0; i < n; i++)
            v[i] = tangent_of(reduce(x[i], by));
    } else {
        for (int i = 0; i < n; i++)
            v[i] = tangent_of(reduce(x[i], find_parts(x[i])));
    }
}
