/* test_profile.c - profiles: what they choose, allow and inherit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "gen/policy/convert_overflow.h"
#include "gen/policy/max_nan.h"
#include "interp/specification/profile.h"
#include "interp/test/slow_profile.h"
#include "interp/test/tap.h"

static struct arena arena = ARENA_INIT;

static void refused(const char *text, const char *part, unsigned line)
{
    struct status st;
    const struct profile *p = slow_profile(&arena, text, &st);
    OK(!p && st.code == STATUS_INPUT, "refused: %s", part);
    OK(strstr(st.text, part) != NULL, "'%s' tells '%s'", st.text, part);
    EQ_INT(st.line, line, "and where");
}

static void check_builtin(void)
{
    for (const char *const *n = profile_names(&arena); *n; n++) {
        struct status st = {STATUS_OK};
        const struct profile *p = NULL;
        bool good = profile_load(&arena, *n, &p, &st);
        OK(good, "%s loads: %s %s", *n, st.member ? st.member : "", st.text);
        if (good)
            EQ_STR(profile_name(p), *n, "its name is its file's");
    }
    struct status st = {STATUS_OK};
    const struct profile *p = NULL;
    OK(!profile_load(&arena, "nowhere", &p, &st), "an unknown name");
    EQ_INT(st.code, STATUS_INPUT, "is a mistake of the input");
}

/* From the profiles' own description in acceptance.md: strict keeps
 * subnormals and rounds arithmetic correctly. */
static void check_strict(void)
{
    struct status st = {STATUS_OK};
    const struct profile *p;
    const char *source;
    if (!OK(profile_load(&arena, "strict", &p, &st), "strict"))
        return;
    struct accept_rules rules = profile_rules(p, DT_f32);
    EQ_INT(rules.subnormal, 0, "strict preserves subnormals");
    EQ_INT(profile_budget(p, "arithmetic", DT_f32, &source)->kind, ACCEPT_CR,
           "arithmetic is correctly rounded");
    OK(source != NULL, "with a source");
    const struct accept_budget *sin = profile_budget(p, "Sin", DT_f64, NULL);
    EQ_INT(sin->kind, ACCEPT_ULP, "functions have ulps");
    EQ_INT(sin->ulps.kind, REAL_FINITE, "one,");
    EQ_INT(sin->ulps.exponent, 0, "exactly 2^0");
    OK(sin->ulps.significand == (real_u128)1 << 127, "with no fraction");
    OK(!sin->ulps.inexact, "and exact");
    EQ_INT(sin->abs.kind, REAL_ZERO, "no absolute term");
    OK(!profile_warns(p, "flush"), "strict has no remarks");
}

static const char derived[] =
    "{\"profile\": \"mine\", \"extends\": \"strict\",\n"
    " \"choices\": {\"convert.overflow\": \"saturate\"},\n"
    " \"types\": {\"f16\": {\"nan\": \"payload\"}, \"*\": {\"subnormal\": "
    "[\"flush-results\", \"any-sign\"]}},\n"
    " \"warn\": [\"flush\"],\n"
    " \"budgets\": [\n"
    "  {\"class\": \"S*n\", \"types\": [\"f32\"], \"budget\": {\"kind\": "
    "\"ulp\", \"ulps\": \"0.1\"}},\n"
    "  {\"class\": \"*.complex\", \"types\": [\"c64\"], \"budget\": "
    "{\"kind\": \"xla\", \"abs\": \"1e-3\"}},\n"
    "  {\"class\": \"Sin\", \"types\": [\"*\"], \"budget\": {\"kind\": "
    "\"any\"}}]}";

