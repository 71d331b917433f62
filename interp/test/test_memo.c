/* test_memo.c - a value comes back for its own key alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/program/memo.h"
#include "interp/test/tap.h"

static struct memo_value numbered(int64_t n)
{
    return (struct memo_value){real_from_int(n), n % 2 == 0};
}

static bool has(struct memo *m, const struct memo_key *key, int64_t n)
{
    const struct memo_value *v = memo_find(m, key);
    struct real due = real_from_int(n);
    return v && v->exact == (n % 2 == 0) && v->y.exponent == due.exponent
           && v->y.significand == due.significand
           && v->y.negative == due.negative;
}

static void test_keys(void)
{
    struct memo m = {0};
    int f, g;
    struct memo_key key = {&f, {0x3c00, 0}, DT_f16};
    OK(!memo_find(&m, &key), "an empty table has nothing");
    struct memo_value v = numbered(7);
    memo_put(&m, &key, &v);
    OK(has(&m, &key, 7), "what was put comes back");
    struct memo_key other = key;
    other.function = &g;
    OK(!memo_find(&m, &other), "another function has another value");
    other = key;
    other.type = DT_bf16;
    OK(!memo_find(&m, &other), "the same pattern of another type, too");
    other = key;
    other.x[1] = 1;
    OK(!memo_find(&m, &other), "another second operand, too");
    v = numbered(8);
    memo_put(&m, &key, &v);
    OK(has(&m, &key, 8), "a value takes the place of an older one");
    memo_free(&m);
    OK(!memo_find(&m, &key), "a freed table is empty");
}

/* All patterns of a 16-bit type fit, so that a sweep is computed once. */
static void test_sweep(void)
{
    enum {
        ALL = 1 << 16
    };
    struct memo m = {0};
    int f, found = 0;
    for (int i = 0; i < ALL; i++) {
        struct memo_value v = numbered(i + 1);
        memo_put(&m, &(struct memo_key){&f, {(uint64_t)i, 0}, DT_f16}, &v);
    }
    for (int i = 0; i < ALL; i++)
        found +=
            has(&m, &(struct memo_key){&f, {(uint64_t)i, 0}, DT_f16}, i + 1);
    EQ_INT(found, ALL, "a table holds every pattern of a 16-bit type");
    memo_free(&m);
}

/* In whatever order they are looked for, and once more were put than fit, each
 * key has its own value or none. */
static void test_order(void)
{
    enum {
        ALL = 200000, /* more than fit */
        LAST = 1000,
        STEP = 7919
    };
    struct memo m = {0};
    int f, wrong = 0, found = 0;
    for (int i = 0; i < ALL; i++) {
        struct memo_value v = numbered(i + 1);
        memo_put(&m, &(struct memo_key){&f, {(uint64_t)i, 3}, DT_f32}, &v);
    }
    for (int i = 0; i < ALL; i++) {
        int k = (int)((int64_t)i * STEP % ALL);
        struct memo_key key = {&f, {(uint64_t)k, 3}, DT_f32};
        wrong += memo_find(&m, &key) && !has(&m, &key, k + 1);
    }
    EQ_INT(wrong, 0, "no key has the value of another one");
    for (int i = ALL - LAST; i < ALL; i++)
        found +=
            has(&m, &(struct memo_key){&f, {(uint64_t)i, 3}, DT_f32}, i + 1);
    EQ_INT(found, LAST, "the latest values are there");
    memo_free(&m);
}

int main(void)
{
    test_keys();
    test_sweep();
    test_order();
    return tap_done();
}
