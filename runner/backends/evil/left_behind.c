/* left_behind.c - computes rightly, and then changes what all code of its
 * process, or of its thread, has in common: what ASSAY_EVIL_HOW names, or else
 * each thing that a backend may change, one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The libraries are those of the host, as a backend that is linked with MPFR,
 * GMP or cJSON has them.
 */
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evil.h"

/* A change that is one expression, or one of assembler. */
#define CHANGE(name, expression) \
    static void name(void) \
    { \
        expression; \
    }

/* A function of a library that the host has loaded. */
static void *function(const char *name)
{
    return dlsym(RTLD_DEFAULT, name);
}

/* Call one that takes a number. */
static void call(const char *name, long value)
{
    int (*f)(long);
    *(void **)&f = function(name);
    if (f != NULL)
        f(value);
}

CHANGE(mpfr_emin, call("mpfr_set_emin", 0))
CHANGE(mpfr_emax, call("mpfr_set_emax", 1))
CHANGE(mpfr_precision, call("mpfr_set_default_prec", 2))
CHANGE(mpfr_rounding, call("mpfr_set_default_rounding_mode", 2))
CHANGE(mpfr_flags, call("mpfr_flags_set", 63))
CHANGE(mpfr_caches, call("mpfr_free_cache", 0))

/* Blocks with a head of their own: no other functions can free them. */
enum {
    HEAD = 64,
    MARK = 0x5a
};

static void *allocate(size_t size)
{
    unsigned char *p = malloc(size + HEAD);
    if (p == NULL)
        abort();
    memset(p, MARK, HEAD);
    return p + HEAD;
}

static void release(void *p, size_t size)
{
    unsigned char *block = (unsigned char *)p - HEAD;
    (void)size;
    if (block[0] != MARK || block[HEAD - 1] != MARK)
        abort();
    free(block);
}

static void *reallocate(void *p, size_t old, size_t size)
{
    void *to = allocate(size);
    memcpy(to, p, old < size ? old : size);
    release(p, old);
    return to;
}

static void gmp_functions(void)
{
    void (*cleanup)(void);
    void (*set)(void *(*)(size_t), void *(*)(void *, size_t, size_t),
                void (*)(void *, size_t));
    *(void **)&cleanup = function("mpfr_mp_memory_cleanup");
    *(void **)&set = function("__gmp_set_memory_functions");
    if (cleanup == NULL || set == NULL)
        return;
    cleanup(); /* as MPFR's manual asks */
    set(allocate, reallocate, release);
}

static void no_memory_free(void *p)
{
    (void)p;
}

static void json_hooks(void)
{
    struct {
        void *(*allocate)(size_t size);
        void (*release)(void *p);
    } hooks = {malloc, no_memory_free};
    void (*set)(void *);
    *(void **)&set = function("cJSON_InitHooks");
    if (set != NULL)
        set(&hooks);
}

static void decimal_comma(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8",
                                        "C.UTF-8"};
    char *(*set)(int, const char *);
    *(void **)&set = function("setlocale");
    for (size_t i = 0; set != NULL && i < sizeof names / sizeof *names; i++)
        if (set(LC_ALL, names[i]) != NULL)
            return;
}

CHANGE(own_locale, uselocale(newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0)))

static void working_directory(void)
{
    if (chdir("/") != 0)
        abort();
}

CHANGE(environment, clearenv())

static void blocked_signals(void)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
}

static void ignored_signals(void)
{
    for (int i = 1; i < 32; i++)
        signal(i, SIG_IGN);
}

static void signal_handlers(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPIPE};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        signal(faults[i], (void (*)(int))_exit);
}

CHANGE(file_mask, umask(0777))

static void one_processor(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return;
    for (int i = CPU_SETSIZE - 1, left = CPU_COUNT(&set); i >= 0 && left > 1;
         i--)
        if (CPU_ISSET(i, &set)) {
            CPU_CLR(i, &set);
            left--;
        }
    sched_setaffinity(0, sizeof set, &set);
}

CHANGE(filled_memory, mallopt(M_PERTURB, 0xa5))

