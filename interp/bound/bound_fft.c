/* bound_fft.c - Fourier transforms as links between errors.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * A transform is linear, so its slopes are its coefficients.  What it may be
 * off is a vector of bounded length for each block (check_fft.h), so that a sum
 * over its units is moved by no more than the length of the sum's adjoints
 * times that.
 */
#include "interp/bound/bound_node.h"
#include "interp/check/check_fft.h"

const struct check_fft *bound_fft(const struct goal *g)
{
    const struct check_fft *p =
        g->rule == GOAL_CHECK && g->check.holds == check_fft ? g->check.data
                                                             : NULL;
    for (int64_t b = 0; p && b < p->batches; b++)
        if (p->state[b] != CHECK_FFT_JUDGED && p->state[b] != CHECK_FFT_IMPULSE)
            return NULL;
    return p && p->y ? p : NULL;
}

/* ---- Slopes -------------------------------------------------------------- */

struct bound_roots {
    const struct check_fft *p;
    struct enclosure *cosine, *sine; /* of k turns / points */
};

static struct enclosure outward(mpfr_srcptr x)
{
    return enclosure_out(enclosure_point(mpfr_get_d(x, MPFR_RNDN)));
}

struct bound_roots *bound_fft_roots(struct arena *a, const struct check_fft *p)
{
    static const double quarters[] = {1, 0, -1, 0};
    MPFR_DECL_INIT(angle, 128);
    MPFR_DECL_INIT(turn, 128);
    struct bound_roots *r = arena_new(a, struct bound_roots, 1);
    size_t n = (size_t)p->points;
    *r = (struct bound_roots){.p = p,
                              .cosine = arena_new(a, struct enclosure, n + 1),
                              .sine = arena_new(a, struct enclosure, n + 1)};
    mpfr_const_pi(turn, MPFR_RNDN);
    mpfr_mul_ui(turn, turn, 2, MPFR_RNDN);
    for (size_t k = 0; k < n; k++) {
        if (4 * k % n == 0) {
            r->cosine[k] = enclosure_point(quarters[4 * k / n]);
            r->sine[k] = enclosure_point(quarters[(4 * k / n + 3) % 4]);
            continue;
        }
        mpfr_mul_ui(angle, turn, k, MPFR_RNDN);
        mpfr_div_ui(angle, angle, n, MPFR_RNDN);
        MPFR_DECL_INIT(x, 64);
        mpfr_cos(x, angle, MPFR_RNDN);
        r->cosine[k] = outward(x);
        mpfr_sin(x, angle, MPFR_RNDN);
        r->sine[k] = outward(x);
    }
    return r;
}

/* The innermost axis of the operand, and of the result, may be half. */
static int64_t size_of(const struct check_fft *p, int axis, bool half)
{
    return half && axis == p->axes - 1 ? p->last_half : p->n[axis];
}

/* The part of a turn by which one element of the operand enters one of the
 * result. */
static int64_t turn_of(const struct check_fft *p, int64_t to, int64_t from)
{
    int64_t turn = 0; /* of no more points than links */
    for (int d = p->axes - 1; d >= 0; d--) {
        int64_t k = to % size_of(p, d, p->real_in);
        int64_t j = from % size_of(p, d, p->real_out);
        to /= size_of(p, d, p->real_in);
        from /= size_of(p, d, p->real_out);
        turn += k * j % p->n[d] * (p->points / p->n[d]);
    }
    return turn % p->points;
}

struct enclosure bound_fft_slope(const struct bound_roots *r, int64_t to,
                                 int64_t from)
{
    const struct check_fft *p = r->p;
    int to_parts = p->real_out ? 1 : 2, from_parts = p->real_in ? 1 : 2;
    int to_part = (int)(to % to_parts), from_part = (int)(from % from_parts);
    int64_t element = from / from_parts;
    int64_t turn = turn_of(p, to / to_parts, element);
    struct enclosure slope =
        to_part == from_part ? r->cosine[turn] : r->sine[turn];
    /* (re + im i) (cos - sin i), or, of an inverse, (cos + sin i) */
    if (to_part != from_part && (to_part == 1) != p->inverse)
        slope = enclosure_neg(slope);
    if (!p->inverse)
        return slope;
    int64_t k = element % p->last_half;
    bool twice = p->real_out && k != 0 && 2 * k != p->last;
    struct enclosure points = enclosure_point((double)p->points);
    slope = enclosure_mul(slope, enclosure_inverse(points));
    return enclosure_of(slope.low * (1 + twice), slope.high * (1 + twice));
}

/* ---- Noise --------------------------------------------------------------- */

/* How far the operand of a block may be from the reference's, as a vector. */
static double operand_off(const struct bound_graph *g,
                          const struct bound_node *n, const struct check_fft *p,
                          int64_t block)
{
    int number = n->first ? n->operands[0] : BOUND_EXACT;
    int64_t units = check_fft_units_in(p);
    const struct bound_node *from = g->nodes ? g->nodes[number] : NULL;
    double squares = 0;
    for (int64_t i = block * units;
         number != BOUND_EXACT && i < (block + 1) * units; i++) {
        double far = from->far[i]
                     + bound_node_flushed(g->profile, from->unit, from->box[i]);
        squares += far * far + 0x1p-1000;
    }
    return sqrt(squares) * (1 + 0x1p-20);
}

void bound_fft_noise(struct bound_graph *g, struct bound_node *n,
                     const struct goal *goal)
{
    const struct check_fft *p = bound_fft(goal);
    bool wider = rule_basis(g->profile, goal).wider;
    n->ball_units = check_fft_units_out(p);
    n->balls = arena_new(g->arena, double, (size_t)p->batches + 1);
    g->balls = p->batches > g->balls ? p->batches : g->balls;
    for (int64_t b = 0; b < p->batches; b++)
        n->balls[b] = check_fft_radius(p, b, operand_off(g, n, p, b));
    for (int64_t i = 0; i < n->units; i++) {
        double v = bound_node_double(n->unit, literal_get(n->value, i));
        double far = n->first ? bound_noise_by_use(g, n, i, wider) : 0;
        n->noise[i] = bound_noise_around(far, v, &p->y[i]);
    }
}
