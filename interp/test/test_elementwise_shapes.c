/* test_elementwise_shapes.c - broadcasting, integers, conversions, selection.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Shapes and classes of errors are those of the documents on broadcasting
 * (seeds 000 to 003, and 001 for NumPy's rules); integers are compared with
 * C's own arithmetic; conversions with an independent model (slow_float.c);
 * the rest is computed by hand.
 */
#include <stdio.h>
#include <string.h>

#include "interp/test/slow_float.h"
#include "interp/test/slow_run.h"
#include "interp/test/tap.h"

static struct arena a = ARENA_INIT;

static struct goal *run(const char *op, const char *attributes, int count,
                        struct literal *const *operands, struct status *st)
{
    memset(st, 0, sizeof *st);
    return slow_run(&a, op, attributes, "strict", count, operands, st);
}

static const uint64_t numbers[] = {0, 1, 2,  3,  4,  5,  6,  7,
                                   8, 9, 10, 11, 12, 13, 14, 15};

static struct literal *iota(const char *shape)
{
    return slow_run_array(&a, shape, 16, numbers);
}

/* ---- Shapes -------------------------------------------------------------- */

static const struct {
    const char *x, *y, *attributes, *want; /* a shape, or a class */
} shapes[] = {
    {"s32[2,3]", "s32[]", "", "s32[2,3]"},
    {"s32[]", "s32[2,3]", "", "s32[2,3]"},
    {"s32[2,1]", "s32[2,3]", "", "s32[2,3]"},
    {"s32[1,2,5]", "s32[7,2,5]", "", "s32[7,2,5]"},
    {"s32[7,2,5]", "s32[7,1,5]", "", "s32[7,2,5]"},
    {"s32[7,2,5]", "s32[7,2,6]", "", "shape"},
    {"s32[2,1]", "s32[1,3]", "", "s32[2,3]"},
    {"s32[0]", "s32[1]", "", "s32[0]"},
    {"s32[2,3]", "s32[3]", "", "shape"},
    {"s32[2,3]", "s32[3]", "{\"broadcast_dimensions\":[1]}", "s32[2,3]"},
    {"s32[3]", "s32[2,3]", "{\"broadcast_dimensions\":[1]}", "s32[2,3]"},
    {"s32[2,3]", "s32[3]", "{\"broadcast_dimensions\":[0]}", "shape"},
    {"s32[2,3]", "s32[2]", "{\"broadcast_dimensions\":[2]}", "attribute"},
    {"s32[2,3]", "s32[2]", "{\"broadcast_dimensions\":[-1]}", "attribute"},
    {"s32[2,3]", "s32[2]", "{\"broadcast_dimensions\":[0,1]}", "attribute"},
    {"s32[2,3,4]", "s32[3,4]", "{\"broadcast_dimensions\":[1,2]}",
     "s32[2,3,4]"},
    {"s32[3,3,3]", "s32[3,3]", "{\"broadcast_dimensions\":[2,1]}", "attribute"},
    {"s32[3,3,3]", "s32[3,3]", "{\"broadcast_dimensions\":[1,1]}", "attribute"},
    {"s32[2,3]", "s32[2,3]", "{\"broadcast_dimensions\":[0,1]}", "s32[2,3]"},
    {"s32[2,2]", "s32[2,2]", "{\"broadcast_dimensions\":[1,0]}", "attribute"},
    {"s32[4]", "s32[1,2]", "{\"broadcast_dimensions\":[0]}", "s32[4,2]"},
    {"s32[2]", "f32[2]", "", "type"},
    {"f32[2]", "bf16[2]", "", "type"},
    {"s32[<=4]", "s32[]", "", "s32[<=4]"},
    {"s32[<=4]", "s32[4]", "", "s32[<=4]"},
    {"s32[<=4]", "s32[3]", "", "shape"},
    /* Seed 001. */
    {"s32[4,3,2,2]", "s32[1,3,1,1]", "{\"broadcasting\":\"numpy\"}",
     "s32[4,3,2,2]"},
    {"s32[4,3,2,2]", "s32[2,2]", "{\"broadcasting\":\"numpy\"}",
     "s32[4,3,2,2]"},
    {"s32[4,3,2,2]", "s32[2,3,2,2]", "{\"broadcasting\":\"numpy\"}", "shape"},
    {"s32[4,3,2,2]", "s32[4,3,2]", "{\"broadcasting\":\"numpy\"}", "shape"},
    {"s32[4,3,2,2]", "s32[3,1,1]", "{\"broadcasting\":\"numpy\"}",
     "s32[4,3,2,2]"},
    {"s32[8,1,6,1]", "s32[7,1,5]", "{\"broadcasting\":\"numpy\"}",
     "s32[8,7,6,5]"},
    {"s32[2,3,4]", "s32[2,3]", "{\"broadcasting\":\"numpy\"}", "shape"},
    {"s32[2,1]", "s32[8,4,3]", "{\"broadcasting\":\"numpy\"}", "shape"},
    {"s32[2]", "s32[3,2]",
     "{\"broadcasting\":\"numpy\",\"broadcast_dimensions\":[1]}", "attribute"},
};

