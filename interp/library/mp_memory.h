/* mp_memory.h - GMP and MPFR when memory runs out.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_LIBRARY_MP_MEMORY_H
#define INTERP_LIBRARY_MP_MEMORY_H

/* Give GMP, which MPFR takes its memory from, functions that unwind to
 * memory_guard instead of aborting; outside a guard they are those that were
 * there before.  If these are not GMP's own, they stay. */
void mp_memory_install(void);

#endif
