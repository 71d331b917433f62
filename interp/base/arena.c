/* arena.c - see arena.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _DEFAULT_SOURCE /* mmap and madvise */
#include "interp/base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interp/base/memory.h"

#if defined(__SANITIZE_ADDRESS__)
#    define ARENA_ASAN 1
#elif defined(__has_feature)
#    if __has_feature(address_sanitizer)
#        define ARENA_ASAN 1
#    endif
#endif
#ifdef ARENA_ASAN
#    include <sanitizer/asan_interface.h>
#    define POISON(p, n)   ASAN_POISON_MEMORY_REGION((p), (n))
#    define UNPOISON(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#else
#    define POISON(p, n)   ((void)(p), (void)(n))
#    define UNPOISON(p, n) ((void)(p), (void)(n))
#endif

struct arena_block {
    struct arena_block *older;
    size_t size;
    bool mapped;
    max_align_t data[];
};

enum {
    FIRST_BLOCK = 64 * 1024,
    BLOCK_MAX = 64 * 1024 * 1024, /* where blocks stop growing */
    MAPPED_BLOCK = 4 * 1024 * 1024,
#ifdef ARENA_ASAN
    RED_ZONE = 2 * sizeof(max_align_t), /* so that an overrun is detected */
#else
    RED_ZONE = 0,
#endif
};

/* A large block comes from the system: it is zero, and entering its pages in
 * larger units takes less time than to fill them. */
static struct arena_block *map_block(size_t bytes)
{
    struct arena_block *b = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (b == MAP_FAILED)
        return NULL;
    /* Advice: where there are no such pages, nothing is lost. */
    if (bytes >= MAPPED_BLOCK)
        (void)madvise(b, bytes, MADV_HUGEPAGE);
    b->mapped = true;
    return b;
}

static void release_block(void *block)
{
    struct arena_block *b = block;
    UNPOISON(b->data, b->size);
    if (b->mapped)
        munmap(b, sizeof *b + b->size);
    else
        free(b);
}

static void free_block(struct arena_block *b)
{
    memory_drop(b);
    release_block(b);
}

static void add_block(struct arena *a, size_t least)
{
    size_t size = a->head ? 2 * a->head->size : FIRST_BLOCK;
    if (size > BLOCK_MAX)
        size = BLOCK_MAX;
    if (size < least)
        size = least;

    size_t bytes = sizeof(struct arena_block) + size;
    struct arena_block *b =
        size < MAPPED_BLOCK && !a->paged ? calloc(1, bytes) : map_block(bytes);
    if (!b)
        memory_out(size);
    b->size = size;
    memory_hold(b, release_block);
    b->older = a->head;
    a->bytes += size;
    a->head = b;
    a->next = (char *)b->data;
    a->end = a->next + size;
    a->zeroed = true;
    POISON(a->next, size);
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t const unit = sizeof(max_align_t);
    if (size > PTRDIFF_MAX - 4 * unit)
        memory_out(size);
    size_t const step = (size + unit - 1) / unit * unit + RED_ZONE;
    if ((size_t)(a->end - a->next) < step)
        add_block(a, step);

    void *p = a->next;
    a->next += step;
    UNPOISON(p, size);
    return a->zeroed ? p : memset(p, 0, size);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    size_t bytes; /* a division would take longer than the rest */
    if (__builtin_mul_overflow(count, size, &bytes))
        memory_out(SIZE_MAX);
    return arena_alloc(a, bytes);
}

void *arena_more(struct arena *a, const void *list, size_t count, size_t room,
                 size_t size)
{
    void *more = arena_array(a, room, size);
    if (count > 0)
        memcpy(more, list, count * size);
    return more;
}

char *arena_text(struct arena *a, const char *text)
{
    size_t n = strlen(text) + 1;
    return memcpy(arena_alloc(a, n), text, n);
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char most[256]; /* nearly every text fits, and is formatted once */
    int n = vsnprintf(most, sizeof most, format, args);
    char *text = arena_alloc(a, n < 0 ? 1 : (size_t)n + 1);
    if (n >= (int)sizeof most)
        vsnprintf(text, (size_t)n + 1, format, again);
    else if (n >= 0)
        memcpy(text, most, (size_t)n + 1);
    va_end(again);
    va_end(args);
    return text;
}

void arena_adopt(struct arena *a, struct arena *from)
{
    if (!from->head)
        return;
    if (a->head) {
        /* After a's newest block, which is still being filled. */
        struct arena_block *oldest = from->head;
        while (oldest->older)
            oldest = oldest->older;
        oldest->older = a->head->older;
        a->head->older = from->head;
        a->bytes += from->bytes;
    } else {
        *a = *from;
    }
    *from = (struct arena){.paged = from->paged};
}

void arena_reset(struct arena *a)
{
    if (!a->head)
        return;
    while (a->head->older) {
        struct arena_block *b = a->head;
        a->head = b->older;
        free_block(b);
    }
    a->zeroed = false;
    a->bytes = a->head->size;
    a->next = (char *)a->head->data;
    a->end = a->next + a->head->size;
    POISON(a->next, a->head->size);
}

void arena_free(struct arena *a)
{
    while (a->head) {
        struct arena_block *b = a->head;
        a->head = b->older;
        free_block(b);
    }
    a->next = a->end = NULL;
    a->bytes = 0;
}

void arena_protect(struct arena *a)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (struct arena_block *b = a->head; b; b = b->older) {
        uintptr_t first = (uintptr_t)b;
        uintptr_t end = (uintptr_t)b->data + b->size;
        if (b->mapped) /* up to its last page, which is its own */
            end += page - 1;
        first = (first + page - 1) / page * page;
        end = end / page * page;
        if (end > first)
            mprotect((void *)first, end - first, PROT_READ);
    }
    a->next = a->end;
}
