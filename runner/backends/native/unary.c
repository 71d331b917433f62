/* unary.c - element-wise operations of one operand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

/* ---- Integers ------------------------------------------------------------ */

#define INTEGER(name, expression) \
    static uint64_t name(uint64_t x, const struct type *t) \
    { \
        (void)t; \
        return (expression); \
    }

INTEGER(pred_not, !x)
INTEGER(int_not, ~x)
INTEGER(int_neg, 0 - x)
INTEGER(int_sign, x == 0 ? 0 : (int64_t)x < 0 ? UINT64_MAX : 1)

static uint64_t int_abs(uint64_t x, const struct type *t)
{
    return t->class == SINT && (int64_t)x < 0 ? 0 - x : x;
}

static uint64_t int_popcount(uint64_t x, const struct type *t)
{
    uint64_t n = 0;
    for (int i = 0; i < t->bits; i++)
        n += x >> i & 1;
    return n;
}

static uint64_t int_clz(uint64_t x, const struct type *t)
{
    uint64_t n = 0;
    for (int i = t->bits - 1; i >= 0 && !(x >> i & 1); i--)
        n++;
    return n;
}

/* ---- Floats -------------------------------------------------------------- */

#define FLOATS(name, expression) \
    static float f32_##name(float x) \
    { \
        return (expression); \
    } \
    static double f64_##name(double x) \
    { \
        return (expression); \
    }

/* One that is computed as a double. */
#define NARROWED(name) \
    static float f32_##name(float x) \
    { \
        return (float)f64_##name((double)x); \
    }

FLOATS(neg, -x)
FLOATS(sign, x > 0 ? 1 : x < 0 ? -1 : x)

static double f64_rsqrt(double x)
{
    return (double)(1.0L / sqrtl((long double)x));
}

static float f32_rsqrt(float x)
{
    return (float)(1.0 / sqrt((double)x));
}

/* exp(-x) overflows long before 1 / (1 + exp(-x)) underflows. */
static double f64_logistic(double x)
{
    if (x >= 0)
        return 1.0 / (1.0 + exp(-x));
    double e = exp(x);
    return e / (1.0 + e);
}

NARROWED(logistic)

static double f64_lgamma(double x)
{
    return (double)lgammal((long double)x);
}

static float f32_lgamma(float x)
{
    return (float)lgamma((double)x);
}

/* How far erf(y) is from x: a difference of erfc where both are close to 1, as
 * 1 - x is exact for x from 1/2 on. */
static long double erf_from(long double y, long double x)
{
    return x < 0.5L ? erfl(y) - x : (1 - x) - erfcl(y);
}

enum {
    HALLEY_STEPS = 4 /* the first value is within 1 % */
};

/* For x from 0 to 1.  The first value is Winitzki's; then Halley's method: the
 * second derivative of erf is its first, times -2 y. */
static long double erf_inv(long double x)
{
    const long double pi = 3.14159265358979323846L, a = 0.147L;
    long double log = log1pl(-x * x), b = 2 / (pi * a) + log / 2;
    long double y = sqrtl(sqrtl(b * b - log / a) - b);
    if (x < 0x1p-20L)
        y = x * sqrtl(pi) / 2;
    for (int i = 0; i < HALLEY_STEPS; i++) {
        long double step = erf_from(y, x) * sqrtl(pi) / 2 * expl(y * y);
        y -= step / (1 + y * step);
    }
    return y;
}

static double f64_erf_inv(double x)
{
    if (isnan(x) || x == 0)
        return x;
    if (fabs(x) >= 1)
        return fabs(x) > 1 ? (double)NAN : copysign((double)INFINITY, x);
    return copysign((double)erf_inv(fabsl((long double)x)), x);
}

NARROWED(erf_inv)

enum {
    BESSEL_FAR = 40 /* where the expansion is exact to e^-80 */
};

