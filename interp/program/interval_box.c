/* interval_box.c - see interval.h.  Tests: test_interval_ways.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/goal/goal_ends.h"
#include "interp/program/interval.h"
#include "interp/program/op_way.h"

enum {
    /* An f64 has up to 1024 bits before the point; the nearest one to a
     * multiple of pi / 2 is 2^-61 of itself away. */
    BITS = 1280
};

/* The ends of one element's operands. */
struct box {
    enum dtype unit;
    uint64_t low[2], high[2];
};

typedef bool box_rule(const struct box *b, unsigned char *peaks);

static bool is_exact(const struct box *b, int k)
{
    return b->low[k] == b->high[k];
}

/* One number: zeros of both signs are equal. */
static bool is_number(const struct box *b, int k)
{
    return is_exact(b, k)
           || (real_is_zero(b->unit, b->low[k])
               && real_is_zero(b->unit, b->high[k]));
}

static bool above_zero(const struct box *b, int k)
{
    return goal_ends_before(b->unit, real_zero(b->unit, false), b->low[k]);
}

static bool below_zero(const struct box *b, int k)
{
    return goal_ends_before(b->unit, b->high[k], real_zero(b->unit, true));
}

/* ---- Periods ------------------------------------------------------------- */

/* The number of the half-period that x is in: those that begin at (k + shift /
 * 2) pi. */
static void find_period(mpfr_ptr k, enum dtype unit, uint64_t x, int shift)
{
    MPFR_DECL_INIT(pi, BITS);
    mpfr_const_pi(pi, MPFR_RNDN);
    real_bits_to_mpfr(k, unit, x);
    mpfr_div(k, k, pi, MPFR_RNDN);
    mpfr_sub_d(k, k, shift * 0.5, MPFR_RNDN);
    mpfr_floor(k, k);
}

/* How many half-periods begin between the ends, 2 for more; even: the number
 * of the last one is. */
static int count_periods(const struct box *b, int shift, bool *even)
{
    MPFR_DECL_INIT(first, BITS);
    MPFR_DECL_INIT(last, BITS);
    find_period(first, b->unit, b->low[0], shift);
    find_period(last, b->unit, b->high[0], shift);
    mpfr_sub(first, last, first, MPFR_RNDN);
    mpfr_div_2ui(last, last, 1, MPFR_RNDN);
    *even = mpfr_integer_p(last);
    return mpfr_cmp_ui(first, 2) >= 0 ? 2 : (int)mpfr_get_ui(first, MPFR_RNDN);
}

/* 1 or -1 where a half-period begins. */
static bool wave(const struct box *b, unsigned char *peaks, int shift)
{
    bool even;
    int n = count_periods(b, shift, &even);
    if (n == 1)
        *peaks = even ? INTERVAL_TOP : INTERVAL_BOTTOM;
    else if (n == 2)
        *peaks = INTERVAL_TOP | INTERVAL_BOTTOM;
    return true;
}

static bool rule_sin(const struct box *b, unsigned char *peaks)
{
    return wave(b, peaks, 1);
}

static bool rule_cos(const struct box *b, unsigned char *peaks)
{
    return wave(b, peaks, 0);
}

/* It rises between its poles. */
static bool rule_tan(const struct box *b, unsigned char *peaks)
{
    bool even;
    return count_periods(b, 1, &even) == 0;
}

/* ---- Two operands -------------------------------------------------------- */

/* x^y with x > 0 rises or falls in x as y > 0 or not, in y as x > 1 or not. */
static bool rule_pow(const struct box *b, unsigned char *peaks)
{
    return above_zero(b, 0);
}

/* The angle of (x, y) = (operand 1, operand 0).  In a half-plane that begins at
 * an axis, without the jump at the negative part of x's. */
static bool rule_atan2(const struct box *b, unsigned char *peaks)
{
    return above_zero(b, 1) || above_zero(b, 0) || below_zero(b, 0);
}

