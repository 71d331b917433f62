/* hunt_population.c - see hunt_population.h.  Tests: hunt.t.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The numbers were found by trials with Asinh of the GNU C Library.
 */
#include "runner/hunt_population.h"

#include <string.h>

enum {
    FILL_ROUNDS = HUNT_POPULATION / HUNT_POPULATION_PARTS,
    IDLE_ROUNDS = 2,
    FEWEST = 8, /* members: of fewer there are hardly any sums */
    TRIES = 4 * HUNT_POPULATION,
    BUCKETS = 1024, /* a power of two, several times the members */
};

void hunt_population_begin(struct hunt_population *p, int operands,
                           const uint64_t *low)
{
    *p = (struct hunt_population){.operands = operands, .begun = true};
    memcpy(p->low, low, sizeof p->low);
}

bool hunt_population_lines(const struct hunt_population *p)
{
    return p->lines < FILL_ROUNDS;
}

static uint64_t below(struct random *r, uint64_t n)
{
    return random_next(r) % n;
}

/* ---- Which inputs are members -------------------------------------------- */

/* Numbers of members from 1 on, by a hash of their inputs. */
struct places {
    const struct hunt_population *of;
    uint8_t at[BUCKETS];
};

static uint64_t place_of(const uint64_t *inputs)
{
    uint64_t mix = (inputs[0] ^ inputs[1] << 32 ^ inputs[1] >> 32)
                   * UINT64_C(0x9e3779b97f4a7c15);
    return mix >> 32 & (BUCKETS - 1);
}

static void find_places(struct places *t, const struct hunt_population *p)
{
    *t = (struct places){.of = p};
    for (int i = 0; i < p->count; i++) {
        uint64_t k = place_of(p->members[i].inputs);
        while (t->at[k])
            k = (k + 1) & (BUCKETS - 1);
        t->at[k] = (uint8_t)(i + 1);
    }
}

static bool is_member(const struct places *t, const uint64_t *inputs)
{
    for (uint64_t k = place_of(inputs); t->at[k]; k = (k + 1) & (BUCKETS - 1))
        if (memcmp(t->of->members[t->at[k] - 1].inputs, inputs,
                   sizeof t->of->members->inputs)
            == 0)
            return true;
    return false;
}

/* ---- Sums ---------------------------------------------------------------- */

/* Is a sum of a, any row's offset and that of a column a member? */
static bool has_member(const struct places *t, const uint64_t *a,
                       const struct sweep_offsets *offsets,
                       const int64_t *column)
{
    for (int i = 0; i < SWEEP_OFFSETS; i++) {
        uint64_t sum[2];
        for (int k = 0; k < 2; k++)
            sum[k] = a[k] + (uint64_t)offsets->row[i][k] + (uint64_t)column[k];
        if (is_member(t, sum))
            return true;
    }
    return false;
}

/* Rows are b - base, columns base - c.  A column that makes members again is
 * not taken: they would be the worst of the part. */
void hunt_population_breed(const struct hunt_population *p, struct random *r,
                           uint64_t *first, struct sweep_offsets *offsets)
{
    const uint64_t count = (uint64_t)p->count;
    const uint64_t *a = p->members[below(r, below(r, count) + 1)].inputs;
    const uint64_t *base = p->members[0].inputs;
    struct places places;
    find_places(&places, p);
    memset(offsets, 0, sizeof *offsets);
    memcpy(first, a, sizeof p->members->inputs);
    for (int i = 0; i < SWEEP_OFFSETS; i++) {
        const uint64_t *b = p->members[below(r, count)].inputs;
        for (int k = 0; k < p->operands; k++)
            offsets->row[i][k] = (int64_t)(b[k] - base[k]);
    }
    for (int i = 0, tries = 0; i < SWEEP_OFFSETS; tries++) {
        const uint64_t *c = p->members[below(r, count)].inputs;
        for (int k = 0; k < p->operands; k++)
            offsets->column[i][k] = (int64_t)(base[k] - c[k]);
        i += tries >= TRIES
             || !has_member(&places, a, offsets, offsets->column[i]);
    }
}

/* ---- Results ------------------------------------------------------------- */

void hunt_population_learn(struct hunt_population *p, int64_t error,
                           const uint64_t *worst)
{
    int at = p->count;
    for (int i = 0; i < p->count; i++)
        if (memcmp(p->members[i].inputs, worst, sizeof p->members->inputs) == 0)
            return;
    while (at > 0 && p->members[at - 1].error < error)
        at--;
    if (at == HUNT_POPULATION)
        return;
    p->count += p->count < HUNT_POPULATION;
    for (int i = p->count - 1; i > at; i--)
        p->members[i] = p->members[i - 1];
    p->members[at] = (struct hunt_member){.error = error};
    memcpy(p->members[at].inputs, worst, sizeof p->members->inputs);
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