/* e^-x I1(x) for x > 0: x/2 sum (x^2/4)^k / (k! (k+1)!), or, for large x, the
 * sum of (-1)^k a_k / x^k by the root of 2 pi x (DLMF 10.25.2, 10.40.1). */
static long double bessel_i1e(long double x)
{
    const long double pi = 3.14159265358979323846L;
    int far = x >= BESSEL_FAR;
    long double term = far ? 1 : x / 2, sum = term, square = x * x / 4;
    for (long double k = 1; fabsl(term) > sum * 0x1p-70L; k++) {
        long double odd = 2 * k - 1;
        term *= far ? (odd * odd - 4) / (8 * k * x) : square / (k * (k + 1));
        sum += term;
    }
    return far ? sum / sqrtl(2 * pi * x) : sum * expl(-x);
}

static double f64_bessel_i1e(double x)
{
    if (isnan(x) || x == 0)
        return x;
    return isinf(x) ? copysign(0, x)
                    : copysign((double)bessel_i1e(fabsl((long double)x)), x);
}

NARROWED(bessel_i1e)

static double f64_digamma(double x)
{
    return (double)gamma_digamma((long double)x);
}

static float f32_digamma(float x)
{
    return (float)gamma_digamma((long double)x);
}

/* ---- Complex numbers ----------------------------------------------------- */

static double complex c128_neg(double complex z)
{
    return type_pair(-creal(z), -cimag(z));
}

static double complex c128_sign(double complex z)
{
    long double r = cabsl(z);
    if (isnan(creal(z)) || isnan(cimag(z)))
        return type_pair((double)NAN, (double)NAN);
    if (r == 0)
        return z;
    return type_pair((double)(creal(z) / r), (double)(cimag(z) / r));
}

static double complex c128_rsqrt(double complex z)
{
    return 1.0 / csqrt(z);
}

static double complex c128_cbrt(double complex z)
{
    long double r = cbrtl(cabsl(z)), angle = cargl(z) / 3;
    return type_pair((double)(r * cosl(angle)), (double)(r * sinl(angle)));
}

/* Without cancellation near 0: exp(a) cos(b) - 1 is
 * expm1(a) cos(b) - 2 sin(b/2)^2. */
static double complex c128_expm1(double complex z)
{
    double a = creal(z), b = cimag(z), s = sin(b / 2);
    if (b == 0)
        return type_pair(expm1(a), b);
    if (!isfinite(a) || !isfinite(b)) {
        double complex e = cexp(z);
        return type_pair(creal(e) - 1, cimag(e));
    }
    return type_pair(expm1(a) * cos(b) - 2 * s * s, exp(a) * sin(b));
}

/* |1 + z|^2 is 1 + a (2 + a) + b^2. */
static double complex c128_log1p(double complex z)
{
    double a = creal(z), b = cimag(z);
    if (fabs(a) < 0.5 && fabs(b) < 0.5)
        return type_pair(0.5 * log1p(a * (2 + a) + b * b), atan2(b, 1 + a));
    return clog(type_pair(1 + a, b));
}

static double complex c128_logistic(double complex z)
{
    if (creal(z) >= 0)
        return 1.0 / (1.0 + cexp(-z));
    double complex e = cexp(z);
    return e / (1.0 + e);
}

/* ---- The table ----------------------------------------------------------- */

struct unary {
    const char *name;
    uint64_t (*pred)(uint64_t x, const struct type *t);
    uint64_t (*integer)(uint64_t x, const struct type *t);
    float (*f32)(float x);
    double (*f64)(double x);
    float complex (*c64)(float complex z);
    double complex (*c128)(double complex z); /* serves c64 if c64 is NULL */
};

