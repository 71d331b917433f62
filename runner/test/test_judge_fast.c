/* test_judge_fast.c - judging by kernels is judging by MPFR.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The expected result is what judge_value alone says of the same results, of
 * which some are wrong on purpose.  Inputs are drawn anew from a seed, which is
 * printed: ASSAY_SEED=N repeats it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/base/random.h"
#include "interp/base/slow.h"
#include "interp/fast/fast.h"
#include "interp/filter/judge_fast.h"
#include "interp/test/slow_run.h"
#include "interp/test/tap.h"

enum {
    LENGTH = 1500,
    TRIALS = 7,
};

/* What is drawn: any inputs, or neighbours, as a sweep has; and how many
 * results are spoilt, one in so many, or of those by an ulp or two. */
static const struct trial {
    enum dtype type;
    bool run;
    int spoilt, near;
} trials[TRIALS] = {
    {DT_f32, false, 20, 0},    {DT_f32, false, 1000, 0}, {DT_f16, false, 20, 0},
    {DT_bf16, false, 1000, 0}, {DT_f32, true, 1000, 6},  {DT_f32, true, 200, 0},
    {DT_f16, true, 1000, 6},
};

static const char *const profiles[] = {"spec", "strict", "xla-gpu-default",
                                       "xla-exhaustive", "stablehlo"};
enum {
    PROFILES = sizeof profiles / sizeof profiles[0]
};

/* Patterns near which something ends: zero, subnormal numbers, 1/2, 1, the
 * ranges of Exp and its relatives, pi / 2, infinity. */
static const uint32_t edges[] = {0,          0x00800000, 0x0c000000, 0x2d000000,
                                 0x32000000, 0x3d800000, 0x3f000000, 0x3f13cd3a,
                                 0x3f800000, 0x3fc90fdb, 0x40490fdb, 0x41100000,
                                 0x42aeac50, 0x42b17218, 0x42cff1b5, 0x4b000000,
                                 0x7f7fff00, 0x7f800000, 0x7fc00000};

static int declined; /* arrays of which no values were computed */

struct judged {
    bool done;
    struct verdict verdict;
    enum verdict_status status;
    char text[320];
};

/* Of f32; of the types of 16 bits all patterns are drawn. */
static uint32_t draw_input(struct random *r)
{
    uint64_t k = random_next(r);
    uint32_t sign = (uint32_t)(k >> 63) << 31;
    if (k & 1)
        return (uint32_t)(k >> 16);
    size_t n = sizeof edges / sizeof edges[0];
    uint32_t near = edges[(k >> 8 & 0xffff) % n];
    uint32_t width = k & 2 ? 63 : 0xfffff;
    return (near + ((uint32_t)(k >> 32) & width) - width / 2) ^ sign;
}

static struct literal *draw(struct arena *a, const struct trial *t,
                            struct random *r)
{
    int64_t n = LENGTH;
    struct literal *x = literal_new(a, shape_array(a, t->type, 1, &n));
    const uint32_t first = draw_input(r), step = 1 + (draw_input(r) & 0xfff);
    const int bits = dtype_table[t->type].bits;
    for (uint32_t i = 0; i < LENGTH; i++) {
        uint32_t next = bits == 32 ? first + i * step : first + (i << 16);
        literal_set(x, i, (t->run ? next : draw_input(r)) >> (32 - bits));
    }
    return x;
}

static struct test_case *make_case(struct arena *a,
                                   const struct fast_kernel *kernel,
                                   const struct trial *trial,
                                   const struct limits *limits,
                                   struct random *r)
{
    struct literal *x = draw(a, trial, r);
    return slow_run_case(a, limits, kernel->op, x,
                         kernel->function ? NULL : draw(a, trial, r));
}

/* Now and then something else than what is expected. */
static uint64_t spoil(struct random *r, const struct trial *t, uint64_t due)
{
    uint64_t k = random_next(r);
    const enum dtype type = t->type;
    if (t->near > 0 && (k >> 16) % (unsigned)t->near == 0)
        due += (uint64_t)(k >> 33 & 1 ? 1 : -1) * (1 + (k >> 34 & 1));
    if (k % (unsigned)t->spoilt != 0)
        return due & dtype_mask(type);
    uint64_t step = k >> 40 & 7, mask = dtype_mask(type);
    uint64_t sign = mask ^ (mask >> 1);
    switch (k >> 32 & 7) {
    case 0:
        return due & sign;
    case 1:
        return due ^ sign;
    case 2:
        return real_nan(type, true);
    case 3:
        return real_inf(type, (due & sign) != 0);
    case 4:
        return (due + step) & mask;
    case 5:
        return (due - step) & mask;
    default:
        return (due + 1) & mask;
    }
}

static void judge_one(const struct judge_value *by,
                      const struct judge_given *given, bool fast,
                      struct judged *to)
{
    struct judge_reference shape;
    memset(to, 0, sizeof *to);
    to->done = fast ? judge_fast(by, given, &to->verdict, &shape, &to->status,
                                 to->text, sizeof to->text)
                    : judge_value(by, given, 1, &to->verdict, &to->status,
                                  to->text, sizeof to->text);
}

