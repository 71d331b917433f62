/* test_batchnorm.c - batch normalization against its formulas.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The model computes each formula of the documents (004:112-114, 004:167-171)
 * as it is written, in 600 bits, and rounds once at the end.
 * ASSAY_LONG=1 tries more.
 */
#include <mpfr.h>
#include <stdlib.h>

#include "interp/test/slow_program.h"
#include "interp/test/tap.h"

enum {
    BITS = 600
};

static struct arena arena;

/* Operands of one run, and where a feature's elements stand. */
struct sample {
    int rank, feature;
    int64_t dims[4];
    struct literal *operand[5];
    mpfr_t mean, variance, sd, d, c, dy, t, u;
};

static uint64_t rounded(mpfr_srcptr x)
{
    MPFR_DECL_INIT(cut, 128);
    if (mpfr_zero_p(x) || mpfr_get_exp(x) < -500)
        return 0;
    int ternary = mpfr_set(cut, x, MPFR_RNDZ);
    struct real r = real_from_mpfr(cut, ternary);
    return real_round(&r, DT_f64, REAL_OVERFLOW_TYPE);
}

static bool same(const struct literal *l, int64_t i, mpfr_srcptr x)
{
    uint64_t got = literal_get(l, i), want = rounded(x);
    return got == want || (got << 1 == 0 && want << 1 == 0);
}

static void get(struct sample *s, mpfr_ptr x, int operand, int64_t i)
{
    mpfr_set_si(x, slow_program_int_at(s->operand[operand], i), MPFR_RNDN);
}

/* Call body for each element of a feature; how many there are. */
typedef void body(struct sample *s, int64_t at);
static int64_t each(struct sample *s, int64_t feature, body *f)
{
    int64_t index[4] = {0}, at = 0, n = 0;
    do {
        if (index[s->feature] == feature) {
            n++;
            if (f)
                f(s, at);
        }
        at++;
    } while (shape_next_index(s->rank, s->dims, index));
    return n;
}

static void add_mean(struct sample *s, int64_t at)
{
    get(s, s->t, 0, at);
    mpfr_add(s->mean, s->mean, s->t, MPFR_RNDN);
}

static void add_variance(struct sample *s, int64_t at)
{
    get(s, s->t, 0, at);
    mpfr_sub(s->t, s->t, s->mean, MPFR_RNDN);
    mpfr_sqr(s->t, s->t, MPFR_RNDN);
    mpfr_add(s->variance, s->variance, s->t, MPFR_RNDN);
}

static void add_gradient(struct sample *s, int64_t at)
{
    get(s, s->dy, 4, at);
    mpfr_add(s->d, s->d, s->dy, MPFR_RNDN);
    get(s, s->t, 0, at);
    mpfr_sub(s->t, s->t, s->mean, MPFR_RNDN);
    mpfr_mul(s->t, s->t, s->dy, MPFR_RNDN);
    mpfr_add(s->c, s->c, s->t, MPFR_RNDN);
}

static const int64_t epsilon = 1;

static void deviation(struct sample *s)
{
    mpfr_add_si(s->sd, s->variance, epsilon, MPFR_RNDN);
    mpfr_sqrt(s->sd, s->sd, MPFR_RNDN);
}

/* offset + scale (x - mean) / sd */
static void normal(struct sample *s, int64_t f, int64_t at)
{
    get(s, s->t, 0, at);
    mpfr_sub(s->t, s->t, s->mean, MPFR_RNDN);
    mpfr_div(s->t, s->t, s->sd, MPFR_RNDN);
    get(s, s->u, 1, f);
    mpfr_mul(s->t, s->t, s->u, MPFR_RNDN);
    get(s, s->u, 2, f);
    mpfr_add(s->t, s->t, s->u, MPFR_RNDN);
}

/* scale / sd (dy - d / n - c / n / sd^2 (x - mean)) */
static void gradient(struct sample *s, int64_t f, int64_t at, int64_t n)
{
    get(s, s->t, 0, at);
    mpfr_sub(s->t, s->t, s->mean, MPFR_RNDN);
    mpfr_mul(s->t, s->t, s->c, MPFR_RNDN);
    mpfr_div(s->t, s->t, s->sd, MPFR_RNDN);
    mpfr_div(s->t, s->t, s->sd, MPFR_RNDN);
    mpfr_add(s->t, s->t, s->d, MPFR_RNDN);
    mpfr_div_si(s->t, s->t, n, MPFR_RNDN);
    get(s, s->dy, 4, at);
    mpfr_sub(s->t, s->dy, s->t, MPFR_RNDN);
    get(s, s->u, 1, f);
    mpfr_mul(s->t, s->t, s->u, MPFR_RNDN);
    mpfr_div(s->t, s->t, s->sd, MPFR_RNDN);
}

