/* test_plugin_state.c - the host and a plugin each find their own state.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * What a plugin may leave is in runner/backends/evil/left_behind.c, which is
 * run as a whole (evil.t); this is about the two sides of a call, and about
 * host code within one.
 */
#define _GNU_SOURCE
#include <assay/ext/program_json.h>
#include <fenv.h>
#include <gmp.h>
#include <locale.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

#include "interp/case/case.h"
#include "interp/test/tap.h"
#include "runner/plugin/abi_case.h"
#include "runner/plugin/extension.h"
#include "runner/plugin/plugin_state.h"

static locale_t own_locale;

/* A plugin sets up what it shares with the host. */
static void set_up(void)
{
    mpfr_set_emin(-10);
    mpfr_set_emax(-5);
    mpfr_set_default_prec(17);
    mpfr_set_default_rounding_mode(MPFR_RNDU);
    uselocale(own_locale);
}

static bool is_set_up(void)
{
    return mpfr_get_emin() == -10 && mpfr_get_emax() == -5
           && mpfr_get_default_prec() == 17
           && mpfr_get_default_rounding_mode() == MPFR_RNDU
           && uselocale((locale_t)0) == own_locale;
}

static void libraries(void)
{
    mpfr_exp_t low = mpfr_get_emin(), high = mpfr_get_emax();
    mpfr_prec_t precision = mpfr_get_default_prec();
    plugin_state_give();
    set_up();
    EQ_INT(plugin_state_take(), 0, "libraries are the plugin's to set up");
    OK(mpfr_get_emin() == low && mpfr_get_emax() == high
           && mpfr_get_default_prec() == precision
           && mpfr_get_default_rounding_mode() == MPFR_RNDN,
       "the host does not see it");
    plugin_state_give();
    OK(is_set_up(), "the plugin finds it at the next call");
    EQ_INT(plugin_state_take(), 0, "and leaves it");
}

static void processor(void)
{
    int mode = fegetround();
    plugin_state_give();
    fesetround(FE_UPWARD);
    EQ_INT(plugin_state_take(), PLUGIN_STATE_MODE, "a rounding mode is told");
    EQ_INT(fegetround(), mode, "and put right");
    plugin_state_give();
    EQ_INT(fegetround(), mode, "for the plugin, too");
    EQ_INT(plugin_state_take(), 0, "so it is told once");
    plugin_state_give();
    feraiseexcept(FE_INEXACT | FE_OVERFLOW);
    EQ_INT(plugin_state_take(), 0, "raised exceptions are no change");
#if defined __x86_64__
    uint16_t word, now;
    plugin_state_give();
    __asm__ volatile("fnstcw %0" : "=m"(word));
    now = (uint16_t)(word & ~0x304); /* precision, a mask */
    __asm__ volatile("fldcw %0" : : "m"(now));
    __asm__ volatile("fldz");
    __asm__ volatile("std" ::: "cc");
    EQ_INT(plugin_state_take(),
           PLUGIN_STATE_MODE | PLUGIN_STATE_REGISTERS | PLUGIN_STATE_BACKWARDS,
           "x87 control and registers, and the direction, are told");
    __asm__ volatile("fnstcw %0" : "=m"(now));
    EQ_INT(now, word, "and put right");
    plugin_state_give();
    EQ_INT(plugin_state_take(), 0, "all of them");
#endif
}

/* One half of a subnormal: MPFR cannot read it with a small range, nor print
 * it.
 */
static const char *program_text(const struct test_case *c, struct arena *a,
                                bool changed)
{
    const assay_program_json *json = extension_find(ASSAY_PROGRAM_JSON);
    const struct abi_case *own = abi_case(a, c);
    assay_error error = {.size = sizeof error};
    const char *text = "";
    extension_program(a, c->program);
    plugin_state_give();
    if (changed) {
        set_up();
        fesetround(FE_UPWARD);
    }
    json->text(NULL, own->program, &text, &error);
    if (changed) {
        OK(is_set_up() && fegetround() == FE_UPWARD,
           "after host code within a call the plugin has its own state");
        fesetround(FE_TONEAREST);
    }
    EQ_INT(plugin_state_take(), 0, "nothing is blamed");
    return text;
}

static void inside(void)
{
    static const char file[] =
        "{\"format\": \"assay-case/1\", \"op\": \"BatchNormInference\","
        " \"cases\": [{\"id\": \"a\", \"why\": \"an epsilon far from 1\","
        " \"attributes\": {\"epsilon\": \"1e30\", \"feature_index\": 0},"
        " \"inputs\": [{\"shape\": \"f32[1]\", \"data\": [1]},"
        " {\"shape\": \"f32[1]\", \"data\": [1]},"
        " {\"shape\": \"f32[1]\", \"data\": [1]},"
        " {\"shape\": \"f32[1]\", \"data\": [1]},"
        " {\"shape\": \"f32[1]\", \"data\": [1]}]}]}";
    struct arena a = ARENA_INIT;
    struct status st = {STATUS_OK};
    struct limits limits = LIMITS_DEFAULT;
    struct case_file *f;
    struct test_case *c;
    if (!OK(case_file_parse(&a, "a.json", "BatchNormInference/a", file,
                            strlen(file), &limits, &f, &st)
                && case_make(&a, &f->stubs[0], NULL, &limits, &c, &st),
            "a case (%s)", st.text))
        return;
    const char *plain = program_text(c, &a, false);
    OK(strstr(plain, "\"epsilon\":\"1e+30\""), "a program as text: %s", plain);
    EQ_STR(program_text(c, &a, true), plain,
           "is the same whatever the plugin has set");
    arena_free(&a);
}

int main(void)
{
    own_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    plugin_state_begin();
    plugin_state_opened();
    inside(); /* first: the plugin keeps what it sets up */
    libraries();
    processor();
    return tap_done();
}
