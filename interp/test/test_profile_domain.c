/* test_profile_domain.c - budgets that are for some operands only.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Patterns by hand: 0x3f800000 is 1 in f32, 0x3fb999999999999a the f64 next to
 * 0.1 and 5.55e-18 above it.  sqrt(2) to 49 decimals is
 * 1.4142135623730950488016887242096980785696718753769, cut off.
 */
#include <string.h>

#include "interp/specification/profile_domain.h"
#include "interp/test/slow_profile.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;

static const char *with_if(const char *class, const char *domain)
{
    return arena_printf(&arena,
                        "{\"profile\": \"x\", \"budgets\": [{\"class\": "
                        "\"%s\", \"types\": [\"*\"], \"budget\": {\"kind\": "
                        "\"ulp\", \"ulps\": \"1\"},\n\"if\": %s}]}",
                        class, domain);
}

static void refused(const char *class, const char *domain, const char *part)
{
    struct status st;
    OK(!slow_profile(&arena, with_if(class, domain), &st)
           && st.code == STATUS_INPUT && strstr(st.text, part),
       "%s: %s refused: '%s' tells '%s'", class, domain, st.text, part);
    EQ_INT(st.line, 2, "and where");
}

static void check_refused(void)
{
    refused("Sin", "3", "object");
    refused("Sin", "{\"below\": \"1\"}", "lacks 'operand'");
    refused("Sin", "{\"operand\": 0}", "lacks 'from'");
    refused("Sin", "{\"operand\": 0, \"over\": \"1\"}", "unknown member");
    refused("Sin", "{\"operand\": 1, \"below\": \"1\"}",
            "Sin has no operand 1: expected 0 to 0");
    refused("Sin", "{\"operand\": -1, \"below\": \"1\"}", "no operand -1");
    refused("*", "{\"operand\": 3, \"below\": \"1\"}", "expected 0 to 2");
    refused("Pow.complex", "{\"operand\": \"rsh\", \"below\": \"1\"}",
            "Pow has no operand 'rsh'");
    refused("arithmetic", "{\"operand\": \"lhs\", \"below\": \"1\"}",
            "expected an operand number");
    refused("Sin", "{\"operand\": 0, \"below\": \"one\"}", "decimal number");
    refused("Sin", "{\"operand\": 0, \"from\": \"--1\"}", "decimal number");
    refused("Sin", "{\"operand\": 0, \"abs-below\": \"-1\"}", "not negative");
    refused("Sin", "{\"operand\": 0, \"from\": \"2\", \"below\": \"2.0\"}",
            "the range from 2 to below 2.0 is empty");
    refused("Sin", "{\"operand\": 0, \"from\": \"-1\", \"below\": \"-2\"}",
            "empty");
    refused("Sin", "{\"operand\": 0, \"abs-below\": \"0\"}", "empty");
    refused("Sin", "{\"operand\": 0, \"from\": \"1\", \"abs-below\": \"2\"}",
            "cannot be combined with");
}

/* Is an element of up to two parts in the domain? */
static bool has(const char *class, const char *domain, enum dtype unit,
                int units, uint64_t re, uint64_t im)
{
    struct status st;
    const struct profile *p = slow_profile(&arena, with_if(class, domain), &st);
    uint64_t x[2] = {re, im};
    struct profile_element e = {unit, units, 1, x};
    if (!OK(p != NULL, "%s: %s", domain, st.text))
        return false;
    OK(profile_has_domains(p, class, unit), "it depends on the operand");
    return profile_budget_at(p, class, unit, &e)->kind == ACCEPT_ULP;
}