static void check_derived(void)
{
    struct status st;
    const struct profile *p = slow_profile(&arena, derived, &st);
    if (!OK(p != NULL, "a profile in a file: %s", st.text))
        return;
    EQ_INT(profile_convert_overflow(p), CONVERT_OVERFLOW_SATURATE,
           "its choice");
    EQ_INT(profile_max_nan(p), MAX_NAN_PROPAGATE, "strict's choice");
    struct accept_rules rules = profile_rules(p, DT_f16);
    EQ_INT(rules.overflow, REAL_OVERFLOW_TYPE, "f16 has infinities");
    EQ_INT(profile_rules(p, DT_f8e4m3fn).overflow, REAL_OVERFLOW_SATURATE,
           "overflow follows where there is none");
    EQ_INT(rules.nan, ACCEPT_NAN_PAYLOAD, "f16 has its own NaN rule");
    EQ_INT(rules.subnormal, ACCEPT_FLUSH_RESULTS | ACCEPT_FLUSH_ANY_SIGN,
           "and the subnormals of all");
    EQ_INT(profile_rules(p, DT_f32).nan, ACCEPT_NAN_QUIET, "f32: strict's");
    OK(profile_warns(p, "flush"), "its remarks");

    const struct accept_budget *b = profile_budget(p, "Sin", DT_f32, NULL);
    EQ_INT(b->kind, ACCEPT_ULP, "S*n matches Sin, and comes first");
    OK(b->ulps.inexact, "0.1 is not a binary fraction");
    EQ_INT(b->ulps.exponent, -4, "2^-4 <= 0.1 < 2^-3");
    EQ_INT(profile_budget(p, "Sin", DT_f64, NULL)->kind, ACCEPT_ANY,
           "the first that fits the type too");
    EQ_INT(profile_budget(p, "Sinh", DT_f32, NULL)->kind, ACCEPT_ULP,
           "Sinh is strict's");
    OK(!profile_budget(p, "Sinh", DT_f32, NULL)->ulps.inexact, "with 1 ulp");
    EQ_INT(profile_budget(p, "Div.complex", DT_f32, NULL)->kind, ACCEPT_XLA,
           "c64 stands for f32 in a complex class");
    EQ_INT(profile_budget(p, "Div.complex", DT_f64, NULL)->kind, ACCEPT_ULP,
           "but not for f64");
}

static void check_with(void)
{
    struct status st = {STATUS_OK};
    const struct profile *p, *q;
    const struct json *root;
    static const char text[] = "{\"max.nan\": \"propagate\"}";
    static const char bad[] = "{\"max.nan\": \"sometimes\"}";
    static const char list[] = "[\"max.nan\"]", unknown[] = "[\"max.man\"]";
    if (!OK(profile_load(&arena, "spec", &p, &st), "spec"))
        return;
    json_parse(&arena, "t", text, strlen(text), &root, &st);
    OK(profile_with(&arena, p, root, &q, &st), "a case's choices");
    EQ_INT(profile_max_nan(q), MAX_NAN_PROPAGATE, "come first");
    OK(profile_with(&arena, p, NULL, &q, &st) && p == q, "none");
    json_parse(&arena, "t", bad, strlen(bad), &root, &st);
    OK(!profile_with(&arena, p, root, &q, &st), "an unknown choice");
    EQ_STR(st.member, "/max.nan", "is named");
    st.code = STATUS_OK;
    json_parse(&arena, "t", list, strlen(list), &root, &st);
    OK(profile_with(&arena, p, root, &q, &st), "a list of names");
    json_parse(&arena, "t", unknown, strlen(unknown), &root, &st);
    OK(!profile_with(&arena, p, root, &q, &st), "an unknown policy");
    EQ_STR(profile_choice(q, MAX_NAN_POLICY), "propagate", "by its name");
    OK(!profile_choice(q, "max.man"), "no such policy");
}

static void check_refused(void)
{
    refused("[]", "object", 1);
    refused("{}", "lacks 'profile'", 1);
    refused("{\"profile\": \"x\",\n \"colour\": 1}", "unknown member", 2);
    refused("{\"profile\": \"x\", \"extends\":\n\"nowhere\"}",
            "unknown profile", 2);
    refused("{\"profile\": \"x\", \"choices\": {\"a\":\n\"b\"}}",
            "unknown policy", 2);
    refused("{\"profile\": \"x\", \"types\": {\"f33\":\n{}}}", "f33", 2);
    refused("{\"profile\": \"x\", \"types\": {\"f32\": {\"nan\":\n3}}}",
            "canonical", 2);
    refused("{\"profile\": \"x\", \"budgets\": [\n{\"class\": \"Sin\"}]}",
            "lacks", 2);
    refused("{\"profile\": \"x\", \"budgets\": [{\"class\": \"Sin\", "
            "\"types\": [\"*\"],\n\"budget\":\n{\"kind\": \"ulps\"}}]}",
            "expected a kind", 3);
    static const char *const numbers[] = {"-1", "1e99999", "0x1", "1.",
                                          ".5", "inf",     "1e+", ""};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        refused(arena_printf(&arena,
                             "{\"profile\": \"x\", \"budgets\": [{\"class\": "
                             "\"Sin\", \"types\": [\"*\"], \"budget\": "
                             "{\"kind\": \"ulp\",\n\"ulps\": \"%s\"}}]}",
                             numbers[i]),
                "decimal", 2);
}

int main(void)
{
    check_builtin();
    check_strict();
    check_derived();
    check_with();
    check_refused();
    arena_free(&arena);
    return tap_done();
}
