/* slow.h - are all fast paths turned off?
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * The exact, slow path is the definition: a fast path returns the same bits, or
 * it is wrong.  With ASSAY_SLOW in the environment (not empty), no fast path is
 * taken; `--slow` sets it.  Thread-safe.
 */
#ifndef INTERP_BASE_SLOW_H
#define INTERP_BASE_SLOW_H

#include <stdbool.h>

bool slow(void);
/* Turns them off in this process, from here on, and in those that it starts. */
void slow_on(void);

#endif
