/* memory.h - what happens when memory runs out.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * No caller of arena_alloc can recover, so allocation does not return NULL.  In
 * the command it ends the process with 71.  A library must not end its host:
 * what it does for a call runs inside memory_guard, which allocation then
 * unwinds to.  Whatever would leak by this is held: the guard has a list of it.
 * All of this is per thread.
 */
#ifndef INTERP_BASE_MEMORY_H
#define INTERP_BASE_MEMORY_H

#include <stddef.h>

#include "interp/base/status.h"

/* Report that size bytes cannot be allocated: unwind to the innermost guard of
 * this thread, or, without one, exit with 71. */
void memory_out(size_t size) __attribute__((noreturn));

typedef bool memory_body(void *context, struct status *st);

/* Return what body returns, and forget what was held since.  If it is unwound,
 * call undo (which must drop the pointers that others have to what is held),
 * release all that was held since, and fail with SYSTEM.  Guards nest. */
bool memory_guard(memory_body *body, void *context, void (*undo)(void *context),
                  struct status *st);
bool memory_guarded(void);

/* Release p if the guard is unwound; nothing without a guard. */
void memory_hold(void *p, void (*release)(void *p));
/* Room for one more in a list on the heap, as ARENA_GROW makes it in an arena
 * (the place of most lists); true if there already is room.  For a list that is
 * freed individually, or whose owner can go on without memory: then it returns
 * false, and leaves the list unchanged.  list and room are lvalues, room a
 * size_t; both are evaluated more than once. */
#define MEMORY_GROW(list, count, room) \
    ((size_t)(count) < (room) \
     || ((list) = memory_more((list), &(room), sizeof *(list)), \
         (size_t)(count) < (room)))
void *memory_more(void *list, size_t *room, size_t size);

/* For tests: the memory_hold of this number, counted down, fails; 0: none. */
extern _Thread_local long memory_fail_at;
/* No longer: the caller releases it.  False if it was not held. */
bool memory_drop(void *p);

#endif
