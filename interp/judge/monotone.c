/* monotone.c - see monotone.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "interp/judge/monotone.h"

#include <string.h>

#include "interp/exact/real.h"
#include "interp/specification/spec.h"

enum {
    BLOCK = 256,
    END_BITS = 128 /* of an interval's end */
};

/* Where there is no number. */
#define NO_KEY INT64_MIN

/* ---- Where a function is monotone ---------------------------------------- */

/* The key of an interval's end, rounded inwards. */
static int64_t key_of_end(const struct json *end, enum dtype t, bool low)
{
    mpfr_t x;
    mpfr_init2(x, END_BITS);
    int ternary = mpfr_strtofr(x, end->text, NULL, 10, MPFR_RNDZ);
    struct real r = real_from_mpfr(x, ternary);
    mpfr_clear(x);
    return real_key(t, low ? real_round_up(&r, t) : real_round_down(&r, t));
}

static void add_run(struct monotone *m, int64_t first, int64_t last,
                    uint64_t sign, int rises)
{
    if (first >= last || m->count == MONOTONE_RUNS)
        return;
    m->runs[m->count++] = (struct monotone_run){sign | (uint64_t)first,
                                                sign | (uint64_t)last, rises};
}

/* The numbers from one key to another: patterns of positive ones rise with
 * them, those of negative ones fall. */
static void add_interval(struct monotone *m, enum dtype t, int64_t low,
                         int64_t high, int rises)
{
    const struct real_format *f = &real_formats[t];
    int64_t top = (int64_t)(real_has_inf(t) ? real_inf(t, false) : f->max);
    add_run(m, low > 0 ? low : 0, high < top ? high : top, 0, rises);
    if (f->sign == 0)
        return;
    /* A magnitude m has the key -m - shift (real_key). */
    int64_t shift = real_has_negative_zero(t) ? 1 : 0;
    int64_t least = high >= 0 ? 1 - shift : -high - shift;
    int64_t most = low < -top - shift ? top : -low - shift;
    add_run(m, least, most, f->sign, -rises);
}

bool monotone_of(struct monotone *m, const char *op, enum dtype type,
                 enum dtype result, struct status *st)
{
    *m = (struct monotone){.result = result};
    TRY(spec_load(st));
    if (dtype_class(type) != DTYPE_FLOAT || dtype_class(result) != DTYPE_FLOAT)
        return true;
    const struct json *list =
        json_member(spec_file("spec/monotone.json"), "intervals");
    if (!list)
        return FAIL(st, INPUT, "spec/monotone.json: expected intervals");
    for (const struct json *at = list->child; at; at = at->next) {
        const struct json *low = json_member(at, "low");
        const struct json *high = json_member(at, "high");
        if (!json_is_string(json_member(at, "op"), op))
            continue;
        bool rises = json_is_string(json_member(at, "sense"), "increasing");
        add_interval(m, type, low ? key_of_end(low, type, true) : INT64_MIN,
                     high ? key_of_end(high, type, false) : INT64_MAX,
                     rises ? 1 : -1);
    }
    return true;
}

/* ---- Breaks -------------------------------------------------------------- */

/* How a result's pattern becomes a number that is in its order. */
struct order {
    uint64_t magnitude, sign, top, nan;
};

static struct order order_of(enum dtype t)
{
    const struct real_format *f = &real_formats[t];
    bool fnuz = dtype_table[t].special == DTYPE_FNUZ;
    return (struct order){f->magnitude, f->sign,
                          real_has_inf(t) ? real_inf(t, false) : f->max,
                          fnuz ? f->sign : UINT64_MAX};
}

/* Both zeros are 0. */
static inline int64_t key_of(const struct order *o, uint64_t bits)
{
    uint64_t m = bits & o->magnitude;
    if (m > o->top || bits == o->nan)
        return NO_KEY;
    return bits & o->sign ? -(int64_t)m : (int64_t)m;
}

