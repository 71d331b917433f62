/* plugin_state.c - see plugin_state.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Raised flags are not a change: every computation raises some.
 * test_plugin_state.c and evil.t test this (rounding_mode, flush_left,
 * backwards, left_behind).
 */
#define _GNU_SOURCE
#include "runner/plugin/plugin_state.h"

#include <fenv.h>
#include <gmp.h>
#include <locale.h>
#include <mpfr.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- The processor ------------------------------------------------------- */

#if defined __x86_64__ || defined __i386__
#    define X86 1
#else
#    define X86 0
#endif

enum {
    MXCSR_FLAGS = 0x3f,
    X87_CONTROL = 0x1f3f, /* masks, precision, rounding; the rest is fixed */
    X87_EMPTY = 0xffff,   /* the tags of all registers */
    X87_TOP = 0x3800,     /* of the status: the first register */
    DIRECTION = 0x400,
    ALIGNMENT = 0x40000,
};

struct processor {
    fenv_t all;
    uint64_t control; /* what counts of it */
    bool in_use;      /* x87 registers, which MMX's are, too */
};

/* The layout that FNSTENV writes. */
struct x87 {
    uint32_t control, status, tags, rest[4];
};

/* Nothing here waits for a pending exception, which would then be raised. */
static struct processor processor_now(void)
{
    struct processor p = {.in_use = false};
#if X86
    struct x87 x;
    __asm__ volatile("fnstenv %0\n\tfldcw %0" : "=m"(x));
    p.control = (uint64_t)(x.control & X87_CONTROL) << 32;
    p.in_use =
        (uint16_t)x.tags != X87_EMPTY || (x.status & (uint32_t)X87_TOP) != 0;
#else
    p.control = (uint64_t)fegetround() << 32;
#endif
#if defined __SSE__
    p.control |= __builtin_ia32_stmxcsr() & ~(unsigned)MXCSR_FLAGS;
#elif defined __aarch64__
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    p.control ^= fpcr;
#endif
    return p;
}

static void processor_set(const struct processor *to)
{
#if X86
    __asm__ volatile("fninit"); /* fesetenv leaves the registers as they are */
#endif
    fesetenv(&to->all);
}

/* Forwards, and without alignment checks. */
static unsigned settle_flags(void)
{
    unsigned left = 0;
#if defined __x86_64__
    unsigned long long flags = __builtin_ia32_readeflags_u64();
    if (flags & DIRECTION)
        left |= PLUGIN_STATE_BACKWARDS;
    if (flags & ALIGNMENT)
        left |= PLUGIN_STATE_ALIGNMENT;
    if (left)
        __builtin_ia32_writeeflags_u64(
            flags & ~(unsigned long long)(DIRECTION | ALIGNMENT));
#endif
    return left;
}

/* ---- Libraries ----------------------------------------------------------- */

/* MPFR's state is the thread's, or the process's if it was built so. */
struct libraries {
    mpfr_exp_t low, high;
    mpfr_prec_t precision;
    mpfr_rnd_t rounding;
    mpfr_flags_t flags;
    void *(*allocate)(size_t size);
    void *(*reallocate)(void *p, size_t old, size_t size);
    void (*release)(void *p, size_t size);
    locale_t locale; /* of the thread */
};

static void libraries_now(struct libraries *l)
{
    memset(l, 0, sizeof *l); /* they are compared as bytes */
    l->low = mpfr_get_emin();
    l->high = mpfr_get_emax();
    l->precision = mpfr_get_default_prec();
    l->rounding = mpfr_get_default_rounding_mode();
    l->flags = mpfr_flags_save();
    mp_get_memory_functions(&l->allocate, &l->reallocate, &l->release);
    l->locale = uselocale((locale_t)0);
}

static void libraries_set(const struct libraries *to)
{
    struct libraries now;
    libraries_now(&now);
    if (memcmp(&now, to, sizeof now) == 0)
        return;
    if (now.allocate != to->allocate || now.reallocate != to->reallocate
        || now.release != to->release) {
        /* MPFR keeps memory; it is freed by what allocated it. */
        mpfr_mp_memory_cleanup();
        mp_set_memory_functions(to->allocate, to->reallocate, to->release);
    }
    mpfr_set_emin(to->low);
    mpfr_set_emax(to->high);
    mpfr_set_default_prec(to->precision);
    mpfr_set_default_rounding_mode(to->rounding);
    mpfr_flags_restore(to->flags, MPFR_FLAGS_ALL);
    uselocale(to->locale);
}

/* ---- Both sides ---------------------------------------------------------- */

struct state {
    struct processor processor;
    struct libraries libraries;
};

static struct state host, plugin;
static struct state inside; /* the plugin's, within host code that it calls */

static void state_now(struct state *s)
{
    s->processor = processor_now();
    fegetenv(&s->processor.all);
    libraries_now(&s->libraries);
}

static void state_set(const struct state *to)
{
    struct processor now = processor_now();
    if (now.control != to->processor.control || now.in_use)
        processor_set(&to->processor);
    libraries_set(&to->libraries);
}

void plugin_state_begin(void)
{
    state_now(&host);
    plugin = host;
    /* A locale of its own, which setlocale does not change. */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c)
        host.libraries.locale = c;
    uselocale(host.libraries.locale);
}

void plugin_state_opened(void)
{
    plugin.processor = processor_now();
    fegetenv(&plugin.processor.all);
}

void plugin_state_give(void)
{
    state_set(&plugin);
}

unsigned plugin_state_take(void)
{
    unsigned left = settle_flags();
    struct processor now = processor_now();
    if (now.control != plugin.processor.control)
        left |= PLUGIN_STATE_MODE;
    if (now.in_use)
        left |= PLUGIN_STATE_REGISTERS;
    libraries_now(&plugin.libraries);
    state_set(&host);
    return left;
}

void plugin_state_enter(void)
{
    state_now(&inside);
    state_set(&host);
}

void plugin_state_leave(void)
{
    state_set(&inside);
}