/* x - n y is linear where n, the quotient without its fraction, is one number.
 * The quotient's least and greatest values are at corners, as y is not 0. */
static bool rule_rem(const struct box *b, unsigned char *peaks)
{
    /* The exponents of the two numbers differ by 2100 at most. */
    MPFR_DECL_INIT(x, 64);
    MPFR_DECL_INIT(y, 64);
    MPFR_DECL_INIT(n, 2 * BITS);
    MPFR_DECL_INIT(first, 2 * BITS);
    if (!above_zero(b, 1) && !below_zero(b, 1))
        return false;
    for (int corner = 0; corner < 4; corner++) {
        real_bits_to_mpfr(x, b->unit, corner & 1 ? b->high[0] : b->low[0]);
        real_bits_to_mpfr(y, b->unit, corner & 2 ? b->high[1] : b->low[1]);
        /* The quotient of numbers of 53 bits is no integer's nearest number
         * in so many unless it is that integer. */
        mpfr_div(n, x, y, MPFR_RNDZ);
        mpfr_trunc(n, n);
        if (corner == 0)
            mpfr_set(first, n, MPFR_RNDN);
        else if (!mpfr_equal_p(first, n))
            return false;
    }
    return true;
}

/* ---- Gamma and zeta functions -------------------------------------------- */

static bool lies_above(const struct box *b, int k, double end)
{
    MPFR_DECL_INIT(x, 64);
    real_bits_to_mpfr(x, b->unit, b->low[k]);
    return mpfr_cmp_d(x, end) > 0;
}

/* Between its poles at 0 and infinity it falls to 1.46163..., then rises. */
static bool rule_lgamma(const struct box *b, unsigned char *peaks)
{
    MPFR_DECL_INIT(high, 64);
    real_bits_to_mpfr(high, b->unit, b->high[0]);
    return lies_above(b, 0, 1.4617)
           || (above_zero(b, 0) && mpfr_cmp_d(high, 1.4616) < 0);
}

static bool rule_digamma(const struct box *b, unsigned char *peaks)
{
    return above_zero(b, 0);
}

static bool rule_polygamma(const struct box *b, unsigned char *peaks)
{
    return is_exact(b, 0) && above_zero(b, 1);
}

/* The terms (q + k)^-s fall in q; in s, too, where no q + k is below 1. */
static bool rule_zeta(const struct box *b, unsigned char *peaks)
{
    return lies_above(b, 0, 1) && above_zero(b, 1)
           && (is_exact(b, 0) || lies_above(b, 1, 1));
}

/* It is odd, rises to 1.54512..., then falls. */
static bool rule_bessel(const struct box *b, unsigned char *peaks)
{
    MPFR_DECL_INIT(high, 64);
    real_bits_to_mpfr(high, b->unit, b->high[0]);
    return lies_above(b, 0, 1.5452) || mpfr_cmp_d(high, -1.5452) < 0
           || (lies_above(b, 0, -1.5451) && mpfr_cmp_d(high, 1.5451) < 0);
}

/* ---- Comparisons --------------------------------------------------------- */

/* Is every value of operand a less than every value of operand b?  Zeros of
 * both signs are equal. */
static bool lies_below(const struct box *b, int first, int second)
{
    uint64_t high = b->high[first], low = b->low[second];
    return goal_ends_before(b->unit, high, low)
           && !(real_is_zero(b->unit, high) && real_is_zero(b->unit, low));
}

static bool is_nan(const struct box *b, int k)
{
    return real_is_nan(b->unit, b->low[k]);
}

/* Never equal, whichever values they are. */
static bool rule_equal(const struct box *b, unsigned char *peaks)
{
    return is_nan(b, 0) || is_nan(b, 1) || lies_below(b, 0, 1)
           || lies_below(b, 1, 0);
}

/* ---- All elements -------------------------------------------------------- */

struct row {
    enum op_way way;
    box_rule *rule;
    bool infinite; /* of infinities and NaN, too */
};

