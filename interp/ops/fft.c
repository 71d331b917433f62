/* fft.c - see fft.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/fft.h"

#include <mpfr.h>

#include "interp/ops/matrix.h"

enum {
    FIELD_MAX = 1 << 20 /* of the cyclotomic field that is worked in */
};

void fft_open(struct fft *f)
{
    f->points = 1;
    for (int i = 0; i < f->axes; i++)
        f->points *= f->n[i];
    f->undecided = 0;
    f->input = arena_new(f->arena, mpz_t, 2 * (size_t)f->points);
    f->y = arena_new(f->arena, struct real, 2 * (size_t)f->points);
    for (int64_t i = 0; i < 2 * f->points; i++)
        mpz_init(f->input[i]);
}

void fft_close(struct fft *f)
{
    for (int64_t i = 0; i < 2 * f->points; i++)
        mpz_clear(f->input[i]);
}

/* ---- In fixed point ------------------------------------------------------ */

/* Numbers are integers times 2^(exponent - bits); roots of unity are integers
 * times 2^-root_bits. */
struct fixed {
    const struct fft *f;
    int64_t bits, root_bits;
    int64_t error;  /* of each number, in its unit */
    mpz_t *x, *y;   /* re, im of each point; of a line, and scratch */
    int64_t n;      /* of this axis */
    mpz_t *root;    /* re, im of e^(+-2 pi i k / n) */
    mpz_t *sub[64]; /* scratch of each level of a transform */
    mpz_t t[6];
};