static void broadcasting(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        struct literal *l[2] = {iota(shapes[i].x), iota(shapes[i].y)};
        struct status st;
        for (int k = 0; k < 2; k++)
            if (l[k]->sizes)
                l[k]->sizes[0] = 3;
        struct goal *g = run("Add", shapes[i].attributes, 2, l, &st);
        EQ_STR(g ? shape_text(&a, g->value->shape) : status_name(st.code),
               shapes[i].want, "Add of %s and %s %s", shapes[i].x, shapes[i].y,
               shapes[i].attributes);
        if (g && g->value->sizes)
            EQ_INT(g->value->sizes[0], 3, "its size");
        arena_reset(&a);
    }
}

static void values(const char *op, const char *attributes, int count,
                   struct literal *const *operands, const char *want)
{
    struct status st;
    char text[512] = "";
    struct goal *g = run(op, attributes, count, operands, &st);
    for (int64_t i = 0; g && i < literal_units(g->value); i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%llx",
                 i ? " " : "", (unsigned long long)literal_get(g->value, i));
    EQ_STR(g ? text : st.text, want, "%s %s", op, attributes);
    arena_reset(&a);
}

static struct literal *list(const char *shape, int count, const uint64_t *bits)
{
    return slow_run_array(&a, shape, count, bits);
}
#define LIST(SHAPE, ...) \
    list(SHAPE, sizeof((uint64_t[]){__VA_ARGS__}) / 8, \
         (uint64_t[]){__VA_ARGS__})

/* Lists of operands, written as one argument. */
#define L(...) \
    (struct literal *[]) \
    { \
        __VA_ARGS__ \
    }

static void broadcast(void)
{
    values("Add", "{\"broadcast_dimensions\":[0]}", 2,
           L(LIST("s32[4]", 1, 2, 3, 4), LIST("s32[1,2]", 5, 6)),
           "6 7 7 8 8 9 9 a");
    values("Add", "{\"broadcast_dimensions\":[1]}", 2,
           L(iota("s32[2,3]"), LIST("s32[3]", 7, 8, 9)), "7 9 b a c e");
    values("Sub", "", 2, L(LIST("s32[2,1]", 9, 8), LIST("s32[1,3]", 1, 2, 3)),
           "8 7 6 7 6 5");
}

/* Seed 004, Clamp and Select. */
static void chosen(void)
{
    values(
        "Clamp", "", 3,
        L(LIST("s32[]", 0), LIST("s32[3]", 0xffffffff, 5, 9), LIST("s32[]", 6)),
        "0 5 6");
    values("Clamp", "", 3,
           L(LIST("s32[]", 7), LIST("s32[3]", 1, 5, 9), LIST("s32[]", 6)),
           "6 6 6");
    values("Clamp", "", 3,
           L(LIST("f32[]", 0), LIST("f32[3]", 0x7fc00001, 0x80000000, 0),
             LIST("f32[]", 0x7f800000)),
           "7fc00000 0 0");
    values("Select", "", 3,
           L(LIST("pred[4]", 1, 0, 0, 1), LIST("s32[4]", 1, 2, 3, 4),
             LIST("s32[4]", 100, 200, 300, 400)),
           "1 c8 12c 4");
    values("Select", "", 3,
           L(LIST("pred[]", 1), LIST("f32[2]", 0x7f800001, 2),
             LIST("f32[2]", 3, 4)),
           "7f800001 2");
    values("Select", "", 3,
           L(LIST("pred[2]", 1, 1), iota("s32[3]"), iota("s32[3]")),
           "Select: pred is pred[2]; expected a scalar, or the dimensions of "
           "s32[3]");
}