static void read_keys(const struct order *o, const struct literal *from,
                      int64_t at, int64_t n, int64_t *to)
{
    int bytes = dtype_unit_bytes(from->shape->dtype);
    const unsigned char *data = from->data + at * bytes;
    const struct order order = *o; /* which nothing written here can change */
    uint16_t b2;
    uint32_t b4;
    uint64_t b8;
    for (int64_t i = 0; bytes == 1 && i < n; i++)
        to[i] = key_of(&order, data[i]);
    for (int64_t i = 0; bytes == 2 && i < n; i++) {
        memcpy(&b2, data + 2 * i, 2);
        to[i] = key_of(&order, b2);
    }
    for (int64_t i = 0; bytes == 4 && i < n; i++) {
        memcpy(&b4, data + 4 * i, 4);
        to[i] = key_of(&order, b4);
    }
    for (int64_t i = 0; bytes == 8 && i < n; i++) {
        memcpy(&b8, data + 8 * i, 8);
        to[i] = key_of(&order, b8);
    }
}

static inline bool is_break(int64_t before, int64_t now, int rises)
{
    return (rises > 0 ? now < before : now > before) && now != NO_KEY
           && before != NO_KEY;
}

static void add_break(struct monotone_part *part, uint64_t input)
{
    if (part->breaks++ == 0 || input < part->input)
        part->input = input;
}

/* Results from to to, both included; first is the pattern of the result 0. */
static void count_run(const struct monotone_run *run, const struct order *o,
                      const struct literal *got, int64_t from, int64_t to,
                      uint64_t first, struct monotone_part *part)
{
    int64_t keys[BLOCK];
    /* Blocks share a result, so that every pair is in one. */
    for (int64_t at = from; at < to; at += BLOCK - 1) {
        int64_t n = to - at + 1 < BLOCK ? to - at + 1 : BLOCK;
        read_keys(o, got, at, n, keys);
        for (int64_t i = 1; i < n; i++)
            if (is_break(keys[i - 1], keys[i], run->rises))
                add_break(part, first + (uint64_t)(at + i));
    }
}

struct monotone_part monotone_count(const struct monotone *m, uint64_t first,
                                    const struct literal *got)
{
    int64_t n = literal_units(got);
    uint64_t end = first + (uint64_t)n - 1;
    struct order o = order_of(m->result);
    struct monotone_part part = {.counted = true,
                                 .first = literal_get(got, 0),
                                 .last = literal_get(got, n - 1)};
    for (int i = 0; i < m->count; i++) {
        const struct monotone_run *r = &m->runs[i];
        uint64_t from = r->first > first ? r->first : first;
        uint64_t to = r->last < end ? r->last : end;
        if (from < to)
            count_run(r, &o, got, (int64_t)(from - first),
                      (int64_t)(to - first), first, &part);
    }
    return part;
}

/* Are the results of the pattern before input, and of input, out of order? */
static bool is_out_of_order(const struct monotone *m, uint64_t input,
                            uint64_t before, uint64_t result)
{
    struct order o = order_of(m->result);
    for (int i = 0; i < m->count; i++) {
        const struct monotone_run *r = &m->runs[i];
        if (input > r->first && input <= r->last)
            return is_break(key_of(&o, before), key_of(&o, result), r->rises);
    }
    return false;
}

void monotone_add(struct monotone_sum *sum, const struct monotone *m,
                  uint64_t first, int64_t count,
                  const struct monotone_part *part)
{
    int64_t before = sum->breaks;
    sum->parts++;
    sum->partial |= !part->counted;
    if (!part->counted) {
        sum->joined = false;
        return;
    }
    if (sum->joined && sum->next == first
        && is_out_of_order(m, first, sum->last, part->first)) {
        sum->breaks++;
        sum->input = before == 0 ? first : sum->input;
    }
    if (part->breaks > 0 && sum->breaks == 0)
        sum->input = part->input;
    sum->breaks += part->breaks;
    sum->joined = true;
    sum->next = first + (uint64_t)count;
    sum->last = part->last;
}