static void check_real(void)
{
    static const struct {
        const char *domain;
        enum dtype unit;
        uint64_t x;
        bool in;
    } rows[] = {
        {"{\"operand\": 0, \"below\": \"1\"}", DT_f32, 0x3f7fffff, true},
        {"{\"operand\": 0, \"below\": \"1\"}", DT_f32, 0x3f800000, false},
        {"{\"operand\": 0, \"below\": \"1\"}", DT_f32, 0xff800000, true},
        {"{\"operand\": 0, \"from\": \"1\"}", DT_f32, 0x3f800000, true},
        {"{\"operand\": 0, \"from\": \"1\"}", DT_f32, 0xbf800000, false},
        {"{\"operand\": 0, \"abs-from\": \"1\"}", DT_f32, 0xbf800000, true},
        {"{\"operand\": 0, \"abs-below\": \"1\"}", DT_f32, 0xbf800000, false},
        {"{\"operand\": 0, \"abs-from\": \"1\"}", DT_f32, 0x7f800000, true},
        {"{\"operand\": 0, \"abs-from\": \"0\"}", DT_f32, 0x80000000, true},
        {"{\"operand\": 0, \"from\": \"0\"}", DT_f32, 0x80000000, true},
        {"{\"operand\": 0, \"from\": \"-9\"}", DT_f32, 0x7fc00000, false},
        {"{\"operand\": 0, \"below\": \"9\"}", DT_f32, 0x7fc00000, false},
        {"{\"operand\": \"operand\", \"below\": \"0.1\"}", DT_f64,
         0x3fb999999999999a, false},
        {"{\"operand\": 0, \"from\": \"0.1\"}", DT_f64, 0x3fb999999999999a,
         true},
        {"{\"operand\": 0, \"below\": \"0.1\"}", DT_f64, 0x3fb9999999999999,
         true},
        {"{\"operand\": 0, \"below\": \"-0.1\"}", DT_f64, 0xbfb999999999999a,
         true},
        {"{\"operand\": 0, \"from\": \"-0.1\"}", DT_f64, 0xbfb999999999999a,
         false},
        {"{\"operand\": 0, \"from\": \"-0.1\"}", DT_f64, 0xbfb9999999999999,
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        EQ_INT(has("Sin", rows[i].domain, rows[i].unit, 1, rows[i].x, 0),
               rows[i].in, "%s of %llx", rows[i].domain,
               (unsigned long long)rows[i].x);
}

/* 3 + 4i has the modulus 5, and 1 + i the square root of 2. */
static void check_complex(void)
{
    const uint64_t three = 0x4008000000000000, four = 0x4010000000000000,
                   one = 0x3ff0000000000000, nan = 0x7ff8000000000000;
    const char *root = "1.4142135623730950488016887242096980785696718753769";
    const char *more = "1.4142135623730950488016887242096980785696718753770";
    const char *five = "{\"operand\": 0, \"abs-below\": \"5\"}";
    const char *above =
        arena_printf(&arena, "{\"operand\": 0, \"abs-from\": \"%s\"}", root);
    const char *below =
        arena_printf(&arena, "{\"operand\": 0, \"abs-below\": \"%s\"}", more);
    OK(!has("Sin.complex", five, DT_f64, 2, three, four), "|3 + 4i| = 5");
    OK(has("Sin.complex", five, DT_f64, 2, three, three), "|3 + 3i| < 5");
    OK(!has("Sin.complex", five, DT_f64, 2, three, nan), "a NaN is in none");
    OK(has("Sin.complex", above, DT_f64, 2, one, one),
       "sqrt(2), and its first 50 digits");
    OK(has("Sin.complex", below, DT_f64, 2, one, one), "and the next of them");
    OK(!has("Sin.complex", "{\"operand\": 0, \"from\": \"0\"}", DT_f64, 2,
            three, four),
       "complex numbers have no order");
}

static const char several[] =
    "{\"profile\": \"mine\", \"extends\": \"strict\", \"budgets\": [\n"
    " {\"class\": \"Atan2\", \"types\": [\"f32\"], \"if\": {\"operand\": "
    "\"rhs\", \"from\": \"1\", \"below\": \"2\"}, \"budget\": {\"kind\": "
    "\"faithful\"}},\n"
    " {\"class\": \"Atan2\", \"types\": [\"f32\"], \"if\": {\"operand\": 0, "
    "\"abs-below\": \"1e3\"}, \"budget\": {\"kind\": \"ulp\", \"ulps\": "
    "\"8\"}},\n"
    " {\"class\": \"Atan2\", \"types\": [\"*\"], \"budget\": {\"kind\": "
    "\"any\"}, \"source\": \"mine\"}]}";

static void check_order(void)
{
    struct status st;
    const struct profile *p = slow_profile(&arena, several, &st);
    uint64_t x[2] = {0x3f800000, 0x3f800000}; /* 1, 1 */
    struct profile_element e = {DT_f32, 1, 2, x};
    const struct profile_domain *domain;
    const char *source;
    if (!OK(p != NULL, "several: %s", st.text))
        return;
    EQ_INT(profile_budget_at(p, "Atan2", DT_f32, &e)->kind, ACCEPT_FAITHFUL,
           "the first entry that fits");
    x[1] = 0x40000000; /* 2 */
    EQ_INT(profile_budget_at(p, "Atan2", DT_f32, &e)->kind, ACCEPT_ULP,
           "the second one");
    x[0] = 0x447a0000; /* 1000 */
    EQ_INT(profile_budget_at(p, "Atan2", DT_f32, &e)->kind, ACCEPT_ANY,
           "what is for all");
    EQ_INT(profile_budget(p, "Atan2", DT_f32, &source)->kind, ACCEPT_ANY,
           "the only one that is asked for without operands");
    EQ_STR(source, "mine", "and has its source");
    OK(!profile_has_domains(p, "Atan2", DT_f64), "f64 has no domains");
    OK(!profile_has_domains(p, "Sin", DT_f32), "nor has Sin");
    e.count = 1;
    x[0] = 0x3f800000;
    EQ_INT(profile_budget_at(p, "Atan2", DT_f32, &e)->kind, ACCEPT_ULP,
           "there is no operand 1");

    static const char *const texts[] = {"1 <= x < 2", "|x| < 1e3", NULL};
    for (int n = 0; n < 3; n++) {
        const struct accept_budget *b =
            profile_budget_nth(p, "Atan2", DT_f32, n, &domain);
        OK(b && !domain == !texts[n], "entry %d", n);
        if (domain)
            EQ_STR(profile_domain_text(&arena, domain, "x"), texts[n],
                   "in words");
    }
    OK(!profile_budget_nth(p, "Atan2", DT_f32, 3, &domain), "no more");
}

int main(void)
{
    check_refused();
    check_real();
    check_complex();
    check_order();
    arena_free(&arena);
    return tap_done();
}
