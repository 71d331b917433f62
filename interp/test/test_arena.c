/* SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "interp/base/arena.h"
#include "interp/test/tap.h"

/* Does a process that writes there die of it? */
static bool is_deadly(char *at)
{
    int status = 0;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        struct rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        signal(SIGSEGV, SIG_DFL); /* without a sanitizer's words */
        *(volatile char *)at = 1;
        _exit(0);
    }
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void protect(void)
{
    struct arena a = {.paged = true};
    char *first = arena_alloc(&a, 1), *large = arena_alloc(&a, 200000),
         *last = arena_alloc(&a, 1);
    first[0] = large[0] = last[0] = 5;
    arena_protect(&a);
    OK(first[0] == 5 && large[0] == 5 && last[0] == 5,
       "what is protected can be read");
    OK(is_deadly(first) && is_deadly(large) && is_deadly(large + 199999)
           && is_deadly(last),
       "but not written, from the first byte to the last");
    char *more = arena_alloc(&a, 1);
    OK(!is_deadly(more), "what follows can");
}

static void grow(struct arena *a)
{
    int64_t *list = NULL;
    int count = 0, room = 0, rows = 0;
    unsigned char row_room = 0;
    char *text = NULL;
    for (int i = 0; i < 1000; i++) {
        ARENA_GROW(a, list, count, room);
        list[count++] = i;
    }
    int wrong = 0;
    for (int i = 0; i < count; i++)
        wrong += list[i] != i;
    OK(wrong == 0 && count <= room, "a list of 1000 that grew");
    for (int i = 0; i < 100; i++) {
        ARENA_GROW_ROWS(a, text, rows, row_room, 3);
        memcpy(text + 3 * rows++, "abc", 3);
    }
    OK(rows == 100 && memcmp(text + 297, "abc", 3) == 0 && text[0] == 'a',
       "rows of three");
}

int main(void)
{
    protect();
    struct arena a = ARENA_INIT;

    int *p = arena_new(&a, int, 3);
    OK(p[0] == 0 && p[2] == 0, "new objects are zero");
    OK((uintptr_t)arena_alloc(&a, 1) % _Alignof(max_align_t) == 0,
       "one byte is aligned for anything");
    char *big = arena_alloc(&a, 1 << 20);
    big[(1 << 20) - 1] = 1;
    OK(1, "a block larger than the first");
    EQ_STR(arena_printf(&a, "%s-%d", "f", 32), "f-32", "printf");
    arena_reset(&a);
    char *q = arena_alloc(&a, 1 << 15);
    OK((void *)q == (void *)p, "reset starts over in the first block");
    memset(q, 1, 1 << 15);
    arena_reset(&a);
    q = arena_alloc(&a, 1 << 15);
    OK(q[0] == 0 && q[(1 << 15) - 1] == 0, "what was used is zero again");
    for (int i = 0; i < 3; i++) {
        big = arena_alloc(&a, 5 << 20);
        OK(big[0] == 0 && big[(5 << 20) - 1] == 0, "a large block is zero");
        memset(big, 1, 5 << 20);
        arena_reset(&a);
    }
    grow(&a);
    struct arena b = ARENA_INIT;
    char *kept = arena_alloc(&b, 1 << 20);
    kept[0] = 7;
    arena_adopt(&a, &b);
    OK(b.bytes == 0 && a.bytes > 1 << 20, "what is adopted is counted");
    q = arena_alloc(&b, 1 << 20);
    OK(q != kept && kept[0] == 7, "and outlives the arena it came from");
    arena_free(&b);
    OK(kept[0] == 7, "and its end");
    arena_adopt(&a, &b);
    arena_free(&a);
    return tap_done();
}