static struct slow_program *run(struct sample *s, const char *op, int count)
{
    struct slow_program *p = slow_program_new(&arena, op);
    struct literal *e = slow_program_literal(&arena, "f32[]", 1, &epsilon);
    for (int i = 0; i < count; i++)
        slow_program_operand(p, s->operand[i]);
    slow_program_int(p, ATTRIBUTE_FEATURE_INDEX, s->feature);
    p->attributes[p->attribute_count++] = (struct attribute){
        .name = ATTRIBUTE_EPSILON, .form = SPEC_NUMBER, .literal = e};
    OK(slow_program_run(p), "%s: %s", op, p->status.text);
    return p;
}

static void fill(struct sample *s, uint64_t seed)
{
    const char *whole =
        shape_text(&arena, shape_array(&arena, DT_f64, s->rank, s->dims));
    const char *vector =
        arena_printf(&arena, "f64[%d]", (int)s->dims[s->feature]);
    for (int i = 0; i < 5; i++)
        s->operand[i] =
            slow_program_random(&arena, i == 0 || i == 4 ? whole : vector,
                                seed + (uint64_t)i, i == 3 ? 0 : -9, 9);
}

static void check_training(struct sample *s)
{
    struct slow_program *p = run(s, "BatchNormTraining", 3);
    struct literal *const *out = slow_program_value(p)->elements;
    int64_t wrong = 0, index[4] = {0}, at = 0;
    for (int64_t f = 0; f < s->dims[s->feature]; f++) {
        mpfr_set_zero(s->mean, 1);
        mpfr_set_zero(s->variance, 1);
        int64_t n = each(s, f, add_mean);
        mpfr_div_si(s->mean, s->mean, n, MPFR_RNDN);
        each(s, f, add_variance);
        mpfr_div_si(s->variance, s->variance, n, MPFR_RNDN);
        deviation(s);
        wrong += !same(out[1], f, s->mean) + !same(out[2], f, s->variance);
        at = 0;
        do {
            if (index[s->feature] == f) {
                normal(s, f, at);
                wrong += !same(out[0], at, s->t);
            }
            at++;
        } while (shape_next_index(s->rank, s->dims, index));
    }
    EQ_INT(wrong, 0, "BatchNormTraining: wrong elements");
}

/* Mean and variance are operands: 3 and, for the gradient, 2 and 3. */
static void check_given(struct sample *s, bool grad)
{
    struct slow_program *p =
        run(s, grad ? "BatchNormGrad" : "BatchNormInference", 5);
    const struct literal *v = slow_program_value(p);
    int64_t wrong = 0, index[4] = {0}, at;
    for (int64_t f = 0; f < s->dims[s->feature]; f++) {
        get(s, s->mean, grad ? 2 : 3, f);
        get(s, s->variance, grad ? 3 : 4, f);
        deviation(s);
        mpfr_set_zero(s->d, 1);
        mpfr_set_zero(s->c, 1);
        int64_t n = each(s, f, grad ? add_gradient : NULL);
        if (grad) {
            wrong += !same(v->elements[2], f, s->d);
            mpfr_div(s->t, s->c, s->sd, MPFR_RNDN);
            wrong += !same(v->elements[1], f, s->t);
        }
        at = 0;
        do {
            if (index[s->feature] == f) {
                if (grad)
                    gradient(s, f, at, n);
                else
                    normal(s, f, at);
                wrong += !same(grad ? v->elements[0] : v, at, s->t);
            }
            at++;
        } while (shape_next_index(s->rank, s->dims, index));
    }
    EQ_INT(wrong, 0, "%s: wrong elements", p->op->name);
}

int main(void)
{
    struct sample s = {0};
    int rounds = getenv("ASSAY_LONG") ? 500 : 20;
    mpfr_inits2(BITS, s.mean, s.variance, s.sd, s.d, s.c, s.dy, s.t, s.u,
                (mpfr_ptr)0);
    for (int k = 0; k < rounds; k++) {
        s.rank = 1 + k % 4;
        s.feature = (k / 4) % s.rank;
        for (int d = 0; d < s.rank; d++)
            s.dims[d] = 1 + (k + 2 * d) % 5;
        fill(&s, (uint64_t)k * 10);
        check_training(&s);
        check_given(&s, true);
        /* The variance of an inference is operand 4, a vector. */
        struct literal *dy = s.operand[4];
        s.operand[4] = s.operand[3];
        s.operand[3] = s.operand[2];
        check_given(&s, false);
        s.operand[4] = dy;
    }
    mpfr_clears(s.mean, s.variance, s.sd, s.d, s.c, s.dy, s.t, s.u,
                (mpfr_ptr)0);
    mpfr_free_cache();
    arena_free(&arena);
    return tap_done();
}
