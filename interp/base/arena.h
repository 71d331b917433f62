/* arena.h - memory that lives as long as one case.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Everything read, computed or printed for a case is allocated from that
 * case's arena and freed at once by arena_reset().  Nothing in an arena is
 * freed individually.  Allocation never returns NULL: memory.h says what
 * happens instead.
 */
#ifndef INTERP_BASE_ARENA_H
#define INTERP_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_block;

/* Zero-initialise, or use ARENA_INIT. */
struct arena {
    struct arena_block *head; /* newest block, the one being filled */
    char *next, *end;         /* the free part of head */
    size_t bytes;             /* of all blocks */
    bool zeroed;              /* the free part of head is zero */
    bool paged;               /* blocks are whole pages, for arena_protect */
};

#define ARENA_INIT \
    { \
        NULL, NULL, NULL, 0, false, false \
    }

/* Return size zeroed bytes, aligned for any object. */
void *arena_alloc(struct arena *a, size_t size)
    __attribute__((malloc, alloc_size(2), returns_nonnull));

/* Return count zeroed objects of one type. */
#define arena_new(a, type, count) \
    ((type *)arena_array((a), (count), sizeof(type)))
void *arena_array(struct arena *a, size_t count, size_t size)
    __attribute__((malloc, alloc_size(2, 3), returns_nonnull));

/* Make room for one more in a list of count elements, which has room for room
 * of them (both integers of any type, 0 at first): what is full is copied to
 * twice the room.  All but a are lvalues, and evaluated more than once. */
#define ARENA_GROW(a, list, count, room) \
    ARENA_GROW_ROWS((a), (list), (count), (room), 1)
/* The same where an element is a row of width objects. */
#define ARENA_GROW_ROWS(a, list, count, room, width) \
    do { \
        if ((count) == (room)) { \
            (room) = (room) ? 2 * (room) : 8; \
            (list) = arena_more((a), (list), (size_t)(count) * (width), \
                                (size_t)(room) * (width), sizeof *(list)); \
        } \
    } while (0)
void *arena_more(struct arena *a, const void *list, size_t count, size_t room,
                 size_t size) __attribute__((returns_nonnull));

char *arena_text(struct arena *a, const char *text); /* a copy */
char *arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3), returns_nonnull));

/* Memory of `from` lives as long as a from now on; from is empty. */
void arena_adopt(struct arena *a, struct arena *from);

/* Free all but the first block; every pointer into the arena is dead. */
void arena_reset(struct arena *a);

/* Free everything.  The arena may be used again. */
void arena_free(struct arena *a);

/* From now on all that was allocated can only be read, in this process: a
 * write ends it with SIGSEGV.  What follows is allocated elsewhere.  Without
 * paged, the first and the last page of each block stay as they are.  The arena
 * cannot be reset afterwards, and only with paged be freed. */
void arena_protect(struct arena *a);

#endif
