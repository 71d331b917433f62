/* Fft - discrete Fourier transforms along up to three innermost axes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every kind is a complex transform of a whole block: RFFT of one without
 * imaginary parts, of which half is kept; IRFFT of one that is completed by
 * conjugates.  A backend's result is judged by norms: its error is at most
 * k u |y| with k = 8 log2(points), and two more for the division of an inverse
 * (Higham, Accuracy and Stability of Numerical Algorithms, theorem 24.2, with
 * room for other ways to factor); a unit impulse, point by point.
 */
#include "interp/ops/fft.h"

#include <inttypes.h>
#include <stdio.h>

#include "interp/ops/dimnums.h"
#include "interp/ops/matrix.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

enum state {
    JUDGED,
    IMPULSE, /* one number that is not zero */
    NANS,    /* NaN comes in, and out everywhere */
    NANS_OR, /* the same beside numbers so large that a sum on the way may be
                infinite, and a complex product of it, too (C11, annex G) */
    FREE     /* infinities, overflow, policy */
};

struct problem {
    enum dtype unit;
    int64_t points;          /* of a whole block */
    int64_t in, out;         /* elements of a block of operand and result */
    int64_t last, last_half; /* innermost axis, and its half */
    int64_t batches;
    bool real_in, real_out, inverse;
    bool flush;
    unsigned char *state; /* of each block */
    struct real *y;       /* of each unit of the result */
};

/* Of the transforms between real and complex numbers, whose result has the
 * shape that fft_length gives. */
static bool check_length(const struct shape *s, int d, int64_t n, bool half,
                         struct status *st)
{
    int64_t due = half && n ? n / 2 + 1 : n;
    if (n < 0)
        return FAIL(
            st, ATTRIBUTE,
            "Fft: fft_length has the entry %" PRId64 ", which is negative", n);
    if (s->dims[d] != due)
        return FAIL(st, SHAPE,
                    "Fft: dimension %d has size %" PRId64
                    "; fft_length %" PRId64 " requires %" PRId64,
                    d, s->dims[d], n, due);
    return true;
}

static bool infer(struct infer *in, struct status *st)
{
    const struct shape *s = in->operands[0];
    const char *type = attribute_string(in->in, ATTRIBUTE_FFT_TYPE);
    struct dimnums n = dimnums_get(in->in, ATTRIBUTE_FFT_LENGTH);
    bool real_in = type[0] == 'R', real_out = type[0] == 'I' && type[1] == 'R';
    bool is_complex = dtype_class(s->dtype) == DTYPE_COMPLEX;
    int64_t dims[SHAPE_RANK_MAX];
    enum dtype out = s->dtype;
    TRY(dimnums_static(in, st));
    if (is_complex == real_in)
        return FAIL(st, TYPE, "Fft: %s of %s", type,
                    dtype_table[s->dtype].name);
    if (n.count < 1 || n.count > FFT_AXES || n.count > s->rank)
        return FAIL(st, ATTRIBUTE,
                    "Fft: fft_length has %d entries for an array of rank %d",
                    n.count, s->rank);
    for (int i = 0; (real_in || real_out) && i < n.count; i++)
        TRY(check_length(s, s->rank - n.count + i, n.at[i],
                         real_out && i == n.count - 1, st));
    for (int d = 0; d < s->rank; d++)
        dims[d] = s->dims[d];
    int64_t last = n.at[n.count - 1];
    if (real_in && last > 0)
        dims[s->rank - 1] = last / 2 + 1;
    if (real_out)
        dims[s->rank - 1] = last;
    if (real_out)
        out = dtype_unit(s->dtype);
    if (real_in)
        out = s->dtype == DT_f32 ? DT_c64 : DT_c128;
    return infer_array(in, out, s->rank, dims, st);
}

/* ---- Reading a block ----------------------------------------------------- */

struct block {
    struct problem *p;
    const struct literal *from;
    int64_t first;    /* element */
    struct matrix m;  /* one row of all elements */
    int64_t non_zero; /* elements */
};

static int64_t place(const void *context, int64_t row, int64_t column,
                     bool *conjugate)
{
    const struct block *b = context;
    return b->first + column;
}

/* Does the imaginary part of that element of an IRFFT's innermost axis belong
 * to a frequency that has none? */
static bool is_real_frequency(const struct problem *p, int64_t i)
{
    int64_t k = i % p->last_half;
    return k == 0 || 2 * k == p->last;
}

/* May a sum of as many numbers of this size overflow, in any algorithm?  One
 * that goes through a convolution (Bluestein's) has products of two lengths. */
