/* binary.c - element-wise operations of two operands.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

/* ---- Integers, as 64 bits; what is stored is cut off --------------------- */

#define INTEGER(name, expression) \
    static uint64_t name(uint64_t a, uint64_t b, const struct type *t) \
    { \
        (void)t; \
        return (expression); \
    }

static int is_signed(const struct type *t)
{
    return t->class == SINT;
}

static int less(uint64_t a, uint64_t b, const struct type *t)
{
    return is_signed(t) ? (int64_t)a < (int64_t)b : a < b;
}

INTEGER(int_add, a + b)
INTEGER(int_sub, a - b)
INTEGER(int_mul, a *b)
INTEGER(int_and, a &b)
INTEGER(int_or, a | b)
INTEGER(int_xor, a ^ b)
INTEGER(int_max, less(a, b, t) ? b : a)
INTEGER(int_min, less(b, a, t) ? b : a)

/* x / 0 is all ones; the most negative number over -1 is itself. */
static uint64_t int_div(uint64_t a, uint64_t b, const struct type *t)
{
    if (b == 0)
        return UINT64_MAX;
    if (!is_signed(t))
        return a / b;
    return b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

static uint64_t int_rem(uint64_t a, uint64_t b, const struct type *t)
{
    if (b == 0)
        return a;
    if (!is_signed(t))
        return a % b;
    return b == UINT64_MAX ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static uint64_t int_pow(uint64_t a, uint64_t b, const struct type *t)
{
    uint64_t y = 1;
    if (is_signed(t) && (int64_t)b < 0) { /* 1 / a^-b, cut off */
        if (a == UINT64_MAX)
            return b & 1 ? a : 1;
        return a == 1;
    }
    for (; b != 0; b >>= 1, a *= a)
        if (b & 1)
            y *= a;
    return y;
}

/* The amount is taken as unsigned. */
static uint64_t amount(uint64_t b, const struct type *t)
{
    return t->bits == 64 ? b : b & ((UINT64_C(1) << t->bits) - 1);
}

static uint64_t int_shl(uint64_t a, uint64_t b, const struct type *t)
{
    b = amount(b, t);
    return b >= (uint64_t)t->bits ? 0 : a << b;
}

static uint64_t int_shr(uint64_t a, uint64_t b, const struct type *t)
{
    b = amount(b, t);
    return b >= (uint64_t)t->bits ? 0 : amount(a, t) >> b;
}

static uint64_t int_sar(uint64_t a, uint64_t b, const struct type *t)
{
    b = amount(b, t);
    a = amount(a, t);
    uint64_t sign = a >> (t->bits - 1) & 1;
    if (b >= (uint64_t)t->bits)
        return 0 - sign;
    return a >> b | (sign && b > 0 ? UINT64_MAX << ((uint64_t)t->bits - b) : 0);
}

/* ---- Floats -------------------------------------------------------------- */

#define FLOATS(name, expression) \
    static float f32_##name(float a, float b) \
    { \
        return (expression); \
    } \
    static double f64_##name(double a, double b) \
    { \
        return (expression); \
    }

FLOATS(add, a + b)
FLOATS(sub, a - b)
FLOATS(mul, a *b)
FLOATS(div, a / b)
/* IEEE 754-2019 maximum and minimum: NaN wins, and -0 is less than +0. */
FLOATS(max, a != a || b != b ? a + b
            : a == b         ? (signbit(a) ? b : a)
                             : (a > b ? a : b))
FLOATS(min, a != a || b != b ? a + b
            : a == b         ? (signbit(a) ? a : b)
                             : (a < b ? a : b))

#define GAMMA(name) \
    static float f32_##name(float a, float b) \
    { \
        return (float)gamma_##name((long double)a, (long double)b); \
    } \
    static double f64_##name(double a, double b) \
    { \
        return (double)gamma_##name((long double)a, (long double)b); \
    }

GAMMA(zeta)
GAMMA(polygamma)

/* The last 24 bits of a number of f32 are a multiple of its unit, which is 2 to
 * its exponent field, or to 1 if that is 0, and a constant. */
static uint64_t significand_of(uint32_t bits)
{
    uint32_t field = bits >> 23;
    return field == 0 ? bits : (bits & 0x7fffff) | 0x800000;
}

static int exponent_of(uint32_t bits)
{
    uint32_t field = bits >> 23;
    return field == 0 ? 1 : (int)field;
}

static uint32_t magnitude_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits & 0x7fffffff;
}

/* Exactly, as fmodf, which finds one bit of the quotient after another: a 2^k
 * modulo b, 40 bits at a time, as b has 24. */
static float f32_rem(float x, float y)
{
    uint32_t above = magnitude_of(x), below = magnitude_of(y);
    if (above >= 0x7f800000 || below > 0x7f800000 || below == 0)
        return fmodf(x, y);
    if (above < below)
        return x;
    uint64_t b = significand_of(below), rest = significand_of(above) % b;
    int exponent = exponent_of(below);
    for (int k = exponent_of(above) - exponent; k > 0 && rest != 0; k -= 40)
        rest = (rest << (k < 40 ? k : 40)) % b;
    float r = (float)ldexp((double)rest, exponent - 150);
    return signbit(x) ? -r : r;
}

/* ---- Complex numbers ----------------------------------------------------- */

#define COMPLEXES(name, expression) \
    static float complex c64_##name(float complex a, float complex b) \
    { \
        return (expression); \
    } \
    static double complex c128_##name(double complex a, double complex b) \
    { \
        return (expression); \
    }

/* One that is computed in doubles. */
#define NARROWED(name) \
    static float complex c64_##name(float complex a, float complex b) \
    { \
        return (float complex)c128_##name(a, b); \
    }

COMPLEXES(add, a + b)
COMPLEXES(sub, a - b)

/* Real parts first, of which zeros are equal, then imaginary parts. */
static int c128_less(double complex a, double complex b)
{
    if (creal(a) != creal(b))
        return creal(a) < creal(b);
    return cimag(a) < cimag(b);
}

static int has_nan(double complex z)
{
    return isnan(creal(z)) || isnan(cimag(z));
}

static double complex c128_max(double complex a, double complex b)
{
    if (has_nan(a) || has_nan(b))
        return type_pair((double)NAN, (double)NAN);
    return c128_less(a, b) ? b : a;
}

static double complex c128_min(double complex a, double complex b)
{
    if (has_nan(a) || has_nan(b))
        return type_pair((double)NAN, (double)NAN);
    return c128_less(b, a) ? b : a;
}

NARROWED(max)
NARROWED(min)

/* In a wider type, so that an intermediate product neither overflows nor
 * cancels where the result does not. */
static double complex c128_mul(double complex a, double complex b)
{
    return (double complex)((long double complex)a * (long double complex)b);
}

static double complex c128_div(double complex a, double complex b)
{
    return (double complex)((long double complex)a / (long double complex)b);
}

static float complex c64_mul(float complex a, float complex b)
{
    return (float complex)((double complex)a * (double complex)b);
}

static float complex c64_div(float complex a, float complex b)
{
    return (float complex)((double complex)a / (double complex)b);
}

static double complex c128_pow(double complex a, double complex b)
{
    if (creal(b) == 0 && cimag(b) == 0)
        return 1;
    if (creal(a) == 0 && cimag(a) == 0 && cimag(b) == 0 && creal(b) > 0)
        return 0;
    return (double complex)cpowl(a, b);
}

NARROWED(pow)

/* -i log((x + iy) / sqrt(x^2 + y^2)) */
static double complex c128_atan2(double complex y, double complex x)
{
    double complex iy = type_pair(-cimag(y), creal(y));
    double complex l = clog((x + iy) / csqrt(x * x + y * y));
    return type_pair(cimag(l), -creal(l));
}

NARROWED(atan2)

/* ---- The table ----------------------------------------------------------- */

#define FLOAT(name)   f32_##name, f64_##name
#define COMPLEX(name) c64_##name, c128_##name
#define LIBM(name)    name##f, name
#define NO            NULL, NULL

static const struct binary table[] = {
    {"Add", int_or, int_add, FLOAT(add), COMPLEX(add)},
    {"Sub", NULL, int_sub, FLOAT(sub), COMPLEX(sub)},
    {"Mul", int_and, int_mul, FLOAT(mul), COMPLEX(mul)},
    {"Div", NULL, int_div, FLOAT(div), COMPLEX(div)},
    {"Rem", NULL, int_rem, f32_rem, fmod, NO},
    {"Pow", NULL, int_pow, LIBM(pow), COMPLEX(pow)},
    {"Max", int_or, int_max, FLOAT(max), COMPLEX(max)},
    {"Min", int_and, int_min, FLOAT(min), COMPLEX(min)},
    {"And", int_and, int_and, NO, NO},
    {"Or", int_or, int_or, NO, NO},
    {"Xor", int_xor, int_xor, NO, NO},
    {"ShiftLeft", NULL, int_shl, NO, NO},
    {"ShiftRightArithmetic", NULL, int_sar, NO, NO},
    {"ShiftRightLogical", NULL, int_shr, NO, NO},
    {"Zeta", NULL, NULL, FLOAT(zeta), NO},
    {"Polygamma", NULL, NULL, FLOAT(polygamma), NO},
    {"Atan2", NULL, NULL, LIBM(atan2), COMPLEX(atan2)},
};

#undef FLOAT
#undef COMPLEX

const struct binary *binary_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

int binary_has(const struct binary *b, const struct type *t)
{
    switch (t->class) {
    case PRED:
        return b->pred != NULL;
    case SINT:
    case UINT:
        return b->integer != NULL;
    case FLOAT:
        return b->f32 != NULL;
    case COMPLEX:
    default:
        return b->c64 != NULL;
    }
}

void binary_apply(const struct binary *b, const struct type *t, void *out,
                  int64_t o, struct element x, struct element y)
{
    switch (t->class) {
    case PRED:
        type_set_int(
            t, out, o,
            b->pred(type_int(t, x.data, x.at), type_int(t, y.data, y.at), t));
        break;
    case SINT:
    case UINT:
        type_set_int(t, out, o,
                     b->integer(type_int(t, x.data, x.at),
                                type_int(t, y.data, y.at), t));
        break;
    case FLOAT:
        type_set_double(t, out, o,
                        t->bits == 64 ? b->f64(type_double(t, x.data, x.at),
                                               type_double(t, y.data, y.at))
                                      : (double)b->f32(
                                          (float)type_double(t, x.data, x.at),
                                          (float)type_double(t, y.data, y.at)));
        break;
    case COMPLEX:
    default:
        type_set_number(t, out, o,
                        t->bits == 128
                            ? b->c128(type_number(t, x.data, x.at),
                                      type_number(t, y.data, y.at))
                            : (double complex)b->c64(
                                (float complex)type_number(t, x.data, x.at),
                                (float complex)type_number(t, y.data, y.at)));
        break;
    }
}

/* ---- Broadcasting -------------------------------------------------------- */

int binary_place(const struct node *n, int rank, int low, int i)
{
    const struct attribute *a = attribute_find(n, "broadcast_dimensions");
    if (rank == low)
        return i;
    if (a != NULL && a->count > i)
        return (int)a->ints[i];
    return rank - low + i; /* NumPy's rule */
}

static assay_code check_dimensions(struct check *c, int rank, int low)
{
    const struct attribute *a = attribute_find(c->node, "broadcast_dimensions");
    int64_t count = a != NULL ? a->count : 0;
    if (strcmp(attribute_string(c->node, "broadcasting"), "numpy") == 0) {
        if (count != 0)
            return program_fail(
                c, ASSAY_ATTRIBUTE,
                "broadcast_dimensions cannot be combined with numpy");
        return ASSAY_OK;
    }
    if (count == 0 && (rank == low || low == 0))
        return ASSAY_OK;
    if (count == 0)
        return program_fail(c, ASSAY_SHAPE,
                            "ranks %d and %d without broadcast_dimensions",
                            rank, low);
    if (count != low)
        return program_fail(c, ASSAY_ATTRIBUTE,
                            "%d broadcast_dimensions for rank %d", (int)count,
                            low);
    for (int i = 0; i < low; i++) {
        int64_t d = a->ints[i];
        if (d < 0 || d >= rank || (i > 0 && d <= a->ints[i - 1])
            || (rank == low && d != i))
            return program_fail(c, ASSAY_ATTRIBUTE,
                                "broadcast_dimensions[%d] is %lld", i,
                                (long long)d);
    }
    return ASSAY_OK;
}

assay_code binary_broadcast(struct check *c, const struct type *result)
{
    const struct shape *x = c->operands[0], *y = c->operands[1];
    const struct shape *high = x->rank >= y->rank ? x : y;
    const struct shape *low = high == x ? y : x;
    TRY(check_dimensions(c, high->rank, low->rank));
    int64_t dims[RANK_MAX];
    for (int i = 0; i < high->rank; i++)
        dims[i] = high->dims[i];
    for (int i = 0; i < low->rank; i++) {
        int64_t *d = &dims[binary_place(c->node, high->rank, low->rank, i)];
        if (*d != low->dims[i] && *d != 1 && low->dims[i] != 1)
            return program_fail(c, ASSAY_SHAPE,
                                "sizes %lld and %lld do not fit", (long long)*d,
                                (long long)low->dims[i]);
        if (*d == 1)
            *d = low->dims[i];
    }
    c->result = shape_new(c->memory, result, high->rank, dims);
    return ASSAY_OK;
}

void binary_walk(struct binary_walk *w, const struct run *r,
                 const struct shape *result)
{
    int64_t steps[RANK_MAX];
    memset(w, 0, sizeof *w);
    w->rank = result->rank;
    w->dims = result->dims;
    for (int k = 0; k < 2; k++) {
        const struct shape *s = r->operands[k]->shape;
        shape_steps(s, steps);
        for (int i = 0; i < s->rank; i++)
            if (s->dims[i] != 1)
                w->step[k][binary_place(r->node, w->rank, s->rank, i)] =
                    steps[i];
    }
}

int binary_next(struct binary_walk *w)
{
    for (int i = w->rank - 1; i >= 0; i--) {
        w->at[0] += w->step[0][i];
        w->at[1] += w->step[1][i];
        if (++w->index[i] < w->dims[i])
            return 1;
        w->at[0] -= w->step[0][i] * w->dims[i];
        w->at[1] -= w->step[1][i] * w->dims[i];
        w->index[i] = 0;
    }
    return 0;
}

/* ---- The operations ------------------------------------------------------ */

assay_code binary_types(struct check *c)
{
    TRY(program_arrays(c));
    if (c->operands[0]->type != c->operands[1]->type)
        return program_fail(c, ASSAY_TYPE, "types %s and %s",
                            c->operands[0]->type->name,
                            c->operands[1]->type->name);
    return ASSAY_OK;
}

assay_code binary_check(struct check *c)
{
    TRY(binary_types(c));
    const struct type *t = c->operands[0]->type;
    if (!binary_has(binary_find(c->node->op->name), t))
        return program_fail(c, ASSAY_TYPE, "not defined for %s", t->name);
    return binary_broadcast(c, t);
}

/* Of one shape: nothing is broadcast. */
assay_code binary_check_equal(struct check *c)
{
    TRY(binary_check(c));
    if (!shape_equal(c->operands[0], c->operands[1]))
        return program_fail(c, ASSAY_SHAPE, "the operands differ in shape");
    return ASSAY_OK;
}

assay_code binary_run(struct run *r)
{
    const struct binary *b = binary_find(r->node->op->name);
    const struct value *x = r->operands[0], *y = r->operands[1];
    struct value *out = machine_result(r);
    int64_t n = shape_count(out->shape);
    struct binary_walk w;
    binary_walk(&w, r, out->shape);
    for (int64_t i = 0; i < n; i++, binary_next(&w))
        binary_apply(b, out->shape->type, out->data, i,
                     (struct element){x->data, w.at[0]},
                     (struct element){y->data, w.at[1]});
    return ASSAY_OK;
}

assay_code binary_check_complex(struct check *c)
{
    TRY(binary_types(c));
    const struct type *t = c->operands[0]->type;
    if (t->class != FLOAT || t->bits < 32)
        return program_fail(c, ASSAY_TYPE, "not defined for %s", t->name);
    return binary_broadcast(c, type_complex(t));
}

assay_code binary_run_complex(struct run *r)
{
    struct value *out = machine_result(r);
    int64_t n = shape_count(out->shape);
    size_t size = (size_t)out->shape->type->bytes / 2;
    struct binary_walk w;
    binary_walk(&w, r, out->shape);
    for (int64_t i = 0; i < n; i++, binary_next(&w))
        for (int k = 0; k < 2; k++)
            memcpy(out->data + (size_t)(2 * i + k) * size,
                   r->operands[k]->data + (size_t)w.at[k] * size, size);
    return ASSAY_OK;
}
