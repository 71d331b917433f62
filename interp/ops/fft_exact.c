/* fft_exact.c - see fft.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/ops/fft.h"

struct orbits {
    const struct fft *f;
    mpz_t *block;
    int64_t bits, error;
    int64_t *power, powers; /* the numbers b of the conjugates */
    int64_t *orbit, size;   /* of points */
    bool *seen;
    mpz_t v, t;
};

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

static void find_powers(struct orbits *o)
{
    int64_t m = 4;
    for (int i = 0; i < o->f->axes; i++)
        m = m / gcd(m, o->f->n[i]) * o->f->n[i];
    o->power = arena_new(o->f->arena, int64_t, (size_t)m / 4);
    for (int64_t b = 1; b < m; b += 4)
        if (gcd(b, m) == 1)
            o->power[o->powers++] = b;
}

/* The point whose indices are b times those of this one. */
static int64_t conjugate(const struct fft *f, int64_t point, int64_t b)
{
    int64_t to = 0, scale = 1;
    for (int i = f->axes - 1; i >= 0; i--) {
        int64_t n = f->n[i];
        to += point % n * (b % n) % n * scale;
        scale *= n;
        point /= n;
    }
    return to;
}

static void find_orbit(struct orbits *o, int64_t point)
{
    o->size = 0;
    for (int64_t i = 0; i < o->powers; i++) {
        int64_t to = conjugate(o->f, point, o->power[i]);
        if (!o->seen[to])
            o->orbit[o->size++] = to;
        o->seen[to] = true;
    }
}

/* Twice x, in reach of the integer v? */
static bool is_near(struct orbits *o, mpz_srcptr x)
{
    mpz_mul_2exp(o->t, o->v, (mp_bitcnt_t)o->bits);
    mpz_submul_ui(o->t, x, 2);
    return mpz_cmpabs_ui(o->t, 2 * (unsigned long)o->error) <= 0;
}

static bool is_integer(struct orbits *o, int part)
{
    mpz_srcptr x = o->block[2 * o->orbit[0] + part];
    /* v: twice x, to the nearest */
    mpz_set_ui(o->v, 1);
    mpz_mul_2exp(o->v, o->v, (mp_bitcnt_t)(o->bits - 2));
    mpz_add(o->v, o->v, x);
    mpz_fdiv_q_2exp(o->v, o->v, (mp_bitcnt_t)(o->bits - 1));
    for (int64_t i = 0; i < o->size; i++)
        if (!is_near(o, o->block[2 * o->orbit[i] + part]))
            return false;
    return true;
}

bool fft_exact_find(const struct fft *f, mpz_t *block, int64_t bits,
                    int64_t error, bool *exact)
{
    struct orbits o = {.f = f, .block = block, .bits = bits, .error = error};
    if (bits < 62 && error >> (bits - 2) > 0)
        return false;
    o.orbit = arena_new(f->arena, int64_t, (size_t)f->points);
    o.seen = arena_new(f->arena, bool, (size_t)f->points);
    find_powers(&o);
    mpz_inits(o.v, o.t, NULL);
    for (int64_t point = 0; point < f->points; point++) {
        if (o.seen[point])
            continue;
        find_orbit(&o, point);
        for (int part = 0; part < 2; part++) {
            if (!is_integer(&o, part))
                continue;
            for (int64_t i = 0; i < o.size; i++) {
                exact[2 * o.orbit[i] + part] = true;
                mpz_set(block[2 * o.orbit[i] + part], o.v);
            }
        }
    }
    mpz_clears(o.v, o.t, NULL);
    return true;
}