static bool is_large(const struct problem *p, uint64_t bits)
{
    const struct dtype_info *t = &dtype_table[p->unit];
    uint64_t magnitude = bits & real_formats[p->unit].magnitude;
    int64_t exponent = (int64_t)(magnitude >> (t->precision - 1)) - t->bias;
    int64_t points = 0;
    while ((INT64_C(1) << points) < p->points)
        points++;
    return exponent + 2 * points + 4 > t->emax;
}

/* What the numbers that come in say of the result. */
static enum state look(struct block *b, bool any_imaginary, bool *finite)
{
    struct problem *p = b->p;
    int units = p->real_in ? 1 : 2;
    enum state state = JUDGED;
    bool large = false;
    *finite = true;
    b->non_zero = 0;
    for (int64_t i = 0; i < p->in; i++) {
        bool zero = true;
        for (int part = 0; part < units; part++) {
            uint64_t bits = literal_get(b->from, (b->first + i) * units + part);
            zero = zero && real_is_zero(p->unit, bits);
            if (!real_is_finite(p->unit, bits)) {
                *finite = false;
                if (real_is_nan(p->unit, bits) && !p->real_out
                    && state == JUDGED)
                    state = NANS;
                else if (state != NANS || !real_is_nan(p->unit, bits))
                    state = FREE;
            } else {
                large = large || is_large(p, bits);
            }
            if (part == 1 && p->real_out && any_imaginary
                && is_real_frequency(p, i) && !real_is_zero(p->unit, bits))
                state = FREE;
        }
        b->non_zero += !zero;
    }
    return state == NANS && large ? NANS_OR : state;
}

/* The block as it stands, or completed: twice its numbers, for the real
 * frequencies of an IRFFT keep half of the sum of two. */
static void fill(const struct block *b, struct fft *f)
{
    const struct problem *p = b->p;
    f->exponent = b->m.exponent - p->real_out;
    for (int64_t i = 0; i < p->in; i++) {
        if (!p->real_out) {
            mpz_set(f->input[2 * i], matrix_at(&b->m, 0, i, 0));
            if (!p->real_in)
                mpz_set(f->input[2 * i + 1], matrix_at(&b->m, 0, i, 1));
            continue;
        }
        /* Point (r, k), and its partner (-r, -k). */
        int64_t k = i % p->last_half, r = i / p->last_half, mirror = 0;
        int64_t scale = 1, rest = r;
        for (int d = f->axes - 2; d >= 0; d--) {
            int64_t n = f->n[d], at = rest % n;
            mirror += (n - at) % n * scale;
            scale *= n;
            rest /= n;
        }
        int64_t own = r * p->last + k;
        int64_t other = mirror * p->last + (p->last - k) % p->last;
        int times = is_real_frequency(p, i) ? 1 : 2;
        mpz_addmul_ui(f->input[2 * own], matrix_at(&b->m, 0, i, 0),
                      (unsigned long)times);
        mpz_addmul_ui(f->input[2 * own + 1], matrix_at(&b->m, 0, i, 1),
                      (unsigned long)times);
        mpz_addmul_ui(f->input[2 * other], matrix_at(&b->m, 0, i, 0),
                      (unsigned long)times);
        mpz_submul_ui(f->input[2 * other + 1], matrix_at(&b->m, 0, i, 1),
                      (unsigned long)times);
    }
}

/* ---- A backend's result -------------------------------------------------- */

struct judge {
    const struct problem *p;
    const struct literal *got;
    int64_t first; /* unit */
    int units;     /* of an element */
    mpfr_t y, d, error, norm, bound, t;
};

/* Adds (got - y)^2 of a unit to error, and y^2 to norm; false if it is not
 * finite. */
