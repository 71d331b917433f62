/* check_fft.c - see check_fft.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/check/check_fft.h"

#include <stdio.h>

#include "interp/check/residual.h"
#include "interp/goal/goal_ends.h"

struct judge {
    const struct check_fft *p;
    const struct literal *got;
    int64_t first; /* unit */
    int units;     /* of an element */
    mpfr_t y, d, error, norm, bound, t;
};

/* Adds (got - y)^2 of a unit to error, and y^2 to norm; false if it is not
 * finite. */
static bool compare_unit(struct judge *q, int64_t i)
{
    const struct check_fft *p = q->p;
    uint64_t bits = literal_get(q->got, q->first + i);
    const struct real *y = &p->y[q->first + i];
    if (!real_is_finite(p->unit, bits))
        return false;
    real_to_mpfr(q->y, y);
    real_bits_to_mpfr(q->t, p->unit, bits);
    mpfr_sub(q->d, q->t, q->y, MPFR_RNDA);
    if (y->inexact) {
        mpfr_set_ui_2exp(q->t, 1, y->exponent - 120, MPFR_RNDU);
        mpfr_abs(q->d, q->d, MPFR_RNDU);
        mpfr_sub(q->d, q->d, q->t, MPFR_RNDU);
        if (mpfr_sgn(q->d) < 0)
            mpfr_set_zero(q->d, 1);
    }
    mpfr_sqr(q->d, q->d, MPFR_RNDD);
    mpfr_add(q->error, q->error, q->d, MPFR_RNDD);
    mpfr_sqr(q->y, q->y, MPFR_RNDU);
    mpfr_add(q->norm, q->norm, q->y, MPFR_RNDU);
    return true;
}

static int64_t roundings(const struct check_fft *p)
{
    int64_t k = 0;
    while ((INT64_C(1) << k) < p->points)
        k++;
    return 8 * k + (p->inverse && k > 0 ? 2 : 0);
}

/* Finds the error that underflow adds. */
static void find_tiny(struct judge *q, int64_t numbers)
{
    int64_t k = roundings(q->p);
    residual_tiny(q->t, q->p->unit, q->p->flush);
    mpfr_mul_ui(q->t, q->t, (unsigned long)numbers, MPFR_RNDU);
    mpfr_mul_ui(q->t, q->t, (unsigned long)(k > 0 ? numbers + k : 0),
                MPFR_RNDU);
}

/* The largest norm of the error of that many numbers whose norm is sqrt(norm):
 * gamma sqrt(norm) + underflow. */
static void find_bound(struct judge *q, int64_t numbers)
{
    residual_gamma(q->bound, roundings(q->p), q->p->unit);
    mpfr_sqrt(q->t, q->norm, MPFR_RNDU);
    mpfr_mul(q->bound, q->bound, q->t, MPFR_RNDU);
    find_tiny(q, numbers);
    mpfr_add(q->bound, q->bound, q->t, MPFR_RNDU);
}

static bool is_near(struct judge *q, int64_t numbers,
                    struct goal_finding *found)
{
    find_bound(q, numbers);
    mpfr_sqrt(q->error, q->error, MPFR_RNDD);
    goal_measure(found, found->unit, q->error, q->bound);
    return mpfr_cmp(q->error, q->bound) <= 0;
}

static bool good_block(struct judge *q, enum check_fft_state state,
                       struct goal_finding *found)
{
    const struct check_fft *p = q->p;
    mpfr_set_zero(q->error, 1);
    mpfr_set_zero(q->norm, 1);
    for (int64_t i = 0; i < check_fft_units_out(p); i++) {
        found->unit = q->first + i;
        if (i % q->units == 0 && state == CHECK_FFT_IMPULSE) {
            mpfr_set_zero(q->error, 1);
            mpfr_set_zero(q->norm, 1);
        }
        if (!compare_unit(q, i)) {
            snprintf(found->why, sizeof found->why, "not finite");
            return false;
        }
        if (state == CHECK_FFT_IMPULSE && i % q->units == q->units - 1
            && !is_near(q, p->points, found)) {
            snprintf(found->why, sizeof found->why,
                     "the transform of a unit impulse has a wrong element");
            return false;
        }
    }
    if (state == CHECK_FFT_IMPULSE)
        return true;
    if (p->real_in)
        /* The half that is left out has its part in the norm. */
        mpfr_mul_ui(q->norm, q->norm, 2, MPFR_RNDU);
    found->unit = q->first;
    if (is_near(q, p->points, found))
        return true;
    mpfr_snprintf(found->why, sizeof found->why,
                  "the norm of the error is %.3Rg; allowed: %.3Rg", q->error,
                  q->bound);
    return false;
}

/* Each complex number has a part that is NaN: a sum with a NaN is NaN. */
static bool all_nan(const struct judge *q, bool or_infinite,
                    struct goal_finding *found)
{
    enum dtype unit = q->p->unit;
    for (int64_t i = 0; i < q->p->out; i++) {
        bool kept = false;
        found->unit = q->first + i * q->units;
        for (int part = 0; part < q->units; part++) {
            uint64_t bits = literal_get(q->got, found->unit + part);
            kept = kept || real_is_nan(unit, bits)
                   || (or_infinite && !real_is_finite(unit, bits));
        }
        if (!kept) {
            snprintf(found->why, sizeof found->why,
                     "a NaN of the operand is lost");
            return false;
        }
    }
    return true;
}

static void open_judge(struct judge *q, const struct check_fft *p)
{
    *q = (struct judge){.p = p, .units = p->real_out ? 1 : 2};
    mpfr_inits2(192, q->y, q->d, q->error, q->norm, q->bound, q->t,
                (mpfr_ptr)0);
}

