/* sweep_print.h - what came of a sweep or a hunt, as text or JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TOOLS_SWEEP_PRINT_H
#define TOOLS_SWEEP_PRINT_H

#include "runner/sweep.h"

/* On standard output: all of it, or one line if brief. */
void sweep_print_text(struct arena *a, const struct sweep *s, bool brief);
/* The same as one object on a line of its own. */
void sweep_print_json(struct arena *a, const struct sweep *s);

#endif