static bool compare(struct judge *q, int64_t i)
{
    const struct problem *p = q->p;
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

static int64_t roundings(const struct problem *p)
{
    int64_t k = 0;
    while ((INT64_C(1) << k) < p->points)
        k++;
    return 8 * k + (p->inverse && k > 0 ? 2 : 0);
}

/* Is the error's norm at most gamma sqrt(norm) + underflow, for that many
 * numbers?  Both norms are squares. */
static bool is_near(struct judge *q, int64_t numbers,
                    struct goal_finding *found)
{
    int64_t k = roundings(q->p);
    matrix_gamma(q->bound, k, q->p->unit);
    mpfr_sqrt(q->t, q->norm, MPFR_RNDU);
    mpfr_mul(q->bound, q->bound, q->t, MPFR_RNDU);
    if (k > 0) {
        matrix_tiny(q->t, q->p->unit, q->p->flush);
        mpfr_mul_ui(q->t, q->t, (unsigned long)numbers, MPFR_RNDU);
        mpfr_mul_ui(q->t, q->t, (unsigned long)(numbers + k), MPFR_RNDU);
        mpfr_add(q->bound, q->bound, q->t, MPFR_RNDU);
    }
    mpfr_sqrt(q->error, q->error, MPFR_RNDD);
    goal_measure(found, found->unit, q->error, q->bound);
    return mpfr_cmp(q->error, q->bound) <= 0;
}

static bool good_block(struct judge *q, enum state state,
                       struct goal_finding *found)
{
    const struct problem *p = q->p;
    mpfr_set_zero(q->error, 1);
    mpfr_set_zero(q->norm, 1);
    for (int64_t i = 0; i < p->out * q->units; i++) {
        found->unit = q->first + i;
        if (i % q->units == 0 && state == IMPULSE) {
            mpfr_set_zero(q->error, 1);
            mpfr_set_zero(q->norm, 1);
        }
        if (!compare(q, i)) {
            snprintf(found->why, sizeof found->why, "not finite");
            return false;
        }
        if (state == IMPULSE && i % q->units == q->units - 1
            && !is_near(q, p->points, found)) {
            snprintf(found->why, sizeof found->why,
                     "the transform of a unit impulse has a wrong element");
            return false;
        }
    }
    if (state == IMPULSE)
        return true;
    if (p->real_in)
        /* The half that is left out has its part in the norm. */
        mpfr_mul_ui(q->norm, q->norm, 2, MPFR_RNDU);
    found->unit = q->first;
    if (is_near(q, p->points, found))
        return true;
    mpfr_sqrt(q->error, q->error, MPFR_RNDN);
    mpfr_sqrt(q->bound, q->bound, MPFR_RNDN);
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

static bool check(const struct goal *g, const struct literal *const *got, int n,
                  struct goal_finding *found)
{
    const struct problem *p = g->check.data;
    struct judge q = {.p = p, .got = got[0], .units = p->real_out ? 1 : 2};
    bool good = true;
    mpfr_inits2(192, q.y, q.d, q.error, q.norm, q.bound, q.t, (mpfr_ptr)0);
    for (int64_t b = 0; good && b < p->batches; b++) {
        q.first = b * p->out * q.units;
        if (p->state[b] == NANS || p->state[b] == NANS_OR)
            good = all_nan(&q, p->state[b] == NANS_OR, found);
        else if (p->state[b] != FREE)
            good = good_block(&q, p->state[b], found);
    }
    mpfr_clears(q.y, q.d, q.error, q.norm, q.bound, q.t, (mpfr_ptr)0);
    return good;
}

/* ---- Evaluation ---------------------------------------------------------- */

/* The part of the transform that is asked for. */
static void store(const struct problem *p, const struct fft *f, struct goal *g,
                  int64_t b)
{
    int units = p->real_out ? 1 : 2;
    int64_t kept = p->real_in ? p->last_half : p->last;
    for (int64_t i = 0; i < p->out; i++) {
        int64_t at = i / kept * p->last + i % kept;
        for (int part = 0; part < units; part++) {
            int64_t unit = (b * p->out + i) * units + part;
            p->y[unit] = f->y[2 * at + part];
            goal_real(g, unit, &p->y[unit]);
        }
    }
    g->undecided += f->undecided;
}

/* Can a sum of all numbers overflow? */
static bool is_wild(const struct problem *p, const struct fft *f)
{
    int64_t most = 0, points = 0;
    for (int64_t i = 0; i < 2 * f->points; i++)
        if (mpz_sgn(f->input[i]) != 0
            && (int64_t)mpz_sizeinbase(f->input[i], 2) > most)
            most = (int64_t)mpz_sizeinbase(f->input[i], 2);
    while ((INT64_C(1) << points) < f->points)
        points++;
    return most > 0
           && most + f->exponent + points + 2 > dtype_table[p->unit].emax;
}

static void transform(const struct eval *ev, struct problem *p, struct fft *f,
                      struct goal *g, int64_t b)
{
    struct block block = {.p = p, .from = ev->operands[0], .first = b * p->in};
    bool finite;
    enum state state =
        look(&block, eval_policy_is(ev, CHOICE_FFT_HALF_SPECTRUM_IMAGINARY_ANY),
             &finite);
    p->state[b] = (unsigned char)state;
    if (!finite) {
        int64_t units = p->out * (p->real_out ? 1 : 2);
        for (int64_t i = 0; i < units; i++)
            goal_bits(g, b * units + i, real_nan(p->unit, false));
        return;
    }
    fft_open(f);
    matrix_open(&block.m, ev->arena, 1, p->in, p->real_in ? 1 : 2);
    matrix_read(&block.m, ev->operands[0], place, &block);
    fill(&block, f);
    if (is_wild(p, f))
        p->state[b] = FREE;
    else if (state == JUDGED && !p->real_out && block.non_zero == 1)
        p->state[b] = IMPULSE;
    fft_run(f);
    store(p, f, g, b);
    matrix_close(&block.m);
    fft_close(f);
}

static void measure(struct problem *p, const struct eval *ev, struct fft *f)
{
    const char *type = attribute_string(ev->in, ATTRIBUTE_FFT_TYPE);
    struct dimnums n = dimnums_get(ev->in, ATTRIBUTE_FFT_LENGTH);
    const struct shape *in = ev->operands[0]->shape, *out = ev->in->shape;
    p->unit = dtype_unit(in->dtype);
    p->real_in = type[0] == 'R';
    p->real_out = type[0] == 'I' && type[1] == 'R';
    p->inverse = type[0] == 'I';
    p->flush = profile_rules(ev->machine->profile, p->unit).subnormal != 0;
    p->points = p->in = p->out = 1;
    *f = (struct fft){.arena = ev->arena,
                      .axes = n.count,
                      .inverse = p->inverse,
                      .limit = ev->machine->limits->precision_bits};
    for (int i = 0; i < n.count; i++) {
        f->n[i] = n.at[i];
        p->points *= n.at[i];
        p->in *= in->dims[in->rank - n.count + i];
        p->out *= out->dims[out->rank - n.count + i];
    }
    p->last = f->n[n.count - 1];
    p->last_half = p->last / 2 + 1;
    p->batches = p->out > 0 ? shape_elements(out) / p->out : 0;
}

/* From complex to complex numbers the shape does not depend on fft_length; no
 * document wants the sizes of the dimensions there, nor says what another
 * length means.  *done: any value is right, and returned. */
static bool open_lengths(struct eval *ev, bool *done, struct status *st)
{
    const char *type = attribute_string(ev->in, ATTRIBUTE_FFT_TYPE);
    const struct shape *s = ev->operands[0]->shape;
    struct dimnums n = dimnums_get(ev->in, ATTRIBUTE_FFT_LENGTH);
    bool refuse = eval_policy_is(ev, CHOICE_FFT_LENGTH_REJECT);
    *done = false;
    for (int i = 0; type[0] != 'R' && type[1] != 'R' && i < n.count; i++) {
        int d = s->rank - n.count + i;
        if (refuse)
            TRY(check_length(s, d, n.at[i], false, st));
        *done = *done || n.at[i] != s->dims[d];
    }
    if (*done)
        eval_return_one(ev, goal_new(ev->arena, s, GOAL_FREE, false));
    return true;
}

static bool eval(struct eval *ev, struct status *st)
{
    const struct shape *s = ev->in->shape;
    struct problem *p = arena_new(ev->arena, struct problem, 1);
    struct fft f;
    bool done;
    TRY(open_lengths(ev, &done, st));
    if (done)
        return true;
    measure(p, ev, &f);
    for (int i = 0; i < f.axes; i++)
        if (f.n[i] > ev->machine->limits->fft_length)
            return FAIL(st, SYSTEM,
                        "limit: a Fourier transform of %" PRId64
                        " points; %" PRId64 " are allowed (--limit-fft-length)",
                        f.n[i], ev->machine->limits->fft_length);
    TRY(eval_charge(ev, p->batches, 64 * p->points, st));
    struct goal *g = goal_new(ev->arena, s, GOAL_BITS, ev->want_exact);
    p->state = arena_new(ev->arena, unsigned char, (size_t)p->batches + 1);
    p->y =
        arena_new(ev->arena, struct real, (size_t)literal_units(g->value) + 1);
    goal_make_check(g, check, p, 0);
    for (int64_t b = 0; b < p->batches; b++)
        transform(ev, p, &f, g, b);
    eval_return_one(ev, g);
    return true;
}

static const struct stablehlo_form form = {.attributes =
                                               stablehlo_attribute_fft};

const struct op op_Fft = {
    .name = "Fft", .infer = infer, .eval = eval, .stablehlo = &form};