/* Packed forms, lowest bits first. */
static void packed(void)
{
    values("BitcastConvertType", "{\"new_element_type\":\"u8\"}", 1,
           L(LIST("s4[2,2]", 1, 2, 3, 0xf)), "21 f3");
    values("BitcastConvertType", "{\"new_element_type\":\"f16\"}", 1,
           L(LIST("f32[]", 0x12345678)), "5678 1234");
    values("BitcastConvertType", "{\"new_element_type\":\"f32\"}", 1,
           L(LIST("f16[1,2]", 0x5678, 0x1234)), "12345678");
    values("BitcastConvertType", "{\"new_element_type\":\"s32\"}", 1,
           L(iota("s8[2]")),
           "BitcastConvertType: the operand is s8[2]; expected a last "
           "dimension of size 4");
    values("BitcastConvertType", "{\"new_element_type\":\"c64\"}", 1,
           L(iota("s64[2]")), "BitcastConvertType: no bitcast from s64 to c64");
    values("Complex", "", 2, L(LIST("f32[2]", 1, 2), LIST("f32[]", 0x7f800001)),
           "1 7f800001 2 7f800001");
}

/* -0, tie to even, subnormal kept (ieee) or flushed, overflow, NaN. */
static void reduced(void)
{
    values("ReducePrecision", "{\"exponent_bits\":5,\"mantissa_bits\":10}", 1,
           L(LIST("f32[6]", 0x80000000, 0x3f801000, 0x3f803000, 0x477ff000,
                  0x7fc00000, 0x477fefff)),
           "80000000 3f800000 3f804000 7f800000 7fc00000 477fe000");
    values("ReducePrecision", "{\"exponent_bits\":8,\"mantissa_bits\":23}", 1,
           L(LIST("f32[2]", 1, 0x807fffff)), "1 807fffff");
    values("ReducePrecision", "{\"exponent_bits\":0,\"mantissa_bits\":3}", 1,
           L(iota("f32[1]")),
           "ReducePrecision: exponent_bits is 0; expected at least 1");
}

static void compared(void)
{
    values("Abs", "", 1, L(LIST("c64[1]", 0x40400000, 0x40800000)), "40a00000");
    values("EqTotalOrder", "", 2,
           L(LIST("f32[3]", 0x80000000, 0x7fc00000, 0),
             LIST("f32[3]", 0, 0x7fc00000, 0)),
           "0 1 1");
    values("LtTotalOrder", "", 2,
           L(LIST("f32[4]", 0xffc00000, 0x80000000, 0x7f800000, 0xff800000),
             LIST("f32[4]", 0xff800000, 0, 0x7fc00000, 0xff7fffff)),
           "1 1 1 1");
    values("Lt", "", 2,
           L(LIST("f32[3]", 0x80000000, 0x7fc00000, 0xbf800000),
             LIST("f32[3]", 0, 0, 0x80000000)),
           "0 0 1");
    values("Ne", "", 2,
           L(LIST("c64[2]", 0, 0x80000000, 0x7fc00000, 0),
             LIST("c64[2]", 0x80000000, 0, 0x7fc00000, 0)),
           "0 1");
}

/* ---- Integers ------------------------------------------------------------ */

static int64_t model(const char *op, int64_t x, int64_t y, int bits,
                     bool *defined)
{
    uint64_t n = (uint64_t)y & ((UINT64_C(1) << bits) - 1);
    uint64_t low = (uint64_t)x & ((UINT64_C(1) << bits) - 1);
    *defined = true;
    if (strcmp(op, "Add") == 0)
        return x + y;
    if (strcmp(op, "Sub") == 0)
        return x - y;
    if (strcmp(op, "Mul") == 0)
        return x * y;
    if (strcmp(op, "Max") == 0)
        return x > y ? x : y;
    if (strcmp(op, "Min") == 0)
        return x < y ? x : y;
    if (strcmp(op, "Xor") == 0)
        return x ^ y;
    if (strcmp(op, "ShiftLeft") == 0)
        return n >= (uint64_t)bits ? 0 : (int64_t)((uint64_t)x << n);
    if (strcmp(op, "ShiftRightLogical") == 0)
        return n >= (uint64_t)bits ? 0 : (int64_t)(low >> n);
    if (strcmp(op, "ShiftRightArithmetic") == 0) {
        int64_t s = (int64_t)(low << (64 - bits)) >> (64 - bits);
        return s >> (n >= (uint64_t)bits ? bits - 1 : (int)n);
    }
    if (strcmp(op, "Pow") == 0) {
        int64_t p = 1;
        *defined = y >= 0;
        for (int64_t i = 0; i < y; i++)
            p = (p * x) & 0xffff;
        return p;
    }
    *defined = y != 0 && !(y == -1 && x == -(INT64_C(1) << (bits - 1)));
    if (!*defined)
        return 0;
    return strcmp(op, "Div") == 0 ? x / y : x % y;
}

