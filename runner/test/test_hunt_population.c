/* test_hunt_population.c - a population finds larger sums than chance does.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The errors are made: the sum of ten sawtooths of the pattern, each from 0 to
 * 1, whose periods have no factor in common.  Of n inputs drawn at random the
 * largest is about 10 - d with d^10 / 10! = 1 / n: 8.8 for half a million; 9.3
 * takes 128 million.
 */
#include "interp/test/tap.h"
#include "runner/hunt.h"

enum {
    SAWTOOTHS = 10,
    MILLION = 1000000,
    WINDOW_BITS = 25,
    ROUNDS_MOST = 100,
};

/* Parts of 2^64: the square roots of the first ten primes. */
static const uint64_t steps[SAWTOOTHS] = {
    UINT64_C(0x6a09e667f3bcc908), UINT64_C(0xbb67ae8584caa73b),
    UINT64_C(0x3c6ef372fe94f82b), UINT64_C(0xa54ff53a5f1d36f1),
    UINT64_C(0x510e527fade682d1), UINT64_C(0x9b05688c2b3e6c1f),
    UINT64_C(0x1f83d9abfb41bd6b), UINT64_C(0x5be0cd19137e2179),
    UINT64_C(0xcbbb9d5dc1059ed8), UINT64_C(0x629a292a367cd507)};

static int64_t error_of(uint64_t x)
{
    double sum = 0;
    for (int i = 0; i < SAWTOOTHS; i++)
        sum += (double)(x * steps[i] >> 11) * 0x1p-53;
    return (int64_t)(sum * MILLION);
}

struct worst {
    uint64_t input;
    int64_t error;
    int64_t count;
};

static void note_error(struct worst *w, uint64_t x)
{
    int64_t e = error_of(x);
    w->count++;
    if (e > w->error) {
        w->error = e;
        w->input = x;
    }
}

static struct worst draw(struct random *r, uint64_t low)
{
    struct worst w = {.error = -1};
    for (int i = 0; i < HUNT_LENGTH; i++)
        note_error(&w, low + (random_next(r) >> (64 - WINDOW_BITS)));
    return w;
}

static struct worst breed(const struct hunt_population *p, struct random *r,
                          int64_t *again)
{
    struct worst w = {.error = -1};
    struct sweep_offsets offsets;
    uint64_t first;
    hunt_population_breed(p, r, &first, &offsets);
    for (int i = 0; i < SWEEP_OFFSETS; i++)
        for (int k = 0; k < SWEEP_OFFSETS; k++)
            note_error(&w, first + (uint64_t)offsets.row[i]
                               + (uint64_t)offsets.column[k]);
    for (int i = 0; i < p->count; i++)
        *again += p->members[i].input == w.input;
    return w;
}

static void test_climb(void)
{
    struct random r = {1};
    struct hunt_population p;
    const uint64_t low = UINT64_C(0x3fe0000000000000);
    int64_t chance = 0, again = 0, parts = 0;
    bool going = true;
    hunt_population_begin(&p, low);
    OK(hunt_population_lines(&p), "it begins with lines");
    while (going && parts < ROUNDS_MOST * HUNT_POPULATION_PARTS) {
        bool lines = hunt_population_lines(&p);
        struct worst found[HUNT_POPULATION_PARTS];
        for (int i = 0; i < HUNT_POPULATION_PARTS; i++, parts++)
            found[i] = lines ? draw(&r, low) : breed(&p, &r, &again);
        for (int i = 0; i < HUNT_POPULATION_PARTS; i++)
            hunt_population_learn(&p, found[i].error, found[i].input);
        if (lines)
            chance = p.members[0].error;
        going = hunt_population_next(&p);
    }
    OK(!going, "it ends");
    EQ_INT(p.count, HUNT_POPULATION, "it is full");
    OK(chance > 8500000 && chance < 9200000, "by chance: %lld millionths",
       (long long)chance);
    OK(p.members[0].error > 9300000 && parts * HUNT_LENGTH < 4 * MILLION,
       "bred: %lld millionths", (long long)p.members[0].error);
    EQ_INT(again, 0, "no part found a member again");
    for (int i = 1; i < p.count; i++)
        if (p.members[i].error > p.members[i - 1].error)
            OK(false, "member %d is out of order", i);
}

static void test_few(void)
{
    struct hunt_population p;
    bool going = true;
    int rounds = 0;
    hunt_population_begin(&p, 0);
    while (going && rounds < ROUNDS_MOST) {
        hunt_population_learn(&p, 3, 7);
        going = hunt_population_next(&p);
        rounds++;
    }
    EQ_INT(p.count, 1, "an input is a member once");
    OK(!going && !hunt_population_lines(&p),
       "one that has too few members does not breed");
}

int main(void)
{
    test_climb();
    test_few();
    return tap_done();
}
