/* deviation_run.h - what a program gives under a deviation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_RUN_H
#define INTERP_DEVIATION_DEVIATION_RUN_H

#include "interp/deviation/deviation.h"

/* evaluate_program under a deviation: the same arguments, in the same arena.
 * Fails with UNSUPPORTED where the deviation does not apply, and like
 * program_infer where what it makes of the program is none. */
bool deviation_run(struct arena *a, const struct deviation_use *use,
                   struct machine *machine,
                   struct literal *const *const *inputs,
                   struct outcome *outcomes, struct status *st);

#endif
