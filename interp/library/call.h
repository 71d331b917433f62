/* call.h - one call of the library: memory, MPFR's state, errors.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * Whatever allocates on behalf of a caller goes through call_run.  Threads
 * share only what does not change.
 */
#ifndef INTERP_LIBRARY_CALL_H
#define INTERP_LIBRARY_CALL_H

#include <assay/backend.h>

#include "interp/base/arena.h"
#include "interp/base/memory.h"

/* Run body with MPFR's full exponent range, and restore the caller's.  All
 * that body allocates comes from the arena, which is as before where memory
 * runs out. */
bool call_run(struct arena *a, memory_body *body, void *context,
              struct status *st);

/* Write a text into *error, as much as it has room for, a question mark for
 * each character that is not shown (text.h); NULL: nothing. */
void call_say(assay_error *error, const char *text);
/* The same with a status and its place; returns ASSAY_FAILED. */
assay_code call_fail(assay_error *error, const struct status *st);
/* The same about an argument that must not be NULL. */
assay_code call_missing(assay_error *error, const char *argument);

/* ---- mp_memory.c: GMP and MPFR when memory runs out ---------------------- */

/* Give GMP, which MPFR takes its memory from, functions that unwind to
 * memory_guard instead of aborting; outside a guard they are those that were
 * there before.  If these are not GMP's own, they stay. */
void mp_memory_install(void);

#endif