static void integers(const char *op, enum dtype t)
{
    int bits = dtype_table[t].bits, n = 1 << bits, wrong = 0;
    uint64_t zero = 0;
    const char *shape = arena_printf(&a, "%s[%d]", dtype_table[t].name, n * n);
    struct literal *l[2] = {list(shape, 1, &zero), list(shape, 1, &zero)};
    struct status st;
    for (int i = 0; i < n * n; i++) {
        literal_set(l[0], i, (uint64_t)(i / n));
        literal_set(l[1], i, (uint64_t)(i % n));
    }
    struct goal *g = run(op, "", 2, l, &st);
    for (int i = 0; g && i < n * n; i++) {
        bool defined;
        int64_t want =
            model(op, dtype_sign_extend(t, (uint64_t)(i / n)),
                  dtype_sign_extend(t, (uint64_t)(i % n)), bits, &defined);
        bool free = g->free_units && g->free_units[i];
        if (free == defined
            || (defined
                && ((uint64_t)want & dtype_mask(t))
                       != literal_get(g->value, i)))
            if (wrong++ < 3)
                printf("# %d %d: %llx\n", i / n, i % n,
                       (unsigned long long)literal_get(g->value, i));
    }
    OK(g && wrong == 0, "%s of every pair of %s", op, dtype_table[t].name);
    arena_reset(&a);
}

/* ---- Conversions --------------------------------------------------------- */

static void conversions(void)
{
    uint64_t zero = 0;
    const struct slow_format *from = &slow_formats[0];
    for (int i = 0; i < SLOW_FLOATS; i++)
        if (strcmp(slow_formats[i].name, "f16") == 0)
            from = &slow_formats[i];
    for (int i = 0; i < SLOW_FLOATS; i++) {
        const struct slow_format *to = &slow_formats[i];
        if (slow_float_bits(to) > 8)
            continue;
        struct literal *x = list("f16[65536]", 1, &zero);
        for (int k = 0; k < 65536; k++)
            literal_set(x, k, (uint64_t)k);
        struct status st;
        struct goal *g =
            run("ConvertElementType",
                arena_printf(&a, "{\"new_element_type\":\"%s\"}", to->name), 1,
                &x, &st);
        struct slow_table t;
        mpz_t v;
        int wrong = 0;
        mpz_init(v);
        slow_float_table(&t, to);
        for (int k = 0; g && k < 65536; k++) {
            bool negative;
            enum slow_kind kind =
                slow_float_decode(from, (uint64_t)k, v, &negative);
            wrong += literal_get(g->value, k)
                     != slow_float_round(&t, kind, negative, v);
        }
        OK(g && wrong == 0, "every f16 as %s", to->name);
        mpz_clear(v);
        slow_float_free(&t);
        arena_reset(&a);
    }
    values("ConvertElementType", "{\"new_element_type\":\"s8\"}", 1,
           L(LIST("f32[4]", 0x3ff33333, 0xbff33333, 0x42fe0000, 0xc3000000)),
           "1 ff 7f 80");
    values("ConvertElementType", "{\"new_element_type\":\"pred\"}", 1,
           L(LIST("f32[4]", 0x80000000, 0x7fc00000, 1, 0)), "0 1 1 0");
    values("ConvertElementType", "{\"new_element_type\":\"f32\"}", 1,
           L(LIST("s32[3]", 16777217, 16777219, 0xffffffff)),
           "4b800000 4b800002 bf800000");
    values("ConvertElementType", "{\"new_element_type\":\"s4\"}", 1,
           L(LIST("s32[2]", 0x1f, 0xfffffff7)), "f 7");
    values("ConvertElementType", "{\"new_element_type\":\"c64\"}", 1,
           L(LIST("pred[2]", 1, 0)), "3f800000 0 0 0");
    values("Clz", "", 1, L(LIST("s4[3]", 0, 1, 8)), "4 3 0");
    values("PopulationCount", "", 1, L(LIST("s4[2]", 0xf, 8)), "4 1");
    values("Not", "", 1, L(LIST("pred[2]", 0, 1)), "1 0");
    values("Not", "", 1, L(LIST("u4[2]", 0, 1)), "f e");
    values("Abs", "", 1, L(LIST("s8[2]", 0x80, 0xff)), "80 1");
    values("Neg", "", 1, L(LIST("f8e4m3fnuz[3]", 0, 0x80, 8)), "0 80 88");
}

int main(void)
{
    static const char *const ops[] = {
        "Add",
        "Sub",
        "Mul",
        "Div",
        "Rem",
        "Pow",
        "Max",
        "Min",
        "Xor",
        "ShiftLeft",
        "ShiftRightLogical",
        "ShiftRightArithmetic",
    };
    broadcasting();
    broadcast();
    chosen();
    packed();
    reduced();
    compared();
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        integers(ops[i], DT_s4);
        integers(ops[i], DT_u4);
        integers(ops[i], DT_s8);
    }
    conversions();
    arena_free(&a);
    return tap_done();
}
