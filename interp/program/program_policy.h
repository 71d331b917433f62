/* program_policy.h - which policies the results of a program depend on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef INTERP_PROGRAM_PROGRAM_POLICY_H
#define INTERP_PROGRAM_PROGRAM_POLICY_H

#include "interp/program/program.h"

/* Does the instruction depend on a policy, by its operation or by one of a
 * computation that it applies? */
bool program_policy_of(const struct instruction *in, const char *policy);
/* Does an instruction of the program? */
bool program_policy_any(const struct program *p, const char *policy);

#endif
