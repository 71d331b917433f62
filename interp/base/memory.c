/* memory.c - see memory.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Allocations are in a hash table by address, with linear probing: MPFR
 * allocates and frees numbers by the million.
 */
#include "interp/base/memory.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM_FIRST = 64 /* a power of 2, as every room */
};

struct held {
    void *p; /* NULL: a free place */
    void (*release)(void *p);
};

struct guard {
    struct guard *outer;
    struct held *table;
    size_t room, count;
    jmp_buf back;
};

_Thread_local long memory_fail_at;

static _Thread_local struct guard *innermost;

void memory_out(size_t size)
{
    if (innermost)
        longjmp(innermost->back, 1);
    fprintf(stderr, "assay: out of memory (%zu bytes)\n", size);
    exit(71); /* EX_OSERR */
}

void *memory_more(void *list, size_t *room, size_t size)
{
    size_t more = *room ? 2 * *room : ROOM_FIRST;
    void *moved =
        more <= PTRDIFF_MAX / size ? realloc(list, more * size) : NULL;
    if (!moved)
        return list;
    *room = more;
    return moved;
}

bool memory_guarded(void)
{
    return innermost != NULL;
}

/* ---- What is held ------------------------------------------------------- */

static size_t home_of(const struct guard *g, const void *p)
{
    uint64_t h = (uint64_t)(uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(h >> 32) & (g->room - 1);
}

/* Its slot, or the free one where it belongs. */
static size_t place_of(const struct guard *g, const void *p)
{
    size_t i = home_of(g, p);
    while (g->table[i].p && g->table[i].p != p)
        i = (i + 1) & (g->room - 1);
    return i;
}

static bool grow(struct guard *g)
{
    struct guard larger = *g;
    larger.room = g->room ? 2 * g->room : ROOM_FIRST;
    larger.table = calloc(larger.room, sizeof *larger.table);
    if (!larger.table)
        return false;
    for (size_t i = 0; i < g->room; i++)
        if (g->table[i].p)
            larger.table[place_of(&larger, g->table[i].p)] = g->table[i];
    free(g->table);
    g->table = larger.table;
    g->room = larger.room;
    return true;
}

void memory_hold(void *p, void (*release)(void *p))
{
    struct guard *g = innermost;
    if (!g)
        return;
    bool fails = memory_fail_at > 0 && --memory_fail_at == 0;
    if (fails || (2 * g->count >= g->room && !grow(g))) {
        release(p);
        memory_out(2 * g->room * sizeof *g->table);
    }
    g->table[place_of(g, p)] = (struct held){p, release};
    g->count++;
}

/* Empty a slot; the entries after it may belong before it. */
static void empty(struct guard *g, size_t hole)
{
    size_t mask = g->room - 1;
    for (size_t i = (hole + 1) & mask; g->table[i].p; i = (i + 1) & mask) {
        size_t home = home_of(g, g->table[i].p);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        g->table[hole] = g->table[i];
        hole = i;
    }
    g->table[hole].p = NULL;
    g->count--;
}

bool memory_drop(void *p)
{
    for (struct guard *g = innermost; g && p; g = g->outer) {
        size_t i = g->room ? place_of(g, p) : 0;
        if (!g->room || !g->table[i].p)
            continue;
        empty(g, i);
        return true;
    }
    return false;
}

/* ---- Guards -------------------------------------------------------------- */

/* False if it was unwound.  The guard belongs to the caller's frame, so that
 * it is as it was when longjmp comes back here. */
static bool finish(struct guard *g, memory_body *body, void *context,
                   bool *result, struct status *st)
{
    if (setjmp(g->back) != 0)
        return false;
    innermost = g;
    *result = body(context, st);
    return true;
}

bool memory_guard(memory_body *body, void *context, void (*undo)(void *context),
                  struct status *st)
{
    struct guard g = {.outer = innermost};
    bool result = false;
    if (!finish(&g, body, context, &result, st)) {
        /* Still inside: what undo frees need not be released. */
        undo(context);
        for (size_t i = 0; i < g.room; i++)
            if (g.table[i].p)
                g.table[i].release(g.table[i].p);
        memset(st, 0, sizeof *st);
        result = FAIL(st, SYSTEM, "out of memory");
    }
    innermost = g.outer;
    free(g.table);
    return result;
}
