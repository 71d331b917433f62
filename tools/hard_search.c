/* hard_search.c - inputs whose results are hard to round.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Usage: hard_search FOLDER SECONDS [OPERATION...]
 *
 * Writes FOLDER/NAME/rounding.json for each elementary function: inputs whose
 * exact result lies very near a midpoint of two numbers of the type, or very
 * near a number of the type, so that only a result that is computed with many
 * more bits is rounded right.  SECONDS are spent on each function and type.
 *
 * f32: patterns in the order of a full-period generator; the C library's
 * double tells which deserve a look, MPFR at 256 bits decides.  f64: random
 * patterns of the function's domain, only MPFR.  Of each exponent of the input
 * only the best of either kind is kept, for else the trivial ones (the sine of
 * a tiny number) would be all that is found.
 */
#include <float.h>
#include <math.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PRECISION = 256,
    BUCKETS = 4096, /* sign and exponent of a double */
    KEEP = 96,      /* of each kind, function and type */
    NEAR = 1 << 9   /* of 2^29: what the double must show */
};

/* Nearer than this is not by chance: the sine of a tiny number. */
static const double TRIVIAL = 0x1p-45;
/* Farther than this, in half ulps, is not hard. */
static const double HARD = 0x1p-15;

struct function {
    const char *name;
    double (*fast)(double);
    int (*exact)(mpfr_t, const mpfr_t, mpfr_rnd_t);
    double low, high; /* exponents of f64 inputs */
    double from, to;  /* the domain */
    /* For two operands; NULL: there is one.  The second is drawn by second. */
    double (*fast2)(double, double);
    int (*exact2)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
    double (*second)(double x, int bits);
};

struct input {
    double x, y;
};

struct hard {
    bool used;
    uint64_t bits[2];
    double distance; /* in half ulps */
};

static uint64_t state = 20240229;