static bool same_wrong(const struct verdict *a, const struct verdict *b)
{
    bool same = a->wrong_count == b->wrong_count;
    for (int i = 0; same && i < a->wrong_count; i++) {
        const struct verdict_wrong *x = &a->wrong[i], *y = &b->wrong[i];
        same = x->unit == y->unit && x->got == y->got && x->want == y->want
               && x->has_error == y->has_error && x->error == y->error
               && x->set.count == y->set.count
               && memcmp(x->set.range, y->set.range,
                         (size_t)x->set.count * sizeof *x->set.range)
                      == 0
               && strcmp(x->accept, y->accept) == 0;
    }
    return same;
}

static bool same_remarks(const struct verdict *a, const struct verdict *b)
{
    bool same = a->remark_count == b->remark_count;
    for (int i = 0; same && i < a->remark_count; i++)
        same = strcmp(a->remarks[i].name, b->remarks[i].name) == 0
               && a->remarks[i].units == b->remarks[i].units;
    return same;
}

static bool same(const struct judged *x, const struct judged *y)
{
    const struct verdict *a = &x->verdict, *b = &y->verdict;
    return x->done && y->done && x->status == y->status
           && strcmp(x->text, y->text) == 0 && a->units == b->units
           && memcmp(a->branch, b->branch, sizeof a->branch) == 0
           && a->correct == b->correct && a->special == b->special
           && a->whole == b->whole && a->undecided == b->undecided
           && a->bad == b->bad && a->error.has == b->error.has
           && a->error.size == b->error.size && a->error.unit == b->error.unit
           && a->share.has == b->share.has && same_wrong(a, b)
           && same_remarks(a, b)
           && memcmp(a->bins, b->bins, VERDICT_BINS * sizeof *a->bins) == 0;
}

/* One kernel, under one profile. */
static void compare_paths(const struct fast_kernel *kernel,
                          const struct trial *trial,
                          const struct profile *profile, const char *name,
                          struct random *r)
{
    static const struct limits limits = LIMITS_DEFAULT;
    struct arena a = ARENA_INIT;
    struct judge_reference plain;
    struct status st = {0};
    struct judged fast, exact;
    const int64_t n = LENGTH;
    const struct dtype_info *t = &dtype_table[trial->type];
    const uint64_t bytes = (uint64_t)LENGTH * (uint64_t)t->bits / 8;
    struct judge_value by = {.arena = &a,
                             .mode = {.profile = profile, .limits = &limits},
                             .made = make_case(&a, kernel, trial, &limits, r),
                             .plain = &plain,
                             .bins = true};
    if (!judge_reference(&a, by.made, &by.mode, &plain, &st))
        exit(2);
    const struct literal *due = plain.outcomes[0].value;
    struct literal *got = literal_new(&a, due->shape);
    for (int i = 0; i < LENGTH; i++)
        literal_set(got, i, spoil(r, trial, literal_get(due, i)));
    const struct judge_given given = {
        .got = {t->name, 1, &n, &n, bytes, bytes, got->data}};
    judge_one(&by, &given, true, &fast);
    judge_one(&by, &given, false, &exact);
    OK(fast.done, "%s %s by a kernel under %s", kernel->op, t->name, name);
    const struct literal *value = judge_exact(&a, by.made, &by.mode);
    declined += !value;
    OK(!value || memcmp(value->data, due->data, bytes) == 0,
       "%s %s%s: its value by the kernel is MPFR's, bit for bit", kernel->op,
       t->name, trial->run ? " in a row" : "");
    OK(same(&fast, &exact), "%s %s%s under %s, one result in %d spoilt",
       kernel->op, t->name, trial->run ? " in a row" : "", name,
       trial->near > 0 ? trial->near : trial->spoilt);
    arena_free(&a);
}

int main(void)
{
    const char *given = getenv("ASSAY_SEED");
    struct random r = {given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL)};
    struct arena a = ARENA_INIT;
    struct status st = {0};
    printf("# ASSAY_SEED=%llu\n", (unsigned long long)r.state);
    if (!spec_load(&st))
        return 2;
    for (int p = 0; p < PROFILES; p++) {
        const struct profile *profile;
        if (!profile_load(&a, profiles[p], &profile, &st))
            return 2;
        for (int k = 0; k < fast_count() * TRIALS; k++)
            compare_paths(fast_at(k / TRIALS), &trials[k % TRIALS], profile,
                          profiles[p], &r);
    }
    /* Where most inputs are infinite or next to a zero of the function. */
    OK(declined * 20 < fast_count() * TRIALS * PROFILES,
       "values are computed by kernels, but for %d arrays", declined);
    struct random again = r;
    slow_on();
    struct judged judged;
    static const struct limits limits = LIMITS_DEFAULT;
    struct judge_value by = {
        .arena = &a,
        .mode = {.limits = &limits},
        .made = make_case(&a, fast_at(0), &trials[0], &limits, &again),
        .bins = true};
    judge_one(&by, &(struct judge_given){0}, true, &judged);
    OK(!judge_exact(&a, by.made, &by.mode), "no kernel decides values, and");
    OK(!judged.done, "no kernel is asked where fast paths are turned off");
    arena_free(&a);
    return tap_done();
}
