/* Fft - discrete Fourier transforms along up to three innermost axes.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Every kind is a complex transform of a whole block: RFFT of one without
 * imaginary parts, of which half is kept; IRFFT of one that is completed by
 * conjugates.  A backend's result is judged by norms (check_fft).
 */
#include "interp/ops/fft.h"

#include <inttypes.h>

#include "gen/policy/fft_half_spectrum_imaginary.h"
#include "gen/policy/fft_length.h"
#include "interp/check/check_fft.h"
#include "interp/goal/goal_ends.h"
#include "interp/ops/dimnums.h"
#include "interp/ops/matrix.h"
#include "interp/program/attribute.h"
#include "interp/stablehlo/stablehlo_form.h"

/* For the transforms between real and complex numbers: their result has the
 * shape that fft_length gives. */
static bool check_length(const struct shape *s, int d, int64_t n, bool half,
                         struct status *st)
{
    int64_t due = half && n ? n / 2 + 1 : n;
    if (n < 0)
        return FAIL(st, ATTRIBUTE,
                    "Fft: fft_length has %" PRId64 "; expected 0 or more", n);
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
        return FAIL(st, TYPE, "Fft: %s of %s; expected a %s type", type,
                    dtype_table[s->dtype].name, real_in ? "real" : "complex");
    if (n.count < 1 || n.count > FFT_AXES || n.count > s->rank)
        return FAIL(st, ATTRIBUTE,
                    "Fft: fft_length has %d entries for an array of rank %d; "
                    "expected 1 to %d, at most the rank",
                    n.count, s->rank, FFT_AXES);
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
    struct check_fft *p;
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
static bool is_real_frequency(const struct check_fft *p, int64_t i)
{
    int64_t k = i % p->last_half;
    return k == 0 || 2 * k == p->last;
}

/* May a sum of as many numbers of this size overflow, in any algorithm?  One
 * that goes through a convolution (Bluestein's) has products of two lengths. */
static bool is_large(const struct check_fft *p, uint64_t bits)
{
    const struct dtype_info *t = &dtype_table[p->unit];
    uint64_t magnitude = bits & real_formats[p->unit].magnitude;
    int64_t exponent = (int64_t)(magnitude >> (t->precision - 1)) - t->bias;
    int64_t points = 0;
    while ((INT64_C(1) << points) < p->points)
        points++;
    return exponent + 2 * points + 4 > t->emax;
}

/* Looks at the operand: how much it determines of the result. */
static enum check_fft_state look(struct block *b, bool any_imaginary,
                                 bool *finite)
{
    struct check_fft *p = b->p;
    int units = p->real_in ? 1 : 2;
    enum check_fft_state state = CHECK_FFT_JUDGED;
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
                    && state == CHECK_FFT_JUDGED)
                    state = CHECK_FFT_NANS;
                else if (state != CHECK_FFT_NANS || !real_is_nan(p->unit, bits))
                    state = CHECK_FFT_FREE;
            } else {
                large = large || is_large(p, bits);
            }
            if (part == 1 && p->real_out && any_imaginary
                && is_real_frequency(p, i) && !real_is_zero(p->unit, bits))
                state = CHECK_FFT_FREE;
        }
        b->non_zero += !zero;
    }
    return state == CHECK_FFT_NANS && large ? CHECK_FFT_NANS_OR : state;
}

/* The block itself, or completed: twice its numbers, for the real
 * frequencies of an IRFFT keep half of the sum of two. */