static const struct row *find_row(const struct eval *ev)
{
    static const struct row rows[] = {{OP_WAY_SIN, rule_sin, false},
                                      {OP_WAY_COS, rule_cos, false},
                                      {OP_WAY_TAN, rule_tan, false},
                                      {OP_WAY_POW, rule_pow, false},
                                      {OP_WAY_ATAN2, rule_atan2, false},
                                      {OP_WAY_REM, rule_rem, false},
                                      {OP_WAY_LGAMMA, rule_lgamma, false},
                                      {OP_WAY_DIGAMMA, rule_digamma, false},
                                      {OP_WAY_POLYGAMMA, rule_polygamma, false},
                                      {OP_WAY_ZETA, rule_zeta, false},
                                      {OP_WAY_BESSEL, rule_bessel, false},
                                      {OP_WAY_EQUAL, rule_equal, true}};
    const struct shape *from = ev->operands[0]->shape;
    int way = ev->in->op->monotone[0];
    if (ev->in->shape->kind != SHAPE_ARRAY || from->kind != SHAPE_ARRAY
        || dtype_class(dtype_unit(from->dtype)) != DTYPE_FLOAT
        || (dtype_units(from->dtype) > 1 && way != OP_WAY_EQUAL))
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if ((int)rows[i].way == way)
            return &rows[i];
    return NULL;
}

bool interval_box_is_function(const struct instruction *in)
{
    const struct spec_op *spec = spec_op_find(in->op->name);
    const char *accuracy = spec && spec->accuracy ? spec->accuracy : "exact";
    return strcmp(accuracy, "function") == 0
           || (in->operand_count == 1 && strcmp(accuracy, "exact") != 0);
}

bool interval_box_knows(const struct eval *ev)
{
    return find_row(ev) != NULL;
}

static bool is_finite(const struct box *b, int operands)
{
    for (int k = 0; k < operands; k++)
        if (!real_is_finite(b->unit, b->low[k])
            || !real_is_finite(b->unit, b->high[k]))
            return false;
    return true;
}

/* The function is monotone in that part of element i, as equality is where one
 * part decides; *exact: it is one number, too.  Of zeros of either sign the
 * ends are all values; but the numbers between two angles are none. */
static bool is_monotone(const struct eval *ev, const struct row *row,
                        struct literal *const low[2],
                        struct literal *const high[2], int64_t unit,
                        unsigned char *peaks, bool *exact)
{
    struct box b = {.unit = dtype_unit(ev->operands[0]->shape->dtype)};
    int parts = dtype_units(ev->operands[0]->shape->dtype);
    bool own = true;
    for (int k = 0; k < ev->count; k++) {
        int64_t at = literal_units(low[k]) == parts ? unit % parts : unit;
        b.low[k] = literal_get(low[k], at);
        b.high[k] = literal_get(high[k], at);
        own =
            own
            && (row->way == OP_WAY_ATAN2 ? is_exact(&b, k) : is_number(&b, k));
    }
    *exact = *exact && own;
    return (parts == 1 && own)
           || ((row->infinite || is_finite(&b, ev->count))
               && row->rule(&b, peaks));
}

bool interval_box_monotone(const struct eval *ev, struct literal *const low[2],
                           struct literal *const high[2], unsigned char **peaks)
{
    const struct row *row = find_row(ev);
    int64_t n = shape_elements(ev->in->shape);
    int parts = dtype_units(ev->operands[0]->shape->dtype);
    *peaks = arena_new(ev->arena, unsigned char, (size_t)n + 1);
    for (int k = 0; k < ev->count; k++) /* a scalar may be broadcast */
        if (literal_units(low[k]) != n * parts
            && literal_units(low[k]) != parts)
            return false;
    for (int64_t i = 0; i < n; i++) {
        bool exact = true, good = false;
        for (int part = 0; part < parts; part++)
            good = is_monotone(ev, row, low, high, i * parts + part,
                               &(*peaks)[i], &exact)
                   || good;
        if (!exact && !good)
            return false;
    }
    return true;
}
