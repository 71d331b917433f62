/* test_accept.c - the judge against a model that tries every pattern.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * For each 4-, 6- and 8-bit type, numbers at, between and halfway between its
 * own are judged, exact and truncated, under many budgets and rules: each
 * pattern must be in the set if and only if slow_accept.c says so.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/exact/accept.h"
#include "interp/test/slow_accept.h"
#include "interp/test/tap.h"

/* A number m * 2^e, with a tail that is known to be there if inexact. */
static struct real number(int64_t m, int64_t e, int width)
{
    struct real r = real_from_int(m);
    if (r.kind == REAL_FINITE)
        r.exponent += e;
    if (width) {
        r.inexact = true;
        r.width = (uint8_t)width;
    }
    return r;
}

/* The same times 2^SLOW_SCALE; a third of a unit of width stands for a tail. */
static void rational(mpq_t q, const struct real *r)
{
    mpz_t m;
    mpz_init(m);
    mpz_import(m, 1, 1, sizeof r->significand, 0, 0, &r->significand);
    if (r->kind == REAL_ZERO)
        mpz_set_ui(m, 0);
    mpq_set_z(q, m);
    mpz_clear(m);
    if (r->kind == REAL_ZERO)
        return;
    long e = (long)r->exponent - 127 + SLOW_SCALE;
    if (r->inexact) {
        mpq_t tail;
        mpq_init(tail);
        mpq_set_ui(tail, 1, 1);
        mpq_mul_2exp(tail, tail, (mp_bitcnt_t)(128 - r->width));
        mpz_mul_ui(mpq_denref(tail), mpq_denref(tail), 3);
        mpq_canonicalize(tail);
        mpq_add(q, q, tail);
        mpq_clear(tail);
    }
    if (e >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
    if (r->negative)
        mpq_neg(q, q);
}

struct trial {
    enum accept_kind kind;
    int ulps4, abs16, rel64; /* in quarters, sixteenths, sixty-fourths */
    unsigned subnormal;
    bool saturate, clip;
};

static const struct trial trials[] = {
    {ACCEPT_EXACT, 0, 0, 0, 0, false, false},
    {ACCEPT_CR, 0, 0, 0, ACCEPT_FLUSH_RESULTS, false, false},
    {ACCEPT_CR, 0, 0, 0, 0, true, false},
    {ACCEPT_FAITHFUL, 0, 0, 0, 0, false, false},
    {ACCEPT_FAITHFUL, 0, 0, 0, ACCEPT_FLUSH_RESULTS, true, true},
    {ACCEPT_ULP, 0, 0, 0, 0, false, false},
    {ACCEPT_ULP, 2, 0, 0, ACCEPT_FLUSH_RESULTS, false, false},
    {ACCEPT_ULP, 4, 0, 0, 0, false, false},
    {ACCEPT_ULP, 5, 0, 0, ACCEPT_FLUSH_RESULTS | ACCEPT_FLUSH_ANY_SIGN, false,
     false},
    {ACCEPT_ULP, 10, 1, 0, 0, true, false},
    {ACCEPT_ULP, 1, 0, 9, 0, false, true},
    {ACCEPT_ULP, 0, 3, 20, ACCEPT_FLUSH_RESULTS, false, false},
    {ACCEPT_ULP, 0, 0, 64, 0, false, false},
    {ACCEPT_XLA, 4, 0, 0, 0, false, false},
    {ACCEPT_XLA, 6, 2, 7, ACCEPT_FLUSH_RESULTS, false, false},
    {ACCEPT_XLA, 1, 0, 30, 0, true, true},
};

enum {
    TRIALS = sizeof trials / sizeof *trials
};

static void set_up(const struct trial *t, struct accept_budget *budget,
                   struct accept_rules *rules, struct slow_rules *slow)
{
    *budget = (struct accept_budget){
        .kind = t->kind,
        .ulps = number(t->ulps4, -2, 0),
        .abs = number(t->abs16, -4, 0),
        .rel = number(t->rel64, -6, 0),
    };
    *rules = (struct accept_rules){
        .subnormal = t->subnormal,
        .overflow = t->saturate ? REAL_OVERFLOW_SATURATE : REAL_OVERFLOW_TYPE,
        .clip = t->clip,
        .low = number(-5, -2, 0),
        .high = number(5, -2, 0),
    };
    slow->kind = (enum slow_budget_kind)t->kind;
    mpq_set_ui(slow->ulps, (unsigned long)t->ulps4, 4);
    mpq_set_ui(slow->rel, (unsigned long)t->rel64, 64);
    mpq_set_ui(slow->abs, (unsigned long)t->abs16, 16);
    mpq_canonicalize(slow->ulps);
    mpq_canonicalize(slow->rel);
    mpq_canonicalize(slow->abs);
    mpq_mul_2exp(slow->abs, slow->abs, SLOW_SCALE);
    slow->flush = (t->subnormal & ACCEPT_FLUSH_RESULTS) != 0;
    slow->any_sign = (t->subnormal & ACCEPT_FLUSH_ANY_SIGN) != 0;
    slow->saturate = t->saturate;
    slow->clip = t->clip;
    rational(slow->low, &rules->low);
    rational(slow->high, &rules->high);
}

struct judge {
    const struct slow_table *table;
    enum dtype type;
    struct accept_budget budget;
    struct accept_rules rules;
    struct slow_rules slow;
    long checked, wrong, undecided;
    char first[160];
};

static void judge_one(struct judge *j, const struct real *y)
{
    struct accept_set set;
    uint64_t value = real_round(y, j->type, REAL_OVERFLOW_TYPE);
    mpq_t q;
    mpq_init(q);
    rational(q, y);
    accept_value(&set, j->type, y, value, &j->budget, &j->rules);
    j->undecided += set.undecided;
    bool right[256];
    slow_accept_value(j->table, q, &j->slow, right);
    for (uint64_t b = 0; b >> slow_float_bits(j->table->format) == 0; b++) {
        bool got = accept_has(&set, j->type, b), want = right[b];
        j->checked++;
        if (got != want && !(set.undecided && got) && j->wrong++ == 0)
            snprintf(j->first, sizeof j->first,
                     "y %s%llx*2^%lld%s, %#llx is %s", y->negative ? "-" : "",
                     (unsigned long long)(y->significand >> 64),
                     (long long)y->exponent - 63, y->inexact ? "+" : "",
                     (unsigned long long)b, got ? "in" : "out");
    }
    mpq_clear(q);
}

/* A little less than y: the number before at 66 bits, and a tail. */
static void lessen(struct real *y)
{
    y->width = 66;
    y->inexact = true;
    y->significand -= (real_u128)1 << 62;
    if (y->significand >> 127)
        return;
    y->significand = y->significand << 1 | (real_u128)1 << 62;
    y->exponent--;
}

/* y at quarters between neighbours (the last gap reaches beyond overflow),
 * exact, a little more and a little less, positive and negative. */
static void judge_type(struct judge *j, int stride)
{
    uint64_t last = real_max(j->type, false);
    for (uint64_t b = 0; b <= last;
         b += b < 20 || b + 20 > last ? 1 : (uint64_t)stride) {
        struct real a = real_from_bits(j->type, b);
        struct real next = real_from_bits(j->type, b == last ? b : b + 1);
        int64_t e = a.kind == REAL_ZERO ? next.exponent : a.exponent;
        int p = dtype_table[j->type].precision;
        int64_t unit = e - p + 1;
        if (e < dtype_table[j->type].emin)
            unit = dtype_table[j->type].emin - p + 1;
        int64_t m =
            a.kind == REAL_ZERO
                ? 0
                : (int64_t)(a.significand >> (127 - (a.exponent - unit)));
        for (int quarter = 0; quarter < (b == last ? 9 : 4); quarter++)
            for (int form = 0; form < 6; form++) {
                struct real y = number(4 * m + quarter, unit - 2,
                                       form < 4 && form & 1 ? 66 : 0);
                if (form >> 1 == 2)
                    lessen(&y);
                y.negative = form >> 1 == 1 || form == 5;
                if (y.kind == REAL_FINITE)
                    judge_one(j, &y);
            }
    }
}

static void against_model(const struct slow_format *f)
{
    struct slow_table table;
    slow_float_table(&table, f);
    for (int i = 0; i < TRIALS; i++) {
        struct judge j = {.table = &table};
        if (!dtype_parse(f->name, strlen(f->name), &j.type))
            abort();
        mpq_inits(j.slow.ulps, j.slow.abs, j.slow.rel, j.slow.low, j.slow.high,
                  NULL);
        set_up(&trials[i], &j.budget, &j.rules, &j.slow);
        judge_type(&j, slow_float_bits(f) < 8 ? 1 : 7);
        mpq_clears(j.slow.ulps, j.slow.abs, j.slow.rel, j.slow.low, j.slow.high,
                   NULL);
        /* One digit: y less an ulp of y is all tail, and may be anywhere. */
        bool expected = strcmp(f->name, "f8e8m0fnu") == 0;
        OK(j.wrong == 0 && (j.undecided == 0 || expected) && j.checked > 1000,
           "%s, trial %d: %ld of %ld wrong, %ld undecided; %s", f->name, i,
           j.wrong, j.checked, j.undecided, j.first);
    }
    slow_float_free(&table);
}

int main(void)
{
    for (int i = 0; i < SLOW_FLOATS; i++)
        if (slow_float_bits(&slow_formats[i]) <= 8)
            against_model(&slow_formats[i]);
    return tap_done();
}
