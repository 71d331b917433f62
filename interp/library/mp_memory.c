/* mp_memory.c - see call.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * GMP's own functions are malloc, realloc and free with a check, so what the
 * functions here allocate can be freed by them, and the reverse.
 */
#include <gmp.h>
#include <mpfr.h>
#include <stdlib.h>

#include "interp/base/memory.h"
#include "interp/library/call.h"

/* GMP's own, which no header declares; absent, perhaps, from another GMP. */
extern void *__gmp_default_allocate(size_t size) __attribute__((weak));

static void *(*before_allocate)(size_t size);
static void *(*before_reallocate)(void *p, size_t old, size_t size);
static void (*before_free)(void *p, size_t size);

static void *allocate(size_t size)
{
    if (!memory_guarded())
        return before_allocate(size);
    void *p = malloc(size);
    if (!p)
        memory_out(size);
    memory_hold(p, free);
    return p;
}

/* A block that is not held was allocated before the guard, in a cache of
 * MPFR's. */
static void *reallocate(void *p, size_t old, size_t size)
{
    if (!memory_guarded())
        return before_reallocate(p, old, size);
    bool held = memory_drop(p);
    void *moved = realloc(p, size);
    if (held)
        memory_hold(moved ? moved : p, free);
    if (!moved)
        memory_out(size);
    return moved;
}

static void release(void *p, size_t size)
{
    memory_drop(p);
    before_free(p, size);
}

void mp_memory_install(void)
{
    mp_get_memory_functions(&before_allocate, &before_reallocate, &before_free);
    /* A cache that all threads share is locked while it is filled: to unwind
     * would leave it so. */
    if (before_allocate == __gmp_default_allocate
        && !mpfr_buildopt_sharedcache_p())
        mp_set_memory_functions(allocate, reallocate, release);
}
