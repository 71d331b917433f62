/* check_fft.h - is that a Fourier transform?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A result is judged by norms: its error is at most
 * k u |y| with k = 8 log2(points), and two more for the division of an inverse
 * (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2, with
 * room for other ways to factor); a unit impulse, point by point.
 */
#ifndef INTERP_CHECK_CHECK_FFT_H
#define INTERP_CHECK_CHECK_FFT_H

#include "interp/goal/goal.h"

enum check_fft_state {
    CHECK_FFT_JUDGED,
    CHECK_FFT_IMPULSE, /* one number that is not zero */
    CHECK_FFT_NANS,    /* a NaN operand; every result is NaN */
    CHECK_FFT_NANS_OR, /* the same with numbers so large that an intermediate
                        * sum may be infinite, and so a complex product of it
                        * (C11, annex G)
                        */
    CHECK_FFT_FREE     /* infinities, overflow, policy */
};

enum {
    CHECK_FFT_AXES = 3
};

struct check_fft {
    enum dtype unit;
    int axes;
    int64_t n[CHECK_FFT_AXES];
    int64_t points;          /* of a whole block */
    int64_t in, out;         /* elements of a block of operand and result */
    int64_t last, last_half; /* innermost axis, and its half */
    int64_t batches;
    bool real_in, real_out, inverse;
    bool flush;
    unsigned char *state; /* of each block */
    struct real *y;       /* of each unit of the result */
    struct real *reach;   /* of each block: how far a unit may be from y */
};

/* Units of a block: a complex number has two. */
static inline int64_t check_fft_units_in(const struct check_fft *p)
{
    return p->in * (p->real_in ? 1 : 2);
}

static inline int64_t check_fft_units_out(const struct check_fft *p)
{
    return p->out * (p->real_out ? 1 : 2);
}

/* Set the reach of a block that is judged, where each unit of the exact result
 * may also be off by that much, because the operand is inexact. */
void check_fft_reach(struct check_fft *p, int64_t block, mpfr_srcptr off);

/* How far all units of a block together, as a vector, may be from an exact
 * result that is not y, but that of an operand which is off by a vector of at
 * most that length. */
double check_fft_radius(const struct check_fft *p, int64_t block,
                        double operand_off);

/* A goal_check with its ends, whose data are a struct check_fft. */
goal_check_ends check_fft_ends;
bool check_fft(const struct goal *g, const struct literal *const *got, int n,
               struct goal_finding *found);

#endif