static const struct unary table[] = {
    {"Abs", NULL, int_abs, fabsf, fabs, NULL, NULL},
    {"Neg", NULL, int_neg, f32_neg, f64_neg, NULL, c128_neg},
    {"Sign", NULL, int_sign, f32_sign, f64_sign, NULL, c128_sign},
    {"Not", pred_not, int_not, NULL, NULL, NULL, NULL},
    {"Clz", NULL, int_clz, NULL, NULL, NULL, NULL},
    {"PopulationCount", NULL, int_popcount, NULL, NULL, NULL, NULL},
    {"Ceil", NULL, NULL, ceilf, ceil, NULL, NULL},
    {"Floor", NULL, NULL, floorf, floor, NULL, NULL},
    {"Round", NULL, NULL, roundf, round, NULL, NULL},
    {"RoundNearestEven", NULL, NULL, rintf, rint, NULL, NULL},
    {"Sqrt", NULL, NULL, sqrtf, sqrt, csqrtf, csqrt},
    {"Rsqrt", NULL, NULL, f32_rsqrt, f64_rsqrt, NULL, c128_rsqrt},
    {"Cbrt", NULL, NULL, cbrtf, cbrt, NULL, c128_cbrt},
    {"Exp", NULL, NULL, expf, exp, cexpf, cexp},
    {"Expm1", NULL, NULL, expm1f, expm1, NULL, c128_expm1},
    {"Log", NULL, NULL, logf, log, clogf, clog},
    {"Log1p", NULL, NULL, log1pf, log1p, NULL, c128_log1p},
    {"Logistic", NULL, NULL, f32_logistic, f64_logistic, NULL, c128_logistic},
    {"Sin", NULL, NULL, sinf, sin, csinf, csin},
    {"Cos", NULL, NULL, cosf, cos, ccosf, ccos},
    {"Tan", NULL, NULL, tanf, tan, ctanf, ctan},
    {"Sinh", NULL, NULL, sinhf, sinh, csinhf, csinh},
    {"Cosh", NULL, NULL, coshf, cosh, ccoshf, ccosh},
    {"Tanh", NULL, NULL, tanhf, tanh, ctanhf, ctanh},
    {"Asin", NULL, NULL, asinf, asin, casinf, casin},
    {"Acos", NULL, NULL, acosf, acos, cacosf, cacos},
    {"Atan", NULL, NULL, atanf, atan, catanf, catan},
    {"Asinh", NULL, NULL, asinhf, asinh, casinhf, casinh},
    {"Acosh", NULL, NULL, acoshf, acosh, cacoshf, cacosh},
    {"Atanh", NULL, NULL, atanhf, atanh, catanhf, catanh},
    {"Erf", NULL, NULL, erff, erf, NULL, NULL},
    {"Erfc", NULL, NULL, erfcf, erfc, NULL, NULL},
    {"ErfInv", NULL, NULL, f32_erf_inv, f64_erf_inv, NULL, NULL},
    {"BesselI1e", NULL, NULL, f32_bessel_i1e, f64_bessel_i1e, NULL, NULL},
    {"Lgamma", NULL, NULL, f32_lgamma, f64_lgamma, NULL, NULL},
    {"Digamma", NULL, NULL, f32_digamma, f64_digamma, NULL, NULL},
};

static const struct unary *unary_named(const char *name)
{
    size_t i = 0;
    while (strcmp(table[i].name, name) != 0)
        i++;
    return &table[i];
}

static int has(const struct unary *u, const struct type *t)
{
    switch (t->class) {
    case PRED:
        return u->pred != NULL;
    case SINT:
    case UINT:
        return u->integer != NULL;
    case FLOAT:
        return u->f32 != NULL;
    case COMPLEX:
    default:
        return u->c128 != NULL;
    }
}

assay_code unary_check_array(struct check *c)
{
    if (c->operands[0]->kind != ASSAY_ARRAY)
        return program_fail(c, ASSAY_TYPE, "the operand is not an array");
    return ASSAY_OK;
}

assay_code unary_check(struct check *c)
{
    const struct shape *s = c->operands[0];
    TRY(unary_check_array(c));
    int is_sign = strcmp(c->node->op->name, "Sign") == 0;
    if (!has(unary_named(c->node->op->name), s->type)
        || (is_sign && s->type->class == UINT))
        return program_fail(c, ASSAY_TYPE, "not defined for %s", s->type->name);
    c->result = s;
    return ASSAY_OK;
}