static void close_judge(struct judge *q)
{
    mpfr_clears(q->y, q->d, q->error, q->norm, q->bound, q->t, (mpfr_ptr)0);
}

/* Splits y into its known part and, in bound, the rest (see compare). */
static void read_exact(struct judge *q, const struct real *y)
{
    real_to_mpfr(q->y, y);
    mpfr_set_zero(q->bound, 1);
    if (y->inexact)
        mpfr_set_ui_2exp(q->bound, 1, y->exponent - 120, MPFR_RNDU);
}

/* The square of a block's norm, where each unit may be off by that much. */
static void find_norm(struct judge *q, int64_t block, mpfr_srcptr off)
{
    const struct check_fft *p = q->p;
    int64_t units = check_fft_units_out(p);
    mpfr_set_zero(q->norm, 1);
    for (int64_t i = block * units; i < (block + 1) * units; i++) {
        read_exact(q, &p->y[i]);
        mpfr_abs(q->y, q->y, MPFR_RNDU);
        mpfr_add(q->y, q->y, q->bound, MPFR_RNDU);
        mpfr_add(q->y, q->y, off, MPFR_RNDU);
        mpfr_sqr(q->y, q->y, MPFR_RNDU);
        mpfr_add(q->norm, q->norm, q->y, MPFR_RNDU);
    }
    if (p->real_in)
        mpfr_mul_ui(q->norm, q->norm, 2, MPFR_RNDU);
}

/* A transform is the root of its points times a rotation, its inverse that
 * divided by the points; of an IRFFT's operand, as of the result of an RFFT,
 * the other half counts, too.  A unit impulse has the part for underflow in
 * each of its numbers. */
double check_fft_radius(const struct check_fft *p, int64_t block,
                        double operand_off)
{
    struct judge q;
    open_judge(&q, p);
    mpfr_set_zero(q.d, 1);
    find_norm(&q, block, q.d);
    mpfr_sqrt(q.norm, q.norm, MPFR_RNDU);
    mpfr_set_ui(q.d, (unsigned long)p->points, MPFR_RNDN);
    mpfr_mul_ui(q.d, q.d, p->real_in || p->real_out ? 2 : 1, MPFR_RNDU);
    mpfr_sqrt(q.d, q.d, MPFR_RNDU);
    if (p->inverse)
        mpfr_div_ui(q.d, q.d, (unsigned long)p->points, MPFR_RNDU);
    mpfr_mul_d(q.d, q.d, operand_off, MPFR_RNDU);
    mpfr_add(q.norm, q.norm, q.d, MPFR_RNDU);
    mpfr_sqr(q.norm, q.norm, MPFR_RNDU);
    find_bound(&q, p->points);
    find_tiny(&q, p->points);
    mpfr_mul_ui(q.t, q.t, (unsigned long)p->points, MPFR_RNDU);
    mpfr_add(q.bound, q.bound, q.t, MPFR_RNDU);
    double radius = mpfr_get_d(q.bound, MPFR_RNDU);
    close_judge(&q);
    return radius;
}

/* No part of a number is farther off than the norm of the block's error is. */
void check_fft_reach(struct check_fft *p, int64_t block, mpfr_srcptr off)
{
    struct judge q;
    open_judge(&q, p);
    find_norm(&q, block, off);
    find_bound(&q, p->points);
    mpfr_add(q.bound, q.bound, off, MPFR_RNDU);
    mpfr_prec_round(q.bound, 64, MPFR_RNDU);
    p->reach[block] = real_from_mpfr(q.bound, 0);
    close_judge(&q);
}

bool check_fft_ends(const struct goal *g, int64_t i, struct goal_ends *e,
                    const char **why)
{
    const struct check_fft *p = g->check.data;
    struct judge q;
    open_judge(&q, p);
    int64_t block = i / check_fft_units_out(p);
    bool judged = p->state[block] == CHECK_FFT_JUDGED
                  || p->state[block] == CHECK_FFT_IMPULSE;
    if (judged) {
        read_exact(&q, &p->y[i]);
        real_to_mpfr(q.d, &p->reach[block]);
        mpfr_add(q.d, q.d, q.bound, MPFR_RNDU);
        mpfr_prec_round(q.d, 64, MPFR_RNDU);
        for (int up = 0; up < 2; up++) {
            int inexact = (up ? mpfr_add : mpfr_sub)(q.t, q.y, q.d, MPFR_RNDZ);
            struct real end = real_from_mpfr(q.t, inexact);
            end.negative = end.kind == REAL_ZERO ? !up : end.negative;
            *(up ? &e->high : &e->low) =
                (up ? real_round_up : real_round_down)(&end, p->unit);
        }
    } else if (p->state[block] != CHECK_FFT_FREE) {
        *why = "may be a NaN or a number";
    }
    close_judge(&q);
    return judged;
}

bool check_fft(const struct goal *g, const struct literal *const *got, int n,
               struct goal_finding *found)
{
    const struct check_fft *p = g->check.data;
    struct judge q;
    bool good = true;
    open_judge(&q, p);
    q.got = got[0];
    for (int64_t b = 0; good && b < p->batches; b++) {
        q.first = b * check_fft_units_out(p);
        if (p->state[b] == CHECK_FFT_NANS || p->state[b] == CHECK_FFT_NANS_OR)
            good = all_nan(&q, p->state[b] == CHECK_FFT_NANS_OR, found);
        else if (p->state[b] != CHECK_FFT_FREE)
            good = good_block(&q, p->state[b], found);
    }
    close_judge(&q);
    return good;
}
