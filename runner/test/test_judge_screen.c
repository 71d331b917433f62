/* test_judge_screen.c - what a hunt screens is judged as it would be alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The expected error and verdict are those of judge_value over all results.
 * All are the reference's own or a little off, and one is worse: that one must
 * be found.  Inputs are drawn anew from a seed, which is printed: ASSAY_SEED=N
 * repeats it.  The expected estimates are hand calculations.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "interp/base/random.h"
#include "interp/base/slow.h"
#include "interp/fast/fast_estimate.h"
#include "interp/filter/judge_fast.h"
#include "interp/test/slow_run.h"
#include "interp/test/tap.h"

enum {
    LENGTH = 700,
    SPOILT = 20, /* one in so many, by an ulp */
    PLANTED = 6, /* ulps, at one of them */
};

static const struct limits limits = LIMITS_DEFAULT;

/* ---- Estimates ----------------------------------------------------------- */

static void check_estimate(const char *op, double x, double y, double got,
                           double due, const char *what)
{
    const struct fast_estimate *e = fast_estimate_find(op);
    double ulps = -1;
    if (e)
        fast_estimate_errors(e, &x, e->function2 ? &y : NULL, &got, 1, &ulps);
    OK(ulps == due, "%s: %s (%a, expected %a)", op, what, ulps, due);
}

static void check_estimates(void)
{
    const double inf = (double)INFINITY, max = 0x1.fffffffffffffp1023;
    check_estimate("Sqrt", 4, 0, 0x1.0000000000001p1, 1, "one ulp above 2");
    check_estimate("Sqrt", 4, 0, 0x1.fffffffffffffp0, 0.5,
                   "the number below 2 is half of 2's ulp away");
    check_estimate("Add", 1, -0x1p-60, 1, 0x1p-7,
                   "the ulp is that of the value, not of what it rounds to");
    check_estimate("Add", -1, 0x1p-60, -1, 0x1p-7, "of negative values, too");
    check_estimate("Mul", 0x1p-1074, 0.5, 0, 0.5, "half of the least number");
    check_estimate("Mul", 0x1p-1022, 0.5, 0x1.0000000000002p-1023, 1,
                   "subnormal numbers have the least ulp");
    check_estimate("Mul", max, 2, inf, 0, "an overflow");
    check_estimate("Mul", max, 2, max, inf, "an overflow that is missed");
    check_estimate("Mul", max, 1, inf, inf, "infinity in place of a number");
    check_estimate("Mul", max, 1, max, 0, "the largest number");
    check_estimate("Neg", 0, 0, 0, inf, "a zero of the wrong sign");
    check_estimate("Neg", 0, 0, -0.0, 0, "a zero");
    check_estimate("Sqrt", -1, 0, (double)NAN, 0, "no number");
    check_estimate("Sqrt", -1, 0, 1, inf, "a number in place of none");
    check_estimate("Sqrt", 4, 0, (double)NAN, inf, "none in place of one");
    OK(!fast_estimate_find("Nonsense"), "no estimate of what is no operation");
}

/* ---- Cases --------------------------------------------------------------- */

/* Near 1 as often as anywhere. */
static struct literal *draw(struct arena *a, enum dtype type, struct random *r)
{
    int64_t n = LENGTH;
    struct literal *x = literal_new(a, shape_array(a, type, 1, &n));
    int shift = dtype_table[type].precision - 1;
    for (int i = 0; i < LENGTH; i++) {
        uint64_t k = random_next(r), near = real_one(type) >> shift;
        uint64_t bits = random_next(r) & dtype_mask(type);
        near = near - 2 + (k >> 8) % 4;
        if (k % 2 == 0)
            bits = (bits & ((UINT64_C(1) << shift) - 1)) | near << shift;
        literal_set(x, i, bits);
    }
    return x;
}

static struct test_case *make_case(struct arena *a,
                                   const struct fast_estimate *e,
                                   enum dtype type, struct random *r)
{
    struct literal *x = draw(a, type, r);
    return slow_run_case(a, &limits, e->op, x,
                         e->function ? NULL : draw(a, type, r));
}

struct judged {
    bool done;
    struct verdict verdict;
    enum verdict_status status;
    char text[320];
};

/* All results, or what the screen lets through. */
static struct judged judge(const struct judge_value *by,
                           const struct literal *got, bool screened)
{
    const int64_t n = LENGTH;
    const struct dtype_info *t = &dtype_table[got->shape->dtype];
    const uint64_t bytes = (uint64_t)LENGTH * (uint64_t)t->bits / 8;
    const struct judge_given given = {
        .got = {t->name, 1, &n, &n, bytes, bytes, got->data}};
    struct judged to = {.done = false};
    struct judge_reference shape;
    to.done = screened ? judge_screen(by, &given, &to.verdict, &shape,
                                      &to.status, to.text, sizeof to.text)
                       : judge_value(by, &given, 1, &to.verdict, &to.status,
                                     to.text, sizeof to.text);
    return to;
}