static void random_numbers(void)
{
    srand(1);
    srandom(1);
    srand48(1);
}

/* ---- The processor's state, which must be left as it was ----------------- */

CHANGE(upward, fesetround(FE_UPWARD))
CHANGE(exceptions, feenableexcept(FE_OVERFLOW))

#if defined __x86_64__
static void x87_control(unsigned clear)
{
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    word = (uint16_t)(word & ~clear);
    __asm__ volatile("fldcw %0" : : "m"(word));
}

CHANGE(x87_precision, x87_control(0x300))
CHANGE(x87_masks, x87_control(4)) /* division by zero */

static void x87_rounding(void)
{
    uint16_t word;
    __asm__ volatile("fnstcw %0" : "=m"(word));
    word |= 0xc00;
    __asm__ volatile("fldcw %0" : : "m"(word));
}

CHANGE(x87_stack, __asm__ volatile("fldpi"))
CHANGE(mmx, __asm__ volatile("pxor %%mm0, %%mm0" ::: "mm0"))
CHANGE(subnormals, __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040))
CHANGE(sse_masks, __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() & ~0x200u))
CHANGE(direction, __asm__ volatile("std" ::: "cc"))
CHANGE(alignment, __asm__ volatile("pushf\n\torl $0x40000, (%%rsp)\n\tpopf" ::
                                       : "cc"))
#endif

static const struct change {
    const char *name;
    void (*make)(void);
    int allowed;
} changes[] = {
    {"mpfr_emin", mpfr_emin, 1},
    {"mpfr_emax", mpfr_emax, 1},
    {"mpfr_precision", mpfr_precision, 1},
    {"mpfr_rounding", mpfr_rounding, 1},
    {"mpfr_flags", mpfr_flags, 1},
    {"mpfr_caches", mpfr_caches, 1},
    {"gmp_functions", gmp_functions, 1},
    {"json_hooks", json_hooks, 1},
    {"decimal_comma", decimal_comma, 1},
    {"own_locale", own_locale, 1},
    {"working_directory", working_directory, 1},
    {"environment", environment, 1},
    {"blocked_signals", blocked_signals, 1},
    {"ignored_signals", ignored_signals, 1},
    {"signal_handlers", signal_handlers, 1},
    {"file_mask", file_mask, 1},
    {"one_processor", one_processor, 1},
    {"filled_memory", filled_memory, 1},
    {"random_numbers", random_numbers, 1},
    {"upward", upward, 0},
    {"exceptions", exceptions, 0},
#if defined __x86_64__
    {"x87_precision", x87_precision, 0},
    {"x87_masks", x87_masks, 0},
    {"x87_rounding", x87_rounding, 0},
    {"x87_stack", x87_stack, 0},
    {"mmx", mmx, 0},
    {"subnormals", subnormals, 0},
    {"sse_masks", sse_masks, 0},
    {"direction", direction, 0},
    {"alignment", alignment, 0},
#endif
};

/* The change that is asked for, or, if none is, the next one that is allowed.
 */
static void change(int opening)
{
    enum {
        COUNT = sizeof changes / sizeof *changes
    };
    static int next;
    static char how[32];
    const char *asked = getenv("ASSAY_EVIL_HOW");
    if (asked != NULL) /* the environment may be gone later */
        snprintf(how, sizeof how, "%s", asked);
    if (!how[0]) {
        while (!changes[next % COUNT].allowed)
            next++;
        changes[next++ % COUNT].make();
        return;
    }
    for (int i = 0; i < COUNT; i++)
        if (strcmp(changes[i].name, how) == 0
            && (changes[i].allowed || !opening))
            changes[i].make();
}

static assay_code compile(assay_backend *b, const assay_program *p,
                          assay_executable **x, assay_error *error)
{
    assay_code code = evil_compile(b, p, x, error);
    change(0);
    return code;
}

static assay_code execute(assay_backend *b, assay_executable *x,
                          const assay_execution *e, assay_error *error)
{
    assay_code code = evil_execute(b, x, e, error);
    change(0);
    return code;
}

EVIL_MAKE(left_behind, e)
{
    e->compile = compile;
    e->execute = execute;
    change(1);
}
