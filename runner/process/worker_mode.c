/* worker_mode.c - see worker_mode.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Raised flags are not a change: every computation raises some.  evil.t tests
 * this (rounding_mode, flush_left, backwards).
 */
#include "runner/process/worker_mode.h"

enum {
    FLAGS = 0x3f /* of MXCSR */
};

static uint64_t control_now(void)
{
    uint64_t control = (uint64_t)fegetround() << 32;
#if defined __SSE__
    control |= __builtin_ia32_stmxcsr() & ~(unsigned)FLAGS;
#elif defined __aarch64__
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    control ^= fpcr;
#endif
    return control;
}

void worker_mode_save(struct worker_mode *mode)
{
    fegetenv(&mode->all);
    mode->control = control_now();
}

bool worker_mode_restore(const struct worker_mode *mode)
{
    if (control_now() == mode->control)
        return true;
    fesetenv(&mode->all);
    return false;
}

bool worker_mode_forward(void)
{
#if defined __x86_64__
    const unsigned long long direction = 0x400;
    if (__builtin_ia32_readeflags_u64() & direction) {
        __asm__ volatile("cld" ::: "cc");
        return false;
    }
#endif
    return true;
}