static uint64_t draw(void) /* splitmix64 */
{
    uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static double draw_between(double low, double high)
{
    return low + (double)(draw() >> 11) * 0x1p-53 * (high - low);
}

static double fast_rsqrt(double x)
{
    return 1 / sqrt(x);
}

static double fast_logistic(double x)
{
    return 1 / (1 + exp(-x));
}

static int exact_rsqrt(mpfr_t y, const mpfr_t x, mpfr_rnd_t round)
{
    return mpfr_rec_sqrt(y, x, round);
}

/* 1 / (1 + e^-x) is never a number of a type, except at 0. */
static int exact_logistic(mpfr_t y, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_t t;
    mpfr_init2(t, 2 * PRECISION);
    mpfr_neg(t, x, round);
    mpfr_exp(t, t, round);
    mpfr_add_ui(t, t, 1, round);
    mpfr_ui_div(y, 1, t, round);
    mpfr_clear(t);
    return !mpfr_zero_p(x);
}

/* An exponent for which x to it is a normal number, and not next to 1. */
static double second_of_pow(double x, int bits)
{
    double most = (bits == 32 ? 120 : 1000) / fabs(log2(x));
    double y = draw_between(-most, most);
    if (draw() & 1)
        y = ldexp(y, -(int)(draw() % 8));
    return bits == 32 ? (double)(float)y : y;
}

/* A second operand of a size not far from that of the first. */
static double second_of_atan2(double x, int bits)
{
    double y = ldexp(draw_between(-2, 2) * x, (int)(draw() % 16) - 8);
    return bits == 32 ? (double)(float)y : y;
}

/* NAME, in double, in MPFR, ... */
#define ONE(name, fast, exact, low, high, from, to) \
    { \
        name, fast, exact, low, high, from, to, NULL, NULL, NULL \
    }
#define TWO(name, fast, exact, second, low, high, from, to) \
    { \
        name, NULL, NULL, low, high, from, to, fast, exact, second \
    }

static const struct function functions[] = {
    ONE("Acos", acos, mpfr_acos, -40, 0, -1, 1),
    ONE("Acosh", acosh, mpfr_acosh, 0, 400, 1, INFINITY),
    ONE("Asin", asin, mpfr_asin, -40, 0, -1, 1),
    ONE("Asinh", asinh, mpfr_asinh, -40, 400, -INFINITY, INFINITY),
    ONE("Atan", atan, mpfr_atan, -40, 60, -INFINITY, INFINITY),
    TWO("Atan2", atan2, mpfr_atan2, second_of_atan2, -30, 30, -0x1p30, 0x1p30),
    ONE("Atanh", atanh, mpfr_atanh, -40, 0, -1, 1),
    ONE("Cbrt", cbrt, mpfr_cbrt, -1022, 1023, -INFINITY, INFINITY),
    ONE("Cos", cos, mpfr_cos, -30, 60, -INFINITY, INFINITY),
    ONE("Cosh", cosh, mpfr_cosh, -30, 9, -710, 710),
    ONE("Erf", erf, mpfr_erf, -40, 3, -6, 6),
    ONE("Erfc", erfc, mpfr_erfc, -40, 4, -6, 26),
    ONE("Exp", exp, mpfr_exp, -40, 9, -708, 709),
    ONE("Expm1", expm1, mpfr_expm1, -40, 9, -40, 709),
    ONE("Log", log, mpfr_log, -1022, 1023, 0, INFINITY),
    ONE("Log1p", log1p, mpfr_log1p, -40, 400, -1, INFINITY),
    ONE("Logistic", fast_logistic, exact_logistic, -40, 9, -708, 40),
    TWO("Pow", pow, mpfr_pow, second_of_pow, -30, 30, 0, 0x1p30),
    ONE("Rsqrt", fast_rsqrt, exact_rsqrt, -1022, 1023, 0, INFINITY),
    ONE("Sin", sin, mpfr_sin, -40, 60, -INFINITY, INFINITY),
    ONE("Sinh", sinh, mpfr_sinh, -40, 9, -710, 710),
    ONE("Sqrt", sqrt, mpfr_sqrt, -1022, 1023, 0, INFINITY),
    ONE("Tan", tan, mpfr_tan, -40, 60, -INFINITY, INFINITY),
    ONE("Tanh", tanh, mpfr_tanh, -40, 4, -20, 20),
};

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* How far the result is from the nearest number (kind 0) or midpoint (kind 1),
 * in half ulps; false if it is one exactly, or out of the normal range. */
static bool measure(const struct function *f, struct input in, int bits,
                    double *far, int *kind)
{
    static mpfr_t x, x2, y, near;
    static bool ready;
    if (!ready) {
        mpfr_inits2(PRECISION, x, x2, y, near, (mpfr_ptr)0);
        ready = true;
    }
    mpfr_set_d(x, in.x, MPFR_RNDN);
    mpfr_set_d(x2, in.y, MPFR_RNDN);
    int inexact =
        f->exact2 ? f->exact2(y, x, x2, MPFR_RNDN) : f->exact(y, x, MPFR_RNDN);
    if (!inexact || !mpfr_regular_p(y))
        return false;
    int p = bits == 32 ? 24 : 53, least = bits == 32 ? -125 : -1021;
    int most = bits == 32 ? 128 : 1024;
    if (mpfr_get_exp(y) < least || mpfr_get_exp(y) > most)
        return false;
    mpfr_set_exp(y, p + 1); /* now half ulps are integers */
    mpfr_rint(near, y, MPFR_RNDN);
    mpfr_sub(y, y, near, MPFR_RNDN);
    *far = fabs(mpfr_get_d(y, MPFR_RNDN));
    mpfr_div_2ui(near, near, 1, MPFR_RNDN);
    *kind = !mpfr_integer_p(near);
    return *far > TRIVIAL;
}

static uint64_t to_bits(double x, int bits)
{
    uint64_t u = 0;
    uint32_t half;
    float narrow = (float)x;
    if (bits == 64) {
        memcpy(&u, &x, sizeof u);
        return u;
    }
    memcpy(&half, &narrow, sizeof half);
    return half;
}

static void consider(const struct function *f, struct input in, int bits,
                     struct hard *found)
{
    double far;
    int kind;
    if (!measure(f, in, bits, &far, &kind))
        return;
    uint64_t u = to_bits(in.x, bits);
    /* The exponent and, of a double, two bits more; aliases do no harm. */
    int bucket = (int)(bits == 64 ? (u >> 50) % BUCKETS : u >> 23);
    struct hard *h = &found[kind * BUCKETS + bucket];
    if (!h->used || far < h->distance)
        *h = (struct hard){true, {u, to_bits(in.y, bits)}, far};
}

static void search_32(const struct function *f, double limit,
                      struct hard *found)
{
    double end = seconds() + limit;
    uint32_t u = 1;
    unsigned seen[512] = {0};
    for (uint64_t i = 0; i < UINT64_C(1) << 32; i++) {
        float narrow;
        uint64_t wide;
        if ((i & 0xffff) == 0 && seconds() > end)
            break;
        u = u * UINT32_C(2891336453) + 1;
        memcpy(&narrow, &u, sizeof narrow);
        double x = (double)narrow;
        if (!(x > f->from && x < f->to))
            continue;
        struct input in = {x, f->exact2 ? f->second(x, 32) : 0};
        /* Numbers that are flushed to zero do not concern rounding. */
        if (f->exact2 && (fabs(x) < FLT_MIN || fabs(in.y) < FLT_MIN))
            continue;
        double y = f->exact2 ? f->fast2(x, in.y) : f->fast(x);
        memcpy(&wide, &y, sizeof wide);
        int64_t low = (int64_t)(wide & ((1 << 28) - 1));
        if (low >= NEAR && low <= (1 << 28) - NEAR)
            continue;
        /* Most tiny inputs are near a number: one of each exponent will do. */
        bool middle = ((wide + NEAR) >> 28 & 1) != 0;
        if (!middle && seen[u >> 23]++ > 64)
            continue;
        consider(f, in, 32, found);
    }
}

static void search_64(const struct function *f, double limit,
                      struct hard *found)
{
    double end = seconds() + limit;
    while (seconds() < end)
        for (int i = 0; i < 256; i++) {
            uint64_t r = draw();
            int e = (int)draw_between(f->low, f->high);
            double x = ldexp((double)(r >> 11 | UINT64_C(1) << 52), e - 52);
            if (f->from < 0 && (r & 1))
                x = -x;
            struct input in = {x, f->exact2 ? f->second(x, 64) : 0};
            if (x > f->from && x < f->to)
                consider(f, in, 64, found);
        }
}

static int by_distance(const void *a, const void *b)
{
    const struct hard *l = a, *r = b;
    if (l->used != r->used)
        return r->used - l->used;
    return (l->distance > r->distance) - (l->distance < r->distance);
}

static void write_input(FILE *out, const struct hard *found, int n, int which,
                        int digits)
{
    fprintf(out, "{\"shape\": \"$T[%d]\", \"bits\": [", n);
    for (int i = 0; i < n; i++)
        fprintf(out, "%s%s\"%0*llx\"", i ? "," : "",
                i % (digits == 8 ? 8 : 4) ? " " : "\n        ", digits,
                (unsigned long long)found[i].bits[which]);
    fputs("]}", out);
}

static bool write_case(FILE *out, const struct function *f, const char *id,
                       const char *type, int digits, struct hard *found,
                       bool first)
{
    int n = 0;
    qsort(found, BUCKETS, sizeof *found, by_distance);
    while (n < KEEP && found[n].used && found[n].distance < HARD)
        n++;
    if (n == 0)
        return false;
    int bits_last = 0, bits_first = 0;
    frexp(found[0].distance, &bits_first);
    frexp(found[n - 1].distance, &bits_last);
    fprintf(
        out,
        "%s    {\n      \"id\": \"%s-%s\",\n      \"why\": \"the exact "
        "result is 2^%d to 2^%d ulp from a %s: insufficient precision "
        "rounds it the wrong way\",\n      \"each\": {\"T\": [\"%s\"]},\n      "
        "\"inputs\": [",
        first ? "" : ",\n", id, type, bits_first - 1, bits_last - 1,
        *id == 'm' ? "midpoint" : "representable number", type);
    for (int k = 0; k < (f->exact2 ? 2 : 1); k++) {
        fputs(k > 0 ? ", " : "", out);
        write_input(out, found, n, k, digits);
    }
    fputs("]\n    }", out);
    return true;
}

static bool search(const struct function *f, const char *folder, double limit)
{
    static struct hard found[2][2 * BUCKETS];
    char path[512];
    memset(found, 0, sizeof found);
    search_32(f, limit, found[0]);
    search_64(f, limit, found[1]);
    snprintf(path, sizeof path, "%s/%s/rounding.json", folder, f->name);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return false;
    }
    fprintf(out,
            "{\n  \"format\": \"assay-case/1\",\n  \"op\": \"%s\",\n  "
            "\"generator\": \"tools/hard_search.c\",\n  \"source\": \"found by "
            "tools/hard_search.c with MPFR at %d "
            "bits\",\n  \"cases\": [\n",
            f->name, PRECISION);
    bool first = true;
    for (int t = 0; t < 2; t++)
        for (int kind = 1; kind >= 0; kind--) {
            if (write_case(out, f, kind ? "midpoint" : "number",
                           t ? "f64" : "f32", t ? 16 : 8,
                           &found[t][kind * BUCKETS], first))
                first = false;
        }
    fputs("\n  ]\n}\n", out);
    return fclose(out) == 0;
}

static bool wanted(const char *name, int count, char **names)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return count == 0;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    double limit = argc > 2 ? strtod(argv[2], &end) : 0;
    if (argc < 3 || *end || !(limit > 0)) {
        fputs("Usage: hard_search FOLDER SECONDS [OPERATION...]\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (wanted(functions[i].name, argc - 3, argv + 3)
            && !search(&functions[i], argv[1], limit))
            return 1;
    return 0;
}
