/* test_verdict_layout.c - what is checked before data are read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "interp/judge/verdict.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;
static char why[160];

static bool taken(const struct literal *want, struct verdict_got got,
                  struct literal **into)
{
    return verdict_layout(&arena, want, &got, into, why, sizeof why);
}

/* Numbers after what counts, in case it is read. */
static const int64_t dims[] = {2, 77, 77};

static struct verdict_got bytes(const char *type, const void *data, uint64_t n)
{
    return (struct verdict_got){type, 1, dims, dims, n, n, data};
}

static struct literal *pair(enum dtype type)
{
    int64_t n = 2;
    return literal_new(&arena, shape_array(&arena, type, 1, &n));
}

static void wholes(void)
{
    static const unsigned char data[] = {0x85, 0xff, 0x01, 0x80,
                                         0x12, 0x34, 0x56, 0x78};
    struct literal *into;
    OK(taken(pair(DT_f32), bytes("f32", data, 8), &into)
           && literal_get(into, 0) == 0x8001ff85
           && literal_get(into, 1) == 0x78563412,
       "f32[2], as it is");
    OK(taken(pair(DT_u8), bytes("u8", data, 2), &into)
           && literal_get(into, 0) == 0x85 && literal_get(into, 1) == 0xff,
       "u8[2], all bits");
    struct verdict_got more = bytes("u8", data, 2);
    more.held = 8;
    OK(taken(pair(DT_u8), more, &into), "more data than expected are left");
    int64_t one = 1;
    struct literal *s8 =
        literal_new(&arena, shape_array(&arena, DT_s8, 1, &one));
    struct verdict_got byte = {"s8", 1, &one, &one, 1, 1, data};
    OK(taken(s8, byte, &into) && literal_get(into, 0) == 0x85, "one byte");
}

static struct literal *three(enum dtype type, const uint64_t *bits)
{
    const int64_t n = 3;
    struct literal *l = literal_new(&arena, shape_array(&arena, type, 1, &n));
    for (int i = 0; i < 3; i++)
        literal_set(l, i, bits[i]);
    return l;
}

static void differences(void)
{
    static const int64_t dims3[] = {3, 3}, dims4[] = {4};
    static const unsigned char data[] = {1, 0, 1}, two[] = {1, 0, 2},
                               padded[] = {0xf1, 0x0e, 0x37};
    static const struct {
        struct verdict_got got;
        const char *what;
    } trials[] = {
        {{"u8", 1, dims3, dims3, 3, 3, data}, "another element type"},
        {{"pred", 2, dims3, dims3, 3, 3, data}, "another rank"},
        {{"pred", 1, dims4, dims3, 3, 3, data}, "another size"},
        {{"pred", 1, dims3, dims4, 3, 3, data}, "another actual size"},
        {{"pred", 1, dims3, dims3, 3, 2, data}, "fewer bytes than it says"},
        {{"pred", 1, dims3, dims3, 2, 3, data}, "too few bytes"},
        {{"pred", 1, dims3, dims3, 3, 3, two}, "a pred of 2"},
    };
    struct literal *want = three(DT_pred, (const uint64_t[]){1, 0, 1}), *into;
    const struct verdict_got same = {"pred", 1, dims3, dims3, 3, 3, data};
    OK(taken(want, same, &into) && literal_equal(want, into),
       "the same layout is taken");
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        OK(!taken(want, trials[i].got, &into), "%s", trials[i].what);
        if (i == 0)
            EQ_STR(why, "element type u8, expected pred", "says so");
    }
    want = three(DT_u4, (const uint64_t[]){0x1, 0xe, 0x7});
    const uint64_t bytes3 = (uint64_t)shape_bytes(want->shape);
    const struct verdict_got nibbles = {"u4",   1,      dims3, dims3,
                                        bytes3, bytes3, padded};
    OK(taken(want, nibbles, &into) && literal_equal(want, into),
       "padding bits are ignored");
}

static void tokens(void)
{
    struct literal *token = literal_new(&arena, shape_token(&arena)), *into;
    struct verdict_got got = {"token", 0, dims, dims, 0, 0, NULL};
    OK(taken(token, got, &into) && into, "a token");
    got.bytes = got.held = 1;
    OK(!taken(token, got, &into), "has no bytes");
    EQ_STR(why, "1 bytes, expected 0", "and says so");
    got.bytes = got.held = 0;
    got.rank = 1;
    OK(!taken(token, got, &into), "and no rank");
    EQ_STR(why, "rank 1, expected 0", "and says so");
    got = (struct verdict_got){"f32", 0, dims, dims, 0, 0, NULL};
    OK(!taken(token, got, &into), "and no type");
}

static void dynamic(void)
{
    const bool first[] = {true};
    const int64_t two = 2, most = 3;
    const unsigned char data[] = {1, 0, 9};
    struct literal *into,
        *want = literal_new(&arena,
                            shape_dynamic(&arena, DT_pred, 1, &most, first));
    want->sizes[0] = 2;
    struct verdict_got got = {"pred", 1, &most, &two, 3, 3, data};
    OK(taken(want, got, &into) && into->sizes[0] == 2
           && literal_get(into, 0) == 1,
       "what lies beyond the actual size is not a pred");
    got.sizes = &most;
    OK(!taken(want, got, &into), "another actual size");
    EQ_STR(why, "actual size 3 of dimension 0, expected 2", "which it says");
}

/* Data are the last thing in the arena; what comes after them is not theirs. */
static void beyond(void)
{
    struct literal *into;
    unsigned char data[16] = {1, 0, 1};
    const int64_t n = 16;
    struct arena own = ARENA_INIT;
    memset(arena_alloc(&own, 4096), 0xff, 4096);
    arena_reset(&own);
    struct literal *want =
        literal_new(&arena, shape_array(&arena, DT_pred, 1, &n));
    struct verdict_got got = {"pred", 1, &n, &n, 16, 16, data};
    OK(verdict_layout(&own, want, &got, &into, why, sizeof why),
       "16 preds are 16: %s", why);
    data[15] = 2;
    OK(!verdict_layout(&own, want, &got, &into, why, sizeof why), "the last");
    EQ_STR(why, "pred 15 is the byte 0x02", "is one of them");
    arena_free(&own);
}

int main(void)
{
    wholes();
    differences();
    tokens();
    dynamic();
    beyond();
    arena_free(&arena);
    return tap_done();
}
