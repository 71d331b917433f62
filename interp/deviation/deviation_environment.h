/* deviation_environment.h - the evaluator under a deviation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_DEVIATION_DEVIATION_ENVIRONMENT_H
#define INTERP_DEVIATION_DEVIATION_ENVIRONMENT_H

#include "interp/deviation/deviation.h"

/* Does an environment deviation concern instructions of this operation? */
bool deviation_environment_concerns(const struct deviation *d,
                                    const struct op *op);

/* Make the machine treat operands or results as an environment deviation says.
 * environment must live as long as the machine runs. */
void deviation_environment(const struct deviation *d, struct machine *m,
                           struct machine_environment *environment);

/* For a deviation with a step at the operands: is this operand read as another
 * value?  Memory for this comes from the arena. */
bool deviation_environment_takes(const struct deviation *d, struct arena *a,
                                 const struct instruction *in,
                                 const struct literal *operand);
/* For one with a step at the results: change ev->out, which has exact values
 * and is copied where it changes. */
void deviation_environment_give(const struct deviation *d, struct eval *ev);

#endif
