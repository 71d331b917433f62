/* complex.h - complex functions, each component correctly rounded.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A complex function gives both components of its exact value as truncated
 * reals (real.h).  Either a component is one correctly rounded MPFR function
 * of an exact intermediate value, or it is enclosed: computed from factors and
 * sums whose errors are known, with more and more bits until the truncation is
 * decided, or the limit ends it (Ziv's strategy).  Components that can be
 * exact are recognised, so that nothing is refined for ever.  Infinities, NaN
 * and signed zeros follow C11 annex G.
 */
#ifndef INTERP_OPS_COMPLEX_H
#define INTERP_OPS_COMPLEX_H

#include <mpfr.h>

#include "interp/base/arena.h"
#include "interp/exact/real.h"

enum {
    COMPLEX_SCRATCH = 16
};

/* An approximation: relative error below 2^-good of value's binade; exact if
 * good is COMPLEX_EXACT. */
#define COMPLEX_EXACT INT64_MAX
struct complex_part {
    mpfr_t value;
    int64_t good;
};

/* A complex operand or result in MPFR. */
struct complex_number {
    mpfr_t re, im;
};

struct complex_work {
    int width;
    int64_t limit; /* precision where refinement ends */
    bool undecided;
    struct complex_number z[2]; /* the operands */
    struct complex_part part[2];
    mpfr_t t[COMPLEX_SCRATCH];
    mpfr_t out;
};

/* The function of w->z[0] (and z[1]) into y[0], y[1] (one that is real gives
 * only y[0]). */
typedef void complex_function(struct complex_work *w, struct real *y);

struct complex_work *complex_new(struct arena *a, int width, int64_t limit);
void complex_free(struct complex_work *w);

/* One step: both parts at this precision. */
typedef void complex_step(struct complex_work *w, mpfr_prec_t prec);
/* Refine until both parts are decided. */
void complex_refine(struct complex_work *w, complex_step *step, struct real *y);
/* Set the precision of all scratch numbers. */
void complex_precision(struct complex_work *w, mpfr_prec_t prec);
/* value = a * b etc. with no rounding at all: sets r's precision. */
void complex_exact_add(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b);
void complex_exact_sub(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b);
void complex_exact_mul(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b);

/* Truncated reals for the special cases. */
struct real complex_real(const struct complex_work *w, mpfr_srcptr x);
struct real complex_zero(bool negative);
struct real complex_inf(bool negative);
struct real complex_nan(void);
struct real complex_one(bool negative);
#endif
