/* types.c - element types: reading and writing one element.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <string.h>

#include "native.h"

static const struct type table[] = {
    {"pred", PRED, 1, 1, 0, 0},
    {"s2", SINT, 2, 1, 0, 0},
    {"s4", SINT, 4, 1, 0, 0},
    {"s8", SINT, 8, 1, 0, 0},
    {"s16", SINT, 16, 2, 0, 0},
    {"s32", SINT, 32, 4, 0, 0},
    {"s64", SINT, 64, 8, 0, 0},
    {"u2", UINT, 2, 1, 0, 0},
    {"u4", UINT, 4, 1, 0, 0},
    {"u8", UINT, 8, 1, 0, 0},
    {"u16", UINT, 16, 2, 0, 0},
    {"u32", UINT, 32, 4, 0, 0},
    {"u64", UINT, 64, 8, 0, 0},
    {"f16", FLOAT, 16, 2, 11, -14},
    {"bf16", FLOAT, 16, 2, 8, -126},
    {"f32", FLOAT, 32, 4, 24, -126},
    {"f64", FLOAT, 64, 8, 53, -1022},
    {"c64", COMPLEX, 64, 8, 24, -126},
    {"c128", COMPLEX, 128, 16, 53, -1022},
};

const struct type *type_find(const char *name)
{
    for (size_t i = 0; name != NULL && i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

const struct type *type_part(const struct type *t)
{
    if (t->class != COMPLEX)
        return t;
    return type_find(t->bits == 64 ? "f32" : "f64");
}

const struct type *type_complex(const struct type *part)
{
    return type_find(part->bits == 32 ? "c64" : "c128");
}

const struct type *type_wide(const struct type *t)
{
    return t->class == FLOAT && t->bits < 32 ? type_find("f32") : t;
}

int type_is_integer(const struct type *t)
{
    return t->class == SINT || t->class == UINT;
}

static uint64_t load(const void *data, int64_t i, int bytes)
{
    uint64_t x = 0; /* the ABI's data are little-endian, and so are we */
    memcpy(&x, (const char *)data + i * bytes, (size_t)bytes);
    return x;
}

static void store(void *data, int64_t i, int bytes, uint64_t x)
{
    memcpy((char *)data + i * bytes, &x, (size_t)bytes);
}

uint64_t type_int(const struct type *t, const void *data, int64_t i)
{
    uint64_t x = load(data, i, t->bytes);
    if (t->bits == 64)
        return x;
    uint64_t sign = UINT64_C(1) << (t->bits - 1);
    x &= 2 * sign - 1;
    return t->class == SINT ? (x ^ sign) - sign : x;
}

void type_set_int(const struct type *t, void *data, int64_t i, uint64_t x)
{
    if (t->bits < 64)
        x &= (UINT64_C(1) << t->bits) - 1;
    store(data, i, t->bytes, x);
}

/* f16 and bf16: sign, exponent, fraction. */
static double narrow(const struct type *t, uint64_t x)
{
    int fraction_bits = t->precision - 1;
    uint64_t fraction = x & ((UINT64_C(1) << fraction_bits) - 1);
    int top = (1 << (15 - fraction_bits)) - 1;
    int e = (int)(x >> fraction_bits) & top;
    double y;
    if (e == top)
        y = fraction ? (double)NAN : (double)INFINITY;
    else if (e == 0)
        y = ldexp((double)fraction, t->emin - fraction_bits);
    else
        y = ldexp((double)(fraction + (UINT64_C(1) << fraction_bits)),
                  e - 1 + t->emin - fraction_bits);
    return x >> 15 ? -y : y;
}

static uint64_t narrowed(const struct type *t, double x)
{
    int fraction_bits = t->precision - 1;
    uint64_t top = (UINT64_C(1) << (15 - fraction_bits)) - 1;
    uint64_t sign = signbit(x) ? UINT64_C(1) << 15 : 0;
    if (isnan(x))
        return sign | top << fraction_bits | UINT64_C(1) << (fraction_bits - 1);
    x = fabs(type_round(x, t->precision, t->emin));
    int e;
    double m = frexp(x, &e); /* x = m * 2^e, 1/2 <= m < 1 */
    if (isinf(x) || e - 1 > 1 - t->emin)
        return sign | top << fraction_bits;
    if (x == 0 || e - 1 < t->emin)
        return sign | (uint64_t)ldexp(x, fraction_bits - t->emin);
    return sign | (uint64_t)(e - t->emin) << fraction_bits
           | ((uint64_t)ldexp(m, t->precision)
              - (UINT64_C(1) << fraction_bits));
}

double type_double(const struct type *t, const void *data, int64_t i)
{
    float f;
    double d;
    switch (t->bits) {
    case 32:
        memcpy(&f, (const char *)data + 4 * i, 4);
        return f;
    case 64:
        memcpy(&d, (const char *)data + 8 * i, 8);
        return d;
    default:
        return narrow(t, load(data, i, 2));
    }
}

void type_set_double(const struct type *t, void *data, int64_t i, double x)
{
    float f = (float)x;
    switch (t->bits) {
    case 32:
        memcpy((char *)data + 4 * i, &f, 4);
        break;
    case 64:
        memcpy((char *)data + 8 * i, &x, 8);
        break;
    default:
        store(data, i, 2, narrowed(t, x));
        break;
    }
}

/* C99 lays a complex number out as an array of its two parts. */
double complex type_pair(double re, double im)
{
    double parts[2];
    double complex z;
    parts[0] = re;
    parts[1] = im;
    memcpy(&z, parts, sizeof z);
    return z;
}

float complex type_pairf(float re, float im)
{
    float parts[2];
    float complex z;
    parts[0] = re;
    parts[1] = im;
    memcpy(&z, parts, sizeof z);
    return z;
}

double complex type_number(const struct type *t, const void *data, int64_t i)
{
    const struct type *part = type_part(t);
    return type_pair(type_double(part, data, 2 * i),
                     type_double(part, data, 2 * i + 1));
}

void type_set_number(const struct type *t, void *data, int64_t i,
                     double complex z)
{
    const struct type *part = type_part(t);
    type_set_double(part, data, 2 * i, creal(z));
    type_set_double(part, data, 2 * i + 1, cimag(z));
}

double type_round(double x, int precision, int emin)
{
    if (x == 0 || !isfinite(x))
        return x;
    int e = ilogb(x);
    int quantum = (e < emin ? emin : e) - precision + 1;
    return scalbn(rint(scalbn(x, -quantum)), quantum);
}