static mpz_t *numbers(struct arena *a, int64_t count)
{
    mpz_t *x = arena_new(a, mpz_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        mpz_init(x[i]);
    return x;
}

static void forget(mpz_t *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        mpz_clear(x[i]);
}

static void make_roots(struct fixed *p)
{
    mpfr_t pi, angle, s, c;
    mpfr_inits2((mpfr_prec_t)p->root_bits + 64, pi, angle, s, c, (mpfr_ptr)0);
    mpfr_const_pi(pi, MPFR_RNDN);
    p->root = numbers(p->f->arena, 2 * p->n);
    for (int64_t k = 0; k < p->n; k++) {
        mpfr_mul_ui(angle, pi, 2 * (unsigned long)k, MPFR_RNDN);
        mpfr_div_ui(angle, angle, (unsigned long)p->n, MPFR_RNDN);
        mpfr_sin_cos(s, c, angle, MPFR_RNDN);
        if (!p->f->inverse)
            mpfr_neg(s, s, MPFR_RNDN);
        mpfr_mul_2si(s, s, p->root_bits, MPFR_RNDN);
        mpfr_mul_2si(c, c, p->root_bits, MPFR_RNDN);
        mpfr_get_z(p->root[2 * k], c, MPFR_RNDN);
        mpfr_get_z(p->root[2 * k + 1], s, MPFR_RNDN);
    }
    mpfr_clears(pi, angle, s, c, (mpfr_ptr)0);
}

/* sum += x * root[k]; quarters of a turn are exact. */
static void add_turned(struct fixed *p, mpz_t *sum, mpz_t *x, int64_t k)
{
    if (4 * k % p->n == 0) {
        int turns = (int)(4 * k / p->n);
        if (!p->f->inverse)
            turns = (4 - turns) % 4;
        mpz_ptr re = x[turns & 1], im = x[!(turns & 1)];
        (turns == 1 || turns == 2 ? mpz_sub : mpz_add)(sum[0], sum[0], re);
        (turns == 2 || turns == 3 ? mpz_sub : mpz_add)(sum[1], sum[1], im);
        return;
    }
    mpz_mul(p->t[0], x[0], p->root[2 * k]);
    mpz_submul(p->t[0], x[1], p->root[2 * k + 1]);
    mpz_mul(p->t[1], x[0], p->root[2 * k + 1]);
    mpz_addmul(p->t[1], x[1], p->root[2 * k]);
    for (int part = 0; part < 2; part++) {
        mpz_tdiv_q_2exp(p->t[part], p->t[part], (mp_bitcnt_t)p->root_bits);
        mpz_add(sum[part], sum[part], p->t[part]);
    }
}

static int64_t least_factor(int64_t n)
{
    for (int64_t p = 2; p * p <= n; p++)
        if (n % p == 0)
            return p;
    return n;
}

/* to = from + (re, im) / 2^root_bits, which is cut off once. */
static void add_cut(const struct fixed *p, mpz_t *to, mpz_t *from, mpz_ptr re,
                    mpz_ptr im)
{
    mpz_tdiv_q_2exp(re, re, (mp_bitcnt_t)p->root_bits);
    mpz_tdiv_q_2exp(im, im, (mp_bitcnt_t)p->root_bits);
    mpz_add(to[0], from[0], re);
    mpz_add(to[1], from[1], im);
}

/* The same of an odd prime number of points.  Points s and n - s meet roots
 * that are conjugates, so do results k and n - k: with w = c + i d,
 *
 *     A w + B conj(w) = (A + B) c + i (A - B) d,
 *
 * and its conjugate root gives the difference of the two.  So a quarter of the
 * products is left.  All sums of them are exact. */
static void transform_prime(struct fixed *p, mpz_t *x, int64_t step, mpz_t *y,
                            int64_t n, mpz_t *pairs)
{
    int64_t half = n / 2, turn = p->n / n;
    mpz_t *t = p->t;
    for (int part = 0; part < 2; part++)
        mpz_set(y[part], x[part]);
    for (int64_t s = 1; s <= half; s++)
        for (int part = 0; part < 2; part++) {
            mpz_ptr a = x[2 * s * step + part],
                    b = x[2 * (n - s) * step + part];
            mpz_t *to = pairs + 4 * (s - 1);
            mpz_add(to[part], a, b);
            mpz_sub(to[2 + part], a, b);
            mpz_add(y[part], y[part], to[part]);
        }
    for (int64_t k = 1; k <= half; k++) {
        for (int i = 0; i < 4; i++)
            mpz_set_ui(t[i], 0);
        for (int64_t s = 1, at = k; s <= half; s++) { /* at: s k modulo n */
            mpz_t *pair = pairs + 4 * (s - 1), *root = p->root + 2 * at * turn;
            for (int i = 0; i < 4; i++)
                mpz_addmul(t[i], pair[i], root[i / 2]);
            at = at + k < n ? at + k : at + k - n;
        }
        mpz_sub(t[4], t[0], t[3]);
        mpz_add(t[5], t[1], t[2]);
        add_cut(p, y + 2 * k, x, t[4], t[5]);
        mpz_add(t[4], t[0], t[3]);
        mpz_sub(t[5], t[1], t[2]);
        add_cut(p, y + 2 * (n - k), x, t[4], t[5]);
    }
}

/* Transform x[0], x[step], ... of n points into y[0..n-1]; x is scratch then.
 * A step of p sub-transforms of m points each: y[k] is the sum over s of
 * root(s k) sub_s[k mod m]. */
static void transform(struct fixed *p, mpz_t *x, int64_t step, mpz_t *y,
                      int64_t n, int level)
{
    if (n == 1) {
        mpz_set(y[0], x[0]);
        mpz_set(y[1], x[1]);
        return;
    }
    int64_t r = least_factor(n), m = n / r, turn = p->n / n;
    mpz_t *sub = p->sub[level];
    if (m == 1 && n > 2) {
        transform_prime(p, x, step, y, n, sub);
        return;
    }
    for (int64_t s = 0; s < r; s++)
        transform(p, x + 2 * s * step, step * r, sub + 2 * s * m, m, level + 1);
    for (int64_t k = 0; k < n; k++) {
        mpz_set_ui(y[2 * k], 0);
        mpz_set_ui(y[2 * k + 1], 0);
        for (int64_t s = 0; s < r; s++)
            add_turned(p, y + 2 * k, sub + 2 * (s * m + k % m),
                       s * k % n * turn);
    }
}

/* Scratch for an axis: made, or freed. */
static void scratch(struct fixed *p, bool make)
{
    int level = 0;
    for (int64_t n = p->n; n > 1; n /= least_factor(n), level++)
        if (make)
            p->sub[level] = numbers(p->f->arena, 2 * n);
        else
            forget(p->sub[level], 2 * n);
}

/* A sum of r products is off by r (error + 3): its numbers are off by error,
 * its roots by less than one in the last place of the largest number, and
 * cutting off costs less than two (transform_prime cuts off once). */
static void note_errors(struct fixed *p)
{
    for (int64_t n = p->n; n > 1;) {
        int64_t r = least_factor(n);
        p->error = r * (p->error + 3);
        n /= r;
    }
}

/* One axis of the block, whose points are stride apart. */
static void transform_axis(struct fixed *p, mpz_t *block, int64_t stride)
{
    int64_t n = p->n;
    for (int64_t first = 0; first < p->f->points; first++) {
        if (first / stride % n != 0)
            continue;
        for (int64_t k = 0; k < 2 * n; k++)
            mpz_set(p->x[k], block[2 * (first + k / 2 * stride) + k % 2]);
        transform(p, p->x, 1, p->y, n, 0);
        for (int64_t k = 0; k < 2 * n; k++)
            mpz_set(block[2 * (first + k / 2 * stride) + k % 2], p->y[k]);
    }
}

/* The whole block at a precision; returns the bound of its errors. */
static int64_t approximate(const struct fft *f, mpz_t *block, int64_t bits)
{
    struct fixed p = {.f = f, .bits = bits};
    int64_t size = 1, stride = f->points;
    for (size_t i = 0; i < sizeof p.t / sizeof *p.t; i++)
        mpz_init(p.t[i]);
    for (int64_t i = 0; i < 2 * f->points; i++) {
        int64_t own = (int64_t)mpz_sizeinbase(f->input[i], 2);
        size = own > size ? own : size;
        mpz_mul_2exp(block[i], f->input[i], (mp_bitcnt_t)bits);
    }
    p.root_bits = size + bits + 4;
    for (int64_t n = f->points; n > 0; n /= 2)
        p.root_bits++;
    for (int i = 0; i < f->axes; i++) {
        p.n = f->n[i];
        stride /= p.n;
        p.x = numbers(f->arena, 2 * p.n);
        p.y = numbers(f->arena, 2 * p.n);
        make_roots(&p);
        scratch(&p, true);
        transform_axis(&p, block, stride);
        note_errors(&p);
        scratch(&p, false);
        forget(p.root, 2 * p.n);
        forget(p.x, 2 * p.n);
        forget(p.y, 2 * p.n);
    }
    for (size_t i = 0; i < sizeof p.t / sizeof *p.t; i++)
        mpz_clear(p.t[i]);
    return p.error;
}

/* ---- In the cyclotomic field --------------------------------------------- */

struct field {
    int64_t order;
    mpz_t *c, *d; /* coefficients of powers of the root; scratch */
};

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static void add_to(const struct field *k, int64_t power, mpz_srcptr x,
                   bool subtract)
{
    mpz_ptr c = k->c[(power % k->order + k->order) % k->order];
    (subtract ? mpz_sub : mpz_add)(c, c, x);
}

/* The sum of the powers is 0 iff (z^(N/p) - 1) for each prime p of N times it
 * is 0 modulo z^N - 1: that factor vanishes at every root of z^N - 1 but the
 * primitive ones, which are conjugates of each other. */
static bool vanishes(struct field *k)
{
    for (int64_t n = k->order, p; n > 1;) {
        p = least_factor(n);
        while (n % p == 0)
            n /= p;
        for (int64_t m = 0; m < k->order; m++)
            mpz_sub(k->d[m], k->c[(m - k->order / p + k->order) % k->order],
                    k->c[m]);
        mpz_t *swap = k->c;
        k->c = k->d;
        k->d = swap;
    }
    for (int64_t m = 0; m < k->order; m++)
        if (mpz_sgn(k->c[m]) != 0)
            return false;
    return true;
}

/* Which power of the root does point `from` of the input meet in point `to`
 * of the result? */
static int64_t power_of(const struct fft *f, int64_t order, int64_t from,
                        int64_t to)
{
    int64_t power = 0;
    for (int i = f->axes - 1; i >= 0; i--) {
        int64_t n = f->n[i];
        power += (from % n) * (to % n) % n * (order / n);
        from /= n;
        to /= n;
    }
    return f->inverse ? power : -power;
}

/* Is twice that part of the sum at point `to` exactly twice_value?  With z^q =
 * i: 2 re = a (z^m + z^-m) + b (z^(q+m) - z^(q-m)), and im is re of -i. */
static bool is_exactly(const struct fft *f, struct field *k, int64_t to,
                       int part, mpz_srcptr twice_value)
{
    int64_t q = k->order / 4;
    for (int64_t m = 0; m < k->order; m++)
        mpz_set_ui(k->c[m], 0);
    for (int64_t from = 0; from < f->points; from++) {
        int64_t m = power_of(f, k->order, from, to);
        mpz_srcptr a = f->input[2 * from + part];
        mpz_srcptr b = f->input[2 * from + !part];
        if (mpz_sgn(a) != 0) {
            add_to(k, m, a, false);
            add_to(k, -m, a, false);
        }
        if (mpz_sgn(b) != 0) {
            add_to(k, q + m, b, part == 1);
            add_to(k, q - m, b, part == 0);
        }
    }
    mpz_sub(k->c[0], k->c[0], twice_value);
    return vanishes(k);
}

static bool field_open(const struct fft *f, struct field *k)
{
    k->order = 4;
    for (int i = 0; i < f->axes; i++) {
        k->order = k->order / gcd(k->order, f->n[i]) * f->n[i];
        if (k->order > FIELD_MAX)
            return false;
    }
    k->c = numbers(f->arena, k->order);
    k->d = numbers(f->arena, k->order);
    return true;
}

/* ---- Results ------------------------------------------------------------- */

/* One result: what is known of it, in units of 2^(exponent - bits). */
struct guess {
    int64_t bits, error;
    mpz_t x, low, high, one;
};

static struct real as_real(const struct fft *f, const struct guess *g,
                           mpz_srcptr x)
{
    return matrix_quotient(x, g->one, f->exponent - g->bits);
}

/* Do both ends have the same 128 bits? */
static bool settle(const struct fft *f, struct guess *g, struct real *y)
{
    mpz_set_si(g->low, g->error);
    mpz_add(g->high, g->x, g->low);
    mpz_sub(g->low, g->x, g->low);
    if (mpz_sgn(g->low) * mpz_sgn(g->high) <= 0)
        return false;
    struct real a = as_real(f, g, g->low), b = as_real(f, g, g->high);
    if (a.exponent != b.exponent || a.significand != b.significand)
        return false;
    a.inexact = true;
    *y = a;
    return true;
}

/* The one number of few bits in reach: is it the result?  It is to be a
 * multiple of half the unit of the sum, which is `points` times the result if
 * that was divided. */
static bool is_candidate(const struct fft *f, struct guess *g, struct field *k,
                         int64_t to, int part, struct real *y)
{
    int64_t s = 2;
    while (s < 62 && (INT64_C(1) << s) <= 2 * g->error)
        s++;
    /* round to a multiple of 2^s */
    mpz_set_ui(g->low, 1);
    mpz_mul_2exp(g->low, g->low, (mp_bitcnt_t)(s - 1));
    mpz_add(g->high, g->x, g->low);
    mpz_fdiv_q_2exp(g->high, g->high, (mp_bitcnt_t)s);
    mpz_mul_2exp(g->high, g->high, (mp_bitcnt_t)s);
    mpz_sub(g->low, g->high, g->x);
    if (mpz_cmpabs_ui(g->low, (unsigned long)g->error) > 0)
        return false;
    mpz_mul_ui(g->low, g->high, f->inverse ? 2 * (unsigned long)f->points : 2);
    if (!mpz_divisible_2exp_p(g->low, (mp_bitcnt_t)g->bits))
        return false;
    mpz_tdiv_q_2exp(g->low, g->low, (mp_bitcnt_t)g->bits);
    if (!is_exactly(f, k, to, part, g->low))
        return false;
    *y = as_real(f, g, g->high);
    return true;
}

static bool decide(struct fft *f, struct guess *g, struct field *k, int64_t i,
                   mpz_srcptr x, int64_t error)
{
    mpz_set(g->x, x);
    g->error = error;
    if (f->inverse) {
        mpz_tdiv_q_ui(g->x, g->x, (unsigned long)f->points);
        g->error = error / f->points + 2;
    }
    return settle(f, g, &f->y[i])
           || (k && is_candidate(f, g, k, i / 2, (int)(i % 2), &f->y[i]));
}

/* One point is its own transform, exactly. */
static void copy(struct fft *f)
{
    mpz_t one;
    mpz_init_set_ui(one, 1);
    for (int i = 0; i < 2; i++)
        f->y[i] = matrix_quotient(f->input[i], one, f->exponent);
    mpz_clear(one);
}

void fft_run(struct fft *f)
{
    struct guess g;
    struct field k;
    int64_t left = 2 * f->points;
    if (f->points == 1) {
        copy(f);
        return;
    }
    bool *done = arena_new(f->arena, bool, (size_t)left);
    mpz_t *block = numbers(f->arena, left);
    bool has_field = field_open(f, &k);
    mpz_inits(g.x, g.low, g.high, NULL);
    mpz_init_set_ui(g.one, 1);
    for (g.bits = 192; left > 0; g.bits *= 2) {
        int64_t error = approximate(f, block, g.bits);
        bool last = 2 * g.bits > f->limit;
        for (int64_t i = 0; i < 2 * f->points; i++) {
            if (done[i])
                continue;
            done[i] = decide(f, &g, has_field ? &k : NULL, i, block[i], error);
            if (!done[i] && last) {
                done[i] = true;
                f->y[i] = as_real(f, &g, g.x);
                f->undecided++;
            }
            left -= done[i];
        }
    }
    mpz_clears(g.x, g.low, g.high, g.one, NULL);
    if (has_field) {
        forget(k.c, k.order);
        forget(k.d, k.order);
    }
    forget(block, 2 * f->points);
}
