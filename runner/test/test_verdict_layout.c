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
    tokens();
    dynamic();
    beyond();
    arena_free(&arena);
    return tap_done();
}