static void fill(const struct block *b, struct fft *f)
{
    const struct check_fft *p = b->p;
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

/* ---- Evaluation ---------------------------------------------------------- */

/* The part of the transform that is asked for. */
static void store(const struct check_fft *p, const struct fft *f,
                  struct goal *g, int64_t b)
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
static bool is_wild(const struct check_fft *p, const struct fft *f)
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

static void transform(const struct eval *ev, struct check_fft *p, struct fft *f,
                      struct goal *g, int64_t b)
{
    struct block block = {.p = p, .from = ev->operands[0], .first = b * p->in};
    bool finite;
    enum check_fft_state state =
        look(&block,
             profile_fft_half_spectrum_imaginary_is_any(ev->machine->profile),
             &finite);
    p->state[b] = (unsigned char)state;
    if (!finite) {
        int64_t units = check_fft_units_out(p);
        for (int64_t i = 0; i < units; i++)
            goal_bits(g, b * units + i, real_nan(p->unit, false));
        return;
    }
    fft_open(f);
    matrix_open(&block.m, ev->arena, 1, p->in, p->real_in ? 1 : 2);
    matrix_read(&block.m, ev->operands[0], place, &block);
    fill(&block, f);
    if (is_wild(p, f))
        p->state[b] = CHECK_FFT_FREE;
    else if (state == CHECK_FFT_JUDGED && !p->real_out && block.non_zero == 1)
        p->state[b] = CHECK_FFT_IMPULSE;
    fft_run(f);
    store(p, f, g, b);
    matrix_close(&block.m);
    fft_close(f);
    if (p->reach) {
        MPFR_DECL_INIT(none, 64);
        mpfr_set_zero(none, 1);
        check_fft_reach(p, b, none);
    }
}

static void measure(struct check_fft *p, const struct eval *ev, struct fft *f)
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
    p->axes = n.count;
    *f = (struct fft){.arena = ev->arena,
                      .axes = n.count,
                      .inverse = p->inverse,
                      .limit = ev->machine->limits->precision_bits};
    for (int i = 0; i < n.count; i++) {
        f->n[i] = p->n[i] = n.at[i];
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
    bool refuse = profile_fft_length_is_reject(ev->machine->profile);
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
    struct check_fft *p = arena_new(ev->arena, struct check_fft, 1);
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
    if (ev->want_exact)
        p->reach = arena_new(ev->arena, struct real, (size_t)p->batches + 1);
    goal_make_check(g, check_fft, p, 0);
    g->check.ends = check_fft_ends;
    for (int64_t b = 0; b < p->batches; b++)
        transform(ev, p, &f, g, b);
    return eval_return_one(ev, g);
}

/* ---- Inexact operands ---------------------------------------------------- */

/* How far the operand of a block may be from its value, all parts of all
 * elements together.  False where a sum may overflow, or is not finite. */
static bool find_spread(const struct eval *ev, const struct check_fft *p,
                        int64_t block, mpfr_ptr spread)
{
    int64_t units = check_fft_units_in(p);
    MPFR_DECL_INIT(value, 64);
    MPFR_DECL_INIT(end, 64);
    MPFR_DECL_INIT(most, 64);
    mpfr_set_zero(spread, 1);
    for (int64_t i = block * units; i < (block + 1) * units; i++) {
        real_bits_to_mpfr(value, p->unit, literal_get(ev->operands[0], i));
        mpfr_set_zero(most, 1);
        for (int side = 0; side < 2; side++) {
            uint64_t bits = literal_get((side ? ev->high : ev->low)[0], i);
            if (!real_is_finite(p->unit, bits) || is_large(p, bits))
                return false;
            real_bits_to_mpfr(end, p->unit, bits);
            mpfr_sub(end, end, value, MPFR_RNDA);
            if (mpfr_cmpabs(end, most) > 0)
                mpfr_abs(most, end, MPFR_RNDU);
        }
        mpfr_add(spread, spread, most, MPFR_RNDU);
    }
    return true;
}

/* A transform is linear: every root of unity in it is at most 1 in each part,
 * and that of a half has each element twice. */
static bool ranges(struct eval *ev, struct status *st)
{
    MPFR_DECL_INIT(off, 64);
    const char *why = "may overflow";
    TRY(eval(ev, st));
    struct goal *g = ev->out.goals[0];
    if (g->rule != GOAL_CHECK)
        return true;
    struct check_fft *p = (struct check_fft *)(uintptr_t)g->check.data;
    struct goal *to = goal_new(ev->arena, ev->in->shape, GOAL_RANGE, false);
    for (int64_t b = 0; b < p->batches; b++) {
        bool known = find_spread(ev, p, b, off);
        if (p->real_out)
            mpfr_mul_ui(off, off, 2, MPFR_RNDU);
        if (p->inverse)
            mpfr_div_ui(off, off, (unsigned long)p->points, MPFR_RNDU);
        if (known && p->reach)
            check_fft_reach(p, b, off);
        int64_t units = check_fft_units_out(p);
        for (int64_t i = b * units; i < (b + 1) * units; i++) {
            struct goal_ends e;
            goal_bits(to, i, literal_get(g->value, i));
            if (!known || !check_fft_ends(g, i, &e, &why))
                return FAIL(st, UNSUPPORTED, "inadmissible: a result of Fft %s",
                            why);
            literal_set(to->range.low, i, e.low);
            literal_set(to->range.high, i, e.high);
        }
    }
    return eval_return_one(ev, to);
}

const struct op op_Fft = {
    .name = "Fft",
    .infer = infer,
    .eval = eval,
    .ranges = ranges,
    .stablehlo =
        STABLEHLO_FORM(.named = ATTRIBUTE_FFT_TYPE, .kind = "fft_type")};