static void apply(const struct unary *u, const struct type *t, void *out,
                  const void *in, int64_t i)
{
    switch (t->class) {
    case PRED:
        type_set_int(t, out, i, u->pred(type_int(t, in, i), t));
        break;
    case SINT:
    case UINT:
        type_set_int(t, out, i, u->integer(type_int(t, in, i), t));
        break;
    case FLOAT:
        type_set_double(t, out, i,
                        t->bits == 64
                            ? u->f64(type_double(t, in, i))
                            : (double)u->f32((float)type_double(t, in, i)));
        break;
    case COMPLEX:
    default:
        type_set_number(
            t, out, i,
            t->bits == 64 && u->c64 != NULL
                ? (double complex)u->c64((float complex)type_number(t, in, i))
                : u->c128(type_number(t, in, i)));
        break;
    }
}

assay_code unary_run(struct run *r)
{
    const struct value *x = r->operands[0];
    const struct unary *u = unary_named(r->node->op->name);
    int64_t n = shape_count(x->shape);
    struct value *out = machine_result(r);
    for (int64_t i = 0; i < n; i++)
        apply(u, x->shape->type, out->data, x->data, i);
    return ASSAY_OK;
}

/* ---- Results of another type --------------------------------------------- */

/* Abs, Real, Imag: a complex operand gives its parts' type. */
assay_code unary_check_part(struct check *c)
{
    TRY(unary_check_array(c));
    const struct type *t = c->operands[0]->type;
    int is_abs = strcmp(c->node->op->name, "Abs") == 0;
    if (t->class != FLOAT && t->class != COMPLEX
        && !(is_abs && t->class == SINT))
        return program_fail(c, ASSAY_TYPE, "not defined for %s", t->name);
    c->result = shape_retyped(c->memory, c->operands[0], type_part(t));
    return ASSAY_OK;
}

assay_code unary_run_abs(struct run *r)
{
    const struct value *x = r->operands[0];
    const struct type *t = x->shape->type;
    if (t->class != COMPLEX)
        return unary_run(r);
    struct value *out = machine_result(r);
    for (int64_t i = 0; i < shape_count(x->shape); i++)
        type_set_double(type_part(t), out->data, i,
                        cabs(type_number(t, x->data, i)));
    return ASSAY_OK;
}

static assay_code take_part(struct run *r, int part)
{
    const struct value *x = r->operands[0];
    const struct type *t = x->shape->type;
    struct value *out = machine_result(r);
    int64_t n = shape_count(x->shape);
    size_t size = (size_t)out->shape->type->bytes;
    if (t->class != COMPLEX) { /* of a real number: itself, and 0 */
        if (part == 0)
            value_fill(out, x);
        return ASSAY_OK;
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(out->data + (size_t)i * size,
               x->data + (size_t)(2 * i + part) * size, size);
    return ASSAY_OK;
}

assay_code unary_run_real(struct run *r)
{
    return take_part(r, 0);
}

assay_code unary_run_imag(struct run *r)
{
    return take_part(r, 1);
}

assay_code unary_check_is_finite(struct check *c)
{
    TRY(unary_check_array(c));
    if (c->operands[0]->type->class != FLOAT)
        return program_fail(c, ASSAY_TYPE, "not defined for %s",
                            c->operands[0]->type->name);
    c->result = shape_retyped(c->memory, c->operands[0], type_find("pred"));
    return ASSAY_OK;
}

assay_code unary_run_is_finite(struct run *r)
{
    const struct value *x = r->operands[0];
    struct value *out = machine_result(r);
    for (int64_t i = 0; i < shape_count(x->shape); i++)
        out->data[i] = isfinite(type_double(x->shape->type, x->data, i)) != 0;
    return ASSAY_OK;
}
