/* fft_prime.c - Fourier transforms of a prime number of points.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Few points are sums of products.  Many are a correlation (Bluestein): with
 * s k = C(s+k, 2) - C(s, 2) - C(k, 2) and c_j = root^C(j, 2),
 *
 *     y_k = conj(c_k) sum over s of (x_s conj(c_s)) c_(s+k),
 *
 * and GMP multiplies two polynomials as two integers (Kronecker): each
 * coefficient has a slot that is wide enough for every sum.
 */
#include <string.h>

#include "interp/ops/fft.h"

enum {
    PAIRS_MAX = 128 /* points; above it the correlation is faster */
};

/* to = from + (re, im) / 2^root_bits, which is cut off once. */
static void add_cut(const struct fft_fixed *p, mpz_t *to, mpz_t *from,
                    mpz_ptr re, mpz_ptr im)
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
static void by_pairs(struct fft_fixed *p, mpz_t *x, int64_t step, mpz_t *y,
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

/* ---- By a correlation ---------------------------------------------------- */

/* The parts of a polynomial's coefficients and their sums, each as one integer:
 * the polynomial's value at 2^(GMP_NUMB_BITS limbs). */
struct packed {
    mpz_t re, im, sum;
};

struct correlation {
    struct fft_fixed *p;
    int64_t n, turn;
    mp_size_t limbs; /* of a slot */
    struct packed a, c;
    mpz_t t;
};

static mpz_t *chirp(const struct correlation *q, int64_t j)
{
    return q->p->root + 2 * (j * (j - 1) / 2 % q->n) * q->turn;
}

/* The numbers x[0], x[2], ... of one sign, without it. */
static void pack_sign(mpz_t to, mpz_t *x, int64_t count, mp_size_t limbs,
                      int sign)
{
    mp_size_t size = (mp_size_t)count * limbs;
    mp_limb_t *at = mpz_limbs_write(to, size);
    memset(at, 0, (size_t)size * sizeof *at);
    for (int64_t i = 0; i < count; i++)
        if (mpz_sgn(x[2 * i]) == sign)
            memcpy(at + i * limbs, mpz_limbs_read(x[2 * i]),
                   mpz_size(x[2 * i]) * sizeof *at);
    mpz_limbs_finish(to, size);
}

static void pack(struct correlation *q, struct packed *to, mpz_t *x,
                 int64_t count)
{
    mpz_ptr part[] = {to->re, to->im};
    for (int i = 0; i < 2; i++) {
        pack_sign(part[i], x + i, count, q->limbs, 1);
        pack_sign(q->t, x + i, count, q->limbs, -1);
        mpz_sub(part[i], part[i], q->t);
    }
    mpz_add(to->sum, to->re, to->im);
}

static bool has_high_bit(mpz_srcptr x, mp_size_t limb)
{
    return limb >= 0 && limb < (mp_size_t)mpz_size(x)
           && mpz_limbs_read(x)[limb] >> (GMP_NUMB_BITS - 1);
}

/* The coefficient in a slot.  None is larger than a quarter of what its slot
 * holds: the highest bit says that it is negative, and so has borrowed one from
 * the slot above. */
static void unpack(const struct correlation *q, mpz_t to, mpz_srcptr x,
                   int64_t slot)
{
    mp_size_t first = (mp_size_t)slot * q->limbs;
    mp_size_t size = (mp_size_t)mpz_size(x) - first;
    mpz_t window, base;
    if (size > q->limbs)
        size = q->limbs;
    mpz_set_ui(to, 0);
    if (size > 0)
        mpz_set(to, mpz_roinit_n(window, mpz_limbs_read(x) + first, size));
    if (has_high_bit(x, first - 1))
        mpz_add_ui(to, to, 1);
    if (has_high_bit(x, first + q->limbs - 1)) {
        mpz_init_set_ui(base, 1);
        mpz_mul_2exp(base, base, (mp_bitcnt_t)(q->limbs * GMP_NUMB_BITS));
        mpz_sub(to, to, base);
        mpz_clear(base);
    }
    if (mpz_sgn(x) < 0)
        mpz_neg(to, to);
}

/* to = x root, or x conj(root), not cut off. */
static void turn(mpz_t *to, mpz_t *x, mpz_t *root, bool back)
{
    mpz_mul(to[0], x[0], root[0]);
    mpz_mul(to[1], x[1], root[0]);
    (back ? mpz_addmul : mpz_submul)(to[0], x[1], root[1]);
    (back ? mpz_submul : mpz_addmul)(to[1], x[0], root[1]);
}

static void cut(const struct correlation *q, mpz_t *x)
{
    for (int part = 0; part < 2; part++)
        mpz_tdiv_q_2exp(x[part], x[part], (mp_bitcnt_t)q->p->root_bits);
}

/* Three products of integers make the four of complex numbers; the second
 * polynomial is q->c already. */
static void multiply(struct correlation *q)
{
    mpz_mul(q->a.re, q->a.re, q->c.re);
    mpz_mul(q->a.im, q->a.im, q->c.im);
    mpz_mul(q->a.sum, q->a.sum, q->c.sum);
    mpz_sub(q->a.sum, q->a.sum, q->a.re);
    mpz_sub(q->a.sum, q->a.sum, q->a.im); /* the imaginary part */
    mpz_sub(q->a.re, q->a.re, q->a.im);
}

/* The first polynomial's coefficients are in y, the last point first. */
static void set_up(struct correlation *q, mpz_t *x, int64_t step, mpz_t *y)
{
    size_t bits = 0;
    for (int64_t s = 0; s < q->n; s++) {
        mpz_t *to = y + 2 * (q->n - 1 - s);
        turn(to, x + 2 * s * step, chirp(q, s), true);
        cut(q, to);
        for (int part = 0; part < 2; part++)
            if (mpz_sizeinbase(to[part], 2) > bits)
                bits = mpz_sizeinbase(to[part], 2);
    }
    bits += (size_t)q->p->root_bits + 6; /* two parts, and a quarter */
    for (int64_t n = q->n; n > 0; n /= 2)
        bits++;
    q->limbs = (mp_size_t)(bits / GMP_NUMB_BITS + 1);
    pack(q, &q->a, y, q->n);
}

/* The roots of the second polynomial stand for themselves: mpz_t is a header,
 * whose limbs are borrowed for as long as they are packed. */
static void pack_roots(struct correlation *q)
{
    int64_t count = 2 * q->n - 1;
    mpz_t *c = arena_new(q->p->f->arena, mpz_t, 2 * (size_t)count);
    for (int64_t j = 0; j < count; j++)
        memcpy(c + 2 * j, chirp(q, j), 2 * sizeof *c);
    pack(q, &q->c, c, count);
}

static void by_correlation(struct fft_fixed *p, mpz_t *x, int64_t step,
                           mpz_t *y, int64_t n)
{
    struct correlation q = {.p = p, .n = n, .turn = p->n / n};
    mpz_inits(q.a.re, q.a.im, q.a.sum, q.c.re, q.c.im, q.c.sum, q.t, NULL);
    set_up(&q, x, step, y);
    pack_roots(&q);
    multiply(&q);
    for (int64_t k = 0; k < n; k++) {
        unpack(&q, p->t[0], q.a.re, n - 1 + k);
        unpack(&q, p->t[1], q.a.sum, n - 1 + k);
        cut(&q, p->t);
        turn(y + 2 * k, p->t, chirp(&q, k), true);
        cut(&q, y + 2 * k);
    }
    mpz_clears(q.a.re, q.a.im, q.a.sum, q.c.re, q.c.im, q.c.sum, q.t, NULL);
}

/* The correlation multiplies twice more than a sum of products does: each time
 * a root is off by less than one, and less than two is cut off. */
void fft_prime(struct fft_fixed *p, mpz_t *x, int64_t step, mpz_t *y, int64_t n,
               mpz_t *scratch)
{
    if (n > PAIRS_MAX)
        by_correlation(p, x, step, y, n);
    else
        by_pairs(p, x, step, y, n, scratch);
}