/* A normal number, far from the ends. */
static bool is_plain(uint64_t bits)
{
    uint64_t e = bits >> 52 & 0x7ff;
    return e > 100 && e < 2000;
}

/* The reference's results, of which some are an ulp off, and which one could be
 * further off; -1: none. */
static struct literal *give(struct arena *a, const struct literal *due,
                            struct random *r, bool spoil, int64_t *planted)
{
    struct literal *got = literal_new(a, due->shape);
    *planted = -1;
    for (int i = 0; i < LENGTH; i++) {
        uint64_t bits = literal_get(due, i), k = random_next(r);
        if (is_plain(bits) && (*planted < 0 || k % 64 == 0))
            *planted = i;
        if (spoil && is_plain(bits) && k % SPOILT == 0)
            bits += k >> 63 ? 1 : -UINT64_C(1);
        literal_set(got, i, bits);
    }
    return got;
}

/* ---- Comparison ---------------------------------------------------------- */

static void check_found(const struct judged *screen, const struct judged *all,
                        const char *op, const char *what)
{
    const struct verdict *x = &screen->verdict, *y = &all->verdict;
    OK(screen->done && all->done, "%s, %s: is screened", op, what);
    OK(x->units <= JUDGE_SCREEN_MOST && x->units > 0, "%s, %s: few are judged",
       op, what);
    OK(screen->status == all->status, "%s, %s: the status", op, what);
    OK(x->special == y->special, "%s, %s: special values", op, what);
    OK(y->bad == 0 || x->bad > 0, "%s, %s: what is wrong", op, what);
}

static void compare_paths(const struct fast_estimate *e,
                          const struct profile *profile, struct random *r)
{
    struct arena a = ARENA_INIT;
    struct judge_reference plain;
    struct status st = {0};
    int64_t at;
    struct judge_value by = {.arena = &a,
                             .mode = {.profile = profile, .limits = &limits},
                             .made = make_case(&a, e, DT_f64, r),
                             .plain = &plain,
                             .bins = true};
    if (!judge_reference(&a, by.made, &by.mode, &plain, &st))
        exit(2);
    const struct literal *due = plain.outcomes[0].value;
    struct literal *got = give(&a, due, r, false, &at);
    struct judged screen = judge(&by, got, true), all = judge(&by, got, false);
    check_found(&screen, &all, e->op, "rounded correctly");
    got = give(&a, due, r, true, &at);
    OK(at >= 0, "%s: has a number", e->op);
    literal_set(got, at, literal_get(due, at) + PLANTED);
    screen = judge(&by, got, true);
    all = judge(&by, got, false);
    check_found(&screen, &all, e->op, "a large error");
    const struct verdict_worst *found = &screen.verdict.error;
    const struct verdict_worst *most = &all.verdict.error;
    /* An exact operation's errors have no size. */
    OK(found->has == most->has
           && (!most->has
               || (found->unit == at && most->unit == at
                   && found->size == most->size)),
       "%s: the largest error, exactly, and its input", e->op);
    literal_set(got, at, real_nan(DT_f64, false));
    screen = judge(&by, got, true);
    all = judge(&by, got, false);
    check_found(&screen, &all, e->op, "a NaN");
    OK(screen.verdict.special == 1, "%s: the NaN is found", e->op);
    arena_free(&a);
}

static void check_refusal(const struct profile *profile, struct random *r)
{
    struct arena a = ARENA_INIT;
    const struct fast_estimate *e = fast_estimate_find("Exp");
    struct judge_value by = {.arena = &a,
                             .mode = {.profile = profile, .limits = &limits},
                             .made = make_case(&a, e, DT_f32, r),
                             .bins = true};
    const struct literal *x = by.made->inputs[0][0];
    struct judged screen = judge(&by, x, true);
    OK(!screen.done, "f32 is not screened");
    by.made = make_case(&a, e, DT_f64, r);
    slow_on();
    screen = judge(&by, by.made->inputs[0][0], true);
    OK(!screen.done, "nothing is screened where fast paths are turned off");
    arena_free(&a);
}

int main(void)
{
    const char *given = getenv("ASSAY_SEED");
    struct random r = {given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL)};
    struct arena a = ARENA_INIT;
    struct status st = {0};
    const struct profile *profile;
    printf("# ASSAY_SEED=%llu\n", (unsigned long long)r.state);
    if (!spec_load(&st) || !profile_load(&a, "strict", &profile, &st))
        return 2;
    check_estimates();
    for (int i = 0; i < fast_estimate_count(); i++)
        compare_paths(fast_estimate_at(i), profile, &r);
    check_refusal(profile, &r);
    arena_free(&a);
    return tap_done();
}
