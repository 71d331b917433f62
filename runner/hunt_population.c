/* hunt_population.c - see hunt.h.  Tests: test_hunt_population.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The numbers were found by trials with Asinh of the GNU C Library.
 */
#include "runner/hunt.h"

enum {
    FILL_ROUNDS = HUNT_POPULATION / HUNT_POPULATION_PARTS,
    IDLE_ROUNDS = 2,
    FEWEST = 8, /* members: of fewer there are hardly any sums */
    TRIES = 4 * HUNT_POPULATION,
    BUCKETS = 1024, /* a power of two, several times the members */
};

void hunt_population_begin(struct hunt_population *p, uint64_t low)
{
    *p = (struct hunt_population){.begun = true, .low = low};
}

bool hunt_population_lines(const struct hunt_population *p)
{
    return p->lines < FILL_ROUNDS;
}

/* ---- Which inputs are members -------------------------------------------- */

/* Numbers of members from 1 on, by a hash of their inputs. */
struct places {
    const struct hunt_population *of;
    uint8_t at[BUCKETS];
};

static uint64_t place_of(uint64_t input)
{
    return input * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (BUCKETS - 1);
}

static void find_places(struct places *t, const struct hunt_population *p)
{
    *t = (struct places){.of = p};
    for (int i = 0; i < p->count; i++) {
        uint64_t k = place_of(p->members[i].input);
        while (t->at[k])
            k = (k + 1) & (BUCKETS - 1);
        t->at[k] = (uint8_t)(i + 1);
    }
}

static bool is_member(const struct places *t, uint64_t input)
{
    for (uint64_t k = place_of(input); t->at[k]; k = (k + 1) & (BUCKETS - 1))
        if (t->of->members[t->at[k] - 1].input == input)
            return true;
    return false;
}

/* ---- Sums ---------------------------------------------------------------- */

/* Is a sum of a, any row's offset and that of a column a member? */
static bool has_member(const struct places *t, uint64_t a,
                       const struct sweep_offsets *offsets, int64_t column)
{
    for (int i = 0; i < SWEEP_OFFSETS; i++)
        if (is_member(t, a + (uint64_t)offsets->row[i] + (uint64_t)column))
            return true;
    return false;
}

/* Rows are b - base, columns base - c.  A column that makes members again is
 * not taken: they would be the worst of the part. */
void hunt_population_breed(const struct hunt_population *p, struct random *r,
                           uint64_t *first, struct sweep_offsets *offsets)
{
    const uint64_t count = (uint64_t)p->count, base = p->members[0].input;
    struct places places;
    find_places(&places, p);
    *first = p->members[random_early(r, count)].input;
    for (int i = 0; i < SWEEP_OFFSETS; i++)
        offsets->row[i] =
            (int64_t)(p->members[random_below(r, count)].input - base);
    for (int i = 0, tries = 0; i < SWEEP_OFFSETS; tries++) {
        int64_t column =
            (int64_t)(base - p->members[random_below(r, count)].input);
        offsets->column[i] = column;
        i += tries >= TRIES || !has_member(&places, *first, offsets, column);
    }
}

/* ---- Results ------------------------------------------------------------- */

void hunt_population_learn(struct hunt_population *p, int64_t error,
                           uint64_t worst)
{
    int at = p->count;
    for (int i = 0; i < p->count; i++)
        if (p->members[i].input == worst)
            return;
    while (at > 0 && p->members[at - 1].error < error)
        at--;
    if (at == HUNT_POPULATION)
        return;
    p->count += p->count < HUNT_POPULATION;
    for (int i = p->count - 1; i > at; i--)
        p->members[i] = p->members[i - 1];
    p->members[at] = (struct hunt_member){worst, error};
}

bool hunt_population_next(struct hunt_population *p)
{
    int64_t largest = p->count > 0 ? p->members[0].error : 0;
    bool lines = hunt_population_lines(p);
    p->lines += lines;
    p->idle = lines || largest > p->largest ? 0 : p->idle + 1;
    p->largest = largest;
    return p->idle < IDLE_ROUNDS
           && (hunt_population_lines(p) || p->count >= FEWEST);
}
